//! Repairs that only the wider search finds, on small programs.

mod common;

use std::sync::Arc;

use common::*;
use encode::Model;
use expect_test::{Expect, expect};
use memory::Value;
use repair::{Answer, Options, Problem, Wider, repair};

/// What all programs begin with.
const HEAD: &str = "#include <stddef.h>\nstruct node { int value; struct node *next; };\nint one, two, three;\n\
                    struct node a, b, c;\nstruct node *head;\n";

/// Repairs `f` such that these globals have these values in the end.
fn check(text: &str, facts: &[(&str, i128)], expected: &Expect) {
    let source = c_syntax::Source::new("small.c", format!("{HEAD}{text}").into_bytes());
    let model = Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")));
    let facts: Vec<(&str, Value)> = facts.iter().map(|(name, value)| (*name, Value::Int(*value))).collect();
    let runs = vec![(Arc::new(run_of_main(&model, &facts)), Default::default())];
    let problem = Problem { program: model.program.clone(), runs, trusted: Default::default() };
    let within = Some(places(&model, "f"));
    let options = Options { wider: Wider::Early, vary: false, candidates: 1, within, ..Options::default() };
    let answer = repair(&problem, &options, &mut |_| {});
    let Answer::Repaired(repaired) = answer else { panic!("{answer:?}") };
    let diff = repaired.candidates[0].candidate.patched.diff("small.c");
    let changed = diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2);
    expected.assert_eq(&changed.fold(format!("cost {}\n", repaired.cost), |text, line| text + line + "\n"));
}

const LIST: &str = "    a.value = 3; a.next = &b; b.value = 7; b.next = &c; c.value = 9; c.next = NULL; head = &a;\n";

/// `f` counts the nodes before a key; this is its loop.
fn check_search(condition: &str, expected: &Expect) {
    let text = format!(
        "int f(struct node *p, int key) {{\n    int n = 0;\n    while ({condition}) {{\n        p = p->next;\n        n++;\n    }}\n    return n;\n}}\n\
         int main(void) {{\n{LIST}    one = f(&a, 8);\n    two = f(&a, 7);\n    three = f(&b, 9);\n    return 0;\n}}\n"
    );
    check(&text, &[("one", 3), ("two", 1), ("three", 1)], expected);
}

#[test]
fn an_early_exit_is_inserted() {
    let text = format!(
        "int f(struct node *p) {{\n    while (p->next != NULL)\n        p = p->next;\n    return p->value;\n}}\n\
         int main(void) {{\n{LIST}    one = 5;\n    one = f(NULL);\n    two = f(&a);\n    return 0;\n}}\n"
    );
    check(
        &text,
        &[("one", 0), ("two", 9)],
        &expect![[r#"
            cost 1
            +    if (p == NULL)
            +        return 0;
        "#]],
    );
}

#[test]
fn a_comparison_is_put_before_a_condition() {
    check_search(
        "p->value != key",
        &expect![[r#"
        cost 1
        -    while (p->value != key) {
        +    while (p != NULL && p->value != key) {
    "#]],
    );
}

#[test]
fn a_connective_becomes_the_other() {
    check_search(
        "p != NULL || p->value != key",
        &expect![[r#"
        cost 1
        -    while (p != NULL || p->value != key) {
        +    while (p != NULL && p->value != key) {
    "#]],
    );
}

#[test]
fn the_sides_of_a_condition_are_exchanged() {
    check_search(
        "p->value != key && p != NULL",
        &expect![[r#"
            cost 1
            -    while (p->value != key && p != NULL) {
            +    while (p != NULL && p->value != key) {
        "#]],
    );
}

#[test]
fn a_statement_is_moved() {
    let text = format!(
        "int f(struct node *p) {{\n    struct node *q = NULL, *r;\n    int n = 0;\n    while (p != NULL) {{\n        p->next = q;\n        q = p;\n        r = p->next;\n        p = r;\n        n = 10 * n + q->value;\n    }}\n    return n;\n}}\n\
         int main(void) {{\n{LIST}    one = f(&a);\n    two = f(&c);\n    return 0;\n}}\n"
    );
    check(
        &text,
        &[("one", 379), ("two", 973)],
        &expect![[r#"
        cost 1
        +        r = p->next;
        -        r = p->next;
    "#]],
    );
}

#[test]
fn an_assignment_gets_a_second_case() {
    let text = format!(
        "void f(struct node *p, struct node *n) {{\n    p->next = n;\n}}\n\
         int main(void) {{\n{LIST}    f(NULL, &b);\n    one = head->value;\n    head = &a;\n    f(&a, &c);\n    two = a.next->value;\n    three = head->value;\n    return 0;\n}}\n"
    );
    check(
        &text,
        &[("one", 7), ("two", 9), ("three", 3)],
        &expect![[r#"
            cost 2
            -    p->next = n;
            +    if (p == NULL)
            +        head = n;
            +    else
            +        p->next = n;
        "#]],
    );
}
