//! Which changes a place can have, and how much the best of them could do.

use encode::check::Expected;
use encode::{Check, Home, Machine, Model, Place, Prepared};

use super::baseline::baseline;
use super::explore::{Change, Explorer, Found};
use super::segment::{End, Entrance, Forward, Segment};
use super::shape::{Shape, allocates, shape};
use super::target::{Typed, once, redirections, repeated};

/// So many statements are run for each place before a change there counts as possible.
const EFFORT: u64 = 2_000;

/// How much a change at a place could do in a segment; `left` is what may be
/// spent on all places.
pub(crate) fn possible(
    model: &Model,
    prepared: &Prepared,
    segment: &Segment,
    forward: &Forward,
    place: Place,
    left: &mut u64,
) -> Found {
    let Some(entrance) = forward.places.get(&place) else { return Found::Nothing };
    if matches!(place, Place::Step(step) if prepared.concrete[step.index()]) {
        return Found::Nothing;
    }
    let broken = match &forward.end {
        End::Asked(_, broken) => Some(&broken[..]),
        _ => None,
    };
    let effort = EFFORT.min(*left);
    let mut explorer = Explorer::new(model, prepared, segment, broken, effort);
    let found = best(&mut explorer, forward, place, entrance);
    *left -= effort - explorer.left;
    found
}

fn best(explorer: &mut Explorer, forward: &Forward, place: Place, entrance: &Entrance) -> Found {
    let model = explorer.model;
    let Some(own) = own_changes(explorer, forward, place) else { return Found::All };
    let mut best = Found::Nothing;
    for change in own {
        best = best.max(explorer.explore(place, change, entrance));
        if best == Found::All {
            return best;
        }
    }
    if matches!(place, Place::Step(step) if shape(model, step) == Shape::Decision) {
        return best;
    }
    let (step, scope) = match place {
        Place::Step(step) => (Some(step), step),
        Place::Slot(slot) => (None, model.code.slots[slot.0 as usize].scope),
    };
    let visible = &model.program.step(scope).visible;
    for target in step.into_iter().flat_map(|step| redirections(model, step, visible)) {
        best = best.max(explorer.explore(place, Change::Redirect(target), entrance));
        if best == Found::All {
            return best;
        }
    }
    if entrance.visits == 1 {
        best = best.max(writes(explorer, forward, place, entrance, once(model, &entrance.machine, visible)));
    }
    if best < Found::All && (entrance.visits > 1 || explorer.again) {
        let targets = repeated(model, &entrance.machine, step, visible);
        best = best.max(writes(explorer, forward, place, entrance, targets));
    }
    best
}

/// Changes of the statement itself; `None` if any change is possible.
fn own_changes(explorer: &Explorer, forward: &Forward, place: Place) -> Option<Vec<Change>> {
    let Place::Step(step) = place else { return Some(Vec::new()) };
    if allocates(explorer.model, step)
        && misses(explorer, forward, |machine, check| machine.cell_of_spot(explorer.model, &check.spot).is_none())
    {
        return None;
    }
    let with_arguments =
        |first: &[Change], count: usize| first.iter().copied().chain((0..count).map(Change::Argument)).collect();
    Some(match shape(explorer.model, step) {
        Shape::Decision => vec![Change::Decide],
        Shape::Return(count) => with_arguments(&[Change::Either, Change::Value], count),
        Shape::Assignment => vec![Change::Value],
        Shape::Call(count, true) => with_arguments(&[Change::Either, Change::Value, Change::Result], count),
        Shape::Call(count, false) => with_arguments(&[Change::Either], count),
        Shape::Library => vec![Change::Either, Change::Value, Change::Result],
        Shape::Several => vec![Change::Either, Change::Result],
        Shape::Silent => vec![Change::Either],
        Shape::Other => return None,
    })
}

fn writes(explorer: &mut Explorer, forward: &Forward, place: Place, from: &Entrance, targets: Vec<Typed>) -> Found {
    let model = explorer.model;
    let types = &model.program.types;
    // A new node matters only if one is missing, or if the next ones get other names by it.
    let fresh = forward.last.next_node != from.machine.next_node || misses(explorer, forward, mentions_missing);
    let base = baseline(explorer, place, from, &targets);
    let mut best = Found::Nothing;
    for (number, (target, ty)) in targets.into_iter().enumerate() {
        let change = Change::Write(target, ty);
        let judged = base.as_ref().and_then(|base| base.judge(explorer, number, change));
        best = best.max(judged.unwrap_or_else(|| explorer.explore(place, change, from)));
        let node = ty.filter(|ty| fresh && types.is_pointer(*ty)).and_then(|ty| types.target(ty));
        if let Some(node) = node.filter(|&node| types.size_of(node) > 0) {
            best = best.max(explorer.explore(place, Change::Fresh(target, node), from));
        }
        if best == Found::All {
            return best;
        }
    }
    best
}

fn misses(explorer: &Explorer, forward: &Forward, test: impl Fn(&Machine, &Check) -> bool) -> bool {
    let checks = explorer.segment.demands.clone().flat_map(|demand| &explorer.prepared.checks[demand]);
    checks.into_iter().any(|check| test(&forward.last, check))
}

fn mentions_missing(machine: &Machine, check: &Check) -> bool {
    let is_missing = |home: &Home| matches!(home, Home::Node(_)) && machine.object_at(*home).is_none();
    is_missing(&check.spot.home) || matches!(&check.expected, Expected::Address(home, _) if is_missing(home))
}
