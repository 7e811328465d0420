//! Sessions as a user would have them, on both engines.

mod common;
mod correcting;
mod dying;
mod moving;
mod overview;
mod programs;
mod repairing;
