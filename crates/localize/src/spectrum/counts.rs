//! How many failing and passing tests came to a statement: all that the
//! coverage-based formulas need.
//!
//! Of three tests, two of which fail, the first and the second come to step 4:
//! `failed = 1`, `passed = 1`, `all_failed = 2`, `all_passed = 1`.

use ir::StepId;

use super::Spectrum;

/// Numbers of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counts {
    /// Failing tests that came to the statement.
    pub failed: f64,
    /// Passing tests that came to it.
    pub passed: f64,
    /// Failing tests.
    pub all_failed: f64,
    /// Passing tests.
    pub all_passed: f64,
}

impl Counts {
    /// The numbers of a statement.
    pub fn of(spectrum: &Spectrum, step: StepId) -> Counts {
        let mut counts = Counts::default();
        for test in &spectrum.tests {
            let came = f64::from(u8::from(test.covered.get(&step).is_some_and(|&times| times > 0)));
            let (mine, all) = match test.failed {
                true => (&mut counts.failed, &mut counts.all_failed),
                false => (&mut counts.passed, &mut counts.all_passed),
            };
            *mine += came;
            *all += 1.0;
        }
        counts
    }
}

/// A part of a whole; nothing of nothing is nothing.
pub(super) fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::super::Test;
    use super::*;

    #[test]
    fn tests_are_counted_once_however_often_they_come() {
        let test =
            |failed, times| Test { failed, covered: [(StepId(4), times)].into_iter().collect(), ..Test::default() };
        let spectrum = Spectrum { tests: vec![test(true, 9), test(false, 2), test(true, 0)], ..Spectrum::default() };
        let wanted = Counts { failed: 1.0, passed: 1.0, all_failed: 2.0, all_passed: 1.0 };
        assert_eq!(Counts::of(&spectrum, StepId(4)), wanted);
    }
}
