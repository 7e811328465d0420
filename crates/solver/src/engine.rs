//! What stands behind a [`Solver`](crate::Solver): constraints under switches,
//! and questions with some of the switches on.

use crate::sat::{Limits, Reason};
use crate::term::{Model, Term, Terms};

/// A switch that turns constraints on. Tags and scopes are switches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Switch(pub(crate) u32);

/// What is asked: whether all constraints that are switched on hold together with the assumptions.
#[derive(Clone, Default, Debug)]
pub(crate) struct Query {
    pub(crate) on: Vec<Switch>,
    pub(crate) assumptions: Vec<Term>,
}

/// What an engine found out.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A model of everything asked.
    Sat(Model),
    /// A part of the query that is contradictory by itself.
    Unsat(Query),
    /// No answer.
    Unknown(Reason),
}

/// A back end.
pub(crate) trait Engine: Send {
    /// Demands `term` where all of `switches` are on.
    fn assert(&mut self, terms: &Terms, term: Term, switches: &[Switch]);

    /// Answers a query.
    fn check(&mut self, terms: &Terms, query: &Query, limits: &Limits) -> Outcome;

    /// Promises that the switch will never be on again.
    fn retire(&mut self, switch: Switch);
}
