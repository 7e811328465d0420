//! All models, up to the values of some terms.

use std::hash::Hash;

use crate::sat::{Limits, Reason};
use crate::solver::{Answer, Solver};
use crate::term::{Model, Sort, Term, Terms};

/// How an enumeration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// There are no further models.
    Exhausted,
    /// As many models as were asked for are found.
    Enough,
    /// The limits were reached.
    Unknown(Reason),
}

/// Models that differ in the values of the terms asked about.
#[derive(Clone, Debug)]
pub struct Models {
    /// The models in the order in which they were found.
    pub found: Vec<Model>,
    /// Whether there are more.
    pub end: End,
}

impl<T: Clone + Eq + Hash> Solver<T> {
    /// Up to `most` models, no two of which agree on all terms of `over`.
    pub fn enumerate(&mut self, terms: &mut Terms, over: &[Term], most: usize, limits: &Limits) -> Models {
        self.push();
        let mut found = Vec::new();
        let end = loop {
            if found.len() == most {
                break End::Enough;
            }
            match self.check(terms, &[], limits) {
                Answer::Sat(model) => {
                    let differs = terms.differs_from(over, &model);
                    self.assert(terms, differs);
                    found.push(model);
                }
                Answer::Unsat(_) => break End::Exhausted,
                Answer::Unknown(reason) => break End::Unknown(reason),
            }
        };
        self.pop();
        Models { found, end }
    }
}

impl Terms {
    /// Whether one of `over` has another value than in `model`: what blocks the model.
    pub fn differs_from(&mut self, over: &[Term], model: &Model) -> Term {
        let values = self.evaluate_all(over, model);
        let differences: Vec<Term> = over
            .iter()
            .zip(values)
            .map(|(&term, value)| {
                let value = match self.sort(term) {
                    Sort::Bool => self.constant(value == 1),
                    Sort::Bits(width) => self.bits(value, width),
                    Sort::Domain(size) => self.domain_value(value as u32, size),
                };
                self.ne(term, value)
            })
            .collect();
        self.any(&differences)
    }
}
