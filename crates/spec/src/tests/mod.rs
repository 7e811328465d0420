//! Tests as people write them down: tables of calls, and folders of inputs
//! with what must be printed.
//!
//! A table is a text file with one call in a line,
//!
//! ```text
//! # arguments, then the result, then what arrays hold afterwards
//! max([-2, 5, 3], 3) = 5
//! sort([2, 1], 2), a = [1, 2]
//! ```
//!
//! or JSON: `[{ "call": "max", "arguments": [[-2, 5, 3], 3], "result": 5, "after": { "a": [1, 2] } }]`.

mod folder;
mod json;
mod text;

pub use folder::{InputOutput, TestFiles, read_folder};
pub use json::parse_json;
pub use text::parse_text;

/// A value of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i128),
    /// The elements of an array.
    List(Vec<i128>),
    /// No array at all.
    Null,
}

/// One call with what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The line in the file, or the number of the entry.
    pub line: usize,
    /// The function.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// What it returns.
    pub result: Option<i128>,
    /// What arrays hold afterwards, by the names of the parameters.
    pub after: Vec<(String, Vec<i128>)>,
}

/// A table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TableError {
    /// The line, or the number of the entry.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}
