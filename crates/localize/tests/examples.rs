//! The two running examples of the Wolverine paper.

mod support;

use encode::Place;
use expect_test::expect;
use localize::{Reach, explain, gradient};
use support::{Session, model, model_of, prepare, project, show, text};

#[test]
fn reverse_after_two_rounds() {
    let model = model(&project("examples/reverse.c"));
    let mut session = Session::new(&model, "reverse", &[]);
    session.next(2);
    session.spec(&["temp2"]);
    session.enter();
    session.next(5);
    session.change("current", "n3");
    session.change("n4.prev", "n3");
    session.spec(&["temp2"]);
    session.enter();
    session.next(5);
    session.change("current", "n2");
    session.change("n3.prev", "n2");
    session.spec(&["temp2"]);
    let mut trace = session.finish();
    trace.open = trace.forced.keys().map(|visit| visit.step).collect();
    let prepared = prepare(&model, trace);
    let ranking = gradient(&model, std::slice::from_ref(&prepared));
    let found = ranking.within(Reach::Trace).filter_map(|suspicious| match suspicious.place {
        Place::Step(step) => Some(text(&model, step)),
        Place::Slot(_) => None,
    });
    assert!(found.collect::<Vec<_>>().contains(&"temp2 = current->prev".to_string()));
    expect![[r#"
        8 considered
        3.59 Trace 32 current->prev = temp2
               after this the run has n4.prev = null where n3 is asserted
               after this the run has n3.prev = n4 where n2 is asserted
        3.20 Trace 31 temp2 = current->prev
               a change here could reach what differs
        3.10 Trace   slot before line 31
               a change here could reach what differs
        3.10 Trace   slot before line 32
               a change here could reach what differs
        3.10 Trace   slot before line 33
               a change here could reach what differs
        3.10 Trace   slot before line 34
               a change here could reach what differs
        2.10 Segment 30 temp1 = current->prev
               a change here could reach what differs
        1.59 Part 34 current = current->prev
               after this the run has current = null where n3 is asserted
               after this the run has current = n4 where n2 is asserted
        1.10 Part   slot at the end, line 35
               a change here could reach what differs
    "#]]
    .assert_eq(&show(&model, &ranking));
}

#[test]
fn delete_middle_of_figures_8_and_9() {
    let model = model(&project("examples/delete_middle.c"));
    let mut session = Session::new(&model, "delete_middle", &[]);
    session.next(4);
    session.spec(&[]);
    session.enter();
    session.next(5);
    session.change("temp", "null");
    session.spec(&[]);
    let prepared = prepare(&model, session.finish());
    let ranking = gradient(&model, std::slice::from_ref(&prepared));
    expect![[r#"
        10 considered
        3.99 Trace 30 temp = fast_ptr
               after this the run has temp = n1 where null is asserted
        3.10 Trace   slot at the end, line 31
               a change here could reach what differs
        3.10 Trace   slot before line 32
               a change here could reach what differs
        3.10 Trace   slot before line 33
               a change here could reach what differs
        3.10 Trace   slot at the end, line 34
               a change here could reach what differs
    "#]]
    .assert_eq(&show(&model, &ranking));
    expect![[r#"
        4 values, 1 states when led back to the start
        start
            forward  slow_ptr:n3 fast_ptr:n3 temp:n2 prev:null
            backward slow_ptr:n3 fast_ptr:n3 temp:n2 prev:null
            states 1, distance 0
        fast_ptr != NULL && temp != NULL
            forward  slow_ptr:n3 fast_ptr:n3 temp:n2 prev:null
            backward slow_ptr:n3 fast_ptr:n3 temp:n2 prev:null
            states 1, distance 0
        fast_ptr = temp->next
            forward  slow_ptr:n3 fast_ptr:n1 temp:n2 prev:null
            backward slow_ptr:n3 fast_ptr:n1 temp:n2 prev:null
            states 1, distance 0
        fast_ptr != NULL
            forward  slow_ptr:n3 fast_ptr:n1 temp:n2 prev:null
            backward slow_ptr:n3 fast_ptr:n1 temp:n2 prev:null
            states 1, distance 0
        temp = fast_ptr
            forward  slow_ptr:n3 fast_ptr:n1 temp:n1 prev:null
            backward slow_ptr:n3 fast_ptr:n1 temp:null prev:null
            states 1, distance 1, gradient
        prev = slow_ptr
            forward  slow_ptr:n3 fast_ptr:n1 temp:n1 prev:n3
            backward slow_ptr:n3 fast_ptr:n1 temp:null prev:n3
            states 1, distance 1
        slow_ptr = slow_ptr->next
            forward  slow_ptr:n2 fast_ptr:n1 temp:n1 prev:n3
            backward slow_ptr:n2 fast_ptr:n1 temp:null prev:n3
            states 1, distance 1
    "#]]
    .assert_eq(&explain(&model, &prepared, 1).expect("it can be followed").to_string());
}

/// With one run `a = 1` is enough; with both, only what both come to.
#[test]
fn a_place_that_is_enough_alone_is_so_for_all_runs() {
    let model = model_of(
        "two-runs",
        "int result;\nvoid f(int x)\n{\n    int a;\n    if (x > 1)\n        a = 1;\n    else\n        a = 2;\n    \
         result = a;\n}\nint main(int argc, char **argv)\n{\n    f(argc);\n    return 0;\n}\n",
    );
    let run = |arguments: &[&str]| {
        let mut session = Session::new(&model, "f", arguments);
        session.next(4);
        session.change("result", "7");
        session.spec(&["a"]);
        prepare(&model, session.finish())
    };
    let alone = |runs: &[encode::Prepared]| -> Vec<String> {
        let ranking = gradient(&model, runs);
        let steps = ranking.within(Reach::Trace).filter_map(|suspicious| match suspicious.place {
            Place::Step(step) => Some(text(&model, step)),
            Place::Slot(_) => None,
        });
        steps.collect()
    };
    let (one, other) = (run(&["1"]), run(&[]));
    assert_eq!(alone(std::slice::from_ref(&one)), ["result = a", "a = 1"]);
    assert_eq!(alone(std::slice::from_ref(&other)), ["result = a", "a = 2"]);
    assert_eq!(alone(&[one, other]), ["result = a"]);
}

/// `p` and `q` are both wrong: no single change gets the run to its end, so all that it came to can be part of a repair.
#[test]
fn where_no_single_change_does_anything_several_may() {
    let model = model_of(
        "crash-behind-crash",
        "#include <stdlib.h>\nstruct n { int v; } *a, *b;\nvoid f(void)\n{\n    struct n *p, *q;\n    p = NULL;\n    \
         q = NULL;\n    p->v = 1;\n    q->v = 2;\n}\nint main(void)\n{\n    a = malloc(sizeof(struct n));\n    \
         b = malloc(sizeof(struct n));\n    a->v = b->v = 0;\n    f();\n    return 0;\n}\n",
    );
    let mut session = Session::new(&model, "f", &[]);
    session.next(2);
    session.change("p", "n1");
    session.change("q", "n2");
    session.next(2);
    session.spec(&["p", "q"]);
    let ranking = gradient(&model, &[prepare(&model, session.finish())]);
    expect![[r#"
        3 considered
        1.20 Part 8 p->v = 1
               after this the run does not get to where something is asserted
        0.40 Together   slot before line 6
               n1.v = 1 is asserted but nothing writes it: a statement may be missing here
               n2.v = 2 is asserted but nothing writes it: a statement may be missing here
        0.40 Together   slot before line 7
               n1.v = 1 is asserted but nothing writes it: a statement may be missing here
               n2.v = 2 is asserted but nothing writes it: a statement may be missing here
        0.40 Together   slot before line 8
               n1.v = 1 is asserted but nothing writes it: a statement may be missing here
               n2.v = 2 is asserted but nothing writes it: a statement may be missing here
        0.20 Together 6 p = NULL
               no single change is enough here; one of several could be this
        0.20 Together 7 q = NULL
               no single change is enough here; one of several could be this
    "#]]
    .assert_eq(&show(&model, &ranking));
}
