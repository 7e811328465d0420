//! Places: their names are those of `memory::changes`, and executors find them.

use expression::{parse, parse_place_and_rest};
use memory::{Value, changes};

use crate::moment::{ZOO, reversal, running, stopped};

fn entity(text: &str) -> String {
    let place = parse(text).and_then(|expression| expression.place(&ZOO.scope()));
    place.map_or_else(|error| error.message, |place| place.entity.to_string())
}

#[test]
fn places_are_named_by_their_root() {
    for (text, name) in [
        ("total", "work:total"),
        ("main:x", "main:x"),
        ("calls", "work:calls"),
        ("*counter", "work:calls"),
        ("*outer", "main:x"),
        ("letter", "letter"),
        ("n1->next", "n1.next"),
        ("head->next->data", "n2.data"),
        ("*link", "n1.next"),
        ("*middle", "table[2]"),
        ("middle[1]", "table[3]"),
        ("*inside", "work:at.y"),
        ("where->x", "work:at.x"),
        ("*where", "work:at"),
        ("square.corner[1].y", "square.corner[1].y"),
        ("grid[1][0]", "grid[1][0]"),
        ("*grid[1]", "grid[1][0]"),
        ("rows[1][2]", "grid[1][2]"),
        ("numbers[2]", "n4[2]"),
        ("*numbers", "n4[0]"),
        ("copy[2]", "n5[2]"),
        ("name[1]", "name[1]"),
        ("flags.inner", "flags.inner"),
        ("flags.as_text", "flags.as_text"),
        ("flags.as_text[2]", "name[2]"),
        ("word.bytes[2]", "word.bytes[2]"),
        ("*(float *)&word", "word.real"),
        ("n1", "n1"),
        ("n4", "n4"),
        ("table", "table"),
        ("row[3]", "work:row[3]"),
        ("count ? at : at", "work:at"),
    ] {
        assert_eq!(entity(text), name, "{text}");
    }
}

/// An executor writes where the expression says, and the difference has the same name.
#[test]
fn executors_find_the_places() {
    let (mut moment, mut interpreter) = running(include_str!("zoo.c"));
    for text in [
        "total",
        "main:x",
        "*counter",
        "*outer",
        "n1->data",
        "head->next->data",
        "*middle",
        "*inside",
        "where->x",
        "square.corner[1].y",
        "grid[1][0]",
        "numbers[2]",
        "*numbers",
        "flags.inner",
        "flags.low",
        "flags.sign",
        "row[3]",
        "byte",
        "copy[2]",
        "name[1]",
    ] {
        let place = parse(text).unwrap().place(&moment.scope()).unwrap();
        let before = moment.state.clone();
        let value = if place.value == Value::Int(3) { Value::Int(2) } else { Value::Int(3) };
        moment.write(&mut interpreter, &place.entity, &value).unwrap_or_else(|error| panic!("{text}: {error}"));
        let told = changes(&before, &moment.state);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        // A difference of characters is told of the whole array.
        let is_char = place.type_name == "char";
        let told = &told[0].entity;
        assert!(*told == place.entity || is_char && place.entity.path.starts_with(&told.path), "{text}: {told}");
        assert_eq!(parse(text).unwrap().evaluate(&moment.scope()).unwrap().value, value);
    }
}

#[test]
fn pointers_to_places_are_written() {
    let (mut moment, mut interpreter) = running(&reversal());
    let (place, rest) = parse_place_and_rest("n4 -> prev n3").unwrap();
    let place = place.place(&moment.scope()).unwrap();
    let value = parse(rest).unwrap().evaluate(&moment.scope()).unwrap();
    assert_eq!(place.ty, value.ty);
    moment.write(&mut interpreter, &place.entity, &value.value).unwrap();
    assert_eq!(moment.print("n4->prev->data"), "8: int");
    moment
        .write(&mut interpreter, &place.entity, &parse("&*n2").unwrap().evaluate(&moment.scope()).unwrap().value)
        .unwrap();
    assert_eq!(moment.print("n4->prev"), "n2: struct node *");
}

#[test]
fn a_place_ends_where_a_value_may_begin() {
    for (text, place, rest) in [
        ("x -1", "x", "-1"),
        ("n4 -> prev n3", "n4 -> prev", "n3"),
        ("*pp n3", "*pp", "n3"),
        ("a[i] (5)", "a[i]", "(5)"),
        ("a[i - (1)](5)", "a[i - (1)]", "(5)"),
        ("(*p).x  'a'", "(*p).x", "'a'"),
        ("(p) 3", "(p)", "3"),
        ("p &q", "p", "&q"),
        ("p *q", "p", "*q"),
        ("x == 3", "x", "== 3"),
        ("x = 3", "x", "= 3"),
        ("main:x 3", "main:x", "3"),
        ("#1:x 3", "#1:x", "3"),
        ("x", "x", ""),
        ("s \"it's\"", "s", "\"it's\""),
        ("x 'oops", "x", "'oops"),
        ("*(int *)p 5", "*(int *)p", "5"),
        ("x --1", "x", "--1"),
    ] {
        let (expression, found) = parse_place_and_rest(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((expression.text(), found), (place, rest));
    }
    assert!(parse_place_and_rest("").is_err());
    assert!(parse_place_and_rest("-> x").is_err());
}

/// Every pointer that the program itself made has the same value when an expression makes it.
#[test]
fn addresses_are_named_as_states_name_them() {
    for (variable, address) in [
        ("middle", "&table[2]"),
        ("middle", "table + 2"),
        ("outer", "&main:x"),
        ("counter", "&calls"),
        ("where", "&at"),
        ("inside", "&at.y"),
        ("link", "&n1->next"),
        ("past", "&table[5]"),
        ("rows", "&grid[0]"),
        ("head", "n1"),
        ("freed", "n3"),
        ("numbers", "&n4[0]"),
        ("words", "main:argv"),
        ("flags.as_text", "&name[0]"),
    ] {
        let value = |text: &str| parse(text).unwrap().evaluate(&ZOO.scope()).unwrap().value;
        assert_eq!(value(variable), value(address), "{variable} and {address}");
    }
}

#[test]
fn a_value_suits_the_place_it_is_for() {
    let value = |place: &str, text: &str| {
        let place = parse(place).unwrap().place(&ZOO.scope()).unwrap();
        parse(text).unwrap().evaluate_for(&ZOO.scope(), place.ty.expect("a type")).unwrap().to_string()
    };
    assert_eq!(value("middle", "table"), "&table");
    assert_eq!(value("head", "0"), "null");
    assert_eq!(value("head", "n2"), "n2");
    assert_eq!(value("letter", "300"), "300");
    assert_eq!(value("name", "\"cat\""), "\"cat\"");
    assert_eq!(value("operation", "twice"), "twice()");
}

/// Blocks of all shapes: what the state shows is what expressions lead to.
#[test]
fn heap_blocks_of_all_shapes() {
    let moment = stopped(
        r#"
#include <stdlib.h>
struct pair { int a; char tag[4]; };
struct text { int length; char bytes[]; };
struct list { int n; long values[]; };
int main(void) {
    struct pair *pairs = malloc(3 * sizeof(struct pair));
    pairs[2].a = 5;
    pairs[2].tag[1] = 'x';
    struct { int hidden; } *unnamed = malloc(sizeof *unnamed);
    unnamed->hidden = 9;
    struct text *text = malloc(sizeof(struct text) + 8);
    text->bytes[3] = 'q';
    struct list *list = malloc(sizeof(struct list) + 3 * sizeof(long));
    list->values[2] = 77;
    int **rows = malloc(2 * sizeof(int *));
    rows[1] = malloc(2 * sizeof(int));
    rows[1][1] = 3;
    int (*grid)[3] = malloc(2 * sizeof(*grid));
    grid[1][2] = 6;
    char *tag = &pairs[2].tag[1];
    int n = 3;
    int square[n][2];
    square[2][1] = 8;
    long *value = &list->values[2];
    return 0; /* stop */
}
"#,
    );
    for (text, expected, name) in [
        ("pairs[2].a", "5: int", "n1[2].a"),
        ("n1[2].tag[1]", "120: char", "n1[2].tag[1]"),
        ("*tag", "120: char", "n1[2].tag[1]"),
        ("(pairs + 2)->a", "5: int", "n1[2].a"),
        ("unnamed->hidden", "9: int", "n2.hidden"),
        ("n2.hidden", "9: int", "n2.hidden"),
        ("text->bytes[3]", "113: char", "n3.bytes[3]"),
        ("list->values[2]", "77: long", "n4.values[2]"),
        ("*value", "77: long", "n4.values[2]"),
        ("rows[1][1]", "3: int", "n6[1]"),
        ("n5[1][1]", "3: int", "n6[1]"),
        ("grid[1][2]", "6: int", "n7[1][2]"),
        ("square[2][1]", "8: int", "main:square[2][1]"),
    ] {
        assert_eq!(moment.print(text), expected, "{text}");
        let place = parse(text).unwrap().place(&moment.scope()).unwrap();
        assert_eq!(place.entity.to_string(), name, "{text}");
    }
    assert_eq!(moment.print("tag"), "&n1[2].tag[1]: char *");
    assert_eq!(moment.print("&n1[2].tag[1] == tag"), "1: int");
    assert_eq!(
        moment.print("list->values[3]"),
        "`list->values` has 3 elements, `list->values[0]` to `list->values[2]`"
    );
}
