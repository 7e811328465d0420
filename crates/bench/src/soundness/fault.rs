//! Faulty copies of a right program, one edit each.

use std::collections::{BTreeMap, BTreeSet};

use encode::{Edit, Instruction, Model, Place, SlotId, SlotPlace};
use fastrand::Rng;
use ir::{StepId, StepKind};
use repair::candidates::Candidate;
use repair::check::PatchedProgram;

use crate::study::{Kind, Study};

/// A faulty copy.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// What was done to the right program.
    pub edit: Edit,
    /// The same as text.
    pub candidate: Candidate,
}

/// Faulty copies of a program, no two with the same text; at most `limit` of
/// them, as many of each kind, at random.
pub(super) fn faults(study: &Study, limit: usize, random: &mut Rng) -> Vec<Fault> {
    let mut kinds: BTreeMap<Kind, Vec<Edit>> = BTreeMap::new();
    for (place, here) in &study.space(false).places {
        for edit in here.edits(*place).into_iter().filter(|edit| Kind::of(edit) != Kind::Guard) {
            kinds.entry(Kind::of(&edit)).or_default().push(edit);
        }
    }
    kinds.values_mut().for_each(|edits| random.shuffle(edits));
    let (mut seen, mut found) = (BTreeSet::from([study.model.program.source.bytes.to_vec()]), Vec::new());
    while (limit == 0 || found.len() < limit) && kinds.values().any(|edits| !edits.is_empty()) {
        for edits in kinds.values_mut() {
            while let Some(edit) = edits.pop() {
                let candidate = Candidate::of(&study.model, &[edit]);
                if let Some(candidate) = candidate.filter(|candidate| seen.insert(candidate.patched.text.clone())) {
                    found.push(Fault { edit, candidate });
                    break;
                }
            }
        }
    }
    if limit > 0 {
        found.truncate(limit);
    }
    found
}

/// Where the faulty copy would have to be changed: the edited statement, or any
/// slot where the deleted one stood. Nothing if it has no such place.
pub(super) fn places(study: &Study, fault: &Fault, faulty: &PatchedProgram) -> BTreeSet<Place> {
    match fault.edit {
        Edit::Delete { step } => slots(study, fault, &faulty.model, step),
        edit => match edit.place() {
            Place::Step(step) => faulty.steps.get(&step).map(|&step| Place::Step(step)).into_iter().collect(),
            Place::Slot(_) => BTreeSet::new(),
        },
    }
}

/// The slots between the statements that stood before and after a deleted one.
fn slots(study: &Study, fault: &Fault, faulty: &Model, step: StepId) -> BTreeSet<Place> {
    let program = &study.model.program;
    let start = |step: StepId| program.step(step).span.start;
    let now = |offset: u32| fault.candidate.patched.map(offset);
    let function = program.function(study.function);
    let mut around = study.steps();
    around.push(function.exit);
    let before = around.iter().map(|&other| start(other)).filter(|&other| other < start(step)).max();
    let after = around.iter().map(|&other| start(other)).filter(|&other| other > start(step)).min();
    let (Some(first), Some(last)) = (now(before.unwrap_or(function.span.start)), after.and_then(now)) else {
        return BTreeSet::new();
    };
    let (first, last) = match program.step(step).kind {
        // The last clause of `for` is run at the end of its body.
        StepKind::ForUpdate => match end_of_body(study, step).and_then(now) {
            Some(brace) => (brace.saturating_sub(1), brace),
            None => return BTreeSet::new(),
        },
        _ => (first, last),
    };
    let name = &function.name;
    let slots = faulty.code.slots.iter().enumerate();
    let own = slots.filter(|(_, slot)| faulty.program.function(slot.function).name == *name);
    let inside = own.filter(|(_, slot)| {
        let at = slot.place.offset();
        first < at && at <= last
    });
    inside.map(|(number, _)| Place::Slot(SlotId(number as u32))).collect()
}

/// The closing brace of the body that comes before the last clause of `for`.
fn end_of_body(study: &Study, step: StepId) -> Option<u32> {
    let code = &study.model.code;
    let place = &code.steps[step.index()];
    let before = code.functions[place.function as usize].code.get(place.start.checked_sub(1)? as usize)?;
    let Instruction::Slot(slot) = before else { return None };
    match code.slots[slot.0 as usize].place {
        SlotPlace::AtEnd(brace) => Some(brace),
        _ => None,
    }
}
