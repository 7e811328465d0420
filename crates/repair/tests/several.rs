//! Searches for several changes that only together make a run right.

mod common;

use std::sync::Arc;

use common::*;
use encode::{Model, Place, PlaceKind, Prepared, Verdict};
use execute::Executor;
use expect_test::{Expect, expect};
use memory::Value;
use repair::candidates::candidates;
use repair::check::RunAs;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::replay::{Effort, Limits, Order, Replay};
use repair::{Answer, Options, Problem, repair};

/// What all programs begin with.
const HEAD: &str = "#include <stddef.h>\nstruct node { int value; struct node *next; };\nint one, two, three;\n\
                    struct node a, b, c;\n";
const LIST: &str = "    a.value = 3; a.next = &b; b.value = 7; b.next = &c; c.value = 9; c.next = NULL;\n";

fn small(text: &str) -> Model {
    let source = c_syntax::Source::new("small.c", format!("{HEAD}{text}").into_bytes());
    Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")))
}

/// The run of `main`, with values of globals at its end.
fn trace(model: &Model, facts: &[(&str, i128)]) -> Prepared {
    let facts: Vec<(&str, Value)> = facts.iter().map(|(name, value)| (*name, Value::Int(*value))).collect();
    Prepared::new(model, Arc::new(run_of_main(model, &facts)), &|_| false).expect("it is modelled")
}

/// The closest repair of this cost in `f`, as the changed lines.
fn closest(model: &Model, traces: &[Prepared], cost: u32, effort: Effort, pairs: bool) -> String {
    let options = SchemeOptions { pairs, ..SchemeOptions::default() };
    let with = |name: &str| model.program.function_named(name).map(|_| places(model, name));
    let places = ["f", "g"].into_iter().filter_map(with).flatten().collect();
    let space = HeapScheme::new(model, options).space(&places);
    let limits = Limits::default();
    let time = limits.time;
    let mut replay = Replay::new(model, traces, &space, limits);
    replay.ask_for_pairs(pairs);
    let solutions = replay.level(cost, effort, (time, 6_000_000)).solutions;
    let Some(first) = candidates(model, &space, &solutions, 1).into_iter().next() else { return "none\n".into() };
    for trace in traces {
        assert_eq!(trace.follow(model, &first.edits, 100_000), Verdict::Meets);
    }
    if pairs {
        assert_eq!(repair::live::live_changes(model, &first).expect("it can be made").len(), 1);
    }
    let diff = first.patched.diff("small.c");
    let lines = diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2);
    lines.fold(String::new(), |text, line| text + line.trim() + "\n")
}

fn check_pair(text: &str, facts: &[(&str, i128)], expected: &Expect) {
    let model = small(text);
    let traces = [trace(&model, facts)];
    for effort in [Effort::Steady(1), Effort::Stretch(Order::Given)] {
        expected.assert_eq(&closest(&model, &traces, 2, effort, true));
    }
}

#[test]
fn two_comparisons_of_one_condition_are_changed() {
    check_pair(
        &format!(
            "int f(struct node *p, struct node *q, int key, int other) {{\n    int n = 0;\n    \
             while (q != NULL && p->value != other) {{\n        p = p->next;\n        n++;\n    }}\n    return n;\n}}\n\
             int main(void) {{\n{LIST}    one = f(&a, NULL, 8, 3);\n    two = f(&a, &c, 7, 8);\n    \
             three = f(&b, &a, 9, 7);\n    return 0;\n}}\n"
        ),
        &[("one", 3), ("two", 1), ("three", 1)],
        &expect![[r#"
            -    while (q != NULL && p->value != other) {
            +    while (p != NULL && p->value != key) {
        "#]],
    );
}

#[test]
fn two_operands_of_a_condition_that_computes_nothing_else_are_changed() {
    check_pair(
        "int f(int x, int y, int z, int w) {\n    if (z == 1 && w == 2)\n        return 10;\n    return 20;\n}\n\
         int main(void) {\n    one = f(1, 2, 5, 6);\n    two = f(1, 3, 5, 6);\n    three = f(4, 2, 5, 6);\n    \
         return 0;\n}\n",
        &[("one", 10), ("two", 20), ("three", 20)],
        &expect![[r#"
            -    if (z == 1 && w == 2)
            +    if (x == 1 && y == 2)
        "#]],
    );
}

/// The state before `while` tells nothing of `last`, so that it is missed only behind the loop.
#[test]
fn what_is_missing_in_a_loop_is_missed_behind_it() {
    let model = small(&format!(
        "int f(struct node *p) {{\n    int last = 0;\n    while (p != NULL) {{\n        p = p->next;\n    }}\n    \
         one = two;\n    return 0;\n}}\nint main(void) {{\n{LIST}    f(&a);\n    b.next = NULL;\n    f(&a);\n    \
         return 0;\n}}\n",
    ));
    let debugged = |statements: usize, rounds: usize, last: i128| {
        let mut session = Session::start(&model, &[]);
        session.next(statements);
        session.step();
        session.next(1);
        session.begin();
        session.spec(&["last"]);
        for _ in 0..rounds {
            session.next(2);
            session.spec(&["last"]);
        }
        session.next(2);
        session.change(global("one"), Value::Int(last));
        session.spec(&["last"]);
        Prepared::new(&model, Arc::new(session.finish()), &|_| false).expect("it is modelled")
    };
    let traces = [debugged(6, 3, 9), debugged(8, 2, 7)];
    let found = [1, 2].map(|insertions| closest(&model, &traces, 2, Effort::Joint(insertions), false));
    expect![[r#"
        none
        with more insertions:
        +        last = p->value;
        -    one = two;
        +    one = last;
    "#]]
    .assert_eq(&found.join("with more insertions:\n"));
}

#[test]
fn two_arguments_of_calls_are_changed() {
    check_pair(
        "int less(int x, int y) {\n    return x - y;\n}\n\
         int size(int x) {\n    return x + 1;\n}\n\
         int f(int x, int y, int z) {\n    int n;\n    n = less(size(z), size(z)) + 1;\n    return n;\n}\n\
         int main(void) {\n    one = f(10, 20, 2);\n    two = f(30, 25, 2);\n    three = f(40, 53, 90);\n    return 0;\n}\n",
        &[("one", -9), ("two", 6), ("three", -12)],
        &expect![[r#"
            -    n = less(size(z), size(z)) + 1;
            +    n = less(size(x), size(y)) + 1;
        "#]],
    );
}

#[test]
fn a_target_and_an_operand_are_changed() {
    check_pair(
        "int f(int x, int y) {\n    int n = 0, m = 0;\n    m = y < 0 ? -x : x;\n    return n;\n}\n\
         int main(void) {\n    one = f(1, 2);\n    two = f(5, 2);\n    three = f(0 - 4, 3);\n    return 0;\n}\n",
        &[("one", 1), ("two", 5), ("three", 4)],
        &expect![[r#"
            -    m = y < 0 ? -x : x;
            +    n = x < 0 ? -x : x;
        "#]],
    );
}

/// The first trace begins in a call of `g`, the second one comes to the statement that makes it.
#[test]
fn what_a_call_gets_is_changed_though_a_trace_begins_in_it() {
    let model = small(&format!(
        "int g(struct node *p) {{\n    one = two;\n    return 0;\n}}\n\
         int f(struct node *p, struct node *q) {{\n    three = g(q);\n    return 0;\n}}\n\
         int main(void) {{\n{LIST}    f(&a, &b);\n    return 0;\n}}\n"
    ));
    let debugged = |calls: usize, value: i128| {
        let mut session = Session::start(&model, &[]);
        session.next(6);
        (0..calls).for_each(|_| session.step());
        session.begin();
        session.next(if calls == 1 { 2 } else { 1 });
        session.change(global("one"), Value::Int(value));
        session.spec(&[]);
        Prepared::new(&model, Arc::new(session.finish()), &|_| false).expect("it is modelled")
    };
    let traces = [debugged(2, 7), debugged(1, 3)];
    expect![[r#"
        -    one = two;
        +    one = p->value;
        -    three = g(q);
        +    three = g(p);
    "#]]
    .assert_eq(&closest(&model, &traces, 2, Effort::Stretch(Order::Given), false));
}

/// `two = p->value` sets `one` right in the first trace as well, and is tried first. That nothing is found for the second
/// trace with it tells nothing of `one = p->value`, though that trace crashes before `g` is called.
#[test]
fn what_is_found_for_a_stretch_depends_on_what_was_changed_behind_a_crash() {
    let model = small(&format!(
        "int g(struct node *p) {{\n    two = 5;\n    one = two;\n    return 0;\n}}\n\
         int f(struct node *p) {{\n    struct node *r = NULL;\n    three = r->value;\n    g(p);\n    return 0;\n}}\n\
         int main(void) {{\n{LIST}    g(&a);\n    f(&b);\n    return 0;\n}}\n"
    ));
    let mut session = Session::start(&model, &[]);
    session.next(6);
    session.step();
    session.begin();
    session.next(2);
    session.change(global("one"), Value::Int(3));
    session.spec(&[]);
    let mut first = session.finish();
    first.demands[0].facts.retain(|fact| fact.entity != global("two"));
    let mut session = Session::start(&model, &[]);
    session.next(7);
    session.step();
    session.begin();
    session.next(1);
    session.change(local(1, "f", "r"), pointer_to("b"));
    session.next(2);
    session.change(global("one"), Value::Int(7));
    session.spec(&["r"]);
    let traces = [first, session.finish()];
    let traces = traces.map(|trace| Prepared::new(&model, Arc::new(trace), &|_| false).expect("it is modelled"));
    expect![[r#"
        -    one = two;
        +    one = p->value;
        -    struct node *r = NULL;
        +    struct node *r = p;
    "#]]
    .assert_eq(&closest(&model, &traces, 2, Effort::Stretch(Order::Given), false));
}

#[test]
fn pairs_stand_apart() {
    let model = small(
        "int f(struct node *p, int key) {\n    return p->next->value == key;\n}\nint main(void) {\n    return 0;\n}\n",
    );
    let options = SchemeOptions { pairs: true, ..SchemeOptions::default() };
    let space = HeapScheme::new(&model, options).space(&places(&model, "f"));
    let known = space
        .places
        .iter()
        .find(|(place, known)| matches!((place, &known.kind), (Place::Step(_), PlaceKind::Other { .. })));
    // `p`, `p->next` and `p->next->value` are inside of one another: each goes with `key` only.
    assert_eq!(known.expect("it is there").1.pairs.len(), 3);
}

#[test]
fn pointers_to_pointers_are_followed() {
    let model = small(
        "#include <stdlib.h>\nstruct node *list;\nvoid f(int value) {\n    struct node **link = &list;\n    \
         while (*link != NULL)\n        link = &list->next;\n    *link = malloc(sizeof(struct node));\n    \
         (*link)->value = value;\n    (*link)->next = NULL;\n}\n\
         int main(void) {\n    f(3);\n    f(7);\n    f(9);\n    one = list->value;\n    \
         two = list->next->value;\n    three = list->next->next->value;\n    return 0;\n}\n",
    );
    let traces = [trace(&model, &[("one", 3), ("two", 7), ("three", 9)])];
    expect![[r#"
        -        link = &list->next;
        +        link = &(*link)->next;
    "#]]
    .assert_eq(&closest(&model, &traces, 1, Effort::Steady(1), false));
}

/// At first `*link` is `list`; only later it is something else.
#[test]
fn a_new_node_is_for_all_that_mean_the_same() {
    let model = small(
        "#include <stdlib.h>\nstruct node *list;\nvoid f(int value) {\n    struct node **link = &list;\n    \
         while (*link != NULL)\n        link = &(*link)->next;\n    if (*link != NULL) {\n        \
         (*link)->value = value;\n        (*link)->next = NULL;\n    }\n}\n\
         int main(void) {\n    f(3);\n    f(7);\n    one = list != NULL ? list->value : 0;\n    \
         two = list != NULL && list->next != NULL ? list->next->value : 0;\n    return 0;\n}\n",
    );
    let traces = [trace(&model, &[("one", 3), ("two", 7)])];
    expect![[r#"
        +    *link = malloc(sizeof(struct node));
    "#]]
    .assert_eq(&closest(&model, &traces, 1, Effort::Steady(1), false));
}

/// Each of three changes sets one value right in both runs; none is enough for either.
#[test]
fn what_is_better_in_all_runs_is_followed() {
    let model = small(
        "void f(int x, int y, int z) {\n    one = y;\n    two = z;\n    three = one;\n}\n\
         int main(void) {\n    f(10, 20, 30);\n    return 0;\n}\n",
    );
    let facts = [("one", 10), ("two", 20), ("three", 30)];
    let traces = [trace(&model, &facts), trace(&model, &facts)];
    expect![[r#"
        -    one = y;
        -    two = z;
        -    three = one;
        +    two = y;
        +    one = x;
        +    three = z;
    "#]]
    .assert_eq(&closest(&model, &traces, 3, Effort::Together(8), false));
}

/// `p->next->value` crashes where `p` is the last node, but it is not needed there any more.
#[test]
fn what_was_written_before_may_crash() {
    let model = small(&format!(
        "int id(int x) {{\n    return x;\n}}\nint f(struct node *p) {{\n    int n;\n    n = id(p->next->value) + 1;\n    \
         return n;\n}}\nint main(void) {{\n{LIST}    one = f(&a);\n    two = f(&c);\n    return 0;\n}}\n"
    ));
    let traces = [trace(&model, &[("one", 4), ("two", 10)])];
    expect![[r#"
        -    n = id(p->next->value) + 1;
        +    n = id(p->value) + 1;
    "#]]
    .assert_eq(&closest(&model, &traces, 1, Effort::Steady(1), false));
}

#[test]
fn something_is_put_before_continue() {
    let model = small(&format!(
        "int f(struct node *p) {{\n    int n = 0;\n    while (p != NULL && n < 100) {{\n        n++;\n        \
         if (p->value == 7) {{\n            continue;\n        }}\n        p = p->next;\n    }}\n    return n;\n}}\n\
         int main(void) {{\n{LIST}    one = f(&a);\n    two = f(&c);\n    return 0;\n}}\n"
    ));
    let traces = [trace(&model, &[("one", 3), ("two", 1)])];
    let space = HeapScheme::new(&model, SchemeOptions::default()).space(&places(&model, "f"));
    let texts = space.places.keys().filter_map(|place| match place {
        Place::Slot(slot) => match model.code.slots[slot.0 as usize].place {
            encode::SlotPlace::Before(span) => {
                Some(&model.program.source.bytes[span.start as usize..span.end as usize])
            }
            _ => None,
        },
        Place::Step(_) => None,
    });
    assert!(texts.into_iter().any(|text| text == b"continue;"));
    assert_ne!(closest(&model, &traces, 1, Effort::Steady(1), false), "none\n");
}

#[test]
fn a_number_is_negated_where_the_program_negates() {
    let text = |rest: &str| {
        format!(
            "int f(int n) {{\n    if (n < 0)\n        ;\n    return n;\n}}\n{rest}\
             int main(void) {{\n    one = f(0 - 4);\n    two = f(5);\n    three = f(0 - 7);\n    return 0;\n}}\n"
        )
    };
    let facts = [("one", 4), ("two", 5), ("three", 7)];
    let with = small(&text("int g(int n) {\n    return -n;\n}\n"));
    expect![[r#"
        -        ;
        +        n = -n;
    "#]]
    .assert_eq(&closest(&with, &[trace(&with, &facts)], 1, Effort::Steady(1), false));
    let without = small(&text(""));
    let found = closest(&without, &[trace(&without, &facts)], 1, Effort::Steady(1), false);
    assert_eq!(found, "none\n");
}

/// With two nodes, `head->next = NULL` does as well; with more it loses all the others.
#[test]
fn what_loses_nodes_on_other_inputs_comes_last() {
    let text = "#include <stdlib.h>\nstruct node { int value; struct node *next; };\nstruct node *head;\n\
        void push(int value) {\n    struct node *fresh = malloc(sizeof *fresh);\n    fresh->value = value;\n    \
        fresh->next = head;\n    head = fresh;\n}\n\
        void f(void) {\n    struct node *second;\n    if (head == NULL || head->next == NULL)\n        return;\n    \
        second = head->next;\n    second->next = head;\n    head = second;\n}\n\
        int main(int argc, char **argv) {\n    for (int i = 1; i < argc; i++)\n        push(atoi(argv[i]));\n    \
        f();\n    return 0;\n}\n";
    let source = c_syntax::Source::new("small.c", text.as_bytes().to_vec());
    let model = Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")));
    let f = model.program.function_named("f").expect("it is there");
    let mut session = Session::start(&model, &["1", "2"]);
    let here = |session: &Session<'_>| session.executor.position().step().expect("it runs");
    while model.program.step(here(&session)).function != f {
        session.step();
    }
    session.begin();
    while model.program.step(here(&session)).kind != ir::StepKind::Exit {
        session.step();
    }
    session.change(member(2, ".next"), Value::Null);
    session.spec(&["second"]);
    let arguments = vec!["1".to_string(), "2".to_string()];
    let runs = vec![(Arc::new(session.finish()), RunAs { arguments, ..RunAs::default() })];
    let problem = Problem { program: model.program.clone(), runs, trusted: Default::default() };
    let first = |options: &Options| {
        let answer = repair(&problem, options, &mut |_| {});
        let Answer::Repaired(repaired) = answer else { panic!("{answer:?}") };
        let diff = repaired.candidates[0].candidate.patched.diff("small.c");
        diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2).map(|line| line.to_string() + "\n").collect()
    };
    let quick: String = first(&Options { vary: false, ..Options::default() });
    expect![[r#"
        +    head->next = NULL;
    "#]]
    .assert_eq(&quick);
    let careful: String = first(&Options::default());
    expect![[r#"
        +    head->next = second->next;
    "#]]
    .assert_eq(&careful);
}

/// Which pointers a function is given the addresses of.
const SPLIT: &str = "#include <stddef.h>\nstruct node { int value; struct node *next; };\nstruct node a, b;\n\
                     struct node *head, *rest;\n\
                     void split(struct node *list, struct node **first, struct node **second) {\n    \
                     *first = list;\n    *second = list->next;\n    list->next = NULL;\n}\n\
                     void f(struct node *list) {\n    struct node *one = NULL, *two = NULL;\n    \
                     split(list, &one, &WRONG);\n    head = one;\n    rest = two;\n}\n\
                     int main(void) {\n    a.next = &b;\n    f(&a);\n    return 0;\n}\n";

fn pointer_to(name: &str) -> Value {
    let object = memory::Object::Global(name.into());
    Value::Pointer(memory::Place { object, offset: 0, path: String::new(), inside: true })
}

#[test]
fn the_address_of_another_variable_is_given_though_the_text_never_takes_it() {
    for wrong in ["one", "list->next"] {
        let source = c_syntax::Source::new("small.c", SPLIT.replace("WRONG", wrong).into_bytes());
        let model = Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")));
        let facts = [("head", pointer_to("a")), ("rest", pointer_to("b"))];
        let problem = Problem {
            program: model.program.clone(),
            runs: vec![(Arc::new(run_of_main(&model, &facts)), RunAs::default())],
            trusted: Default::default(),
        };
        let Answer::Repaired(repaired) = repair(&problem, &Options::default(), &mut |_| {}) else {
            panic!("it is not repaired");
        };
        assert_eq!(repaired.cost, 1);
        let texts = repaired.candidates.iter().map(|one| String::from_utf8_lossy(&one.candidate.patched.text));
        assert!(texts.into_iter().any(|text| text.contains("split(list, &one, &two);")), "{wrong}");
    }
}

/// With a cast or without, the call itself writes the variable.
#[test]
fn what_malloc_returns_is_assigned_to_another_variable() {
    for cast in ["", "(struct node *) "] {
        let model = small(&format!(
            "void *malloc(size_t size);\nint f(struct node *first) {{\n    struct node *fresh = first;\n    \
             first = {cast}malloc(sizeof(struct node));\n    fresh->value = 5;\n    return first->value;\n}}\n\
             int main(void) {{\n{LIST}    one = f(&a);\n    two = a.value;\n    return 0;\n}}\n"
        ));
        let traces = [trace(&model, &[("one", 3), ("two", 3)])];
        let found = closest(&model, &traces, 1, Effort::Steady(1), false);
        let malloc = format!("{cast}malloc(sizeof(struct node));");
        assert_eq!(found, format!("-    first = {malloc}\n+    fresh = {malloc}\n"));
    }
}
