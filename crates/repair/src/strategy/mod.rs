//! How repairs are searched for: one file per strategy.

pub mod bits;
pub mod replay;
