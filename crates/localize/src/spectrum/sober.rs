//! SOBER (Liu, Yan, Fei, Han and Midkiff, "SOBER: statistical model-based bug
//! localization", ESEC/FSE 2005, section 3).
//!
//! The *evaluation bias* of a condition in a run is the share of evaluations in
//! which it was true; one half in a run that never evaluates it. If failing runs
//! were like passing ones, the mean bias Y of the m failing runs would be normal
//! around the mean μ of the passing runs, with their deviation σ over √m. The
//! score says how unlikely Y is then:
//!
//! ```text
//! Z = (Y − μ) / (σ / √m)        score = − log( √m / σ · φ(Z) )
//! ```
//!
//! with the density φ of the standard normal distribution. For biases 0 and 1
//! of two passing runs, μ = ½ and σ = √½; of one failing run with bias ½,
//! Z = 0 and the score is −log(√2 · 0.3989) = 0.57.
//!
//! Where passing runs all have the same bias, a failing mean that differs is
//! infinitely unlikely, and an equal one says nothing at all (−∞), like a
//! statement without a condition. `predicates.rs` hands scores on to statements; both
//! outcomes of a condition have the same score.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use ir::StepId;

use super::predicates::{Predicate, conditions, spread};
use super::{Spectrum, Test};

/// From −∞ to ∞.
pub(super) fn scores(spectrum: &Spectrum) -> Vec<(StepId, f64)> {
    let mut scores: BTreeMap<Predicate, f64> = BTreeMap::new();
    for step in conditions(spectrum) {
        let of = |failed: bool| biases(&spectrum.tests, step, failed);
        let score = dissimilarity(&of(false), &of(true));
        scores.extend([((step, true), score), ((step, false), score)]);
    }
    spread(spectrum, &scores, f64::NEG_INFINITY)
}

fn biases(tests: &[Test], step: StepId, failed: bool) -> Vec<f64> {
    tests.iter().filter(|test| test.failed == failed).map(|test| bias(test, step)).collect()
}

fn bias(test: &Test, step: StepId) -> f64 {
    match test.branches.get(&step) {
        None | Some((0, 0)) => 0.5,
        Some(&(yes, no)) => f64::from(yes) / (f64::from(yes) + f64::from(no)),
    }
}

/// The negated logarithm of the likelihood of the failing runs' mean.
fn dissimilarity(passing: &[f64], failing: &[f64]) -> f64 {
    if passing.is_empty() || failing.is_empty() {
        return f64::NEG_INFINITY;
    }
    let (expected, found) = (mean(passing), mean(failing));
    let deviation = deviation(passing, expected) / (failing.len() as f64).sqrt();
    match () {
        // Rounding alone must not look like a difference.
        () if deviation < 1e-9 && (found - expected).abs() < 1e-9 => f64::NEG_INFINITY,
        () if deviation < 1e-9 => f64::INFINITY,
        () => {
            let z = (found - expected) / deviation;
            deviation.ln() + (2.0 * PI).sqrt().ln() + z * z / 2.0
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Of a sample, so the divisor is one less than its size.
fn deviation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-3, "{found} is not {wanted}");
        near(dissimilarity(&[0.0, 1.0], &[0.5]), 0.572);
        // Z = ½ / √½, so z² / 2 = ¼ is added.
        near(dissimilarity(&[0.0, 1.0], &[1.0]), 0.822);
        // Four failing runs halve the deviation: −log 2, and z² / 2 = 1.
        near(dissimilarity(&[0.0, 1.0], &[1.0; 4]), 0.572 - 0.693 + 1.0);
    }

    #[test]
    fn passing_runs_that_are_all_alike() {
        assert_eq!(dissimilarity(&[0.3, 0.3], &[0.3]), f64::NEG_INFINITY);
        assert_eq!(dissimilarity(&[0.3, 0.3], &[0.4]), f64::INFINITY);
        assert_eq!(dissimilarity(&[], &[0.4]), f64::NEG_INFINITY);
    }

    #[test]
    fn a_condition_that_is_not_evaluated_leans_to_no_side() {
        assert_eq!(bias(&Test::default(), StepId(0)), 0.5);
    }
}
