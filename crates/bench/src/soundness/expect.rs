//! What a user would assert of a right run.
//!
//! Of `reverse` that is the whole list, the globals, and the variables that are
//! still needed: at the start, each time before `while (current != NULL)`, and
//! at the end. Each loop goes on and ends as it did in the right run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use encode::{Model, Prepared, Recorder, Trace, Verdict, Visit, decisions};
use execute::{ExecuteError, Executor};
use ir::{Facts, LocalId, StepId, StepKind};
use memory::{Entity, Root, Value, Visible};

use crate::BenchError;
use crate::study::{Study, begin, facts};

/// What is expected of a run.
pub(super) struct Expectation {
    /// The arguments of the run.
    pub arguments: Vec<String>,
    /// The right run, and what is asserted along it.
    pub trace: Trace,
}

/// Instructions that the model may run.
pub(super) const INSTRUCTIONS: u64 = 500_000;
/// Longer runs are left out.
const STATEMENTS: usize = 5_000;

/// Where a run ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the closing brace of the function.
    Brace,
    /// Where its caller goes on, so that the result is seen.
    Caller,
}

/// What is expected of the first runs that call the function.
pub(super) fn expectations(study: &Study, inputs: usize, sparse: bool) -> Result<Vec<Expectation>, BenchError> {
    let live = ir::facts(&study.model.program);
    let mut found = Vec::new();
    for arguments in &study.case.inputs {
        if found.len() == inputs {
            break;
        }
        let ends: &[End] = match returns(study) {
            true => &[End::Caller, End::Brace],
            false => &[End::Brace],
        };
        for &end in ends {
            let trace = record(study, arguments, &live, end, sparse)?;
            // The model must follow the right run: what a call in the middle of a statement needs may be lost.
            if let Some(trace) = trace.filter(|trace| meets(&study.model, trace)) {
                found.push(Expectation { arguments: arguments.clone(), trace });
                break;
            }
        }
    }
    Ok(found)
}

fn returns(study: &Study) -> bool {
    let program = &study.model.program;
    program.types.size_of(program.function(study.function).result) > 0
}

fn meets(model: &Model, trace: &Trace) -> bool {
    Prepared::new(model, Arc::new(trace.clone()), &|_| false)
        .is_ok_and(|prepared| prepared.follow(model, &[], INSTRUCTIONS) == Verdict::Meets)
}

/// The first call of the function; `None` if there is none, or if it does not end.
fn record(
    study: &Study,
    arguments: &[String],
    live: &Facts,
    end: End,
    sparse: bool,
) -> Result<Option<Trace>, ExecuteError> {
    let program = &study.model.program;
    let mut executor = study.start(&study.model, arguments)?;
    let mut recorder = Recorder::new(&study.model, &|_| false, &executor);
    if !begin(&mut recorder, &mut executor, study.function)? {
        return Ok(None);
    }
    let depth = executor.depth()?;
    for count in 0..STATEMENTS {
        let Some(step) = executor.position().step() else { return Ok(None) };
        let (here, kind) = (executor.depth()? == depth, program.step(step).kind);
        let ends = match end {
            End::Brace => here && kind == StepKind::Exit,
            End::Caller => executor.depth()? < depth,
        };
        let is_loop = here && kind == StepKind::Loop && program.step(step).function == study.function;
        if ends || !sparse && (count == 0 || is_loop) {
            let (state, calls) = (executor.state()?, executor.calls()?.into_iter().flatten().collect::<Vec<_>>());
            // Nobody asserts that a pointer dangles.
            let sound = |value: &Value| !matches!(value, Value::Dangling(_));
            let asserted =
                facts(&state, |entity, value| sound(value) && is_asserted(&study.model, live, &calls, entity));
            recorder.demand(&mut executor, asserted)?;
        }
        if ends {
            let mut trace = recorder.finish();
            if !sparse {
                trace.forced = loops(study, &trace, depth as u32);
            }
            return Ok(Some(trace));
        }
        recorder.step(&mut executor)?;
    }
    Ok(None)
}

/// The heap and the globals are, locals of the innermost call if they are still
/// needed, and those of others if they have an address.
fn is_asserted(model: &Model, live: &Facts, calls: &[StepId], entity: &Entity) -> bool {
    let Root::Local { frame, name, .. } = &entity.root else { return true };
    let Some(&step) = calls.get(*frame) else { return false };
    let locals = &model.program.function(model.program.step(step).function).locals;
    let named = model.program.step(step).visible.iter().rev().find_map(|visible| match *visible {
        Visible::Local(local) if locals[local].name == *name => Some(Some(local)),
        Visible::Static(global) if model.program.globals[global].name == *name => Some(None),
        _ => None,
    });
    match named {
        None => false,
        Some(None) => true,
        Some(Some(local)) if frame + 1 == calls.len() => live.is_live(step, LocalId(local as u32)),
        Some(Some(local)) => locals[local].in_memory,
    }
}

/// Which way the loops of the recorded call went.
fn loops(study: &Study, trace: &Trace, depth: u32) -> BTreeMap<Visit, bool> {
    let mut visits: BTreeMap<StepId, u32> = BTreeMap::new();
    let mut own: BTreeSet<Visit> = BTreeSet::new();
    for arrival in &trace.run {
        let count = visits.entry(arrival.step).or_default();
        *count += 1;
        let step = study.model.program.step(arrival.step);
        if arrival.depth == depth && step.kind == StepKind::Loop && step.function == study.function {
            own.insert(Visit { step: arrival.step, count: *count });
        }
    }
    decisions(&study.model, trace).into_iter().filter(|(visit, _)| own.contains(visit)).collect()
}
