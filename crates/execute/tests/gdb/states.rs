//! What it shows.

use execute::{Executor, RunOptions, Until};

use super::{Session, compilers, options};

const LIST: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
int count = 3;
static char name[8] = \"list\";
struct node *head;
int add(int a, int b) { return a + b; }
int main(int argc, char **argv) {
    int (*op)(int, int) = add;
    int (*say)(const char *, ...) = printf;
    void (*drop)(void *) = free;
    const char *text = \"constant\";
    char *last = argv[argc - 1];
    static double half = 0.5;
    int a[3] = { 1, 2, 3 }, *p = &a[1], *end = a + 3;
    long wild = 5; int *number = (int *)wild;
    for (int i = 0; i < count; i++) {
        struct node *n = malloc(sizeof *n);
        n->data = i;
        n->next = head;
        head = n;
    }
    struct node *old = head->next;
    head->next = old->next;
    free(old);
    char *copy = strdup(name);
    copy = realloc(copy, 20);
    struct { unsigned low : 3; int high : 5; } bits = { 5, -3 };
    return half > 1;
}
";

#[test]
fn every_kind_of_value_is_shown() {
    for compiler in compilers() {
        let options = RunOptions { arguments: vec!["it's".into()], ..options() };
        let mut session = Session::with(LIST, &options, &compiler);
        session.run_to("return half > 1");
        let state = session.state();
        let globals: Vec<String> = state.globals.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
        assert_eq!(globals, ["count = 3", "name = \"list\"", "head = n3"]);
        let expected = [
            ("argc", "2"),
            ("argv", "&argv"),
            ("op", "add()"),
            ("say", "printf()"),
            ("drop", "free()"),
            ("text", "\"constant\""),
            ("last", "\"it\\'s\""),
            ("half", "0.5"),
            ("a", "[1, 2, 3]"),
            ("p", "&main:a[1]"),
            ("number", "0x5"),
            ("old", "dangling(n2)"),
            ("copy", "n5"),
            ("bits", "{low: 5, high: -3}"),
        ];
        for (name, value) in expected {
            assert_eq!(session.value(name), value, "{name} with {compiler:?}");
        }
        let nodes: Vec<String> = state.nodes.iter().map(|n| format!("{} {}", n.id, n.value)).collect();
        assert_eq!(
            nodes,
            ["n1 {data: 0, next: null}", "n2 …", "n3 {data: 2, next: n1}", "n5 \"list\""],
            "{compiler:?}"
        );
    }
}

#[test]
fn variable_length_arrays_have_their_length() {
    let text = "
int sum(int n) { int v[n]; for (int i = 0; i < n; i++) v[i] = i; return v[n - 1]; }
int main(void) { return sum(4); }
";
    for compiler in compilers() {
        let mut session = Session::with(text, &options(), &compiler);
        session.run_to("return v[n - 1]");
        assert_eq!(session.value("v"), "[0, 1, 2, 3]", "{compiler:?}");
    }
}

#[test]
fn inner_variables_hide_outer_ones() {
    let text = "
int main(void) {
    int x = 1;
    { int x = 2; { int x = 3; x++; } x++; }
    return x;
}
";
    for compiler in compilers() {
        let mut session = Session::with(text, &options(), &compiler);
        let mut seen = Vec::new();
        for _ in 0..2 {
            session.run_to("x++");
            seen.push(session.value("x"));
            session.go(&Until::Into);
        }
        session.run_to("return x");
        seen.push(session.value("x"));
        assert_eq!(seen, ["3", "2", "1"], "{compiler:?}");
    }
}

#[test]
fn frames_beyond_a_library_are_found() {
    let text = "
#include <stdlib.h>
struct item { int key; };
int compare(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    return x->key - y->key;
}
void sort(struct item *items, int n) { qsort(items, n, sizeof *items, compare); }
int main(void) {
    struct item items[3] = { { 3 }, { 1 }, { 2 } };
    sort(items, 3);
    return items[0].key;
}
";
    let mut session = Session::new(text);
    session.run_to("return x->key - y->key");
    let names: Vec<String> = session.state().frames.iter().map(|frame| frame.function.to_string()).collect();
    assert_eq!(names, ["main", "sort", "compare"]);
    assert!(session.value("x").starts_with("&main:items["), "{}", session.value("x"));
    assert_eq!(session.go(&Until::End), "Exited(1)");
}

#[test]
fn input_and_output_are_the_programs_own() {
    let text = "
#include <stdio.h>
int main(void) {
    int a, b;
    scanf(\"%d\", &a);
    printf(\"%d \", a);
    scanf(\"%d\", &b);
    fprintf(stderr, \"line %d\\n\", __LINE__);
    return b;
}
";
    let options = RunOptions { input: execute::Input::Bytes(b"7 9\n".to_vec()), ..options() };
    let mut session = Session::with(text, &options, &compilers()[0]);
    session.run_to("scanf(\"%d\", &b)");
    assert_eq!(session.output(), "7 ");
    assert_eq!(session.go(&Until::End), "Exited(9)");
    assert_eq!(session.gdb.errors().expect("errors"), b"line 8\n");
}
