//! How repairs are searched for: one file per strategy.

pub mod auto;
pub mod bits;
pub mod evidence;
pub mod minimal;
pub mod proof;
mod proved;
pub mod refine;
pub mod replay;
pub mod solve;

pub(crate) use proved::proved;
