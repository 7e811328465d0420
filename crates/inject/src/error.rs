//! Why no faults can be put into a program, in sentences: ``there is no function `f` ``.

use c_syntax::ParseError;
use execute::ExecuteError;
use thiserror::Error;

/// Why no faults can be put into a program.
#[derive(Debug, Error)]
pub enum InjectError {
    /// No changed expression and no deleted statement is asked for.
    #[error("a version without a changed expression and without a deleted statement has no fault")]
    NoFaults,
    /// Nobody says which functions to change.
    #[error("no function is named that the faults should go to, and the file has no mark `//~ FUNCTION:`")]
    NoFunction,
    /// A function that is not in the file.
    #[error("there is no function `{name}` in this file; there are {}", .known.join(", "))]
    UnknownFunction {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Fewer expressions than are to be changed.
    #[error("{} of {functions} can be changed, but {asked} should be", expressions(*.there))]
    TooFewExpressions {
        /// The functions.
        functions: String,
        /// How many can be changed.
        there: usize,
        /// How many should be.
        asked: usize,
    },
    /// Fewer statements than are to be deleted.
    #[error("{} of {functions} can be deleted, but {asked} should be", statements(*.there))]
    TooFewStatements {
        /// The functions.
        functions: String,
        /// How many can be deleted.
        there: usize,
        /// How many should be.
        asked: usize,
    },
    /// The program that should be right is not.
    #[error("the program itself crashes {input}, so no fault could be told from its own: {message}")]
    Crashes {
        /// The arguments, as words in a sentence.
        input: String,
        /// The crash.
        message: String,
    },
    /// The program that should be right does not end.
    #[error("the program itself does not end within {steps} statements {input}")]
    Endless {
        /// The arguments, as words in a sentence.
        input: String,
        /// How far it was run.
        steps: u64,
    },
    /// The text cannot be read again.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The program cannot be run.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

fn expressions(count: usize) -> String {
    amount(count, "expression")
}

fn statements(count: usize) -> String {
    amount(count, "statement")
}

fn amount(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("only one {what}"),
        n => format!("only {n} {what}s"),
    }
}
