//! Everything that happened, as a tree of moments.
//!
//! Each moment follows from its parent by one event, so any moment can be
//! reached again by replaying the events on the way to it. Going back and
//! then on another way makes a branch; no branch is ever lost. The same event
//! at the same moment leads to the same next moment, not to a copy of it.
//!
//! ```text
//! start ── next ── next ── enter ── change ── (spec 0) ── enter …
//!                     └─── leave …
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::{LiveChange, StepCounts, Stop, Until};
use ir::StepId;
use memory::{Entity, Root, Value};

/// A moment by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MomentId(pub u32);

/// The program at one moment of the session.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The moment before; none for a start.
    pub parent: Option<MomentId>,
    /// How it came about.
    pub event: Event,
    /// Where the program stands.
    pub stop: Stop,
    /// The number of active calls.
    pub depth: usize,
    /// All that the program was given to read so far.
    pub input: Arc<[u8]>,
}

/// What leads from one moment to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The program was started.
    Start {
        /// Its arguments.
        arguments: Arc<[String]>,
        /// The number of the start: every one begins a run of its own.
        number: u32,
    },
    /// The program ran.
    Run(Run),
    /// The program ran until each of these statements was come to as often as this.
    Reach(Arc<StepCounts>),
    /// A condition was forced.
    Decide(bool),
    /// The user changed the state.
    Write {
        /// What.
        entity: Entity,
        /// To what.
        value: Value,
    },
    /// The program was given more to read.
    Input,
    /// From here on the program runs with these changes, and no others.
    Patch(Arc<[LiveChange]>),
}

/// How the program ran: as `until` says, then `repeats` times on from stops
/// that nobody wanted, such as breakpoints whose condition was false.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How far.
    pub until: Until,
    /// Where else it stopped.
    pub breakpoints: Arc<BTreeSet<StepId>>,
    /// How often it was sent on.
    pub repeats: u64,
    /// How many of the stops it was sent on from were breakpoints.
    pub passed: u64,
    /// Whether the user stopped it, so that it would not stop there again.
    pub interrupted: bool,
}

impl Run {
    /// A run that ends where `until` says.
    pub fn plain(until: Until) -> Run {
        Run { until, breakpoints: Arc::default(), repeats: 0, passed: 0, interrupted: false }
    }

    /// How the program is sent on from a stop that nobody wanted.
    pub fn again(&self) -> Until {
        match self.until {
            Until::End => Until::End,
            _ => Until::Out,
        }
    }
}

impl Event {
    /// Whether the program moves on by it.
    pub fn is_move(&self) -> bool {
        matches!(self, Event::Run(_) | Event::Reach(_) | Event::Decide(_))
    }

    /// Whether it leads to the same moment every time.
    pub fn is_repeatable(&self) -> bool {
        !matches!(self, Event::Run(run) if run.interrupted)
    }
}

/// The tree.
#[derive(Debug, Default)]
pub struct Timeline {
    moments: Vec<Moment>,
}

impl Timeline {
    /// A moment by its number.
    pub fn get(&self, id: MomentId) -> &Moment {
        &self.moments[id.0 as usize]
    }

    /// How many moments there are.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// The moments that were come to last from `id` on, one after the other.
    pub fn ahead(&self, id: MomentId) -> Vec<MomentId> {
        let mut last_child = vec![None; self.moments.len()];
        for (number, moment) in self.moments.iter().enumerate() {
            if let Some(parent) = moment.parent {
                last_child[parent.0 as usize] = Some(MomentId(number as u32));
            }
        }
        std::iter::successors(last_child[id.0 as usize], |id| last_child[id.0 as usize]).collect()
    }

    /// How often the program was started.
    pub fn starts(&self) -> u32 {
        self.moments.iter().filter(|moment| moment.parent.is_none()).count() as u32
    }

    /// Adds a moment, or finds the one that it repeats.
    pub fn add(&mut self, moment: Moment) -> MomentId {
        let same = |old: &Moment| old.parent == moment.parent && old.event == moment.event && old.input == moment.input;
        let known = moment.event.is_repeatable().then(|| self.moments.iter().rposition(same)).flatten();
        let index = known.unwrap_or_else(|| {
            self.moments.push(moment);
            self.moments.len() - 1
        });
        MomentId(index as u32)
    }

    /// The moments from a start to `id`, both included.
    pub fn path(&self, id: MomentId) -> Vec<MomentId> {
        let mut path: Vec<MomentId> = self.ancestors(id).collect();
        path.reverse();
        path
    }

    /// `id`, the moment before it, and so on to the start.
    pub fn ancestors(&self, id: MomentId) -> impl Iterator<Item = MomentId> + '_ {
        std::iter::successors(Some(id), |&id| self.get(id).parent)
    }

    /// The changes that are live at a moment.
    pub fn changes_at(&self, id: MomentId) -> Arc<[LiveChange]> {
        let live = |id| match &self.get(id).event {
            Event::Patch(changes) => Some(changes.clone()),
            _ => None,
        };
        self.ancestors(id).find_map(live).unwrap_or_default()
    }

    /// The moment at which the last move that led to `id` began, and the
    /// moment that it led to.
    pub fn last_move(&self, id: MomentId) -> Option<(MomentId, MomentId)> {
        let moved = self.ancestors(id).find(|&id| self.get(id).event.is_move())?;
        Some((self.get(moved).parent?, moved))
    }

    /// Puts a moment between `id` and its parent.
    pub fn insert_before(&mut self, id: MomentId, mut between: Moment, event: Event) -> MomentId {
        between.parent = self.get(id).parent;
        let new = self.add(between);
        let moment = &mut self.moments[id.0 as usize];
        (moment.parent, moment.event) = (Some(new), event);
        new
    }

    /// The variables of active calls that the user changed on the way from
    /// `since` (or the start) to `id`, in calls that have not returned since.
    pub fn changed_by_user(&self, id: MomentId, since: Option<MomentId>) -> BTreeSet<Entity> {
        let mut changed = BTreeSet::new();
        let mut shallowest = usize::MAX;
        for id in self.ancestors(id).take_while(|&id| Some(id) != since) {
            let moment = self.get(id);
            shallowest = shallowest.min(moment.depth);
            if let Event::Write { entity, .. } = &moment.event {
                let is_there = !matches!(entity.root, Root::Local { frame, .. } if frame >= shallowest);
                changed.extend(is_there.then(|| entity.clone()));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(parent: Option<MomentId>, event: Event, depth: usize) -> Moment {
        Moment { parent, event, stop: Stop::Interrupted, depth, input: Arc::default() }
    }

    fn next() -> Event {
        Event::Run(Run::plain(Until::Over))
    }

    fn start() -> Event {
        Event::Start { arguments: Arc::default(), number: 0 }
    }

    #[test]
    fn the_same_event_leads_to_the_same_moment() {
        let mut timeline = Timeline::default();
        let root = timeline.add(moment(None, start(), 1));
        let a = timeline.add(moment(Some(root), next(), 1));
        let b = timeline.add(moment(Some(root), Event::Decide(true), 1));
        assert_ne!(a, b);
        assert_eq!(timeline.add(moment(Some(root), next(), 1)), a);
        assert_eq!(timeline.path(b), [root, b]);
        assert_eq!(timeline.last_move(b), Some((root, b)));
    }

    #[test]
    fn an_interrupted_run_is_never_repeated() {
        let mut timeline = Timeline::default();
        let root = timeline.add(moment(None, start(), 1));
        let event = Event::Run(Run { interrupted: true, ..Run::plain(Until::End) });
        let a = timeline.add(moment(Some(root), event.clone(), 1));
        assert_ne!(timeline.add(moment(Some(root), event, 1)), a);
    }

    #[test]
    fn a_moment_is_put_between() {
        let mut timeline = Timeline::default();
        let root = timeline.add(moment(None, start(), 1));
        let end = timeline.add(moment(Some(root), Event::Run(Run::plain(Until::End)), 1));
        let event = Event::Run(Run { repeats: 3, ..Run::plain(Until::End) });
        let middle = timeline.insert_before(end, moment(None, event, 1), next());
        assert_eq!(timeline.path(end), [root, middle, end]);
        assert_eq!(timeline.add(moment(Some(middle), next(), 1)), end);
    }

    #[test]
    fn changes_in_calls_that_are_over_do_not_count() {
        let mut timeline = Timeline::default();
        let local =
            |frame| Entity { root: Root::Local { frame, function: "f".into(), name: "x".into() }, path: String::new() };
        let write = |frame| Event::Write { entity: local(frame), value: Value::Null };
        let root = timeline.add(moment(None, start(), 1));
        let outer = timeline.add(moment(Some(root), write(0), 1));
        let called = timeline.add(moment(Some(outer), next(), 2));
        let inner = timeline.add(moment(Some(called), write(1), 2));
        assert_eq!(timeline.changed_by_user(inner, None).len(), 2);
        assert_eq!(timeline.changed_by_user(inner, Some(outer)), BTreeSet::from([local(1)]));
        let back = timeline.add(moment(Some(inner), next(), 1));
        assert_eq!(timeline.changed_by_user(back, None), BTreeSet::from([local(0)]));
    }
}
