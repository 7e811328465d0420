//! What is checked: a program, perhaps a reference, and how.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use c_syntax::{ParseError, Source, Unit};
use encode::program::Bounds;
use ir::{FunctionId, Program};

use spec::contract::{Notice, Resolved};

use crate::contract::{self, Part};
use crate::driver::{self, DRIVER, Given, NoDriver, NoInput};

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
    /// The same where a contract says what inputs look like.
    pub contract_length: u64,
    /// Whether the entry's contract counts, if it has one.
    pub contracts: bool,
    /// Functions whose contracts are used instead of their bodies.
    pub instead: Vec<String>,
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
            contract_length: 6,
            contracts: true,
            instead: vec![],
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
    /// The clauses of the contract that parts of the driver stand for.
    pub parts: Vec<Part>,
    /// Functions whose contracts are used instead of their bodies.
    pub instead: Vec<String>,
}

impl Side {
    /// The clause of the contract that a place in the driver stands for.
    pub fn part_at(&self, span: c_syntax::Span) -> Option<&Part> {
        let start = (span.start as usize).checked_sub(self.own)? as u32;
        self.parts.iter().find(|part| part.driver.contains(start))
    }

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
        Ok(self.of_unit(unit, text.len()))
    }

    /// The same with another tree of the same text.
    pub fn with_unit(&self, unit: Unit) -> Side {
        self.of_unit(unit, self.own)
    }

    /// Several other texts at once, which is faster than one by one.
    pub fn with_texts(&self, texts: &[Vec<u8>]) -> Vec<Result<Side, ParseError>> {
        let driver = &self.program.source.bytes[self.own..];
        let joined = |text: &Vec<u8>| Arc::new(Source::new(self.path.clone(), [&text[..], driver].concat()));
        let sources: Vec<Arc<Source>> = texts.iter().map(joined).collect();
        let units = c_syntax::with_deep_stack(|| c_syntax::parse_texts(&sources));
        units.into_iter().zip(texts).map(|(unit, text)| Ok(self.of_unit(unit?, text.len()))).collect()
    }

    /// Whole texts, with drivers of their own.
    pub(crate) fn with_whole_texts(&self, texts: &[Vec<u8>]) -> Vec<Result<Side, ParseError>> {
        let sources: Vec<Arc<Source>> =
            texts.iter().map(|text| Arc::new(Source::new(self.path.clone(), text.clone()))).collect();
        let units = c_syntax::with_deep_stack(|| c_syntax::parse_texts(&sources));
        units.into_iter().map(|unit| Ok(self.of_unit(unit?, self.own))).collect()
    }

    fn of_unit(&self, unit: Unit, own: usize) -> Side {
        let (parts, instead) = (self.parts.clone(), self.instead.clone());
        Side::of(self.path.clone(), unit, own, self.given.clone(), self.is_driven(), parts, instead)
    }

    /// Whether there is a driver.
    pub fn is_driven(&self) -> bool {
        self.own < self.program.source.bytes.len()
    }

    fn of(
        path: PathBuf,
        mut unit: Unit,
        own: usize,
        given: Vec<Given>,
        driven: bool,
        parts: Vec<Part>,
        instead: Vec<String>,
    ) -> Side {
        instead.iter().for_each(|name| replace_body(&mut unit, name));
        let unit = Arc::new(unit);
        let program = Arc::new(c_syntax::with_deep_stack(|| ir::lower((*unit).clone())));
        let name = if driven { DRIVER } else { "main" };
        let entry = program.function_named(name).expect("the function was found in the text");
        Side { path, unit, program, entry, own, given, parts, instead }
    }
}

/// Makes calls of a function go to the one that its contract became.
fn replace_body(unit: &mut Unit, name: &str) {
    let find = |unit: &Unit, name: &str| unit.functions.iter().position(|function| &*function.name == name);
    let Some(by) = find(unit, &contract::name_of(name)) else { return };
    let mut function = unit.functions.remove(by);
    function.name = name.into();
    if let Some(of) = find(unit, name) {
        unit.functions[of].name = format!("{name} of the program").into();
        unit.functions.push(function);
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
    /// The contract of the entry, if it counts.
    pub contract: Option<Arc<Resolved>>,
    /// What the annotations have that is not used.
    pub notices: Vec<Notice>,
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
    /// The contract cannot be used; the sentence has its place.
    #[error("{0}")]
    Contract(String),
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
    let mut units = parse(sources, &[], options)?;
    let name = options.entry.as_deref().unwrap_or("main");
    let mut annotations = spec::contract::read(&sources[0]);
    let with_bodies = if options.contracts { with_bodies(&sources[0], &mut units[0], &mut annotations) } else { None };
    let (bodies, options) = match with_bodies {
        Some((text, mut instead)) => {
            instead.extend(options.instead.iter().filter(|name| !instead.contains(name)).cloned().collect::<Vec<_>>());
            (text, &Options { instead, ..options.clone() })
        }
        None => (String::new(), options),
    };
    let contracts = Contracts { annotations: &annotations, unit: &units[0] };
    let contract = if options.contracts && name != "main" { contracts.of(name)? } else { None };
    let mut drivers = vec![];
    for (number, (source, unit)) in sources.iter().zip(&units).enumerate() {
        let Some(function) = unit.functions.iter().find(|function| &*function.name == name) else {
            let own = unit.functions.iter().filter(|function| function.own);
            let there: Vec<String> = own.map(|function| format!("`{}`", function.name)).collect();
            let there = if there.is_empty() { "none".into() } else { there.join(", ") };
            return Err(TaskError::NoEntry { path: source.path.clone(), name: name.into(), there });
        };
        let with_caret = |error| match error {
            NoDriver::Input(error) => TaskError::NoInput(error),
            NoDriver::Contract(error) => contracts.error(&error),
        };
        let write = || driver::write(unit, function, options, contract.as_ref(), number == 0).map_err(with_caret);
        let mut driver = if name == "main" { None } else { Some(write()?) };
        if number == 0 && !options.instead.is_empty() {
            let driver = driver.get_or_insert_default();
            contracts.stand_in(driver, options, contract.as_ref())?;
            driver.text += &bodies;
        }
        drivers.push(driver);
    }
    if let [program, reference] = &units[..] {
        compare_signatures(program, reference, name)?;
    }
    observed_exist(&units[0], name, options)?;
    let own: Vec<usize> = sources.iter().map(|source| source.bytes.len()).collect();
    let contract = contract.map(Arc::new);
    let notices = if contract.is_some() { annotations.notices.clone() } else { vec![] };
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
    for (number, (((unit, source), driver), own)) in units.into_iter().zip(sources).zip(drivers).zip(own).enumerate() {
        let driven = driver.is_some() && name != "main";
        let driver = driver.unwrap_or_default();
        let instead = if number == 0 { options.instead.clone() } else { vec![] };
        sides.push(Side::of(source.path.clone(), unit, own, driver.given, driven, driver.parts, instead));
    }
    let mut sides = sides.into_iter();
    let program = sides.next().expect("there is a program");
    Ok(Task { program, reference: sides.next(), options: options.clone(), contract, notices })
}

/// Gives functions that are only declared, with a contract, an empty body that the contract can stand for:
/// the text of the bodies, and the names.
fn with_bodies(
    source: &Source,
    unit: &mut Unit,
    annotations: &mut spec::contract::Annotations,
) -> Option<(String, Vec<String>)> {
    let declared = contract::declared(source, unit, annotations);
    let is_called = |name: &str| {
        let text = String::from_utf8_lossy(&source.bytes);
        text.matches(&format!("{name}(")).count() > 1
    };
    let (mut bodies, mut names) = (String::from("\n"), vec![]);
    for one in declared.into_iter().filter(|one| is_called(&one.name)) {
        let joined = [&source.bytes[..], bodies.as_bytes(), one.text.as_bytes()].concat();
        let joined = Arc::new(Source::new(source.path.clone(), joined));
        // What cannot be a body, or cannot stand for one, stays a function that is not there.
        let Ok(with) = c_syntax::with_deep_stack(|| c_syntax::parse_text(joined)) else { continue };
        let function = with.functions.iter().find(|function| *function.name == *one.name);
        let resolved = function.map(|function| (function, spec::contract::resolve(annotations, &with, function)));
        let Some((function, Ok(Some(resolved)))) = resolved else { continue };
        if contract::replacement(&resolved, &with, function, source, 1).is_err() {
            continue;
        }
        let message = format!("`{}` has no body in this file: its contract stands for it", one.name);
        annotations.notices.push(Notice { span: resolved.contract.span, message });
        *unit = with;
        bodies += &one.text;
        names.push(one.name);
    }
    (!names.is_empty()).then_some((bodies, names))
}

/// The contracts of a file.
struct Contracts<'a> {
    annotations: &'a spec::contract::Annotations,
    unit: &'a Unit,
}

impl Contracts<'_> {
    fn error(&self, error: &spec::contract::ContractError) -> TaskError {
        TaskError::Contract(self.unit.source.caret(error.span, &error.message))
    }

    fn of(&self, name: &str) -> Result<Option<Resolved>, TaskError> {
        let Some(function) = self.unit.functions.iter().find(|function| &*function.name == name) else {
            return Ok(None);
        };
        spec::contract::resolve(self.annotations, self.unit, function).map_err(|error| self.error(&error))
    }

    /// Adds the functions that stand for others to a driver.
    fn stand_in(
        &self,
        driver: &mut driver::Driver,
        options: &Options,
        entry: Option<&Resolved>,
    ) -> Result<(), TaskError> {
        let mut written = entry.map_or(vec![], |entry| entry.definitions.clone());
        let mut text =
            contract::Marked { text: std::mem::take(&mut driver.text), parts: std::mem::take(&mut driver.parts) };
        for name in &options.instead {
            let function = self.unit.functions.iter().find(|function| *function.name == **name);
            let resolved = self.of(name)?;
            let (Some(function), Some(resolved)) = (function, resolved) else {
                return Err(TaskError::Contract(format!("`{name}` has no contract that could stand for its body")));
            };
            let helpers = contract::helpers(&resolved.definitions, self.unit, &written);
            text.text += &helpers.map_err(|error| self.error(&error))?;
            written.extend(resolved.definitions.iter().cloned());
            let standing =
                contract::replacement(&resolved, self.unit, function, &self.unit.source, options.contract_length);
            text.append(standing.map_err(|error| self.error(&error))?);
        }
        (driver.text, driver.parts) = (text.text, text.parts);
        Ok(())
    }
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
            if options.assume.is_empty() {
                let message = &first.message;
                return Err(TaskError::Contract(format!("the contract cannot be written as C: {message}")));
            }
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
