//! The moments of a run as a list: `moments`, `goto`.

use execute::{Stop, Until};
use memory::Root;

use crate::outcome::statement_text;
use crate::session::{Done, Session};
use crate::timeline::{Event, MomentId};

/// A moment of the run, for those who show the way to here and on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastMoment {
    /// Its number, for `goto`.
    pub number: u32,
    /// The line where the program stands; none at its end.
    pub line: Option<u32>,
    /// The statement there, or how it ended.
    pub text: String,
    /// The command that led to it, in a word or two.
    pub how: String,
    /// Whether it crashed there.
    pub is_crash: bool,
    /// Whether a repair is live from here on.
    pub is_patch: bool,
    /// The checkpoints there.
    pub checkpoints: Vec<usize>,
    /// Whether the program is there now.
    pub is_here: bool,
}

impl Session {
    /// The moments from the start to here, and those that the session has been
    /// at since, ahead of here: at most `most` on either side.
    pub fn moments(&self, most: usize) -> Vec<PastMoment> {
        let Some(here) = self.now.moment else { return Vec::new() };
        let mut way = self.timeline.path(here);
        way.drain(..way.len().saturating_sub(most + 1));
        way.extend(self.timeline.ahead(here).into_iter().take(most));
        way.into_iter().map(|id| self.past_moment(id, here)).collect()
    }

    fn past_moment(&self, id: MomentId, here: MomentId) -> PastMoment {
        let moment = self.timeline.get(id);
        let step = match &moment.stop {
            Stop::Step(step) => Some(*step),
            Stop::Fault(fault) => fault.step,
            _ => None,
        };
        let text = match &moment.stop {
            Stop::Step(step) => statement_text(&self.program, *step),
            Stop::Fault(fault) => format!("crash: {}", fault.message),
            Stop::Exited(status) => format!("the end, with status {status}"),
            Stop::Interrupted => "in the middle of a statement".into(),
        };
        let checkpoints = self.now.checkpoints.iter().enumerate().filter(|(_, point)| point.moment == id);
        PastMoment {
            number: id.0,
            line: step.map(|step| self.program.step(step).line),
            text,
            how: describe(&moment.event),
            is_crash: matches!(moment.stop, Stop::Fault(_)),
            is_patch: matches!(&moment.event, Event::Patch(changes) if !changes.is_empty()),
            checkpoints: checkpoints.map(|(number, _)| number).collect(),
            is_here: id == here,
        }
    }

    pub(crate) fn list_moments(&mut self) -> Done {
        const MOST: usize = 40;
        self.here()?;
        let line = |moment: PastMoment| {
            let (mark, number) = (if moment.is_here { "=>" } else { "  " }, moment.number);
            let place = moment.line.map_or(String::new(), |line| format!("line {line}: "));
            format!("{mark} {number:>4}  {:<24} {place}{}", moment.how, moment.text)
        };
        let lines: Vec<String> = self.moments(MOST).into_iter().map(line).collect();
        self.say(lines.join("\n"));
        Ok(())
    }

    pub(crate) fn go_to_number(&mut self, number: u32) -> Done {
        let count = self.timeline.len();
        if number as usize >= count {
            return Err(match count {
                0 => "the program is not running; type `start`".into(),
                _ => format!("there is no moment {number}; there are 0 to {}", count - 1).into(),
            });
        }
        let before = self.now.moment;
        self.go_to(MomentId(number))?;
        self.tell_of_lost_repair(before);
        self.tell_of_checkpoints_ahead(MomentId(number));
        Ok(())
    }
}

/// An event as the command that made it.
fn describe(event: &Event) -> String {
    match event {
        Event::Start { .. } => "start".into(),
        Event::Run(run) => match run.until {
            Until::Into => "step".into(),
            Until::Over => "next".into(),
            Until::Out => "finish".into(),
            Until::End => "continue".into(),
        },
        Event::Reach(_) => "back".into(),
        Event::Decide(true) => "enter".into(),
        Event::Decide(false) => "leave".into(),
        Event::Write { entity, value } => match &entity.root {
            Root::Local { name, .. } => format!("change {name}{} {value}", entity.path),
            _ => format!("change {entity} {value}"),
        },
        Event::Input => "input".into(),
        Event::Patch(changes) if changes.is_empty() => "no repair".into(),
        Event::Patch(_) => "repair".into(),
    }
}
