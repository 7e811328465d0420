//! The text of drivers, for each kind of parameter.

use std::sync::Arc;

use c_syntax::Source;
use check::{Options, load_sources};
use expect_test::{Expect, expect};

/// The driver of `f`, without the prototypes that all have; it has been compiled.
fn check(text: &str, options: &Options, expected: Expect) {
    let options = Options { entry: Some("f".into()), length: 2, ..options.clone() };
    let source = Arc::new(Source::new("program.c", text.as_bytes().to_vec()));
    let task = load_sources(&[source], &options).unwrap_or_else(|error| panic!("{error}"));
    let side = &task.program;
    let driver = String::from_utf8_lossy(&side.source().bytes[side.own..]).into_owned();
    let own = driver.lines().filter(|line| !line.is_empty() && !line.starts_with("extern"));
    expected.assert_eq(&own.map(|line| format!("{line}\n")).collect::<String>());
}

fn plain(text: &str, expected: Expect) {
    check(text, &Options::default(), expected);
}

#[test]
fn integers() {
    plain("int f(int x, unsigned char c, _Bool b, long y) { return x + c + b + y; }", expect![[]]);
}

#[test]
fn arrays_and_strings() {
    plain("int g; int f(int a[3], char *s) { g = a[0]; return s[0]; }", expect![[]]);
}

#[test]
fn a_struct_by_value() {
    plain("struct pair { int x; short y[2]; }; struct pair f(struct pair p) { p.x++; return p; }", expect![[]]);
}

/// A record without a tag has only its typedef's name.
#[test]
fn a_typedef_without_a_tag() {
    plain("typedef struct { int x; } pair; int f(pair p, pair *q) { return p.x + q->x; }", expect![[]]);
}

#[test]
fn a_list() {
    plain("typedef struct node { int value; struct node *next; } node; node *f(node *head) { return head; }", expect![[]]);
}

#[test]
fn a_tree() {
    plain("struct tree { int key; struct tree *left, *right, *parent; }; int f(struct tree *t) { return t != 0; }", expect![[]]);
}

#[test]
fn a_pointer_to_a_pointer() {
    plain("struct node { int value; struct node *next; }; void f(struct node **head) { *head = 0; }", expect![[]]);
    plain("void f(int **p) { **p = 1; }", expect![[]]);
}

#[test]
fn what_is_observed_and_what_is_unknown() {
    let text = "int g, h; int f(int x, int *a) { g += x; return a[0]; }";
    check(text, &Options { observe: vec!["g".into(), "a".into()], ..Options::default() }, expect![[]]);
    check(text, &Options { symbolic_globals: true, assume: vec!["x < g".into()], ..Options::default() }, expect![[]]);
}

#[test]
fn no_input_can_be_made_up() {
    let source = Arc::new(Source::new("program.c", b"int f(double d) { return d > 1; }".to_vec()));
    let options = Options { entry: Some("f".into()), ..Options::default() };
    let error = load_sources(&[source], &options).expect_err("it is a floating number").to_string();
    assert!(error.starts_with("`d` has the type `double`, for which no inputs can be made up"), "{error}");
}
