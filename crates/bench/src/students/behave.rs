//! What a program does, seen from `main`: the memory before and after each call
//! of the student's function, the output, and how the program ends.
//!
//! Of `root = insert(root, 5);` in a loop that is one [`Call`] each time round.
//! Calls of the function by itself are part of the call from `main`.

use std::collections::{BTreeMap, BTreeSet};

use encode::Model;
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Stop, Until};
use ir::{FunctionId, StepId};
use memory::State;

use crate::user::Ended;
use crate::user::watch::Start;

/// A call of the student's function from `main`.
#[derive(Clone, Debug)]
pub struct Call {
    /// The statement of `main` that calls.
    pub caller: StepId,
    /// How often each statement of `main` was come to until then.
    pub passed: BTreeMap<StepId, u32>,
    /// The memory before the first statement of the function.
    pub entry: State,
    /// Where `main` goes on; nothing if it does not.
    pub goes_on: Option<StepId>,
    /// The memory there, or where the program ended.
    pub left: State,
    /// Statements that were run in the call.
    pub steps: usize,
}

/// What a program did.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// What it printed.
    pub output: Vec<u8>,
    /// How it ended.
    pub ended: Ended,
    /// Statements that were run.
    pub steps: u64,
}

impl Behaviour {
    /// Whether another program prints the same and ends the same.
    pub fn looks_like(&self, other: &Behaviour) -> bool {
        self.output == other.output && self.ended == other.ended
    }
}

/// Runs a program and watches the calls of a function.
pub fn behave(model: &Model, function: FunctionId, start: &Start<'_>) -> Result<Behaviour, ExecuteError> {
    let mut executor = start.interpreter(model)?;
    let mut watcher = Watcher { model, function, calls: Vec::new(), visits: BTreeMap::new(), inside: false };
    let mut steps = 0;
    let ended = loop {
        match executor.position().clone() {
            Stop::Step(_) if steps > start.most => break Ended::TooLong,
            Stop::Step(step) => watcher.arrive(&mut executor, step)?,
            Stop::Exited(status) => break Ended::Exited(status),
            Stop::Fault(fault) => break Ended::Crashed(fault.message),
            Stop::Interrupted => break Ended::TooLong,
        }
        steps += 1;
        executor.resume(&Until::Into, &BTreeSet::new())?;
    };
    if let Some(call) = watcher.calls.last_mut().filter(|_| watcher.inside) {
        // A program that is over has no memory to look at.
        call.left = executor.state().unwrap_or_default();
    }
    Ok(Behaviour { calls: watcher.calls, output: executor.output()?, ended, steps })
}

struct Watcher<'m> {
    model: &'m Model,
    function: FunctionId,
    calls: Vec<Call>,
    /// How often each statement of `main` was come to.
    visits: BTreeMap<StepId, u32>,
    /// Whether the last of the calls is under way.
    inside: bool,
}

impl Watcher<'_> {
    fn arrive(&mut self, executor: &mut Interpreter, step: StepId) -> Result<(), ExecuteError> {
        let calls = executor.calls()?;
        let last = self.calls.last_mut().filter(|_| self.inside);
        match (last, calls.as_slice()) {
            (Some(call), [_]) => {
                (call.goes_on, call.left) = (Some(step), executor.state()?);
                self.inside = false;
            }
            (Some(call), _) => call.steps += 1,
            (None, [Some(caller), _]) if self.model.program.step(step).function == self.function => {
                let (entry, passed) = (executor.state()?, self.visits.clone());
                let left = State::default();
                self.calls.push(Call { caller: *caller, passed, entry, goes_on: None, left, steps: 1 });
                self.inside = true;
            }
            _ => {}
        }
        if calls.len() == 1 {
            *self.visits.entry(step).or_default() += 1;
        }
        Ok(())
    }
}
