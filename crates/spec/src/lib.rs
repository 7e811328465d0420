//! What a program is expected to do.
//!
//! For heap programs that is said by states: at some moment of a run these
//! [`Fact`]s hold. Which values of a state are asserted follows from what the
//! user [tracks](Tracking).
//!
//! This crate knows nothing of solvers, of how programs are run, or of
//! terminals.

mod fact;
mod track;

pub use fact::{Fact, Relation, violations};
pub use track::{Pattern, Rule, Tracking};
