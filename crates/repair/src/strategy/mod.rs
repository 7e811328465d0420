//! How repairs are searched for: one file per strategy.

pub mod bits;
pub mod minimal;
pub mod proof;
pub mod replay;
pub mod solve;
