//! What is asked for: `⟨1, 0⟩` in `insert`, forty times.

use c_syntax::Source;

use crate::error::InjectError;
use crate::marks::{marked_functions, marked_inputs, marked_stdin};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The functions that get the faults; none means those that the file marks with `//~ FUNCTION:`.
    pub functions: Vec<String>,
    /// The number of changed expressions in each version.
    pub change: usize,
    /// The number of deleted statements in each version.
    pub delete: usize,
    /// How many versions to make.
    pub count: usize,
    /// The same seed gives the same versions.
    pub seed: u64,
    /// Whether comparison operators, integer constants and `NULL` are changed too.
    pub operators: bool,
    /// Arguments of the runs that must show the fault; none means the marks `//~ INPUT:`, or one run without.
    pub inputs: Vec<Vec<String>>,
    /// What the program reads in each run; nothing means the mark `//~ STDIN:`.
    pub stdin: Vec<u8>,
}

impl Options {
    /// The same, with what the file's marks say where nothing was said.
    pub(crate) fn completed(&self, source: &Source) -> Result<Options, InjectError> {
        let mut options = self.clone();
        if options.change + options.delete == 0 {
            return Err(InjectError::NoFaults);
        }
        if options.functions.is_empty() {
            options.functions = marked_functions(source);
        }
        if options.functions.is_empty() {
            return Err(InjectError::NoFunction);
        }
        if options.inputs.is_empty() {
            options.inputs = marked_inputs(source);
        }
        if options.inputs.is_empty() {
            options.inputs.push(Vec::new());
        }
        if options.stdin.is_empty() {
            options.stdin = marked_stdin(source);
        }
        Ok(options)
    }

    /// The class as people write it: `⟨1, 0⟩`.
    pub fn class(&self) -> String {
        format!("⟨{}, {}⟩", self.change, self.delete)
    }
}
