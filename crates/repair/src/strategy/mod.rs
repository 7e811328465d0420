//! How repairs are searched for: one file per strategy.

pub mod bits;
mod circle;
mod compared;
pub mod proof;
pub mod replay;
pub mod solve;
pub mod wide;
