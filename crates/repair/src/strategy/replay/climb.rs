//! From one edit to the next: a run that failed is tried again with one more edit.
//!
//! A steady search asks that each edit gets the run past the point where it
//! failed. Climbing only asks that fewer facts are broken there, and goes on
//! from the best of all that were tried: of three wrong pointers at the end of
//! a rotation, one is set right, then two, then all.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use encode::{Moment, Place};

use super::logged::Logged;
use super::{Effort, Failures, Part, Replay, Way, memory_hasher};
use crate::strategy::bits::Bits;

/// A run that has come to a place.
pub(super) struct Mark {
    pub(super) place: Place,
    pub(super) way: Way,
    /// What was forced there; `None` if the trace was about to begin.
    pub(super) forced: Option<Option<bool>>,
    /// Whether the run came to it again later.
    pub(super) again: bool,
    /// When that was, if the run wrote down what it used.
    pub(super) moment: Option<Moment>,
}

/// A run that failed, but got further than others.
pub(super) struct Step {
    pub(super) parts: Vec<Part>,
    pub(super) budget: u32,
    pub(super) score: Score,
    /// The same for runs that came to the same memory.
    pub(super) memory: u64,
    /// The traces that failed, if all were tried.
    pub(super) failed: Bits,
}

/// How far a run got; the smaller the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    pub(super) progress: Reverse<u32>,
    pub(super) broken: u32,
    /// Of runs that crashed: the places that they came to.
    pub(super) places: Reverse<usize>,
}

impl Score {
    pub(super) const WORST: Score = Score { progress: Reverse(0), broken: u32::MAX, places: Reverse(0) };
}

/// The best steps. Of those that are equally good, one of each memory comes
/// first, then a second one of each, and so on.
pub(super) fn best(mut steps: Vec<Step>, most: usize) -> Vec<Step> {
    steps.sort_by_key(|step| step.score);
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut counted: Vec<(usize, Step)> = steps
        .into_iter()
        .map(|step| {
            let count = seen.entry(step.memory).or_default();
            *count += 1;
            (*count, step)
        })
        .collect();
    counted.sort_by_key(|(count, step)| (step.score, *count));
    // What repairs a whole run at once is often too good to be true: half are those that did no more than a part.
    let mut kept: Vec<Step> = counted.into_iter().map(|(_, step)| step).collect();
    let mut others = kept.split_off(kept.len().min(most.div_ceil(2)));
    let least = others.iter().map(|step| step.score.progress).max();
    others.sort_by_key(|step| Some(step.score.progress) != least);
    kept.extend(others.into_iter().take(most / 2));
    kept
}

impl Replay<'_> {
    /// From edit to edit, the best of each height first.
    pub(super) fn climb(&mut self, way: Way, most: usize) {
        self.steps.clear();
        self.worst = Score::WORST;
        self.explore(way);
        self.climb_on(most);
    }

    /// Goes on from the steps that were found. Few are followed to the top
    /// before the others have their turn.
    fn climb_on(&mut self, most: usize) {
        // Over all traces the best ones are far more often right.
        let first = if let Effort::Together(_) = self.effort { 2 } else { 24 };
        let mut steps = best(std::mem::take(&mut self.steps), most);
        let others = steps.split_off(steps.len().min(first));
        for some in [steps, others] {
            for step in some {
                (self.worst, self.from) = (step.score, step.memory);
                let way = self.way(0, step.parts, Vec::new(), step.budget);
                for mark in self.marks(&way) {
                    self.try_again(&way, &mark, Vec::new(), 0);
                    self.try_moves(&way, mark.place, &|replay, parts| replay.way(0, parts, Vec::new(), way.budget - 1));
                }
            }
            if !self.found.is_empty() || self.stopped {
                return;
            }
            if !self.steps.is_empty() {
                self.climb_on(most);
            }
        }
    }

    /// The run cannot go on: one more place is edited, if that was some progress.
    pub(super) fn after_failure(&mut self, way: Way) {
        if self.is_asked_only(&way) {
            return self.end(way);
        }
        let at_once = match self.effort {
            // It was followed only for its marks.
            Effort::Steady(0) => return self.start.iter_mut().for_each(|start| start.fail(&way)),
            Effort::Steady(at_once) => at_once,
            Effort::Climb(_) | Effort::Wander(_) => return self.remember(way),
            Effort::Together(_) | Effort::Stretch(_) | Effort::Joint(_) => return self.fail_on(way),
            Effort::Exhaustive => return,
        };
        if way.budget == 0 || !way.pending.is_empty() || way.progress < way.goal {
            return;
        }
        let goal = way.progress + 1;
        let marks = self.marks(&way);
        let is_known = |place: &Place| self.known.is_some_and(|known| known.places.contains_key(place));
        // The last change must be elsewhere if all others were at known places.
        let elsewhere = at_once == 1 && way.budget == 1 && way.parts.iter().all(|part| is_known(&part.place));
        let marks: Vec<Mark> = marks.into_iter().filter(|mark| !elsewhere || !is_known(&mark.place)).collect();
        for mark in &marks {
            self.try_again(&way, mark, Vec::new(), goal);
            self.try_moves(&way, mark.place, &|replay, parts| {
                let again = replay.way(0, parts, Vec::new(), way.budget - 1);
                Way { goal, ..again }
            });
        }
        if at_once < 2 || way.budget < 2 {
            return;
        }
        for (i, first) in way.seen.iter().enumerate().skip(way.fresh) {
            let Some(mark) = marks.iter().find(|mark| mark.place == *first) else { continue };
            for &second in &way.seen[i + 1..] {
                self.try_again(&way, mark, vec![second], goal);
            }
        }
    }

    /// Follows a run again, to where it came to each place first; the most
    /// suspicious ones come first.
    pub(super) fn marks(&mut self, way: &Way) -> Vec<Mark> {
        let outer = self.marks.replace(Vec::new());
        let follow = if self.effort.goes_on() { Effort::Together(0) } else { Effort::Steady(0) };
        let effort = std::mem::replace(&mut self.effort, follow);
        let again = self.way(0, way.parts.clone(), Vec::new(), way.budget);
        self.explore(again);
        self.effort = effort;
        let mut marks = std::mem::replace(&mut self.marks, outer).unwrap_or_default();
        marks.sort_by_key(|mark| self.order.get(&mark.place).copied().unwrap_or(usize::MAX));
        marks
    }

    /// The run of a trace cannot go on; the other traces are tried nevertheless.
    fn fail_on(&mut self, mut way: Way) {
        if way.budget == 0 {
            return self.end(way);
        }
        let asked = self.traces[way.trace].checks.get(way.demand).map_or(0, Vec::len) as u32;
        let mut hasher = memory_hasher();
        way.failures.memory.hash(&mut hasher);
        (way.trace, way.demand).hash(&mut hasher);
        way.machine.hash_memory(self.model, &mut hasher);
        let broken = way.failures.broken + way.broken.min(asked + 1);
        let traces = way.failures.traces.with(way.trace.min(Bits::SIZE - 1));
        way.failures = Failures { broken, memory: hasher.finish(), traces };
        match way.trace + 1 < self.traces.len() {
            true => {
                self.next_trace(&mut way);
                self.go_on(way);
            }
            false => self.remember(way),
        }
    }

    /// The run cannot go on: climbing may go on from here if it got higher.
    pub(super) fn remember(&mut self, way: Way) {
        if way.budget == 0 || !way.pending.is_empty() || self.effort == Effort::Together(0) {
            return;
        }
        let together = self.effort.goes_on();
        let is_lost = way.broken == u32::MAX && !together;
        let places = Reverse(if is_lost { way.seen.len() + way.parts.len() } else { 0 });
        let broken = if together { way.failures.broken } else { way.broken };
        let score = Score { progress: Reverse(way.progress), broken, places };
        let wanders = matches!(self.effort, Effort::Wander(_));
        if !way.parts.is_empty() && (score > self.worst || score == self.worst && !wanders) {
            return;
        }
        let memory = match together {
            true => way.failures.memory,
            false => {
                let mut hasher = memory_hasher();
                (way.trace, way.demand).hash(&mut hasher);
                way.machine.hash_memory(self.model, &mut hasher);
                hasher.finish()
            }
        };
        if score < self.worst || way.parts.is_empty() || memory != self.from {
            let failed = way.failures.traces;
            self.steps.push(Step { parts: way.parts, budget: way.budget, score, memory, failed });
        }
    }

    /// Runs on from where a place was come to, with edits there and at others,
    /// which must lead further than before.
    pub(super) fn try_again(&mut self, way: &Way, mark: &Mark, pending: Vec<Place>, goal: u32) {
        if self.is_over() {
            return;
        }
        let mut again = self.copy(&mark.way);
        again.parts.clone_from(&way.parts);
        (again.pending, again.goal) = (pending, goal);
        match (mark.forced, self.space.places.get(&mark.place)) {
            (Some(forced), Some(known))
                if goal > 0 && again.pending.is_empty() && !mark.again && !self.run_hopeless =>
            {
                self.try_hopeful_edits(&again, mark, known, forced);
            }
            (Some(forced), Some(known)) => self.try_edits(&again, mark.place, known, forced),
            _ => {
                again.pending.push(mark.place);
                return self.explore(again);
            }
        }
        self.end(again);
    }

    /// Whether a run comes to a place for the first time. A call in which an earlier trace began does not count where
    /// the run is followed for its marks: what it is called with can be changed only here.
    pub(super) fn is_new(&self, way: &Way, place: Place) -> bool {
        match &self.marks {
            Some(marks) => !marks.iter().any(|mark| mark.place == place && mark.forced.is_some()),
            None => !way.seen.contains(&place),
        }
    }

    pub(super) fn see(&mut self, way: &mut Way, place: Place, forced: Option<Option<bool>>) {
        if self.marks.is_some() {
            let moment = self.logged.as_ref().filter(|_| way.machine.cells.is_watched()).map(Logged::now);
            let mut here = self.copy(way);
            here.new = forced.is_none();
            here.machine.cells.forget();
            let mark = Mark { place, way: here, forced, again: false, moment };
            self.marks.get_or_insert_default().push(mark);
        }
        if !way.seen.contains(&place) {
            way.seen.push(place);
        }
    }
}
