//! Records a run of a real executor as a [`Trace`].
//!
//! The [`Walker`] takes a program from statement to statement and counts the
//! visits; it steps over statements that are not modelled or that the user
//! trusts, so that what happens in there does not count. The [`Recorder`]
//! writes down what it sees from some moment on.

use std::collections::{BTreeMap, BTreeSet};

use execute::{ExecuteError, Executor, Stop, Until};
use ir::StepId;
use memory::{Entity, Root, State, Value, changes};
use spec::Fact;

use crate::library::is_concrete;
use crate::machine::Model;
use crate::trace::{Arrival, Demand, Effect, Trace, Visit};

/// Takes a program from statement to statement.
pub struct Walker<'m> {
    model: &'m Model,
    /// Statements that are stepped over, by [`StepId`].
    pub concrete: Vec<bool>,
    /// How often each statement was come to; where the program stood first was come to once.
    pub visits: BTreeMap<StepId, u32>,
}

impl<'m> Walker<'m> {
    /// A walker for a program that stands at its first statement.
    pub fn new(model: &'m Model, trusted: &dyn Fn(StepId) -> bool, executor: &dyn Executor) -> Walker<'m> {
        let steps = (0..model.program.steps.len() as u32).map(StepId);
        let is_concrete = |step: StepId| is_concrete(model, step, trusted);
        let concrete = steps.map(|step| model.code.steps[step.index()].exists && is_concrete(step)).collect();
        let mut walker = Walker { model, concrete, visits: BTreeMap::new() };
        walker.arrive(executor.position());
        walker
    }

    fn arrive(&mut self, stop: &Stop) {
        if let Stop::Step(step) = stop {
            *self.visits.entry(*step).or_default() += 1;
        }
    }

    /// The visit at which the program stands.
    pub fn visit(&self, executor: &dyn Executor) -> Option<Visit> {
        let step = executor.position().step()?;
        Some(Visit { step, count: self.visits.get(&step).copied().unwrap_or(0) })
    }

    /// Whether the program stands before a statement that is stepped over.
    pub fn is_concrete(&self, executor: &dyn Executor) -> bool {
        executor.position().step().is_some_and(|step| self.concrete[step.index()])
    }

    /// Goes to the next statement.
    pub fn step(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        let until = if self.is_concrete(executor) { Until::Over } else { Until::Into };
        self.resume(executor, &until, &BTreeSet::new())
    }

    /// Goes to the next statement, into called functions in any case.
    pub fn step_into(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        self.resume(executor, &Until::Into, &BTreeSet::new())
    }

    fn resume(
        &mut self,
        executor: &mut dyn Executor,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        let stop = executor.resume(until, breakpoints)?;
        self.arrive(&stop);
        Ok(stop)
    }

    /// Goes to the next statement of this call; what happens in called functions is counted.
    pub fn step_over(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        let depth = executor.calls()?.len();
        loop {
            let stop = self.step(executor)?;
            if !matches!(stop, Stop::Step(_)) || executor.calls()?.len() <= depth {
                return Ok(stop);
            }
        }
    }

    /// Passes over the statement that the program stands before.
    pub fn skip(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        let stop = executor.execute_instead("")?;
        self.arrive(&stop);
        Ok(stop)
    }

    /// Sends the program one way from a condition.
    pub fn decide(&mut self, executor: &mut dyn Executor, taken: bool) -> Result<Stop, ExecuteError> {
        let stop = executor.decide(taken)?;
        self.arrive(&stop);
        Ok(stop)
    }
}

/// Writes down a run.
pub struct Recorder<'m> {
    walker: Walker<'m>,
    trace: Option<Trace>,
    /// Visits before the start of the trace.
    before: BTreeMap<StepId, u32>,
    /// Whether the function that the program stands in has just been called.
    at_entry: bool,
}

impl<'m> Recorder<'m> {
    /// A recorder for a program that stands at its first statement; nothing is
    /// written down yet.
    pub fn new(model: &'m Model, trusted: &dyn Fn(StepId) -> bool, executor: &dyn Executor) -> Recorder<'m> {
        let walker = Walker::new(model, trusted, executor);
        Recorder { walker, trace: None, before: BTreeMap::new(), at_entry: true }
    }

    /// Writes down from here on.
    pub fn begin(&mut self, executor: &mut dyn Executor) -> Result<(), ExecuteError> {
        let calls = calls(executor)?;
        let start = executor.state()?;
        self.before = self.walker.visits.clone();
        if let Some(count) = executor.position().step().and_then(|step| self.before.get_mut(&step)) {
            *count -= 1;
        }
        let mut trace = Trace { start, at_entry: self.at_entry, passed: self.before.clone(), ..Trace::default() };
        if let Some(&step) = calls.last() {
            trace.run.push(Arrival { step, depth: calls.len() as u32 });
        }
        trace.calls = calls;
        self.trace = Some(trace);
        Ok(())
    }

    /// The visit at which the program stands, counted from the start of the trace.
    pub fn visit(&self, executor: &dyn Executor) -> Option<Visit> {
        let visit = self.walker.visit(executor)?;
        Some(Visit { count: visit.count - self.before.get(&visit.step).copied().unwrap_or(0), ..visit })
    }

    /// Goes to the next statement.
    pub fn step(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        self.go(executor, false, &BTreeSet::new())
    }

    /// Goes to the next statement; `inside` goes into functions that a concrete
    /// statement calls, and so does a breakpoint in there.
    fn go(
        &mut self,
        executor: &mut dyn Executor,
        inside: bool,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        let over = self.walker.is_concrete(executor) && !inside;
        let depth = executor.calls()?.len();
        let before = match over && self.trace.is_some() {
            true => Some((self.visit(executor), executor.state()?, calls(executor)?)),
            false => None,
        };
        let stop = match over {
            true => self.walker.resume(executor, &Until::Over, breakpoints)?,
            false => self.walker.resume(executor, &Until::Into, &BTreeSet::new())?,
        };
        self.at_entry = matches!(stop, Stop::Step(_)) && executor.calls()?.len() > depth;
        if let Some((Some(visit), state, calls_before)) = before
            && executor.calls()?.len() <= depth
        {
            let (after, calls_after) = (executor.state()?, calls(executor)?);
            let calls = if calls_after.len() == calls_before.len() { calls_after } else { calls_before };
            let effect = effect(&state, after, calls);
            self.trace.iter_mut().for_each(|trace| drop(trace.effects.insert(visit, effect.clone())));
        }
        self.note(executor, &stop)?;
        Ok(stop)
    }

    fn note(&mut self, executor: &mut dyn Executor, stop: &Stop) -> Result<(), ExecuteError> {
        if let (Some(trace), Stop::Step(step)) = (&mut self.trace, stop) {
            let depth = executor.calls()?.len() as u32;
            trace.run.push(Arrival { step: *step, depth });
        }
        Ok(())
    }

    /// Passes over the statement that the program stands before.
    pub fn skip(&mut self, executor: &mut dyn Executor) -> Result<Stop, ExecuteError> {
        if let (Some(visit), Some(trace)) = (self.visit(executor), &mut self.trace) {
            trace.skipped.insert(visit);
        }
        let stop = self.walker.skip(executor)?;
        self.at_entry = false;
        self.note(executor, &stop)?;
        Ok(stop)
    }

    /// Runs as an executor would, statement by statement.
    pub fn run(
        &mut self,
        executor: &mut dyn Executor,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        let depth = executor.calls()?.len();
        loop {
            let stop = self.go(executor, *until == Until::Into, breakpoints)?;
            let Stop::Step(step) = stop else { return Ok(stop) };
            let mut now = || executor.calls().map(|calls| calls.len());
            let reached = match until {
                Until::Into => true,
                Until::Over => breakpoints.contains(&step) || now()? <= depth,
                Until::Out => breakpoints.contains(&step) || now()? < depth,
                Until::End => breakpoints.contains(&step),
            };
            if reached {
                return Ok(stop);
            }
        }
    }

    /// Forces a condition, and writes that down.
    pub fn decide(&mut self, executor: &mut dyn Executor, taken: bool) -> Result<Stop, ExecuteError> {
        if let (Some(visit), Some(trace)) = (self.visit(executor), &mut self.trace) {
            trace.forced.insert(visit, taken);
        }
        let stop = self.walker.decide(executor, taken)?;
        self.at_entry = false;
        self.note(executor, &stop)?;
        Ok(stop)
    }

    /// Writes down what is expected here.
    pub fn demand(&mut self, executor: &mut dyn Executor, facts: Vec<Fact>) -> Result<(), ExecuteError> {
        let Some(at) = self.visit(executor) else { return Ok(()) };
        let (state, calls) = (executor.state()?, calls(executor)?);
        if let Some(trace) = &mut self.trace {
            let index = trace.run.len() - 1;
            trace.demands.push(Demand { at, index, facts, state, calls });
        }
        Ok(())
    }

    /// The model of the program.
    pub fn model(&self) -> &'m Model {
        self.walker.model
    }

    /// What was written down.
    pub fn finish(self) -> Trace {
        self.trace.unwrap_or_default()
    }
}

/// The statement of each active call; calls between statements are left out.
fn calls(executor: &mut dyn Executor) -> Result<Vec<StepId>, ExecuteError> {
    Ok(executor.calls()?.into_iter().flatten().collect())
}

fn effect(before: &State, after: State, calls: Vec<StepId>) -> Effect {
    let mut effect = Effect { calls, ..Effect::default() };
    for change in changes(before, &after) {
        match (change.entity, change.after) {
            (Entity { root: Root::Node(id), .. }, None) => effect.freed.push(id),
            // New nodes are found in the state.
            (Entity { root: Root::Node(_), .. }, Some(_)) if change.before.is_none() => {}
            (entity, Some(value)) => add_leaves(&mut effect.writes, entity, value),
            _ => {}
        }
    }
    effect.state = after;
    effect
}

fn add_leaves(writes: &mut Vec<(Entity, Value)>, entity: Entity, value: Value) {
    let part = |path: String| Entity { root: entity.root.clone(), path };
    match value {
        Value::Record(members) => {
            for (name, value) in members {
                add_leaves(writes, part(format!("{}.{name}", entity.path)), value);
            }
        }
        Value::Array(elements, _) => {
            for (i, value) in elements.into_iter().enumerate() {
                add_leaves(writes, part(format!("{}[{i}]", entity.path)), value);
            }
        }
        Value::Chars(bytes) => {
            for (i, byte) in bytes.into_iter().enumerate() {
                let value = byte.map_or(Value::Uninitialised, |byte| Value::Int(i128::from(byte as i8)));
                writes.push((part(format!("{}[{i}]", entity.path)), value));
            }
        }
        value => writes.push((entity, value)),
    }
}
