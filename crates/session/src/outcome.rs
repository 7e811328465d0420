//! What a command came to.

use std::sync::Arc;

use execute::{Fault, Stop};
use ir::{Program, StepId};
use memory::{Change, State};

/// What a command came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What there is to say.
    pub messages: Vec<String>,
    /// Why it was not done, and what to do about it.
    pub error: Option<String>,
    /// What is new to see.
    pub effect: Effect,
    /// Whether it changed something that `undo` takes back.
    pub changed: bool,
    /// Where the program stands; `None` before it is started.
    pub position: Option<Position>,
    /// The memory there.
    pub state: Option<Arc<State>>,
    /// What is different in it from before the command.
    pub changes: Vec<Change>,
    /// What the program wrote to its output meanwhile.
    pub output: Vec<u8>,
    /// What it wrote to its standard error meanwhile.
    pub errors: Vec<u8>,
    /// How a request for a repair ended.
    pub verdict: Option<Verdict>,
    /// Whether the session is over.
    pub quit: bool,
}

/// How a request for a repair ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In a word.
    pub kind: VerdictKind,
    /// Conditions that stay forced.
    pub open: Vec<StepId>,
}

/// How a request for a repair ended, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// There are repairs.
    Repaired,
    /// There is nothing to repair.
    Meets,
    /// What is asserted cannot be met together.
    Contradicts,
    /// There is no repair as small as was looked for.
    Exhausted,
    /// Time was up.
    OutOfTime,
    /// The run cannot be modelled.
    NotModelled,
}

/// What a command changed, as far as it can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    #[default]
    Nothing,
    /// How the picture looks.
    Picture,
    /// Where the program stands.
    Position,
}

/// Where a program stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Before which statement, or how it ended.
    pub status: Status,
    /// The statement it stands before or crashed in.
    pub step: Option<StepId>,
    /// Its line.
    pub line: Option<u32>,
    /// Its text, on one line.
    pub text: String,
    /// What runs there instead or before, while a repair is live.
    pub live: Option<String>,
    /// The function it is in.
    pub function: Option<Arc<str>>,
    /// The number of active calls.
    pub depth: usize,
}

/// How a program stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Before a statement.
    Stopped,
    /// In the middle of a statement, where it was interrupted.
    Interrupted,
    /// It crashed.
    Crashed(Fault),
    /// It has ended with this status.
    Ended(i32),
}

impl Position {
    /// Describes where a program stands. `calls` are the statements of its active calls.
    pub(crate) fn new(program: &Program, stop: &Stop, calls: &[Option<StepId>]) -> Position {
        let innermost = || calls.iter().rev().find_map(|step| *step);
        let (status, step) = match stop {
            Stop::Step(step) => (Status::Stopped, Some(*step)),
            Stop::Interrupted => (Status::Interrupted, innermost()),
            Stop::Fault(fault) => (Status::Crashed(fault.clone()), fault.step.or_else(innermost)),
            Stop::Exited(status) => (Status::Ended(*status), None),
        };
        let at = step.map(|step| program.step(step));
        Position {
            status,
            step,
            line: at.map(|step| step.line),
            text: step.map_or(String::new(), |step| statement_text(program, step)),
            live: None,
            function: at.map(|step| program.function(step.function).name.clone()),
            depth: calls.len(),
        }
    }
}

/// A statement on one line: `while (temp1 != NULL)` for a condition.
pub fn statement_text(program: &Program, step: StepId) -> String {
    let step = program.step(step);
    let text = program.source.text(step.region);
    let text = if text.is_empty() { program.source.text(step.span) } else { text };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
