//! What a program is expected to do.
//!
//! For heap programs that is said by states: at some moment of a run these
//! [`Fact`]s hold. Which values of a state are asserted follows from what the
//! user [tracks](Tracking). For functions it is said by a [contract].
//!
//! This crate knows nothing of solvers, of how programs are run, or of
//! terminals.

pub mod contract;
mod fact;
pub mod tests;
mod track;

pub use fact::{Fact, Relation, violations};
pub use track::{Pattern, Rule, Tracking};
