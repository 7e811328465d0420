//! From one asserted state to the next: the edits that get a run over the
//! stretch where it failed, the most promising first.
//!
//! What is wrong between two asserted states has mostly nothing to do with what
//! is wrong elsewhere. So edits are looked for in the stretch where the first
//! run fails, from the last state that was met; those that get over it (or, if
//! none does, those that leave the fewest facts broken at its end, or at least
//! crash later) are tried on
//! all traces, and the search goes on from the set of edits that got furthest.
//! Of ten edits that repair the first round of a list reversal, the right one
//! gets through more of the other rounds and traces than the rest, and the next
//! fault is looked for from there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::Arc;

use encode::Place;
use ir::StepId;

use super::climb::{Mark, Score, Step};
use super::joint::{Parts, is_slot};
use super::logged::Logged;
use super::run::Next;
use super::{Effort, Mode, Order, Part, Replay, Way, memory_hasher};
use crate::strategy::bits::Bits;

/// Where a stretch begins, and how a run failed at its end.
#[derive(Clone)]
pub(super) struct Start {
    way: Way,
    /// The statement before which the state was asserted; none at the start of a trace.
    step: Option<StepId>,
    /// How it failed, once it has.
    failed: Option<Failed>,
}

/// How a run failed.
#[derive(Clone, Copy)]
struct Failed {
    /// The demands and decisions that were met.
    progress: u32,
    /// The facts that were broken in the end; all of them if it did not get there.
    broken: u32,
    /// The places that it came to on the stretch.
    places: usize,
}

impl Start {
    pub(super) fn new(way: Way, step: Option<StepId>) -> Start {
        Start { way, step, failed: None }
    }

    /// How far a run must get to be over the stretch, and what is better than nothing.
    pub(super) fn goal(&self) -> Option<(u32, Better)> {
        let Failed { progress, broken, places } = self.failed?;
        Some((progress + 1, Better { broken, places }))
    }

    pub(super) fn fail(&mut self, way: &Way) {
        let places = way.seen.len() - self.way.seen.len().min(way.seen.len());
        self.failed = Some(Failed { progress: way.progress, broken: way.broken, places });
    }
}

/// What a run depends on between two asserted states, besides the edits that are made already.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    trace: usize,
    demand: usize,
    /// The demands and forced decisions that it met since the stretch began.
    progress: u32,
    memory: u64,
    /// What can be tried may cost so much: more than two makes a difference only where two things of one
    /// statement must be others, as something else can be changed before.
    budget: u32,
    narrow: bool,
    stuck: bool,
}

/// The edits that were found for each stretch that was searched.
#[derive(Default)]
pub(super) struct Stretches {
    single: HashMap<Key, Vec<Searched<Part>>>,
    /// By the insertions that were allowed too, and whether another edit could follow.
    joint: HashMap<(Key, usize, bool), Vec<Searched<Parts>>>,
}

/// A stretch that was searched, with some edits that were made already.
struct Searched<T> {
    found: Arc<Vec<T>>,
    visited: Visited,
    /// Those of the edits that were come to.
    met: Vec<Part>,
}

impl<T> Searched<T> {
    /// Whether other edits make no difference: the search came to none but those that were made then.
    fn holds_for(&self, parts: &[Part]) -> bool {
        let is_same = |one: &Part, other: &Part| one.place == other.place && Arc::ptr_eq(&one.mode, &other.mode);
        let mut met = parts.iter().filter(|part| self.visited.contains(part));
        met.clone().count() == self.met.len() && met.all(|part| self.met.iter().any(|other| is_same(part, other)))
    }
}

/// What was found for edits that make no difference.
fn known<T>(searched: Option<&Vec<Searched<T>>>, parts: &[Part]) -> Option<Arc<Vec<T>>> {
    Some(searched?.iter().find(|searched| searched.holds_for(parts))?.found.clone())
}

/// The places that runs came to while a stretch was searched. The run that failed tells too little: another one that
/// does not crash where it did comes to what an earlier edit changed behind that.
#[derive(Default)]
pub(super) struct Visited {
    steps: Vec<u64>,
    slots: Vec<u64>,
}

impl Visited {
    pub(super) fn insert(&mut self, place: Place) {
        let (words, number) = match place {
            Place::Step(step) => (&mut self.steps, step.index()),
            Place::Slot(slot) => (&mut self.slots, slot.0 as usize),
        };
        if words.len() <= number / 64 {
            words.resize(number / 64 + 1, 0);
        }
        words[number / 64] |= 1 << (number % 64);
    }

    /// Whether an edit was come to. What a call returns that is under way when a run begins is assigned without
    /// coming to the statement.
    fn contains(&self, part: &Part) -> bool {
        let (words, number) = match part.place {
            Place::Step(step) => (&self.steps, step.index()),
            Place::Slot(slot) => (&self.slots, slot.0 as usize),
        };
        let is_come_to = words.get(number / 64).is_some_and(|word| word & 1 << (number % 64) != 0);
        is_come_to || matches!(*part.mode, Mode::Target(_))
    }
}

/// The edits that are of use on a stretch, while they are being looked for.
pub(super) enum Useful {
    /// Those that get over it.
    Over(Vec<Part>),
    /// Those that are better than nothing, the best of which are tried.
    Nearly(Better, Vec<(Nearly, Part)>),
}

/// What is better than nothing, on a stretch that no single edit gets over.
#[derive(Clone, Copy)]
pub(super) struct Better {
    /// Fewer facts are broken than so many, which are all of them if the run crashed before.
    pub(super) broken: u32,
    /// Or a run that crashed gets further: on this stretch it comes to more places than so many.
    pub(super) places: usize,
}

/// How good an edit is that does not get over a stretch: the facts that it leaves broken, and
/// if it crashes before, the places that it does not come to.
type Rank = (u32, Reverse<usize>);

/// What comes of an edit that does not get over a stretch.
#[derive(Clone, Copy)]
pub(super) struct Nearly {
    rank: Rank,
    /// The same for runs that ended with the same memory.
    memory: u64,
}

/// The best. Of those that are equally good, one of each memory comes first, then a second one of each, and so on:
/// what can still be done is the same for all that end alike.
pub(super) fn best_of<T>(mut found: Vec<(Nearly, T)>, most: usize) -> Vec<T> {
    found.sort_by_key(|(nearly, _)| nearly.rank);
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut count = |nearly: &Nearly| {
        let seen = seen.entry(nearly.memory).or_default();
        *seen += 1;
        *seen
    };
    let mut counted: Vec<((Rank, usize), T)> =
        found.into_iter().map(|(nearly, one)| ((nearly.rank, count(&nearly)), one)).collect();
    counted.sort_by_key(|(key, _)| *key);
    counted.into_iter().take(most).map(|(_, one)| one).collect()
}

impl Better {
    /// Whether a run that failed before the same demand is better.
    pub(super) fn is_met(self, broken: u32, places: usize) -> bool {
        match self.broken {
            // The place that is edited is not among those that it came to.
            u32::MAX if broken == u32::MAX => places + 1 > self.places,
            most => broken < most,
        }
    }
}

/// So many of those that do not get over a stretch are tried.
const NEARLY: usize = 40;

impl Replay<'_> {
    /// Goes on from the best set of edits, again and again.
    pub(super) fn mend_stretches(&mut self, way: Way, order: Order) {
        self.steps.clear();
        self.worst = Score::WORST;
        self.turn = (0..self.traces.len().min(Bits::SIZE)).collect();
        self.explore(way);
        let mut open = std::mem::take(&mut self.steps);
        if order == Order::Fewest {
            open.iter().for_each(|step| self.fewest_first(step));
        }
        let mut seen: HashMap<u64, usize> = HashMap::new();
        while !self.stopped {
            // Of those that are equally good, one of each memory comes first, and changes before insertions.
            let key = |step: &Step| (step.score, seen.get(&step.memory).copied().unwrap_or(0), insertions(step));
            let Some(best) = (0..open.len()).min_by_key(|&i| key(&open[i])) else { return };
            let best = open.swap_remove(best);
            *seen.entry(best.memory).or_default() += 1;
            match self.effort {
                // Two single edits were tried before.
                Effort::Joint(insertions) if best.budget >= 2 => {
                    self.mend_jointly(&best, insertions);
                    if best.budget >= 3 {
                        self.mend_stretch(&best);
                    }
                }
                _ => self.mend_stretch(&best),
            }
            open.append(&mut self.steps);
        }
    }

    /// Two more edits, on the stretch where a trace fails.
    fn mend_jointly(&mut self, step: &Step, most: usize) {
        let way = self.way(0, step.parts.clone(), Vec::new(), step.budget);
        let Some(&trace) = self.turn.iter().find(|&&trace| step.failed.contains(trace)) else { return };
        let start = self.start_of(trace, &way);
        let more = most.saturating_sub(insertions(step));
        let pairs = self.jointly(&way, &start, more, way.budget >= 3);
        self.try_pairs(&way, &pairs);
        // What is missing in a loop may be missed only behind it.
        if most >= 2 && start.step.is_some() && self.found.is_empty() && !self.stopped {
            let beginning = self.beginning_of(trace, &way, &start);
            let pairs = self.jointly(&way, &beginning, more, false);
            self.try_pairs(&way, &pairs);
        }
    }

    /// Tries pairs on all traces.
    fn try_pairs(&mut self, way: &Way, pairs: &[Parts]) {
        for pair in pairs {
            let cost = pair.iter().map(|part| part.mode.cost()).sum();
            let Some(budget) = way.budget.checked_sub(cost) else { continue };
            let parts = way.parts.iter().chain(pair).cloned().collect();
            let both = self.way(0, parts, Vec::new(), budget);
            self.explore(both);
            if self.stopped {
                return;
            }
        }
    }

    /// One more edit, on the stretch where a trace fails.
    fn mend_stretch(&mut self, step: &Step) {
        let way = self.way(0, step.parts.clone(), Vec::new(), step.budget);
        let Some(&trace) = self.turn.iter().find(|&&trace| step.failed.contains(trace)) else { return };
        let start = self.start_of(trace, &way);
        let mut useful = self.useful(&way, &start);
        if useful.is_empty() && self.keep_stuck {
            useful = self.useful(&way, &self.beginning_of(trace, &way, &start));
        }
        if useful.is_empty() {
            return;
        }
        let marks = self.marks(&way);
        for part in useful.iter() {
            let is_there = |mark: &&Mark| mark.place == part.place && mark.forced.is_some();
            let Some(mark) = marks.iter().find(is_there) else { continue };
            self.try_part(&way, mark, part);
            if self.stopped {
                return;
            }
        }
        // What a call returns that is under way when the trace begins was assigned before.
        for mark in marks.iter().filter(|mark| mark.forced.is_none()) {
            self.try_again(&way, mark, Vec::new(), 0);
        }
    }

    /// Puts the traces first where the fewest edits are of use; where none is,
    /// another trace has to tell of one before.
    fn fewest_first(&mut self, step: &Step) {
        let way = self.way(0, step.parts.clone(), Vec::new(), step.budget);
        let mut counts = vec![usize::MAX; self.turn.len()];
        for trace in step.failed.iter() {
            let start = self.start_of(trace, &way);
            counts[trace] = self.useful(&way, &start).len().wrapping_sub(1);
        }
        self.turn.sort_by_key(|&trace| counts[trace]);
    }

    /// Where the stretch begins on which a trace fails.
    fn start_of(&mut self, trace: usize, way: &Way) -> Start {
        let again = self.way(trace, way.parts.clone(), Vec::new(), way.budget);
        let begin = Start::new(again.clone(), None);
        self.start = Some(begin.clone());
        let effort = std::mem::replace(&mut self.effort, Effort::Steady(0));
        self.explore(again);
        self.effort = effort;
        self.start.take().unwrap_or(begin)
    }

    /// The same from the beginning of the trace on: what is wrong may come from before, in a variable that nothing is
    /// asserted of.
    fn beginning_of(&self, trace: usize, way: &Way, start: &Start) -> Start {
        let begin = self.way(trace, way.parts.clone(), Vec::new(), way.budget);
        let more = |failed: Failed| Failed { places: failed.places + start.way.seen.len(), ..failed };
        Start { way: begin, step: None, failed: start.failed.map(more) }
    }

    /// The edits that get a run over the stretch where it failed, or nearly so.
    fn useful(&mut self, way: &Way, start: &Start) -> Arc<Vec<Part>> {
        let Some(Failed { progress, broken, places }) = start.failed else { return Arc::default() };
        let key = self.key(way, start, progress);
        if let Some(known) = known(self.stretches.single.get(&key), &way.parts).filter(|_| !self.run_hopeless) {
            return known;
        }
        let outer = self.logged.take();
        (self.visited, self.gave_up) = (Some(Visited::default()), false);
        let marks = self.marks_from(start, progress + 1, start.way.budget);
        let mut found = match self.look_for(way, &marks, progress + 1, Useful::Over(Vec::new())) {
            Some(Useful::Over(parts)) => parts,
            _ => Vec::new(),
        };
        if found.is_empty()
            && way.budget >= 2
            && let Some(Useful::Nearly(_, nearly)) =
                self.look_for(way, &marks, progress + 1, Useful::Nearly(Better { broken, places }, Vec::new()))
        {
            found = best_of(nearly, NEARLY);
        }
        self.logged = outer;
        if way.parts.is_empty() && !self.gave_up && !self.stopped {
            let is_first = |mark: &&Mark| mark.forced.is_some() && !start.way.seen.contains(&mark.place);
            self.settled = marks.iter().filter(is_first).map(|mark| mark.place).collect();
        }
        let searched = self.searched(way, found);
        let found = searched.found.clone();
        if !self.stopped {
            self.stretches.single.entry(key).or_default().push(searched);
        }
        found
    }

    /// What was found on a stretch, and what that depends on.
    fn searched<T>(&mut self, way: &Way, found: Vec<T>) -> Searched<T> {
        let visited = self.visited.take().unwrap_or_default();
        let met = way.parts.iter().filter(|part| visited.contains(part)).cloned().collect();
        Searched { found: Arc::new(found), visited, met }
    }

    /// The pairs of edits that do so only together, or nearly so, with at most so many insertions.
    fn jointly(&mut self, way: &Way, start: &Start, insertions: usize, nearly: bool) -> Arc<Vec<Parts>> {
        let Some(failed) = start.failed else { return Arc::default() };
        let key = (self.key(way, start, failed.progress), insertions, nearly);
        if let Some(known) = known(self.stretches.joint.get(&key), &way.parts).filter(|_| !self.run_hopeless) {
            return known;
        }
        self.visited = Some(Visited::default());
        let found = self.pairs_over(way, start, insertions, nearly);
        let searched = self.searched(way, found);
        let found = searched.found.clone();
        if !self.stopped {
            self.stretches.joint.entry(key).or_default().push(searched);
        }
        found
    }

    /// What the search of a stretch depends on.
    fn key(&self, way: &Way, start: &Start, progress: u32) -> Key {
        let mut hasher = memory_hasher();
        start.way.machine.hash_memory(self.model, &mut hasher);
        Key {
            trace: start.way.trace,
            demand: start.way.demand,
            progress: progress - start.way.progress,
            memory: hasher.finish(),
            budget: if self.pairs { way.budget } else { way.budget.min(2) },
            narrow: self.narrow,
            stuck: self.keep_stuck,
        }
    }

    pub(super) fn look_for(&mut self, way: &Way, marks: &[Mark], goal: u32, useful: Useful) -> Option<Useful> {
        self.useful = Some(useful);
        self.logged.iter_mut().for_each(Logged::begin);
        for mark in marks.iter().filter(|mark| mark.forced.is_some()) {
            self.look_for_here(way, mark, goal);
        }
        self.useful.take()
    }

    /// Tries a place of a logged run.
    pub(super) fn look_for_here(&mut self, way: &Way, mark: &Mark, goal: u32) {
        self.influenced = self.influenced(mark);
        self.try_again(way, mark, Vec::new(), goal);
        self.influenced = None;
    }

    /// Where a run came to each place of its last stretch first.
    pub(super) fn marks_from(&mut self, start: &Start, goal: u32, budget: u32) -> Vec<Mark> {
        let outer = self.marks.replace(Vec::new());
        let effort = std::mem::replace(&mut self.effort, Effort::Steady(0));
        let way = Way { seen: Vec::new(), goal, budget, ..start.way.clone() };
        let followed = self.log(way, None, |replay, way| replay.resume(way, start.step));
        self.end_log(followed);
        self.effort = effort;
        std::mem::replace(&mut self.marks, outer).unwrap_or_default()
    }

    /// Follows a run on, which stands before a statement or at its beginning.
    fn resume(&mut self, mut way: Way, step: Option<StepId>) {
        let Some(step) = step else { return self.explore(way) };
        match self.at_step(&mut way, step) {
            Next::On => self.explore(way),
            Next::Fails => self.after_failure(way),
            Next::Done => {}
        }
    }

    /// Runs on from where a place was come to first, with one of these edits there.
    fn try_part(&mut self, way: &Way, mark: &Mark, part: &Part) {
        let Some(forced) = mark.forced else { return };
        if self.is_over() || way.budget < part.mode.cost() {
            return;
        }
        let again = Way { parts: way.parts.clone(), ..mark.way.clone() };
        self.try_mode(&again, mark.place, &part.mode, forced);
    }

    /// Whether a run is only asked whether it gets over a stretch, and does.
    pub(super) fn is_over_stretch(&mut self, way: &Way) -> bool {
        if way.progress < way.goal {
            return false;
        }
        if self.is_followed_over() {
            return true;
        }
        self.hopeful = true;
        match &mut self.useful {
            Some(Useful::Over(parts)) => {
                parts.extend(way.parts.last().cloned());
                true
            }
            useful => useful.is_some(),
        }
    }

    /// The run was only asked how far it gets, and failed.
    pub(super) fn is_asked_only(&mut self, way: &Way) -> bool {
        if self.is_followed_to_failure(way) {
            return true;
        }
        match &mut self.useful {
            Some(Useful::Nearly(better, parts))
                if way.progress + 1 == way.goal && better.is_met(way.broken, way.seen.len()) =>
            {
                let mut hasher = memory_hasher();
                way.machine.hash_memory(self.model, &mut hasher);
                let nearly = Nearly { rank: (way.broken, Reverse(way.seen.len())), memory: hasher.finish() };
                parts.extend(way.parts.last().map(|part| (nearly, part.clone())));
                self.hopeful = true;
                true
            }
            useful => useful.is_some(),
        }
    }
}

/// How many of the edits are insertions.
fn insertions(step: &Step) -> usize {
    step.parts.iter().filter(|part| is_slot(part.place)).count()
}
