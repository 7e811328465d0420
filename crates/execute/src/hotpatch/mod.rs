//! Makes changes of the program live while it runs.
//!
//! [`Patched`] stands around an executor and is one itself. It stops at every
//! statement that a change speaks of, does what the change says, and goes on,
//! so the program runs as if its text had been changed:
//!
//! ```text
//! while (p) { q = p; p = p->next; }     Replace { step: `q = p`, text: "q = p->next" }
//! ```
//!
//! runs as `while (p) { q = p->next; p = p->next; }` from now on, in every
//! call, without a compiler and without a new start. With no changes it hands
//! everything on.

mod live;
mod run;
mod way;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ir::{Program, StepId};
use memory::{Entity, State, Value};

use self::live::Live;
use self::run::Begin;
use self::way::Way;
use crate::{CheckpointId, ExecuteError, Executor, Goal, Interrupter, StepCounts, Stop, Until};

/// A change of the program that is live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveChange {
    /// The statement or condition `step` runs as `text`: an expression, or
    /// `return` and one; for a declaration the assignments as an expression,
    /// `a = x, b = y`. Nothing: the statement is deleted.
    Replace {
        /// The statement.
        step: StepId,
        /// What it runs as.
        text: String,
    },
    /// `statement` is run whenever control comes to `to`, before anyone hears
    /// that it did.
    Insert {
        /// The statement after it.
        to: StepId,
        /// Only coming from one of these statements of the same call; nothing:
        /// from anywhere, also at the start of the call.
        from: Option<BTreeSet<StepId>>,
        /// Only if this condition holds.
        guard: Option<String>,
        /// An expression.
        statement: String,
    },
    /// `step` runs only if `condition` holds, otherwise it is skipped. A
    /// condition that is skipped does not hold.
    Guard {
        /// The statement.
        step: StepId,
        /// A condition.
        condition: String,
    },
}

/// A program that runs with live changes.
pub struct Patched {
    inner: Box<dyn Executor>,
    program: Arc<Program>,
    live: Live,
    way: Way,
    position: Stop,
    /// What is remembered of each checkpoint.
    moments: HashMap<CheckpointId, (Way, Stop)>,
    /// Whether somebody interrupted it since it began to run.
    interrupted: Arc<AtomicBool>,
}

impl Patched {
    /// The program that `inner` runs, with no changes yet.
    pub fn new(inner: Box<dyn Executor>, program: Arc<Program>) -> Patched {
        let position = inner.position().clone();
        let interrupted = Arc::new(AtomicBool::new(false));
        let (live, way, moments) = (Live::default(), Way::default(), HashMap::new());
        Patched { inner, program, live, way, position, moments, interrupted }
    }

    /// These changes are live from now on, and no others. What comes before
    /// the statement that the program stands before has happened already.
    /// A change that cannot be made is an error, and then all stays as it was.
    pub fn set_changes(&mut self, changes: Arc<[LiveChange]>) -> Result<(), ExecuteError> {
        self.live = Live::new(&self.program, &changes, &self.inner.steps_without_code())?;
        self.follow_calls()
    }

    /// Begins to remember where each call came from, if it must be known now and was not before.
    fn follow_calls(&mut self) -> Result<(), ExecuteError> {
        match (self.live.follows(), self.way.is_followed()) {
            (true, false) => self.way.follow(self.inner.calls()?),
            (false, true) => self.way.stop_following(),
            _ => {}
        }
        Ok(())
    }

    /// Takes in where the program stands after something that was handed on.
    fn hand_on<T>(
        &mut self,
        act: impl FnOnce(&mut dyn Executor) -> Result<T, ExecuteError>,
    ) -> Result<T, ExecuteError> {
        let result = act(&mut *self.inner);
        self.position = self.inner.position().clone();
        result
    }
}

impl Executor for Patched {
    fn position(&self) -> &Stop {
        &self.position
    }

    fn resume(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        if self.live.is_empty() && !self.way.is_busy() {
            return self.hand_on(|inner| inner.resume(until, breakpoints));
        }
        self.run(Begin::Leave, until, breakpoints)
    }

    fn resume_counting(&mut self, goal: &Goal, counted: &BTreeSet<StepId>) -> Result<(Stop, StepCounts), ExecuteError> {
        if self.live.is_empty() && !self.way.is_busy() {
            return self.hand_on(|inner| inner.resume_counting(goal, counted));
        }
        crate::executor::count_by_stopping(self, goal, counted)
    }

    fn state(&mut self) -> Result<State, ExecuteError> {
        self.inner.state()
    }

    fn calls(&mut self) -> Result<Vec<Option<StepId>>, ExecuteError> {
        self.inner.calls()
    }

    fn depth(&mut self) -> Result<usize, ExecuteError> {
        self.inner.depth()
    }

    fn write(&mut self, entity: &Entity, value: &Value) -> Result<(), ExecuteError> {
        self.inner.write(entity, value)
    }

    fn decide(&mut self, taken: bool) -> Result<Stop, ExecuteError> {
        self.run(Begin::Decide(taken), &Until::Over, &BTreeSet::new())
    }

    fn resume_instead(
        &mut self,
        text: &str,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        self.run(Begin::Instead(text), until, breakpoints)
    }

    fn resume_here(&mut self, text: &str, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        self.run(Begin::Here(text), &Until::Over, breakpoints)
    }

    fn truth(&mut self, condition: &str) -> Result<bool, ExecuteError> {
        self.check_stands()?;
        self.hand_on(|inner| inner.truth(condition))
    }

    fn checkpoint(&mut self) -> Result<CheckpointId, ExecuteError> {
        let checkpoint = self.inner.checkpoint()?;
        self.moments.insert(checkpoint, (self.way.clone(), self.position.clone()));
        Ok(checkpoint)
    }

    fn restore(&mut self, checkpoint: CheckpointId) -> Result<(), ExecuteError> {
        self.hand_on(|inner| inner.restore(checkpoint))?;
        if let Some((way, position)) = self.moments.get(&checkpoint) {
            (self.way, self.position) = (way.clone(), position.clone());
        }
        self.follow_calls()
    }

    fn forget(&mut self, checkpoint: CheckpointId) {
        self.moments.remove(&checkpoint);
        self.inner.forget(checkpoint);
    }

    fn set_input(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        self.inner.set_input(bytes)
    }

    fn input_left(&mut self) -> Result<Option<usize>, ExecuteError> {
        self.inner.input_left()
    }

    fn output(&mut self) -> Result<Vec<u8>, ExecuteError> {
        self.inner.output()
    }

    fn errors(&mut self) -> Result<Vec<u8>, ExecuteError> {
        self.inner.errors()
    }

    fn interrupter(&self) -> Interrupter {
        self.inner.interrupter().with_flag(self.interrupted.clone())
    }

    fn steps_without_code(&self) -> BTreeSet<StepId> {
        self.inner.steps_without_code()
    }

    fn processes(&self) -> Vec<u32> {
        self.inner.processes()
    }
}

impl Patched {
    fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Between two statements something can only be done where it stands before one.
    fn check_stands(&self) -> Result<StepId, ExecuteError> {
        match self.position {
            Stop::Step(step) => Ok(step),
            Stop::Interrupted => {
                let sentence = "the program was interrupted in the middle of a statement; go to the next one first";
                Err(ExecuteError::NotHere(sentence.into()))
            }
            Stop::Exited(_) | Stop::Fault(_) => Err(ExecuteError::Over),
        }
    }
}
