//! The question path by path (K §III-B): which inputs lead to a known good
//! end, and which to a known violation.
//!
//! With all paths both say the same, and the same as the merged
//! [`formula`](crate::formula()). With some, [`PathFormula::wrong`] is either
//! careful (Eq. 1: right is what a known path brings to a good end) or
//! hopeful (Eq. 7: wrong is what a known path brings to a violation).

use encode::program::{Inputs, Open, Order, PathBounds, Reading, Request, TooLarge, explore};
use ir::Program;
use solver::{Term, Terms};

use crate::confirm::Example;
use crate::formula::Ground;
use crate::task::Task;

/// What counts as right where only some paths are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A known good end (Eq. 1). Diagnoses and repairs may be missed.
    GoodEnd,
    /// No known violation (Eq. 7). Some of the diagnoses may be none.
    NoViolation,
}

/// What some paths of a program say.
#[derive(Debug)]
pub struct PathFormula {
    /// All terms.
    pub terms: Terms,
    /// All inputs.
    pub inputs: Inputs,
    /// Which inputs count.
    pub counts: Term,
    /// A path leads to a good end.
    passes: Term,
    /// A path leads to a violation, or past the bound.
    fails: Term,
    /// Where unknowns were read, path by path.
    pub readings: Vec<Reading>,
    /// So many paths were followed.
    pub followed: usize,
    /// So many sides of branches were not.
    pub left: usize,
    /// Whether these are all paths up to the bound.
    pub is_complete: bool,
}

impl PathFormula {
    /// Inputs that count and with which the program is not right.
    pub fn wrong(&mut self, aim: Aim) -> Term {
        let bad = match aim {
            Aim::GoodEnd => self.terms.not(self.passes),
            Aim::NoViolation => self.fails,
        };
        self.terms.and(self.counts, bad)
    }
}

/// Follows the paths of a program. The reference is not divided. Concolic execution begins with an example.
pub fn paths(
    task: &Task,
    program: &Program,
    terms: Terms,
    open: Open<'_>,
    bounds: PathBounds,
    first: Option<&Example>,
) -> Result<PathFormula, TooLarge> {
    let mut ground = Ground::new(task, terms)?;
    let request = Request { program, open, ..ground.request(task, &task.program) };
    // The ranges of inputs that only the program reads are not known yet; that makes a path too many at worst.
    let assuming = ground.counting(task).counts;
    let first = first.filter(|_| bounds.order == Order::Concolic);
    let model = first.map(|example| example.model(&ground.terms, &ground.inputs)).unwrap_or_default();
    let found = explore(&request, bounds, assuming, model, &mut ground.terms, &mut ground.inputs)?;
    let (mut passes, mut fails, mut readings) = (vec![], vec![], vec![]);
    for path in &found.followed {
        let judged = ground.judge(&path.unfolded);
        let terms = &mut ground.terms;
        for reading in &path.unfolded.readings {
            readings.push(Reading { when: terms.and(path.condition, reading.when), ..*reading });
        }
        let assumed = path.unfolded.assumed;
        let bad = terms.any(&[judged.violated, judged.different, judged.unwound]);
        let bad = terms.and(bad, assumed);
        let odd = terms.or(bad, judged.unmodelled);
        let good = terms.not(odd);
        fails.push(terms.and(path.condition, bad));
        if !path.is_cut {
            passes.push(terms.and(path.condition, good));
        }
    }
    let counts = ground.counting(task).counts;
    Ok(PathFormula {
        passes: ground.terms.any(&passes),
        fails: ground.terms.any(&fails),
        terms: ground.terms,
        inputs: ground.inputs,
        counts,
        readings,
        followed: found.followed.len(),
        left: found.left,
        is_complete: found.is_complete(),
    })
}
