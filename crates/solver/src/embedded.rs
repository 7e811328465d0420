//! The embedded engine: terms to clauses, clauses to SAT solvers.
//!
//! By itself it starts with batsat, which answers small queries faster, and
//! moves on to CaDiCaL when a query turns out to be large or hard.

use std::collections::HashMap;
use std::time::Duration;

use crate::blast::{Blaster, Cnf};
use crate::engine::{Engine, Outcome, Query, Switch};
#[cfg(feature = "cadical")]
use crate::sat::Cadical;
use crate::sat::{Batsat, Limits, Lit, Reason, SatAnswer, SatSolver};
use crate::term::{Term, Terms};

/// How long batsat may try before CaDiCaL takes over.
const FIRST_TRY: Duration = Duration::from_millis(400);
/// More clauses than this go to CaDiCaL at once.
const SMALL: usize = 300_000;

/// A SAT solver and how many clauses it was given.
struct Fed {
    solver: Box<dyn SatSolver>,
    clauses: usize,
}

impl Fed {
    fn new(solver: impl SatSolver + 'static) -> Self {
        Self { solver: Box::new(solver), clauses: 0 }
    }

    fn solve(&mut self, cnf: &Cnf, assumptions: &[Lit], limits: &Limits) -> SatAnswer {
        for clause in cnf.clauses_from(self.clauses) {
            self.solver.add_clause(clause);
        }
        self.clauses = cnf.len();
        self.solver.solve(assumptions, limits)
    }
}

pub(crate) struct Embedded {
    blaster: Blaster,
    switches: HashMap<Switch, Lit>,
    solver: Fed,
    /// Whether to move on to CaDiCaL when the query is large or hard.
    may_move_on: bool,
}

impl Embedded {
    fn with(solver: impl SatSolver + 'static, may_move_on: bool) -> Self {
        Self { blaster: Blaster::new(), switches: HashMap::new(), solver: Fed::new(solver), may_move_on }
    }

    /// The SAT solver that fits.
    pub(crate) fn adaptive() -> Self {
        Self::with(Batsat::new(), cfg!(feature = "cadical"))
    }

    pub(crate) fn batsat() -> Self {
        Self::with(Batsat::new(), false)
    }

    #[cfg(feature = "cadical")]
    pub(crate) fn cadical() -> Self {
        Self::with(Cadical::new(), false)
    }

    fn switch(&mut self, switch: Switch) -> Lit {
        *self.switches.entry(switch).or_insert_with(|| self.blaster.gates.fresh())
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> SatAnswer {
        let cnf = &self.blaster.gates.cnf;
        if !self.may_move_on {
            return self.solver.solve(cnf, assumptions, limits);
        }
        if cnf.len() <= SMALL {
            let answer = self.solver.solve(cnf, assumptions, &limits.and_within(FIRST_TRY));
            if !matches!(answer, SatAnswer::Unknown(Reason::OutOfTime)) || limits.exceeded().is_some() {
                return answer;
            }
        }
        self.move_on();
        self.solver.solve(&self.blaster.gates.cnf, assumptions, limits)
    }

    fn move_on(&mut self) {
        #[cfg(feature = "cadical")]
        {
            self.solver = Fed::new(Cadical::new());
        }
        self.may_move_on = false;
    }
}

impl Engine for Embedded {
    fn assert(&mut self, terms: &Terms, term: Term, switches: &[Switch]) {
        let guards: Vec<Lit> = switches.iter().map(|&switch| self.switch(switch)).collect();
        self.blaster.assert(terms, term, &guards);
    }

    fn check(&mut self, terms: &Terms, query: &Query, limits: &Limits) -> Outcome {
        let on: Vec<Lit> = query.on.iter().map(|&switch| self.switch(switch)).collect();
        let assumed: Vec<Lit> = query.assumptions.iter().map(|&term| self.blaster.literal(terms, term)).collect();
        match self.solve(&[&on[..], &assumed].concat(), limits) {
            SatAnswer::Sat(assignment) => Outcome::Sat(self.blaster.model(terms, &assignment)),
            SatAnswer::Unsat(core) => Outcome::Unsat(Query {
                on: keep(&query.on, &on, &core),
                assumptions: keep(&query.assumptions, &assumed, &core),
            }),
            SatAnswer::Unknown(reason) => Outcome::Unknown(reason),
        }
    }

    fn retire(&mut self, switch: Switch) {
        let lit = self.switch(switch);
        self.blaster.gates.clause(&[!lit]);
    }
}

/// The items whose literals are in the core, one for each literal.
fn keep<I: Copy>(items: &[I], lits: &[Lit], core: &[Lit]) -> Vec<I> {
    let mut seen = std::collections::HashSet::new();
    let core: std::collections::HashSet<&Lit> = core.iter().collect();
    let in_core = |pair: &(&I, &Lit)| core.contains(pair.1) && seen.insert(*pair.1);
    items.iter().zip(lits).filter(in_core).map(|(&item, _)| item).collect()
}
