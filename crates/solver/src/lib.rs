//! Terms and their solvers: Booleans, bit-vectors, finite domains and counting,
//! with tagged constraints, assumptions, cores, enumeration and MaxSAT.
//!
//! [`Terms`] builds hash-consed terms and normalises them (`term`). A [`Solver`]
//! takes constraints and answers questions, through one of the engines: the
//! embedded one makes circuits of terms (`blast`, `cardinality`) and clauses of
//! circuits for a SAT solver (`sat`); `smtlib` asks an installed SMT solver.
//!
//! ```
//! use solver::{Answer, Limits, Solver, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.bits_variable("x", 32);
//! let [seven, eight, nine] = [7, 8, 9].map(|value| terms.bits(value, 32));
//! let sum = terms.add(x, eight);
//! assert_eq!(terms.sub(sum, eight), x);
//!
//! let mut solver = Solver::embedded();
//! let below = terms.slt(x, nine);
//! solver.assert_tagged(&terms, "line 1: x < 9", below);
//! let above = terms.slt(seven, x);
//! solver.assert_tagged(&terms, "line 2: x > 7", above);
//! let Answer::Sat(model) = solver.check(&terms, &[], &Limits::none()) else { panic!("8 fits") };
//! assert_eq!(model.get(x), Some(8));
//!
//! let other = terms.ne(x, eight);
//! let Answer::Unsat(core) = solver.check(&terms, &[other], &Limits::none()) else { panic!("only 8 fits") };
//! assert_eq!(core.tags, ["line 1: x < 9", "line 2: x > 7"]);
//! assert_eq!(core.assumptions, [other]);
//! ```
//!
//! This crate knows nothing of C, of the IR, of programs or of repairs: tags are
//! its user's data, which it hands back.

mod blast;
mod cardinality;
mod circuit;
mod embedded;
mod engine;
mod enumerate;
mod maxsat;
mod minimize;
mod race;
mod sat;
mod smtlib;
mod solver;
mod term;

pub use circuit::Circuit;
pub use enumerate::{End, Models};
pub use maxsat::{Optimum, Soft, Strategy};
pub use minimize::Minimize;
#[cfg(feature = "cadical")]
pub use sat::Cadical;
pub use sat::{Assignment, Batsat, Limits, Lit, Reason, SatAnswer, SatSolver};
pub use smtlib::{Program, SmtlibError};
pub use solver::{Answer, Backend, Core, Solver};
pub use term::{BinaryOp, DisplayTerm, Meanings, Model, Narrowed, Node, Sort, Term, Terms, Values};
