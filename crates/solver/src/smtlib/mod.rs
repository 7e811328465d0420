//! The engine over an installed SMT solver, through a pipe.
//!
//! Each check is a new process that gets the whole script: it can be killed at
//! any moment without harm, and every solver that reads SMT-LIB fits. (The crate
//! `easy-smt` keeps a process whose answers can only be waited for.)

mod pipe;
mod program;
mod script;

use std::time::Duration;

pub use program::{Program, SmtlibError};

use crate::engine::{Engine, Outcome, Query, Switch};
use crate::sat::{Limits, Reason};
use crate::term::{Term, Terms};
use pipe::Reply;
pub(crate) use pipe::Running;
use script::Script;

/// How often a waiting check looks at its limits.
const LOOK: Duration = Duration::from_millis(5);

pub(crate) struct Smtlib {
    program: Program,
    constraints: Vec<(Term, Vec<Switch>)>,
}

impl Smtlib {
    pub(crate) fn new(program: Program) -> Self {
        Self { program, constraints: Vec::new() }
    }

    /// Starts a check that runs beside the caller.
    pub(crate) fn start(&self, terms: &Terms, query: &Query) -> Running {
        let on: std::collections::HashSet<Switch> = query.on.iter().copied().collect();
        let is_on = |constraint: &&(Term, Vec<Switch>)| constraint.1.iter().all(|switch| on.contains(switch));
        let constraints: Vec<&(Term, Vec<Switch>)> = self.constraints.iter().filter(is_on).collect();
        Running::start(&self.program, Script::new(terms, &constraints, query))
    }

    /// What the answer of a check means.
    pub(crate) fn read(reply: Reply, query: &Query) -> Outcome {
        match reply {
            Reply::Sat(model) => Outcome::Sat(model),
            Reply::Unsat { switches, assumptions } => Outcome::Unsat(Query {
                on: query.on.iter().copied().filter(|switch| switches.contains(&switch.0)).collect(),
                assumptions: assumptions.iter().filter_map(|&i| query.assumptions.get(i).copied()).collect(),
            }),
            Reply::Failed(message) => Outcome::Unknown(Reason::GaveUp(message)),
        }
    }
}

impl Engine for Smtlib {
    fn assert(&mut self, _terms: &Terms, term: Term, switches: &[Switch]) {
        self.constraints.push((term, switches.to_vec()));
    }

    fn check(&mut self, terms: &Terms, query: &Query, limits: &Limits) -> Outcome {
        let mut running = self.start(terms, query);
        loop {
            if let Some(reply) = running.wait(LOOK) {
                return Self::read(reply, query);
            }
            if let Some(reason) = limits.exceeded() {
                return Outcome::Unknown(reason);
            }
        }
    }

    fn retire(&mut self, switch: Switch) {
        self.constraints.retain(|constraint| !constraint.1.contains(&switch));
    }
}
