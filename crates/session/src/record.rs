//! The way to the present moment as a recorded run, for those who localize and repair.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use encode::{Model, Printed, Recorder, Trace};
use execute::{ExecuteError, Executor, Input, Patched, Stop};
use ir::StepId;
use repair::check::RunAs;

use crate::engine::{EngineKind, is_same, start_executor};
use crate::mend::Wish;
use crate::session::{Done, Session};
use crate::timeline::{Event, MomentId, Run};

/// Why a run could not be recorded.
enum Failed {
    /// The executor could not do something.
    Executor(ExecuteError),
    /// It ran otherwise than before.
    Otherwise,
}

impl From<ExecuteError> for Failed {
    fn from(error: ExecuteError) -> Failed {
        Failed::Executor(error)
    }
}

impl Session {
    /// Statements on lines that the user trusts.
    pub(crate) fn trusted_steps(&self) -> BTreeSet<StepId> {
        let steps = (0..self.program.steps.len() as u32).map(StepId);
        steps.filter(|&step| self.now.concrete.contains(&self.program.step(step).line)).collect()
    }

    /// How the program of a moment was started, and what it was given to read.
    pub(crate) fn run_as(&self, moment: MomentId) -> RunAs {
        let first = self.timeline.path(moment)[0];
        let arguments = match &self.timeline.get(first).event {
            Event::Start { arguments, .. } => arguments.to_vec(),
            _ => Vec::new(),
        };
        let input = match &self.engine.options().input {
            Some(file) => std::fs::read(file).unwrap_or_default(),
            None => self.timeline.get(moment).input.to_vec(),
        };
        RunAs { arguments, input }
    }

    /// Records the run to a moment: on the interpreter, which is fast, or else
    /// on what the session runs on.
    pub(crate) fn record(&mut self, model: &Model, moment: MomentId) -> Done<Trace> {
        let path = self.timeline.path(moment);
        let engines = match self.engine() {
            EngineKind::Gdb => &[EngineKind::Interpreter, EngineKind::Gdb][..],
            EngineKind::Interpreter => &[EngineKind::Interpreter],
        };
        let mut trouble = None;
        for &engine in engines {
            match self.record_on(model, &path, engine) {
                Ok(trace) => return Ok(trace),
                Err(failed) => trouble = Some(failed),
            }
        }
        match trouble {
            Some(Failed::Executor(error)) => Err(error.into()),
            _ => Err("the program did not run the same way again (it may depend on the time, on random numbers or on \
                      where it was interrupted), so its run cannot be used"
                .into()),
        }
    }

    /// The moment from which the run is written down: the first asserted state
    /// that the program came to by itself, or else its start.
    fn beginning(&self, path: &[MomentId]) -> MomentId {
        let asserted = |id: &MomentId| self.now.checkpoints.iter().any(|point| point.moment == *id);
        let touched = |id: &MomentId| {
            let event = &self.timeline.get(*id).event;
            matches!(event, Event::Write { .. } | Event::Decide(_) | Event::Patch(_))
        };
        // What is printed counts from the start on.
        let prints =
            |id: &MomentId| self.now.checkpoints.iter().any(|point| point.moment == *id && point.output.is_some());
        if path.iter().any(prints) {
            return path[0];
        }
        let by_itself = path.iter().take_while(|id| !touched(id));
        let count = path.iter().filter(|id| asserted(id)).count();
        by_itself.copied().find(asserted).filter(|_| count > 1).unwrap_or(path[0])
    }

    fn record_on(&mut self, model: &Model, path: &[MomentId], engine: EngineKind) -> Result<Trace, Failed> {
        let last = path[path.len() - 1];
        let run_as = self.run_as(last);
        let mut options = self.engine.run_options(&run_as.arguments);
        if self.engine.options().input.is_none() {
            options.input = Input::Bytes(self.timeline.get(path[0]).input.to_vec());
        }
        let mut executor = start_executor(&self.program, engine, &options)?;
        let trusted = self.trusted_steps();
        let mut recorder = Recorder::new(model, &|step| trusted.contains(&step), &executor);
        let beginning = self.beginning(path);
        let mut printed = Printed::default();
        for &id in path {
            let moment = self.timeline.get(id);
            let stop = self.repeat_event(&mut recorder, &mut executor, id)?;
            if !is_same(&stop, &moment.stop) {
                return Err(Failed::Otherwise);
            }
            if id == beginning {
                recorder.begin(&mut executor)?;
            }
            let here = self.now.checkpoints.iter().filter(|point| point.moment == id);
            for point in here {
                recorder.demand(&mut executor, point.facts.clone())?;
                printed.assert(point.output.as_ref().map(String::as_bytes));
            }
        }
        let output = Some(printed).filter(|printed| printed.at.iter().any(Option::is_some));
        Ok(Trace { output, ..recorder.finish() })
    }

    fn repeat_event(&self, recorder: &mut Recorder<'_>, executor: &mut Patched, id: MomentId) -> Result<Stop, Failed> {
        let moment = self.timeline.get(id);
        match &moment.event {
            Event::Start { .. } => {}
            Event::Run(run) => return repeat_run(recorder, executor, run),
            Event::Reach(counts) => {
                let mut left: BTreeMap<StepId, u64> = (**counts).clone();
                while !left.is_empty() {
                    let Stop::Step(step) = recorder.step(executor)? else { return Err(Failed::Otherwise) };
                    if let Some(count) = left.get_mut(&step) {
                        *count -= 1;
                    }
                    left.retain(|_, count| *count > 0);
                }
            }
            Event::Decide(taken) => return Ok(recorder.decide(executor, *taken)?),
            Event::Write { entity, value } => executor.write(entity, value)?,
            Event::Input => executor.set_input(&moment.input)?,
            Event::Patch(changes) => executor.set_changes(changes.clone())?,
        }
        Ok(executor.position().clone())
    }

    /// The recorded runs that a repair must meet: the way to here, the last
    /// asserted way of every other start (of another input), and with `all`
    /// every way that has something asserted.
    pub(crate) fn runs(&mut self, model: &Model, wish: Wish) -> Done<Vec<(Arc<Trace>, RunAs)>> {
        let here = self.here()?;
        let all = wish.all;
        let root = |id: MomentId| self.timeline.path(id)[0];
        let mut ends = vec![here];
        for point in self.now.checkpoints.iter().rev().filter(|_| !wish.here) {
            let known = ends.iter().any(|&end| match all {
                true => self.timeline.ancestors(end).any(|before| before == point.moment),
                false => root(end) == root(point.moment),
            });
            if !known {
                ends.push(point.moment);
            }
        }
        // In the order in which they were made.
        ends.reverse();
        let mut runs = Vec::new();
        for end in ends {
            let trace = self.record(model, end)?;
            runs.push((Arc::new(trace), self.run_as(end)));
        }
        runs.extend(self.now.answers.iter().cloned());
        Ok(runs)
    }
}

fn repeat_run(recorder: &mut Recorder<'_>, executor: &mut Patched, run: &Run) -> Result<Stop, Failed> {
    if run.interrupted {
        return Err(Failed::Otherwise);
    }
    let mut stop = recorder.run(executor, &run.until, &run.breakpoints)?;
    for _ in 0..run.repeats {
        stop = recorder.run(executor, &run.again(), &run.breakpoints)?;
    }
    Ok(stop)
}
