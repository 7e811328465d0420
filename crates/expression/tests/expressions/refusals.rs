//! What is said where there is no value, and where.

use expression::{ExpressionError, parse, parse_place_and_rest};
use ir::StepId;

use crate::moment::{ZOO, reversal, steps_of_line, stopped};

fn refusal(text: &str) -> ExpressionError {
    let result = parse(text).and_then(|expression| expression.evaluate(&ZOO.scope()));
    result.err().unwrap_or_else(|| panic!("`{text}` has a value"))
}

/// Checks pairs of lines: an expression with a caret line's worth of marks below, and the sentence.
#[track_caller]
fn check(table: &[(&str, &str, &str)]) {
    for &(text, part, sentence) in table {
        let error = refusal(text);
        let (start, end) = (error.span.start as usize, error.span.end as usize);
        assert_eq!((error.message.as_str(), &text[start..end]), (sentence, part), "{text}");
    }
}

#[test]
fn nothing_is_changed() {
    let change = "would change something, which an expression does not; use `change x 3`";
    check(&[
        ("total = 3", "=", "an expression does not change anything; use `change total 3`, or `==` to compare"),
        ("(total = 3)", "=", "an expression does not change anything; use `change x 3`, or `==` to compare"),
        ("total += 1", "+=", &format!("`+=` {change}")),
        ("total++", "++", &format!("`++` {change}")),
        ("--total", "--", &format!("`--` {change}")),
        ("total <<= 1", "<<=", &format!("`<<=` {change}")),
        ("twice(3)", "(", "functions are not called here; step into them instead"),
        ("operation(3) + 1", "(", "functions are not called here; step into them instead"),
    ]);
}

#[test]
fn syntax() {
    check(&[
        ("", "", "the text ends too early: a value is missing"),
        ("1 +", "", "the text ends too early: a value is missing"),
        ("(1 + 2", "", "the text ends too early: `)` is missing"),
        ("table[1", "", "the text ends too early: `]` is missing"),
        ("1 2", "2", "`2` is not expected here: the expression ends before it"),
        ("head->", "", "the text ends too early: the name of a member is missing"),
        ("head->3", "3", "`3` is not expected here: the name of a member is missing"),
        ("1, 2", ",", "a comma makes two expressions; give one at a time"),
        ("count @ 2", "@", "`@` means nothing in a C expression"),
        ("'a", "'a", "the closing `'` is missing"),
        ("'ab'", "'ab'", "`'ab'` is not one character"),
        ("\"abc", "\"abc", "the closing `\"` is missing"),
        ("12abc", "12abc", "`12abc` is not a number"),
        ("99999999999999999999", "99999999999999999999", "`99999999999999999999` is too large for every integer type"),
        ("1 ? 2", "", "the text ends too early: `:` is missing"),
        ("* / 2", "/", "`/` is not expected here: a value is missing"),
        ("#x:y", "x", "`x` is not expected here: the number of a call is missing, as in `#1:x`"),
        ("#1", "", "the text ends too early: `:` and the name of a variable are missing, as in `#1:x`"),
        ("sizeof(const)", ")", "`)` is not expected here: the name of a type is missing"),
        ("sizeof(int[x])", "x", "`x` is not expected here: the length of an array is missing"),
        ("sizeof(struct)", ")", "`)` is not expected here: the name of a struct is missing"),
    ]);
    assert_eq!(refusal(&"(".repeat(1000)).message, "this expression nests too deeply");
    assert_eq!(refusal(&["1"; 1000].join("+")).message, "this expression is too long");
}

#[test]
fn names() {
    let there = "work has list, count, outer, words, calls, counter, row, nothing, wild, empty, total, half and 9 more; \
         globals are total, positive, big, letter, byte, yes, ratio, third, table, grid, large, points and 17 more; \
         constants are RED, LOW, HIGH, GREEN, BLUE, LOCAL, WIDE";
    check(&[
        ("cuont", "cuont", &format!("there is no `cuont` here, did you mean `count`? {there}")),
        ("1 + zzzz", "zzzz", &format!("there is no `zzzz` here; {there}")),
        ("n9", "n9", "there is no node n9; nodes are n1, n2, n4–n6"),
        ("n9->data", "n9", "there is no node n9; nodes are n1, n2, n4–n6"),
        ("stdout", "stdout", "`stdout` is a variable of the library, which is not shown"),
        ("leave:local", "leave", "leave is not being called now; calls are #0 work, #1 main"),
        ("wrok:x", "wrok", "there is no function `wrok`, did you mean `work`? Functions are twice, leave, work, main"),
        ("main:y", "main:y", "main has no variable `y` here, did you mean `x`? main has argc, argv, x"),
        ("#5:x", "#5", "there is no call #5; calls are #0 work, #1 main"),
        (
            "(struct nod *)head",
            "struct nod *",
            "there is no type `struct nod *`, did you mean `struct node`? There are struct node, struct point, union word, struct flags, struct hidden, local_t, enum color, grid_t, level_t, list_t, node_t, operation_t and 4 more",
        ),
    ]);
}

#[test]
fn members() {
    check(&[
        ("head->nxt", "nxt", "`struct node` has no member `nxt`, did you mean `next`? It has data, next"),
        ("head->left", "left", "`struct node` has no member `left`; it has data, next"),
        ("flags.x", "x", "`struct flags` has no member `x`; it has low, sign, wide, inner, as_long, as_text"),
        ("at->x", "at->x", "`at` has type `struct point` and is no pointer; write `.x`"),
        ("secret->x", "x", "the members of `struct hidden` are not known here"),
        ("count.x", "x", "`count` has type `int`, which has no members"),
        ("table.x", "x", "`table` has type `int [5]`, which has no members"),
    ]);
}

#[test]
fn types() {
    check(&[
        ("*count", "count", "`count` has type `int` and is no pointer"),
        ("count[0]", "count", "`count` has type `int`, which has no elements"),
        ("table[1.5]", "1.5", "`1.5` has type `double`, not a number of an element"),
        ("*anything", "anything", "`anything` has type `void *`; cast it to what it points to, as in `(int *)p`"),
        ("at + 1", "at", "`+` does not apply to `at`, which has type `struct point`"),
        ("head * 2", "head", "`*` does not apply to `head`, which has type `struct node *`"),
        ("1.5 % 2", "1.5", "`%` does not apply to `1.5`, which has type `double`"),
        ("~ratio", "ratio", "`~` does not apply to `ratio`, which has type `double`"),
        ("-head", "head", "`-` does not apply to `head`, which has type `struct node *`"),
        ("head + head", "head + head", "two pointers cannot be added"),
        ("!at", "at", "`!` does not apply to `at`, which has type `struct point`"),
        ("at && 1", "at", "`at` has type `struct point`, neither true nor false"),
        ("(int)at", "(int)at", "a value of type `struct point` cannot be cast to `int`"),
        ("&3", "&3", "`3` has no address"),
        ("&flags.low", "&flags.low", "`flags.low` is a bit-field and has no address"),
        ("sizeof flags.low", "sizeof flags.low", "`flags.low` is a bit-field and has no size in bytes"),
        ("sizeof row", "sizeof row", "the size of `int [*]` is not known here"),
        ("sizeof *secret", "sizeof *secret", "the size of `struct hidden` is not known here"),
        ("1 ? at : 2", "1 ? at : 2", "`struct point` and `int` have no common type"),
        ("head == 1.5", "1.5", "`==` does not apply to `1.5`, which has type `double`"),
        (
            "greeting == \"hello\"",
            "greeting == \"hello\"",
            "this would compare places in memory, not texts; compare characters, as in `s[0] == 'a'`",
        ),
    ]);
}

#[test]
fn values() {
    check(&[
        ("nothing->data", "nothing", "`nothing` is null, so it has no `data`"),
        ("head->next->next->data", "head->next->next", "`head->next->next` is null, so it has no `data`"),
        ("*nothing", "nothing", "`nothing` is null, so there is nothing to see there"),
        ("nothing[2]", "nothing", "`nothing` is null, so it has no elements"),
        ("nothing + 1", "nothing", "`nothing` is null, and nothing can be added to it"),
        ("wild->data", "wild", "`wild` has no value yet, so it has no `data`"),
        ("freed->data", "freed", "`freed` points to n3, which was freed, so it has no `data`"),
        ("n3.data", "n3", "n3 was freed, so it has no `data`"),
        ("*gone", "gone", "`gone` points to a local variable of a call that is over, so there is nothing to see there"),
        (
            "*(int *)16",
            "(int *)16",
            "`(int *)16` is 0x10, where the program has nothing, so there is nothing to see there",
        ),
        ("empty + 1", "empty", "`empty` has no value yet"),
        ("half[0] == 1", "half[0]", "`half[0]` has no value yet"),
        ("wild == head", "wild", "`wild` has no value yet"),
        ("table[5]", "table[5]", "`table` has 5 elements, `table[0]` to `table[4]`"),
        ("table[-1]", "table[-1]", "`table` has 5 elements, `table[0]` to `table[4]`"),
        ("numbers[4]", "numbers[4]", "`numbers[4]` points outside of n4, which has 16 bytes"),
        ("*past", "past", "`past` points outside of table, which has 20 bytes"),
        ("large[1500]", "large[1500]", "only the first 1000 elements of `large` are kept in a state"),
        ("(large + 1)[1500]", "(large + 1)[1500]", "only the first 1000 elements of large are kept in a state"),
        ("1 / 0", "1 / 0", "this divides by zero"),
        ("5 % (total - 1)", "5 % (total - 1)", "this is a remainder of a division by zero"),
        ("(-2147483647 - 1) / -1", "(-2147483647 - 1) / -1", "the quotient does not fit its type"),
        (
            "head < middle",
            "head < middle",
            "`head` and `middle` do not point into the same object, so neither comes before the other",
        ),
        (
            "middle - counter",
            "middle - counter",
            "`middle` and `counter` do not point into the same object, so there is no distance between them",
        ),
        ("(long)head", "(long)head", "`head` points to n1; addresses have no numbers here"),
        ("greeting[9]", "9", "`greeting` has 5 characters"),
        ("words[1]", "words[1]", "`words[1]` points to the program's arguments, which a state does not hold"),
        (
            "*(struct point *)head",
            "(struct point *)head",
            "`(struct point *)head` points into n1, where no `struct point` is",
        ),
        ("*(int *)untyped", "(int *)untyped", "`(int *)untyped` points to n6, and what type n6 has is not known"),
        (
            "((struct node *)operation)->data",
            "((struct node *)operation)",
            "`((struct node *)operation)` points to the function twice, so it has no `data`",
        ),
        (
            "*(int *)outside",
            "(int *)outside",
            "`(int *)outside` points outside of what a state holds, so there is nothing to see there",
        ),
        ("outside + 1", "outside", "`outside` is outside, and nothing can be added to it"),
        ("outside == outside", "outside == outside", "a state does not tell whether these point to the same place"),
        ("greeting == greeting", "greeting == greeting", "a state does not tell whether these point to the same place"),
        ("*beyond", "beyond", "`beyond` is not known, so there is nothing to see there"),
        ("beyond == NULL", "beyond", "the value of `beyond` is not known"),
        ("*(int *)greeting", "(int *)greeting", "`(int *)greeting` points to text, not to a value of type `int`"),
        ("middle + 9223372036854775807", "9223372036854775807", "`9223372036854775807` is too far"),
        ("single[1]", "single[1]", "`single` has one element, `single[0]`"),
        ("flags.as_long + 1", "flags.as_long", "the value of `flags.as_long` is not known"),
    ]);
}

#[test]
fn places() {
    let refuse = |text: &str| {
        let (expression, _) = parse_place_and_rest(text).expect("it begins with a place");
        expression.place(&ZOO.scope()).expect_err(text).message
    };
    assert_eq!(refuse("3 4"), "`3` is not a place in memory");
    assert_eq!(refuse("&total 4"), "`&total` is not a place in memory");
    assert_eq!(refuse("(count + 1) 4"), "`(count + 1)` is not a place in memory");
    assert_eq!(refuse("*greeting 'x'"), "`*greeting` is not a place that can be named");
    assert_eq!(refuse("*raw 1"), "`*raw` is not a place that can be named");
    assert_eq!(refuse("NULL 1"), "`NULL` is not a place in memory");
}

#[test]
fn conditions_are_checked_before_the_program_gets_there() {
    let moment = stopped(&reversal());
    let program = &moment.program;
    let step = |line| *steps_of_line(program, line).first().expect("a statement");
    let check = |text: &str, step: StepId| parse(text).and_then(|it| it.check(program, step)).map_err(|e| e.message);
    let in_loop = step(31);
    assert_eq!(check("current != NULL && current->prev == head", in_loop), Ok(()));
    assert_eq!(check("n4->anything > 3", in_loop), Ok(()));
    assert_eq!(check("push:fresh == head", in_loop), Ok(()));
    assert_eq!(check("#1:x == 3", in_loop), Ok(()));
    assert_eq!(
        check("current->nxt", in_loop).unwrap_err(),
        "`struct node` has no member `nxt`, did you mean `next`? It has data, next, prev"
    );
    assert_eq!(
        check("walk == 0", in_loop).unwrap_err(),
        "there is no `walk` here; reverse has current, temp1, temp2; globals are head"
    );
    assert_eq!(
        check("push:frsh", in_loop).unwrap_err(),
        "push has no variable `frsh`, did you mean `fresh`? push has data, fresh"
    );
    assert_eq!(
        check("pop:x", in_loop).unwrap_err(),
        "there is no function `pop`; functions are push, reverse, print, main"
    );
    assert_eq!(check("walk == 0", step(42)), Ok(()));
}

#[test]
fn a_pointer_to_a_hidden_variable_is_not_followed() {
    let moment = stopped(
        "int main(void) {\n    int *p = 0;\n    {\n        int x = 3;\n        p = &x;\n    }\n    return 0; /* stop */\n}\n",
    );
    assert_eq!(moment.print("*p"), "`p` points to `x` of main, which is not in scope there now");
}
