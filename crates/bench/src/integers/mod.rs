//! Small integer and array programs whose inputs can all be tried.
//!
//! Each folder of `programs/integers` has a faulty program, most have a right
//! one, and `case.json` says what its inputs are ([`case`]). A program text is
//! run on one input by [`driver`]; [`judge`] compares what comes of it with
//! what should, on all inputs. [`brute`] compares the repairs that are found by
//! solving with those that trying all mutants finds; [`template`] diagnoses the
//! cases and repairs them by templates.

pub mod brute;
pub mod case;
pub mod driver;
pub mod judge;
mod reach;
pub mod template;

pub use case::{Case, Change, Input, Specification, Unknown, find};
pub use driver::{Driver, Observed};
pub use judge::Judge;
