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

mod circle;
mod climb;
mod compared;
mod condition;
mod joint;
mod logged;
mod must;
mod operand;
mod run;
mod split;
mod stretch;
mod stuck;
pub mod wide;
mod without;

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use encode::{
    Edit, EditSpot, Machine, Model, NewStatement, Place, PlaceSpace, Possible, Prepared, Reaches, SlotId, Space, Visit,
};
use ir::{ActionId, StepId};

use self::climb::{Mark, Score, Step};
use self::joint::Collected;
use self::logged::{Influenced, Logged};
use self::stretch::{Start, Stretches, Useful, Visited};
use self::without::{Followed, Without};
use crate::strategy::bits::Bits;

/// What to look for, and for how long.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest total cost.
    pub cost: u32,
    /// Give up after this.
    pub time: Duration,
    /// Work to make sure that no repair is cheaper than the one that was found:
    /// statements that runs come to, not time, so that the same question has the same answer.
    pub prove: u64,
    /// After the first repair, look on for others of the same cost with at most so much work.
    pub more: u64,
    /// Keep at most so many sets of repairs.
    pub solutions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cost: 4, time: Duration::from_secs(20), prove: 200_000, more: 200_000, solutions: 400 }
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

impl Solution {
    /// What each of the repairs costs.
    pub fn cost(&self) -> u32 {
        self.parts.iter().map(|part| part.mode.cost()).sum()
    }
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
    /// One of these conditions instead, by their numbers in [`encode::PlaceSpace::conditions`].
    Condition(Vec<u32>),
    /// A node is made as before, but assigned to another target.
    Retarget(Bits),
    /// Other operands.
    Operand(ActionId, u8, Bits),
    /// Two things inside of a statement or condition are others, for all pairs.
    Pair([EditSpot; 2], Vec<(Bits, Bits)>),
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
            Mode::InsertGuarded(..) | Mode::Choose(..) | Mode::Pair(..) => 2,
            Mode::MovedHere(_) => 0,
            _ => 1,
        }
    }
}

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Every edit gets the run over the stretch between two asserted states
    /// where it failed, or nearly so; what gets furthest over all traces is followed first.
    Stretch(Order),
    /// The same with two edits that get a run over a stretch only together, and so many insertions at the most.
    Joint(usize),
    /// Every edit, or every two edits, get the run past a point where it failed.
    Steady(u32),
    /// Every edit gets the run past a point where it failed, or leaves fewer
    /// facts broken there; so many of the best are followed.
    Climb(usize),
    /// The same, but an edit may also leave as many facts broken as before, if it changes anything.
    Wander(usize),
    /// Every edit makes things better over all traces together: more demands
    /// are met, or fewer facts broken; so many of the best are followed.
    Together(usize),
    /// Everything is tried.
    Exhaustive,
}

/// Which of several traces that fail is mended first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first.
    Given,
    /// The one where the fewest edits are of use: there the search branches least.
    Fewest,
}

impl Effort {
    /// Whether a run that fails on a trace goes on with the next one.
    fn goes_on(self) -> bool {
        matches!(self, Effort::Together(_) | Effort::Stretch(_) | Effort::Joint(_))
    }
}

/// What the search needs to know.
pub struct Replay<'a> {
    model: &'a Model,
    traces: &'a [Prepared],
    space: &'a Space,
    reaches: Reaches,
    limits: Limits,
    /// Statements that the recorded run came to before each demand of each trace, from the one before it on.
    arrivals: Vec<Vec<u64>>,
    patience: Patience,
    /// Calls that a run of each trace may have under way; more are an endless recursion.
    deepest: Vec<usize>,
    /// How often control must have come to each statement until it no longer matters how often, for each trace.
    counted: Vec<Vec<u32>>,
    /// How many demands come before each forced decision of each trace.
    before: Vec<HashMap<Visit, usize>>,
    /// The edits of each statement and slot.
    places: Places<'a>,
    begun: Instant,
    /// After how much work to stop.
    until: u64,
    /// How much was done before the present level.
    before_level: u64,
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
    /// Where the stretch begins that such a run is on.
    start: Option<Start>,
    /// The edits that are of use on a stretch, while they are being looked for.
    useful: Option<Useful>,
    stretches: Stretches,
    /// The places that runs come to, while a stretch is being searched.
    visited: Option<Visited>,
    /// The places that the first trace that fails comes to only on the stretch where it does, if all was tried there.
    settled: BTreeSet<Place>,
    /// Whether a run was given up that might have come to an end.
    gave_up: bool,
    /// What can stand in the place of each condition, once that is asked for.
    conditions: HashMap<Place, Arc<Vec<Possible>>>,
    /// What comes of the run without the place that is edited now, if that is known.
    without: Option<Without>,
    /// The runs right behind first edits, while these are being collected.
    collected: Option<Collected>,
    /// A run that wrote down what it used, while edits of it are tried.
    logged: Option<Logged>,
    /// Only what means something else here is tried at the place that is edited now.
    unlike: Option<Box<Machine>>,
    /// Whether something was left out that the level is about.
    left_out: bool,
    /// What the place that is edited now influences, if that is known.
    influenced: Option<Influenced>,
    /// A run that is only followed to know that.
    followed: Option<Followed>,
    /// Whether edits are run that are known to be of no use.
    run_hopeless: bool,
    /// Whether a run got where it should get to, or came to an edited place again.
    hopeful: bool,
    /// The traces in the order in which their stretches are searched.
    turn: Vec<usize>,
    /// The most suspicious places, which are edited first.
    order: HashMap<Place, usize>,
    /// What changes only these places was tried already.
    known: Option<&'a Space>,
    /// Whether two things of one statement must be others.
    pairs: bool,
    /// Whether only one thing of a statement can be another.
    narrow: bool,
    /// Whether edits that can not go on where control comes to them again are followed by others.
    keep_stuck: bool,
    /// The number of the fact that did not hold where a run failed last.
    doubtful: usize,
    /// Runs that are over, whose memory is used for others.
    spare: Vec<Way>,
    /// Statements that were come to, in all runs, and a little for each run.
    pub work: u64,
    /// When to look at the clock again.
    next_look: u64,
    /// Runs that were tried.
    pub runs: u64,
    /// How long and how much work it took to the first repair of the last level.
    pub first: (Duration, u64),
}

/// How many instructions a run may take.
#[derive(Clone, Copy)]
struct Patience {
    at_least: u64,
    /// For each statement of the recorded run.
    each: u64,
}

/// Loops that never end are most of the work where a counter tells their rounds apart.
const SHORT: Patience = Patience { at_least: 300, each: 15 };
/// What is repaired may go round a loop that the recorded run did not come to.
const LONG: Patience = Patience { at_least: 2_000, each: 40 };

/// A run on its way.
struct Way {
    trace: usize,
    demand: usize,
    machine: Machine,
    parts: Vec<Part>,
    /// Places that stay as they are.
    kept: Vec<Place>,
    budget: u32,
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
    /// How earlier traces failed, if the run goes on nevertheless.
    failures: Failures,
}

impl Clone for Way {
    fn clone(&self) -> Way {
        Way {
            trace: self.trace,
            demand: self.demand,
            machine: self.machine.clone(),
            parts: self.parts.clone(),
            kept: self.kept.clone(),
            budget: self.budget,
            seen: self.seen.clone(),
            fresh: self.fresh,
            pending: self.pending.clone(),
            progress: self.progress,
            goal: self.goal,
            until: self.until,
            new: self.new,
            broken: self.broken,
            failures: self.failures,
        }
    }

    fn clone_from(&mut self, other: &Way) {
        #[rustfmt::skip]
        let Way {
            machine, parts, kept, seen, pending, trace, demand, budget, fresh, progress, goal, until, new, broken,
            failures,
        } = other;
        self.machine.clone_from(machine);
        self.parts.clone_from(parts);
        self.kept.clone_from(kept);
        self.seen.clone_from(seen);
        self.pending.clone_from(pending);
        (self.trace, self.demand, self.budget, self.fresh) = (*trace, *demand, *budget, *fresh);
        (self.progress, self.goal, self.until) = (*progress, *goal, *until);
        (self.new, self.broken, self.failures) = (*new, *broken, *failures);
    }
}

/// How some traces failed.
#[derive(Clone, Copy, Default)]
struct Failures {
    /// Facts that do not hold.
    broken: u32,
    /// The same for runs that failed with the same memories.
    memory: u64,
    /// Which they are.
    traces: Bits,
}

impl<'a> Replay<'a> {
    /// A search in `space` for repairs that meet all traces.
    pub fn new(model: &'a Model, traces: &'a [Prepared], space: &'a Space, limits: Limits) -> Replay<'a> {
        Replay {
            model,
            traces,
            space,
            reaches: Reaches::new(model),
            arrivals: traces.iter().map(arrivals).collect(),
            patience: LONG,
            counted: traces.iter().map(|trace| circle::counted(trace, model.program.steps.len())).collect(),
            deepest: traces.iter().map(deepest).collect(),
            before: traces.iter().map(before).collect(),
            places: Places::new(model, space),
            limits,
            begun: Instant::now(),
            until: u64::MAX,
            before_level: 0,
            found: Vec::new(),
            stopped: false,
            asked: Arc::default(),
            effort: Effort::Steady(1),
            steps: Vec::new(),
            worst: Score::WORST,
            from: 0,
            depth: 0,
            marks: None,
            start: None,
            useful: None,
            stretches: Stretches::default(),
            visited: None,
            settled: BTreeSet::new(),
            gave_up: false,
            conditions: HashMap::new(),
            without: None,
            collected: None,
            logged: None,
            unlike: None,
            left_out: false,
            influenced: None,
            followed: None,
            run_hopeless: false,
            hopeful: false,
            turn: Vec::new(),
            order: HashMap::new(),
            known: None,
            pairs: false,
            narrow: false,
            keep_stuck: false,
            doubtful: 0,
            spare: Vec::new(),
            work: 0,
            next_look: 0,
            runs: 0,
            first: (Duration::ZERO, 0),
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

    /// Leaves out what changes only places of this space, where the search for steady progress can.
    pub fn leave_out(&mut self, known: Option<&'a Space>) {
        self.known = known;
    }

    /// Looks only for repairs that change two things of one statement or condition.
    pub fn ask_for_pairs(&mut self, pairs: bool) {
        self.pairs = pairs;
    }

    /// From now on an assignment gets another target or another source, not both, and nothing gets a guard.
    /// That is what most repairs consist of, and there are far fewer such edits.
    pub fn keep_narrow(&mut self, narrow: bool) {
        self.narrow = narrow;
    }

    /// From now on edits that can not go on where control comes to them again are followed by others, or not.
    pub fn keep_stuck(&mut self, keep: bool) {
        self.keep_stuck = keep;
    }

    /// Places where it is known, after single changes were looked for on a stretch, that none is a repair: the run
    /// comes to them first where it fails, so all that they could do was tried.
    pub fn settled(&self) -> &BTreeSet<Place> {
        &self.settled
    }

    /// Also runs what is known to be of no use before, and searches stretches again, so that a test can see that
    /// nothing else comes of it.
    pub fn run_hopeless(&mut self) {
        self.run_hopeless = true;
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

    /// Looks for repairs of one cost, for at most so long and with so much work.
    pub fn level(&mut self, cost: u32, effort: Effort, (time, work): (Duration, u64)) -> Level {
        self.found.clear();
        self.before_level = self.work;
        self.left_out = false;
        (self.effort, self.stopped, self.until) = (effort, false, self.work.saturating_add(work));
        (self.begun, self.limits.time) = (Instant::now(), time);
        self.patience = match effort {
            Effort::Stretch(_) | Effort::Joint(_) => SHORT,
            _ => LONG,
        };
        let way = self.way(0, Vec::new(), Vec::new(), cost);
        match effort {
            Effort::Stretch(order) => self.mend_stretches(way, order),
            Effort::Joint(_) => self.mend_stretches(way, Order::Given),
            Effort::Climb(most) | Effort::Wander(most) | Effort::Together(most) => self.climb(way, most),
            _ => self.explore(way),
        }
        Level { solutions: std::mem::take(&mut self.found), complete: !self.stopped && !self.left_out }
    }

    fn way(&self, trace: usize, parts: Vec<Part>, kept: Vec<Place>, budget: u32) -> Way {
        let mut machine = self.traces[trace].start.clone();
        machine.set_edits(self.model, &self.inner_edits(&parts));
        let until = machine.spent + self.longest(trace, 0);
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
            failures: Failures::default(),
            new: true,
        }
    }

    /// A run that stands where another one does.
    fn copy(&mut self, way: &Way) -> Way {
        match self.spare.pop() {
            Some(mut spare) => {
                spare.clone_from(way);
                spare
            }
            None => way.clone(),
        }
    }

    /// A run is over.
    fn end(&mut self, way: Way) {
        /// As many as branch off of one another at most.
        const MOST: usize = 64;
        if self.spare.len() < MOST {
            self.spare.push(way);
        }
    }

    /// The edits that the machine itself makes when it comes to a statement.
    fn inner_edits(&self, parts: &[Part]) -> Vec<Edit> {
        let mut edits = Vec::new();
        for part in parts {
            let Place::Step(step) = part.place else { continue };
            let terms = &self.space.places[&part.place].scope.terms;
            match &*part.mode {
                Mode::Operand(action, operand, set) => {
                    let with = set.iter().next().map(|i| terms[i]);
                    edits.extend(with.map(|with| Edit::Operand { step, action: *action, operand: *operand, with }));
                }
                Mode::Pair(spots, products) => {
                    let first = products.first().and_then(|(a, b)| Some([a.iter().next()?, b.iter().next()?]));
                    let both = first.into_iter().flat_map(|first| spots.iter().zip(first));
                    edits.extend(both.map(|(spot, i)| spot_edit(step, spot, terms[i])));
                }
                Mode::Target(target) => {
                    edits.push(Edit::Assign { step, target: Some(terms[*target as usize]), source: None });
                }
                _ => {}
            }
        }
        edits
    }

    /// Instructions that a run may take to a demand from the one before it on: a repaired run may take
    /// longer than the recorded one, but not for ever.
    fn longest(&self, trace: usize, demand: usize) -> u64 {
        self.arrivals[trace].get(demand).map_or(0, |arrivals| self.patience.at_least + self.patience.each * arrivals)
    }

    fn is_over(&mut self) -> bool {
        self.work += 1;
        if !self.stopped && self.work >= self.next_look {
            self.next_look = self.work + 100;
            let now = Instant::now();
            self.stopped = now - self.begun > self.limits.time;
            self.stopped |= self.asked.load(Ordering::Relaxed);
        }
        self.stopped |= self.found.len() >= self.limits.solutions;
        self.stopped |= self.work > self.until;
        self.stopped
    }
}

/// For memories, which are hashed millions of times and compared by that alone.
fn memory_hasher() -> impl Hasher {
    foldhash::quality::FixedState::default().build_hasher()
}

/// The edit that puts something else at a spot of a statement.
fn spot_edit(step: StepId, spot: &EditSpot, with: encode::TypedTerm) -> Edit {
    match *spot {
        EditSpot::Operand(action, operand, _) => Edit::Operand { step, action, operand, with },
        EditSpot::Target(_) => Edit::Assign { step, target: Some(with), source: None },
    }
}

/// Calls that a run may have under way: each takes some statements, and a
/// repaired run takes about as many as the recorded one.
fn deepest(prepared: &Prepared) -> usize {
    prepared.start.frames.len() + 16 + prepared.trace.run.len() / 2
}

/// How many demands come before each forced decision.
fn before(prepared: &Prepared) -> HashMap<Visit, usize> {
    let trace = &prepared.trace;
    let mut visits: HashMap<StepId, u32> = HashMap::new();
    let mut before = HashMap::new();
    for (index, arrival) in trace.run.iter().enumerate() {
        let count = visits.entry(arrival.step).or_default();
        *count += 1;
        let visit = Visit { step: arrival.step, count: *count };
        if trace.forced.contains_key(&visit) {
            before.insert(visit, trace.demands.iter().filter(|demand| demand.index <= index).count());
        }
    }
    before
}

/// The edits of each place, found by its number: a run asks at every statement that it comes to.
struct Places<'a> {
    steps: Vec<Option<&'a PlaceSpace>>,
    slots: Vec<Option<&'a PlaceSpace>>,
}

impl<'a> Places<'a> {
    fn new(model: &Model, space: &'a Space) -> Places<'a> {
        let steps = (0..model.program.steps.len() as u32).map(|step| space.places.get(&Place::Step(StepId(step))));
        let slots = (0..model.code.slots.len() as u32).map(|slot| space.places.get(&Place::Slot(SlotId(slot))));
        Places { steps: steps.collect(), slots: slots.collect() }
    }

    fn get(&self, place: Place) -> Option<&'a PlaceSpace> {
        match place {
            Place::Step(step) => self.steps[step.index()],
            Place::Slot(slot) => self.slots[slot.0 as usize],
        }
    }
}

/// Statements that the recorded run came to before each demand, from the one before it on.
fn arrivals(prepared: &Prepared) -> Vec<u64> {
    let mut before = 0;
    let mut since = |demand: &encode::Demand| demand.index.saturating_sub(std::mem::replace(&mut before, demand.index));
    prepared.trace.demands.iter().map(|demand| since(demand) as u64).collect()
}
