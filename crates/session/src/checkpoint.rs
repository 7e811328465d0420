//! Checkpoints: asserted states with numbers, drawn as a tree.

use std::sync::Arc;

use execute::Stop;
use spec::Fact;

use crate::outcome::statement_text;
use crate::session::{Done, Session};
use crate::timeline::{Event, MomentId};

/// An asserted state. Its number is its place in the list of them.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Where.
    pub moment: MomentId,
    /// What holds there.
    pub facts: Vec<Fact>,
    /// What the program has printed, if that was asserted.
    pub output: Option<String>,
    /// The checkpoint before it on its way, if there is one.
    pub parent: Option<usize>,
}

impl Session {
    /// Adds a checkpoint here; its number.
    pub(crate) fn add_checkpoint(&mut self, facts: Vec<Fact>, output: Option<String>) -> Done<usize> {
        let moment = self.here()?;
        self.engine.remember()?;
        let parent = self.latest_checkpoint(moment);
        let checkpoints = Arc::make_mut(&mut self.now.checkpoints);
        checkpoints.push(Arc::new(Checkpoint { moment, facts, output, parent }));
        Ok(checkpoints.len() - 1)
    }

    /// The last checkpoint on the way to a moment.
    pub(crate) fn latest_checkpoint(&self, moment: MomentId) -> Option<usize> {
        let at = |moment| self.now.checkpoints.iter().rposition(|checkpoint| checkpoint.moment == moment);
        self.timeline.ancestors(moment).find_map(at)
    }

    /// Everything that is asserted on the way from the start to here, in order.
    pub fn specification(&self) -> Vec<Arc<Checkpoint>> {
        let latest = self.now.moment.and_then(|moment| self.latest_checkpoint(moment));
        let parent = |&number: &usize| self.now.checkpoints[number].parent;
        let numbers = std::iter::successors(latest, parent);
        let mut found: Vec<Arc<Checkpoint>> = numbers.map(|number| self.now.checkpoints[number].clone()).collect();
        found.reverse();
        found
    }

    /// Everything that is asserted or forced on the way to here, in order.
    pub(crate) fn list_specification(&mut self) -> Done {
        let here = self.here()?;
        let mut lines = Vec::new();
        for moment in self.timeline.path(here) {
            let way = match self.timeline.get(moment).event {
                Event::Decide(true) => Some("taken"),
                Event::Decide(false) => Some("passed"),
                _ => None,
            };
            if let (Some(way), Some(before)) = (way, self.timeline.get(moment).parent) {
                lines.push(format!("forced: {} is {way}", self.describe_moment(before)));
            }
            let asserted = self.now.checkpoints.iter().enumerate().filter(|(_, point)| point.moment == moment);
            lines.extend(
                asserted.map(|(number, _)| format!("asserted: checkpoint {}", self.describe_checkpoint(number, false))),
            );
        }
        let nothing = "nothing is asserted or forced so far; `spec` asserts the state as it is";
        self.say(if lines.is_empty() { nothing.into() } else { lines.join("\n") });
        Ok(())
    }

    pub(crate) fn resume(&mut self, number: u32) -> Done {
        let Some(checkpoint) = self.now.checkpoints.get(number as usize).cloned() else {
            return Err(self.no_checkpoint(number).into());
        };
        let before = self.now.moment;
        self.go_to(checkpoint.moment)?;
        self.say(format!("Program resumed at checkpoint {number}"));
        self.tell_of_lost_repair(before);
        Ok(())
    }

    fn no_checkpoint(&self, number: u32) -> String {
        match self.now.checkpoints.len() {
            0 => "there are no checkpoints yet; `spec` makes one".into(),
            1 => format!("there is no checkpoint {number}; there is only 0"),
            count => format!("there is no checkpoint {number}; there are 0 to {}", count - 1),
        }
    }

    /// After going back: names the checkpoints that are not part of the
    /// specification any more.
    pub(crate) fn tell_of_checkpoints_ahead(&mut self, target: MomentId) {
        let is_ahead = |&number: &usize| {
            let moment = self.now.checkpoints[number].moment;
            moment != target && self.timeline.ancestors(moment).any(|id| id == target)
        };
        let ahead: Vec<String> = (0..self.now.checkpoints.len()).filter(is_ahead).map(|n| n.to_string()).collect();
        if let [first, ..] = &ahead[..] {
            let (noun, verb) = if ahead.len() == 1 { ("checkpoint", "lies") } else { ("checkpoints", "lie") };
            self.say(format!("{noun} {} {verb} ahead; `resume {first}` returns there", ahead.join(", ")));
        }
    }

    pub(crate) fn draw_checkpoints(&mut self) -> Done {
        let text = match self.now.checkpoints.is_empty() {
            true => "there are no checkpoints yet; `spec` makes one".into(),
            false => self.checkpoint_tree(),
        };
        self.say(text);
        Ok(())
    }

    fn checkpoint_tree(&self) -> String {
        let current = self.now.moment.and_then(|moment| self.latest_checkpoint(moment));
        let mut lines = Vec::new();
        self.draw_below(None, "", current, &mut lines);
        if current.is_none() && self.now.moment.is_some() {
            lines.push("◀ the program stands before all of them".into());
        }
        lines.join("\n")
    }

    fn draw_below(&self, parent: Option<usize>, indent: &str, current: Option<usize>, lines: &mut Vec<String>) {
        let all = self.now.checkpoints.iter().enumerate();
        let children: Vec<usize> = all.filter(|(_, point)| point.parent == parent).map(|(number, _)| number).collect();
        for (i, &number) in children.iter().enumerate() {
            let is_last = i + 1 == children.len();
            let (branch, below) = match (parent, is_last) {
                (None, _) => ("", ""),
                (_, false) => ("├─ ", "│  "),
                (_, true) => ("└─ ", "   "),
            };
            lines.push(format!("{indent}{branch}{}", self.describe_checkpoint(number, current == Some(number))));
            self.draw_below(Some(number), &format!("{indent}{below}"), current, lines);
        }
    }

    /// `2  line 29: while (temp1 != NULL)  14 facts ◀ here`
    fn describe_checkpoint(&self, number: usize, is_current: bool) -> String {
        let checkpoint = &self.now.checkpoints[number];
        let place = self.describe_moment(checkpoint.moment);
        let facts = match (&checkpoint.facts[..], &checkpoint.output) {
            (_, Some(output)) => format!("output {output:?}"),
            ([fact], None) => fact.to_string(),
            (facts, None) => format!("{} facts", facts.len()),
        };
        let mark = match is_current {
            false => String::new(),
            true if self.now.moment == Some(checkpoint.moment) => "  ◀ here".into(),
            true => {
                let here = self.now.moment.map_or(String::new(), |moment| self.describe_moment(moment));
                format!("  ◀ the program went on from here, to {here}")
            }
        };
        format!("{number}  {place}  ({facts}){mark}")
    }

    fn describe_moment(&self, moment: MomentId) -> String {
        match &self.timeline.get(moment).stop {
            Stop::Step(step) => {
                format!("line {}: {}", self.program.step(*step).line, statement_text(&self.program, *step))
            }
            Stop::Exited(_) => "the end of the program".into(),
            Stop::Fault(_) => "the crash".into(),
            Stop::Interrupted => "the middle of a statement".into(),
        }
    }
}
