//! The smallest patches that make recorded runs meet what is asserted, each
//! checked by running the patched text.
//!
//! This crate knows nothing of sessions, terminals or how states are drawn.

pub mod candidates;
pub mod check;
pub mod render;
pub mod scheme;
pub mod strategy;
