//! The ways in.

pub mod command_line;
pub mod page;
pub mod repl;
