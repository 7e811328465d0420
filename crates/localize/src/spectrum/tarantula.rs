//! Tarantula (Jones and Harrold, "Empirical evaluation of the Tarantula
//! automatic fault-localization technique", ASE 2005).
//!
//! The share of the failing tests that come to a statement, as part of the sum
//! of that share and the share of the passing tests:
//!
//! ```text
//!                      failed / all failed
//!          ────────────────────────────────────────────
//!          passed / all passed  +  failed / all failed
//! ```
//!
//! A statement that the one failing test and one of five passing tests come to
//! has 1 / (1/5 + 1) = 0.83; one that all tests come to has 0.5.

use super::counts::{Counts, share};

/// From 0 to 1; 0 where no test comes.
pub(super) fn suspiciousness(counts: &Counts) -> f64 {
    let failed = share(counts.failed, counts.all_failed);
    let passed = share(counts.passed, counts.all_passed);
    share(failed, failed + passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples() {
        let one = |failed, passed| suspiciousness(&Counts { failed, passed, all_failed: 1.0, all_passed: 5.0 });
        assert_eq!(one(1.0, 5.0), 0.5);
        assert_eq!(one(1.0, 1.0), 1.0 / 1.2);
        assert_eq!(one(1.0, 0.0), 1.0);
        assert_eq!(one(0.0, 3.0), 0.0);
        assert_eq!(one(0.0, 0.0), 0.0);
    }
}
