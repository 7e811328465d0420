//! How repairs are searched for: one file per strategy.

pub mod bits;
mod circle;
pub mod proof;
pub mod replay;
pub mod solve;
pub mod wide;
