//! Edits that crash or go the wrong way where control comes to them again.
//!
//! `while (runner->value > 1)` should be `while (position > 1)`, and `position--`
//! is missing in its body. The right condition goes the right way at first, but
//! in the second round it does not: that run has failed, as one fails where
//! nothing is edited, and one more edit may mend it. So what can not go on is
//! followed as a failure of its own, not forgotten. That takes half as much work
//! again and is seldom needed, so it is done only when asked for.

use std::sync::Arc;

use encode::{Place, PlaceKind, PlaceSpace};

use super::condition::Directions;
use super::{Effort, Mode, ORIGINAL, Part, Replay, Way};
use crate::strategy::bits::Bits;

impl Replay<'_> {
    /// An edited place is come to again, and a decision that is forced counts as met already: what can not
    /// go on there has failed.
    pub(super) fn follow_stuck(&mut self, way: &Way, index: usize, forced: Option<bool>) {
        let counts = self.effort.goes_on() || self.effort == Effort::Steady(0);
        if !self.keep_stuck || way.budget == 0 || !counts || self.collected.is_some() {
            return;
        }
        let Some(stuck) = self.stuck(way, index, forced) else { return };
        let mut failed = self.copy(way);
        failed.parts[index].mode = Arc::new(stuck);
        failed.progress -= u32::from(forced.is_some());
        self.fail(failed);
    }

    /// The edits of a set that can not go on here.
    fn stuck(&self, way: &Way, index: usize, forced: Option<bool>) -> Option<Mode> {
        let Part { place, mode } = &way.parts[index];
        let known = self.places.get(*place)?;
        match &**mode {
            Mode::Condition(list) => {
                let Place::Step(step) = *place else { return None };
                let possible = self.conditions.get(place)?;
                let mut directions = Directions::new(self.model, &way.machine, step, &known.scope);
                let goes_on =
                    |taken: Option<bool>| taken.is_some_and(|taken| forced.is_none_or(|forced| forced == taken));
                let is_stuck = |&&number: &&u32| !goes_on(directions.taken(&possible[number as usize]));
                let stuck: Vec<u32> = list.iter().filter(is_stuck).copied().collect();
                (!stuck.is_empty()).then_some(Mode::Condition(stuck))
            }
            Mode::Assign(products) => Some(Mode::Assign(self.stuck_products(way, known, products)?)),
            Mode::Insert(products) => Some(Mode::Insert(self.stuck_products(way, known, products)?)),
            _ => None,
        }
    }

    /// The pairs of targets and sources of which one has no value here.
    fn stuck_products(&self, way: &Way, known: &PlaceSpace, products: &[(Bits, Bits)]) -> Option<Vec<(Bits, Bits)>> {
        let (terms, model) = (&known.scope.terms, self.model);
        // What is written there now can be followed only by running it.
        if !matches!(known.kind, PlaceKind::Assignment { .. } | PlaceKind::Slot) {
            return None;
        }
        let is_target = |i: usize| i == ORIGINAL || way.machine.term_cell(model, &terms[i]).is_ok();
        let is_source = |i: usize| i == ORIGINAL || way.machine.term_value(model, &terms[i]).is_ok();
        let mut stuck = Vec::new();
        for (targets, sources) in products {
            let (good, bad): (Vec<usize>, Vec<usize>) = targets.iter().partition(|&i| is_target(i));
            let lost: Vec<usize> = sources.iter().filter(|&i| !is_source(i)).collect();
            let set = |numbers: Vec<usize>| numbers.into_iter().fold(Bits::default(), Bits::with);
            stuck.extend((!bad.is_empty()).then(|| (set(bad), *sources)));
            stuck.extend((!lost.is_empty() && !good.is_empty()).then(|| (set(good), set(lost))));
        }
        (!stuck.is_empty()).then_some(stuck)
    }
}
