//! What there is in a session, as plain data for doors that show all of it at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::{Entity, Root, Value};

use crate::checkpoint::Checkpoint;
use crate::outcome::statement_text;
use crate::session::{Session, View};
use crate::timeline::{Event, Moment};

/// An active call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveCall {
    /// The function.
    pub function: String,
    /// The line that it stands at.
    pub line: Option<u32>,
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetBreakpoint {
    /// Its number, for `delete`.
    pub number: u32,
    /// Its lines.
    pub lines: Vec<u32>,
    /// What must be true, in C.
    pub condition: Option<String>,
}

/// A checkpoint of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointInfo {
    /// Its number, for `resume`.
    pub number: usize,
    /// The one before it on its way.
    pub parent: Option<usize>,
    /// Where it is.
    pub line: Option<u32>,
    /// The statement there.
    pub text: String,
    /// What is asserted.
    pub facts: Vec<String>,
    /// Whether it is part of the specification here.
    pub on_the_way: bool,
    /// Whether the program stands there.
    pub is_here: bool,
}

/// What `spec` would assert.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Facts, those that the user corrected first.
    pub facts: Vec<String>,
    /// How many of them the user corrected since the last checkpoint.
    pub corrected: usize,
    /// Values that are left out.
    pub left_out: Vec<String>,
    /// Decisions that were forced since the last checkpoint.
    pub forced: Vec<String>,
}

/// What the program wrote and was given to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// Its output up to here.
    pub output: Vec<u8>,
    /// Its errors up to here.
    pub errors: Vec<u8>,
    /// All that it was given to read.
    pub input: Vec<u8>,
    /// How much of that it has not read yet, where that is known.
    pub left: Option<usize>,
    /// Whether it reads input at all that `input` could give it.
    pub reads: bool,
}

impl Session {
    /// The active calls, outermost first.
    pub fn active_calls(&mut self) -> Vec<ActiveCall> {
        let Ok(view) = self.view() else { return Vec::new() };
        let line = |step: &Option<ir::StepId>| step.map(|step| self.program.step(step).line);
        let calls = view.state.frames.iter().zip(view.calls.iter());
        calls.map(|(frame, step)| ActiveCall { function: frame.function.to_string(), line: line(step) }).collect()
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> Vec<SetBreakpoint> {
        let line = |step: &ir::StepId| self.program.step(*step).line;
        let breakpoints = self.now.breakpoints.iter().map(|breakpoint| SetBreakpoint {
            number: breakpoint.number,
            lines: breakpoint.steps.iter().map(line).collect(),
            condition: breakpoint.condition.as_ref().map(|condition| condition.text().to_string()),
        });
        breakpoints.collect()
    }

    /// All checkpoints; each comes after its parent.
    pub fn checkpoints(&self) -> Vec<CheckpointInfo> {
        let here = self.now.moment;
        let way: Vec<_> = here.map(|here| self.timeline.path(here)).unwrap_or_default();
        let info = |(number, point): (usize, &Arc<Checkpoint>)| {
            let step = self.timeline.get(point.moment).stop.step();
            let output = point.output.as_ref().map(|output| format!("output {output:?}"));
            CheckpointInfo {
                number,
                parent: point.parent,
                line: step.map(|step| self.program.step(step).line),
                text: step.map_or("the end".into(), |step| statement_text(&self.program, step)),
                facts: output.into_iter().chain(point.facts.iter().map(ToString::to_string)).collect(),
                on_the_way: way.contains(&point.moment),
                is_here: here == Some(point.moment),
            }
        };
        self.now.checkpoints.iter().enumerate().map(info).collect()
    }

    /// What `spec` would assert here.
    pub fn expectation(&mut self) -> Expectation {
        let Ok(view) = self.view() else { return Expectation::default() };
        let corrected = self.corrected_since_asserted(&view);
        let (tracked, untracked) = self.split_by_tracking(&view);
        let fact = |(entity, value): &(Entity, &Value)| format!("{} == {value}", self.name_here(entity));
        let (mine, others): (Vec<_>, Vec<_>) = tracked.iter().partition(|(entity, _)| corrected.contains(entity));
        let innermost = view.state.frames.len().wrapping_sub(1);
        let is_near = |entity: &Entity| !matches!(entity.root, Root::Local { frame, .. } if frame != innermost);
        let left_out = untracked.iter().filter(|(entity, _)| is_near(entity));
        Expectation {
            corrected: mine.len(),
            facts: mine.into_iter().chain(others).map(fact).collect(),
            left_out: left_out.map(|(entity, _)| self.name_here(entity)).collect(),
            forced: self.forced_since_asserted(&view),
        }
    }

    /// The moments since something was asserted last, the present one first.
    fn since_asserted(&self, view: &View) -> impl Iterator<Item = &Moment> {
        let last = self.last_asserted(view);
        self.timeline.ancestors(view.moment).take_while(move |&id| Some(id) != last).map(|id| self.timeline.get(id))
    }

    fn corrected_since_asserted(&self, view: &View) -> BTreeSet<Entity> {
        let written = |moment: &Moment| match &moment.event {
            Event::Write { entity, .. } => Some(entity.clone()),
            _ => None,
        };
        self.since_asserted(view).filter_map(written).collect()
    }

    fn forced_since_asserted(&self, view: &View) -> Vec<String> {
        let forced = |moment: &Moment| {
            let Event::Decide(taken) = moment.event else { return None };
            let step = self.timeline.get(moment.parent?).stop.step()?;
            let (line, text) = (self.program.step(step).line, statement_text(&self.program, step));
            Some(format!("line {line}: {text} is {}", if taken { "taken" } else { "passed" }))
        };
        let mut forced: Vec<String> = self.since_asserted(view).filter_map(forced).collect();
        forced.reverse();
        forced
    }

    /// What the program wrote and was given to read, up to here.
    pub fn streams(&mut self) -> Streams {
        let look = |executor: &mut dyn execute::Executor| Ok((executor.output()?, executor.errors()?));
        let (output, errors) = self.engine.look(look).unwrap_or_default();
        let input = self.now.moment.map_or_else(Vec::new, |moment| self.timeline.get(moment).input.to_vec());
        let left = self.engine.input_left().ok().flatten();
        Streams { output, errors, input, left, reads: !self.readers.is_empty() }
    }

    /// What `undo` would take back.
    pub fn can_undo(&self) -> Option<&str> {
        self.earlier.last().map(|(text, _)| text.as_str())
    }

    /// The commands so far, as `save` writes them.
    pub fn script(&self) -> String {
        self.log.iter().map(|line| format!("{line}\n")).collect()
    }
}
