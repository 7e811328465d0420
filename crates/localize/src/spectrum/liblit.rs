//! Statistical bug isolation (Liblit, Naik, Zheng, Aiken and Jordan, "Scalable
//! statistical bug isolation", PLDI 2005, sections 3.1 to 3.3).
//!
//! A predicate is *observed* in a test that evaluates its condition, and *true*
//! if it holds at least once.
//!
//! ```text
//! Failure    = failing with it true / all tests with it true
//! Context    = failing with it observed / all tests with it observed
//! Increase   = Failure − Context
//! Importance = harmonic mean of Increase and log(failing with it true) / log(all failing)
//! ```
//!
//! If two of four tests that come to `if (p)` fail, and exactly these with `p`
//! true, then Failure = 1, Context = 1/2, Increase = 1/2, the second part of the
//! mean is 1, and so Importance = 2 / (2 + 1) = 2/3.
//!
//! The predicates are the outcomes of conditions. The paper's comparisons of
//! returned values and of variables with each other are not made, every
//! predicate is observed whenever control comes to it (no sampling), and no
//! confidence interval is asked for, as suites here are small. What does not
//! raise the chance of failure has 0. `predicates.rs` hands scores on to statements.

use std::collections::BTreeMap;

use ir::StepId;

use super::counts::share;
use super::predicates::{Predicate, conditions, spread};
use super::{Spectrum, Test};

/// Importance, from 0 to 1.
pub(super) fn scores(spectrum: &Spectrum) -> Vec<(StepId, f64)> {
    let all_failed = spectrum.tests.iter().filter(|test| test.failed).count() as f64;
    let predicates = conditions(spectrum).into_iter().flat_map(|step| [(step, true), (step, false)]);
    let scores: BTreeMap<Predicate, f64> = predicates
        .map(|predicate| (predicate, Observed::new(&spectrum.tests, predicate).importance(all_failed)))
        .collect();
    spread(spectrum, &scores, 0.0)
}

/// Numbers of tests, for a predicate.
#[derive(Clone, Copy, Debug, Default)]
struct Observed {
    failed_true: f64,
    all_true: f64,
    failed_observed: f64,
    all_observed: f64,
}

impl Observed {
    fn new(tests: &[Test], (step, outcome): Predicate) -> Observed {
        let mut found = Observed::default();
        for test in tests {
            let Some(&(yes, no)) = test.branches.get(&step).filter(|times| **times != (0, 0)) else { continue };
            let (is_true, failed) = (if outcome { yes } else { no } > 0, test.failed);
            found.all_observed += 1.0;
            found.failed_observed += f64::from(u8::from(failed));
            found.all_true += f64::from(u8::from(is_true));
            found.failed_true += f64::from(u8::from(is_true && failed));
        }
        found
    }

    fn increase(&self) -> f64 {
        share(self.failed_true, self.all_true) - share(self.failed_observed, self.all_observed)
    }

    fn importance(&self, all_failed: f64) -> f64 {
        let (increase, sensitivity) = (self.increase(), sensitivity(self.failed_true, all_failed));
        if increase <= 0.0 || sensitivity <= 0.0 {
            return 0.0;
        }
        2.0 / (1.0 / increase + 1.0 / sensitivity)
    }
}

/// How many of the failures a predicate accounts for, on a scale of logarithms.
/// A single failure leaves nothing to divide by: it is accounted for or not.
fn sensitivity(failed_true: f64, all_failed: f64) -> f64 {
    match () {
        () if failed_true < 1.0 => 0.0,
        () if all_failed <= 1.0 => 1.0,
        () => failed_true.ln() / all_failed.ln(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(failed: bool, yes: u32, no: u32) -> Test {
        Test { failed, branches: BTreeMap::from([(StepId(0), (yes, no))]), ..Test::default() }
    }

    fn importance(tests: &[Test], outcome: bool) -> f64 {
        let failed = tests.iter().filter(|test| test.failed).count() as f64;
        Observed::new(tests, (StepId(0), outcome)).importance(failed)
    }

    #[test]
    fn examples() {
        let tests = [test(true, 1, 0), test(true, 3, 1), test(false, 0, 1), test(false, 0, 2)];
        assert_eq!(importance(&tests, true), 2.0 / 3.0);
        // One of three tests fails where it is false, two of four at all.
        assert_eq!(importance(&tests, false), 0.0);
    }

    #[test]
    fn a_single_failure_is_accounted_for() {
        let tests = [test(true, 1, 0), test(false, 0, 1)];
        assert_eq!(importance(&tests, true), 2.0 / 3.0);
    }

    #[test]
    fn one_of_many_failures_tells_nothing() {
        let tests = [test(true, 1, 0), test(true, 0, 1), test(false, 0, 1)];
        assert_eq!(importance(&tests, true), 0.0);
    }
}
