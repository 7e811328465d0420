//! The version-space search on the paper's Figure 1.

mod common;

use std::sync::Arc;

use common::*;
use encode::{Model, Prepared, Trace, Verdict};
use expect_test::expect;
use repair::candidates::candidates;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::replay::{End, Limits, Replay};

/// The changed lines of the closest repairs; each of them is followed again.
fn closest(model: &Model, trace: Trace, most: usize) -> String {
    let prepared = [Prepared::new(model, Arc::new(trace), &|_| false).expect("it can be modelled")];
    let space = HeapScheme::new(model, SchemeOptions::default()).space(&places(model, "reverse"));
    let end = Replay::new(model, &prepared, &space, Limits::default()).search();
    let End::Repaired { cost, solutions, .. } = end else { panic!("{end:?}") };
    let mut text = format!("cost {cost}\n");
    for candidate in candidates(model, &space, &solutions, most) {
        assert_eq!(prepared[0].follow(model, &candidate.edits, 100_000), Verdict::Meets);
        let diff = candidate.patched.diff("a.c");
        let lines = diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2);
        let lines = lines.map(|line| line.split("//~").next().unwrap_or(line).trim_end());
        text += &format!("{} tokens\n{}\n", candidate.tokens(), lines.collect::<Vec<_>>().join("\n"));
    }
    text
}

#[test]
fn the_first_repair_of_figure_1() {
    let model = model("examples/reverse.c");
    let mut trace = figure_1(&model).finish();
    trace.open = trace.forced.keys().map(|visit| visit.step).collect();
    expect![[r#"
        cost 1
        2 tokens
        -        temp2 = current->prev;
        +        temp2 = current->next;
        4 tokens
        -        current->prev = temp2;
        +        current->prev = current->next;
        6 tokens
        +        temp2 = current->next;
        8 tokens
        +        current->prev = current->next;
        8 tokens
        +        current->prev = current->next;
    "#]]
    .assert_eq(&closest(&model, trace, 10));
}

#[test]
fn the_second_repair_of_figure_1() {
    let model = model("examples/reverse.c");
    let trace = figure_1_whole(&model).finish();
    expect![[r#"
        cost 3
        10 tokens
        -    while (temp1 != NULL) {
        +    while (current != NULL) {
        -        temp2 = current->prev;
        +        temp2 = current->next;
        +    head = temp1->prev;
        12 tokens
        -    while (temp1 != NULL) {
        +    while (current != NULL) {
        -        current->prev = temp2;
        +        current->prev = current->next;
        +    head = temp1->prev;
    "#]]
    .assert_eq(&closest(&model, trace, 2));
}

/// Without a change the run differs from what is asserted, and where.
#[test]
fn the_faulty_program_differs_at_the_first_round() {
    let model = model("examples/reverse.c");
    let mut trace = figure_1(&model).finish();
    trace.open = trace.forced.keys().map(|visit| visit.step).collect();
    let prepared = Prepared::new(&model, Arc::new(trace), &|_| false).expect("it can be modelled");
    let Verdict::Differs { demand, facts } = prepared.follow(&model, &[], 100_000) else { panic!("it differs") };
    let facts: Vec<String> = facts.iter().map(|&fact| prepared.trace.demands[demand].facts[fact].to_string()).collect();
    assert_eq!((demand, facts), (1, vec!["reverse:current == n3".to_string(), "n4.prev == n3".to_string()]));
}
