//! From scores of conditions to scores of statements.
//!
//! The predicates of [`super::liblit`] and [`super::sober`] are the outcomes of
//! conditions. In
//!
//! ```text
//! 0   if (p == NULL)
//! 1       p = head;
//! 2   n = 0;
//! ```
//!
//! a score of "step 0 is true" is one of step 0, where it stands, and of step 1,
//! which is run because of it (its direct control dependence). Step 2 has none
//! and gets the least score there is: nothing was told about it.

use std::collections::{BTreeMap, BTreeSet};

use ir::StepId;

use super::Spectrum;

/// An outcome of a condition.
pub(super) type Predicate = (StepId, bool);

/// The conditions that some test evaluated.
pub(super) fn conditions(spectrum: &Spectrum) -> BTreeSet<StepId> {
    spectrum.tests.iter().flat_map(|test| test.branches.keys().copied()).collect()
}

/// The best score among the predicates of each statement, `least` where it has none.
pub(super) fn spread(spectrum: &Spectrum, scores: &BTreeMap<Predicate, f64>, least: f64) -> Vec<(StepId, f64)> {
    let of = |step: StepId| {
        let own = [(step, true), (step, false)];
        let guards = spectrum.guards.get(&step).into_iter().flatten().copied();
        let known = own.into_iter().chain(guards).filter_map(|predicate| scores.get(&predicate));
        known.copied().fold(least, f64::max)
    };
    spectrum.steps.iter().map(|&step| (step, of(step))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_take_the_score_of_what_they_depend_on() {
        let steps = vec![StepId(0), StepId(1), StepId(2)];
        let guards = BTreeMap::from([(StepId(1), BTreeSet::from([(StepId(0), true)]))]);
        let spectrum = Spectrum { steps, guards, ..Spectrum::default() };
        let scores = BTreeMap::from([((StepId(0), true), 0.25), ((StepId(0), false), 0.75)]);
        let found = spread(&spectrum, &scores, 0.0);
        assert_eq!(found, [(StepId(0), 0.75), (StepId(1), 0.25), (StepId(2), 0.0)]);
    }
}
