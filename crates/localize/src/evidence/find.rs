//! Evidence of a fault: places along a run where what holds contradicts what
//! should (H §2.5).
//!
//! * Explicit, type I: something false that no variable can make true, `0 > 2`.
//! * Explicit, type II: what holds and what should have the same expression on
//!   the left: `s-a[i=2] < 0` holds, `s-a[2] >= 0` should.
//! * Implicit: what should hold at the start does not, and nothing contradicts it.

use std::cell::LazyCell;

use super::deduce::deduce;
use super::predicate::Predicate;
use super::states::{Actual, Wanted, actual, hypothesized};
use super::trace::Trace;

/// A piece of evidence.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Its kind.
    pub kind: EvidenceKind,
    /// The point: before the instance of this number; after the last one if it is their count.
    pub point: usize,
    /// What should hold there and does not.
    pub wanted: Predicate,
    /// The predicate of the postcondition that it stems from, by its number.
    pub number: usize,
}

/// The kinds of evidence.
#[derive(Clone, Debug)]
pub enum EvidenceKind {
    /// Nothing can make it true.
    Impossible,
    /// This holds instead; the instance it comes from, if it comes from one.
    Contradicted {
        /// What holds.
        actual: Predicate,
        /// The instance that says so.
        from: Option<usize>,
        /// Whether that is a condition further on.
        backward: bool,
    },
    /// Nothing speaks of it.
    Unsaid,
}

/// The states of a run for one conjunction of the postcondition.
#[derive(Clone, Debug)]
pub struct States {
    /// `R_i`.
    pub hypothesized: Vec<Vec<Wanted>>,
    /// `Q_i`.
    pub actual: Vec<Vec<Actual>>,
}

/// The states of a run.
pub fn states(trace: &Trace, precondition: &[Predicate], conjunction: &[Predicate]) -> States {
    States { hypothesized: hypothesized(trace, conjunction), actual: actual(trace, precondition) }
}

/// All evidence, from the end of the run to its start; implicit evidence last.
pub fn evidence(states: &States) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = vec![];
    let mut explained: Vec<usize> = vec![];
    for point in (0..states.hypothesized.len()).rev() {
        let negative: Vec<&Wanted> =
            states.hypothesized[point].iter().filter(|wanted| !wanted.predicate.truth).collect();
        if negative.is_empty() {
            continue;
        }
        let deduced = LazyCell::new(|| news(&states.actual[point]));
        for wanted in negative {
            let kind = if wanted.predicate.is_constant() {
                Some(EvidenceKind::Impossible)
            } else {
                contradiction(&states.actual[point], &deduced, &wanted.predicate)
            };
            let Some(kind) = kind else { continue };
            explained.push(wanted.number);
            if is_new(&found, &kind, wanted) {
                found.push(Evidence { kind, point, wanted: wanted.predicate.clone(), number: wanted.number });
            }
        }
    }
    for wanted in states.hypothesized[0].iter().filter(|wanted| !wanted.predicate.truth) {
        if !explained.contains(&wanted.number) {
            let (wanted, number) = (wanted.predicate.clone(), wanted.number);
            found.push(Evidence { kind: EvidenceKind::Unsaid, point: 0, wanted, number });
        }
    }
    found
}

/// The same contradiction at an earlier point says nothing new.
fn is_new(found: &[Evidence], kind: &EvidenceKind, wanted: &Wanted) -> bool {
    let source = |kind: &EvidenceKind| match kind {
        EvidenceKind::Contradicted { from, .. } => Some(*from),
        _ => None,
    };
    !found.iter().any(|known| {
        known.number == wanted.number
            && source(&known.kind) == source(kind)
            && matches!(known.kind, EvidenceKind::Impossible) == matches!(kind, EvidenceKind::Impossible)
    })
}

/// What holds with the same expression: said by a condition further on, or deduced (H §3, step 3).
fn contradiction(
    actual: &[Actual],
    deduced: &LazyCell<Vec<Predicate>, impl FnOnce() -> Vec<Predicate>>,
    wanted: &Predicate,
) -> Option<EvidenceKind> {
    let said = actual.iter().find(|actual| actual.backward && is_same(&actual.predicate, wanted));
    if let Some(said) = said {
        let (from, backward) = (said.from, said.backward);
        return Some(EvidenceKind::Contradicted { actual: said.predicate.clone(), from, backward });
    }
    let deduced = deduced.iter().find(|predicate| is_same(predicate, wanted))?.clone();
    Some(EvidenceKind::Contradicted { actual: deduced, from: None, backward: false })
}

/// What follows from what holds at a point, and nothing says.
fn news(actual: &[Actual]) -> Vec<Predicate> {
    let known: Vec<Predicate> = actual.iter().map(|actual| actual.predicate.clone()).collect();
    let mut all = deduce(&known);
    all.retain(|predicate| !known.contains(predicate));
    all
}

fn is_same(actual: &Predicate, wanted: &Predicate) -> bool {
    actual.expression == wanted.expression || actual.expression == wanted.expression.times(-1)
}
