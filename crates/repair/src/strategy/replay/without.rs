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
//! place again. What a run tells of all places that it comes to is in `logged.rs`.

use std::sync::Arc;

use encode::{Cell, Check, FirstUse, Home, Log, Moment, Place, PlaceKind, PlaceSpace, Watch, compare};
use ir::StepId;
use spec::Relation;

use super::stretch::{Better, Useful};
use super::{Mode, Replay, Way};

/// What comes of a run without a place.
pub(super) struct Without {
    pub(super) uses: Uses,
    pub(super) end: Arc<End>,
}

/// How cells are used from the place on.
pub(super) enum Uses {
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

/// How it ended.
pub(super) enum End {
    /// It got where it should get to.
    Over,
    /// It crashed, or went where it must not go, after it came to so many places.
    Lost {
        /// The demands and decisions that were met before.
        progress: u32,
        places: usize,
        /// Whether a node is asked for next that does not exist.
        nodes: bool,
    },
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
    pub(super) cell: u32,
    pub(super) holds: bool,
    relation: Relation,
    expected: Cell,
}

/// A run without a place, while it is under way.
pub(super) struct Followed {
    place: Option<Place>,
    ends: Vec<End>,
    /// Whether the place was come to again.
    pub(super) again: bool,
    /// Whether more than one way was followed.
    pub(super) branches: bool,
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
    pub(super) fn end(mut self) -> Option<End> {
        let end = self.ends.pop().filter(|_| self.ends.is_empty() && !self.branches)?;
        Some(match end {
            End::Lost { progress, places, nodes } => End::Lost { progress, places: places.saturating_sub(1), nodes },
            end => end,
        })
    }
}

/// What a run is for: it gets to its goal, or is better than nothing right before it.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    goal: u32,
    pub(super) nearly: Option<Better>,
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
            End::Lost { progress, places, .. } => {
                progress + 1 == aim.goal && aim.nearly.is_some_and(|better| better.is_met(u32::MAX, *places))
            }
            End::Broken { progress, broken, printed, .. } => aim.is_met(*progress, *broken, *printed),
        }
    }

    /// Whether it could be of use to make or free a node.
    pub(super) fn asks_for_nodes(&self) -> bool {
        match self {
            End::Over => true,
            End::Lost { nodes, .. } | End::Broken { nodes, .. } => *nodes,
        }
    }
}

/// Whether a cell that gets another value could make a difference that is of use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Help {
    Always,
    Never,
    /// That depends on the value.
    Perhaps,
}

impl Without {
    /// Whether a cell could make a difference that is of use.
    pub(super) fn help(&self, cell: u32, aim: Aim) -> Help {
        match (&*self.end, self.uses.first_use(cell)) {
            (_, FirstUse::Read) => Help::Always,
            (End::Broken { .. }, FirstUse::Nothing) => Help::Perhaps,
            (end, _) if end.is_of_use(aim) => Help::Always,
            _ => Help::Never,
        }
    }

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
        let mut way = self.copy(way);
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

    /// Whether it could be of use that a condition goes another way than it does.
    pub(super) fn may_decide_otherwise(&mut self, way: &Way, step: StepId, forced: Option<bool>) -> bool {
        let aim = self.aim(way);
        let written = way.machine.clone().condition(self.model, step).ok();
        let others = [false, true].into_iter().filter(|&taken| written != Some(taken));
        for taken in others.filter(|&taken| forced.is_none_or(|forced| forced == taken)) {
            let mut other = self.copy(way);
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
            u32::MAX => {
                let nodes = self.lacks_nodes(way);
                End::Lost { progress: way.progress, places: way.seen.len(), nodes }
            }
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
        self.visited.iter_mut().for_each(|visited| visited.insert(place));
        if let Some(followed) = &mut self.followed {
            followed.again |= followed.place == Some(place);
        }
        for mark in self.marks.iter_mut().flatten().filter(|mark| mark.place == place) {
            mark.again = true;
        }
    }

    /// Whether the next demand is about a node that does not exist.
    fn lacks_nodes(&self, way: &Way) -> bool {
        let mut checks = self.traces[way.trace].checks.get(way.demand).into_iter().flatten();
        let is_missing = |check: &Check| match check.spot.home {
            Home::Node(_) if check.relation != Relation::Gone => way.machine.object_at(check.spot.home).is_none(),
            _ => false,
        };
        checks.any(is_missing)
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
