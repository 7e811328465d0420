//! Which statements and branches of the user's text tests run.

use std::collections::BTreeSet;

use execute::{Executor, Stop, Until};
use ir::{StepId, StepKind};

use crate::task::Side;

use super::{Test, start};

/// Statements of a run that are looked at.
const MOST_STEPS: usize = 20_000;

/// What tests cover of the functions that they come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Statements that were run, of how many.
    pub statements: (usize, usize),
    /// Directions of conditions that were taken, of how many.
    pub branches: (usize, usize),
    /// Statements that were run, by test.
    pub by_test: Vec<BTreeSet<StepId>>,
    /// Statements that no test runs.
    pub missed: Vec<StepId>,
}

/// Runs the tests and notes what they come to.
pub fn coverage(side: &Side, tests: &[Test]) -> Coverage {
    let mut found = Coverage::default();
    let mut taken: BTreeSet<(StepId, StepId)> = BTreeSet::new();
    for test in tests {
        let mut steps = BTreeSet::new();
        follow(side, test, &mut steps, &mut taken);
        found.by_test.push(steps);
    }
    let all: BTreeSet<StepId> = found.by_test.iter().flatten().copied().collect();
    let functions: BTreeSet<_> = all.iter().map(|step| side.program.step(*step).function).collect();
    let counts = |step: &StepId| {
        let info = side.program.step(*step);
        functions.contains(&info.function) && info.kind != StepKind::Exit && (info.span.end as usize) <= side.own
    };
    let steps: Vec<StepId> = (0..side.program.steps.len() as u32).map(StepId).filter(counts).collect();
    found.missed = steps.iter().copied().filter(|step| !all.contains(step)).collect();
    found.statements = (steps.len() - found.missed.len(), steps.len());
    let conditions =
        steps.iter().filter(|step| matches!(side.program.step(**step).kind, StepKind::If | StepKind::Loop));
    for condition in conditions {
        let ways = taken.iter().filter(|(from, _)| from == condition).count();
        found.branches.0 += ways.min(2);
        found.branches.1 += 2;
    }
    found
}

fn follow(side: &Side, test: &Test, steps: &mut BTreeSet<StepId>, taken: &mut BTreeSet<(StepId, StepId)>) {
    let Ok(mut interpreter) = start(side, test, super::MOST_STEPS) else { return };
    for _ in 0..MOST_STEPS {
        let Stop::Step(step) = interpreter.position().clone() else { return };
        let info = side.program.step(step);
        let Ok(stop) = interpreter.resume(&Until::Into, &BTreeSet::new()) else { return };
        if (info.span.end as usize) > side.own {
            continue;
        }
        steps.insert(step);
        if let (StepKind::If | StepKind::Loop, Stop::Step(next)) = (info.kind, &stop) {
            taken.insert((step, *next));
        }
    }
}
