//! Two and three changes, each of which gets the runs over a stretch between two
//! asserted states.
//!
//! That is quick wherever it goes, so it is not confined to suspicious places,
//! and their ranking is not waited for.

use std::collections::BTreeSet;

use encode::{Cell, Expected, Home, Place, Prepared, Space};

use super::answer::{Preset, Wider};
use super::{Found, Request};
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::{Effort, Order, Replay};

/// So many changes, which trace first, and for how many runs.
pub(super) type Level = (u32, Order, u64);

/// What is tried in turn: so many changes, the first of the traces or the one
/// that tells most, for so many runs.
pub(super) const LEVELS: [Level; 9] = [
    (1, Order::Given, u64::MAX),
    (2, Order::Given, 3_000),
    (3, Order::Given, 5_000),
    (2, Order::Fewest, 8_000),
    (3, Order::Fewest, 10_000),
    (2, Order::Given, 10_000),
    (3, Order::Given, 20_000),
    (3, Order::Fewest, 20_000),
    (3, Order::Given, 30_000),
];

/// The same with numbers that are not written in the program: little of it, as a number is soon found.
const WITH_NUMBERS: [Level; 2] = [(2, Order::Given, 4_000), (3, Order::Given, 8_000)];

impl Request<'_> {
    /// The first repairs of this kind. Where single changes of other kinds come early, these do not.
    pub(super) fn search_stretches(&mut self, prepared: &[Prepared], space: &Space, levels: &[Level]) -> Option<Found> {
        if self.options.preset != Preset::Default || self.options.wider == Wider::Early {
            return None;
        }
        let mut replay = self.replay(prepared, space);
        // What was searched to its end is not searched again; single changes only if there is no localizer.
        let mut complete = [self.options.localize, false, false];
        let mut found = None;
        for &(cost, order, runs) in levels.iter().filter(|(cost, ..)| *cost <= self.options.limits.cost) {
            let is_complete = &mut complete[cost as usize - 1];
            if !*is_complete && found.is_none() {
                (found, *is_complete) = self.stretches(&mut replay, space, (cost, order, runs));
            }
        }
        // Two changes may not have been tried to the end before three were found.
        if found.as_ref().is_some_and(|found| found.cost == 3) && !complete[1] {
            let runs = (2 * replay.runs).min(self.options.limits.prove);
            found = self.stretches(&mut replay, space, (2, Order::Given, runs)).0.or(found);
        }
        self.runs += replay.runs;
        found
    }

    /// The same, where variables can get the few numbers that they are asserted
    /// to have: nobody knows what was written where `deleted = 2;` is missing.
    pub(super) fn search_with_numbers(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>) -> Option<Found> {
        let numbers = asserted_numbers(prepared);
        if numbers.is_empty() {
            return None;
        }
        let space = HeapScheme::new(self.model, self.options.scheme).with_numbers(numbers).space(everything);
        self.search_stretches(prepared, &space, &WITH_NUMBERS)
    }

    /// Repairs of one cost, and whether all of the kind were tried.
    fn stretches(&self, replay: &mut Replay<'_>, space: &Space, (cost, order, runs): Level) -> (Option<Found>, bool) {
        let level = replay.level(cost, Effort::Stretch(order), (self.left(), runs));
        let found = self.found(space, &level.solutions, cost, false, cost == 1);
        (Some(found).filter(|found| self.has_new(found)), level.complete)
    }
}

/// The small numbers that variables are asserted to have; none if they are many, as those of a counter.
fn asserted_numbers(prepared: &[Prepared]) -> BTreeSet<i64> {
    const MOST: usize = 4;
    const LARGEST: u64 = 100;
    let checks = prepared.iter().flat_map(|trace| trace.checks.iter().flatten());
    let number = |check: &encode::Check| match (check.spot.home, check.expected) {
        (Home::Global(_) | Home::Local { .. }, Expected::Cell(Cell::Int(number))) => Some(number),
        _ => None,
    };
    let is_new = |number: &i64| !(0..=1).contains(number) && number.unsigned_abs() <= LARGEST;
    let numbers: BTreeSet<i64> = checks.filter_map(number).filter(is_new).collect();
    if numbers.len() <= MOST { numbers } else { BTreeSet::new() }
}
