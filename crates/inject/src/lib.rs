//! Fault injection: faulty versions of a right program.
//!
//! A version of the class ⟨X, Y⟩ has X changed expressions and Y deleted
//! statements in the named functions, as in the experiments of the Wolverine
//! paper (§7.1). With `current = current->next;` in the function,
//!
//! ```text
//! ⟨1, 0⟩   current = fresh->next;      another variable of the same type
//! ⟨1, 0⟩   current->next = current->next;
//! ⟨0, 1⟩   (nothing)
//! ```
//!
//! Every version is C, no two have the same text, and each differs from the
//! original in what it does on at least one input ([`Observed`]). The same seed
//! gives the same versions, and asking for more of them gives the same first ones.
//!
//! This crate knows nothing of localizing or repairing the faults it makes.

mod deletion;
mod draw;
mod error;
mod heap;
mod judge;
mod marks;
mod note;
mod observe;
mod occurrence;
mod operator;
mod options;
mod place;
mod replacement;
mod search;
mod version;

pub use error::InjectError;
pub use marks::{marked_functions, marked_inputs, marked_stdin};
pub use note::{Fault, FaultKind, Note, Observed};
pub use options::Options;
pub use search::Injected;
pub use version::Version;

use std::sync::Arc;

use ir::Program;

/// Makes faulty versions of a program.
///
/// `progress` is told how many were found so far. Without functions, inputs or
/// standard input in the options, the file's own marks count: `//~ FUNCTION:`,
/// `//~ INPUT:`, `//~ STDIN:`.
pub fn inject(
    program: &Arc<Program>,
    options: &Options,
    progress: &mut dyn FnMut(usize),
) -> Result<Injected, InjectError> {
    let options = options.completed(&program.source)?;
    let places = place::find(program, &options)?;
    let baseline = observe::Baseline::run(program, &options)?;
    Ok(search::search(program, &options, &places, &baseline, progress))
}
