//! What the commands have in common that check a program for all inputs up to a bound.

use std::path::{Path, PathBuf};
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
    /// Length of arrays, strings and lists that are inputs (3; with a contract up to 6)
    #[arg(long, value_name = "N")]
    length: Option<u64>,
    /// Leaves the contract of the function out (/*@ … */ before it)
    #[arg(long)]
    no_contract: bool,
    /// Uses the contracts of these functions instead of their bodies
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    use_contracts: Vec<String>,
    /// Arguments on the command line, with the program's name
    #[arg(long, value_name = "N")]
    argc: Option<u32>,
}

impl BoundedArguments {
    /// Whether it is said what is right or which function is meant.
    pub(super) fn is_given(&self) -> bool {
        self.reference.is_some() || self.entry.is_some()
    }

    /// The same with the one function that was named, if it has a contract and no entry is given.
    pub(super) fn for_contract(&self, file: &Path, functions: &[String]) -> BoundedArguments {
        let [function] = functions else { return self.clone() };
        let source = std::fs::read(file).map(|bytes| c_syntax::Source::new(file, bytes));
        let annotations = source.map(|source| spec::contract::read(&source)).unwrap_or_default();
        let is_broken = annotations.broken.iter().any(|(of, _)| of.as_ref() == Some(function));
        match annotations.of(function).is_some() || is_broken {
            true => self.with_entry(Some(function)),
            false => self.clone(),
        }
    }

    /// The same with this entry, where none is given.
    pub(super) fn with_entry(&self, function: Option<&String>) -> BoundedArguments {
        BoundedArguments { entry: self.entry.clone().or(function.cloned()), ..self.clone() }
    }

    /// The program as it is run: with the bodies of all functions.
    pub(super) fn load_running(&self, file: &Path, timeout: Option<f64>) -> Result<Task, Failure> {
        BoundedArguments { use_contracts: vec![], ..self.clone() }.load(file, timeout)
    }

    /// Whether contracts are used instead of bodies.
    pub(super) fn uses_contracts(&self) -> bool {
        !self.use_contracts.is_empty()
    }

    /// The function to check.
    pub(super) fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// How the program is checked, in so many seconds.
    pub(super) fn options(&self, timeout: Option<f64>) -> Options {
        let defaults = Options::default();
        let mut options = Options {
            entry: self.entry.clone().filter(|entry| entry != "main"),
            assume: self.assume.clone(),
            observe: self.observe.clone(),
            unwinding_assertions: !self.no_unwinding_assertions,
            symbolic_globals: self.symbolic_globals,
            length: self.length.unwrap_or(defaults.length),
            contract_length: self.length.unwrap_or(defaults.contract_length),
            contracts: !self.no_contract,
            instead: self.use_contracts.clone(),
            arguments: self.argc,
            timeout: seconds(timeout),
            ..Options::default()
        };
        options.bounds.unwind = self.unwind;
        options
    }

    /// Reads the program and its reference.
    pub(super) fn load(&self, file: &Path, timeout: Option<f64>) -> Result<Task, Failure> {
        let loaded = check::load(file, self.reference.as_deref(), &self.options(timeout));
        let task = loaded.map_err(|error| explain(&error))?;
        notes(&task);
        Ok(task)
    }
}

/// What the annotations have that is not used, in few words.
fn notes(task: &Task) {
    let (inside, other): (Vec<_>, Vec<_>) =
        task.notices.iter().partition(|notice| notice.message.ends_with("inside of a function is not used"));
    if !inside.is_empty() {
        let (count, plural) = (inside.len(), if inside.len() == 1 { "" } else { "s" });
        eprintln!(
            "note: {count} annotation{plural} inside of functions, as of loops, are not used: loops are unrolled"
        );
    }
    for notice in other {
        eprintln!("{}", task.program.source().caret(notice.span, &format!("note: {}", notice.message)));
    }
}

/// The time that was given, or a minute.
pub(super) fn seconds(timeout: Option<f64>) -> Duration {
    timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(Duration::from_secs(60))
}

pub(super) fn explain(error: &TaskError) -> Failure {
    match error {
        TaskError::Parse { path, error } => Failure(report::explain(path, error)),
        error => Failure(error.to_string()),
    }
}
