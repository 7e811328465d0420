//! Tests of the crate from outside.

mod errors;
mod golden;
mod helper;
mod mapping;
mod property;
mod tools;
