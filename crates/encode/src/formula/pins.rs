//! How the loops of a recorded run went.
//!
//! In the run `while, body, while, after` the first visit of the condition
//! went into the loop and the second out of it: the next statement that the
//! same call came to can only be reached one way.

use std::collections::{BTreeMap, BTreeSet};

use ir::{StepId, StepKind};

use crate::code::{Instruction, successors};
use crate::machine::Model;
use crate::trace::{Trace, Visit};

/// The decision at each visit of a loop condition, where the run tells.
pub(super) fn pins(model: &Model, trace: &Trace) -> BTreeMap<Visit, bool> {
    let mut counts: BTreeMap<StepId, u32> = BTreeMap::new();
    let mut ways: BTreeMap<StepId, [BTreeSet<StepId>; 2]> = BTreeMap::new();
    let mut pins = BTreeMap::new();
    for (i, arrival) in trace.run.iter().enumerate() {
        let count = counts.entry(arrival.step).or_default();
        *count += 1;
        let visit = Visit { step: arrival.step, count: *count };
        if !model.code.steps[arrival.step.index()].is_condition
            || model.program.step(arrival.step).kind != StepKind::Loop
        {
            continue;
        }
        let Some(next) = trace.run[i + 1..].iter().find(|next| next.depth <= arrival.depth) else { continue };
        let [taken, otherwise] = ways.entry(arrival.step).or_insert_with(|| both_ways(model, arrival.step));
        if next.depth == arrival.depth && taken.contains(&next.step) != otherwise.contains(&next.step) {
            pins.insert(visit, taken.contains(&next.step));
        }
    }
    pins.extend(&trace.forced);
    pins
}

/// The statements that may come next if a condition holds, and if not.
fn both_ways(model: &Model, step: StepId) -> [BTreeSet<StepId>; 2] {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    let Instruction::Branch { otherwise, .. } = &code[place.end as usize] else { return Default::default() };
    [place.end + 1, *otherwise].map(|pc| first_steps(code, pc))
}

fn first_steps(code: &[Instruction], from: u32) -> BTreeSet<StepId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(pc) = work.pop() {
        if !seen.insert(pc) {
            continue;
        }
        match &code[pc as usize] {
            Instruction::Step(step) => drop(found.insert(*step)),
            _ => work.extend(successors(code, pc)),
        }
    }
    found
}
