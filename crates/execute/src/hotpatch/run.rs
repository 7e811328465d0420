//! Runs a program with live changes.
//!
//! The inner executor runs from stop to stop. At each, what is inserted before
//! that statement is run; if nobody else wants to stop there, it goes on.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use ir::{StepId, StepKind};

use super::Patched;
use super::way::Inserting;
use crate::{ExecuteError, Stop, Until};

/// What happens first.
#[derive(Clone, Copy, Debug)]
pub enum Begin<'a> {
    /// The statement it stands before is run.
    Leave,
    /// This is run in its place.
    Instead(&'a str),
    /// This is run before it.
    Here(&'a str),
    /// A condition is decided.
    Decide(bool),
}

/// Where the user wants to stop.
struct Wish<'a> {
    /// At every statement, when no more calls than this are active.
    floor: usize,
    breakpoints: &'a BTreeSet<StepId>,
}

impl Wish<'_> {
    fn is_met(&self, step: StepId, depth: usize) -> bool {
        depth <= self.floor || self.breakpoints.contains(&step)
    }

    /// How far the inner executor may run from a place with `depth` active calls.
    fn until(&self, depth: usize) -> Until {
        match self.floor {
            0 => Until::End,
            usize::MAX => Until::Into,
            floor if depth <= floor => Until::Over,
            _ => Until::Out,
        }
    }
}

impl Patched {
    /// Runs on as [`crate::Executor::resume`] says.
    pub(super) fn run(
        &mut self,
        begin: Begin<'_>,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        match (begin, &self.position) {
            (Begin::Leave, Stop::Step(_) | Stop::Interrupted) => {}
            _ => drop(self.check_stands()?),
        }
        self.interrupted.store(false, Ordering::Relaxed);
        let depth = self.inner.depth()?;
        let wish = Wish { floor: self.floor(begin, until, depth), breakpoints };
        let stops: BTreeSet<StepId> = breakpoints.union(self.live.stops()).copied().collect();
        let result = self.run_to(begin, &wish, &stops, depth);
        self.position = match &result {
            Ok(stop) => stop.clone(),
            Err(_) => self.inner.position().clone(),
        };
        result
    }

    /// It stops at every statement when no more calls than this are active.
    fn floor(&self, begin: Begin<'_>, until: &Until, depth: usize) -> usize {
        // The next call may be as deep as one that is over after this statement.
        let leaves = matches!(begin, Begin::Leave | Begin::Instead(_)) && !self.way.is_arriving;
        let is_end = leaves && self.inner.position().step().is_some_and(|step| self.is_end(step));
        match until {
            Until::Into => usize::MAX,
            Until::Over => depth - usize::from(is_end).min(depth),
            Until::Out => depth.saturating_sub(1),
            Until::End => 0,
        }
    }

    /// Whether a call is over after this statement.
    fn is_end(&self, step: StepId) -> bool {
        let step = self.program.step(step);
        let exit = self.program.function(step.function).exit;
        step.kind == StepKind::Exit || step.kind == StepKind::Return && self.inner.steps_without_code().contains(&exit)
    }

    fn run_to(
        &mut self,
        begin: Begin<'_>,
        wish: &Wish<'_>,
        stops: &BTreeSet<StepId>,
        mut depth: usize,
    ) -> Result<Stop, ExecuteError> {
        let mut stop = match std::mem::take(&mut self.way.is_arriving) {
            true => self.inner.position().clone(),
            false => self.begin(begin, &wish.until(depth), stops, depth)?,
        };
        loop {
            let Stop::Step(step) = stop else { return Ok(stop) };
            if self.was_interrupted() {
                self.way.is_arriving = true;
                return Ok(Stop::Interrupted);
            }
            depth = self.inner.depth()?;
            stop = match self.insert(step, depth, stops)? {
                Some(elsewhere) => elsewhere,
                None if wish.is_met(step, depth) => return Ok(stop),
                None => self.begin(Begin::Leave, &wish.until(depth), stops, depth)?,
            };
        }
    }

    /// Does the first thing and runs to the next stop.
    fn begin(
        &mut self,
        begin: Begin<'_>,
        until: &Until,
        stops: &BTreeSet<StepId>,
        depth: usize,
    ) -> Result<Stop, ExecuteError> {
        let Some(step) = self.inner.position().step() else { return self.inner.resume(until, stops) };
        if let Begin::Here(text) = begin {
            return self.run_here(text, Inserting { to: step, depth, next: usize::MAX }, stops);
        }
        if self.live.follows() {
            let is_end = self.is_end(step);
            self.way.leave(step, depth, is_end);
        }
        match begin {
            Begin::Decide(taken) => self.inner.decide(taken),
            Begin::Instead(text) => self.inner.resume_instead(text, until, stops),
            _ => self.leave(step, until, stops),
        }
    }

    /// Runs the statement it stands before, as changes say.
    fn leave(&mut self, step: StepId, until: &Until, stops: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        let Some(run) = self.live.run(step) else { return self.inner.resume(until, stops) };
        let is_condition = matches!(self.program.step(step).kind, StepKind::If | StepKind::Loop);
        for guard in &run.guards {
            match truth(&mut *self.inner, guard)? {
                Err(stop) => return Ok(stop),
                Ok(true) => {}
                Ok(false) if is_condition => return self.inner.decide(false),
                Ok(false) => return self.inner.resume_instead("", until, stops),
            }
        }
        match &run.text {
            Some(text) => self.inner.resume_instead(text, until, stops),
            None => self.inner.resume(until, stops),
        }
    }

    /// Runs what is inserted before a statement that the program has come to.
    /// The answer is where it stops on the way, if it does.
    fn insert(&mut self, step: StepId, depth: usize, stops: &BTreeSet<StepId>) -> Result<Option<Stop>, ExecuteError> {
        let next = self.way.arrive(step, depth);
        let function = self.program.step(step).function;
        let previous = self.way.previous(depth).filter(|&before| self.program.step(before).function == function);
        let inserts = self.live.inserts(step);
        for (number, insert) in inserts.iter().enumerate().skip(next) {
            let comes_from = |from: &BTreeSet<StepId>| previous.is_some_and(|step| from.contains(&step));
            if !insert.from.as_ref().is_none_or(comes_from) {
                continue;
            }
            let holds = match &insert.guard {
                Some(guard) => truth(&mut *self.inner, guard)?,
                None => Ok(true),
            };
            match holds {
                Err(stop) => return Ok(Some(stop)),
                Ok(false) => {}
                Ok(true) => {
                    let statement = insert.statement.clone();
                    let stop = self.run_here(&statement, Inserting { to: step, depth, next: number + 1 }, stops)?;
                    return Ok(Some(stop));
                }
            }
        }
        Ok(None)
    }

    fn run_here(&mut self, text: &str, inserting: Inserting, stops: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        self.way.begin(inserting);
        let result = self.inner.resume_here(text, stops);
        if result.is_err() {
            self.way.arrive(inserting.to, inserting.depth);
        }
        result
    }
}

/// Whether a condition holds, or where the program stops instead.
fn truth(inner: &mut dyn crate::Executor, condition: &str) -> Result<Result<bool, Stop>, ExecuteError> {
    match inner.truth(condition) {
        Ok(holds) => Ok(Ok(holds)),
        Err(ExecuteError::Over) => Ok(Err(inner.position().clone())),
        Err(error) => Err(error),
    }
}
