//! What is checked: a program, perhaps a reference, and how.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use c_syntax::{ParseError, Source, Unit};
use encode::program::Bounds;
use ir::{FunctionId, Program};

use crate::driver::{self, DRIVER, Given, NoInput};

/// How a program is checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function that is run; `main` if none is named.
    pub entry: Option<String>,
    /// C conditions over the entry's parameters that inputs meet.
    pub assume: Vec<String>,
    /// What is compared with the reference: `result`, parameters and globals by name; everything if empty.
    pub observe: Vec<String>,
    /// How far the program is unrolled.
    pub bounds: Bounds,
    /// Whether a loop that goes on past the bound is a violation.
    pub unwinding_assertions: bool,
    /// Whether globals are inputs too.
    pub symbolic_globals: bool,
    /// The length of arrays, strings and lists that are inputs.
    pub length: u64,
    /// The number of arguments of the command line; taken from the program if it is not given.
    pub arguments: Option<u32>,
    /// The smallest and largest value of the first, second, … number of standard input and of the command line;
    /// the last is that of all numbers that follow. Any number if empty. Other inputs count for nothing.
    pub input_ranges: Vec<(i64, i64)>,
    /// Time for solving.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: None,
            assume: vec![],
            observe: vec![],
            bounds: Bounds::default(),
            unwinding_assertions: true,
            symbolic_globals: false,
            length: 3,
            arguments: None,
            input_ranges: vec![],
            timeout: Duration::from_secs(60),
        }
    }
}

impl Options {
    pub(crate) fn observes(&self, name: &str) -> bool {
        self.observe.is_empty() || self.observe.iter().any(|observed| observed == name)
    }
}

/// One of the programs: the user's text, perhaps with a driver after it.
#[derive(Clone, Debug)]
pub struct Side {
    /// The user's file.
    pub path: PathBuf,
    /// Its syntax tree, with the driver.
    pub unit: Arc<Unit>,
    /// Its code.
    pub program: Arc<Program>,
    /// The function that is run: the driver, or `main`.
    pub entry: FunctionId,
    /// The length of the user's own text in bytes.
    pub own: usize,
    /// The inputs that the driver asks for.
    pub given: Vec<Given>,
}

impl Side {
    /// The text that is run, with the driver.
    pub fn source(&self) -> &Arc<Source> {
        &self.program.source
    }

    /// The user's own text.
    pub fn text(&self) -> &[u8] {
        &self.program.source.bytes[..self.own]
    }

    /// The same with another text of the user's file; the driver stays.
    pub fn with_text(&self, text: &[u8]) -> Result<Side, ParseError> {
        let driver = &self.program.source.bytes[self.own..];
        let source = Arc::new(Source::new(self.path.clone(), [text, driver].concat()));
        let unit = c_syntax::with_deep_stack(|| c_syntax::parse_text(source))?;
        Ok(Side::of(self.path.clone(), unit, text.len(), self.given.clone(), self.is_driven()))
    }

    /// The same with another tree of the same text.
    pub fn with_unit(&self, unit: Unit) -> Side {
        Side::of(self.path.clone(), unit, self.own, self.given.clone(), self.is_driven())
    }

    /// Whether there is a driver.
    pub fn is_driven(&self) -> bool {
        self.own < self.program.source.bytes.len()
    }

    fn of(path: PathBuf, unit: Unit, own: usize, given: Vec<Given>, driven: bool) -> Side {
        let unit = Arc::new(unit);
        let program = Arc::new(c_syntax::with_deep_stack(|| ir::lower((*unit).clone())));
        let name = if driven { DRIVER } else { "main" };
        let entry = program.function_named(name).expect("the function was found in the text");
        Side { path, unit, program, entry, own, given }
    }
}

/// A program to be checked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: Side,
    /// What it is compared with.
    pub reference: Option<Side>,
    /// How.
    pub options: Options,
}

/// Why there is nothing to check.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// A file is not C, or cannot be read.
    #[error("{error}")]
    Parse {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: ParseError,
    },
    /// A condition of `--assume` is not C, or names what is not there.
    #[error("`--assume {text}` is not a condition over the parameters of {entry}: {message}")]
    Assume {
        /// The condition.
        text: String,
        /// The function.
        entry: String,
        /// What the compiler says.
        message: String,
    },
    /// There is no such function.
    #[error("{} has no function `{name}`; it has {there}", path.display())]
    NoEntry {
        /// Which file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The functions that it has.
        there: String,
    },
    /// The reference's function has another signature.
    #[error(
        "the reference's function is `{reference}`, the program's is `{program}`: they must take the same arguments and return the same type"
    )]
    Signature {
        /// In the program.
        program: String,
        /// In the reference.
        reference: String,
    },
    /// No inputs can be made up.
    #[error("{0}")]
    NoInput(#[from] NoInput),
    /// Something that needs an entry function was given for a whole program.
    #[error("{option} speaks of the parameters of one function: name it with --entry. {instead}")]
    WholeProgram {
        /// The option.
        option: &'static str,
        /// What to do for a whole program.
        instead: &'static str,
    },
    /// `--observe` names what is not there.
    #[error("`--observe {name}`: there is no parameter or global of that name, and it is not `result`")]
    NoObserved {
        /// The name.
        name: String,
    },
}

/// Reads the program and its reference, and writes the drivers.
pub fn load(path: &Path, reference: Option<&Path>, options: &Options) -> Result<Task, TaskError> {
    let read = |path: &Path| match std::fs::read(path) {
        Ok(bytes) => Ok(Arc::new(Source::new(path, bytes))),
        Err(error) => {
            let error = ParseError::Unreadable { path: path.display().to_string(), error };
            Err(TaskError::Parse { path: path.into(), error })
        }
    };
    let sources: Vec<Arc<Source>> = std::iter::once(path).chain(reference).map(read).collect::<Result<_, _>>()?;
    load_sources(&sources, options)
}

/// The same for texts: the program and perhaps a reference.
pub fn load_sources(sources: &[Arc<Source>], options: &Options) -> Result<Task, TaskError> {
    if options.entry.is_none() {
        needs_entry(options)?;
    }
    let units = parse(sources, &[], options)?;
    let name = options.entry.as_deref().unwrap_or("main");
    let mut drivers = vec![];
    for (source, unit) in sources.iter().zip(&units) {
        let Some(function) = unit.functions.iter().find(|function| &*function.name == name) else {
            let own = unit.functions.iter().filter(|function| function.own);
            let there: Vec<String> = own.map(|function| format!("`{}`", function.name)).collect();
            let there = if there.is_empty() { "none".into() } else { there.join(", ") };
            return Err(TaskError::NoEntry { path: source.path.clone(), name: name.into(), there });
        };
        drivers.push(if name == "main" { None } else { Some(driver::write(unit, function, options)?) });
    }
    if let [program, reference] = &units[..] {
        compare_signatures(program, reference, name)?;
    }
    observed_exist(&units[0], name, options)?;
    let own: Vec<usize> = sources.iter().map(|source| source.bytes.len()).collect();
    let units = if drivers.iter().all(Option::is_none) {
        units
    } else {
        let with_driver = |(source, driver): (&Arc<Source>, &Option<driver::Driver>)| {
            let text = driver.as_ref().map_or("", |driver| &driver.text);
            Arc::new(Source::new(source.path.clone(), [&source.bytes[..], text.as_bytes()].concat()))
        };
        let joined: Vec<Arc<Source>> = sources.iter().zip(&drivers).map(with_driver).collect();
        parse(&joined, &own, options)?
    };
    let mut sides = vec![];
    for (((unit, source), driver), own) in units.into_iter().zip(sources).zip(drivers).zip(own) {
        let driven = driver.is_some();
        let given = driver.map_or(vec![], |driver| driver.given);
        sides.push(Side::of(source.path.clone(), unit, own, given, driven));
    }
    let mut sides = sides.into_iter();
    let program = sides.next().expect("there is a program");
    Ok(Task { program, reference: sides.next(), options: options.clone() })
}

/// Whole programs read their inputs themselves.
fn needs_entry(options: &Options) -> Result<(), TaskError> {
    let instead = match () {
        () if !options.assume.is_empty() => {
            ("--assume", "In a whole program, write __VERIFIER_assume(…) where the inputs were read")
        }
        () if !options.observe.is_empty() => {
            ("--observe", "Of a whole program everything that it prints and its exit status are compared")
        }
        () if options.symbolic_globals => {
            ("--symbolic-globals", "In a whole program, give the globals values by __VERIFIER_nondet_int()")
        }
        () => return Ok(()),
    };
    Err(TaskError::WholeProgram { option: instead.0, instead: instead.1 })
}

/// Parses texts; an error behind `own` bytes is one of the driver, which means of `--assume`.
fn parse(sources: &[Arc<Source>], own: &[usize], options: &Options) -> Result<Vec<Unit>, TaskError> {
    let units = c_syntax::with_deep_stack(|| c_syntax::parse_texts(sources));
    let mut found = vec![];
    for (index, (unit, source)) in units.into_iter().zip(sources).enumerate() {
        let error = match unit {
            Ok(unit) => {
                found.push(unit);
                continue;
            }
            Err(error) => error,
        };
        if let (ParseError::Rejected(diagnostics), Some(own)) = (&error, own.get(index))
            && let Some(first) = diagnostics.first()
            && source.line(*own as u32) <= first.line
        {
            let text = options.assume.join("` `--assume ");
            let entry = options.entry.clone().unwrap_or_default();
            return Err(TaskError::Assume { text, entry, message: first.message.clone() });
        }
        return Err(TaskError::Parse { path: source.path.clone(), error });
    }
    Ok(found)
}

fn compare_signatures(program: &Unit, reference: &Unit, name: &str) -> Result<(), TaskError> {
    let of = |unit: &Unit| {
        let function = unit.functions.iter().find(|function| &*function.name == name);
        function.map_or(String::new(), |function| unit.types.declare(function.ty, name))
    };
    let (program, reference) = (of(program), of(reference));
    // `main` is called in one way whatever it declares.
    if program != reference && name != "main" {
        return Err(TaskError::Signature { program, reference });
    }
    Ok(())
}

fn observed_exist(unit: &Unit, entry: &str, options: &Options) -> Result<(), TaskError> {
    let function = unit.functions.iter().find(|function| &*function.name == entry);
    let parameters = function.map_or(&[][..], |function| &function.parameters);
    for name in &options.observe {
        let variables = unit.globals.iter().chain(parameters);
        let there = variables.into_iter().any(|id| &*unit.variables[id.0 as usize].name == name);
        if !there && name != "result" && name != "output" {
            return Err(TaskError::NoObserved { name: name.clone() });
        }
    }
    Ok(())
}
