//! The version-space search on the paper's examples.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::*;
use encode::Prepared;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::replay::{End, Limits, Replay};

#[test]
fn figure_1_first() {
    let model = model("examples/reverse.c");
    let mut trace = figure_1(&model).finish();
    trace.open = trace.forced.keys().map(|visit| visit.step).collect();
    let prepared = [Prepared::new(&model, Arc::new(trace), &|_| false).unwrap()];
    let space = HeapScheme::new(&model, SchemeOptions::default()).space(&places(&model, "reverse"));
    let begun = Instant::now();
    let mut replay = Replay::new(&model, &prepared, &space, Limits::default());
    let end = replay.search();
    eprintln!("{:?} runs {}", begun.elapsed(), replay.runs);
    let End::Repaired { cost, solutions, complete } = end else { panic!("{end:?}") };
    eprintln!("{cost} {} {complete}", solutions.len());
    show(&model, &space, &solutions, &prepared[0].trace);
}

#[test]
fn figure_1_second() {
    let model = model("examples/reverse.c");
    let trace = figure_1_whole(&model).finish();
    let prepared = [Prepared::new(&model, Arc::new(trace), &|_| false).unwrap()];
    let space = HeapScheme::new(&model, SchemeOptions::default()).space(&places(&model, "reverse"));
    let begun = Instant::now();
    let mut replay = Replay::new(&model, &prepared, &space, Limits::default());
    let end = replay.search();
    eprintln!("{:?} runs {}", begun.elapsed(), replay.runs);
    let End::Repaired { cost, solutions, complete } = end else { panic!("{end:?}") };
    eprintln!("{cost} {} {complete}", solutions.len());
    show(&model, &space, &solutions, &prepared[0].trace);
}

fn show(
    model: &encode::Model,
    space: &encode::Space,
    solutions: &[repair::strategy::replay::Solution],
    trace: &encode::Trace,
) {
    let begun = Instant::now();
    let found = repair::candidates::candidates(model, space, solutions, 10);
    eprintln!("{:?} candidates", begun.elapsed());
    for candidate in &found {
        let begun = Instant::now();
        let program = repair::check::PatchedProgram::new(&model.program, &candidate.patched).unwrap();
        let verdict = program.check(trace, &|_| false, &Default::default());
        eprintln!("{} {:?} {:?}", candidate.tokens, begun.elapsed(), verdict.map(|states| states.len()));
        for line in candidate.patched.diff("a.c").lines().filter(|line| line.starts_with(['+', '-'])).skip(2) {
            eprintln!("    {line}");
        }
    }
}
