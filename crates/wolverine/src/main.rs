//! The `wolverine` command.
//!
//! This crate only translates between people and the other crates: each way in
//! is a door under `doors/`. It knows nothing of algorithms.

mod doors;

use std::process::ExitCode;

/// The search copies small memories all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    doors::command_line::run()
}
