//! Other operands inside of statements, in sets.
//!
//! In `h = max(height(x), height(y))` all terms that have the same value at the
//! statement stay together in the place of `x`: one run for each value, not for
//! each term. Two operands, or an operand and the target, can be others at once.

use std::sync::Arc;

use encode::{Cell, EditSpot, Instruction, Model, Place, PlaceSpace, Scope, Stuck, operands};
use ir::{Action, ActionId, ActionKind, Callee, FunctionRef, Operand, OperandKind, StepId};

use super::{Mode, Replay, Way, spot_edit};
use crate::strategy::bits::Bits;

/// The terms that can stand at a spot.
pub(super) fn fitting(scope: &Scope, spot: &EditSpot) -> Bits {
    let mut found = Bits::default();
    for (i, term) in scope.terms.iter().enumerate().take(Bits::SIZE - 1) {
        let fits = match spot {
            EditSpot::Operand(_, _, ty) => term.ty == *ty,
            EditSpot::Target(ty) => term.ty == *ty && term.is_place(),
        };
        if fits {
            found.insert(i);
        }
    }
    found
}

/// The action whose operand a spot is.
fn action_of(spot: &EditSpot) -> Option<ActionId> {
    match spot {
        EditSpot::Operand(action, ..) => Some(*action),
        EditSpot::Target(_) => None,
    }
}

/// Two things of a statement or condition are others.
pub(super) fn pairs(known: &PlaceSpace) -> impl Iterator<Item = Mode> {
    known.pairs.iter().map(|spots| {
        let [one, other] = spots.map(|spot| fitting(&known.scope, &spot));
        Mode::Pair(*spots, vec![(one, other)])
    })
}

/// Whether nothing that is called in a statement before an action can change what a term means.
pub(super) fn is_still_before(model: &Model, step: StepId, action: ActionId) -> bool {
    actions(model, step).take_while(|other| other.id != action).all(|action| !may_change_memory(model, action))
}

/// Whether a statement may write other cells with another operand at a spot: where it is called with something else,
/// or where that says which cell is written.
pub(super) fn may_write_elsewhere(model: &Model, step: StepId, spot: ActionId, operand: u8) -> bool {
    let locals = &model.program.function(model.program.step(step).function).locals;
    let is_temporary = |operand: &Operand| match operand.kind {
        OperandKind::Local(local) => locals[local.index()].name.is_empty(),
        _ => false,
    };
    actions(model, step).any(|action| match &action.kind {
        ActionKind::Store { .. } => {
            let mut action = action.clone();
            let address = operands(&mut action).len() - 1;
            let is_here = action.id == spot;
            is_here && usize::from(operand) < address
                || !is_here && operands(&mut action)[..address].iter().any(|operand| is_temporary(operand))
        }
        _ => may_change_memory(model, action),
    })
}

/// What a statement does, in order.
fn actions(model: &Model, step: StepId) -> impl Iterator<Item = &Action> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    code.iter().filter_map(|instruction| match instruction {
        Instruction::Act(action) => Some(action),
        _ => None,
    })
}

/// Whether something is called that may write what others see.
fn may_change_memory(model: &Model, action: &Action) -> bool {
    match &action.kind {
        ActionKind::Call { callee: Callee::Direct(FunctionRef::Own(id)), .. } => !model.pure[id.index()],
        ActionKind::Call { .. } => true,
        _ => false,
    }
}

impl Replay<'_> {
    /// Follows the statement with each of the operands that are still possible, by their values.
    pub(super) fn split_operand(
        &mut self,
        way: &mut Way,
        index: usize,
        (action, operand): (ActionId, u8),
        set: &Bits,
    ) -> bool {
        let Place::Step(step) = way.parts[index].place else { return false };
        let mut groups = self.groups(way, step, Some(action), set);
        let terms = &self.space.places[&Place::Step(step)].scope.terms;
        groups.retain(|group| group.iter().any(|i| self.means_else(way, &terms[i])));
        let Some(last) = groups.pop() else { return false };
        for group in groups {
            let mut next = self.copy(way);
            self.swap(&mut next, index, Mode::Operand(action, operand, group));
            self.explore(next);
            if self.stopped {
                return false;
            }
        }
        self.swap(way, index, Mode::Operand(action, operand, last))
    }

    /// The same for two things; a condition goes one way or the other.
    pub(super) fn split_pair(
        &mut self,
        way: &mut Way,
        index: usize,
        (spots, products): (&[EditSpot; 2], &[(Bits, Bits)]),
        forced: Option<bool>,
    ) -> bool {
        let Place::Step(step) = way.parts[index].place else { return false };
        let is_condition = self.model.code.steps[step.index()].is_condition;
        let mut sides: [Vec<(Bits, Bits)>; 2] = Default::default();
        for (one, other) in products {
            let [ones, others] =
                [(0, one), (1, other)].map(|(i, set)| self.groups(way, step, action_of(&spots[i]), set));
            let of_use: Vec<Bits> = ones.into_iter().filter(|one| self.may_go_to(way, step, &spots[0], one)).collect();
            for &one in &of_use {
                for &other in &others {
                    if self.is_over() {
                        return false;
                    }
                    let mode = Mode::Pair(*spots, vec![(one, other)]);
                    if !is_condition {
                        let mut next = self.copy(way);
                        match self.swap(&mut next, index, mode) {
                            true => self.explore(next),
                            false => self.fail(next),
                        }
                    } else if let Some(taken) = self.taken(way, step, spots, (&one, &other)) {
                        sides[usize::from(taken)].push((one, other));
                    }
                }
            }
        }
        for (taken, pairs) in [false, true].into_iter().zip(sides) {
            if !pairs.is_empty() && forced.is_none_or(|forced| forced == taken) {
                let mut next = self.copy(way);
                next.parts[index].mode = Arc::new(Mode::Pair(*spots, pairs));
                next.machine.decide(self.model, step, taken);
                self.explore(next);
            }
        }
        false
    }

    /// Whether it could be of use that a statement writes where these targets lie.
    fn may_go_to(&self, way: &Way, step: StepId, spot: &EditSpot, targets: &Bits) -> bool {
        let (EditSpot::Target(_), Some(first)) = (spot, targets.iter().next()) else { return true };
        self.may_assign(way, Place::Step(step), &Mode::Target(first as u32), self.aim(way))
    }

    /// Which way a condition goes with these operands.
    fn taken(&self, way: &Way, step: StepId, spots: &[EditSpot; 2], pair: (&Bits, &Bits)) -> Option<bool> {
        let terms = &self.space.places[&Place::Step(step)].scope.terms;
        let (one, other) = (terms[pair.0.iter().next()?], terms[pair.1.iter().next()?]);
        let mut machine = way.machine.clone();
        machine.set_edits(self.model, &[spot_edit(step, &spots[0], one), spot_edit(step, &spots[1], other)]);
        machine.condition(self.model, step).ok()
    }

    /// Lets the machine make an edit inside of the statement it paused before; whether it does not crash there.
    /// What is assigned elsewhere is assigned right away, unless a call has to come back before.
    fn swap(&self, way: &mut Way, index: usize, mode: Mode) -> bool {
        way.parts[index].mode = Arc::new(mode);
        way.machine.set_edits(self.model, &self.inner_edits(&way.parts));
        let here = self.inner_edits(&way.parts[index..=index]);
        here.iter().all(|edit| way.machine.apply(self.model, edit).is_ok())
    }

    /// Terms that stand for the same as an operand of an action, or as the
    /// target; each for itself where what is called before may change that.
    fn groups(&self, way: &Way, step: StepId, action: Option<ActionId>, set: &Bits) -> Vec<Bits> {
        let terms = &self.space.places[&Place::Step(step)].scope.terms;
        let is_still = action.is_none_or(|action| is_still_before(self.model, step, action));
        let mut found: Vec<(Result<Cell, Stuck>, Bits)> = Vec::new();
        for i in set.iter() {
            let value = match action {
                Some(_) => way.machine.term_value(self.model, &terms[i]),
                None => way.machine.term_cell(self.model, &terms[i]).map(|at| Cell::Int(at.into())),
            };
            match found.iter_mut().find(|(known, _)| is_still && *known == value) {
                Some((_, group)) => group.insert(i),
                None => found.push((value, Bits::one(i))),
            }
        }
        found.into_iter().map(|(_, group)| group).collect()
    }
}
