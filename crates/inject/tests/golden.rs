//! The faults that are drawn for one small program, and what can be said when none can be.

use std::sync::Arc;

use c_syntax::Source;
use expect_test::{Expect, expect};
use inject::{InjectError, Injected, Options, inject};

const LIST: &str = r#"//~ FUNCTION: push
//~ INPUT: 2 1
//~ UNSEEN: 9
#include <stdio.h>
#include <stdlib.h>
#define FIRST(list) ((list)->next)
struct node { struct node *next, *prev; int value; };
int pushed;
struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    fresh->prev = NULL;
    if (head != NULL)
        head->prev = FIRST(head) ? fresh : fresh;
    pushed++;
    return fresh;
}
int main(int argc, char **argv)
{
    struct node *list = NULL;
    for (int i = 1; i < argc; i++)
        list = push(list, atoi(argv[i]));
    for (struct node *p = list; p; p = p->next)
        printf("%d\n", p->value);
    return pushed - argc;
}
"#;

fn run(text: &str, options: &Options) -> Result<Injected, InjectError> {
    let source = Arc::new(Source::new("list.c", text.as_bytes().to_vec()));
    let program = Arc::new(ir::load_text(source).expect("it is C"));
    inject(&program, options, &mut |_| {})
}

fn check(options: &Options, expected: Expect) {
    let injected = run(LIST, options).expect("faults can be made");
    let mut shown = String::new();
    for version in &injected.versions {
        for fault in &version.faults {
            shown += &format!("{:?} {fault}\n", fault.kind);
        }
        shown += &format!("    {}\n", version.observed);
    }
    let Injected { drawn, not_c, unobservable, exhausted, .. } = injected;
    shown += &format!("drawn {drawn}, not C {not_c}, unobservable {unobservable}, exhausted {exhausted}\n");
    expected.assert_eq(&shown);
}

fn options(change: usize, delete: usize, count: usize) -> Options {
    Options { change, delete, count, seed: 1, ..Options::default() }
}

#[test]
fn changes() {
    check(
        &options(1, 0, 6),
        expect![[r#"
        Variable line 16: `head->prev` → `fresh` in `head->prev = FIRST(head) ? fresh : fresh;`
            with the arguments `2 1` it leaves another heap behind: its nodes are linked or filled otherwise
        Field line 13: `fresh` → `fresh->next` in `fresh->next = head;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        Field line 12: `fresh` → `fresh->next` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        Field line 16: `head` → `head->next` in `head->prev = FIRST(head) ? fresh : fresh;`
            with the arguments `2 1` it crashes: `head->next` is null (the access goes to 0x8)
        Variable line 12: `fresh->value` → `pushed` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `p` was never given a value (in n2)
        Field line 12: `fresh` → `fresh->prev` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        drawn 7, not C 0, unobservable 1, exhausted false
    "#]],
    );
}

#[test]
fn all_deletions() {
    check(
        &options(0, 1, 100),
        expect![[r#"
        Deletion line 14: `fresh->prev = NULL;` deleted
            with the arguments `2 1` it leaves another heap behind: its nodes are linked or filled otherwise
        Deletion line 12: `fresh->value = value;` deleted
            with the arguments `2 1` it crashes: `p` was never given a value (in n2)
        Deletion line 17: `pushed++;` deleted
            with the arguments `2 1` it ends with the status 253 instead of 255
        Deletion line 13: `fresh->next = head;` deleted
            with the arguments `2 1` it crashes: `FIRST(head)` was never given a value (in n1)
        drawn 4, not C 0, unobservable 0, exhausted true
    "#]],
    );
}

#[test]
fn operators_and_constants() {
    check(
        &Options { operators: true, ..options(1, 0, 8) },
        expect![[r#"
        Variable line 16: `head` → `fresh` in `head->prev = FIRST(head) ? fresh : fresh;`
            with the arguments `2 1` it leaves another heap behind: its nodes are linked or filled otherwise
        Field line 13: `fresh->next` → `fresh->prev` in `fresh->next = head;`
            with the arguments `2 1` it crashes: `FIRST(head)` was never given a value (in n1)
        Field line 12: `fresh` → `fresh->next` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        Field line 16: `head` → `fresh->prev` in `head->prev = FIRST(head) ? fresh : fresh;`
            with the arguments `2 1` it crashes: `FIRST(fresh->prev)` is null
        Constant line 15: `NULL` → `head` in `head != NULL`
            with the arguments `2 1` it leaves another heap behind: its nodes are linked or filled otherwise
        Variable line 12: `fresh->value` → `pushed` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `p` was never given a value (in n2)
        Field line 12: `fresh` → `fresh->prev` in `fresh->value = value;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        Constant line 15: `NULL` → `fresh` in `head != NULL`
            with the arguments `2 1` it crashes: `FIRST(head)` is null
        drawn 8, not C 0, unobservable 0, exhausted false
    "#]],
    );
}

#[test]
fn a_change_and_a_deletion() {
    check(
        &options(1, 1, 4),
        expect![[r#"
        Field line 13: `fresh` → `fresh->next` in `fresh->next = head;`
        Deletion line 14: `fresh->prev = NULL;` deleted
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n1)
        Variable line 12: `fresh->value` → `pushed` in `fresh->value = value;`
        Deletion line 14: `fresh->prev = NULL;` deleted
            with the arguments `2 1` it crashes: `p` was never given a value (in n2)
        Deletion line 14: `fresh->prev = NULL;` deleted
        Field line 16: `fresh` → `fresh->prev` in `head->prev = FIRST(head) ? fresh : fresh;`
            with the arguments `2 1` it crashes: `fresh` was never given a value (in n2)
        Deletion line 12: `fresh->value = value;` deleted
        Field line 14: `fresh->prev` → `fresh->next` in `fresh->prev = NULL;`
            with the arguments `2 1` it crashes: `p` was never given a value (in n2)
        drawn 6, not C 0, unobservable 2, exhausted false
    "#]],
    );
}

#[test]
fn errors_are_sentences() {
    let error = |text: &str, options: &Options| run(text, options).expect_err("no faults can be made").to_string();
    let mut shown = vec![
        error(LIST, &options(0, 0, 1)),
        error(LIST, &options(1, 30, 1)),
        error(LIST, &Options { functions: vec!["pop".into()], ..options(1, 0, 1) }),
        error("int main(void) { return 0; }", &options(1, 0, 1)),
    ];
    let main = Options { functions: vec!["main".into()], ..options(1, 0, 1) };
    shown.push(error("int main(void) { return 0; }", &main));
    shown.push(error("int main(void) { int x = 0, y = x; return y / x; }", &main));
    shown.push(error("int main(void) { int x = 1; while (x); return x; }", &Options { delete: 1, change: 0, ..main }));
    expect![[r#"
        a version without a changed expression and without a deleted statement has no fault
        only 4 statements of `push` can be deleted, but 30 should be
        there is no function `pop` in this file; there are push, main
        no function is named that the faults should go to, and the file has no mark `//~ FUNCTION:`
        no expression of `main` can be changed, but 1 should be
        the program itself crashes without arguments, so no fault could be told from its own: `x` is zero, in a division
        no statement of `main` can be deleted, but 1 should be
    "#]]
    .assert_eq(&(shown.join("\n") + "\n"));
}
