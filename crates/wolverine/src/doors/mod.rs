//! The ways in.

pub mod command_line;
