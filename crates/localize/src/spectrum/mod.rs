//! Spectrum-based fault localizers: what failing tests run and passing ones do not.
//!
//! They are what the Wolverine paper compares itself with (section 7, RQ4). All
//! of them take the same table, the [`Spectrum`]: for each test whether it
//! failed, how often it came to each statement, and how often each condition
//! was true and false. For
//!
//! ```text
//!            test 1   test 2 (fails)
//! step 0       1        1
//! step 1       0        1
//! ```
//!
//! every method says that step 1 is the more suspicious one, except for those
//! that look at conditions only ([`Method::Liblit`], [`Method::Sober`]) and find none here.
//!
//! Nothing here knows how the tests were made or run.

pub mod control;
mod counts;
mod dstar;
mod liblit;
mod ochiai;
mod predicates;
mod sober;
mod tarantula;

use std::collections::BTreeMap;

use ir::StepId;

use control::Guards;
use counts::Counts;

/// What one test did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Whether it failed.
    pub failed: bool,
    /// How often it came to each statement; those it never came to may be left out.
    pub covered: BTreeMap<StepId, u32>,
    /// How often each condition was true, and how often false.
    pub branches: BTreeMap<StepId, (u32, u32)>,
}

/// What all tests did.
#[derive(Clone, Debug, Default)]
pub struct Spectrum {
    /// The tests.
    pub tests: Vec<Test>,
    /// The statements that are ranked, whether a test came to them or not.
    pub steps: Vec<StepId>,
    /// Which outcomes of conditions decide whether a statement is run: those
    /// localizers that score conditions hand the score on along these.
    pub guards: Guards,
}

/// A localizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Jones and Harrold, ASE 2005.
    Tarantula,
    /// Abreu, Zoeteweij and van Gemund, PRDC 2006.
    Ochiai,
    /// Wong, Debroy, Gao and Li, IEEE Transactions on Reliability 2014.
    DStar,
    /// Liblit, Naik, Zheng, Aiken and Jordan, PLDI 2005.
    Liblit,
    /// Liu, Yan, Fei, Han and Midkiff, ESEC/FSE 2005.
    Sober,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [Method::Tarantula, Method::Ochiai, Method::DStar, Method::Liblit, Method::Sober];

    /// As one word.
    pub fn name(self) -> &'static str {
        match self {
            Method::Tarantula => "tarantula",
            Method::Ochiai => "ochiai",
            Method::DStar => "dstar",
            Method::Liblit => "liblit",
            Method::Sober => "sober",
        }
    }
}

/// A statement with what a method says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The statement.
    pub step: StepId,
    /// The larger the more suspicious; only comparable within one method.
    pub score: f64,
    /// From 1; statements with the same score share the average of their ranks.
    pub rank: f64,
}

/// Ranks all statements of a spectrum, the most suspicious first.
pub fn rank(method: Method, spectrum: &Spectrum) -> Vec<Scored> {
    ranked(&scores(method, spectrum))
}

fn scores(method: Method, spectrum: &Spectrum) -> Vec<(StepId, f64)> {
    let by_counts = |formula: fn(&Counts) -> f64| {
        spectrum.steps.iter().map(|&step| (step, formula(&Counts::of(spectrum, step)))).collect()
    };
    match method {
        Method::Tarantula => by_counts(tarantula::suspiciousness),
        Method::Ochiai => by_counts(ochiai::suspiciousness),
        Method::DStar => by_counts(dstar::suspiciousness),
        Method::Liblit => liblit::scores(spectrum),
        Method::Sober => sober::scores(spectrum),
    }
}

/// Orders by score, and by place in the program where scores are equal.
fn ranked(scores: &[(StepId, f64)]) -> Vec<Scored> {
    let mut ordered = scores.to_vec();
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut found = Vec::with_capacity(ordered.len());
    for tied in ordered.chunk_by(|a, b| a.1 == b.1) {
        // The ranks first, first + 1, … of the tied ones, on average.
        let rank = found.len() as f64 + (tied.len() as f64 + 1.0) / 2.0;
        found.extend(tied.iter().map(|&(step, score)| Scored { step, score, rank }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_average_rank() {
        let scores = [(StepId(0), 0.5), (StepId(1), 1.0), (StepId(2), 0.5), (StepId(3), 0.0)];
        let found: Vec<(u32, f64)> = ranked(&scores).iter().map(|scored| (scored.step.0, scored.rank)).collect();
        assert_eq!(found, [(1, 1.0), (0, 2.5), (2, 2.5), (3, 4.0)]);
    }

    #[test]
    fn infinite_scores_are_tied_too() {
        let scores = [(StepId(0), f64::INFINITY), (StepId(1), f64::INFINITY), (StepId(2), f64::NEG_INFINITY)];
        assert_eq!(ranked(&scores).iter().map(|scored| scored.rank).collect::<Vec<_>>(), [1.5, 1.5, 3.0]);
    }
}
