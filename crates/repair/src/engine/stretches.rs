//! Two and three changes, each of which gets the runs over a stretch between two
//! asserted states.
//!
//! That is quick wherever it goes, so it is not confined to suspicious places,
//! and their ranking is not waited for.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;

use encode::{Cell, Expected, Home, Place, Prepared, Space};

use super::answer::{Preset, Wider};
use super::{Found, Request};
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::{Effort, Order, Replay, Solution};

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// So many changes.
    pub cost: u32,
    /// Of which kind.
    pub kind: Kind,
    /// How they are looked for.
    pub effort: Effort,
}

/// Which edits a statement can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One thing of it is another one.
    Narrow,
    /// All that are known.
    All,
    /// The same; what can not go on where control comes to it again may be mended by another one.
    Again,
    /// Two things of one statement or condition are others at once, and elsewhere one thing.
    Pairs,
    /// Variables get the few numbers that they are asserted to have: nobody knows what was written
    /// where `deleted = 2;` is missing.
    Numbers,
}

const GIVEN: Effort = Effort::Stretch(Order::Given);
const FEWEST: Effort = Effort::Stretch(Order::Fewest);

impl Search {
    const fn new(cost: u32, kind: Kind, effort: Effort) -> Search {
        Search { cost, kind, effort }
    }

    /// Whether it knows of all pairs of changes, if it comes to its end.
    pub fn is_all_of_two(self) -> bool {
        self.cost == 2 && self.kind == Kind::All && matches!(self.effort, Effort::Stretch(_))
    }

    /// All that the lists below can be made of.
    pub fn all() -> Vec<Search> {
        use Effort::{Climb, Joint};
        use Kind::{Again, All, Narrow, Numbers, Pairs};
        let list: [(u32, Kind, &[Effort]); 9] = [
            (2, Narrow, &[GIVEN, Joint(0), Joint(1), Joint(2)]),
            (2, All, &[GIVEN, FEWEST, Joint(1)]),
            (2, Pairs, &[GIVEN]),
            (2, Numbers, &[GIVEN]),
            (3, Narrow, &[GIVEN, FEWEST, Joint(0), Joint(1), Joint(2), Climb(24), Climb(120)]),
            (3, All, &[GIVEN, FEWEST, Joint(0), Joint(1), Climb(24)]),
            (3, Again, &[GIVEN, FEWEST]),
            (3, Pairs, &[GIVEN, FEWEST]),
            (3, Numbers, &[GIVEN, FEWEST, Joint(0)]),
        ];
        let one = |&(cost, kind, efforts): &(u32, Kind, &[Effort])| {
            efforts.iter().map(move |&effort| Search::new(cost, kind, effort)).collect::<Vec<_>>()
        };
        list.iter().flat_map(one).collect()
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {:?}", self.cost, self.kind, self.effort)
    }
}

/// A search, and how much work it may take.
pub type Level = (Search, u64);

/// What is tried in turn where loops make several stretches: single edits that get over a stretch of the
/// first trace or of the one that tells most, and two that do so only together; then climbing, for faults
/// that cannot be told from others so soon.
///
/// `wolverine bench levels` measures what each search does alone, and chooses such lists. These were chosen on seeds
/// 2 to 5; what is long at the end, numbers, the first of three changes with a pair, and two changes at once without
/// insertions were put in by hand (docs/experiments.md).
const LOOPS: [Level; 22] = [
    (Search::new(2, Kind::All, GIVEN), 70_000),
    (Search::new(3, Kind::Numbers, Effort::Joint(0)), 15_000),
    (Search::new(3, Kind::Numbers, FEWEST), 70_000),
    (Search::new(3, Kind::Narrow, FEWEST), 300_000),
    (Search::new(3, Kind::Again, GIVEN), 100_000),
    (Search::new(3, Kind::Pairs, GIVEN), 50_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(0)), 70_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(1)), 1_200_000),
    (Search::new(3, Kind::Numbers, Effort::Joint(0)), 300_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(2)), 200_000),
    (Search::new(3, Kind::Again, FEWEST), 150_000),
    (Search::new(3, Kind::All, Effort::Joint(1)), 150_000),
    (Search::new(3, Kind::Narrow, GIVEN), 600_000),
    (Search::new(3, Kind::Again, GIVEN), 800_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(2)), 1_600_000),
    (Search::new(3, Kind::Pairs, GIVEN), 1_500_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(1)), 2_500_000),
    (Search::new(3, Kind::Narrow, Effort::Climb(24)), 1_000_000),
    (Search::new(2, Kind::All, GIVEN), 1_000_000),
    (Search::new(2, Kind::All, Effort::Joint(1)), 500_000),
    (Search::new(3, Kind::All, GIVEN), 1_000_000),
    (Search::new(3, Kind::Again, FEWEST), 1_000_000),
];

/// The same where nothing is asserted but the beginning and the end: what is wrong is wrong together.
const STRAIGHT: [Level; 20] = [
    (Search::new(3, Kind::Narrow, GIVEN), 150_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(1)), 400_000),
    (Search::new(2, Kind::Pairs, GIVEN), 70_000),
    (Search::new(2, Kind::All, FEWEST), 400_000),
    (Search::new(3, Kind::Pairs, GIVEN), 250_000),
    (Search::new(3, Kind::Pairs, FEWEST), 20_000),
    (Search::new(3, Kind::Again, GIVEN), 30_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(0)), 1_600_000),
    (Search::new(3, Kind::Pairs, GIVEN), 400_000),
    (Search::new(3, Kind::All, FEWEST), 400_000),
    (Search::new(3, Kind::Narrow, Effort::Climb(24)), 200_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(1)), 1_600_000),
    (Search::new(3, Kind::Narrow, GIVEN), 600_000),
    (Search::new(3, Kind::All, Effort::Joint(0)), 1_600_000),
    (Search::new(2, Kind::All, Effort::Joint(1)), 1_500_000),
    (Search::new(3, Kind::Pairs, GIVEN), 1_500_000),
    (Search::new(3, Kind::All, GIVEN), 1_000_000),
    (Search::new(3, Kind::Numbers, GIVEN), 200_000),
    (Search::new(3, Kind::Narrow, Effort::Joint(2)), 1_500_000),
    (Search::new(3, Kind::Pairs, GIVEN), 8_000_000),
];

/// What found a repair when less was asserted may take so much work now. Those who debug one input after the
/// other ask for a repair each time, and what did not help before does not help where there is more to meet.
const BEGIN: u64 = 100_000;

/// What is tried in turn; where `straight`, only the beginning and the end of calls are asserted.
pub fn searches(straight: bool) -> &'static [Level] {
    if straight { &STRAIGHT } else { &LOOPS }
}

impl Request<'_> {
    /// Whether such repairs are looked for first. Where single changes of other kinds come early, they are not.
    pub(super) fn is_quick(&self) -> bool {
        self.options.preset == Preset::Default && self.options.wider != Wider::Early
    }

    /// A single change, on the stretch where the first run fails.
    pub(super) fn search_single(&self, replay: &mut Replay<'_>, space: &Space) -> Option<Found> {
        self.stretches(replay, space, (Search::new(1, Kind::All, GIVEN), u64::MAX)).0
    }

    /// The first repairs with more changes.
    pub(super) fn search_stretches(
        &mut self,
        prepared: &[Prepared],
        space: &Space,
        mut replay: Replay<'_>,
    ) -> Option<Found> {
        let (with_pairs, with_numbers) = (OnceCell::new(), OnceCell::new());
        let places = || space.places.keys().copied().collect();
        let (mut pairs, mut numbered): (Option<Replay<'_>>, Option<Replay<'_>>) = (None, None);
        // What was searched to its end is not searched again.
        let mut complete = BTreeSet::new();
        let mut found = None;
        let is_straight = prepared.iter().all(|trace| trace.trace.demands.len() <= 2);
        let begin = self.options.begin.map(|search| (search, BEGIN));
        let levels = begin.iter().chain(searches(is_straight));
        for &level in levels.filter(|(search, _)| search.cost <= self.options.limits.cost) {
            if found.is_some() {
                break;
            }
            let Search { cost, kind, effort } = level.0;
            match kind {
                Kind::Pairs | Kind::Numbers => {
                    let (space, replay) = match kind {
                        Kind::Numbers => (&with_numbers, &mut numbered),
                        _ => (&with_pairs, &mut pairs),
                    };
                    let space = space.get_or_init(|| self.space_for(kind, prepared, &places()));
                    let Some(space) = space else { continue };
                    let replay = replay.get_or_insert_with(|| self.replay(prepared, space));
                    found = self.stretches(replay, space, level).0;
                }
                Kind::Again => found = self.stretches(&mut replay, space, level).0,
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
        if found.as_ref().is_some_and(|found| found.cost == 3) {
            let work = (replay.work / 2).min(self.options.limits.prove);
            let two = |kind: Kind| (Search::new(2, kind, GIVEN), work);
            let mut cheaper = None;
            if !complete.contains(&(2, false)) {
                cheaper = self.stretches(&mut replay, space, two(Kind::All)).0;
            }
            if let (None, Some(space)) =
                (&cheaper, with_pairs.get_or_init(|| self.space_for(Kind::Pairs, prepared, &places())))
            {
                let pairs = pairs.get_or_insert_with(|| self.replay(prepared, space));
                cheaper = self.stretches(pairs, space, two(Kind::Pairs)).0;
            }
            found = cheaper.or(found);
        }
        [Some(replay), pairs, numbered].iter().flatten().for_each(|replay| self.count(replay));
        found
    }

    /// The edits of a kind; none if there are no numbers.
    pub(super) fn space_for(&self, kind: Kind, prepared: &[Prepared], places: &BTreeSet<Place>) -> Option<Space> {
        let scheme = || HeapScheme::new(self.model, self.options.scheme);
        match kind {
            Kind::Narrow | Kind::All | Kind::Again => Some(scheme().space(places)),
            Kind::Pairs => Some(self.pairs_space(places)),
            Kind::Numbers => {
                let numbers = asserted_numbers(prepared);
                (!numbers.is_empty()).then(|| scheme().with_numbers(numbers).space(places))
            }
        }
    }

    /// The cheapest repairs that a search finds, and whether all of the kind were tried.
    pub(super) fn stretches(
        &self,
        replay: &mut Replay<'_>,
        space: &Space,
        (search, work): Level,
    ) -> (Option<Found>, bool) {
        replay.keep_narrow(matches!(search.kind, Kind::Narrow | Kind::Pairs));
        replay.keep_stuck(search.kind == Kind::Again);
        replay.ask_for_pairs(search.kind == Kind::Pairs);
        let level = replay.level(search.cost, search.effort, (self.left(), work));
        // Some may need fewer changes than were allowed; if these are refused, the others are not.
        let found = (1..=search.cost).find_map(|cost| {
            let some: Vec<Solution> = level.solutions.iter().filter(|found| found.cost() == cost).cloned().collect();
            let found = self.found(space, &some, cost, false, cost == 1);
            Some(Found { search: Some(search), ..found }).filter(|found| self.has_new(found))
        });
        (found, level.complete)
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
