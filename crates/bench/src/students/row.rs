//! One submission, one row: what came of it.
//!
//! ```text
//! {"schema":1,"problem":"reverse","file":"s01.c","outcome":"fixed","reason":null,"kind":"missing statement",…}
//! ```

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, debug};
use super::problem::{Note, Problem, Submission};
use crate::BenchError;

/// What came of a submission.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The version of this format.
    pub schema: u32,
    /// The problem.
    pub problem: String,
    /// The submission.
    pub file: String,
    /// `fixed`, `limitation`, `out of scope` or `vacuous`.
    pub outcome: String,
    /// Why it is not fixed.
    pub reason: Option<String>,
    /// The kind of mistake.
    pub kind: String,
    /// `heap` or `out`.
    pub scope: String,
    /// How long all searches took.
    pub milliseconds: f64,
    /// What the repair costs.
    pub cost: u32,
    /// The repair.
    pub diff: String,
    /// Calls that were debugged.
    pub traces: usize,
    /// The time limit of a search, in seconds.
    pub limit: f64,
}

/// Debugs, repairs and judges a submission.
pub fn measure(problem: &Problem, note: &Note, limit: Duration) -> Result<Row, BenchError> {
    let mut row = Row {
        schema: 1,
        problem: problem.name(),
        file: note.file.clone(),
        kind: note.kind.clone(),
        scope: note.scope.clone(),
        limit: limit.as_secs_f64(),
        ..Row::default()
    };
    if note.kind == "vacuous" {
        row.outcome = "vacuous".into();
        return Ok(row);
    }
    let submission = Submission::load(problem, &note.file)?;
    let attempt = debug(problem, &submission, limit)?;
    row.reason = judge(problem, &attempt)?;
    row.milliseconds = attempt.searching.as_secs_f64() * 1000.0;
    row.traces = attempt.runs.len();
    if let Some(taken) = attempt.taken() {
        row.cost = attempt.repaired.as_ref().map_or(0, |(repaired, _)| repaired.cost);
        row.diff = taken.candidate.patched.diff(&note.file);
    }
    row.outcome = match (&row.reason, note.scope.as_str()) {
        (None, _) => "fixed",
        (Some(_), "out") => "out of scope",
        (Some(_), _) => "limitation",
    }
    .into();
    Ok(row)
}

/// Why a submission is not fixed; nothing if the repaired program is right on all inputs.
fn judge(problem: &Problem, attempt: &Attempt) -> Result<Option<String>, BenchError> {
    let none = || attempt.reason.clone().unwrap_or_else(|| "no repair".into());
    let Some(taken) = attempt.taken() else { return Ok(Some(none())) };
    let case = &problem.study.case;
    let Some(input) = problem.first_wrong(&taken.program.model, 0..case.inputs.len())? else { return Ok(None) };
    let which = if input < case.seen { "an input that was looked at" } else { "an input that nobody looked at" };
    Ok(Some(format!("the repair is wrong on {which}: [{}]", case.inputs[input].join(" "))))
}
