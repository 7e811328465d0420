//! From recorded sessions to checked repairs.

mod common;

use std::sync::Arc;

use common::*;
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
    eprintln!("{:?}", repaired.times);
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
    eprintln!("{}", solve("examples/reverse.c", figure_1));
    eprintln!("{}", solve("examples/reverse.c", figure_1_whole));
}
