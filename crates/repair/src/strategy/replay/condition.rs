//! Other conditions, in sets: which of them go the same way.
//!
//! In the place of `p != NULL && p->val < x` hundreds of conditions can stand.
//! At one moment each goes one of two ways, so there are two runs to follow. What
//! the rest of the condition makes of a comparison or of an operand is asked
//! once for each value, not for each of the terms that have it.

use std::collections::HashMap;
use std::sync::Arc;

use encode::{Cell, Machine, Model, NewCondition, Place, Possible, Scope, Stuck, TypedTerm};
use ir::{ActionId, StepId};

use super::compared::Compared;
use super::operand::is_still_before;
use super::{Mode, Replay, Way};

/// Which way conditions go in the place of one, where a machine stands before it.
pub(super) struct Directions<'a> {
    model: &'a Model,
    machine: &'a Machine,
    step: StepId,
    compared: Compared<'a>,
    /// A copy of the machine to try conditions in.
    scratch: Option<Machine>,
    /// Where the condition goes if a comparison in it is false, and if it is true.
    outcomes: HashMap<ActionId, [Option<bool>; 2]>,
    /// Where it goes as it is, once that is known.
    written: Option<Option<bool>>,
    /// The operand that is another one now, and where the condition goes with each of its values.
    operand: Option<(ActionId, u8)>,
    values: Vec<(Result<Cell, Stuck>, Option<bool>)>,
}

impl<'a> Directions<'a> {
    pub(super) fn new(model: &'a Model, machine: &'a Machine, step: StepId, scope: &'a Scope) -> Directions<'a> {
        let compared = Compared::new(model, machine, scope);
        Directions {
            model,
            machine,
            step,
            compared,
            scratch: None,
            outcomes: HashMap::new(),
            written: None,
            operand: None,
            values: Vec::new(),
        }
    }

    /// The way that one goes; nothing if it has no value.
    pub(super) fn taken(&mut self, possible: &Possible) -> Option<bool> {
        match (&possible.new, possible.comparison) {
            (NewCondition::Whole(_), Some(number)) => self.compared.holds(number),
            (NewCondition::Atom(action, _), Some(number)) => {
                let outcomes = self.outcomes(*action);
                match self.compared.holds(number) {
                    Some(truth) => outcomes[usize::from(truth)],
                    // It does not matter here, but only if it is not come to.
                    None if outcomes[0] == outcomes[1] => self.run(&possible.new),
                    None => None,
                }
            }
            (NewCondition::Before(and, _), Some(number)) => match self.compared.holds(number)? {
                truth if truth == *and => self.written(),
                truth => Some(truth),
            },
            (NewCondition::After(and, _), Some(number)) => match self.written()? {
                truth if truth == *and => self.compared.holds(number),
                truth => Some(truth),
            },
            (NewCondition::Operand(action, operand, term), _) if is_still_before(self.model, self.step, *action) => {
                self.with_operand((*action, *operand), term, &possible.new)
            }
            (new, _) => self.run(new),
        }
    }

    fn run(&mut self, new: &NewCondition) -> Option<bool> {
        let scratch = self.scratch.get_or_insert_with(|| self.machine.clone());
        scratch.new_condition(self.model, self.step, new).ok()
    }

    fn outcomes(&mut self, action: ActionId) -> [Option<bool>; 2] {
        if let Some(known) = self.outcomes.get(&action) {
            return *known;
        }
        let outcomes = [false, true].map(|truth| self.run(&NewCondition::Without(action, truth)));
        self.outcomes.insert(action, outcomes);
        outcomes
    }

    fn written(&mut self) -> Option<bool> {
        let scratch = self.scratch.get_or_insert_with(|| self.machine.clone());
        *self.written.get_or_insert_with(|| scratch.condition(self.model, self.step).ok())
    }

    /// Conditions with the same operand stand together, so only the values of one are remembered.
    fn with_operand(&mut self, operand: (ActionId, u8), term: &TypedTerm, new: &NewCondition) -> Option<bool> {
        if self.operand.replace(operand) != Some(operand) {
            self.values.clear();
        }
        let value = self.machine.term_value(self.model, term);
        if let Some((_, taken)) = self.values.iter().find(|(known, _)| *known == value) {
            return *taken;
        }
        let taken = self.run(new);
        self.values.push((value, taken));
        taken
    }
}

impl Replay<'_> {
    /// All that can stand in the place of a condition; sets have the numbers of this list.
    pub(super) fn conditions(&mut self, place: Place) -> Arc<Vec<Possible>> {
        let space = self.space;
        self.conditions.entry(place).or_insert_with(|| Arc::new(space.places[&place].conditions())).clone()
    }

    /// Splits a set of conditions by the way that they go, and follows both parts.
    pub(super) fn split_condition(&mut self, way: &mut Way, index: usize, list: &[u32], forced: Option<bool>) -> bool {
        let place = way.parts[index].place;
        let Place::Step(step) = place else { return false };
        let possible = self.conditions(place);
        let mut sides: [Vec<u32>; 2] = Default::default();
        let scope = &self.space.places[&place].scope;
        let mut directions = Directions::new(self.model, &way.machine, step, scope);
        let mut others = self.unlike.as_ref().map(|other| Directions::new(self.model, other, step, scope));
        for &number in list {
            let taken = directions.taken(&possible[number as usize]);
            if others.as_mut().is_some_and(|others| others.taken(&possible[number as usize]) == taken) {
                continue;
            }
            if let Some(taken) = taken.filter(|&taken| forced.is_none_or(|forced| forced == taken)) {
                sides[usize::from(taken)].push(number);
            }
        }
        let [no, yes] = sides;
        let last = !yes.is_empty();
        if !no.is_empty() && last {
            let mut other = self.copy(way);
            other.parts[index].mode = Arc::new(Mode::Condition(no.clone()));
            other.machine.decide(self.model, step, false);
            self.explore(other);
        }
        way.machine.decide(self.model, step, last);
        let rest = if last { yes } else { no };
        let goes_on = !rest.is_empty();
        way.parts[index].mode = Arc::new(Mode::Condition(rest));
        goes_on
    }
}
