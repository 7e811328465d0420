//! Two and three changes, each of which gets the runs over a stretch between two
//! asserted states.
//!
//! That is quick wherever it goes, so it is not confined to suspicious places,
//! and their ranking is not waited for.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use encode::{Cell, Expected, Home, Prepared, Space};

use super::answer::{Preset, Wider};
use super::{Found, Request};
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::{Effort, Order, Replay};

/// So many changes, of which kind, how they are looked for, and for how many runs.
type Level = (u32, Kind, Effort, u64);

/// Which edits a statement can get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One thing of it is another one.
    Narrow,
    /// All that are known.
    All,
    /// One statement or condition gets two others at once.
    Pairs,
    /// Variables get the few numbers that they are asserted to have: nobody knows what was written
    /// where `deleted = 2;` is missing.
    Numbers,
}

const GIVEN: Effort = Effort::Stretch(Order::Given);
const FEWEST: Effort = Effort::Stretch(Order::Fewest);

/// What is tried in turn: single edits that get over a stretch of the first trace
/// or of the one that tells most, and two that do so only together, changes before
/// insertions; then climbing, for faults that cannot be told from others so soon.
/// The order is that of how soon each kind finds something, where it does.
const LEVELS: [Level; 19] = [
    (1, Kind::All, GIVEN, u64::MAX),
    (2, Kind::Narrow, GIVEN, 8_000),
    (2, Kind::Pairs, GIVEN, 6_000),
    (2, Kind::Narrow, Effort::Joint(0), 15_000),
    (2, Kind::Numbers, GIVEN, 4_000),
    (3, Kind::Narrow, GIVEN, 15_000),
    (2, Kind::All, GIVEN, 40_000),
    (3, Kind::Narrow, Effort::Joint(0), 20_000),
    (3, Kind::Narrow, Effort::Joint(1), 8_000),
    (3, Kind::Pairs, GIVEN, 15_000),
    (3, Kind::All, FEWEST, 8_000),
    (3, Kind::Numbers, GIVEN, 8_000),
    (3, Kind::Narrow, Effort::Climb(24), 40_000),
    (3, Kind::Narrow, Effort::Joint(1), 30_000),
    (3, Kind::Narrow, FEWEST, 20_000),
    (2, Kind::All, Effort::Joint(1), 30_000),
    (2, Kind::Narrow, Effort::Joint(2), 30_000),
    (3, Kind::Narrow, Effort::Joint(2), 40_000),
    (3, Kind::All, GIVEN, 20_000),
];

impl Request<'_> {
    /// The first repairs of this kind. Where single changes of other kinds come early, these do not.
    pub(super) fn search_stretches(&mut self, prepared: &[Prepared], space: &Space) -> Option<Found> {
        if self.options.preset != Preset::Default || self.options.wider == Wider::Early {
            return None;
        }
        let numbers = asserted_numbers(prepared);
        let (with_pairs, with_numbers) = (OnceCell::new(), OnceCell::new());
        let places = || space.places.keys().copied().collect();
        let mut replay = self.replay(prepared, space);
        let (mut pairs, mut numbered): (Option<Replay<'_>>, Option<Replay<'_>>) = (None, None);
        // What was searched to its end is not searched again; single changes only if there is no localizer.
        let mut complete = BTreeSet::from_iter(self.options.localize.then_some((1, false)));
        let mut found = None;
        for &level in LEVELS.iter().filter(|(cost, ..)| *cost <= self.options.limits.cost) {
            if found.is_some() {
                break;
            }
            let (cost, kind, effort, _) = level;
            match kind {
                Kind::Pairs => {
                    let space = with_pairs.get_or_init(|| self.pairs_space(&places()));
                    let pairs = pairs.get_or_insert_with(|| self.replay(prepared, space));
                    pairs.ask_for_pairs();
                    found = self.stretches(pairs, space, level).0;
                }
                Kind::Numbers if numbers.is_empty() => {}
                Kind::Numbers => {
                    let scheme = || HeapScheme::new(self.model, self.options.scheme).with_numbers(numbers.clone());
                    let space = with_numbers.get_or_init(|| scheme().space(&places()));
                    let numbered = numbered.get_or_insert_with(|| self.replay(prepared, space));
                    found = self.stretches(numbered, space, level).0;
                }
                Kind::Narrow | Kind::All => {
                    let is_narrow = kind == Kind::Narrow;
                    let is_stretch = matches!(effort, Effort::Stretch(_));
                    let is_done = complete.contains(&(cost, false)) || is_narrow && complete.contains(&(cost, true));
                    if !(is_done && is_stretch) {
                        let (some, to_the_end) = self.stretches(&mut replay, space, level);
                        complete.extend((to_the_end && is_stretch).then_some((cost, is_narrow)));
                        found = some;
                    }
                }
            }
        }
        // Two changes may not have been tried to the end before three were found.
        if found.as_ref().is_some_and(|found| found.cost == 3) && !complete.contains(&(2, false)) {
            let runs = (replay.runs / 2).min(self.options.limits.prove);
            found = self.stretches(&mut replay, space, (2, Kind::All, GIVEN, runs)).0.or(found);
        }
        self.runs += replay.runs + [pairs, numbered].into_iter().flatten().map(|replay| replay.runs).sum::<u64>();
        found
    }

    /// Repairs of one cost, and whether all of the kind were tried.
    fn stretches(&self, replay: &mut Replay<'_>, space: &Space, level: Level) -> (Option<Found>, bool) {
        let (cost, kind, effort, runs) = level;
        replay.keep_narrow(kind == Kind::Narrow);
        let level = replay.level(cost, effort, (self.left(), runs));
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
