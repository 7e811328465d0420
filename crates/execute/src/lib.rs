//! Runs C programs statement by statement.
//!
//! Two executors stand behind one short trait, [`Executor`]: the embedded
//! [`interpreter`], which needs nothing installed and notices every wrong
//! access, and the real binary under [`gdb`]. Both stop before the same source
//! statements ([`ir::Step`]) and show the same states.
//!
//! [`Patched`] stands around either and makes changes of the program live while
//! it runs.
//!
//! This crate knows nothing of solvers, repair or pictures.

pub mod entity;
pub mod gdb;
pub mod hotpatch;
pub mod interpreter;

mod executor;
mod fault;
mod interrupter;
mod layout;

pub use executor::{CheckpointId, ExecuteError, Executor, Goal, Input, Output, RunOptions, StepCounts, Stop, Until};
pub use fault::{Fault, FaultKind};
pub use hotpatch::{LiveChange, Patched};
pub use interrupter::Interrupter;
pub use layout::layout_of;
