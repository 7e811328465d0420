//! What a run does where one place does nothing: most edits there need no run of their own.
//!
//! The run goes on from the place without the statement (or with nothing
//! inserted), and the first use of each cell is written down. An assignment to a
//! cell that is not read afterwards leads to the same end: the same crash, or
//! the same broken facts, but for those about this cell. In a list reversal
//! where `first` is never read again, none of the hundred ways to write
//! `first = …` gets past a crash; and if two facts are broken at the end, none
//! that only repairs one of them does. A guard lets a statement run or not, so
//! no guard helps where leaving it out does not; and no other condition helps
//! where going the other way does not.
//!
//! All of this is about one moment: it says nothing where control comes to the
//! place again.
//!
//! Where something could be inserted, nothing is done as it is. So one run that
//! writes down all uses of cells ([`Logged`]) tells it of all slots that it came
//! to; and it makes no difference at which of them a cell gets a value, as long
//! as that is not used in between.

use std::collections::HashMap;
use std::sync::Arc;

use encode::{
    Cell, FirstUse, Influence, Log, Machine, Model, Moment, Place, PlaceKind, PlaceSpace, Spells, Watch, compare,
};
use ir::{StepId, StepKind};
use spec::Relation;

use super::climb::Mark;
use super::stretch::{Better, Useful};
use super::{Mode, Replay, Way};

/// What comes of a run without a place.
pub(super) struct Without {
    uses: Uses,
    end: Arc<End>,
}

/// How cells are used from the place on.
enum Uses {
    First(Arc<Watch>),
    From(Arc<Log>, Moment),
}

impl Uses {
    fn first_use(&self, cell: u32) -> FirstUse {
        match self {
            Uses::First(watch) => watch.first_use(cell),
            Uses::From(log, moment) => log.first_use(cell, *moment).0,
        }
    }
}

/// A run that wrote down all uses of cells.
pub(super) struct Logged {
    log: Arc<Log>,
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
    fn explain(&mut self, machine: &Machine, end: &End) {
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

/// How it ended.
pub(super) enum End {
    /// It got where it should get to.
    Over,
    /// It crashed, or went where it must not go, after it came to so many places.
    Lost { progress: u32, places: usize },
    /// Facts are broken at a demand.
    Broken {
        /// The demands and decisions that were met before.
        progress: u32,
        /// How many facts.
        broken: usize,
        /// Whether the right thing was printed.
        printed: bool,
        /// What is asked of cells.
        asked: Vec<Asked>,
        /// Whether a node exists that should not, or the other way round.
        nodes: bool,
    },
}

/// A fact about a cell.
pub(super) struct Asked {
    cell: u32,
    holds: bool,
    relation: Relation,
    expected: Cell,
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

/// A run without a place, while it is under way.
pub(super) struct Followed {
    place: Option<Place>,
    ends: Vec<End>,
    /// Whether the place was come to again.
    pub(super) again: bool,
    /// Whether more than one way was followed.
    branches: bool,
}

impl Followed {
    /// From a place on, or on the whole.
    pub(super) fn new(place: Option<Place>) -> Followed {
        Followed { place, ends: Vec::new(), again: false, branches: false }
    }

    /// Whether it got where it should get to.
    pub(super) fn is_over(&self) -> bool {
        self.ends.iter().any(|end| matches!(end, End::Over))
    }

    /// How it ended, if it came to one end; seen from a place that it came to, which does not count.
    fn end(mut self) -> Option<End> {
        let end = self.ends.pop().filter(|_| self.ends.is_empty() && !self.branches)?;
        Some(match end {
            End::Lost { progress, places } => End::Lost { progress, places: places.saturating_sub(1) },
            end => end,
        })
    }
}

/// What a run is for: it gets to its goal, or is better than nothing right before it.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    goal: u32,
    nearly: Option<Better>,
}

impl Aim {
    fn is_met(self, progress: u32, broken: usize, printed: bool) -> bool {
        match self.nearly {
            Some(better) => progress + 1 == self.goal && better.is_met(broken.max(1) as u32, 0),
            None => broken == 0 && printed,
        }
    }
}

impl End {
    fn is_of_use(&self, aim: Aim) -> bool {
        match self {
            End::Over => true,
            End::Lost { progress, places } => {
                progress + 1 == aim.goal && aim.nearly.is_some_and(|better| better.is_met(u32::MAX, *places))
            }
            End::Broken { progress, broken, printed, .. } => aim.is_met(*progress, *broken, *printed),
        }
    }

    /// Whether it could be of use to make or free a node.
    fn asks_for_nodes(&self) -> bool {
        match self {
            End::Over => true,
            End::Lost { .. } => false,
            End::Broken { nodes, .. } => *nodes,
        }
    }
}

impl Without {
    /// Whether a cell that gets this value could make a difference that is of use.
    pub(super) fn may_help(&self, (cell, value): (u32, Cell), aim: Aim) -> bool {
        let first_use = self.uses.first_use(cell);
        match &*self.end {
            _ if first_use == FirstUse::Read => true,
            End::Broken { progress, broken, printed, asked, .. } if first_use == FirstUse::Nothing => {
                let mut left = *broken;
                for asked in asked.iter().filter(|asked| asked.cell == cell) {
                    left -= usize::from(!asked.holds);
                    left += usize::from(!compare(asked.relation, value, asked.expected));
                }
                aim.is_met(*progress, left, *printed)
            }
            end => end.is_of_use(aim),
        }
    }

    /// Whether a new node in this cell could be of use.
    pub(super) fn may_help_new(&self, cell: u32) -> bool {
        self.uses.first_use(cell) == FirstUse::Read || self.end.asks_for_nodes()
    }

    /// Whether no edit of a kind can be of use.
    pub(super) fn is_hopeless(&self, mode: &Mode, aim: Aim) -> bool {
        match mode {
            Mode::Delete | Mode::Guard(_) => !self.end.is_of_use(aim),
            Mode::Free(_) => !self.end.asks_for_nodes(),
            _ => false,
        }
    }

    /// Whether it is of use that nothing is done at the place.
    pub(super) fn is_of_use(&self, aim: Aim) -> bool {
        self.end.is_of_use(aim)
    }
}

impl Replay<'_> {
    /// What a run is for.
    pub(super) fn aim(&self, way: &Way) -> Aim {
        let nearly = match &self.useful {
            Some(Useful::Nearly(better, _)) => Some(*better),
            _ => None,
        };
        Aim { goal: way.goal, nearly }
    }

    /// What comes of a run from a place on if nothing is done there; none if that tells nothing of edits.
    pub(super) fn without(&mut self, way: &Way, place: Place, known: &PlaceSpace) -> Option<Without> {
        let mut way = way.clone();
        match (place, &known.kind) {
            (Place::Step(step), PlaceKind::Assignment { .. }) => way.machine.skip(self.model, step),
            (Place::Slot(_), PlaceKind::Slot) => {}
            _ => return None,
        }
        let watch = way.machine.cells.watch();
        let mut followed = self.follow(way, place)?;
        let end = followed.ends.pop().filter(|_| followed.ends.is_empty() && !followed.again)?;
        Some(Without { uses: Uses::First(watch), end: Arc::new(end) })
    }

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

    /// Whether it could be of use that a condition goes another way than it does.
    pub(super) fn may_decide_otherwise(&mut self, way: &Way, step: StepId, forced: Option<bool>) -> bool {
        let aim = self.aim(way);
        let written = way.machine.clone().condition(self.model, step).ok();
        let others = [false, true].into_iter().filter(|&taken| written != Some(taken));
        for taken in others.filter(|&taken| forced.is_none_or(|forced| forced == taken)) {
            let mut other = way.clone();
            other.progress += u32::from(forced.is_some());
            other.machine.decide(self.model, step, taken);
            let Some(followed) = self.follow(other, Place::Step(step)) else { return true };
            if followed.again || followed.ends.iter().any(|end| end.is_of_use(aim)) {
                return true;
            }
        }
        false
    }

    /// Follows a run that nothing else is to come of.
    fn follow(&mut self, way: Way, place: Place) -> Option<Followed> {
        let outer = self.followed.replace(Followed::new(Some(place)));
        self.explore(way);
        std::mem::replace(&mut self.followed, outer).filter(|_| !self.stopped)
    }

    /// Whether a run is only followed; it got as far as it should.
    pub(super) fn is_followed_over(&mut self) -> bool {
        self.is_followed_to(End::Over)
    }

    /// The same for one that failed.
    pub(super) fn is_followed_to_failure(&mut self, way: &Way) -> bool {
        let end = match way.broken {
            _ if self.followed.is_none() => return false,
            u32::MAX => End::Lost { progress: way.progress, places: way.seen.len() },
            _ => self.broken_end(way),
        };
        if let Some((logged, log)) = self.logged.as_mut().zip(way.machine.cells.logged())
            && Arc::ptr_eq(&logged.log, log)
        {
            logged.explain(&way.machine, &end);
        }
        self.is_followed_to(end)
    }

    fn is_followed_to(&mut self, end: End) -> bool {
        self.followed.as_mut().map(|followed| followed.ends.push(end)).is_some()
    }

    /// A run comes to a place.
    pub(super) fn note_followed(&mut self, place: Place) {
        if let Some(followed) = &mut self.followed {
            followed.again |= followed.place == Some(place);
        }
        if let Some(mark) = self.marks.iter_mut().flatten().find(|mark| mark.place == place) {
            mark.again = true;
        }
    }

    fn broken_end(&self, way: &Way) -> End {
        let (model, machine, prepared) = (self.model, &way.machine, &self.traces[way.trace]);
        let mut asked = Vec::new();
        let (mut broken, mut nodes) = (0, false);
        for check in &prepared.checks[way.demand] {
            let holds = machine.holds(model, check);
            broken += usize::from(!holds);
            match super::must::target(model, machine, check) {
                // The cells of another trace are others.
                Some((cell, expected)) if machine.cells.is_watched() => {
                    asked.push(Asked { cell, holds, relation: check.relation, expected });
                }
                Some(_) => {}
                None => nodes |= !holds,
            }
        }
        let printed = prepared.has_printed(machine, way.demand);
        End::Broken { progress: way.progress, broken, printed, asked, nodes }
    }
}
