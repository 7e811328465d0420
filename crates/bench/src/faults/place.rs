//! Where a version is wrong, as places of its model.

use std::collections::BTreeSet;

use encode::{Model, Place, SlotId};
use inject::{Fault, FaultKind};
use ir::{StepId, StepKind};

/// The places of a fault: the changed statement, or every slot where the deleted one stood.
pub(super) fn places(model: &Model, fault: &Fault) -> BTreeSet<Place> {
    match fault.kind {
        FaultKind::Deletion => slots(model, fault),
        _ => statement(model, fault.faulty).map(Place::Step).into_iter().collect(),
    }
}

/// The smallest statement that has these bytes.
fn statement(model: &Model, (start, end): (u32, u32)) -> Option<StepId> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let has = |step: &StepId| {
        let span = model.program.step(*step).span;
        model.program.step(*step).kind != StepKind::Exit && span.start <= start && end <= span.end
    };
    steps.filter(has).min_by_key(|step| model.program.step(*step).span.end - model.program.step(*step).span.start)
}

/// The slots between the statements before and after the place of a deleted one.
fn slots(model: &Model, fault: &Fault) -> BTreeSet<Place> {
    let program = &model.program;
    let own = program.steps.iter().filter(|step| program.function(step.function).name.as_ref() == fault.function);
    let starts: Vec<u32> = own.map(|step| step.span.start).collect();
    let first = starts.iter().copied().filter(|&start| start < fault.faulty.0).max().unwrap_or(0);
    let last = starts.iter().copied().filter(|&start| start >= fault.faulty.1).min().unwrap_or(u32::MAX);
    let numbered = model.code.slots.iter().enumerate();
    let inside = numbered.filter(|(_, slot)| {
        let at = slot.place.offset();
        program.function(slot.function).name.as_ref() == fault.function && first < at && at <= last
    });
    inside.map(|(number, _)| Place::Slot(SlotId(number as u32))).collect()
}

/// The sections that have the faults: what lies in the same loops as they do.
pub(super) fn sections(model: &Model, faults: &[BTreeSet<Place>]) -> BTreeSet<Place> {
    let steps = (0..model.program.steps.len() as u32).map(|step| Place::Step(StepId(step)));
    let slots = (0..model.code.slots.len() as u32).map(|slot| Place::Slot(SlotId(slot)));
    let wanted: BTreeSet<_> = faults.iter().flatten().map(|place| section(model, *place)).collect();
    steps.chain(slots).filter(|place| wanted.contains(&section(model, *place))).collect()
}

/// The function and the innermost loop around a place; a loop's own condition belongs to it.
fn section(model: &Model, place: Place) -> (ir::FunctionId, Option<(u32, u32)>) {
    let (function, at) = match place {
        Place::Step(step) => (model.program.step(step).function, model.program.step(step).span.start),
        Place::Slot(slot) => {
            let slot = &model.code.slots[slot.0 as usize];
            (slot.function, slot.place.offset())
        }
    };
    let around = loops(&model.program.function(function).body).into_iter().filter(|span| span.0 < at && at < span.1);
    (function, around.min_by_key(|span| span.1 - span.0))
}

/// The bytes of all loops.
fn loops(code: &[ir::Code]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for item in code {
        match item {
            ir::Code::Loop(inner) => {
                found.push((inner.span.start, inner.span.end));
                found.extend(loops(&inner.body));
            }
            ir::Code::If { then, otherwise, .. } => found.extend(loops(then).into_iter().chain(loops(otherwise))),
            ir::Code::Switch { body, .. } => found.extend(loops(body)),
            _ => {}
        }
    }
    found
}
