//! The gradient localizer (Wolverine paper, section 5).
//!
//! In `a = a->next; b = b->next; c = c->next;` with `b = n5` asserted at the
//! end, forward and backward execution agree up to the second statement and
//! differ by one from there on, so the difference begins at `b = b->next`.
//!
//! Algorithm 4 alone misses some faults: a wrong target, a missing statement, a
//! wrong decision, a write that happens to leave the value as it was. So *which*
//! places are suspicious is decided by exploring all changes at a place (the
//! file `explore.rs`), and the gradient ([`explain`]) ranks them. A place is
//! left out only if no change there can help:
//!
//! - A change is any other assignment, a deletion, a guard, another operand or
//!   result, another decision, or an insertion into a slot.
//! - The whole trace is explored in one go, where a change in an early round
//!   acts through cells that nobody asserted in between ([`Reach::Trace`]), and
//!   each segment by itself from the memory that the user saw, since several
//!   faults may each be alone in theirs ([`Reach::Segment`]). If two faults are
//!   in one segment, neither place is enough alone: so what could set some facts
//!   right is told too ([`Reach::Part`]), and where no single change is enough for
//!   a segment, everything that it came to ([`Reach::Together`]). With several
//!   faults that is no claim to be complete: what a crash hides is not come to,
//!   and another single change may do for a segment by itself.
//! - What takes too long, and what the model cannot follow, counts as possible.
//! - A place that is come to once can write any cell; one that is come to in
//!   several rounds writes by the same text each time, at most two members deep.
//! - A pointer can only lead to where the cells of its type are, so a fix that
//!   needs a cast to another type is not foreseen.

pub mod explain;
pub mod reason;

mod baseline;
mod candidates;
mod explore;
mod names;
mod segment;
mod shape;
mod target;
mod unknown;

use std::collections::{BTreeMap, BTreeSet};

use encode::{Model, Place, Prepared};

use candidates::possible;
use explain::{Explanation, asserted, explanation};
use explore::Found;
use names::Names;
use reason::Reason;
use segment::{End, Forward, Segment, forward, segment, whole};

/// Where the fault can be.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// Most suspicious first. Empty if everything asserted holds.
    pub places: Vec<Suspicious>,
    /// How many statements and conditions the runs came to.
    pub considered: usize,
    /// Every place that the runs came to. Of others nothing can be told: a
    /// change there matters only together with one that leads there.
    pub visited: BTreeSet<Place>,
}

/// A place where the fault can be.
#[derive(Clone, Debug)]
pub struct Suspicious {
    /// The place.
    pub place: Place,
    /// From 0; the larger the more suspicious.
    pub score: f64,
    /// How much a change here could do.
    pub reach: Reach,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// How much a change at one place could do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Nothing alone; but no single change is enough here, and together with another one it could.
    Together,
    /// Make some of the facts hold that differ; others need another change.
    Part,
    /// Make everything hold that is asserted at one demand, or along one of several traces.
    Segment,
    /// Make everything hold that is asserted along all traces.
    Trace,
}

impl Ranking {
    /// The places to show: those where a change could do something alone, if there are any.
    pub fn told(&self) -> Vec<&Suspicious> {
        let able: Vec<&Suspicious> = self.within(Reach::Part).collect();
        if able.is_empty() { self.places.iter().collect() } else { able }
    }

    /// The places where a change could do at least so much.
    pub fn within(&self, reach: Reach) -> impl Iterator<Item = &Suspicious> {
        self.places.iter().filter(move |suspicious| suspicious.reach >= reach)
    }
}

/// What is known of a place so far.
#[derive(Default)]
struct Suspicion {
    reach: Option<Reach>,
    weight: f64,
    passing: bool,
    reasons: Vec<Reason>,
}

type Suspicions = BTreeMap<Place, Suspicion>;

/// So many statements are run at most to explore changes.
const EFFORT: u64 = 300_000;
/// So many instructions are run to see what another target for a call does.
const FOLLOWED: u64 = 50_000;

/// Ranks the places where the fault can be.
pub fn gradient(model: &Model, traces: &[Prepared]) -> Ranking {
    Gradient::new(model, traces).ranking()
}

/// The localizer at work. Which places are enough alone is known first, and is
/// often all that is needed; the ranking of the others takes longer.
pub struct Gradient<'a> {
    model: &'a Model,
    /// The traces, each with its run as it is.
    stretches: Vec<Stretch<'a>>,
    /// Places that are known not to be enough alone.
    ruled_out: BTreeSet<Place>,
    /// The places that are enough alone, once they are known.
    alone: Option<BTreeSet<Place>>,
    /// How many statements may still be run.
    left: u64,
}

/// A whole trace.
struct Stretch<'a> {
    prepared: &'a Prepared,
    along: Segment,
    run: Forward,
    /// How much changes at the places can do that were explored already.
    found: BTreeMap<Place, Found>,
}

impl<'a> Stretch<'a> {
    fn new(model: &Model, prepared: &'a Prepared) -> Stretch<'a> {
        // A single demand with nothing forced is its own segment.
        let is_segment = prepared.checks.len() == 1 && prepared.trace.forced.is_empty();
        let along = Segment { strict: !is_segment, ..whole(prepared) };
        let run = forward(model, prepared, &along);
        Stretch { prepared, along, run, found: BTreeMap::new() }
    }

    fn is_segment(&self) -> bool {
        !self.along.strict
    }

    /// The places where a change could matter: those that are come to, and the calls in which the trace begins.
    fn places(&self) -> Vec<Place> {
        let calls = self.prepared.trace.calls.iter().rev().skip(1).map(|step| Place::Step(*step));
        let outside = calls.filter(|place| !self.run.places.contains_key(place));
        self.run.places.keys().copied().chain(outside).collect()
    }

    fn explore(&mut self, model: &Model, place: Place, left: &mut u64) -> Found {
        let Stretch { prepared, along, run, found } = self;
        *found.entry(place).or_insert_with(|| {
            let calls = prepared.trace.calls.iter().rev().skip(1);
            let outside =
                || calls.clone().any(|step| place == Place::Step(*step) && redirected(model, prepared, *step));
            match possible(model, prepared, along, run, place, left) {
                Found::All => Found::All,
                _ if outside() => Found::All,
                less => less,
            }
        })
    }
}

impl<'a> Gradient<'a> {
    /// For these runs.
    pub fn new(model: &'a Model, traces: &'a [Prepared]) -> Gradient<'a> {
        let stretches = traces.iter().map(|prepared| Stretch::new(model, prepared)).collect();
        Gradient { model, stretches, ruled_out: BTreeSet::new(), alone: None, left: EFFORT }
    }

    /// The same where it is known that no change of one of these places makes everything hold.
    pub fn without(self, ruled_out: BTreeSet<Place>) -> Gradient<'a> {
        Gradient { ruled_out, ..self }
    }

    /// The places where one change could make everything hold that is asserted along all traces.
    pub fn alone(&mut self) -> &BTreeSet<Place> {
        let mut alone: Option<BTreeSet<Place>> = self.alone.take();
        if alone.is_none() {
            for stretch in self.stretches.iter_mut().filter(|stretch| !stretch.run.meets()) {
                let places = stretch.places().into_iter();
                let mut able: BTreeSet<Place> = places.filter(|place| !self.ruled_out.contains(place)).collect();
                // What the model does not follow rules nothing out.
                match (&alone, &stretch.run.end) {
                    (Some(_), End::Unfollowed) => continue,
                    (Some(before), _) => able.retain(|place| before.contains(place)),
                    (None, _) => {}
                }
                able.retain(|&place| stretch.explore(self.model, place, &mut self.left) == Found::All);
                alone = Some(able);
            }
        }
        self.alone.insert(alone.unwrap_or_default())
    }

    /// All places, ranked.
    pub fn ranking(mut self) -> Ranking {
        self.alone();
        let Gradient { model, mut stretches, alone, mut left, .. } = self;
        let alone = alone.unwrap_or_default();
        let mut suspicions = Suspicions::new();
        let mut failing = 0;
        for stretch in &mut stretches {
            mark_visited(&stretch.run, &mut suspicions);
            if !stretch.run.meets() && !stretch.is_segment() {
                for place in stretch.places() {
                    if stretch.explore(model, place, &mut left) == Found::All {
                        raise(&mut suspicions, place, Reach::Segment);
                    }
                }
            }
            for demand in 0..stretch.prepared.checks.len() {
                let told = (&mut suspicions, &mut left);
                failing += usize::from(in_segment(model, stretch, demand, alone.is_empty(), told));
            }
        }
        alone.into_iter().for_each(|place| raise(&mut suspicions, place, Reach::Trace));
        rank(model, suspicions, failing)
    }
}

/// Whether another target for what the call returns in which the trace begins could make everything hold.
fn redirected(model: &Model, prepared: &Prepared, step: ir::StepId) -> bool {
    let targets = target::redirections(model, step, &model.program.step(step).visible);
    targets.into_iter().any(|target| {
        let edit = encode::Edit::Assign { step, target: Some(target), source: None };
        prepared.follow(model, &[edit], FOLLOWED) == encode::Verdict::Meets
    })
}

fn mark_visited(run: &Forward, suspicions: &mut Suspicions) {
    for place in run.places.keys() {
        suspicions.entry(*place).or_default();
    }
}

fn raise(suspicions: &mut Suspicions, place: Place, reach: Reach) {
    let suspicion = suspicions.entry(place).or_default();
    suspicion.reach = suspicion.reach.max(Some(reach));
}

/// Adds what the segment that ends at a demand tells; whether the run fails there. Where `several` changes are
/// needed along the traces, two of them may be in this segment.
fn in_segment(
    model: &Model,
    stretch: &mut Stretch<'_>,
    demand: usize,
    several: bool,
    (suspicions, left): (&mut Suspicions, &mut u64),
) -> bool {
    let prepared = stretch.prepared;
    let Some(segment) = segment(model, prepared, demand) else {
        everything_on_the_way(model, prepared, demand, suspicions);
        return true;
    };
    let run = forward(model, prepared, &segment);
    mark_visited(&run, suspicions);
    for &step in &run.against {
        raise(suspicions, Place::Step(step), Reach::Segment);
        add(suspicions, Place::Step(step), 0.5, [Reason::Forced]);
    }
    if run.meets() {
        run.places.keys().for_each(|place| suspicions.entry(*place).or_default().passing = true);
        return !run.against.is_empty();
    }
    if run.end == End::Unfollowed {
        everything_on_the_way(model, prepared, demand, suspicions);
        return true;
    }
    let told = Told::new(model, prepared, demand, &run);
    let mut found = Vec::new();
    for place in run.places.keys().copied() {
        found.push(match stretch.is_segment() {
            true => stretch.explore(model, place, left),
            false => possible(model, prepared, &segment, &run, place, left),
        });
    }
    let is_several = several && !found.contains(&Found::All);
    for (place, found) in run.places.keys().copied().zip(found) {
        let reach = match found {
            Found::All => Reach::Segment,
            Found::Part => Reach::Part,
            Found::Nothing if is_several => Reach::Together,
            Found::Nothing => continue,
        };
        raise(suspicions, place, reach);
        let (weight, mut reasons) = told.about(model, place);
        if found == Found::Nothing {
            reasons.retain(Reason::is_of_run);
        }
        add(suspicions, place, weight, reasons);
    }
    true
}

fn add(suspicions: &mut Suspicions, place: Place, weight: f64, reasons: impl IntoIterator<Item = Reason>) {
    let suspicion = suspicions.entry(place).or_default();
    suspicion.weight += weight;
    for reason in reasons {
        if !suspicion.reasons.contains(&reason) {
            suspicion.reasons.push(reason);
        }
    }
}

/// The model does not follow the segment, so all that the user's run came to is suspicious.
fn everything_on_the_way(model: &Model, prepared: &Prepared, demand: usize, suspicions: &mut Suspicions) {
    let trace = &prepared.trace;
    let first = demand.checked_sub(1).map_or(0, |before| trace.demands[before].index);
    let last = trace.demands[demand].index;
    for arrival in trace.run.iter().take(last + 1).skip(first) {
        let place = Place::Step(arrival.step);
        if model.program.step(arrival.step).kind != ir::StepKind::Exit && !prepared.concrete[arrival.step.index()] {
            raise(suspicions, place, Reach::Segment);
            add(suspicions, place, 0.2, [Reason::Unfollowed]);
        }
    }
}

/// What a failing segment tells of the places in it.
struct Told {
    explanation: Explanation,
    /// The whole change of Γ over all statements.
    slope: i64,
    /// For each cell that differs: the row of its last write, and the reason.
    differing: Vec<(Option<usize>, Reason)>,
    lost: bool,
}

impl Told {
    fn new(model: &Model, prepared: &Prepared, demand: usize, run: &Forward) -> Told {
        let explanation = explanation(model, prepared, demand, run);
        let slope = (0..explanation.rows.len()).map(|row| explanation.gradient(row).abs()).sum();
        let wanted = &prepared.trace.demands[demand];
        let names = Names::new(model, &run.last, &wanted.state, &wanted.calls);
        let mut differing = Vec::new();
        for (at, value) in asserted(model, prepared, demand, &run.last) {
            let has = run.last.cells[at as usize];
            if has == value {
                continue;
            }
            let is_pointer = [has, value].iter().any(|cell| matches!(cell, encode::Cell::Pointer(_)));
            let (entity, wants) = (names.cell(at), names.value(value, is_pointer));
            let writes = |instance: &segment::Instance| instance.writes.iter().any(|write| write.0 == at);
            let last = run.instances.iter().rposition(writes);
            let reason = match last {
                Some(_) => Reason::Writes { entity, has: names.value(has, is_pointer), wants },
                None => Reason::Missing { entity, wants },
            };
            differing.push((last.map(|last| last + 1), reason));
        }
        Told { explanation, slope, differing, lost: !matches!(run.end, End::Asked(..)) }
    }

    /// How much of the difference is at a place, and why it is suspicious.
    fn about(&self, model: &Model, place: Place) -> (f64, Vec<Reason>) {
        let rows = &self.explanation.rows;
        let mut reasons = Vec::new();
        let all = self.differing.len().max(1) as f64;
        let step = match place {
            Place::Step(step) => step,
            Place::Slot(_) => {
                reasons.extend(self.differing.iter().filter(|entry| entry.0.is_none()).map(|entry| entry.1.clone()));
                let share = reasons.len() as f64 / all;
                if reasons.is_empty() {
                    reasons.push(if self.lost { Reason::Lost } else { Reason::Reaches });
                }
                return (0.1 + 0.3 * share, reasons);
            }
        };
        let mine: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].step == Some(step)).collect();
        let written = self.differing.iter().filter(|entry| entry.0.is_some_and(|row| mine.contains(&row)));
        reasons.extend(written.map(|entry| entry.1.clone()));
        let written = reasons.len() as f64 / all;
        let slope: i64 = mine.iter().map(|row| self.explanation.gradient(*row).abs()).sum();
        if slope != 0 && reasons.is_empty() {
            reasons.push(Reason::Gradient);
        }
        if let Some(row) = mine.iter().find(|row| rows[**row].sandwiched) {
            let before = &rows[row - 1];
            let changed = (0..self.explanation.cells.len()).find(|i| before.forward[*i] != rows[*row].forward[*i]);
            let entity = changed.map_or_else(|| "what it writes".into(), |i| self.explanation.cells[i].clone());
            reasons.push(Reason::Sandwiched { entity });
        }
        if reasons.is_empty() {
            let is_condition = model.code.steps[step.index()].is_condition;
            reasons.push(match () {
                () if is_condition => Reason::Decides,
                () if self.lost => Reason::Lost,
                () => Reason::Reaches,
            });
        }
        let slope = if self.slope == 0 { 0.0 } else { slope as f64 / self.slope as f64 };
        (0.2 + 0.5 * written + 0.3 * slope, reasons)
    }
}

/// Orders what was found. The whole part of a score is the reach, the rest is
/// how much of the differences begins at the place; a place that also runs
/// where everything holds counts a little less.
fn rank(model: &Model, suspicions: Suspicions, failing: usize) -> Ranking {
    let is_step = |place: &Place| matches!(place, Place::Step(_));
    let considered = suspicions.keys().filter(|place| is_step(place)).count();
    let visited = suspicions.keys().copied().collect();
    let order = |place: Place| match place {
        Place::Step(step) => (0, model.program.step(step).span.start),
        Place::Slot(slot) => (1, slot.0),
    };
    let mut places: Vec<Suspicious> = suspicions
        .into_iter()
        .filter_map(|(place, suspicion)| {
            let reach = suspicion.reach?;
            let share = suspicion.weight / failing.max(1) as f64;
            let score = f64::from(reach as u8) + (share * if suspicion.passing { 0.9 } else { 0.99 }).min(0.99);
            let reasons = match suspicion.reasons.is_empty() {
                true if reach == Reach::Together => vec![Reason::Together],
                true => vec![Reason::Reaches],
                false => suspicion.reasons,
            };
            Some(Suspicious { place, score, reach, reasons })
        })
        .collect();
    places.sort_by(|a, b| b.score.total_cmp(&a.score).then(order(a.place).cmp(&order(b.place))));
    Ranking { places, considered, visited }
}
