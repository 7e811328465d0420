//! Which assertions a program comes to, by trying.
//!
//! A program whose assertions are never come to is not right. One at a time,
//! they are made to follow the null pointer: `assert(*(int *)0 || x > 0)`.

use execute::FaultKind;

use super::driver::{Driver, Observed};
use super::judge::Judge;
use super::{Case, Specification};
use crate::BenchError;

/// Whether each assertion of a text is come to on some input, in the order of the text.
pub(super) fn reached(case: &Case, judge: &Judge, text: &str) -> Result<Vec<bool>, BenchError> {
    if case.specification == Specification::Reference {
        return Ok(vec![]);
    }
    let texts: Vec<String> = places(text).into_iter().map(|at| marked(text, at)).collect();
    Driver::several(case, &texts).into_iter().map(|driver| is_reached(judge, &driver?)).collect()
}

fn is_reached(judge: &Judge, driver: &Driver) -> Result<bool, BenchError> {
    for input in judge.inputs() {
        if matches!(driver.run(input)?, Observed::Wrong { kind: FaultKind::Null, .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Just behind the parentheses of all assertions.
fn places(text: &str) -> Vec<usize> {
    const CALL: &str = "assert(";
    let is_declaration = |at: usize| text[..at].lines().next_back().is_some_and(|line| line.starts_with("extern"));
    let all = text.match_indices(CALL).filter(|(at, _)| !is_declaration(*at));
    all.map(|(at, _)| at + CALL.len()).collect()
}

fn marked(text: &str, at: usize) -> String {
    format!("{}*(int *)0 || {}", &text[..at], &text[at..])
}
