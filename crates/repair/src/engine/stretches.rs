//! Two and three changes, each of which gets the runs over a stretch between two
//! asserted states.
//!
//! That is quick wherever it goes, so it is not confined to suspicious places,
//! and their ranking is not waited for.

use encode::{Prepared, Space};

use super::answer::{Preset, Wider};
use super::{Found, Request};
use crate::strategy::replay::{Effort, Order, Replay};

/// What is tried in turn: so many changes, the first of the traces or the one
/// that tells most, for so many runs.
const LEVELS: [(u32, Order, u64); 9] = [
    (1, Order::Given, u64::MAX),
    (2, Order::Given, 3_000),
    (3, Order::Given, 5_000),
    (2, Order::Fewest, 8_000),
    (3, Order::Fewest, 10_000),
    (2, Order::Given, 10_000),
    (3, Order::Given, 20_000),
    (3, Order::Fewest, 20_000),
    (3, Order::Given, 60_000),
];

impl Request<'_> {
    /// The first repairs of this kind. Where single changes of other kinds come early, these do not.
    pub(super) fn search_stretches(&mut self, prepared: &[Prepared], space: &Space) -> Option<Found> {
        if self.options.preset != Preset::Default || self.options.wider == Wider::Early {
            return None;
        }
        let mut replay = self.replay(prepared, space);
        // What was searched to its end is not searched again; single changes only if there is no localizer.
        let mut complete = [self.options.localize, false, false];
        let mut found = None;
        for (cost, order, runs) in LEVELS.into_iter().filter(|(cost, ..)| *cost <= self.options.limits.cost) {
            let is_complete = &mut complete[cost as usize - 1];
            if !*is_complete && found.is_none() {
                (found, *is_complete) = self.stretches(&mut replay, space, (cost, order, runs));
            }
        }
        // Two changes may not have been tried to the end before three were found.
        if found.as_ref().is_some_and(|found| found.cost == 3) && !complete[1] {
            let runs = replay.runs.min(self.options.limits.prove);
            found = self.stretches(&mut replay, space, (2, Order::Given, runs)).0.or(found);
        }
        self.runs += replay.runs;
        found
    }

    /// Repairs of one cost, and whether all of the kind were tried.
    fn stretches(
        &self,
        replay: &mut Replay<'_>,
        space: &Space,
        (cost, order, runs): (u32, Order, u64),
    ) -> (Option<Found>, bool) {
        let level = replay.level(cost, Effort::Stretch(order), (self.left(), runs));
        let found = self.found(space, &level.solutions, cost, false, cost == 1);
        (Some(found).filter(|found| self.has_new(found)), level.complete)
    }
}
