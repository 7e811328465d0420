//! The states along a right call.
//!
//! Of a call of `reverse` that is the memory at its start, each time before
//! `while (current != NULL)` with the way that the loop went, and at the end;
//! of the calls that it makes of functions under study, a recursive sort's own
//! ones for instance, the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use encode::{Model, Prepared, Printed, Recorder, Trace, Verdict, Visit, decisions};
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Until};
use ir::{FunctionId, StepId, StepKind};
use memory::{Entity, NodeId, Root, State, Value};
use spec::{Fact, Relation};

use super::Detail;
use super::watch::{CallAt, Start};
use crate::study::facts;

/// A call of the right program.
#[derive(Clone, Debug)]
pub struct RightRun {
    /// The call, with everything that is known at each moment of interest.
    pub trace: Trace,
    /// The function.
    pub function: FunctionId,
}

/// Instructions that the model may run.
pub(crate) const INSTRUCTIONS: u64 = 500_000;
/// Longer calls are left out.
const STATEMENTS: usize = 5_000;

/// Where a call is looked at last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the closing brace of the function.
    Brace,
    /// Where its caller goes on, so that the result is seen.
    Caller,
}

/// The states along a call; `None` if the model cannot follow the right program there.
pub fn record(
    model: &Model,
    studied: &[FunctionId],
    call: &CallAt,
    start: &Start<'_>,
    detail: Detail,
) -> Result<Option<RightRun>, ExecuteError> {
    let Some(function) = call.function() else { return Ok(None) };
    let returns = model.program.types.size_of(model.program.function(function).result) > 0;
    let ends: &[End] = if returns { &[End::Caller, End::Brace] } else { &[End::Brace] };
    for &end in ends {
        let trace = record_to(model, studied, call, start, end, detail)?;
        // The model must follow the right run: what a call in the middle of a statement needs may be lost.
        if let Some(trace) = trace.filter(|trace| meets(model, trace)) {
            return Ok(Some(RightRun { trace, function }));
        }
    }
    Ok(None)
}

/// Whether the model follows a run and finds everything asserted.
pub(crate) fn meets(model: &Model, trace: &Trace) -> bool {
    Prepared::new(model, Arc::new(trace.clone()), &|_| false)
        .is_ok_and(|prepared| prepared.follow(model, &[], INSTRUCTIONS) == Verdict::Meets)
}

fn record_to(
    model: &Model,
    studied: &[FunctionId],
    call: &CallAt,
    start: &Start<'_>,
    end: End,
    detail: Detail,
) -> Result<Option<Trace>, ExecuteError> {
    let program = &model.program;
    let mut executor = start.interpreter(model)?;
    let mut recorder = Recorder::new(model, &|_| false, &executor);
    if !reach(&mut recorder, &mut executor, call)? {
        return Ok(None);
    }
    recorder.begin(&mut executor)?;
    let (depth, start_state) = (executor.depth()?, executor.state()?);
    let mut printed = Printed { before: executor.output()?.len(), ..Printed::default() };
    // How many calls were under way at the last statement, and in which function that was.
    let (mut before, mut last) = (depth, None);
    for count in 0..STATEMENTS {
        let Some(step) = executor.position().step() else { return Ok(None) };
        let here = executor.depth()?;
        let kind = program.step(step).kind;
        // Calls of other functions are stepped over, unless what they are made with is asserted.
        let is_studied = here >= depth && studied.contains(&program.step(step).function);
        let is_called = is_studied && here > before || detail == Detail::Calls && here == depth + 1 && before == depth;
        let is_back = is_studied && here < before && last.is_some_and(|last| studied.contains(&last));
        let is_loop = is_studied && kind == StepKind::Loop;
        (before, last) = (here, Some(program.step(step).function));
        let ends = match end {
            End::Brace => here == depth && kind == StepKind::Exit,
            // Where a caller returns what it was given, the result is not in any variable yet.
            End::Caller => here < depth && kind != StepKind::Exit,
        };
        if ends || detail != Detail::Sparse && (count == 0 || is_loop || is_called || is_back) {
            // Nobody asserts that a pointer dangles.
            let state = executor.state()?;
            let mut known = facts(&state, |_, value| !matches!(value, Value::Dangling(_)));
            known.extend(gone(&start_state, &state));
            recorder.demand(&mut executor, known)?;
            printed.assert(Some(&executor.output()?));
        }
        if ends {
            let mut trace = recorder.finish();
            trace.output = Some(printed);
            if detail != Detail::Sparse {
                trace.forced = loops(model, studied, &trace, depth as u32);
            }
            return Ok(Some(trace));
        }
        recorder.step(&mut executor)?;
    }
    Ok(None)
}

/// The nodes that the picture does not show any more, and the one that would come next.
fn gone(start: &State, now: &State) -> Vec<Fact> {
    let live = |state: &State, id: NodeId| state.node(id).is_some_and(|node| node.live);
    let freed = start.nodes.iter().filter(|node| node.live && !live(now, node.id)).map(|node| node.id);
    let next = now.nodes.iter().map(|node| node.id.0).max().unwrap_or(0).max(start.nodes.len() as u32) + 1;
    let next = Some(NodeId(next)).filter(|&id| !live(now, id));
    let fact = |id| Fact {
        entity: Entity { root: Root::Node(id), path: String::new() },
        relation: Relation::Gone,
        value: Value::Null,
    };
    freed.chain(next).map(fact).collect()
}

/// Goes to the first statement of a call; whether it was found.
fn reach(recorder: &mut Recorder<'_>, executor: &mut Interpreter, call: &CallAt) -> Result<bool, ExecuteError> {
    // How often this call of each active function came to its statements.
    let mut counts: Vec<BTreeMap<StepId, u32>> = Vec::new();
    for _ in 0..100 * STATEMENTS {
        let Some(step) = executor.position().step() else { return Ok(false) };
        let depth = executor.depth()?;
        let function = recorder.model().program.step(step).function;
        let on_the_way =
            call.chain.iter().zip(&counts).take_while(|((step, count), seen)| seen.get(step) == Some(count));
        let entered = on_the_way.count();
        if entered == call.chain.len() && depth == entered + 1 && Some(function) == call.function() {
            return Ok(true);
        }
        counts.truncate(depth);
        counts.resize_with(depth, BTreeMap::new);
        *counts[depth - 1].entry(step).or_default() += 1;
        let leads = |at: usize| call.chain.get(at).is_some_and(|(step, count)| counts[at].get(step) == Some(count));
        let goes_in = (0..depth).all(leads) && call.chain[depth - 1].0 == step;
        match goes_in {
            true => drop(recorder.run(executor, &Until::Into, &BTreeSet::new())?),
            false => drop(recorder.step(executor)?),
        }
    }
    Ok(false)
}

/// Which way the loops of the recorded call and of those that it makes went.
pub(crate) fn loops(model: &Model, studied: &[FunctionId], trace: &Trace, depth: u32) -> BTreeMap<Visit, bool> {
    let mut visits: BTreeMap<StepId, u32> = BTreeMap::new();
    let mut own: BTreeSet<Visit> = BTreeSet::new();
    for arrival in &trace.run {
        let count = visits.entry(arrival.step).or_default();
        *count += 1;
        let step = model.program.step(arrival.step);
        if arrival.depth >= depth && step.kind == StepKind::Loop && studied.contains(&step.function) {
            own.insert(Visit { step: arrival.step, count: *count });
        }
    }
    decisions(model, trace).into_iter().filter(|(visit, _)| own.contains(visit)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_a_call_makes_other_calls_with_is_asserted() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/large/l16_quicksort_list.c");
        let model = Model::new(Arc::new(ir::load(&path).expect("it is C")));
        let named = |name: &str| model.program.function_named(name).expect("it is there");
        let (sort, partition) = (named("quick_sort"), named("partition"));
        let arguments = ["2", "1", "3"].map(String::from);
        let start = Start { arguments: &arguments, stdin: &[], most: 10_000 };
        let watched = crate::user::watch(&model, &[sort], &start).expect("it runs");
        let outermost = &watched.left.last().expect("it is called").call;
        let asserted = |detail| {
            let run = record(&model, &[sort], outermost, &start, detail).expect("it runs").expect("it is followed");
            let at = |demand: &encode::Demand| model.program.step(demand.at.step).function;
            run.trace.demands.iter().map(at).collect::<Vec<_>>()
        };
        let main = named("main");
        // At the start, at the starts of both recursive calls and where they are back, and at the loop.
        assert_eq!(asserted(Detail::Loops), [sort, sort, sort, sort, sort, sort, main]);
        assert_eq!(asserted(Detail::Calls), [sort, partition, sort, sort, sort, sort, sort, main]);
    }
}
