//! The one interface of all executors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ir::StepId;
use memory::{Entity, State, Value};
use thiserror::Error;

use crate::fault::Fault;
use crate::interrupter::Interrupter;

/// A program that is being run.
///
/// An executor is created at the first statement of `main`. It is always
/// stopped *before* a source statement, or the program is over.
pub trait Executor {
    /// Where the program stands.
    fn position(&self) -> &Stop;

    /// Runs on as `until` says, but also stops before any of the statements
    /// `breakpoints`, in any call. The statement it stands before is run first.
    fn resume(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError>;

    /// Runs on to `goal`, to the end or to a crash, and counts how often it
    /// passes each of the statements `counted` before it stops.
    fn resume_counting(&mut self, goal: &Goal, counted: &BTreeSet<StepId>) -> Result<(Stop, StepCounts), ExecuteError> {
        count_by_stopping(self, goal, counted)
    }

    /// Everything in memory.
    fn state(&mut self) -> Result<State, ExecuteError>;

    /// The statement at which each active call stands, outermost first; `None`
    /// where a call is between statements.
    fn calls(&mut self) -> Result<Vec<Option<StepId>>, ExecuteError>;

    /// Writes a variable or a member of a node. Pointers are given as
    /// [`Value::Null`], [`Value::Pointer`] or [`Value::Dangling`], numbers as
    /// [`Value::Int`] or [`Value::Float`].
    fn write(&mut self, entity: &Entity, value: &Value) -> Result<(), ExecuteError>;

    /// At the condition of an `if` or a loop: goes where it would go if the
    /// condition were `taken`, without evaluating it, and stops there.
    fn decide(&mut self, taken: bool) -> Result<Stop, ExecuteError>;

    /// Runs the C expression `text` instead of the statement the program
    /// stands before, and stops at the next one.
    fn execute_instead(&mut self, text: &str) -> Result<Stop, ExecuteError> {
        self.resume_instead(text, &Until::Over, &BTreeSet::new())
    }

    /// Runs the C expression `text` (or `return` and one) instead of the
    /// statement the program stands before, then on as [`Executor::resume`]
    /// would. Nothing in the place of a statement skips it; in the place of a
    /// condition the value decides.
    fn resume_instead(
        &mut self,
        text: &str,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError>;

    /// Runs the C expression `text` with the variables of this place, and
    /// stands before the same statement again, unless that crashes.
    fn execute_here(&mut self, text: &str) -> Result<Stop, ExecuteError> {
        self.resume_here(text, &BTreeSet::new())
    }

    /// The same, but stops before any of the statements `breakpoints` in what
    /// the expression calls. However it runs on from there, it stops once more
    /// when the expression is done, before the statement where this was asked.
    fn resume_here(&mut self, text: &str, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError>;

    /// Whether a C condition holds where the program stands; it does not move.
    /// If the condition crashes, the answer is [`ExecuteError::Over`] and the
    /// position is the fault.
    fn truth(&mut self, condition: &str) -> Result<bool, ExecuteError>;

    /// How many calls are active.
    fn depth(&mut self) -> Result<usize, ExecuteError> {
        Ok(self.calls()?.len())
    }

    /// Remembers this moment.
    fn checkpoint(&mut self) -> Result<CheckpointId, ExecuteError>;

    /// Goes back to a remembered moment; it stays remembered.
    fn restore(&mut self, checkpoint: CheckpointId) -> Result<(), ExecuteError>;

    /// Drops a remembered moment; the others keep their numbers.
    fn forget(&mut self, checkpoint: CheckpointId);

    /// Makes `bytes` the whole input of the program; what it has read stays
    /// read. Only where [`RunOptions::input`] is [`Input::Bytes`].
    fn set_input(&mut self, bytes: &[u8]) -> Result<(), ExecuteError>;

    /// How many bytes of its input the program has not read yet, where that
    /// can be known.
    fn input_left(&mut self) -> Result<Option<usize>, ExecuteError>;

    /// What the program has written to its standard output, if it is captured.
    fn output(&mut self) -> Result<Vec<u8>, ExecuteError>;

    /// What the program has written to its standard error, if it is captured.
    fn errors(&mut self) -> Result<Vec<u8>, ExecuteError>;

    /// A handle that stops the running program from another thread.
    fn interrupter(&self) -> Interrupter;

    /// The statements where this executor never stops, as the compiler made no
    /// instructions for them.
    fn steps_without_code(&self) -> BTreeSet<StepId> {
        BTreeSet::new()
    }

    /// The processes that run for this executor: gdb and the program, or none.
    fn processes(&self) -> Vec<u32>;
}

/// What [`Executor::resume_counting`] does, from stop to stop.
pub(crate) fn count_by_stopping<E: Executor + ?Sized>(
    executor: &mut E,
    goal: &Goal,
    counted: &BTreeSet<StepId>,
) -> Result<(Stop, StepCounts), ExecuteError> {
    let stops: BTreeSet<StepId> = goal.steps().chain(counted.iter().copied()).collect();
    let (mut goal, mut counts) = (goal.clone(), StepCounts::new());
    loop {
        let stop = executor.resume(&Until::End, &stops)?;
        match stop {
            Stop::Step(step) if !goal.is_reached_at(step) => {
                if counted.contains(&step) {
                    *counts.entry(step).or_default() += 1;
                }
            }
            _ => return Ok((stop, counts)),
        }
    }
}

/// A remembered moment of an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckpointId(pub u32);

impl CheckpointId {
    pub(crate) fn missing(self) -> ExecuteError {
        ExecuteError::NotHere(format!("there is no checkpoint {} any more, or it never was", self.0))
    }
}

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the next statement, in a called function too.
    Into,
    /// To the next statement of this function or of a caller.
    Over,
    /// To the next statement of a caller, after this call has returned.
    Out,
    /// To the end.
    End,
}

/// How often statements were come to.
pub type StepCounts = BTreeMap<StepId, u64>;

/// A moment to run to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Before the first of these statements that comes.
    First(BTreeSet<StepId>),
    /// When each of these statements was come to as often as this: before the last of them.
    Times(StepCounts),
}

impl Goal {
    /// The statements that it speaks of.
    pub fn steps(&self) -> Box<dyn Iterator<Item = StepId> + '_> {
        match self {
            Goal::First(steps) => Box::new(steps.iter().copied()),
            Goal::Times(counts) => Box::new(counts.keys().copied()),
        }
    }

    /// Takes in that a statement was come to; whether that was the goal.
    pub fn is_reached_at(&mut self, step: StepId) -> bool {
        match self {
            Goal::First(steps) => steps.contains(&step),
            Goal::Times(counts) => {
                let Some(left) = counts.get_mut(&step) else { return false };
                *left -= 1;
                if *left == 0 {
                    counts.remove(&step);
                }
                counts.is_empty()
            }
        }
    }
}

/// Why the program stands still.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// Before a statement.
    Step(StepId),
    /// The program is over, with this exit status.
    Exited(i32),
    /// It cannot go on.
    Fault(Fault),
    /// It was interrupted, or made as many steps as it may; it can go on.
    Interrupted,
}

impl Stop {
    /// The statement it stands before.
    pub fn step(&self) -> Option<StepId> {
        match self {
            Stop::Step(step) => Some(*step),
            _ => None,
        }
    }
}

/// What the program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A file.
    File(PathBuf),
    /// What Wolverine itself reads.
    Inherit,
}

impl Input {
    /// Only bytes can be changed while the program runs.
    pub(crate) fn check_is_bytes(&self) -> Result<(), ExecuteError> {
        let sentence = match self {
            Input::Bytes(_) => return Ok(()),
            Input::File(path) => format!("the program's input comes from the file {}", path.display()),
            Input::Inherit => "the program's input comes from the terminal or from where Wolverine's own does".into(),
        };
        Err(ExecuteError::NotHere(sentence))
    }
}

/// Where the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Kept, for [`Executor::output`] and [`Executor::errors`].
    Capture,
    /// Where Wolverine itself writes.
    Inherit,
}

/// How to run a program.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Arguments after the program's name.
    pub arguments: Vec<String>,
    /// Standard input.
    pub input: Input,
    /// What `__VERIFIER_nondet_int` and its like give, one after the other
    /// (interpreter); if there are too few, [`FaultKind::NoValue`](crate::FaultKind::NoValue).
    pub nondet: Vec<i128>,
    /// Standard output and error.
    pub output: Output,
    /// Statements to run at most (interpreter), then [`Stop::Interrupted`].
    pub max_steps: u64,
    /// Bytes of memory to use at most (interpreter).
    pub max_memory: u64,
    /// Nested calls at most (interpreter).
    pub max_depth: usize,
    /// Whether a shift by a negative number or by too many bits ends the run as
    /// [`FaultKind::Shift`](crate::FaultKind::Shift) (interpreter); otherwise it does what x86 does.
    pub strict_shifts: bool,
    /// Seconds that one [`Executor::resume`] may take at most (gdb), then [`Stop::Interrupted`].
    pub max_seconds: f64,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            arguments: Vec::new(),
            input: Input::Bytes(Vec::new()),
            nondet: Vec::new(),
            output: Output::Capture,
            max_steps: u64::MAX,
            max_memory: 4 << 30,
            max_depth: 100_000,
            strict_shifts: false,
            max_seconds: 1e9,
        }
    }
}

/// Why an executor could not do what it was asked to.
#[derive(Debug, Error)]
pub enum ExecuteError {
    /// A tool is missing; the sentence says which and how to get it.
    #[error("{0}")]
    MissingTool(String),
    /// The compiler refused the program.
    #[error("the compiler does not take this program:\n{0}")]
    Compile(String),
    /// The program has no `main`.
    #[error("this program has no function `main`, so there is nothing to run")]
    NoMain,
    /// The program is over, so nothing more can be done with it.
    #[error("the program is over; start it again, or go back")]
    Over,
    /// No such variable, node or member, with what there is.
    #[error("{0}")]
    NoSuchEntity(String),
    /// The value does not fit the entity.
    #[error("{0}")]
    WrongValue(String),
    /// What was asked for makes no sense at this place.
    #[error("{0}")]
    NotHere(String),
    /// gdb or the program under it has died; the executor must be started again.
    #[error("{0}")]
    Died(String),
    /// Reading or writing a file failed.
    #[error("{what}: {error}")]
    Io {
        /// What was being done.
        what: String,
        /// The reason.
        error: std::io::Error,
    },
}
