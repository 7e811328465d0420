//! Version-space replay: runs the program along its traces and decides at each
//! place, when control comes to it first, whether it is edited.
//!
//! An edited place holds the *set* of edits that are still possible. When
//! control comes to it, the set is split by effect (which cell gets which
//! value, or which way a condition goes), and each part is followed with the
//! smaller set, so that thousands of edits with the same effect cost one run.
//! With `p, q` at n1 and `p->next == n2`, the sources `p`, `q` of `x = …` are
//! one part, `p->next`, `q->next` another.
//!
//! The search goes from cost to cost. At each cost it first looks for repairs
//! in which every edit makes progress: the run goes on to where something
//! expected does not hold; one more of the places that ran before is edited,
//! such that the run gets past that point; and so on. What needs two edits to
//! get past one point is found next, among the places since the last point that
//! was passed; and then everything else, by trying all places on the way.
//!
//! A way is cut when the asserted cells that differ, and that nothing in the
//! program may still write, outnumber the edits that are left; if they are just
//! as many, an edit must write one of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use encode::{Cell, Comparison, Edit, Machine, Model, NewCondition, NewStatement, Pause, Place, PlaceKind, PlaceSpace};
use encode::{Prepared, Reaches, Scope, SlotId, Space, Stuck, Visit, may_write};
use ir::{ActionId, StepId};
use spec::Relation;

use crate::strategy::bits::Bits;
use crate::strategy::circle::Circle;
use crate::strategy::compared::Compared;
use crate::strategy::wide;

/// What to look for, and for how long.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest total cost.
    pub cost: u32,
    /// Give up after this.
    pub time: Duration,
    /// Runs to make sure that no repair is cheaper than the one that was found.
    /// Counted in runs, not in time, so that the same question has the same answer.
    pub prove: u64,
    /// After the first repair, look on for others of the same cost for so many runs.
    pub more: u64,
    /// Keep at most so many sets of repairs.
    pub solutions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cost: 4, time: Duration::from_secs(20), prove: 50_000, more: 4_000, solutions: 400 }
    }
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum End {
    /// There are repairs of this cost, and none of a smaller one.
    Repaired {
        /// The cost.
        cost: u32,
        /// The repairs, as sets.
        solutions: Vec<Solution>,
        /// Whether these are all.
        complete: bool,
    },
    /// There is no repair up to the largest cost.
    Exhausted,
    /// Time was up while looking for repairs of this cost.
    OutOfTime(u32),
}

/// The repairs of one cost.
#[derive(Clone, Debug)]
pub struct Level {
    /// The repairs, as sets.
    pub solutions: Vec<Solution>,
    /// Whether all of the kind were looked at.
    pub complete: bool,
}

impl Level {
    fn into_end(self, cost: u32) -> Option<End> {
        match (self.solutions.is_empty(), self.complete) {
            (true, true) => None,
            (true, false) => Some(End::OutOfTime(cost)),
            (false, complete) => Some(End::Repaired { cost, solutions: self.solutions, complete }),
        }
    }
}

/// A set of repairs: every combination of its parts is one.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The edited places, each with the edits that are possible there.
    pub parts: Vec<Part>,
}

/// The edits that are possible at a place.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where.
    pub place: Place,
    /// Which.
    pub mode: Arc<Mode>,
}

/// A set of edits of one kind; terms and comparisons by their number in the place's scope.
#[derive(Clone, Debug)]
pub enum Mode {
    /// `target = source` for all pairs; [`ORIGINAL`] is what is there now.
    Assign(Vec<(Bits, Bits)>),
    /// The statement is left out.
    Delete,
    /// The statement runs only if one of these comparisons holds.
    Guard(Vec<u32>),
    /// One of these conditions instead.
    Condition(Vec<NewCondition>),
    /// A node is made as before, but assigned to another target.
    Retarget(Bits),
    /// Another operand.
    Operand(ActionId, u8, u32),
    /// What a statement computes that calls functions is assigned to something else.
    Target(u32),
    /// Another result.
    Return(u32),
    /// A new assignment.
    Insert(Vec<(Bits, Bits)>),
    /// A new assignment under a condition.
    InsertGuarded(Vec<u32>, Vec<(Bits, Bits)>),
    /// `target = malloc(…)`
    Allocate(Bits),
    /// `free(x)`
    Free(Bits),
    /// A loop or the function is left, under one of these comparisons.
    Exit(Vec<u32>, Vec<NewStatement>),
    /// The statement stands in this slot instead.
    MovedAway(SlotId),
    /// This statement stands here.
    MovedHere(StepId),
    /// One assignment where one of these comparisons holds, else another.
    Choose(Vec<u32>, Vec<(Bits, Bits)>, Vec<(Bits, Bits)>),
}

/// The number that stands for the target or source as it is now.
pub const ORIGINAL: usize = Bits::SIZE - 1;

impl Mode {
    fn cost(&self) -> u32 {
        match self {
            Mode::InsertGuarded(..) | Mode::Choose(..) => 2,
            Mode::MovedHere(_) => 0,
            _ => 1,
        }
    }
}

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Every edit, or every two edits, get the run past a point where it failed.
    Steady(u32),
    /// Every edit gets the run past a point where it failed, or leaves fewer
    /// facts broken there; so many of the best are followed.
    Climb(usize),
    /// The same, but an edit may also leave as many facts broken as before, if it changes anything.
    Wander(usize),
    /// Everything is tried.
    Exhaustive,
}

/// What the search needs to know.
pub struct Replay<'a> {
    pub(super) model: &'a Model,
    traces: &'a [Prepared],
    pub(super) space: &'a Space,
    reaches: Reaches,
    limits: Limits,
    /// Instructions that a run may take to each demand of each trace.
    longest: Vec<Vec<u64>>,
    begun: Instant,
    /// After how many runs to stop.
    until: u64,
    found: Vec<Solution>,
    stopped: bool,
    asked: Arc<AtomicBool>,
    effort: Effort,
    /// Where climbing could go on, and what must be better there.
    steps: Vec<Step>,
    worst: Score,
    /// The memory that climbing goes on from.
    from: u64,
    /// Ways that branched off of one another and are not at their ends.
    depth: u32,
    /// Where a run came to each place first, while it is being followed again for that.
    marks: Option<Vec<Mark>>,
    /// The most suspicious places, which are edited first.
    order: HashMap<Place, usize>,
    ticks: u32,
    /// Runs that were tried.
    pub runs: u64,
    /// How long it took to the first repair of the last level.
    pub first: Duration,
}

/// A run on its way.
#[derive(Clone)]
pub(super) struct Way {
    trace: usize,
    demand: usize,
    pub(super) machine: Machine,
    pub(super) parts: Vec<Part>,
    /// Places that stay as they are.
    kept: Vec<Place>,
    pub(super) budget: u32,
    /// Places that control came to and that could be edited.
    seen: Vec<Place>,
    /// How many of them were come to before the last progress.
    fresh: usize,
    /// Places that are edited when control comes to them first.
    pending: Vec<Place>,
    /// Demands and forced decisions that were met.
    progress: u32,
    /// How far the run must get for its last edit to be of use.
    goal: u32,
    /// The instruction by which the next demand must be met.
    until: u64,
    /// Whether the trace is only about to begin.
    new: bool,
    /// Facts that do not hold where it failed; all of them if it did not get there.
    broken: u32,
}

/// A run that has come to a place.
struct Mark {
    place: Place,
    way: Way,
    /// What was forced there; `None` if the trace was about to begin.
    forced: Option<Option<bool>>,
}

/// A run that failed, but got further than others.
struct Step {
    parts: Vec<Part>,
    budget: u32,
    score: Score,
    /// The same for runs that came to the same memory.
    memory: u64,
}

/// How far a run got; the smaller the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    progress: Reverse<u32>,
    broken: u32,
    /// Of runs that crashed: the places that they came to.
    places: Reverse<usize>,
}

impl Score {
    const WORST: Score = Score { progress: Reverse(0), broken: u32::MAX, places: Reverse(0) };
}

/// The best steps. Of those that are equally good, one of each memory comes
/// first, then a second one of each, and so on.
fn best(mut steps: Vec<Step>, most: usize) -> Vec<Step> {
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

/// What comes of a place.
enum Next {
    /// The run goes on.
    On,
    /// Something expected does not hold.
    Fails,
    /// Everything that can come of it was followed.
    Done,
}

/// What a statement can do.
enum Effect {
    Write(u32, Cell),
    Nothing,
}

/// A part of a set, with what it does.
pub(super) struct Child {
    effect: Effect,
    pub(super) mode: Mode,
}

impl<'a> Replay<'a> {
    /// A search in `space` for repairs that meet all traces.
    pub fn new(model: &'a Model, traces: &'a [Prepared], space: &'a Space, limits: Limits) -> Replay<'a> {
        Replay {
            model,
            traces,
            space,
            reaches: Reaches::new(model),
            longest: traces.iter().map(longest).collect(),
            limits,
            begun: Instant::now(),
            until: u64::MAX,
            found: Vec::new(),
            stopped: false,
            asked: Arc::default(),
            effort: Effort::Steady(1),
            steps: Vec::new(),
            worst: Score::WORST,
            from: 0,
            depth: 0,
            marks: None,
            order: HashMap::new(),
            ticks: 0,
            runs: 0,
            first: Duration::ZERO,
        }
    }

    /// Stops when this is set from elsewhere.
    pub fn stop_when(&mut self, asked: Arc<AtomicBool>) {
        self.asked = asked;
    }

    /// Edits these places before all others, in this order.
    pub fn prefer(&mut self, places: &[Place]) {
        self.order = places.iter().enumerate().map(|(number, place)| (*place, number)).collect();
    }

    /// Looks for the cheapest repairs: those that make steady progress first,
    /// at each cost, then all others of smaller cost.
    pub fn search(&mut self) -> End {
        let most = self.limits.cost;
        let time = self.limits.time;
        let mut steps = (1..=2).flat_map(|at_once| (at_once - 1..=most).map(move |cost| (at_once, cost)));
        let steady = steps
            .find_map(|(at_once, cost)| self.level(cost, Effort::Steady(at_once), (time, u64::MAX)).into_end(cost));
        let below = match &steady {
            Some(End::Repaired { cost, .. }) => cost.saturating_sub(1),
            Some(_) => return End::OutOfTime(0),
            None => most,
        };
        for cost in 2..=below {
            match self.level(cost, Effort::Exhaustive, (time, self.limits.prove)).into_end(cost) {
                None => {}
                Some(End::OutOfTime(_)) if steady.is_some() => break,
                Some(end) => return end,
            }
        }
        steady.unwrap_or(End::Exhausted)
    }

    /// Looks for repairs of one cost, for at most so long and so many runs.
    pub fn level(&mut self, cost: u32, effort: Effort, (time, runs): (Duration, u64)) -> Level {
        self.found.clear();
        (self.effort, self.stopped, self.until) = (effort, false, self.runs.saturating_add(runs));
        (self.begun, self.limits.time) = (Instant::now(), time);
        let way = self.way(0, Vec::new(), Vec::new(), cost);
        match effort {
            Effort::Climb(most) | Effort::Wander(most) => self.climb(way, most),
            _ => self.explore(way),
        }
        Level { solutions: std::mem::take(&mut self.found), complete: !self.stopped }
    }

    fn way(&self, trace: usize, parts: Vec<Part>, kept: Vec<Place>, budget: u32) -> Way {
        let mut machine = self.traces[trace].start.clone();
        machine.set_edits(self.model, &self.inner_edits(&parts));
        let until = machine.spent + self.longest[trace].first().copied().unwrap_or(0);
        let (seen, fresh, pending, progress, goal, broken) = (Vec::new(), 0, Vec::new(), 0, 0, u32::MAX);
        Way {
            trace,
            demand: 0,
            machine,
            parts,
            kept,
            budget,
            seen,
            fresh,
            pending,
            progress,
            goal,
            until,
            broken,
            new: true,
        }
    }

    /// From edit to edit, the best of each height first.
    fn climb(&mut self, way: Way, most: usize) {
        self.steps.clear();
        self.worst = Score::WORST;
        self.explore(way);
        while !self.steps.is_empty() && self.found.is_empty() && !self.stopped {
            for step in best(std::mem::take(&mut self.steps), most) {
                (self.worst, self.from) = (step.score, step.memory);
                let way = self.way(0, step.parts, Vec::new(), step.budget);
                for mark in self.marks(&way) {
                    self.try_again(&way, &mark, Vec::new(), 0);
                    self.try_moves(&way, mark.place, &|replay, parts| replay.way(0, parts, Vec::new(), way.budget - 1));
                }
            }
        }
    }

    /// The edits that the machine itself makes when it comes to a statement.
    fn inner_edits(&self, parts: &[Part]) -> Vec<Edit> {
        let edit = |part: &Part| match (&*part.mode, part.place) {
            (Mode::Operand(action, operand, term), Place::Step(step)) => {
                let with = self.space.places[&part.place].scope.terms[*term as usize];
                Some(Edit::Operand { step, action: *action, operand: *operand, with })
            }
            (Mode::Target(target), Place::Step(step)) => {
                let target = self.space.places[&part.place].scope.terms[*target as usize];
                Some(Edit::Assign { step, target: Some(target), source: None })
            }
            _ => None,
        };
        parts.iter().filter_map(edit).collect()
    }

    pub(super) fn is_over(&mut self) -> bool {
        self.ticks += 1;
        if !self.stopped && self.ticks.is_multiple_of(64) {
            let now = Instant::now();
            self.stopped = now - self.begun > self.limits.time;
            self.stopped |= self.asked.load(Ordering::Relaxed);
        }
        self.stopped |= self.found.len() >= self.limits.solutions || self.runs > self.until;
        self.stopped
    }

    /// Follows one way to its end, and all that branch off.
    pub(super) fn explore(&mut self, way: Way) {
        /// An edit that makes a loop endless would branch off in every round.
        const DEEPEST: u32 = 500;
        self.runs += 1;
        if self.depth < DEEPEST {
            self.depth += 1;
            self.go_on(way);
            self.depth -= 1;
        }
    }

    fn go_on(&mut self, mut way: Way) {
        let mut circle = Circle::default();
        loop {
            if self.is_over() || std::mem::take(&mut way.new) && !self.at_start(&mut way) {
                return;
            }
            let too_long = way.machine.spent > way.until
                || !self.traces[way.trace].counts_visits() && circle.is_closed(&way.machine);
            let next = match way.machine.advance(self.model) {
                _ if too_long => Next::Fails,
                Pause::Step(step) => self.at_step(&mut way, step),
                Pause::Slot(slot) => self.at_place(&mut way, Place::Slot(slot), None),
                Pause::Over | Pause::Fault | Pause::Unmodelled => Next::Fails,
            };
            match next {
                Next::On => {}
                Next::Done => return,
                Next::Fails => return self.after_failure(way),
            }
        }
    }

    /// The run cannot go on: one more place is edited, if that was some progress.
    fn after_failure(&mut self, way: Way) {
        let at_once = match self.effort {
            // It was followed only for its marks.
            Effort::Steady(0) => return,
            Effort::Steady(at_once) => at_once,
            Effort::Climb(_) | Effort::Wander(_) => return self.remember(way),
            Effort::Exhaustive => return,
        };
        if way.budget == 0 || !way.pending.is_empty() || way.progress < way.goal {
            return;
        }
        let goal = way.progress + 1;
        let marks = self.marks(&way);
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
    fn marks(&mut self, way: &Way) -> Vec<Mark> {
        let outer = self.marks.replace(Vec::new());
        let effort = std::mem::replace(&mut self.effort, Effort::Steady(0));
        let again = self.way(0, way.parts.clone(), Vec::new(), way.budget);
        self.explore(again);
        self.effort = effort;
        let mut marks = std::mem::replace(&mut self.marks, outer).unwrap_or_default();
        marks.sort_by_key(|mark| self.order.get(&mark.place).copied().unwrap_or(usize::MAX));
        marks
    }

    /// The run cannot go on: climbing may go on from here if it got higher.
    fn remember(&mut self, way: Way) {
        if way.budget == 0 || !way.pending.is_empty() {
            return;
        }
        let places = Reverse(if way.broken == u32::MAX { way.seen.len() + way.parts.len() } else { 0 });
        let score = Score { progress: Reverse(way.progress), broken: way.broken, places };
        let wanders = matches!(self.effort, Effort::Wander(_));
        if !way.parts.is_empty() && (score > self.worst || score == self.worst && !wanders) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (way.trace, way.demand).hash(&mut hasher);
        way.machine.hash_memory(&mut hasher);
        let memory = hasher.finish();
        if score < self.worst || way.parts.is_empty() || memory != self.from {
            self.steps.push(Step { parts: way.parts, budget: way.budget, score, memory });
        }
    }

    /// Runs on from where a place was come to, with edits there and at others,
    /// which must lead further than before.
    fn try_again(&mut self, way: &Way, mark: &Mark, pending: Vec<Place>, goal: u32) {
        if self.is_over() {
            return;
        }
        let mut again = mark.way.clone();
        (again.parts, again.pending, again.goal) = (way.parts.clone(), pending, goal);
        match (mark.forced, self.space.places.get(&mark.place)) {
            (Some(forced), Some(known)) => self.try_edits(&again, mark.place, known, forced),
            _ => {
                again.pending.push(mark.place);
                self.explore(again);
            }
        }
    }

    fn see(&mut self, way: &mut Way, place: Place, forced: Option<Option<bool>>) {
        if let Some(marks) = &mut self.marks {
            marks.push(Mark { place, way: Way { new: forced.is_none(), ..way.clone() }, forced });
        }
        way.seen.push(place);
    }

    /// A trace that begins inside of a call: what the call returns could be
    /// assigned to something else. Whether the way itself goes on.
    fn at_start(&mut self, way: &mut Way) -> bool {
        let calls = &self.traces[way.trace].trace.calls;
        let space = self.space;
        for &step in &calls[..calls.len() - 1] {
            let place = Place::Step(step);
            let Some(known) = space.places.get(&place) else { continue };
            let targets = targets(known);
            if targets.is_empty() || way.budget == 0 || way.parts.iter().any(|part| part.place == place) {
                continue;
            }
            match self.effort {
                Effort::Steady(_) | Effort::Climb(_) | Effort::Wander(_) if way.pending.contains(&place) => {
                    way.pending.retain(|pending| *pending != place);
                    targets.into_iter().for_each(|mode| self.edit_inside(way, place, mode, None));
                    return false;
                }
                Effort::Steady(_) | Effort::Climb(_) | Effort::Wander(_) if !way.seen.contains(&place) => {
                    self.see(way, place, None)
                }
                Effort::Exhaustive if !way.kept.contains(&place) => {
                    targets.into_iter().for_each(|mode| self.edit_inside(way, place, mode, None));
                    way.kept.push(place);
                }
                _ => {}
            }
        }
        true
    }

    /// Follows an edit that the machine itself makes.
    fn edit_inside(&mut self, way: &Way, place: Place, mode: Mode, forced: Option<bool>) {
        let mut edited = way.clone();
        edited.budget -= mode.cost();
        edited.progress += u32::from(forced.is_some());
        edited.parts.push(Part { place, mode: Arc::new(mode) });
        edited.machine.set_edits(self.model, &self.inner_edits(&edited.parts));
        if self.keep(&mut edited, place, forced) {
            self.explore(edited);
        }
    }

    fn at_step(&mut self, way: &mut Way, step: StepId) -> Next {
        let prepared = &self.traces[way.trace];
        let visit = Visit { step, count: way.machine.visits[step.index()] };
        let before = way.demand;
        let broken = prepared.ask(self.model, &way.machine, visit, &mut way.demand).err();
        way.broken = broken.as_ref().map_or(u32::MAX, |broken| broken.len().max(1) as u32);
        let holds = broken.is_none();
        way.progress += (way.demand - before) as u32;
        if way.demand != before {
            way.fresh = way.seen.len();
            way.until = way.machine.spent + self.longest[way.trace].get(way.demand).copied().unwrap_or(0);
        }
        if !holds {
            return Next::Fails;
        }
        if way.demand == prepared.checks.len() {
            return self.at_end(way);
        }
        match prepared.pass_unseen(self.model, &mut way.machine, visit) {
            Ok(true) => Next::On,
            Ok(false) => self.at_place(way, Place::Step(step), prepared.trace.forced.get(&visit).copied()),
            Err(_) => Next::Fails,
        }
    }

    /// The trace is over, everything was met: on with the next one.
    fn at_end(&mut self, way: &mut Way) -> Next {
        if way.trace + 1 < self.traces.len() {
            let mut machine = self.traces[way.trace + 1].start.clone();
            machine.set_edits(self.model, &self.inner_edits(&way.parts));
            way.until = machine.spent + self.longest[way.trace + 1].first().copied().unwrap_or(0);
            (way.trace, way.demand, way.machine, way.new) = (way.trace + 1, 0, machine, true);
            return Next::On;
        }
        if !way.pending.is_empty() {
            return Next::Done;
        }
        if self.found.is_empty() {
            self.until = self.until.min(self.runs + self.limits.more);
            self.first = self.begun.elapsed();
        }
        self.found.push(Solution { parts: way.parts.clone() });
        Next::Done
    }

    fn at_place(&mut self, way: &mut Way, place: Place, forced: Option<bool>) -> Next {
        if let Some(index) = way.parts.iter().position(|part| part.place == place) {
            return self.met(way, index, forced);
        }
        let space = self.space;
        if way.budget > 0
            && let Some(known) = space.places.get(&place)
        {
            match self.effort {
                Effort::Steady(_) | Effort::Climb(_) | Effort::Wander(_) if way.pending.contains(&place) => {
                    way.pending.retain(|pending| *pending != place);
                    self.try_edits(way, place, known, forced);
                    return Next::Done;
                }
                Effort::Steady(_) | Effort::Climb(_) | Effort::Wander(_) if !way.seen.contains(&place) => {
                    self.see(way, place, Some(forced));
                }
                Effort::Exhaustive if !way.kept.contains(&place) => {
                    self.try_edits(way, place, known, forced);
                    way.kept.push(place);
                }
                _ => {}
            }
        }
        match self.keep(way, place, forced) {
            true => {
                way.progress += u32::from(forced.is_some());
                Next::On
            }
            false => Next::Fails,
        }
    }

    /// An edited place is come to; what comes of the last part of its set.
    fn met(&mut self, way: &mut Way, index: usize, forced: Option<bool>) -> Next {
        // What branches off has met the decision too.
        way.progress += u32::from(forced.is_some());
        match self.at_edited(way, index, forced) {
            true => Next::On,
            false => Next::Done,
        }
    }

    /// The place is as it is in the program.
    fn keep(&self, way: &mut Way, place: Place, forced: Option<bool>) -> bool {
        let (Place::Step(step), Some(forced)) = (place, forced) else { return true };
        match way.machine.condition(self.model, step) {
            Ok(taken) if taken == forced => {
                way.machine.decide(self.model, step, taken);
                true
            }
            _ => false,
        }
    }

    /// Follows every kind of edit that is possible at a place.
    fn try_edits(&mut self, way: &Way, place: Place, known: &PlaceSpace, forced: Option<bool>) {
        let all = Bits::first(known.scope.terms.len());
        let comparisons = || (0..known.scope.comparisons.len() as u32).collect::<Vec<u32>>();
        let modes: Vec<Mode> = match &known.kind {
            PlaceKind::Assignment { operands, declares, .. } => {
                let with_original = all.with(ORIGINAL);
                let targets = if *declares { Bits::one(ORIGINAL) } else { with_original };
                let mut modes = vec![Mode::Assign(vec![(targets, with_original)])];
                if !declares {
                    modes.extend([Mode::Delete, Mode::Guard(comparisons())]);
                }
                modes.extend(operands.iter().flat_map(|operand| swaps(&known.scope, operand)));
                if matches!(place, Place::Step(step) if !declares && encode::allocates(self.model, step)) {
                    modes.push(Mode::Retarget(all));
                }
                modes
            }
            PlaceKind::Condition { atoms, operands, operators } => {
                let mut all = conditions(&known.scope.comparisons, atoms);
                all.extend(encode::condition_parts(&known.scope, operands, operators));
                all.extend(wide::conditions(known));
                vec![Mode::Condition(all)]
            }
            PlaceKind::Other { operands, deletable, result, .. } => {
                let terms = known.scope.terms.iter().enumerate();
                let results = terms.filter(|(_, term)| Some(term.ty) == *result);
                let mut modes: Vec<Mode> = results.map(|(i, _)| Mode::Return(i as u32)).collect();
                modes.extend(operands.iter().flat_map(|operand| swaps(&known.scope, operand)));
                modes.extend(targets(known));
                if *deletable {
                    modes.extend([Mode::Delete, Mode::Guard(comparisons())]);
                }
                modes
            }
            PlaceKind::Slot => {
                let mut modes = vec![Mode::Insert(vec![(all, all)])];
                if way.budget >= 2 {
                    modes.push(Mode::InsertGuarded(comparisons(), vec![(all, all)]));
                }
                modes.extend([Mode::Allocate(all), Mode::Free(all)]);
                modes
            }
        };
        for mode in modes.into_iter().chain(wide::modes(known, way.budget)) {
            if self.is_over() {
                return;
            }
            if way.budget < mode.cost() {
                continue;
            }
            if let Mode::Operand(..) | Mode::Target(_) = mode {
                self.edit_inside(way, place, mode, forced);
                continue;
            }
            let mut edited = way.clone();
            edited.budget -= mode.cost();
            edited.progress += u32::from(forced.is_some());
            edited.parts.push(Part { place, mode: Arc::new(mode) });
            let index = edited.parts.len() - 1;
            if self.at_edited(&mut edited, index, forced) {
                self.explore(edited);
            }
        }
    }

    /// Splits the set of an edited place by effect and follows each part;
    /// whether the way itself goes on (with the last part).
    fn at_edited(&mut self, way: &mut Way, index: usize, forced: Option<bool>) -> bool {
        let Part { place, mode } = way.parts[index].clone();
        let space = self.space;
        let known = &space.places[&place];
        match &*mode {
            Mode::Operand(..) | Mode::Target(_) => self.keep(way, place, forced),
            Mode::Return(term) => match way.machine.term_value(self.model, &known.scope.terms[*term as usize]) {
                Ok(result) => {
                    way.machine.return_with(self.model, result);
                    true
                }
                Err(_) => false,
            },
            Mode::Exit(guards, statements) => self.split_exit(way, index, guards, statements),
            Mode::Choose(guards, yes, no) => self.split_cases(way, index, guards, (yes, no)),
            Mode::MovedHere(step) => way.machine.run_moved(self.model, *step).is_ok(),
            Mode::Delete | Mode::MovedAway(_) => {
                let Place::Step(step) = place else { return false };
                way.machine.skip(self.model, step);
                true
            }
            Mode::Condition(list) => self.split_condition(way, index, list, forced),
            Mode::Guard(list) => self.split_guard(way, index, list),
            Mode::Assign(products) => {
                let Place::Step(step) = place else { return false };
                let original = self.original(way, step, products);
                way.machine.skip(self.model, step);
                let children = self.split_products(way, known, products, original, &Mode::Assign);
                self.follow_children(way, index, children)
            }
            Mode::Insert(products) => {
                let children = self.split_products(way, known, products, (None, None), &Mode::Insert);
                self.follow_children(way, index, children)
            }
            Mode::InsertGuarded(guards, products) => {
                let (yes, no) = self.split_comparisons(way, known, guards);
                let mut children = match yes.is_empty() {
                    true => Vec::new(),
                    false => self.split_products(way, known, products, (None, None), &|products| {
                        Mode::InsertGuarded(yes.clone(), products)
                    }),
                };
                if !no.is_empty() {
                    children.push(Child { effect: Effect::Nothing, mode: Mode::InsertGuarded(no, products.clone()) });
                }
                self.follow_children(way, index, children)
            }
            Mode::Retarget(targets) => {
                let Place::Step(step) = place else { return false };
                self.follow_targets(way, index, known, targets, step)
            }
            Mode::Allocate(targets) => {
                let statement = |term| NewStatement::Allocate(term);
                self.follow_statements(way, index, known, targets, &statement, &Mode::Allocate)
            }
            Mode::Free(terms) => {
                let statement = |term| NewStatement::Free(term);
                self.follow_statements(way, index, known, terms, &statement, &Mode::Free)
            }
        }
    }

    /// What an assignment would do as it is, as far as the set still asks for it.
    pub(super) fn original(&self, way: &Way, step: StepId, products: &[(Bits, Bits)]) -> (Option<u32>, Option<Cell>) {
        let asks_target = products.iter().any(|(targets, _)| targets.contains(ORIGINAL));
        let asks_source = products.iter().any(|(_, sources)| sources.contains(ORIGINAL));
        if !asks_target && !asks_source {
            return (None, None);
        }
        let target = way.machine.assignment(self.model, step, false).ok().and_then(|(target, _)| target);
        let source = way.machine.assignment(self.model, step, true).ok().and_then(|(_, source)| source);
        (target.filter(|_| asks_target), source.filter(|_| asks_source))
    }

    pub(super) fn follow_children(&mut self, way: &mut Way, index: usize, mut children: Vec<Child>) -> bool {
        let Some(last) = children.pop() else { return false };
        for child in children {
            let mut next = way.clone();
            next.take(index, child);
            self.explore(next);
            if self.stopped {
                return false;
            }
        }
        way.take(index, last);
        true
    }

    /// Groups the pairs of targets and sources by the cell and the value that is written.
    pub(super) fn split_products(
        &mut self,
        way: &Way,
        known: &PlaceSpace,
        products: &[(Bits, Bits)],
        (cell, value): (Option<u32>, Option<Cell>),
        make: &dyn Fn(Vec<(Bits, Bits)>) -> Mode,
    ) -> Vec<Child> {
        let must = match self.must_write(way) {
            Must::Cut => return Vec::new(),
            Must::Anything => None,
            Must::Write(cells) => Some(cells),
        };
        let terms = &known.scope.terms;
        let own_type = match known.kind {
            PlaceKind::Assignment { ty, .. } => Some(ty),
            _ => None,
        };
        let mut nothing: Vec<(Bits, Bits)> = Vec::new();
        let mut children: Vec<Child> = Vec::new();
        for (targets, sources) in products {
            // By type: the values of sources and the cells of targets.
            let mut values: Vec<(c_types::TypeId, Cell, Bits)> = Vec::new();
            for i in sources.iter() {
                let (ty, found) = match (i, own_type) {
                    (ORIGINAL, Some(ty)) => (ty, value.ok_or(Stuck::Fault)),
                    (ORIGINAL, None) => continue,
                    _ => (terms[i].ty, way.machine.term_value(self.model, &terms[i])),
                };
                let Ok(found) = found else { continue };
                match values.iter_mut().find(|(known, value, _)| *known == ty && *value == found) {
                    Some((_, _, set)) => set.insert(i),
                    None => values.push((ty, found, Bits::one(i))),
                }
            }
            let mut cells: BTreeMap<(u32, c_types::TypeId), Bits> = BTreeMap::new();
            for i in targets.iter() {
                let (ty, found) = match (i, own_type) {
                    (ORIGINAL, Some(ty)) => (ty, cell.ok_or(Stuck::Fault)),
                    (ORIGINAL, None) => continue,
                    _ if !terms[i].is_place() => continue,
                    _ => (terms[i].ty, way.machine.term_cell(self.model, &terms[i])),
                };
                if let Ok(found) = found {
                    cells.entry((found, ty)).or_default().insert(i);
                }
            }
            for (&(cell, ty), of_cell) in &cells {
                for (_, value, of_value) in values.iter().filter(|(known, _, _)| *known == ty) {
                    if must.as_ref().is_some_and(|must| !must.contains(&(cell, *value))) {
                        continue;
                    }
                    let (of_cell, of_value) = (*of_cell, *of_value);
                    if way.machine.cells[cell as usize] == *value {
                        nothing.push((of_cell, of_value));
                    } else {
                        let mode = make(vec![(of_cell, of_value)]);
                        children.push(Child { effect: Effect::Write(cell, *value), mode });
                    }
                }
            }
        }
        if !nothing.is_empty() && must.is_none() {
            children.push(Child { effect: Effect::Nothing, mode: make(nothing) });
        }
        // Different sets of pairs can have the same effect: they go together.
        merge(children, make)
    }

    pub(super) fn split_comparisons(&self, way: &Way, known: &PlaceSpace, list: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut compared = Compared::new(self.model, &way.machine);
        for &i in list {
            match compared.holds(&known.scope.comparisons[i as usize]) {
                Some(true) => yes.push(i),
                Some(false) => no.push(i),
                None => {}
            }
        }
        (yes, no)
    }

    fn split_guard(&mut self, way: &mut Way, index: usize, list: &[u32]) -> bool {
        let space = self.space;
        let place = way.parts[index].place;
        let Place::Step(step) = place else { return false };
        let (yes, no) = self.split_comparisons(way, &space.places[&place], list);
        if !no.is_empty() {
            let mut skipping = way.clone();
            skipping.parts[index].mode = Arc::new(Mode::Guard(no));
            skipping.machine.skip(self.model, step);
            self.explore(skipping);
        }
        let goes_on = !yes.is_empty();
        way.parts[index].mode = Arc::new(Mode::Guard(yes));
        goes_on
    }

    fn split_condition(&mut self, way: &mut Way, index: usize, list: &[NewCondition], forced: Option<bool>) -> bool {
        let Place::Step(step) = way.parts[index].place else { return false };
        let mut sides: [Vec<NewCondition>; 2] = Default::default();
        // Many comparisons in the place of the same one: what the rest of the condition makes of them is asked once.
        let mut outcomes: HashMap<ActionId, [Option<bool>; 2]> = HashMap::new();
        let mut written: Option<Option<bool>> = None;
        let mut compared = Compared::new(self.model, &way.machine);
        for new in list {
            let taken = match new {
                NewCondition::Whole(comparison) => compared.holds(comparison),
                NewCondition::Atom(action, comparison) => {
                    let outcomes = outcomes.entry(*action).or_insert_with(|| {
                        [false, true].map(|truth| {
                            let asked = NewCondition::Without(*action, truth);
                            way.machine.new_condition(self.model, step, &asked).ok()
                        })
                    });
                    match compared.holds(comparison) {
                        Some(truth) => outcomes[usize::from(truth)],
                        // It does not matter here, but only if it is not come to.
                        None if outcomes[0] == outcomes[1] => way.machine.new_condition(self.model, step, new).ok(),
                        None => None,
                    }
                }
                NewCondition::Before(..) | NewCondition::After(..) => {
                    let written = *written.get_or_insert_with(|| way.machine.condition(self.model, step).ok());
                    wide::joined(&mut compared, new, written)
                }
                _ => way.machine.new_condition(self.model, step, new).ok(),
            };
            if let Some(taken) = taken.filter(|&taken| forced.is_none_or(|forced| forced == taken)) {
                sides[usize::from(taken)].push(*new);
            }
        }
        let [no, yes] = sides;
        let last = !yes.is_empty();
        if !no.is_empty() && last {
            let mut other = way.clone();
            other.parts[index].mode = Arc::new(Mode::Condition(no.clone()));
            other.machine.decide(self.model, step, false);
            self.explore(other);
        }
        way.machine.decide(self.model, step, last);
        let rest = if last { yes } else { no };
        let goes_on = !rest.is_empty();
        way.parts[index].mode = Arc::new(Mode::Condition(rest));
        goes_on
    }

    fn follow_statements(
        &mut self,
        way: &Way,
        index: usize,
        known: &PlaceSpace,
        terms: &Bits,
        statement: &dyn Fn(encode::TypedTerm) -> NewStatement,
        make: &dyn Fn(Bits) -> Mode,
    ) -> bool {
        let mut seen: Vec<(Option<u32>, Option<Cell>)> = Vec::new();
        for i in terms.iter() {
            let term = known.scope.terms[i];
            let is_node = self.model.program.types.target(term.ty).is_some_and(|ty| self.is_record(ty));
            if !term.is_place() || !is_node {
                continue;
            }
            let mut next = way.clone();
            if next.machine.new_statement(self.model, &statement(term)).is_err() {
                continue;
            }
            let key = (way.machine.term_cell(self.model, &term).ok(), way.machine.term_value(self.model, &term).ok());
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            next.parts[index].mode = Arc::new(make(Bits::one(i)));
            self.explore(next);
        }
        false
    }

    /// Lets a statement that makes a node assign it to each of these targets.
    fn follow_targets(&mut self, way: &Way, index: usize, known: &PlaceSpace, targets: &Bits, step: StepId) -> bool {
        let PlaceKind::Assignment { ty, .. } = known.kind else { return false };
        let mut cells: BTreeMap<u32, Bits> = BTreeMap::new();
        for i in targets.iter().filter(|&i| known.scope.terms[i].ty == ty && known.scope.terms[i].is_place()) {
            if let Ok(cell) = way.machine.term_cell(self.model, &known.scope.terms[i]) {
                cells.entry(cell).or_default().insert(i);
            }
        }
        for set in cells.into_values() {
            let Some(target) = set.iter().next().map(|i| known.scope.terms[i]) else { continue };
            let mut next = way.clone();
            let edit = Edit::Assign { step, target: Some(target), source: None };
            if next.machine.apply(self.model, &edit).is_ok() {
                next.parts[index].mode = Arc::new(Mode::Retarget(set));
                self.explore(next);
            }
        }
        false
    }

    fn is_record(&self, ty: c_types::TypeId) -> bool {
        self.model.program.types.as_record(ty).is_some()
    }

    /// What the statement that runs now has to write, so that the next demand can still be met.
    fn must_write(&mut self, way: &Way) -> Must {
        let model = self.model;
        let prepared = &self.traces[way.trace];
        let demand = &prepared.trace.demands[way.demand];
        let machine = &way.machine;
        let frame = machine.frame();
        let visits = machine.visits[demand.at.step.index()];
        let home = &self.model.code.steps[demand.at.step.index()];
        let depth = demand.calls.len();
        // Past its goal a run may fail, as long as another edit can follow.
        let steady = matches!(self.effort, Effort::Steady(_));
        if steady && way.progress >= way.goal && way.budget > 0 {
            return Must::Anything;
        }
        if machine.frames.len() != depth || home.function != frame.function || demand.at.count != visits + 1 {
            return Must::Anything;
        }
        let reach = self.reaches.before(self.model, frame.function, Some(demand.at.step));
        let pc = frame.pc as usize;
        let differs = |check: &&encode::Check| check.relation == Relation::Equal && !machine.holds(self.model, check);
        let needed: Vec<&encode::Check> = prepared.checks[way.demand]
            .iter()
            .filter(differs)
            .filter(|check| !may_write(self.model, machine, &reach.writes[pc], &check.spot))
            .collect();
        if needed.is_empty() || reach.cycles[pc] {
            return Must::Anything;
        }
        let follows = &reach.follows[pc];
        let later = way.parts.iter().filter(|part| follows.contains(&pc_of(model, part.place))).count();
        // A steady search edits no other place before the next demand.
        let budget = if steady { way.pending.len() } else { way.budget as usize };
        let left = later + budget;
        match needed.len() {
            needed if needed > left + 1 => Must::Cut,
            count if count <= left => Must::Anything,
            _ => Must::Write(needed.iter().filter_map(|check| target(model, machine, check)).collect()),
        }
    }
}

/// Instructions that a run may take to each demand: a repaired run may take
/// longer than the recorded one, but not for ever.
fn longest(prepared: &Prepared) -> Vec<u64> {
    let mut before = 0;
    let mut allowed = |demand: &encode::Demand| {
        let arrivals = demand.index.saturating_sub(std::mem::replace(&mut before, demand.index));
        3_000 + 60 * arrivals as u64
    };
    prepared.trace.demands.iter().map(&mut allowed).collect()
}

/// The cell that a fact is about, and the value it should have.
fn target(model: &Model, machine: &Machine, check: &encode::Check) -> Option<(u32, Cell)> {
    Some((machine.cell_of_spot(model, &check.spot)?, machine.expected_cell(&check.expected)?))
}

fn pc_of(model: &Model, place: Place) -> u32 {
    match place {
        Place::Step(step) => model.code.steps[step.index()].start,
        Place::Slot(slot) => model.code.slots[slot.0 as usize].pc,
    }
}

/// What a statement has to write.
enum Must {
    /// No edit can help any more.
    Cut,
    /// It may write anything.
    Anything,
    /// One of these values to its cell.
    Write(Vec<(u32, Cell)>),
}

impl Way {
    fn take(&mut self, index: usize, child: Child) {
        if let Effect::Write(cell, value) = child.effect {
            self.machine.cells[cell as usize] = value;
        }
        self.parts[index].mode = Arc::new(child.mode);
    }
}

/// All terms in the place of an operand.
fn swaps(scope: &Scope, &(action, operand, ty): &(ActionId, u8, c_types::TypeId)) -> Vec<Mode> {
    let fitting = scope.terms.iter().enumerate().filter(|(_, term)| term.ty == ty);
    fitting.map(|(i, _)| Mode::Operand(action, operand, i as u32)).collect()
}

/// All other targets for what a call returns.
fn targets(known: &PlaceSpace) -> Vec<Mode> {
    let PlaceKind::Other { assigned: Some(ty), .. } = known.kind else { return Vec::new() };
    let terms = known.scope.terms.iter().enumerate();
    terms.filter(|(_, term)| term.ty == ty && term.is_place()).map(|(i, _)| Mode::Target(i as u32)).collect()
}

fn conditions(comparisons: &[Comparison], atoms: &[(ActionId, Option<bool>)]) -> Vec<NewCondition> {
    let mut all: Vec<NewCondition> = comparisons.iter().map(|&comparison| NewCondition::Whole(comparison)).collect();
    for &(atom, without) in atoms {
        all.extend(without.map(|truth| NewCondition::Without(atom, truth)));
        all.extend(comparisons.iter().map(|&comparison| NewCondition::Atom(atom, comparison)));
    }
    all
}

/// Puts children with the same effect together.
fn merge(children: Vec<Child>, make: &dyn Fn(Vec<(Bits, Bits)>) -> Mode) -> Vec<Child> {
    let products = |mode: &Mode| match mode {
        Mode::Assign(products) | Mode::Insert(products) | Mode::InsertGuarded(_, products) => products.clone(),
        _ => Vec::new(),
    };
    let mut merged: Vec<Child> = Vec::new();
    for child in children {
        let same = |other: &&mut Child| match (&other.effect, &child.effect) {
            (Effect::Write(a, x), Effect::Write(b, y)) => a == b && x == y,
            (Effect::Nothing, Effect::Nothing) => true,
            _ => false,
        };
        match merged.iter_mut().find(same) {
            Some(known) => {
                let mut all = products(&known.mode);
                all.extend(products(&child.mode));
                known.mode = make(all);
            }
            None => merged.push(child),
        }
    }
    merged
}
