//! What the user's session with the faulty program leaves for the repair.
//!
//! At each moment of the right call the user corrects the memory, asserts it,
//! sends the loop where it should go, and lets the faulty program run on to the
//! next such moment; if it crashes or goes elsewhere, the user goes there by hand.

use encode::{Arrival, Demand, Effect, Machine, Model, Pause, Printed, Trace, Visit};
use ir::{LocalId, StepId, StepKind};
use memory::{Entity, Root, Visible};
use spec::Fact;

use super::map::Twin;
use super::right::RightRun;

/// Instructions that the faulty program may run from one asserted state to the next.
const LONGEST: u64 = 20_000;

/// What was asserted and seen; `None` if a statement that led to the call is gone.
pub fn assert_along(right: &RightRun, twin: &Twin) -> Option<Trace> {
    let trace = &right.trace;
    let step = |step: &StepId| twin.steps.get(step).copied();
    let visit = |visit: &Visit| Some(Visit { step: step(&visit.step)?, ..*visit });
    // Functions stand in the same order in both programs.
    let function = right.function;
    let all = |calls: &[StepId]| calls.iter().map(step).collect::<Option<Vec<StepId>>>();
    let (_, callers) = trace.calls.split_last()?;
    let mut calls = all(callers)?;
    calls.push(crate::study::first_step(&twin.model, function)?);
    let mut asserted = Trace {
        start: trace.start.clone(),
        passed: trace.passed.iter().filter_map(|(at, count)| Some((step(at)?, *count))).collect(),
        forced: trace.forced.iter().filter_map(|(at, taken)| Some((visit(at)?, *taken))).collect(),
        calls: calls.clone(),
        at_entry: true,
        ..Trace::default()
    };
    let effects = trace
        .effects
        .iter()
        .filter_map(|(at, effect)| Some((visit(at)?, Effect { calls: all(&effect.calls)?, ..effect.clone() })));
    asserted.effects = effects.collect();
    let mut before: (&memory::State, Vec<StepId>) = (&trace.start, calls);
    let mut printed = trace.output.as_ref().map(|output| Printed { at: Vec::new(), ..output.clone() });
    for (number, demand) in trace.demands.iter().enumerate() {
        let is_start = number == 0 && demand.index == 0;
        // The first statement may be gone; then nothing is asserted before it.
        if is_start && step(&demand.at.step) != before.1.last().copied() {
            continue;
        }
        let at = match visit(&demand.at) {
            Some(at) => at,
            // Where the faulty program never stops, nothing is asserted; but a call has to come to its end.
            None if number + 1 < trace.demands.len() => continue,
            None => return None,
        };
        let calls = all(&demand.calls)?;
        if !is_start {
            let seen = run_on(&twin.model, before.0, &before.1, at.step, calls.len());
            let first = usize::from(!asserted.run.is_empty());
            asserted.run.extend(seen.into_iter().skip(first));
        }
        asserted.run.push(Arrival { step: at.step, depth: calls.len() as u32 });
        let facts: Vec<Fact> =
            demand.facts.iter().filter(|fact| is_told(twin, &calls, &fact.entity)).cloned().collect();
        let index = asserted.run.len() - 1;
        asserted.demands.push(Demand { at, index, facts, state: demand.state.clone(), calls: calls.clone() });
        if let (Some(printed), Some(output)) = (&mut printed, &trace.output) {
            printed.at.extend(output.at.get(number));
        }
        before = (&demand.state, calls);
    }
    asserted.output = printed;
    Some(asserted)
}

/// The statements that the faulty program comes to from a state on, the first
/// one included, until it would come to `goal` with so many active calls.
fn run_on(model: &Model, state: &memory::State, calls: &[StepId], goal: StepId, depth: usize) -> Vec<Arrival> {
    let Ok(mut machine) = Machine::load(model, state, calls) else { return Vec::new() };
    let mut seen = Vec::new();
    while machine.spent < LONGEST {
        match machine.advance(model) {
            Pause::Step(step) => {
                let here = machine.frames.len();
                let leaves = here < depth.min(calls.len());
                let elsewhere = here == calls.len() && model.program.step(step).kind == StepKind::Loop;
                if !seen.is_empty() && (step == goal && here == depth || leaves || elsewhere) {
                    break;
                }
                seen.push(Arrival { step, depth: here as u32 });
            }
            Pause::Slot(_) => {}
            Pause::Over | Pause::Fault | Pause::Unmodelled => break,
        }
    }
    seen
}

/// The heap and the globals are asserted, locals of the innermost call if they
/// are still needed, and those of others if they have an address.
pub(crate) fn is_told(twin: &Twin, calls: &[StepId], entity: &Entity) -> bool {
    is_asserted(&twin.model, &twin.live, calls, entity)
}

/// The same for any program.
pub(crate) fn is_asserted(model: &Model, live: &ir::Facts, calls: &[StepId], entity: &Entity) -> bool {
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
