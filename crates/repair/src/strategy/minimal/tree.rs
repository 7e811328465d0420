//! Each set is made of a smaller one that fails, by a mutation that matters.
//!
//! The root is the program itself. A set S that fails with an input fails
//! because of the positions of some selectors, M. A repair that contains S
//! passes with that input, so it differs from S at one of M, and since it
//! contains S that is one that it turns on. So all minimal repairs are found by
//! going from S to S ∪ {m} for the m of M, size by size; and the smaller M is,
//! the less there is to do. Of all known inputs that make S fail the one with
//! the smallest M is taken.
//!
//! Sets are run with the known inputs first, which takes microseconds: with its
//! input put in, the formula is a circuit over the selectors. The solver is
//! asked only about sets that pass all of them.

use std::collections::HashSet;

use solver::Circuit;

use super::validate::Validated;
use super::{End, Progress, Search};

/// Inputs on which the places that matter are compared.
const MOST_COMPARED: usize = 6;
/// Sets between two looks at the clock.
const BREATH: usize = 256;

/// A set that fails, and the mutations one of which every repair adds.
struct Failed {
    on: Vec<usize>,
    must: Vec<usize>,
}

struct Tree<'s, 'a> {
    search: &'s mut Search<'a>,
    /// Inputs that go wrong with some set, those that ruled out a set last first.
    inputs: Vec<Circuit>,
    seen: HashSet<Vec<usize>>,
    repairs: Vec<Vec<usize>>,
}

/// What became of a set.
enum Fate {
    Failed,
    Repair,
    Unknown,
}

pub(super) fn run(search: &mut Search<'_>, progress: Progress<'_>) -> End {
    let mut tree = Tree { search, inputs: vec![], seen: HashSet::new(), repairs: vec![] };
    match tree.validate(&[]) {
        Fate::Repair => return tree.search.already_right(),
        Fate::Unknown => return End::OutOfTime,
        Fate::Failed => {}
    }
    let must = tree.must(&[]);
    let mut failed = vec![Failed { on: vec![], must }];
    for size in 1..=tree.search.wanted.max_size {
        tree.search.counts.size = size;
        failed = match tree.grow(failed, size, progress) {
            Ok(failed) => failed,
            Err(end) => return end,
        };
    }
    End::Covered
}

impl Tree<'_, '_> {
    /// All sets with one mutation more that matters; those that fail.
    fn grow(&mut self, failed: Vec<Failed>, size: usize, progress: Progress<'_>) -> Result<Vec<Failed>, End> {
        let is_last = size == self.search.wanted.max_size;
        let mut next = vec![];
        for set in failed {
            for more in &set.must {
                let Some(on) = self.with(&set.on, *more) else { continue };
                self.search.counts.tested += 1;
                if self.search.counts.tested.is_multiple_of(BREATH) {
                    progress(&self.search.counts, None);
                    if self.search.limits.exceeded().is_some() {
                        return Err(End::OutOfTime);
                    }
                }
                match self.look_at(&on) {
                    Fate::Unknown => return Err(End::OutOfTime),
                    Fate::Repair => {
                        self.search.accept(&on, progress);
                        self.repairs.push(on);
                        if self.search.wanted.first && !self.search.found.is_empty() {
                            return Err(End::First);
                        }
                    }
                    Fate::Failed if is_last => {}
                    Fate::Failed => {
                        let must = self.must(&on);
                        next.push(Failed { on, must });
                    }
                }
            }
        }
        Ok(next)
    }

    /// The set with one more, if it is new, and may be a minimal repair.
    fn with(&mut self, on: &[usize], more: usize) -> Option<Vec<usize>> {
        let site = |number: &usize| self.search.mutated.mutations[*number].site;
        if on.iter().any(|number| site(number) == site(&more)) {
            return None;
        }
        let mut larger = on.to_vec();
        larger.push(more);
        larger.sort_unstable();
        let contains = |repair: &Vec<usize>| repair.iter().all(|number| larger.contains(number));
        if self.repairs.iter().any(contains) || !self.seen.insert(larger.clone()) {
            return None;
        }
        Some(larger)
    }

    fn look_at(&mut self, on: &[usize]) -> Fate {
        if let Some(at) = self.inputs.iter_mut().position(|input| input.holds(on)) {
            // What rules out one set often rules out the next.
            self.inputs[..=at].rotate_right(1);
            return Fate::Failed;
        }
        self.validate(on)
    }

    fn validate(&mut self, on: &[usize]) -> Fate {
        self.search.counts.validated += usize::from(!on.is_empty());
        match self.search.validator.validate(on, &self.search.limits) {
            Validated::Right => Fate::Repair,
            Validated::Unknown => Fate::Unknown,
            Validated::Vacuous => {
                self.search.counts.vacuous += 1;
                Fate::Failed
            }
            Validated::Wrong(model) => {
                self.search.counts.inputs += 1;
                let wrong = self.search.validator.with_input(&model);
                let validator = &self.search.validator;
                self.inputs.insert(0, Circuit::new(&validator.formula.terms, wrong, &validator.selectors));
                Fate::Failed
            }
        }
    }

    /// The mutations one of which every repair adds to a set that fails; all if it only no longer comes to an assertion.
    fn must(&mut self, on: &[usize]) -> Vec<usize> {
        let failing = self.inputs.iter_mut().filter_map(|input| input.holds(on).then(|| input.because()));
        let least = failing.take(MOST_COMPARED).min_by_key(Vec::len);
        let mut must = least.unwrap_or_else(|| (0..self.search.mutated.mutations.len()).collect());
        // The plainer ones first.
        must.sort_by_key(|number| self.search.mutated.mutations[*number].level);
        must
    }
}
