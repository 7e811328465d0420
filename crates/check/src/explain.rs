//! The run of a counterexample as a table: the statements, and what each did.
//!
//! The interpreter walks through the run. For `if (x < -1) abs = -x;` with
//! `x = -1`:
//!
//! ```text
//!   2  abs = x                     abs = -1
//!   3  if (x < -1)                 no
//! ```

use std::collections::BTreeSet;

use execute::{Executor, Stop, Until};
use ir::{StepId, StepKind};
use memory::{State, Value};

use crate::confirm::{Failure, start};
use crate::task::Task;
use crate::verdict::Counterexample;

/// Longer runs are cut: the last rows are kept.
const MOST_ROWS: usize = 40;
/// Statements of a run that are looked at.
const MOST_STEPS: usize = 4_000;

/// One statement of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The statement; none where rows were left out.
    pub step: Option<StepId>,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// What it did: a variable's new value, or where a condition went.
    pub effect: String,
}

/// The statements of a counterexample's run for which `matters` holds, without those of the driver.
pub fn explain(task: &Task, found: &Counterexample, matters: &dyn Fn(StepId) -> bool) -> Vec<Row> {
    let side = &task.program;
    let Ok(mut interpreter) = start(&side.program, side.is_driven(), &found.example) else { return vec![] };
    let mut rows: Vec<Row> = vec![];
    let mut before = interpreter.state().ok();
    let is_endless = found.failure == Failure::Endless;
    for _ in 0..MOST_STEPS {
        if is_endless && rows.len() >= MOST_ROWS / 2 {
            rows.push(Row { step: None, line: 0, text: "… and so on".into(), effect: String::new() });
            return rows;
        }
        let Stop::Step(step) = interpreter.position().clone() else { break };
        let info = side.program.step(step);
        let own = (info.span.end as usize) <= side.own && info.kind != StepKind::Exit && matters(step);
        let Ok(stop) = interpreter.resume(&Until::Into, &BTreeSet::new()) else { break };
        let after = match stop {
            Stop::Step(_) => interpreter.state().ok(),
            _ => None,
        };
        if own {
            let effect = effect(side, step, before.as_ref(), after.as_ref(), &stop);
            rows.push(Row {
                step: Some(step),
                line: info.line,
                text: one_line(&side.program.source.text(info.span)),
                effect,
            });
        }
        before = after;
        if !matches!(stop, Stop::Step(_)) {
            break;
        }
    }
    let cut = rows.len().saturating_sub(MOST_ROWS);
    if cut > 0 {
        rows.drain(..cut);
        rows.insert(0, Row { step: None, line: 0, text: format!("… {cut} statements before"), effect: String::new() });
    }
    rows
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What changed in the frame of a statement, or where a condition went.
fn effect(side: &crate::Side, step: StepId, before: Option<&State>, after: Option<&State>, stop: &Stop) -> String {
    if let Stop::Fault(fault) = stop {
        return fault.message.clone();
    }
    let (Some(before), Some(after)) = (before, after) else { return String::new() };
    let kind = side.program.step(step).kind;
    if matches!(kind, StepKind::If | StepKind::Loop)
        && let Stop::Step(next) = stop
    {
        return decision(side, step, *next);
    }
    if before.frames.len() != after.frames.len() {
        return String::new();
    }
    let function = &side.program.function(side.program.step(step).function).name;
    let shown = memory::changes(before, after).into_iter().filter_map(|change| {
        let after = change.after.filter(|value| *value != Value::Uninitialised)?;
        let name = change.entity.to_string();
        let name = name.strip_prefix(&format!("{function}:")).unwrap_or(&name);
        Some(format!("{} = {after}", as_parameter(side, name)))
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// An array that the driver made is called by the parameter that points to it: `a[0]` for `main:a_cells[0]`.
fn as_parameter(side: &crate::Side, name: &str) -> String {
    let made = || side.is_driven().then(|| name.strip_prefix("main:")?.split_once("_cells[")).flatten();
    made().map_or(name.into(), |(array, rest)| format!("{array}[{rest}"))
}

/// Whether a condition held, by the statement that came next.
fn decision(side: &crate::Side, step: StepId, next: StepId) -> String {
    match ir::successor(&side.program, step, Some(true), &|_| true) {
        Some(taken) if taken == next => "yes".into(),
        Some(_) => "no".into(),
        None => String::new(),
    }
}
