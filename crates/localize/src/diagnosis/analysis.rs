//! The question that diagnosis and repair ask: which inputs and unknowns make
//! the program go wrong, from the merged formula or from some of the paths.

use check::{Aim, Example, Side, Task};
use encode::program::{Inputs, Open, PathBounds, Reading, TooLarge, Unknown};
use ir::GlobalId;
use solver::{Term, Terms};

/// How a program is analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// One formula for all runs up to the bound.
    Merged,
    /// Path by path.
    Paths {
        /// How many, and how far.
        bounds: PathBounds,
        /// What counts as right.
        aim: Aim,
    },
}

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All runs up to the bound.
    All,
    /// So many paths; so many sides of branches were left out.
    Some {
        /// Paths that were followed.
        followed: usize,
        /// Sides of branches that were not.
        left: usize,
    },
}

/// A program with unknowns.
#[derive(Debug)]
pub struct Question {
    /// All terms.
    pub terms: Terms,
    /// All inputs.
    pub inputs: Inputs,
    /// The program goes wrong with an input that counts.
    pub wrong: Term,
    /// For each assertion: some input that counts comes to it. Empty with a reference, or path by path.
    pub reached: Vec<Term>,
    /// Where unknowns were read that are another value each time.
    pub readings: Vec<Reading>,
    /// What was looked at.
    pub coverage: Coverage,
}

/// The question for a task whose program is `side`.
pub fn question(
    task: &Task,
    side: &Side,
    terms: Terms,
    unknowns: &[(GlobalId, Unknown)],
    analysis: Analysis,
    first: Option<&Example>,
) -> Result<Question, TooLarge> {
    let mut task = task.clone();
    task.program = side.clone();
    let open = Open { selectors: &[], unknowns };
    match analysis {
        Analysis::Merged => {
            let mut formula = check::formula(&task, &side.program, terms, open, false)?;
            let wrong = formula.not_proved();
            let reached = if task.reference.is_some() { vec![] } else { reached(&mut formula) };
            let readings = formula.program.readings;
            let (terms, inputs) = (formula.terms, formula.inputs);
            Ok(Question { terms, inputs, wrong, reached, readings, coverage: Coverage::All })
        }
        Analysis::Paths { bounds, aim } => {
            let mut found = check::paths(&task, &side.program, terms, open, bounds, first)?;
            let wrong = found.wrong(aim);
            let coverage = match found.is_complete {
                true => Coverage::All,
                false => Coverage::Some { followed: found.followed, left: found.left },
            };
            let (terms, inputs, readings) = (found.terms, found.inputs, found.readings);
            Ok(Question { terms, inputs, wrong, reached: vec![], readings, coverage })
        }
    }
}

/// For each assertion, by its place: that a run comes to it.
fn reached(formula: &mut check::Formula) -> Vec<Term> {
    let mut spans: Vec<c_syntax::Span> = formula.program.reached.iter().map(|(span, _)| *span).collect();
    spans.sort();
    spans.dedup();
    let mut found = vec![];
    for span in spans {
        let here: Vec<Term> =
            formula.program.reached.iter().filter(|(other, _)| *other == span).map(|(_, when)| *when).collect();
        let here = formula.terms.any(&here);
        found.push(formula.terms.and(here, formula.counts));
    }
    found
}
