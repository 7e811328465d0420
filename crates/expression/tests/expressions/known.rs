//! Enum constants, macros and names of types.

use expression::{parse, parse_place_and_rest};
use memory::Value;

use crate::moment::{ZOO, steps_of_line, stopped};

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for &(text, expected) in table {
        assert_eq!(ZOO.print(text), expected, "{text}");
    }
}

#[test]
fn enum_constants() {
    check(&[
        ("BLUE", "2: int"),
        ("paint == BLUE", "1: int"),
        ("LOW", "-1: int"),
        ("WIDE", "1099511627776: long"),
        ("LOCAL + 1", "6: int"),
        // Those of the function hide those of the file, and all hide macros.
        ("RED", "-8: int"),
        ("GREEN", "1: int"),
        ("table[BLUE]", "30: int"),
        ("-LOW < HIGH", "0: int"),
        ("sizeof BLUE", "4: unsigned long"),
        ("&BLUE", "`BLUE` has no address"),
    ]);
    assert!(ZOO.print("BLUEE").starts_with("there is no `BLUEE` here, did you mean `BLUE`? work has list, "));
    assert!(ZOO.print("LIMTI").starts_with("there is no `LIMTI` here, did you mean `LIMIT`? work has list, "));
}

#[test]
fn macros_stand_for_their_text() {
    check(&[
        ("LIMIT", "10: int"),
        ("count == LIMIT - 6", "1: int"),
        ("SUM", "6: int"),
        // As in C: `count + 2 * 3`.
        ("SUM * 3", "10: int"),
        ("3 * SUM", "14: int"),
        // `10 * count + 2`
        ("PRODUCT", "42: int"),
        ("-PRODUCT", "-42: int"),
        ("head->NEXT->data", "2: int"),
        ("(WORD)-1", "255: unsigned char"),
        ("sizeof(WORD)", "1: unsigned long"),
        ("*(WORD *)&word", "4: unsigned char"),
        ("GREETING[1]", "105: char"),
        ("INFINITY_", "2147483647: int"),
        ("INT_MIN", "-2147483648: int"),
        ("EOF == -1", "1: int"),
        ("count ? LIMIT : 3", "10: int"),
        ("total", "1: int"),
    ]);
}

#[test]
fn a_macro_without_a_value_is_named() {
    let refused = |text: &str| {
        let error = parse(text).and_then(|it| it.evaluate(&ZOO.scope())).expect_err(text);
        (text[error.span.start as usize..error.span.end as usize].to_string(), error.message)
    };
    for (text, part, sentence) in [
        ("1 + BEGIN", "BEGIN", "the macro `BEGIN` stands for `do {`, which has no value here"),
        ("EMPTY", "EMPTY", "the macro `EMPTY` stands for nothing, which has no value here"),
        ("FIRST + 1", "FIRST", "the macro `FIRST` stands for `twice(LIMIT)`, which has no value here"),
        ("*LIMIT", "LIMIT", "`LIMIT` has type `int` and is no pointer"),
        ("LIMIT / (LIMIT - 10)", "LIMIT / (LIMIT - 10)", "this divides by zero"),
    ] {
        assert_eq!(refused(text), (part.to_string(), sentence.to_string()));
    }
    assert_eq!(refused("ENDLESS").1, "the macro `ENDLESS` stands for itself, which has no value");
    assert!(
        refused("MISSING")
            .1
            .starts_with("in the macro `MISSING`, there is no `nowhere` here, did you mean `where`? work has ")
    );
    assert!(refused("SQUARE(3)").1.starts_with("functions are not called here"));
}

#[test]
fn macros_that_grow_are_refused() {
    let mut text = String::from("#define M0 1 + 1\n");
    for i in 1..40 {
        text += &format!("#define M{i} M{} + M{}\n#define E{i} E{} E{}\n", i - 1, i - 1, i - 1, i - 1);
    }
    text += "#define E0\n#define C0 7\n";
    for i in 1..2000 {
        text += &format!("#define C{i} C{}\n", i - 1);
    }
    let moment = stopped(&(text + "int main(void) {\n    return 0; /* stop */\n}\n"));
    assert_eq!(moment.print("M2"), "8: int");
    assert_eq!(moment.print("C40"), "7: int");
    for name in ["M39", "E39", "C1999"] {
        assert!(moment.print(name).ends_with("stands for too much"), "{}", moment.print(name));
    }
}

#[test]
fn names_of_types() {
    check(&[
        ("sizeof(node_t)", "16: unsigned long"),
        ("sizeof(node_t *)", "8: unsigned long"),
        ("sizeof(list_t)", "8: unsigned long"),
        ("sizeof(grid_t)", "24: unsigned long"),
        ("sizeof(grid_t[2])", "48: unsigned long"),
        ("sizeof(operation_t)", "8: unsigned long"),
        ("sizeof(enum color)", "4: unsigned long"),
        ("sizeof(wide_t)", "8: unsigned long"),
        ("sizeof(local_t)", "2: unsigned long"),
        ("(node_t *)anything", "n1: struct node *"),
        ("((list_t)anything)->data", "1: int"),
        ("(list_t)(anything)", "n1: struct node *"),
        ("*(node_t *)anything", "{data: 1, next: n2}: struct node"),
        ("(tiny_t)200", "-56: char"),
        ("(tiny_t)-1", "-1: char"),
        ("(tiny_t)+1", "1: char"),
        ("(tiny_t)*&count", "4: char"),
        ("(tiny_t)(count + 1)", "5: char"),
        ("(level_t)-1", "-1: int"),
        ("(enum color)-1", "4294967295: unsigned int"),
        ("(operation_t)operation == twice", "1: int"),
        ("(*(grid_t *)grid)[1][2]", "6: int"),
        ("(node_t)3", "a value of type `int` cannot be cast to `struct node`"),
        ("node_t", "`node_t` is a type (`struct node`) and has no value"),
        ("node_t * 2", "`node_t` is a type (`struct node`) and has no value"),
        ("(count)(3)", "functions are not called here; step into them instead"),
        ("(count)3", "`count` is not a type"),
        ("(count)-1", "3: int"),
    ]);
    assert!(ZOO.print("(nod_t *)head").starts_with("there is no type `nod_t *`, did you mean `node_t`? There are "));
    assert!(ZOO.print("(enum colour)1").starts_with("there is no type `enum colour`, did you mean `enum color`? "));
}

#[test]
fn places_may_be_named_through_macros() {
    let (place, rest) = parse_place_and_rest("((node_t *)n1)->NEXT LIMIT - 3").expect("a place");
    assert_eq!(place.place(&ZOO.scope()).expect("a place").entity.to_string(), "n1.next");
    let value = parse(rest).expect("an expression").evaluate(&ZOO.scope()).expect("a value").value;
    assert_eq!(value, Value::Int(7));
    let (place, _) = parse_place_and_rest("LIMIT 3").expect("it begins with a name");
    assert_eq!(place.place(&ZOO.scope()).expect_err("a number").message, "`LIMIT` is not a place in memory");
}

#[test]
fn conditions_know_them_before_the_program_gets_there() {
    let text = "enum { RED, BLUE };\n#define MAX 10\n#define BAD }\ntypedef long number;\n\
        void f(void) {\n    enum { OWN = 4 };\n    BLUE;\n}\n\
        int main(void) {\n    int n = 3;\n    f();\n    return n; /* stop */\n}\n";
    let moment = stopped(text);
    let check = |text: &str, line| {
        let step = *steps_of_line(&moment.program, line).first().expect("a statement");
        parse(text).and_then(|it| it.check(&moment.program, step)).map_err(|error| error.message)
    };
    assert_eq!(check("n == MAX || n == BLUE || (number)-1 < n", 12), Ok(()));
    assert_eq!(check("OWN == 4", 7), Ok(()));
    assert_eq!(check("OWN", 12), Err("there is no `OWN` here; main has n; constants are RED, BLUE".into()));
    assert_eq!(check("n == BAD", 12), Err("the macro `BAD` stands for `}`, which has no value here".into()));
    assert_eq!(check("MAX->x", 12), Err("`MAX` has type `int`, which has no members".into()));
    assert_eq!(
        check("BLEU", 12).unwrap_err(),
        "there is no `BLEU` here, did you mean `BLUE`? main has n; constants are RED, BLUE"
    );
    let is_true = |text: &str| parse(text).and_then(|it| it.is_true(&moment.scope())).map_err(|error| error.message);
    assert_eq!(is_true("n < MAX"), Ok(true));
    assert_eq!(is_true("n == BLUE + 2"), Ok(true));
}
