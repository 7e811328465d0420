//! How repairs are searched for: one file per strategy.

pub mod bits;
pub mod proof;
pub mod replay;
pub mod solve;
