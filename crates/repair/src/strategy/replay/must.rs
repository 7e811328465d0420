//! What a statement has to write, so that the next demand can still be met.
//!
//! If one edit is left and `n2.next` must still become null, which nothing that
//! follows may write, then that edit must write it.

use encode::{Cell, Machine, Model, Place, may_write};
use spec::Relation;

use super::stretch::Useful;
use super::{Effort, Replay, Way};

/// What a statement has to write.
pub(super) enum Must {
    /// No edit can help any more.
    Cut,
    /// It may write anything.
    Anything,
    /// One of these values to its cell.
    Write(Vec<(u32, Cell)>),
}

/// The cell that a fact is about, and the value it should have.
pub(super) fn target(model: &Model, machine: &Machine, check: &encode::Check) -> Option<(u32, Cell)> {
    Some((machine.cell_of_spot(model, &check.spot)?, machine.expected_cell(&check.expected)?))
}

pub(super) fn pc_of(model: &Model, place: Place) -> u32 {
    match place {
        Place::Step(step) => model.code.steps[step.index()].start,
        Place::Slot(slot) => model.code.slots[slot.0 as usize].pc,
    }
}

impl Replay<'_> {
    /// What the statement that runs now has to write, so that the next demand can still be met.
    pub(super) fn must_write(&mut self, way: &Way) -> Must {
        let model = self.model;
        let prepared = &self.traces[way.trace];
        let demand = &prepared.trace.demands[way.demand];
        let machine = &way.machine;
        let frame = machine.frame();
        let visits = machine.visits[demand.at.step.index()];
        let home = &self.model.code.steps[demand.at.step.index()];
        let depth = demand.calls.len();
        // Past its goal a run may fail, as long as another edit can follow.
        // A run that is followed for its marks is to come to its end as it is.
        if self.marks.is_some() {
            return Must::Anything;
        }
        let steady = matches!(self.effort, Effort::Steady(_) | Effort::Stretch(_) | Effort::Joint(_));
        if steady && way.progress >= way.goal && way.budget > 0 {
            return Must::Anything;
        }
        // Where all traces count together, a later edit may be made before this one.
        if (matches!(self.effort, Effort::Together(_)) || matches!(self.useful, Some(Useful::Nearly(..))))
            && way.budget > 0
        {
            return Must::Anything;
        }
        if machine.frames.len() != depth || home.function != frame.function || demand.at.count != visits + 1 {
            return Must::Anything;
        }
        let reach = self.reaches.before(self.model, frame.function, Some(demand.at.step));
        let pc = frame.pc as usize;
        let differs = |check: &&encode::Check| check.relation == Relation::Equal && !machine.holds(self.model, check);
        let needed: Vec<&encode::Check> = prepared.checks[way.demand]
            .iter()
            .filter(differs)
            .filter(|check| !may_write(self.model, machine, &reach.writes[pc], &check.spot))
            .collect();
        if needed.is_empty() || reach.cycles[pc] {
            return Must::Anything;
        }
        let later = way.parts.iter().filter(|part| reach.leads(pc as u32, pc_of(model, part.place))).count();
        // A steady search edits no other place before the next demand.
        let budget = if steady && self.collected.is_none() { way.pending.len() } else { way.budget as usize };
        let left = later + budget;
        match needed.len() {
            needed if needed > left + 1 => Must::Cut,
            count if count <= left => Must::Anything,
            _ => Must::Write(needed.iter().filter_map(|check| target(model, machine, check)).collect()),
        }
    }
}
