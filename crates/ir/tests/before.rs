//! What can come right before each step, for small functions.

use std::sync::Arc;

use c_syntax::Source;
use expect_test::expect;
use ir::{Program, StepId};

fn load(text: &str) -> Program {
    ir::load_text(Arc::new(Source::new("test.c", text.into()))).expect("the text is C")
}

/// Each step with those before it; `call` where a call can begin with it.
fn listing(text: &str) -> String {
    let program = load(text);
    let name = |step: StepId| program.source.text(program.step(step).span);
    let mut out = String::new();
    for step in (0..program.steps.len() as u32).map(StepId) {
        let (before, begins) = ir::steps_before(&program, step, &|other| name(other) != "hidden");
        let mut names: Vec<String> = before.into_iter().map(name).collect();
        names.extend(begins.then(|| "call".into()));
        out.push_str(&format!("{} after {}\n", name(step), names.join(", ")));
    }
    out
}

#[test]
fn loops_and_branches() {
    let text = "void f(int n) { while (n) { if (n == 3) break; n--; } n = 7; for (n = 0; n < 3; n++) ; }";
    expect![[r#"
        n after n--, call
        n == 3 after n
        n-- after n == 3
        n = 7 after n, n == 3
        n = 0 after n = 7
        n < 3 after n = 0, n++
        n++ after n < 3
        } after n < 3
    "#]]
    .assert_eq(&listing(text));
}

#[test]
fn jumps_and_switches() {
    let text =
        "int f(int n) { again: switch (n) { case 1: n = 2; case 2: n = 3; break; default: goto again; } return n; }";
    expect![[r#"
        n after n, call
        n = 2 after n
        n = 3 after n, n = 2
        return n after n = 3
        } after return n
    "#]]
    .assert_eq(&listing(text));
}

#[test]
fn steps_without_code_are_looked_through() {
    let text = "int hidden; void f(int n) { hidden; n = 1; hidden; do n++; while (n < 3); }";
    expect![[r#"
        hidden after call
        n = 1 after call
        hidden after n = 1
        n++ after n = 1, n < 3
        n < 3 after n++
        } after n < 3
    "#]]
    .assert_eq(&listing(text));
}

#[test]
fn recursion_is_seen_through_other_functions_and_pointers() {
    let text = "#include <stdlib.h>
        int odd(int); int even(int n) { return n == 0 || odd(n - 1); } int odd(int n) { return n && even(n - 1); }
        int leaf(int n) { return abs(n); } int top(int n) { return leaf(n) + leaf(2); }
        int through(int (*f)(int)) { return f(1); }
        int compare(const void *a, const void *b) { return a < b; }
        void sort(int *a) { qsort(a, 3, 4, compare); }";
    let program = load(text);
    let recursive = |name: &str| ir::may_recurse(&program, program.function_named(name).expect("a function"));
    assert!(recursive("odd") && recursive("even") && recursive("through") && recursive("sort"));
    assert!(!recursive("leaf") && !recursive("top") && !recursive("compare"));
}
