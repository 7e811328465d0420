//! Two edits that get a run over a stretch only together.
//!
//! With `t = p->next;` missing and `q = t;` written as `q = p;`, neither edit
//! alone makes anything better: nobody reads `t`, or it has no value. So every
//! edit of the stretch is followed by every other one that comes later in the
//! run that it leads to. What makes that quick: edits go by their effect, it
//! does not matter where a cell got its value ([`Logged`]), one run without the
//! second place rules out most of what can be done there, and where two first
//! edits lead to the same memory before a place, the second one is looked for once.

use std::collections::HashMap;
use std::hash::Hasher;

use encode::{Cell, FirstUse, Moment, Place};

use super::climb::Mark;
use super::logged::Logged;
use super::stretch::{Better, Nearly, Start, Useful, best_of};
use super::{Effort, Part, Replay, Way, memory_hasher};

/// Edits that stand together.
pub(super) type Parts = Vec<Part>;

/// So many pairs that do not get over a stretch are kept.
const NEARLY: usize = 40;
/// So many pairs that do.
const MOST: usize = 200;

/// What was found for the second place, by the memory before it.
#[derive(Default)]
struct Known(HashMap<(Place, u64), Vec<Second>>);

/// A second edit, and what comes of it if it does not get over the stretch.
type Second = (Option<Nearly>, Part);

/// A first edit, and the run right behind it.
struct First {
    way: Way,
    part: Part,
    /// The same in other slots.
    others: Vec<Part>,
    /// What it writes, if nobody reads that.
    unread: Option<Unread>,
}

/// A value that nobody reads before it is overwritten: the run goes on as without it.
#[derive(Clone, Copy)]
struct Unread {
    cell: u32,
    value: Cell,
    /// When it is written, and when it is overwritten.
    between: [Moment; 2],
}

/// The run that the first edits are edits of.
struct Base {
    marks: Vec<Mark>,
    logged: Option<Logged>,
}

/// First edits, while they are being collected.
pub(super) struct Collected {
    ways: Vec<Way>,
    /// Whether nodes that are made or freed are among them.
    pub(super) nodes: bool,
}

impl Collected {
    pub(super) fn push(&mut self, way: Way) {
        self.ways.push(way);
    }
}

impl Replay<'_> {
    /// Pairs that get a run over the stretch where it failed, with at most so many insertions; if there are none
    /// and others can be `nearly` as good, as a third edit can follow, those that leave the fewest facts broken.
    pub(super) fn pairs_over(&mut self, way: &Way, start: &Start, insertions: usize, nearly: bool) -> Vec<Parts> {
        let Some((goal, better)) = start.goal() else { return Vec::new() };
        let outer = self.logged.take();
        let marks = self.marks_from(start, goal, way.budget.min(3));
        let mut base = Base { marks, logged: self.logged.take() };
        let firsts = self.firsts(way, &base, insertions);
        let mut pairs = self.seconds(&firsts, &mut base, (goal, None), insertions);
        if pairs.is_empty() && nearly {
            pairs = self.seconds(&firsts, &mut base, (goal, Some(better)), insertions);
        }
        self.logged = outer;
        let (nearly, mut over): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(nearly, _)| nearly.is_some());
        over.truncate(MOST);
        let nearly = nearly.into_iter().filter_map(|(nearly, parts)| Some((nearly?, parts))).collect();
        over.into_iter().map(|(_, parts)| parts).chain(best_of(nearly, NEARLY)).collect()
    }

    /// Every edit of a stretch, one for each effect.
    fn firsts(&mut self, way: &Way, base: &Base, insertions: usize) -> Vec<First> {
        let nodes = base.logged.as_ref().is_none_or(Logged::asks_for_nodes);
        let mut firsts: Vec<First> = Vec::new();
        // Where cells are written in slots: the first edit that wrote the value before the cell was used.
        let mut written: HashMap<(u32, Moment), Vec<(Cell, usize)>> = HashMap::new();
        for mark in base.marks.iter().filter(|mark| is_tried(mark, insertions)) {
            let (Some(forced), Some(known)) = (mark.forced, self.space.places.get(&mark.place)) else { continue };
            if self.is_over() {
                break;
            }
            let mut again = Way { parts: way.parts.clone(), ..mark.way.clone() };
            again.goal = again.goal.max(again.progress + 1);
            let before = again.machine.cells.all().to_vec();
            self.collected = Some(Collected { ways: Vec::new(), nodes });
            self.try_edits(&again, mark.place, known, forced);
            let ways = self.collected.take().map(|collected| collected.ways).unwrap_or_default();
            for way in ways {
                let Some(part) = way.parts.last().cloned() else { continue };
                let written_here = match (&base.logged, mark.moment, mark.place, mark.again) {
                    (Some(logged), Some(moment), Place::Slot(_), false) if !self.run_hopeless => {
                        let used = |(cell, value)| (cell, value, moment, logged.first_use(cell, moment));
                        written_cell(&before, &way).map(used)
                    }
                    _ => None,
                };
                let mut unread = None;
                if let Some((cell, value, from, (first_use, moment))) = written_here {
                    // Where it only mends a fact, the other one is found without it.
                    unread = (first_use != FirstUse::Read).then_some(Unread { cell, value, between: [from, moment] });
                    let values = written.entry((cell, moment)).or_default();
                    if let Some((_, number)) = values.iter().find(|(known, _)| *known == value) {
                        firsts[*number].others.push(part);
                        continue;
                    }
                    values.push((value, firsts.len()));
                }
                firsts.push(First { way, part, others: Vec::new(), unread });
            }
        }
        firsts
    }

    /// The second edits to all first ones.
    fn seconds(
        &mut self,
        firsts: &[First],
        base: &mut Base,
        aim: (u32, Option<Better>),
        insertions: usize,
    ) -> Vec<(Option<Nearly>, Parts)> {
        let is_over_asked = aim.1.is_none();
        let mut known = Known::default();
        let mut pairs = Vec::new();
        for first in firsts {
            let insertions = insertions - usize::from(is_slot(first.part.place));
            let seconds = match first.unread {
                Some(unread) => self.readers(first, unread, base, aim, insertions),
                None => self.seconds_to(first, aim, insertions, &mut known),
            };
            for (nearly, second) in seconds {
                let ones = std::iter::once(&first.part).chain(&first.others);
                pairs.extend(ones.map(|one| (nearly, vec![one.clone(), second.clone()])));
            }
            let is_enough = is_over_asked && pairs.len() >= MOST;
            self.left_out |= is_enough;
            if self.stopped || is_enough {
                break;
            }
        }
        pairs
    }

    /// The second edits to one that writes what nobody reads: they read it, or keep it.
    fn readers(
        &mut self,
        first: &First,
        unread: Unread,
        base: &mut Base,
        (goal, better): (u32, Option<Better>),
        insertions: usize,
    ) -> Vec<Second> {
        self.logged = base.logged.take();
        self.logged.iter_mut().for_each(Logged::begin);
        let mut found = Vec::new();
        let is_between = |mark: &&Mark| mark.moment.is_some_and(|at| unread.between[0] < at && at < unread.between[1]);
        let is_other = |mark: &&Mark| mark.forced.is_some() && mark.place != first.part.place;
        for mark in base.marks.iter().filter(is_between).filter(is_other).filter(|mark| is_tried(mark, insertions)) {
            let (Some(forced), Some(known)) = (mark.forced, self.space.places.get(&mark.place)) else { continue };
            if self.is_over() {
                break;
            }
            let budget = if better.is_some() { 2 } else { 1 };
            let mut way = Way { parts: first.way.parts.clone(), goal, budget, ..mark.way.clone() };
            way.machine.cells[unread.cell as usize] = unread.value;
            self.useful = Some(useful(better));
            self.influenced = self.influenced(mark);
            // What overwrites it may do something else.
            let is_there = |[from, to]: [Moment; 2]| from <= unread.between[1] && unread.between[1] < to;
            let overwrites =
                self.logged.as_ref().is_some_and(|logged| logged.times_at(self.model, mark.place).any(is_there));
            self.unlike = (!overwrites).then(|| Box::new(mark.way.machine.clone()));
            self.try_edits(&way, mark.place, known, forced);
            (self.influenced, self.unlike) = (None, None);
            found.extend(ranked(self.useful.take()));
        }
        base.logged = self.logged.take();
        found
    }

    /// The edits that come later in the run behind a first one, and get it where it should get to.
    fn seconds_to(
        &mut self,
        first: &First,
        (goal, better): (u32, Option<Better>),
        insertions: usize,
        known: &mut Known,
    ) -> Vec<Second> {
        let outer = self.marks.replace(Vec::new());
        let effort = std::mem::replace(&mut self.effort, Effort::Steady(0));
        let budget = if better.is_some() { 2 } else { 1 };
        let mut way = Way { goal, budget, ..first.way.clone() };
        way.seen.clear();
        let followed = self.log(way.clone(), Some(first.part.place), Self::explore);
        let (is_over, again) = (followed.is_over(), followed.again);
        self.end_log(followed);
        self.effort = effort;
        let marks = std::mem::replace(&mut self.marks, outer).unwrap_or_default();
        let mut found = Vec::new();
        if is_over {
            return found;
        }
        let is_other = |mark: &&Mark| mark.forced.is_some() && mark.place != first.part.place;
        for mark in marks.iter().filter(is_other).filter(|mark| is_tried(mark, insertions)) {
            if self.stopped {
                break;
            }
            let mut hasher = memory_hasher();
            mark.way.machine.hash_memory(self.model, &mut hasher);
            let key = Some((mark.place, hasher.finish())).filter(|_| !again && !mark.again && !self.run_hopeless);
            if let Some(known) = key.and_then(|key| known.0.get(&key)) {
                found.extend(known.iter().cloned());
                continue;
            }
            self.useful = Some(useful(better));
            self.look_for_here(&way, mark, goal);
            let some = ranked(self.useful.take());
            if let Some(key) = key.filter(|_| !self.stopped) {
                known.0.insert(key, some.clone());
            }
            found.extend(some);
        }
        found
    }
}

/// What second edits are looked for as.
fn useful(better: Option<Better>) -> Useful {
    match better {
        None => Useful::Over(Vec::new()),
        Some(better) => Useful::Nearly(better, Vec::new()),
    }
}

/// The edits that were found.
fn ranked(useful: Option<Useful>) -> Vec<Second> {
    match useful {
        Some(Useful::Over(parts)) => parts.into_iter().map(|part| (None, part)).collect(),
        Some(Useful::Nearly(_, parts)) => parts.into_iter().map(|(nearly, part)| (Some(nearly), part)).collect(),
        None => Vec::new(),
    }
}

/// What is missing is mostly missing once; and what is inserted where a run comes to several times can do too much
/// to know beforehand that it is of no use.
fn is_tried(mark: &Mark, insertions: usize) -> bool {
    match insertions {
        0 => !is_slot(mark.place),
        1 => !is_slot(mark.place) || !mark.again,
        _ => true,
    }
}

pub(super) fn is_slot(place: Place) -> bool {
    matches!(place, Place::Slot(_))
}

/// The one cell that an edit has written; none if it has written others or none.
fn written_cell(before: &[Cell], way: &Way) -> Option<(u32, Cell)> {
    let after = way.machine.cells.all();
    let mut changed = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let (at, (_, value)) = changed.next().filter(|_| before.len() == after.len())?;
    changed.next().is_none().then_some((at as u32, *value))
}
