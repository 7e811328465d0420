//! One run that writes down all uses of cells tells of all places that it comes to
//! which edits there are of no use.
//!
//! Where something could be inserted, nothing is done as it is, so no run of its
//! own is needed for a slot; and it makes no difference at which of them a cell
//! gets a value, as long as that is not used in between. What did not influence
//! how the run ended ([`Influence`]) need not be another one: with `k` counted but
//! never looked at, no edit of `k = k + 1` mends a lost node.

use std::collections::HashMap;
use std::sync::Arc;

use encode::{Cell, FirstUse, Influence, Log, Machine, Model, Moment, Place, Spells};
use ir::StepKind;

use super::climb::Mark;
use super::without::{Aim, End, Followed, Uses, Without};
use super::{Replay, Way};

/// A run that wrote down all uses of cells.
pub(super) struct Logged {
    pub(super) log: Arc<Log>,
    /// How it ended, if it came to one end.
    end: Option<Arc<End>>,
    /// What could have made it end otherwise.
    influence: Option<Influence>,
    /// The places that it came to, when, and how many calls were under way.
    arrivals: Vec<(Place, Moment, usize)>,
    /// The values that cells got in slots before they were used at a moment, and whether that was of use.
    tried: HashMap<(u32, Moment), Vec<(Cell, bool)>>,
}

impl Logged {
    pub(super) fn new(log: Arc<Log>) -> Logged {
        Logged { log, end: None, influence: None, arrivals: Vec::new(), tried: HashMap::new() }
    }

    pub(super) fn now(&self) -> Moment {
        self.log.now()
    }

    /// Knows what could have made a run end otherwise.
    pub(super) fn explain(&mut self, machine: &Machine, end: &End) {
        let broken: Vec<u32> = match end {
            End::Broken { asked, .. } => asked.iter().filter(|asked| !asked.holds).map(|asked| asked.cell).collect(),
            _ => Vec::new(),
        };
        let is_known = match end {
            End::Over => false,
            End::Lost { .. } => true,
            End::Broken { .. } => !broken.is_empty(),
        };
        self.influence = is_known.then(|| Influence::new(&self.log, machine, &broken)).flatten();
    }

    /// Whether it could be of use to make or free a node.
    pub(super) fn asks_for_nodes(&self) -> bool {
        self.end.as_ref().is_none_or(|end| end.asks_for_nodes())
    }

    /// From when to when a place was being run, each time. What a call returns is there only when it is over.
    pub(super) fn times_at(&self, model: &Model, place: Place) -> impl Iterator<Item = [Moment; 2]> {
        let returns = matches!(place, Place::Step(step) if model.program.step(step).kind == StepKind::Return);
        let here = self.arrivals.iter().enumerate().filter(move |(_, arrival)| arrival.0 == place);
        here.map(move |(i, &(_, from, calls))| {
            let most = calls - usize::from(returns);
            let behind = self.arrivals[i + 1..].iter().find(|(.., others)| *others <= most);
            [from, behind.map_or(Moment::MAX, |behind| behind.1)]
        })
    }

    /// How a cell is used first from a moment on, and when.
    pub(super) fn first_use(&self, cell: u32, moment: Moment) -> (FirstUse, Moment) {
        self.log.first_use(cell, moment)
    }

    /// Forgets what was tried, as something else is looked for.
    pub(super) fn begin(&mut self) {
        self.tried.clear();
    }
}

/// What a place of a logged run influences.
pub(super) struct Influenced {
    spells: Spells,
    /// When it was come to first.
    from: Moment,
    /// Whether the run did not get behind it.
    is_last: bool,
    /// Whether it was come to again.
    again: bool,
}

impl Replay<'_> {
    /// The same for a slot that a logged run came to at a moment.
    pub(super) fn without_slot(&self, moment: Option<Moment>) -> Option<Without> {
        let (logged, moment) = (self.logged.as_ref()?, moment?);
        Some(Without { uses: Uses::From(logged.log.clone(), moment), end: logged.end.clone()? })
    }

    /// Follows a run from here to its end, and writes down what it uses. What it came to is known by its marks.
    pub(super) fn log(&mut self, mut way: Way, place: Option<Place>, follow: impl FnOnce(&mut Self, Way)) -> Followed {
        let log = way.machine.cells.log();
        self.logged = Some(Logged::new(log));
        let outer = self.followed.replace(Followed::new(place));
        let before = self.runs;
        follow(self, way);
        let mut followed = std::mem::replace(&mut self.followed, outer).unwrap_or(Followed::new(place));
        // Where it branches off, several runs are in one log.
        followed.branches = self.runs > before + 1;
        followed
    }

    /// How a logged run ended.
    pub(super) fn end_log(&mut self, followed: Followed) {
        if let Some(logged) = &mut self.logged {
            logged.end = followed.end().map(Arc::new);
            logged.influence = logged.influence.take().filter(|_| logged.end.is_some());
        }
    }

    /// What a statement of a logged run influences: each time from when it was come to until the run goes on behind it.
    pub(super) fn influenced(&self, mark: &Mark) -> Option<Influenced> {
        let (logged, from) = (self.logged.as_ref().filter(|_| !self.run_hopeless)?, mark.moment?);
        let influence = logged.influence.as_ref()?;
        let (mut spells, mut is_last) = (Spells::default(), false);
        if matches!(mark.place, Place::Step(_)) {
            for [from, to] in logged.times_at(self.model, mark.place) {
                spells = spells.or(influence.of_stretch(from, to));
                is_last |= to == Moment::MAX;
            }
        }
        Some(Influenced { spells, from, is_last, again: mark.again })
    }

    /// A logged run comes to a place.
    pub(super) fn note_arrival(&mut self, way: &Way, place: Place) {
        if let (Some(logged), true) = (&mut self.logged, way.machine.cells.logged().is_some()) {
            logged.arrivals.push((place, logged.log.now(), way.machine.frames.len()));
        }
    }

    /// Whether it could be of use that something else is computed at the present place, or that it writes this cell.
    pub(super) fn may_influence(&self, cell: Option<u32>, aim: Aim) -> bool {
        let influence =
            self.logged.as_ref().and_then(|logged| Some((logged.influence.as_ref()?, logged.end.as_ref()?)));
        let (Some((influence, end)), Some(here)) = (influence, &self.influenced) else { return true };
        // Which cells are written when it is come to again is not known; and what crashes may not crash otherwise.
        if cell.is_some() && here.again || here.is_last && matches!(**end, End::Lost { .. }) {
            return true;
        }
        let spells = cell.map_or(here.spells, |cell| here.spells.or(influence.of_cell(cell, here.from)));
        let left = influence.left(spells);
        match (&**end, aim.nearly) {
            (_, None) => left == 0,
            (End::Broken { .. }, Some(better)) => (left as u32) < better.broken,
            (_, Some(_)) => left == 0,
        }
    }

    /// Whether it is known that writing a value in the present slot is of no use, since it was of none in another.
    pub(super) fn was_of_no_use(&self, cell: u32, value: Cell) -> bool {
        let Some((logged, moment)) = self.used_at(cell) else { return false };
        let tried = logged.tried.get(&(cell, moment));
        tried.is_some_and(|values| values.iter().any(|(known, useful)| *known == value && !useful))
    }

    /// Remembers whether it was.
    pub(super) fn note_use(&mut self, cell: u32, value: Cell, useful: bool) {
        let Some((_, moment)) = self.used_at(cell) else { return };
        if let Some(logged) = &mut self.logged {
            logged.tried.entry((cell, moment)).or_default().push((value, useful));
        }
    }

    /// The moment of a logged run at which a cell is used that is written in the present slot.
    fn used_at(&self, cell: u32) -> Option<(&Logged, Moment)> {
        match (&self.without.as_ref()?.uses, &self.logged) {
            (Uses::From(log, moment), Some(logged)) if Arc::ptr_eq(log, &logged.log) => {
                Some((logged, log.first_use(cell, *moment).1))
            }
            _ => None,
        }
    }
}
