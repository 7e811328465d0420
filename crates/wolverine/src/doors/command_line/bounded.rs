//! What the commands have in common that check a program for all inputs up to a bound.

use std::path::PathBuf;
use std::time::Duration;

use check::{Options, Task, TaskError};

use super::{Failure, report};

/// What a program is checked against, and how far.
#[derive(clap::Args, Clone)]
pub(super) struct BoundedArguments {
    /// A right program: for all inputs, the file must print and return the same
    #[arg(long, value_name = "REF.c")]
    pub(super) reference: Option<PathBuf>,
    /// The function to check; without it, the whole program
    #[arg(long, value_name = "FUNC")]
    entry: Option<String>,
    /// Only inputs for which this C condition over the entry's parameters holds
    #[arg(long, value_name = "EXPR")]
    assume: Vec<String>,
    /// What is compared with the reference: result, parameters, globals (all without it)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    observe: Vec<String>,
    /// Rounds of loops, and nested calls of one function, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    unwind: u32,
    /// Ignores runs that go on past the bound, instead of reporting them
    #[arg(long)]
    no_unwinding_assertions: bool,
    /// Globals are inputs too
    #[arg(long)]
    symbolic_globals: bool,
    /// Length of arrays, strings and lists that are inputs
    #[arg(long, value_name = "N", default_value_t = 3)]
    length: u64,
    /// Arguments on the command line, with the program's name
    #[arg(long, value_name = "N")]
    argc: Option<u32>,
}

impl BoundedArguments {
    /// Whether it is said what is right or which function is meant.
    pub(super) fn is_given(&self) -> bool {
        self.reference.is_some() || self.entry.is_some()
    }

    /// How the program is checked, in so many seconds.
    fn options(&self, timeout: Option<f64>) -> Options {
        let mut options = Options {
            entry: self.entry.clone().filter(|entry| entry != "main"),
            assume: self.assume.clone(),
            observe: self.observe.clone(),
            unwinding_assertions: !self.no_unwinding_assertions,
            symbolic_globals: self.symbolic_globals,
            length: self.length,
            arguments: self.argc,
            timeout: seconds(timeout),
            ..Options::default()
        };
        options.bounds.unwind = self.unwind;
        options
    }

    /// Reads the program and its reference.
    pub(super) fn load(&self, file: &std::path::Path, timeout: Option<f64>) -> Result<Task, Failure> {
        check::load(file, self.reference.as_deref(), &self.options(timeout)).map_err(|error| explain(&error))
    }
}

/// The time that was given, or a minute.
pub(super) fn seconds(timeout: Option<f64>) -> Duration {
    timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(Duration::from_secs(60))
}

fn explain(error: &TaskError) -> Failure {
    match error {
        TaskError::Parse { path, error } => Failure(report::explain(path, error)),
        error => Failure(error.to_string()),
    }
}
