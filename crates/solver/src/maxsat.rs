//! MaxSAT: hard constraints and wishes with weights; the wishes given up shall
//! weigh as little as possible.
//!
//! Core-guided search is OLL (Morgado, Dodaro and Marques-Silva, CP 2014) with
//! stratification: it demands all wishes, and each core says that one of its
//! wishes must go, which raises the lower bound. Linear search goes from model
//! to better model, which lowers the upper bound.

use std::hash::Hash;

use crate::sat::{Limits, Reason};
use crate::solver::{Answer, Core, Solver};
use crate::term::{Model, Term, Terms};

/// A wish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Soft {
    /// The Boolean that should hold.
    pub term: Term,
    /// What it costs if it does not.
    pub weight: u64,
}

/// How to look for the optimum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// From below, by cores; best when few wishes have to go.
    CoreGuided,
    /// From above, by better and better models; good models come early.
    LinearSearch,
}

/// What a search for the optimum found out.
#[derive(Clone, Debug)]
pub enum Optimum<T> {
    /// No model costs less than this one.
    Optimal {
        /// The weight of the wishes that do not hold.
        cost: u64,
        /// The model.
        model: Model,
    },
    /// The hard constraints contradict each other.
    Unsat(Core<T>),
    /// The limits were reached: the optimum lies between these bounds.
    Bounded {
        /// No model costs less.
        lower: u64,
        /// The cheapest model so far and its cost.
        best: Option<(u64, Model)>,
        /// Which limit it was.
        reason: Reason,
    },
}

impl<T: Clone + Eq + Hash> Solver<T> {
    /// A model of all constraints in which the `wishes` that do not hold weigh least.
    pub fn maximize(&mut self, terms: &mut Terms, wishes: &[Soft], strategy: Strategy, limits: &Limits) -> Optimum<T> {
        let model = match self.check(terms, &[], limits) {
            Answer::Sat(model) => model,
            Answer::Unsat(core) => return Optimum::Unsat(core),
            Answer::Unknown(reason) => return Optimum::Bounded { lower: 0, best: None, reason },
        };
        let mut search =
            Search { cost: cost(terms, wishes, &model), model, lower: 0, solver: self, terms, wishes, limits };
        let end = match strategy {
            Strategy::CoreGuided => search.raise_lower_bound(),
            Strategy::LinearSearch => search.lower_cost(),
        };
        let Search { cost, model, lower, .. } = search;
        match end {
            Ok(()) => Optimum::Optimal { cost, model },
            Err(reason) => Optimum::Bounded { lower, best: Some((cost, model)), reason },
        }
    }
}

fn cost(terms: &Terms, wishes: &[Soft], model: &Model) -> u64 {
    let roots: Vec<Term> = wishes.iter().map(|wish| wish.term).collect();
    let values = terms.evaluate_all(&roots, model);
    wishes.iter().zip(values).filter(|(_, value)| *value == 0).map(|(wish, _)| wish.weight).sum()
}

/// Something demanded for now: a wish, or that at most `bound` of `violated` happen.
struct Demand {
    term: Term,
    weight: u64,
    sum: Option<(Vec<Term>, usize)>,
}

struct Search<'a, T> {
    solver: &'a mut Solver<T>,
    terms: &'a mut Terms,
    wishes: &'a [Soft],
    limits: &'a Limits,
    lower: u64,
    cost: u64,
    model: Model,
}

impl<T: Clone + Eq + Hash> Search<'_, T> {
    fn lower_cost(&mut self) -> Result<(), Reason> {
        while self.cost > 0 {
            let violations: Vec<(Term, u64)> =
                self.wishes.iter().map(|wish| (self.terms.not(wish.term), wish.weight)).collect();
            let cheaper = self.terms.at_most_weighted(&violations, self.cost - 1);
            match self.solver.check(self.terms, &[cheaper], self.limits) {
                Answer::Sat(model) => self.improve(model),
                Answer::Unsat(_) => break,
                Answer::Unknown(reason) => return Err(reason),
            }
        }
        self.lower = self.cost;
        Ok(())
    }

    fn raise_lower_bound(&mut self) -> Result<(), Reason> {
        let demand = |wish: &Soft| Demand { term: wish.term, weight: wish.weight, sum: None };
        let mut demands: Vec<Demand> = self.wishes.iter().map(demand).collect();
        let mut stratum = demands.iter().map(|demand| demand.weight).max().unwrap_or(0);
        while self.lower < self.cost {
            let active = |demand: &&Demand| demand.weight > 0 && demand.weight >= stratum;
            let assumptions: Vec<Term> = demands.iter().filter(active).map(|demand| demand.term).collect();
            match self.solver.check(self.terms, &assumptions, self.limits) {
                Answer::Sat(model) => {
                    self.improve(model);
                    // Lighter demands join; without any, the model costs no more than the bound.
                    let lighter = demands.iter().map(|demand| demand.weight).filter(|&weight| weight < stratum).max();
                    stratum = lighter.unwrap_or(0);
                }
                Answer::Unsat(core) => {
                    let core = self.trim(core.assumptions);
                    if core.is_empty() {
                        return Err(Reason::GaveUp("the back end contradicts its first model".into()));
                    }
                    self.relax(&mut demands, &core, stratum);
                }
                Answer::Unknown(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    fn improve(&mut self, model: Model) {
        let cost = cost(self.terms, self.wishes, &model);
        if cost < self.cost {
            (self.cost, self.model) = (cost, model);
        }
    }

    /// Asking for the core alone often gives a smaller one.
    fn trim(&mut self, mut core: Vec<Term>) -> Vec<Term> {
        for _ in 0..3 {
            match self.solver.check(self.terms, &core, self.limits) {
                Answer::Unsat(smaller) if smaller.assumptions.len() < core.len() => core = smaller.assumptions,
                _ => break,
            }
        }
        core
    }

    /// One demand of the core must go: pay for it, and demand that no second one goes.
    fn relax(&mut self, demands: &mut Vec<Demand>, core: &[Term], stratum: u64) {
        let position = |term: &Term| {
            let is_active = |demand: &Demand| demand.term == *term && demand.weight > 0 && demand.weight >= stratum;
            demands.iter().position(is_active)
        };
        let members: Vec<usize> = core.iter().filter_map(position).collect();
        let weight = members.iter().map(|&i| demands[i].weight).min().unwrap_or(0);
        self.lower += weight;
        for &i in &members {
            demands[i].weight -= weight;
            if let Some((violated, bound)) = demands[i].sum.clone() {
                self.demand_at_most(demands, violated, bound + 1, weight);
            }
        }
        let violated: Vec<Term> = members.iter().map(|&i| self.terms.not(demands[i].term)).collect();
        self.demand_at_most(demands, violated, 1, weight);
    }

    fn demand_at_most(&mut self, demands: &mut Vec<Demand>, violated: Vec<Term>, bound: usize, weight: u64) {
        if bound < violated.len() {
            let term = self.terms.at_most(&violated, bound);
            demands.push(Demand { term, weight, sum: Some((violated, bound)) });
        }
    }
}
