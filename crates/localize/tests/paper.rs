//! Tables 2 to 4 and Figure 11 of the Wolverine paper: forward states,
//! backward states and distances.

mod support;

use expect_test::{Expect, expect};
use localize::{explain, gradient};
use support::{Session, model_of, prepare, show};

/// A list of `count` nodes, a function that begins with pointers into it, and
/// the statements of an example.
fn program(nodes: usize, start: &str, statements: &str) -> String {
    format!(
        "#include <stdlib.h>
struct node {{ struct node *next; }};
struct node *n[{nodes}];
void example(struct node *a, struct node *b, struct node *c, struct node *d) {{
{statements}
}}
int main(void) {{
    for (int i = 0; i < {nodes}; i++) n[i] = malloc(sizeof(struct node));
    for (int i = 0; i < {nodes}; i++) n[i]->next = i + 1 < {nodes} ? n[i + 1] : NULL;
    example({start});
    return 0;
}}
"
    )
}

fn check(name: &str, text: &str, changes: &[(&str, &str)], explained: Expect, ranked: Expect) {
    let model = model_of(name, text);
    let mut session = Session::new(&model, "example", &[]);
    let exit = model.program.function(model.program.function_named("example").expect("it is there")).exit;
    while execute::Executor::position(&session.executor).step() != Some(exit) {
        session.next(1);
    }
    changes.iter().for_each(|(entity, value)| session.change(entity, value));
    session.spec(&[]);
    let prepared = prepare(&model, session.finish());
    explained.assert_eq(&explain(&model, &prepared, 0).expect("it can be followed").to_string());
    ranked.assert_eq(&show(&model, &gradient(&model, std::slice::from_ref(&prepared))));
}

#[test]
fn table_2() {
    let text = program(6, "n[0], n[1], n[2], n[4]", "    a = a->next;\n    b = b->next;\n    c = c->next;");
    check(
        "table2",
        &text,
        &[("b", "n5")],
        expect![[r#"
        7 values, 1 states when led back to the start
        start
            forward  a:n1 b:n2 c:n3
            backward a:n1 b:n2 c:n3
            states 1, distance 0
        a = a->next
            forward  a:n2 b:n2 c:n3
            backward a:n2 b:n2 c:n3
            states 1, distance 0
        b = b->next
            forward  a:n2 b:n3 c:n3
            backward a:n2 b:n5 c:n3
            states 1, distance 1, gradient
        c = c->next
            forward  a:n2 b:n3 c:n4
            backward a:n2 b:n5 c:n4
            states 1, distance 1
    "#]],
        expect![[r#"
            3 considered
            3.99 Trace 6 b = b->next
                   after this the run has b = n3 where n5 is asserted
            3.10 Trace   slot before line 5
                   a change here could reach what differs
            3.10 Trace   slot before line 6
                   a change here could reach what differs
            3.10 Trace   slot before line 7
                   a change here could reach what differs
            3.10 Trace   slot at the end, line 8
                   a change here could reach what differs
        "#]],
    );
}

#[test]
fn table_3() {
    let text = program(6, "n[0], n[1], n[2], n[0]", "    b = a->next;\n    b = b->next;\n    c = c->next;");
    check(
        "table3",
        &text,
        &[("b", "n1")],
        expect![[r#"
        7 values, 7 states when led back to the start
        start
            forward  b:n2 c:n3
            backward b:n2 c:n3
            states 7, distance 0
        b = a->next
            forward  b:n2 c:n3
            backward b:any c:n3
            states 7, distance 6, gradient
        b = b->next
            forward  b:n3 c:n3
            backward b:n1 c:n3
            states 1, distance 7, gradient
        c = c->next
            forward  b:n3 c:n4
            backward b:n1 c:n4
            states 1, distance 7
    "#]],
        expect![[r#"
            3 considered
            3.74 Trace 6 b = b->next
                   after this the run has b = n3 where n1 is asserted
            3.45 Trace 5 b = a->next
                   here the run begins to differ from what the asserted state leads back to
            3.10 Trace   slot before line 5
                   a change here could reach what differs
            3.10 Trace   slot before line 6
                   a change here could reach what differs
            3.10 Trace   slot before line 7
                   a change here could reach what differs
            3.10 Trace   slot at the end, line 8
                   a change here could reach what differs
        "#]],
    );
}

#[test]
fn table_4() {
    let text = program(6, "n[0], n[1], n[2], n[4]", "    a = a->next;\n    b = b->next;\n    c = b->next;");
    check(
        "table4",
        &text,
        &[("b", "n5"), ("c", "n6")],
        expect![[r#"
        7 values, 1 states when led back to the start
        start
            forward  a:n1 b:n2 c:n3
            backward a:n1 b:n2 c:n3
            states 1, distance 0
        a = a->next
            forward  a:n2 b:n2 c:n3
            backward a:n2 b:n2 c:n3
            states 1, distance 0
        b = b->next
            forward  a:n2 b:n3 c:n3
            backward a:n2 b:n5 c:n3
            states 1, distance 1, gradient
        c = b->next
            forward  a:n2 b:n3 c:n4
            backward a:n2 b:n5 c:n6
            states 1, distance 2, gradient
    "#]],
        expect![[r#"
            3 considered
            3.59 Trace 6 b = b->next
                   after this the run has b = n3 where n5 is asserted
            3.10 Trace   slot before line 5
                   a change here could reach what differs
            3.10 Trace   slot before line 6
                   a change here could reach what differs
            3.10 Trace   slot before line 7
                   a change here could reach what differs
            1.59 Part 7 c = b->next
                   after this the run has c = n4 where n6 is asserted
            1.10 Part   slot at the end, line 8
                   a change here could reach what differs
        "#]],
    );
}

#[test]
fn figure_11() {
    // a and b are assigned twice: N is 3 (two nodes and null), and 9 states are led back.
    let statements = "    a = a->next;\n    a = c;\n    if (c != NULL) {\n        b = b->next;\n        b = c;\n        c = c->next;\n    }";
    let text = program(2, "n[0], n[0], n[0], n[0]", statements);
    check(
        "figure11",
        &text,
        &[],
        expect![[r#"
        3 values, 9 states when led back to the start
        start
            forward  a:n1 b:n1 c:n1
            backward a:n1 b:n1 c:n1
            states 9, distance 0
        a = a->next
            forward  a:n2 b:n1 c:n1
            backward a:any b:n1 c:n1
            states 9, distance 6, gradient
        a = c
            forward  a:n1 b:n1 c:n1
            backward a:n1 b:n1 c:n1
            states 3, distance 0, gradient
        c != NULL
            forward  a:n1 b:n1 c:n1
            backward a:n1 b:n1 c:n1
            states 3, distance 0
        b = b->next
            forward  a:n1 b:n2 c:n1
            backward a:n1 b:any c:n1
            states 3, distance 6, gradient
        b = c
            forward  a:n1 b:n1 c:n1
            backward a:n1 b:n1 c:n1
            states 1, distance 0, gradient
        c = c->next
            forward  a:n1 b:n1 c:n2
            backward a:n1 b:n1 c:n2
            states 1, distance 0
    "#]],
        expect![[r#"
        6 considered
    "#]],
    );
}

#[test]
fn a_wrong_target_and_a_missing_statement() {
    // `d = b` should be `c = b`: nothing writes c, and d is written by mistake.
    let text = program(6, "n[0], n[1], n[2], n[4]", "    a = a->next;\n    d = b;");
    check(
        "target",
        &text,
        &[("c", "n2"), ("d", "n5")],
        expect![[r#"
        7 values, 1 states when led back to the start
        start
            forward  a:n1 c:n3 d:n5
            backward a:n1 c:n2 d:n5
            states 1, distance 1
        a = a->next
            forward  a:n2 c:n3 d:n5
            backward a:n2 c:n2 d:n5
            states 1, distance 1
        d = b
            forward  a:n2 c:n3 d:n2
            backward a:n2 c:n2 d:n5
            states 1, distance 2, gradient
    "#]],
        expect![[r#"
            2 considered
            3.74 Trace 6 d = b
                   after this the run has d = n2 where n5 is asserted
            1.25 Part   slot before line 5
                   c = n2 is asserted but nothing writes it: a statement may be missing here
            1.25 Part   slot before line 6
                   c = n2 is asserted but nothing writes it: a statement may be missing here
            1.25 Part   slot at the end, line 7
                   c = n2 is asserted but nothing writes it: a statement may be missing here
        "#]],
    );
    let text = program(6, "n[0], n[1], n[2], n[4]", "    a = a->next;\n    b = a;");
    check(
        "missing",
        &text,
        &[("d", "n2")],
        expect![[r#"
        7 values, 1 states when led back to the start
        start
            forward  a:n1 b:n2 d:n5
            backward a:n1 b:n2 d:n2
            states 1, distance 1
        a = a->next
            forward  a:n2 b:n2 d:n5
            backward a:n2 b:n2 d:n2
            states 1, distance 1
        b = a
            forward  a:n2 b:n2 d:n5
            backward a:n2 b:n2 d:n2
            states 1, distance 1
    "#]],
        expect![[r#"
            2 considered
            3.40 Trace   slot before line 5
                   d = n2 is asserted but nothing writes it: a statement may be missing here
            3.40 Trace   slot before line 6
                   d = n2 is asserted but nothing writes it: a statement may be missing here
            3.40 Trace   slot at the end, line 7
                   d = n2 is asserted but nothing writes it: a statement may be missing here
            3.20 Trace 6 b = a
                   a change here could reach what differs
        "#]],
    );
}
