//! DStar (Wong, Debroy, Gao and Li, "The DStar method for effective software
//! fault localization", IEEE Transactions on Reliability 2014), with the star
//! that the paper recommends, 2.
//!
//! The failing tests that come to a statement, squared, against the tests that
//! speak against it: passing ones that come, and failing ones that do not.
//!
//! ```text
//!               failed²
//!   ───────────────────────────────
//!   passed + (all failed − failed)
//! ```
//!
//! A statement that three of four failing tests and two passing tests come to
//! has 9 / (2 + 1) = 3. Where nothing speaks against it, it has infinity.

use super::counts::Counts;

const STAR: i32 = 2;

/// From 0; infinite where exactly the failing tests come.
pub(super) fn suspiciousness(counts: &Counts) -> f64 {
    if counts.failed == 0.0 {
        return 0.0;
    }
    counts.failed.powi(STAR) / (counts.passed + (counts.all_failed - counts.failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples() {
        let one = |failed, passed| suspiciousness(&Counts { failed, passed, all_failed: 4.0, all_passed: 9.0 });
        assert_eq!(one(3.0, 2.0), 3.0);
        assert_eq!(one(4.0, 0.0), f64::INFINITY);
        assert_eq!(one(4.0, 8.0), 2.0);
        assert_eq!(one(0.0, 0.0), 0.0);
    }
}
