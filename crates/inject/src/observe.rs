//! Whether a fault can be seen: the version runs on each input, and something
//! that it does is different from the original.
//!
//! What counts, in this order: it crashes, it does not end, it prints something
//! else, it ends with another status, it leaves another heap behind.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, FaultKind, Input, Output, RunOptions, Stop, Until};
use ir::Program;

use crate::error::InjectError;
use crate::heap::Heap;
use crate::note::Observed;
use crate::options::Options;

/// Statements of a run of the right program at most.
const LONGEST: u64 = 50_000_000;
/// A version that runs this much longer than the original does not end.
const TIMES_LONGER: u64 = 20;
/// Added to that for short runs.
const STEPS_MORE: u64 = 10_000;
/// Bytes; a version that allocates in an endless loop comes to an end by this.
const MEMORY: u64 = 256 << 20;

/// What the right program does on each input.
pub(crate) struct Baseline {
    stdin: Vec<u8>,
    runs: Vec<(Vec<String>, Run)>,
}

impl Baseline {
    /// Runs the right program.
    pub fn run(program: &Arc<Program>, options: &Options) -> Result<Baseline, InjectError> {
        let one = |input: &Vec<String>| {
            let run = Run::of(program, input, &options.stdin, LONGEST)?;
            match &run.end {
                End::Exited(_) => Ok((input.clone(), run)),
                End::Crashed { message, .. } => {
                    Err(InjectError::Crashes { input: name(input), message: message.clone() })
                }
                End::Endless => Err(InjectError::Endless { input: name(input), steps: LONGEST }),
            }
        };
        let runs = options.inputs.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Baseline { stdin: options.stdin.clone(), runs })
    }

    /// The first input on which a version does something else, and what.
    pub fn observe(&self, version: &Arc<Program>) -> Option<Observed> {
        self.runs.iter().find_map(|(input, right)| {
            let limit = right.steps * TIMES_LONGER + STEPS_MORE;
            let wrong = Run::of(version, input, &self.stdin, limit).ok()?;
            let difference = difference(right, &wrong, limit)?;
            Some(Observed { input: input.clone(), sentence: format!("{} it {difference}", name(input)) })
        })
    }
}

/// The arguments as words in a sentence: ``with the arguments `3 1` ``.
fn name(input: &[String]) -> String {
    match input {
        [] => "without arguments".into(),
        [one] => format!("with the argument `{one}`"),
        more => format!("with the arguments `{}`", more.join(" ")),
    }
}

/// What a run did.
struct Run {
    end: End,
    output: Vec<u8>,
    errors: Vec<u8>,
    steps: u64,
    /// As it is at the end of `main`, if it came there.
    heap: Option<Heap>,
    /// Blocks that were never freed.
    blocks: usize,
}

enum End {
    Exited(i32),
    Crashed { kind: FaultKind, message: String },
    Endless,
}

impl Run {
    fn of(program: &Arc<Program>, arguments: &[String], stdin: &[u8], max_steps: u64) -> Result<Run, ExecuteError> {
        let options = RunOptions {
            arguments: arguments.to_vec(),
            input: Input::Bytes(stdin.to_vec()),
            output: Output::Capture,
            max_steps,
            max_memory: MEMORY,
            ..RunOptions::default()
        };
        let mut interpreter = Interpreter::start(program.clone(), &options)?;
        let (stop, heap) = go_to_end(program, &mut interpreter)?;
        let end = match stop {
            Stop::Exited(status) => End::Exited(status),
            Stop::Fault(fault) => End::Crashed { kind: fault.kind, message: fault.message },
            Stop::Interrupted | Stop::Step(_) => End::Endless,
        };
        let (output, errors) = (interpreter.output()?, interpreter.errors()?);
        let blocks = interpreter.leaks().len();
        Ok(Run { end, output, errors, steps: interpreter.steps(), heap, blocks })
    }
}

/// Runs to the end, and looks at the heap before `main` returns.
fn go_to_end(program: &Program, interpreter: &mut Interpreter) -> Result<(Stop, Option<Heap>), ExecuteError> {
    let main = program.function_named("main").ok_or(ExecuteError::NoMain)?;
    let exit = BTreeSet::from([program.function(main).exit]);
    let mut heap = None;
    loop {
        match interpreter.position().clone() {
            Stop::Step(step) => {
                if exit.contains(&step) {
                    heap = Some(Heap::of(&interpreter.state()?));
                }
                if interpreter.resume(&Until::End, &exit)? == Stop::Interrupted {
                    return Ok((Stop::Interrupted, heap));
                }
            }
            over => return Ok((over, heap)),
        }
    }
}

/// What is different, as the rest of a sentence that begins with "it".
fn difference(right: &Run, wrong: &Run, limit: u64) -> Option<String> {
    match (&right.end, &wrong.end) {
        // The interpreter would not know what the real program does.
        (_, End::Crashed { kind: FaultKind::Unsupported | FaultKind::UnknownFunction, .. }) => None,
        (_, End::Crashed { message, .. }) => Some(format!("crashes: {message}")),
        (_, End::Endless) => {
            Some(format!("does not end within {limit} statements, where the original takes {}", right.steps))
        }
        _ if right.output != wrong.output => Some(printed("prints", &wrong.output, &right.output)),
        _ if right.errors != wrong.errors => {
            Some(printed("prints to its standard error", &wrong.errors, &right.errors))
        }
        (End::Exited(before), End::Exited(now)) if before != now => {
            Some(format!("ends with the status {now} instead of {before}"))
        }
        _ => heap_difference(right, wrong),
    }
}

fn heap_difference(right: &Run, wrong: &Run) -> Option<String> {
    let nodes = |count: usize| if count == 1 { "one node".into() } else { format!("{count} nodes") };
    match (&right.heap, &wrong.heap) {
        (Some(before), Some(now)) if before.lost != now.lost => {
            Some(format!("loses {} instead of {}", nodes(now.lost), nodes(before.lost)))
        }
        (Some(before), Some(now)) if before.reachable != now.reachable => {
            Some(format!("has {} at its end instead of {}", nodes(now.reachable), nodes(before.reachable)))
        }
        (Some(before), Some(now)) if before != now => {
            Some("leaves another heap behind: its nodes are linked or filled otherwise".into())
        }
        _ if right.blocks != wrong.blocks => {
            Some(format!("never frees {} instead of {}", nodes(wrong.blocks), nodes(right.blocks)))
        }
        _ => None,
    }
}

fn printed(what: &str, wrong: &[u8], right: &[u8]) -> String {
    format!("{what} {} instead of {}", quote(wrong), quote(right))
}

/// The bytes as text on one line, of which only the beginning is shown.
fn quote(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    if bytes.is_empty() {
        return "nothing".into();
    }
    let shown = bytes[..bytes.len().min(LONGEST)].escape_ascii();
    let more = if bytes.len() > LONGEST { "…" } else { "" };
    format!("\"{shown}\"{more}")
}
