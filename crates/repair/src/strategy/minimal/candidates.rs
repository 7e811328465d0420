//! Proposes sets of mutations: a SAT solver over one Boolean for each.

use std::collections::BTreeMap;

use solver::{Answer, Limits, Solver, Term, Terms};

use crate::scheme::mutation::Mutated;

/// What comes next.
pub(super) enum Proposal {
    /// The numbers of mutations.
    Set(Vec<usize>),
    /// Nothing is left.
    None,
    /// Time is up.
    Unknown,
}

/// The sets that were not looked at yet.
pub(super) struct Candidates {
    solver: Solver<()>,
    selectors: Vec<Term>,
    /// The mutations of each site: at most one of them.
    sites: Vec<Vec<Term>>,
    begun: bool,
}

impl Candidates {
    pub(super) fn new(mutated: &Mutated, selectors: Vec<Term>) -> Self {
        let mut sites: BTreeMap<_, Vec<Term>> = BTreeMap::new();
        for (mutation, selector) in mutated.mutations.iter().zip(&selectors) {
            sites.entry(mutation.site).or_default().push(*selector);
        }
        let sites = sites.into_values().filter(|site| site.len() > 1).collect();
        Candidates { solver: Solver::embedded(), selectors, sites, begun: false }
    }

    /// A set with at most so many mutations.
    pub(super) fn next(&mut self, terms: &mut Terms, size: usize, limits: &Limits) -> Proposal {
        if !self.begun {
            self.begun = true;
            for site in &self.sites {
                let one = terms.at_most(site, 1);
                self.solver.assert(terms, one);
            }
            let some = terms.any(&self.selectors);
            self.solver.assert(terms, some);
        }
        let few = terms.at_most(&self.selectors, size);
        match self.solver.check(terms, &[few], limits) {
            Answer::Sat(model) => {
                let on = self.selectors.iter().enumerate().filter(|(_, selector)| model.get(**selector) == Some(1));
                Proposal::Set(on.map(|(number, _)| number).collect())
            }
            Answer::Unsat(_) => Proposal::None,
            Answer::Unknown(_) => Proposal::Unknown,
        }
    }

    /// No set contains all of these.
    pub(super) fn block_supersets(&mut self, terms: &mut Terms, on: &[usize]) {
        let off: Vec<Term> = on.iter().map(|number| terms.not(self.selectors[*number])).collect();
        let other = terms.any(&off);
        self.solver.assert(terms, other);
    }

    /// This set is not looked at again.
    pub(super) fn block_exactly(&mut self, terms: &mut Terms, on: &[usize]) {
        let all: Vec<usize> = (0..self.selectors.len()).collect();
        self.block_same(terms, on, &all);
    }

    /// No set is the same as this one at these mutations.
    pub(super) fn block_same(&mut self, terms: &mut Terms, on: &[usize], at: &[usize]) {
        let differs = |number: &usize| match on.contains(number) {
            true => terms.not(self.selectors[*number]),
            false => self.selectors[*number],
        };
        let differs: Vec<Term> = at.iter().map(differs).collect();
        let other = terms.any(&differs);
        self.solver.assert(terms, other);
    }
}
