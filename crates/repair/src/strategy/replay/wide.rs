//! Version-space replay of the wider edits: early exits, statements that move,
//! assignments with two cases.
//!
//! `if (g) return x;` at a slot holds a set of guards and a set of exits. Each
//! time control comes there, the guards that hold leave, once for each value
//! that is returned, and the others go on.

use std::sync::Arc;

use encode::{Cell, NewStatement, Place, PlaceSpace, SlotId};
use ir::StepId;

use super::{Mode, ORIGINAL, Part, Replay, Way};
use crate::strategy::bits::Bits;

/// Targets and sources that go together.
type Pairs<'a> = &'a [(Bits, Bits)];

/// The number that stands for no guard at all.
pub const ALWAYS: u32 = u32::MAX;

/// The ways of a wider search that begin at a place when control comes to it.
pub(super) fn modes(known: &PlaceSpace, budget: u32) -> Vec<Mode> {
    let Some(wide) = &known.wide else { return Vec::new() };
    let comparisons = || (0..known.scope.comparisons.len() as u32).collect::<Vec<u32>>();
    let mut modes = Vec::new();
    if wide.cases && budget >= 2 {
        let all = Bits::first(known.scope.terms.len()).with(ORIGINAL);
        let sides = vec![(all, Bits::one(ORIGINAL))];
        modes.push(Mode::Choose(comparisons(), sides.clone(), sides));
    }
    if !wide.exits.is_empty() {
        let mut guards = comparisons();
        guards.push(ALWAYS);
        modes.push(Mode::Exit(guards, wide.exits.clone()));
    }
    modes
}

impl Replay<'_> {
    /// Runs again with a statement moved to each place where it can stand.
    pub(super) fn try_moves(&mut self, way: &Way, place: Place, again: &dyn Fn(&Self, Vec<Part>) -> Way) {
        let (Place::Step(step), Some(known)) = (place, self.space.places.get(&place)) else { return };
        let Some(wide) = known.wide.clone() else { return };
        let is_edited = |place: Place| way.parts.iter().any(|part| part.place == place);
        if way.budget == 0 || is_edited(place) {
            return;
        }
        for &slot in &wide.moves {
            // What may be changed is known by the places of the space.
            if is_edited(Place::Slot(slot)) || !self.space.places.contains_key(&Place::Slot(slot)) {
                continue;
            }
            if self.is_over() {
                return;
            }
            let mut parts = way.parts.clone();
            parts.extend(moved(step, slot));
            let next = again(self, parts);
            self.explore(next);
        }
    }

    /// Splits an early exit by what it does.
    pub(super) fn split_exit(
        &mut self,
        way: &mut Way,
        index: usize,
        guards: &[u32],
        statements: &[NewStatement],
    ) -> bool {
        let space = self.space;
        let known = &space.places[&way.parts[index].place];
        let (always, some): (Vec<u32>, Vec<u32>) = guards.iter().partition(|guard| **guard == ALWAYS);
        let (mut yes, no) = self.split_comparisons(way, known, &some);
        yes.extend(always);
        if !yes.is_empty() {
            for (statement, same) in self.exits(way, statements) {
                let mut next = self.copy(way);
                if next.machine.exit(self.model, &statement).is_ok() {
                    next.parts[index].mode = Arc::new(Mode::Exit(yes.clone(), same));
                    self.explore(next);
                }
            }
        }
        let goes_on = !no.is_empty();
        way.parts[index].mode = Arc::new(Mode::Exit(no, statements.to_vec()));
        goes_on
    }

    /// Exits that do the same here, by one of them.
    fn exits(&self, way: &Way, statements: &[NewStatement]) -> Vec<(NewStatement, Vec<NewStatement>)> {
        let result = |statement: &NewStatement| match statement {
            NewStatement::Return(Some(term)) => way.machine.term_value(self.model, term).ok().map(Some),
            _ => Some(None),
        };
        let mut found: Vec<(NewStatement, Option<Cell>, Vec<NewStatement>)> = Vec::new();
        for &statement in statements {
            let Some(value) = result(&statement) else { continue };
            let same = |known: &&mut (NewStatement, Option<Cell>, Vec<NewStatement>)| {
                value.is_some() && known.1 == value || known.0 == statement
            };
            match found.iter_mut().find(same) {
                Some(known) => known.2.push(statement),
                None => found.push((statement, value, vec![statement])),
            }
        }
        found.into_iter().map(|(first, _, all)| (first, all)).collect()
    }

    /// Splits an assignment with two cases by what it does.
    pub(super) fn split_cases(
        &mut self,
        way: &mut Way,
        index: usize,
        guards: &[u32],
        (yes_pairs, no_pairs): (Pairs<'_>, Pairs<'_>),
    ) -> bool {
        let space = self.space;
        let place = way.parts[index].place;
        let (known, Place::Step(step)) = (&space.places[&place], place) else { return false };
        let (yes, no) = self.split_comparisons(way, known, guards);
        let both: Vec<(Bits, Bits)> = yes_pairs.iter().chain(no_pairs).copied().collect();
        let original = self.original(way, step, &both);
        way.machine.skip(self.model, step);
        let mut children = Vec::new();
        let sides = [(yes, yes_pairs, true), (no, no_pairs, false)];
        for (guards, pairs, holds) in sides.into_iter().filter(|(guards, ..)| !guards.is_empty()) {
            for mut child in self.split_products(way, known, pairs, original, &Mode::Assign) {
                let Mode::Assign(pairs) = child.mode else { continue };
                child.mode = match holds {
                    true => Mode::Choose(guards.clone(), pairs, no_pairs.to_vec()),
                    false => Mode::Choose(guards.clone(), yes_pairs.to_vec(), pairs),
                };
                children.push(child);
            }
        }
        self.follow_children(way, index, children)
    }
}

/// A moved statement as parts: it is gone from its place, and stands in the slot.
fn moved(step: StepId, slot: SlotId) -> [Part; 2] {
    [
        Part { place: Place::Step(step), mode: Arc::new(Mode::MovedAway(slot)) },
        Part { place: Place::Slot(slot), mode: Arc::new(Mode::MovedHere(step)) },
    ]
}
