//! The bounded check: a program holds for all inputs up to a bound, or there is
//! a counterexample, which the interpreter has confirmed.
//!
//! [`load`] reads the program and perhaps a reference implementation, and writes
//! a [driver](driver) that calls the entry function; [`check`] asks the solver
//! about the [`formula`](formula()) of both. [`paths`](paths()) has the same question path by path.
//!
//! This crate knows nothing of localizing, of repairs or of terminals.

mod confirm;
mod contract;
mod driver;
mod explain;
mod formula;
mod paths;
mod replay;
pub mod suite;
mod task;
mod vary;
mod verdict;

pub use confirm::{Example, Failure, Ran, Visit, confirm, run, visits};
pub use contract::{Part, PartKind};
pub use driver::{Given, NoInput};
pub use explain::{Row, explain};
pub use formula::{Formula, formula};
pub use paths::{Aim, PathFormula, paths};
pub use replay::{Native, replay};
pub use task::{Options, Side, Task, TaskError, load, load_sources};
pub use vary::{randomize, varied_counterexamples};
pub use verdict::{Beyond, Counterexample, Proof, Verdict, check, check_side, more_counterexamples};
