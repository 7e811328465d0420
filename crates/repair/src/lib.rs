//! The smallest patches that make recorded runs meet what is asserted, each
//! checked by running the patched text.
//!
//! This crate knows nothing of sessions, terminals or how states are drawn.

pub mod candidates;
pub mod check;
pub mod engine;
mod invariant;
pub mod live;
pub mod read;
pub mod render;
mod render_wide;
pub mod scheme;
pub mod strategy;
pub mod vary;

pub use engine::{
    Answer, Checked, Difference, Engine, Options, Preset, Problem, Progress, Repaired, Risk, Times, Wider, repair,
};
