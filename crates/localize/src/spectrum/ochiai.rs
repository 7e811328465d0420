//! Ochiai (Abreu, Zoeteweij and van Gemund, "An evaluation of similarity
//! coefficients for software fault localization", PRDC 2006).
//!
//! How similar the tests that come to a statement are to the tests that fail,
//! as the cosine of the angle between the two:
//!
//! ```text
//!                failed
//!   ─────────────────────────────────
//!   √( all failed · (failed + passed) )
//! ```
//!
//! A statement that the one failing test and three passing tests come to has
//! 1 / √(1 · 4) = 0.5.

use super::counts::{Counts, share};

/// From 0 to 1; 0 where no test comes.
pub(super) fn suspiciousness(counts: &Counts) -> f64 {
    share(counts.failed, (counts.all_failed * (counts.failed + counts.passed)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples() {
        let one = |failed, passed| suspiciousness(&Counts { failed, passed, all_failed: 4.0, all_passed: 9.0 });
        assert_eq!(one(4.0, 0.0), 1.0);
        assert_eq!(one(1.0, 0.0), 0.5);
        assert_eq!(one(2.0, 7.0), 2.0 / 6.0);
        assert_eq!(one(0.0, 9.0), 0.0);
        assert_eq!(one(0.0, 0.0), 0.0);
    }
}
