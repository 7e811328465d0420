//! Dices: the statements that a failing test runs and a passing one does not
//! (H §4; Agrawal and others). Of all pairs, the largest dice.

use std::collections::BTreeSet;

use check::suite::Coverage;
use ir::StepId;

/// The largest dice; none if no test passes or all run the same statements.
pub fn largest(coverage: &Coverage, failing: &[bool]) -> Option<BTreeSet<StepId>> {
    let tests = || coverage.by_test.iter().zip(failing);
    let failed = tests().filter(|(_, failing)| **failing).map(|(steps, _)| steps);
    let dices = failed.flat_map(|failed| {
        let passed = tests().filter(|(_, failing)| !**failing).map(|(steps, _)| steps);
        passed.map(|passed| failed.difference(passed).copied().collect::<BTreeSet<StepId>>())
    });
    dices.filter(|dice| !dice.is_empty()).max_by_key(BTreeSet::len)
}
