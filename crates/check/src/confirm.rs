//! Runs on the interpreter: no counterexample is shown that it does not confirm.

use std::collections::BTreeMap;
use std::sync::Arc;

use encode::program::{Inputs, Source};
use execute::interpreter::Interpreter;
use execute::{Executor, Fault, FaultKind, Input, Output, RunOptions, Stop, Until};
use ir::Program;
use solver::{Model, Terms};

use crate::driver::DRIVER;
use crate::suite::MOST_STEPS;
use crate::task::{Side, Task};

/// Inputs of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// Values of `__VERIFIER_nondet_*`, and of the entry's parameters.
    pub nondet: Vec<i128>,
    /// Numbers of standard input.
    pub numbers: Vec<i128>,
    /// Words of standard input, by their place among the numbers.
    pub words: BTreeMap<usize, Vec<u8>>,
    /// Bytes of standard input.
    pub bytes: Vec<u8>,
    /// Arguments of the command line.
    pub arguments: Vec<i128>,
}

impl Example {
    /// The inputs in a model.
    pub fn of(terms: &Terms, inputs: &Inputs, model: &Model) -> Example {
        let count = inputs.count.map(|count| terms.evaluate(count, model) as usize);
        let mut example = Example::default();
        for source in [Source::Nondet, Source::Number, Source::Byte, Source::Argument] {
            let mut all: Vec<_> = inputs.all.iter().filter(|input| input.source == source).collect();
            all.sort_by_key(|input| input.number);
            let first = u32::from(source == Source::Argument);
            let last = all.last().map_or(first, |input| input.number + 1);
            let mut values: Vec<i128> = vec![0; (last - first) as usize];
            for input in all.iter().filter(|input| input.number >= first) {
                let value = terms.evaluate(input.term, model);
                let value = if input.signed { i128::from(value as i64) } else { i128::from(value) };
                values[(input.number - first) as usize] = value;
            }
            let limit = count.unwrap_or(usize::MAX);
            match source {
                Source::Nondet => example.nondet = values,
                Source::Number => example.numbers = values.into_iter().take(limit).collect(),
                Source::Byte => example.bytes = values.into_iter().take(limit).map(|value| value as u8).collect(),
                Source::Argument => example.arguments = values,
            }
        }
        for word in inputs.words.iter().filter(|word| (word.number as usize) < count.unwrap_or(usize::MAX)) {
            let length = terms.evaluate(word.length, model) as usize;
            let bytes = word.bytes.iter().take(length).map(|byte| terms.evaluate(*byte, model) as u8);
            example.words.insert(word.number as usize, bytes.collect());
        }
        example
    }

    /// How many numbers and words standard input has.
    fn fields(&self) -> usize {
        self.words.keys().last().map_or(0, |last| last + 1).max(self.numbers.len())
    }

    /// The values of the variables for these inputs: the inverse of [`Example::of`].
    pub fn model(&self, terms: &Terms, inputs: &Inputs) -> Model {
        let mut model = Model::new();
        for input in &inputs.all {
            let at = input.number as usize;
            let value = match input.source {
                Source::Nondet => self.nondet.get(at).copied(),
                Source::Number => self.numbers.get(at).copied(),
                Source::Byte => self.bytes.get(at).map(|byte| i128::from(*byte)),
                Source::Argument => self.arguments.get(at.wrapping_sub(1)).copied(),
            };
            for variable in terms.variables(&[input.term]) {
                let mask = u64::MAX >> (64 - input.width);
                model.set(variable, value.unwrap_or(0) as u64 & mask);
            }
        }
        if let Some(count) = inputs.count {
            model.set(count, self.fields().max(self.bytes.len()) as u64);
        }
        for (word, text) in
            inputs.words.iter().filter_map(|word| Some((word, self.words.get(&(word.number as usize))?)))
        {
            let length = terms.variables(&[word.length]).into_iter().map(|variable| (variable, text.len() as u64));
            length.for_each(|(variable, value)| model.set(variable, value));
            for (byte, value) in word.bytes.iter().zip(text) {
                terms.variables(&[*byte]).into_iter().for_each(|variable| model.set(variable, (*value).into()));
            }
        }
        model
    }

    /// What the program reads from standard input.
    pub fn stdin(&self) -> Vec<u8> {
        if !self.bytes.is_empty() {
            return self.bytes.clone();
        }
        let field = |at: usize| match (self.words.get(&at), self.numbers.get(at)) {
            (Some(word), _) => word.clone(),
            (None, number) => number.unwrap_or(&0).to_string().into_bytes(),
        };
        let mut fields = (0..self.fields()).map(field).collect::<Vec<_>>().join(&b' ');
        if !fields.is_empty() {
            fields.push(b'\n');
        }
        fields
    }

    /// The inputs as lines for people: `x = -1`.
    pub fn lines(&self, side: &Side) -> Vec<String> {
        let mut lines = vec![];
        let mut absent: Vec<String> = vec![];
        for (index, value) in self.nondet.iter().enumerate() {
            let Some(given) = side.given.get(index) else {
                lines.push(format!("input {} = {value}", index + 1));
                continue;
            };
            // Of lists and trees only the nodes that are there.
            if absent.iter().any(|node| given.name.starts_with(&format!("{node}->"))) {
                continue;
            }
            match given.name.strip_suffix(" is there") {
                Some(node) if *value == 0 => {
                    absent.push(node.into());
                    lines.push(format!("{node} = null"));
                }
                Some(_) => {}
                None if given.ty.ends_with("char") && (32..127).contains(value) => {
                    lines.push(format!("{} = {value} ('{}')", given.name, *value as u8 as char));
                }
                None => lines.push(format!("{} = {value}", given.name)),
            }
        }
        if !self.arguments.is_empty() {
            let all: Vec<String> = self.arguments.iter().map(i128::to_string).collect();
            lines.push(format!("arguments: {}", all.join(" ")));
        }
        let stdin = self.stdin();
        if !stdin.is_empty() {
            lines.push(format!("standard input: {}", String::from_utf8_lossy(&stdin).trim_end()));
        }
        lines
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// With this status and output.
    Ended {
        /// The exit status.
        status: i32,
        /// What was printed.
        output: Vec<u8>,
    },
    /// It went wrong.
    Wrong(Fault),
    /// It does not end within the limit of statements.
    Endless,
    /// An assumption does not hold: the run does not count.
    Ignored,
    /// It cannot be run.
    Impossible(String),
}

/// Runs a program with inputs.
pub fn run(side: &Side, example: &Example) -> Ran {
    match start(&side.program, side.is_driven(), example) {
        Ok(mut interpreter) => finish(&mut interpreter),
        Err(why) => Ran::Impossible(why),
    }
}

/// The options of a run with these inputs.
fn options(example: &Example, steps: u64) -> RunOptions {
    RunOptions {
        arguments: example.arguments.iter().map(i128::to_string).collect(),
        input: Input::Bytes(example.stdin()),
        output: Output::Capture,
        nondet: example.nondet.clone(),
        max_steps: steps,
        max_depth: 20_000,
        strict_shifts: true,
        ..RunOptions::default()
    }
}

/// An interpreter at the beginning of the driver, or of `main`.
pub(crate) fn start(program: &Arc<Program>, driven: bool, example: &Example) -> Result<Interpreter, String> {
    start_within(program, driven, example, MOST_STEPS)
}

/// The same, to run so many statements at most.
pub(crate) fn start_within(
    program: &Arc<Program>,
    driven: bool,
    example: &Example,
    steps: u64,
) -> Result<Interpreter, String> {
    let program = if driven { driven_by(program) } else { program.clone() };
    Interpreter::start(program, &options(example, steps)).map_err(|error| error.to_string())
}

/// The program with the driver as its `main`.
fn driven_by(program: &Program) -> Arc<Program> {
    let mut program = program.clone();
    for function in &mut program.functions {
        match &*function.name {
            "main" => function.name = "main of the program".into(),
            DRIVER => function.name = "main".into(),
            _ => {}
        }
    }
    Arc::new(program)
}

pub(crate) fn finish(interpreter: &mut Interpreter) -> Ran {
    let stop = match interpreter.position() {
        Stop::Step(_) => interpreter.resume(&Until::End, &Default::default()),
        other => Ok(other.clone()),
    };
    ended(interpreter, stop)
}

pub(crate) fn ended(interpreter: &mut Interpreter, stop: Result<Stop, execute::ExecuteError>) -> Ran {
    match stop {
        Ok(Stop::Exited(status)) => match interpreter.output() {
            Ok(output) => Ran::Ended { status, output },
            Err(error) => Ran::Impossible(error.to_string()),
        },
        Ok(Stop::Fault(fault)) => match fault.kind {
            FaultKind::Assumption => Ran::Ignored,
            FaultKind::NoValue | FaultKind::UnknownFunction | FaultKind::Unsupported => Ran::Impossible(fault.message),
            _ => Ran::Wrong(fault),
        },
        Ok(Stop::Interrupted) => Ran::Endless,
        Ok(Stop::Step(_)) => Ran::Impossible("the run stopped on its way".into()),
        Err(error) => Ran::Impossible(error.to_string()),
    }
}

/// A statement that a run came to, and the memory before it.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The statement.
    pub step: ir::StepId,
    /// The memory.
    pub state: memory::State,
}

/// The statements of a run with the memory before each, `most` at most, and how it ended;
/// a run that is longer is cut there and counts as endless.
pub fn visits(side: &Side, example: &Example, most: usize) -> (Vec<Visit>, Ran) {
    let mut interpreter = match start(&side.program, side.is_driven(), example) {
        Ok(interpreter) => interpreter,
        Err(why) => return (vec![], Ran::Impossible(why)),
    };
    let mut found = vec![];
    while found.len() < most {
        let Stop::Step(step) = interpreter.position().clone() else { break };
        let Ok(state) = interpreter.state() else { break };
        found.push(Visit { step, state });
        let stop = interpreter.resume(&Until::Into, &Default::default());
        if !matches!(stop, Ok(Stop::Step(_))) {
            return (found, ended(&mut interpreter, stop));
        }
    }
    (found, finish(&mut interpreter))
}

/// What a run shows to be wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The program goes wrong by itself.
    Fault(Fault),
    /// It does not end.
    Endless,
    /// It ends differently than its reference.
    Different {
        /// What the program printed, and its status.
        got: (Vec<u8>, i32),
        /// What the reference printed, and its status.
        expected: (Vec<u8>, i32),
    },
}

/// Whether the program goes wrong with these inputs; an error says why that cannot be told.
pub fn confirm(task: &Task, side: &Side, example: &Example) -> Result<Option<Failure>, String> {
    let expected = match &task.reference {
        None => None,
        Some(reference) => match run(reference, example) {
            Ran::Ended { status, output } => Some((output, status)),
            Ran::Impossible(why) => return Err(why),
            _ => return Ok(None),
        },
    };
    match (run(side, example), expected) {
        (Ran::Wrong(fault), _) => Ok(Some(Failure::Fault(fault))),
        (Ran::Endless, _) => Ok(Some(Failure::Endless)),
        (Ran::Ignored, _) => Ok(None),
        (Ran::Impossible(why), _) => Err(why),
        (Ran::Ended { .. }, None) => Ok(None),
        (Ran::Ended { status, output }, Some(expected)) => {
            let got = (output, status);
            Ok((got != expected).then_some(Failure::Different { got, expected }))
        }
    }
}
