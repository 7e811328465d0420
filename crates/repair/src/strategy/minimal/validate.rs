//! Whether a set of mutations makes the program right, and if not, why.

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
    pub(super) selectors: Vec<Term>,
    /// Inputs that go wrong, or on past the bound.
    wrong: Term,
    /// Whether the program itself comes to what is not modelled: nothing is said of such inputs.
    pub(super) leaves_model: bool,
    /// For each assertion that runs of the program come to: that one does.
    reached: Vec<Term>,
}

impl Validator {
    pub(super) fn new(mut formula: Formula, selectors: Vec<Term>, limits: &Limits) -> Self {
        let terms = &mut formula.terms;
        let bad = terms.any(&[formula.violated, formula.different, formula.unwound]);
        let odd = terms.and(formula.counts, formula.unmodelled);
        let unknown = terms.constant(false);
        let mut validator = Validator { formula, selectors, wrong: unknown, leaves_model: false, reached: vec![] };
        // A mutation must not lead to what is not modelled; but if the program itself does, such inputs are left out.
        validator.leaves_model = validator.can_reach(odd, &[], limits) != Some(false);
        let Formula { terms, counts, unmodelled, .. } = &mut validator.formula;
        let bad = if validator.leaves_model {
            let modelled = terms.not(*unmodelled);
            terms.and(bad, modelled)
        } else {
            terms.or(bad, *unmodelled)
        };
        validator.wrong = terms.and(*counts, bad);
        validator.reached = validator.assertions(limits);
        validator
    }

    /// The assertions that some run of the program as it is comes to.
    fn assertions(&mut self, limits: &Limits) -> Vec<Term> {
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
            if !found.contains(&here) && self.can_reach(here, &[], limits) != Some(false) {
                found.push(here);
            }
        }
        found
    }

    /// Whether some input leads to where `here` holds.
    fn can_reach(&mut self, here: Term, on: &[usize], limits: &Limits) -> Option<bool> {
        match self.ask(here, on, limits) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Asks about one set. With the selectors put in, what is left is as small as the formula of one program.
    fn ask(&mut self, term: Term, on: &[usize], limits: &Limits) -> Answer<()> {
        let position = |(number, selector): (usize, &Term)| (*selector, u64::from(on.contains(&number)));
        let set: Model = self.selectors.iter().enumerate().map(position).collect();
        let term = self.formula.terms.specialize(term, &set);
        let mut solver = Solver::embedded();
        solver.assert(&self.formula.terms, term);
        solver.check(&self.formula.terms, &[], limits)
    }

    pub(super) fn validate(&mut self, on: &[usize], limits: &Limits) -> Validated {
        match self.ask(self.wrong, on, limits) {
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

    /// Whether a set goes wrong with the input of this model, as a term over the selectors.
    pub(super) fn with_input(&mut self, model: &Model) -> Term {
        let selectors: HashSet<Term> = self.selectors.iter().copied().collect();
        let inputs = self.formula.terms.variables(&[self.wrong]).into_iter().filter(|input| !selectors.contains(input));
        let values: Model = inputs.map(|input| (input, model.get(input).unwrap_or(0))).collect();
        self.formula.terms.specialize(self.wrong, &values)
    }
}
