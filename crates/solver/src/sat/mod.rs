//! SAT solvers behind one short trait: clauses, assumptions, models and cores.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod limits;

use std::ops::Not;

pub use self::batsat::Batsat;
#[cfg(feature = "cadical")]
pub use self::cadical::Cadical;
pub use limits::{Limits, Reason};

/// A propositional variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// By convention of this crate's circuits, variable 0 always holds.
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    /// The variable with this number.
    pub fn positive(variable: u32) -> Self {
        Self(variable << 1)
    }

    /// The number of the variable.
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether this is the variable's negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The variable itself.
    pub(crate) fn absolute(self) -> Self {
        Self(self.0 & !1)
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The value of every variable.
#[derive(Clone, Debug)]
pub struct Assignment(Vec<bool>);

impl Assignment {
    /// Whether `lit` holds; variables that the solver never saw are false.
    pub fn holds(&self, lit: Lit) -> bool {
        self.0.get(lit.variable() as usize).copied().unwrap_or(false) != lit.is_negated()
    }
}

/// What a SAT solver found out.
#[derive(Clone, Debug)]
pub enum SatAnswer {
    /// The clauses and assumptions hold together, for instance so.
    Sat(Assignment),
    /// The clauses contradict these assumptions.
    Unsat(Vec<Lit>),
    /// Nothing, before the limits were reached.
    Unknown(Reason),
}

/// An incremental SAT solver.
pub trait SatSolver: Send {
    /// One of the literals has to hold from now on.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Whether all clauses hold together with the assumptions.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> SatAnswer;
}
