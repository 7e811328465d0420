//! What a program does, seen from outside: what each call of the functions
//! under study leaves behind, the output, and how the program ends.
//!
//! Of a program that inserts 3, 1 and 4 into a sorted list that is three
//! states of the list, what is printed, and the exit status.

use std::collections::{BTreeMap, BTreeSet};

use encode::Model;
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Input, RunOptions, Stop, Until};
use ir::{FunctionId, StepId, StepKind};
use memory::{Entity, Root, State, Value};
use spec::violations;

use crate::study::facts;

/// How a program is started.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Its arguments.
    pub arguments: &'a [String],
    /// What it reads.
    pub stdin: &'a [u8],
    /// Statements that it may run.
    pub most: u64,
}

impl Start<'_> {
    /// The program on the interpreter.
    pub fn interpreter(&self, model: &Model) -> Result<Interpreter, ExecuteError> {
        let options = RunOptions {
            arguments: self.arguments.to_vec(),
            input: Input::Bytes(self.stdin.to_vec()),
            max_steps: self.most,
            ..RunOptions::default()
        };
        Interpreter::start(model.program.clone(), &options)
    }
}

/// A call, named by the statements that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAt {
    /// The called function and those that called it, outermost first.
    pub functions: Vec<FunctionId>,
    /// In each function but the last: the statement that calls the next, and
    /// how often this call of it came there.
    pub chain: Vec<(StepId, u32)>,
}

impl CallAt {
    /// The function that is called.
    pub fn function(&self) -> Option<FunctionId> {
        self.functions.last().copied()
    }

    /// This call, then those that it was made in, if their functions are under study.
    pub fn outwards(&self, studied: &[FunctionId]) -> Vec<CallAt> {
        let inner = (1..=self.chain.len()).rev().filter(|&count| studied.contains(&self.functions[count]));
        inner
            .map(|count| CallAt { functions: self.functions[..=count].to_vec(), chain: self.chain[..count].to_vec() })
            .collect()
    }
}

/// A call is over.
#[derive(Clone, Debug)]
pub struct Left {
    /// The call.
    pub call: CallAt,
    /// The memory where its caller goes on, or at its closing brace.
    pub state: State,
    /// What of it counts.
    at_brace: bool,
    /// How much was printed by then, with the rest of the statement that called.
    printed: usize,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this status.
    Exited(i32),
    /// It crashed.
    Crashed(String),
    /// It ran for too long.
    TooLong,
}

/// What a program did.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The calls that came to their ends, in that order.
    pub left: Vec<Left>,
    /// What it printed.
    pub output: Vec<u8>,
    /// How it ended.
    pub ended: Ended,
    /// The memory at the end of `main`, if it came there.
    pub last: Option<State>,
    /// Statements that were run.
    pub steps: u64,
}

impl Watched {
    /// The first call that leaves something else behind than it does here;
    /// `None` if all are alike.
    pub fn first_difference(&self, other: &Watched) -> Option<&CallAt> {
        let alike = |left: &Left, there: &Left| {
            let prints = |watched: &Watched, left: &Left| watched.output.get(..left.printed).map(<[u8]>::to_vec);
            left.is_like(there) && prints(self, left) == prints(other, there)
        };
        let mut others = other.left.iter();
        self.left.iter().find(|left| !others.next().is_some_and(|there| alike(left, there))).map(|left| &left.call)
    }

    /// Whether the other program did the same in the end: output, status and memory.
    pub fn ends_like(&self, other: &Watched) -> bool {
        let alike = match (&self.last, &other.last) {
            (Some(one), Some(other)) => is_like(one, other, &|_| true),
            (one, other) => one.is_none() == other.is_none(),
        };
        self.output == other.output && self.ended == other.ended && alike
    }
}

impl Left {
    fn is_like(&self, other: &Left) -> bool {
        let inner = self.state.frames.len().saturating_sub(1);
        // Own variables do not matter any more at the closing brace.
        let counts = |entity: &Entity| match &entity.root {
            Root::Local { frame, .. } => !self.at_brace || *frame < inner,
            _ => true,
        };
        self.call.functions == other.call.functions && is_like(&self.state, &other.state, &counts)
    }
}

/// Whether everything that is known in a state is the same in another one.
fn is_like(state: &State, other: &State, counts: &dyn Fn(&Entity) -> bool) -> bool {
    let sound = |value: &Value| !matches!(value, Value::Dangling(_));
    let live = |state: &State| state.nodes.iter().filter(|node| node.live).map(|node| node.id).collect::<BTreeSet<_>>();
    let known = facts(state, |entity, value| sound(value) && counts(entity));
    live(state) == live(other) && violations(&known, other).is_empty()
}

/// A call on its way.
struct Frame {
    function: FunctionId,
    at: StepId,
    counts: BTreeMap<StepId, u32>,
}

/// Runs a program and watches the functions under study.
pub fn watch(model: &Model, studied: &[FunctionId], start: &Start<'_>) -> Result<Watched, ExecuteError> {
    let mut executor = start.interpreter(model)?;
    let mut watcher = Watcher { model, studied, frames: Vec::new(), left: Vec::new(), waiting: Vec::new(), last: None };
    let mut steps = 0;
    loop {
        let ended = match executor.position().clone() {
            Stop::Step(step) => {
                watcher.arrive(&mut executor, step)?;
                steps += 1;
                if steps <= start.most {
                    executor.resume(&Until::Into, &BTreeSet::new())?;
                    continue;
                }
                Ended::TooLong
            }
            Stop::Exited(status) => Ended::Exited(status),
            Stop::Fault(fault) => Ended::Crashed(fault.message),
            Stop::Interrupted => Ended::TooLong,
        };
        let output = executor.output()?;
        return Ok(Watched { left: watcher.left, output, ended, last: watcher.last, steps });
    }
}

struct Watcher<'m> {
    model: &'m Model,
    studied: &'m [FunctionId],
    frames: Vec<Frame>,
    left: Vec<Left>,
    /// Calls that have just ended, by their numbers, with their depths: their results are in no variable yet.
    waiting: Vec<(usize, usize)>,
    last: Option<State>,
}

impl Watcher<'_> {
    fn arrive(&mut self, executor: &mut Interpreter, step: StepId) -> Result<(), ExecuteError> {
        let program = &self.model.program;
        let (depth, function) = (executor.depth()?, program.step(step).function);
        self.frames.truncate(depth);
        let is_new = |frame: &Frame| frame.function != function || program.step(frame.at).kind == StepKind::Exit;
        if self.frames.len() == depth && self.frames.last().is_some_and(is_new) {
            self.frames.pop();
        }
        if self.frames.len() < depth {
            self.frames.push(Frame { function, at: step, counts: BTreeMap::new() });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = step;
            *frame.counts.entry(step).or_default() += 1;
        }
        let is_end = program.step(step).kind == StepKind::Exit;
        self.waiting.retain(|(_, ended)| depth < *ended);
        if !is_end {
            for (number, _) in std::mem::take(&mut self.waiting) {
                let left = &mut self.left[number];
                (left.state, left.at_brace) = (executor.state()?, false);
                // A result may have been printed where it was computed.
                left.printed = executor.output()?.len();
            }
        }
        if is_end && self.studied.contains(&function) {
            self.waiting.push((self.left.len(), depth));
            let (state, printed) = (executor.state()?, executor.output()?.len());
            self.left.push(Left { call: self.call(), state, at_brace: true, printed });
        }
        if is_end && depth == 1 {
            self.last = Some(executor.state()?);
        }
        Ok(())
    }

    /// The call in which the program stands.
    fn call(&self) -> CallAt {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        CallAt {
            functions: self.frames.iter().map(|frame| frame.function).collect(),
            chain: outer.iter().map(|frame| (frame.at, frame.counts[&frame.at])).collect(),
        }
    }
}
