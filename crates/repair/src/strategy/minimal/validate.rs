//! Whether a set of mutations makes the program right: the program formula
//! with the selectors as assumptions. What was learnt stays for the next set.

use std::collections::HashSet;

use check::Formula;
use solver::{Answer, Limits, Meanings, Model, Solver, Term};

/// What is known of a set.
pub(super) enum Validated {
    /// It is right for all inputs up to the bound.
    Right,
    /// It goes wrong in this model.
    Wrong(Model),
    /// It is right only because no run comes to an assertion any more.
    Vacuous,
    /// Time is up.
    Unknown,
}

pub(super) struct Validator {
    pub(super) formula: Formula,
    selectors: Vec<Term>,
    /// Inputs that go wrong, or on past the bound.
    wrong: Term,
    solver: Solver<()>,
    /// For each assertion that runs of the program come to: that one does.
    reached: Vec<Term>,
    reach: Solver<()>,
}

impl Validator {
    pub(super) fn new(mut formula: Formula, selectors: Vec<Term>) -> Self {
        let wrong = wrong(&mut formula);
        let mut solver = Solver::embedded();
        solver.assert(&formula.terms, wrong);
        let mut validator = Validator { formula, selectors, wrong, solver, reached: vec![], reach: Solver::embedded() };
        validator.reached = validator.assertions();
        validator
    }

    /// The assertions that some run of the program as it is comes to.
    fn assertions(&mut self) -> Vec<Term> {
        if self.formula.reference.is_some() {
            return vec![];
        }
        let mut spans: Vec<c_syntax::Span> = self.formula.program.reached.iter().map(|(span, _)| *span).collect();
        spans.dedup();
        let mut found = vec![];
        for span in spans {
            let all = self.formula.program.reached.iter().filter(|(other, _)| *other == span);
            let here: Vec<Term> = all.map(|(_, when)| *when).collect();
            let here = self.formula.terms.any(&here);
            let here = self.formula.terms.and(here, self.formula.counts);
            if !found.contains(&here) && self.can_reach(here, &[], &Limits::none()) != Some(false) {
                found.push(here);
            }
        }
        found
    }

    fn can_reach(&mut self, here: Term, on: &[usize], limits: &Limits) -> Option<bool> {
        if let Some(value) = self.formula.terms.value(here) {
            return Some(value == 1);
        }
        let mut assumptions = self.assumptions(on);
        assumptions.push(here);
        match self.reach.check(&self.formula.terms, &assumptions, limits) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    fn assumptions(&mut self, on: &[usize]) -> Vec<Term> {
        let on: HashSet<usize> = on.iter().copied().collect();
        let terms = &mut self.formula.terms;
        let literal = |(number, selector): (usize, &Term)| {
            if on.contains(&number) { *selector } else { terms.not(*selector) }
        };
        self.selectors.iter().enumerate().map(literal).collect()
    }

    pub(super) fn validate(&mut self, on: &[usize], limits: &Limits) -> Validated {
        let assumptions = self.assumptions(on);
        match self.solver.check(&self.formula.terms, &assumptions, limits) {
            Answer::Sat(model) => Validated::Wrong(model),
            Answer::Unknown(_) => Validated::Unknown,
            Answer::Unsat(_) => self.not_vacuous(on, limits),
        }
    }

    fn not_vacuous(&mut self, on: &[usize], limits: &Limits) -> Validated {
        for here in self.reached.clone() {
            match self.can_reach(here, on, limits) {
                Some(true) => {}
                Some(false) => return Validated::Vacuous,
                None => return Validated::Unknown,
            }
        }
        Validated::Right
    }

    /// The mutations one of which must be turned on or off for the input of this model (R, FOSFL).
    pub(super) fn must(&self, on: &[usize], model: &Model) -> Vec<usize> {
        let mut model = model.clone();
        for (number, selector) in self.selectors.iter().enumerate() {
            model.set(*selector, u64::from(on.contains(&number)));
        }
        let terms = &self.formula.terms;
        let values = terms.values(&[self.wrong], &model, &Meanings::new());
        let because = terms.justify(self.wrong, &values, &Meanings::new());
        (0..self.selectors.len()).filter(|number| because.contains(&self.selectors[*number])).collect()
    }

    /// That a set does not go wrong with the input of this model, as a term over the selectors.
    pub(super) fn passes(&mut self, model: &Model) -> Term {
        let selectors: HashSet<Term> = self.selectors.iter().copied().collect();
        let inputs = self.formula.terms.variables(&[self.wrong]).into_iter().filter(|input| !selectors.contains(input));
        let values: Model = inputs.map(|input| (input, model.get(input).unwrap_or(0))).collect();
        let fails = self.formula.terms.specialize(self.wrong, &values);
        self.formula.terms.not(fails)
    }
}

/// Inputs that go wrong, or on past the bound, among those that are modelled.
fn wrong(formula: &mut Formula) -> Term {
    let terms = &mut formula.terms;
    let bad = terms.any(&[formula.violated, formula.different, formula.unwound]);
    let modelled = terms.not(formula.unmodelled);
    terms.all(&[formula.counts, bad, modelled])
}
