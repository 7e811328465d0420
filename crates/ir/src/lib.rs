//! What a C program is to every engine: structured code over guarded
//! statements, where every operand knows its place in the user's file.
//!
//! [`lower`] makes a [`Program`] of a syntax tree, [`print`] shows it,
//! [`successor`] follows its control flow, [`facts`] tells what is known of its
//! variables at each statement.
//!
//! This crate knows nothing of solvers, of gdb or of how programs are run.

mod before;
mod entry;
mod facts;
mod flow;
mod graph;
mod input;
mod lower;
mod print;
mod program;
mod reads;
mod rename;

pub use before::{may_recurse, steps_before};
pub use entry::entry_steps;
pub use facts::{Facts, facts};
pub use flow::{enters_variable_array, successor};
pub use input::{ends_program, reads_input};
pub use lower::lower;
pub use print::{Namer, binary_text, print, print_function};
pub use program::*;

use std::path::Path;
use std::sync::Arc;

use c_syntax::{ParseError, Source};

/// Reads and lowers a C file.
pub fn load(path: &Path) -> Result<Program, ParseError> {
    c_syntax::with_deep_stack(|| c_syntax::parse(path).map(lower))
}

/// Reads and lowers a C text in the place of the file at its path.
pub fn load_text(source: Arc<Source>) -> Result<Program, ParseError> {
    c_syntax::with_deep_stack(|| c_syntax::parse_text(source).map(lower))
}

/// Reads and lowers C texts as [`load_text`] does, together: that takes far
/// less time than one after the other.
pub fn load_texts(sources: &[Arc<Source>]) -> Vec<Result<Program, ParseError>> {
    let lower_each = |units: Vec<Result<_, _>>| units.into_iter().map(|unit| unit.map(lower)).collect();
    c_syntax::with_deep_stack(|| lower_each(c_syntax::parse_texts(sources)))
}
