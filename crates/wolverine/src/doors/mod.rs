//! The ways in.

pub mod command_line;
pub mod repl;
