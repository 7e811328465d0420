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
    check(&options(1, 0, 6), expect![[""]]);
}

#[test]
fn all_deletions() {
    check(&options(0, 1, 100), expect![[""]]);
}

#[test]
fn operators_and_constants() {
    check(&Options { operators: true, ..options(1, 0, 8) }, expect![[""]]);
}

#[test]
fn a_change_and_a_deletion() {
    check(&options(1, 1, 4), expect![[""]]);
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
    expect![[""]].assert_eq(&(shown.join("\n") + "\n"));
}
