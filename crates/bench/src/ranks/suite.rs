//! Tests of a right program, made by running it.
//!
//! An argument list is kept if the program does something with it that it did
//! with none before: comes to a new statement, takes a new branch, takes a branch
//! a new number of times (once, twice, three times, four to seven times, more),
//! or begins with a new sequence of decisions in the main function under study.
//! The lists of the program's comments are tried first, then all short ones, then
//! random ones, until a few hundred of them show no statement and no branch that is new.

use std::collections::BTreeSet;

use execute::ExecuteError;
use fastrand::Rng;
use ir::StepId;

use super::draw::{Shape, all_lists};
use super::observe::{Behaviour, End, Given, Run, Watched};
use crate::study::Study;

/// A test: what goes in, and what the right program does with it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// What goes in.
    pub given: Given,
    /// What the right program does.
    pub right: Behaviour,
    /// The statements it runs.
    pub steps: u64,
}

impl Sample {
    /// The statements that a faulty version may run with it.
    pub fn max_steps(&self) -> u64 {
        20 * self.steps + 10_000
    }
}

/// Random lists in a row without a new statement or branch, after which there are enough.
const DRY: usize = 300;
/// Tests of a program, at most.
const MOST: usize = 200;
/// The right program may run so many statements.
const STEPS: u64 = 100_000;
/// Decisions at the beginning of a run that tell it from others.
const PREFIX: usize = 6;

/// Something that a run did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    Statement(StepId),
    Branch(StepId, bool),
    Times(StepId, bool, u8),
    Beginning(Vec<(StepId, bool)>),
}

/// Makes tests for a program.
pub(super) struct Maker<'m> {
    study: &'m Study,
    watched: Watched<'m>,
    shape: Shape,
    seen: BTreeSet<Feature>,
    tried: BTreeSet<Vec<String>>,
}

impl<'m> Maker<'m> {
    /// A maker that has seen nothing yet.
    pub fn new(study: &'m Study) -> Maker<'m> {
        Maker {
            study,
            watched: Watched::new(&study.model),
            shape: Shape::new(&study.case.inputs),
            seen: BTreeSet::new(),
            tried: BTreeSet::new(),
        }
    }

    /// The tests of the program.
    pub fn suite(&mut self, random: &mut Rng) -> Result<Vec<Sample>, ExecuteError> {
        let mut suite = Vec::new();
        let short = all_lists(&["0", "1", "2"], 4);
        for arguments in self.study.case.inputs.iter().chain(&short) {
            let new = self.try_out(arguments)?;
            suite.extend(new.filter(|new| new.differs).map(|new| new.sample));
        }
        let mut dry = 0;
        while dry < DRY && suite.len() < MOST {
            let new = self.try_out(&self.shape.draw(random))?;
            dry = if new.as_ref().is_some_and(|new| new.covers) { 0 } else { dry + 1 };
            suite.extend(new.filter(|new| new.differs).map(|new| new.sample));
        }
        suite.truncate(MOST);
        Ok(suite)
    }

    /// Tests that may be no different for the right program but may be so for a
    /// faulty one: those of the comments again, then random ones without end.
    pub fn more<'a>(&'a mut self, random: &'a mut Rng) -> impl Iterator<Item = Result<Sample, ExecuteError>> + 'a {
        let given = self.study.case.inputs.clone().into_iter();
        let drawn = std::iter::repeat_with({
            let shape = self.shape.clone();
            move || shape.draw(random)
        });
        given.chain(drawn).filter_map(|arguments| Some(self.try_out(&arguments).transpose()?.map(|tried| tried.sample)))
    }

    /// What the right program does; `None` if the list was tried before, or is none that it can work with.
    fn try_out(&mut self, arguments: &[String]) -> Result<Option<Tried>, ExecuteError> {
        if !self.tried.insert(arguments.to_vec()) {
            return Ok(None);
        }
        let given = Given { arguments: arguments.to_vec(), stdin: self.study.case.stdin.clone() };
        let run = self.watched.run(&given, STEPS)?;
        // What the right program cannot do tells nothing of a wrong one.
        if !matches!(run.behaviour.end, End::Exited(_)) {
            return Ok(None);
        }
        let (mut covers, mut differs) = (false, false);
        for feature in self.features(&run) {
            let is_coverage = matches!(feature, Feature::Statement(_) | Feature::Branch(..));
            let is_new = self.seen.insert(feature);
            covers |= is_new && is_coverage;
            differs |= is_new;
        }
        Ok(Some(Tried { sample: Sample { given, right: run.behaviour, steps: run.steps }, covers, differs }))
    }

    /// What the functions under study did.
    fn features(&self, run: &Run) -> Vec<Feature> {
        let function = |step: StepId| self.study.model.program.step(step).function;
        let studied = |step: &StepId| self.study.functions.contains(&function(*step));
        let mut found: Vec<Feature> = run.covered.keys().copied().filter(studied).map(Feature::Statement).collect();
        for (&step, &(yes, no)) in run.branches.iter().filter(|(step, _)| studied(step)) {
            for (outcome, times) in [(true, yes), (false, no)].into_iter().filter(|(_, times)| *times > 0) {
                found.extend([Feature::Branch(step, outcome), Feature::Times(step, outcome, bucket(times))]);
            }
        }
        let decisions = run.path.iter().copied().filter(|(step, _)| function(*step) == self.study.function);
        found.push(Feature::Beginning(decisions.take(PREFIX).collect()));
        found
    }
}

/// What came of a list.
struct Tried {
    sample: Sample,
    /// Whether it came to a new statement or took a new branch.
    covers: bool,
    /// Whether it did anything new.
    differs: bool,
}

/// Numbers of times that are much the same.
fn bucket(times: u32) -> u8 {
    match times {
        0..=3 => times as u8,
        4..=7 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::study;
    use super::*;

    #[test]
    fn everything_under_study_is_covered() {
        for name in ["l01_delete_middle", "l07_delete_specific_node", "l17_delete_specific_doubly"] {
            let study = study(name);
            let mut maker = Maker::new(&study);
            let suite = maker.suite(&mut Rng::with_seed(1)).expect("it runs");
            assert!((5..=MOST).contains(&suite.len()), "{name} has {} tests", suite.len());
            let studied = |step: &StepId| study.functions.contains(&study.model.program.step(*step).function);
            for step in crate::study::statements(&study.model).filter(studied) {
                assert!(maker.seen.contains(&Feature::Statement(step)), "{name}: {step:?} is not covered");
            }
            for step in maker.watched.conditions().filter(studied) {
                let both = [true, false].map(|outcome| maker.seen.contains(&Feature::Branch(step, outcome)));
                assert_eq!(both, [true, true], "{name}: {step:?}");
            }
        }
    }
}
