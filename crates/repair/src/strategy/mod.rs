//! How repairs are searched for: one file per strategy.

pub mod bits;
pub mod minimal;
pub mod proof;
mod proved;
pub mod refine;
pub mod replay;
pub mod solve;

pub(crate) use proved::proved;
