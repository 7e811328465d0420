//! The rank that the gradient localizer gives a fault, from one failing call.
//!
//! The states of the right program's call are what a user would assert while
//! debugging the faulty one: at the start of the function, whenever it comes to
//! a loop, and at its end. The first call with which the faulty version does not
//! meet them is the one trace that the localizer gets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use encode::{Model, Place, Prepared, Recorder, Trace, Verdict, Visit, decisions};
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Until};
use ir::{Facts, FunctionId, LocalId, StepId, StepKind};
use localize::{Ranking, gradient};
use memory::{Entity, Root, Value, Visible};

use super::versions::Version;
use crate::study::{Study, facts, first_step, renamed};

/// Instructions that the model may run.
const INSTRUCTIONS: u64 = 500_000;
/// Longer calls are left out.
const STATEMENTS: usize = 5_000;
/// The first calls of a run that are looked at.
const CALLS: usize = 6;

/// The rank of the faulty statement among the suspicious statements; those with
/// the same score share the average of their ranks, as they do for the other methods.
/// `None` if the fault shows in no call, or if its place is not suspicious.
pub(super) fn gradient_rank(study: &Study, version: &Version) -> Option<f64> {
    let function = version.function(&study.model.program)?;
    let live = ir::facts(&study.model.program);
    let calls = study.case.inputs.iter().flat_map(|arguments| (0..CALLS).map(move |call| (arguments, call)));
    let mut traces = calls.filter_map(|(arguments, call)| right_call(study, arguments, function, call, &live));
    let prepared = traces.find_map(|trace| failing(study, version, function, &trace))?;
    rank_of(&gradient(&version.model, std::slice::from_ref(&prepared)), version.place)
}

fn rank_of(ranking: &Ranking, place: StepId) -> Option<f64> {
    let steps: Vec<_> = ranking.places.iter().filter(|suspicious| matches!(suspicious.place, Place::Step(_))).collect();
    let score = steps.iter().find(|suspicious| suspicious.place == Place::Step(place))?.score;
    let better = steps.iter().filter(|suspicious| suspicious.score > score).count() as f64;
    let tied = steps.iter().filter(|suspicious| suspicious.score == score).count() as f64;
    Some(better + (tied + 1.0) / 2.0)
}

/// What the right call asserts of the faulty version; `None` if that meets it all, or cannot be followed.
fn failing(study: &Study, version: &Version, function: FunctionId, trace: &Trace) -> Option<Prepared> {
    let name = &study.model.program.function(function).name;
    let first = first_step(&version.model, version.model.program.function_named(name)?)?;
    let trace = renamed(trace, &version.steps, first)?;
    let mut prepared = Prepared::new(&version.model, Arc::new(trace), &|_| false).ok()?;
    // What is before the first statement is part of the run too.
    prepared.start.set_pc(0);
    let meets = prepared.follow(&version.model, &[], INSTRUCTIONS) == Verdict::Meets;
    (!meets).then_some(prepared)
}

/// Where a call is looked at last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the closing brace of the function.
    Brace,
    /// Where its caller goes on, so that the result is seen.
    Caller,
}

/// A call of a function in a right run, from 0; `None` if there is none that the model can follow.
fn right_call(study: &Study, arguments: &[String], function: FunctionId, call: usize, live: &Facts) -> Option<Trace> {
    let model = &study.model;
    let returns = model.program.types.size_of(model.program.function(function).result) > 0;
    let ends: &[End] = if returns { &[End::Caller, End::Brace] } else { &[End::Brace] };
    // What a call in the middle of a statement needs may be lost where its caller goes on.
    let traces = ends.iter().filter_map(|end| record(study, arguments, function, call, *end, live).ok().flatten());
    traces.into_iter().find(|trace| meets(model, trace))
}

fn meets(model: &Model, trace: &Trace) -> bool {
    Prepared::new(model, Arc::new(trace.clone()), &|_| false)
        .is_ok_and(|prepared| prepared.follow(model, &[], INSTRUCTIONS) == Verdict::Meets)
}

/// What a user would assert of a call.
fn record(
    study: &Study,
    arguments: &[String],
    function: FunctionId,
    call: usize,
    end: End,
    live: &Facts,
) -> Result<Option<Trace>, ExecuteError> {
    let program = &study.model.program;
    let mut executor = study.start(&study.model, arguments)?;
    let mut recorder = Recorder::new(&study.model, &|_| false, &executor);
    if !reach(&mut recorder, &mut executor, function, call)? {
        return Ok(None);
    }
    recorder.begin(&mut executor)?;
    let depth = executor.depth()?;
    for count in 0..STATEMENTS {
        let Some(step) = executor.position().step() else { return Ok(None) };
        let (here, kind) = (executor.depth()?, program.step(step).kind);
        let ends = here < depth || end == End::Brace && here == depth && kind == StepKind::Exit;
        let is_loop = here == depth && kind == StepKind::Loop && program.step(step).function == function;
        if ends || count == 0 || is_loop {
            demand(&study.model, live, &mut recorder, &mut executor)?;
        }
        if ends {
            let mut trace = recorder.finish();
            trace.forced = loops(&study.model, function, &trace, depth as u32);
            return Ok(Some(trace));
        }
        recorder.step(&mut executor)?;
    }
    Ok(None)
}

/// Goes to the first statement of a call, counted from 0.
fn reach(
    recorder: &mut Recorder<'_>,
    executor: &mut Interpreter,
    function: FunctionId,
    call: usize,
) -> Result<bool, ExecuteError> {
    let (mut last, mut seen) = (0, 0);
    while let Some(step) = executor.position().step() {
        let depth = executor.depth()?;
        if depth > last && recorder.model().program.step(step).function == function {
            if seen == call {
                return Ok(true);
            }
            seen += 1;
        }
        last = depth;
        // Into statements that the model does not follow, too: `push(atoi(argv[1]))` is one.
        recorder.run(executor, &Until::Into, &BTreeSet::new())?;
    }
    Ok(false)
}

fn demand(
    model: &Model,
    live: &Facts,
    recorder: &mut Recorder<'_>,
    executor: &mut Interpreter,
) -> Result<(), ExecuteError> {
    let (state, calls) = (executor.state()?, executor.calls()?.into_iter().flatten().collect::<Vec<_>>());
    // Nobody asserts that a pointer dangles.
    let sound = |value: &Value| !matches!(value, Value::Dangling(_));
    let asserted = facts(&state, |entity, value| sound(value) && is_asserted(model, live, &calls, entity));
    recorder.demand(executor, asserted)?;
    Ok(())
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
fn loops(model: &Model, function: FunctionId, trace: &Trace, depth: u32) -> BTreeMap<Visit, bool> {
    let mut visits: BTreeMap<StepId, u32> = BTreeMap::new();
    let mut own: BTreeSet<Visit> = BTreeSet::new();
    for arrival in &trace.run {
        let count = visits.entry(arrival.step).or_default();
        *count += 1;
        let step = model.program.step(arrival.step);
        if arrival.depth == depth && step.kind == StepKind::Loop && step.function == function {
            own.insert(Visit { step: arrival.step, count: *count });
        }
    }
    decisions(model, trace).into_iter().filter(|(visit, _)| own.contains(visit)).collect()
}
