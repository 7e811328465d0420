//! From recorded sessions to checked repairs.

mod common;

use std::sync::Arc;

use common::*;
use expect_test::expect;
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
        text += &format!("{} states, {} tokens, safer: {}\n", checked.states, checked.candidate.tokens, checked.safer);
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
          without push(2), push(4), push(8) and push(10): `head` is null (the access goes to 0x8), line 29: while (current != head->next) { //~ FAULT: current != NULL
          without push(4), push(8) and push(10): `temp1` is null (the access goes to 0x10), line 37: head = temp1->prev;
            -    while (temp1 != NULL) { //~ FAULT: current != NULL
            +    while (current != head->next) { //~ FAULT: current != NULL
            -        current->prev = temp2;
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
