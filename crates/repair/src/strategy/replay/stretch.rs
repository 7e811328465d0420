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
    /// The edited places that were come to since.
    met: Vec<Place>,
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
        Start { way, step, met: Vec::new(), failed: None }
    }

    /// How far a run must get to be over the stretch, and what is better than nothing.
    pub(super) fn goal(&self) -> Option<(u32, Better)> {
        let Failed { progress, broken, places } = self.failed?;
        Some((progress + 1, Better { broken, places }))
    }

    pub(super) fn meet(&mut self, place: Place) {
        self.met.push(place);
    }

    pub(super) fn fail(&mut self, way: &Way) {
        let places = way.seen.len() - self.way.seen.len().min(way.seen.len());
        self.failed = Some(Failed { progress: way.progress, broken: way.broken, places });
    }
}

/// What a run depends on between two asserted states.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    trace: usize,
    demand: usize,
    /// The demands and forced decisions that it met since the stretch began.
    progress: u32,
    memory: u64,
    /// The edits that it came to; of each the address of its set, which is kept.
    met: Vec<(Place, usize)>,
    /// What can be tried may cost so much: more than two makes a difference only where two things of one
    /// statement must be others, as something else can be changed before.
    budget: u32,
    narrow: bool,
    stuck: bool,
}

/// The edits that were found for each stretch that was searched.
#[derive(Default)]
pub(super) struct Stretches {
    single: HashMap<Key, Searched<Part>>,
    /// By the insertions that were allowed too, and whether another edit could follow.
    joint: HashMap<(Key, usize, bool), Searched<Parts>>,
}

/// A stretch that was searched.
struct Searched<T> {
    found: Arc<Vec<T>>,
    /// The sets that its key names by their addresses, which must not be used again.
    _named: Vec<Arc<Mode>>,
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
            let Some(mark) = marks.iter().find(|mark| mark.place == part.place) else { continue };
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
        let met = way.parts.iter().map(|part| part.place).collect();
        let more = |failed: Failed| Failed { places: failed.places + start.way.seen.len(), ..failed };
        Start { way: begin, step: None, met, failed: start.failed.map(more) }
    }

    /// The edits that get a run over the stretch where it failed, or nearly so.
    fn useful(&mut self, way: &Way, start: &Start) -> Arc<Vec<Part>> {
        let Some(Failed { progress, broken, places }) = start.failed else { return Arc::default() };
        let (key, named) = self.key(way, start, progress);
        if let Some(Searched { found: known, .. }) = self.stretches.single.get(&key) {
            return known.clone();
        }
        let outer = self.logged.take();
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
        let found = Arc::new(found);
        if !self.stopped {
            self.stretches.single.insert(key, Searched { found: found.clone(), _named: named });
        }
        found
    }

    /// The pairs of edits that do so only together, or nearly so, with at most so many insertions.
    fn jointly(&mut self, way: &Way, start: &Start, insertions: usize, nearly: bool) -> Arc<Vec<Parts>> {
        let Some(failed) = start.failed else { return Arc::default() };
        let (key, named) = self.key(way, start, failed.progress);
        let key = (key, insertions, nearly);
        if let Some(Searched { found: known, .. }) = self.stretches.joint.get(&key) {
            return known.clone();
        }
        let found = Arc::new(self.pairs_over(way, start, insertions, nearly));
        if !self.stopped {
            self.stretches.joint.insert(key, Searched { found: found.clone(), _named: named });
        }
        found
    }

    /// What the search of a stretch depends on, and the sets that this names by their addresses.
    fn key(&self, way: &Way, start: &Start, progress: u32) -> (Key, Vec<Arc<Mode>>) {
        let mut hasher = memory_hasher();
        start.way.machine.hash_memory(self.model, &mut hasher);
        let met: Vec<&Part> = way.parts.iter().filter(|part| start.met.contains(&part.place)).collect();
        let key = Key {
            trace: start.way.trace,
            demand: start.way.demand,
            progress: progress - start.way.progress,
            memory: hasher.finish(),
            met: met.iter().map(|part| (part.place, Arc::as_ptr(&part.mode) as usize)).collect(),
            budget: if self.pairs { way.budget } else { way.budget.min(2) },
            narrow: self.narrow,
            stuck: self.keep_stuck,
        };
        (key, met.iter().map(|part| part.mode.clone()).collect())
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
