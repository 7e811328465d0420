//! From recorded sessions to checked repairs.

mod common;

use std::sync::Arc;

use common::*;
use expect_test::expect;
use repair::engine::{Kind, Search};
use repair::strategy::replay::{Effort, Order};
use repair::{Answer, Options, Problem, repair};

fn solve(path: &str, record: impl for<'m> Fn(&'m encode::Model) -> Session<'m>) -> String {
    let model = model(path);
    let trace = record(&model).finish();
    let problem = Problem {
        program: model.program.clone(),
        runs: vec![(Arc::new(trace), Default::default())],
        trusted: Default::default(),
    };
    let answer = repair(&problem, &Options::default(), &mut |_| {});
    let Answer::Repaired(repaired) = answer else { return format!("{answer:?}") };
    let mut text = format!("cost {}, open {:?}, refused {}\n", repaired.cost, repaired.open, repaired.refused);
    for checked in &repaired.candidates {
        text +=
            &format!("{} states, {} tokens, safer: {}\n", checked.states, checked.candidate.tokens(), checked.safer);
        for risk in &checked.risks {
            let variation = &repaired.variations[risk.variation];
            text += &format!("  {}: {}\n", variation.describe(&model), risk.message);
        }
        let diff = checked.candidate.patched.diff("a.c");
        for line in diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2) {
            text += &format!("    {line}\n");
        }
    }
    text
}

#[test]
fn the_session_of_figure_1() {
    expect![[r#"
        cost 1, open [StepId(16)], refused 0
        3 states, 2 tokens, safer: false
            -        temp2 = current->prev; //~ FAULT: current->next
            +        temp2 = current->next; //~ FAULT: current->next
        3 states, 4 tokens, safer: false
            -        current->prev = temp2;
            +        current->prev = current->next;
        3 states, 6 tokens, safer: false
            +        temp2 = current->next;
        3 states, 8 tokens, safer: false
            +        current->prev = current->next;
        3 states, 8 tokens, safer: false
            +        current->prev = current->next;
    "#]]
    .assert_eq(&solve("examples/reverse.c", figure_1));
    expect![[r#"
        cost 3, open [], refused 0
        4 states, 10 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != NULL) { //~ FAULT: current != NULL
            -        temp2 = current->prev; //~ FAULT: current->next
            +        temp2 = current->next; //~ FAULT: current->next
            +    head = temp1->prev;
        4 states, 12 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != NULL) { //~ FAULT: current != NULL
            -        current->prev = temp2;
            +        current->prev = current->next;
            +    head = temp1->prev;
        4 states, 12 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `temp2` is null (the access goes to 0x10), line 37: head = temp2->prev;
          without push(4), push(8) and push(10): `temp2` is null (the access goes to 0x10), line 37: head = temp2->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != NULL) { //~ FAULT: current != NULL
            -        current->prev = temp2;
            +        current->prev = current->next;
            +    head = temp2->prev;
        4 states, 14 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `head` is null (the access goes to 0x8), line 29: while (current != head->next) { //~ FAULT: current != NULL
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != head->next) { //~ FAULT: current != NULL
            -        temp2 = current->prev; //~ FAULT: current->next
            +        temp2 = current->next; //~ FAULT: current->next
            +    head = temp1->prev;
        4 states, 14 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `head` is null (the access goes to 0x8), line 29: while (temp2 != head->next) { //~ FAULT: current != NULL
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (temp2 != head->next) { //~ FAULT: current != NULL
            -        temp2 = current->prev; //~ FAULT: current->next
            +        temp2 = current->next; //~ FAULT: current->next
            +    head = temp1->prev;
        4 states, 16 tokens, safer: false
          without push(2), push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 38: head = temp1->prev;
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 38: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != NULL) { //~ FAULT: current != NULL
            +        current->prev = current->next;
            +    head = temp1->prev;
        4 states, 16 tokens, safer: true
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != NULL) { //~ FAULT: current != NULL
            -        temp2 = current->prev; //~ FAULT: current->next
            +        temp2 = current->next; //~ FAULT: current->next
            +    if (temp1 != NULL)
            +        head = temp1->prev;
    "#]].assert_eq(&solve("examples/reverse.c", figure_1_whole));
}

/// A request begins with the search that it is told to, and says which one had success.
#[test]
fn a_second_request_begins_with_what_had_success() {
    let model = model("examples/reverse.c");
    let runs = vec![(Arc::new(figure_1_whole(&model).finish()), Default::default())];
    let problem = Problem { program: model.program.clone(), runs, trusted: Default::default() };
    let ask = |begin: Option<Search>| {
        let options = Options { begin, ..Options::default() };
        let Answer::Repaired(repaired) = repair(&problem, &options, &mut |_| {}) else { panic!("it can be repaired") };
        (repaired.search, repaired.candidates[0].candidate.patched.text.clone())
    };
    let (first, text) = ask(None);
    let other = Search { cost: 3, kind: Kind::All, effort: Effort::Stretch(Order::Fewest) };
    assert!(first.is_some_and(|first| first != other));
    assert_eq!(ask(first), (first, text.clone()));
    assert_eq!(ask(Some(other)), (Some(other), text));
}

/// The sentence that a run is answered with that cannot be followed.
fn not_modelled(model: &encode::Model, trace: encode::Trace) -> String {
    let problem = Problem {
        program: model.program.clone(),
        runs: vec![(Arc::new(trace), Default::default())],
        trusted: Default::default(),
    };
    match repair(&problem, &Options::default(), &mut |_| {}) {
        Answer::NotModelled(sentence) => sentence,
        answer => format!("{answer:?}"),
    }
}

#[test]
fn a_run_that_cannot_be_followed_is_told_why() {
    const TEXT: &str = "int values[2], **where;\nint count(int n) {\n    int m = n;\n    return m + 1;\n}\n\
                        int main(void) {\n    int *p = values, i = 0;\n    if (where)\n        **where = 3;\n    \
                        values[i++] = count(2);\n    return values[0];\n}\n";
    let source = c_syntax::Source::new("why.c", TEXT.as_bytes().to_vec());
    let model = encode::Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")));
    // A user of gdb could have made a pointer to a variable that the text never takes the address of.
    let mut session = Session::start(&model, &[]);
    session.next(1);
    session.begin();
    session.next(2);
    session.spec(&[]);
    let mut trace = session.finish();
    let object = memory::Object::Local { frame: Some(0), function: "main".into(), name: "p".into() };
    let there = memory::Place { object, offset: 0, path: String::new(), inside: true };
    let global = trace.start.globals.iter_mut().find(|global| &*global.name == "where").expect("it is there");
    global.value = memory::Value::Pointer(there);
    expect![[r#"where the run starts, `where` points to the variable `p`, whose address this program never takes; assert states of the call that `p` belongs to"#]]
        .assert_eq(&not_modelled(&model, trace));
    // What was computed before the call is needed after it.
    let mut session = Session::start(&model, &[]);
    session.next(2);
    session.step();
    session.begin();
    session.next(4);
    session.spec(&[]);
    expect![[r#"the run starts inside of a call that line 10 makes, and what that line had computed before is not known; start where the call begins, or before line 10"#]]
        .assert_eq(&not_modelled(&model, session.finish()));
}
