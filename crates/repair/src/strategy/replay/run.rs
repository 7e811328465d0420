//! A run on its way through the traces: what is asked of it, which places it
//! comes to, and what is tried there.

use std::sync::Arc;

use encode::{EditSpot, NewStatement, Pause, Place, PlaceKind, PlaceSpace, Scope, Visit};
use ir::{ActionId, StepId};

use super::circle::Circle;
use super::climb::Mark;
use super::logged::Logged;
use super::operand::{fitting, is_still_before, may_write_elsewhere, pairs};
use super::split::{Child, Effect};
use super::stretch::{Start, Useful};
use super::without::Aim;
use super::{Effort, Mode, ORIGINAL, Part, Replay, Solution, Way, wide};
use crate::strategy::bits::Bits;

/// After the first repair between asserted states at least and at most so much work is done to find others.
const MORE: [u64; 2] = [15_000, 80_000];

/// To begin a run is as much work as to come to so many statements.
const RUN: u64 = 8;

/// What comes of a place.
pub(super) enum Next {
    /// The run goes on.
    On,
    /// Something expected does not hold.
    Fails,
    /// Everything that can come of it was followed.
    Done,
}

/// All terms in the place of an operand.
fn swap(scope: &Scope, &(action, operand, ty): &(ActionId, u8, c_types::TypeId)) -> Mode {
    Mode::Operand(action, operand, fitting(scope, &EditSpot::Operand(action, operand, ty)))
}

/// All other targets for what a call returns.
pub(super) fn targets(known: &PlaceSpace) -> Vec<Mode> {
    let PlaceKind::Other { assigned: Some(ty), .. } = known.kind else { return Vec::new() };
    let terms = known.scope.terms.iter().enumerate();
    terms.filter(|(_, term)| term.ty == ty && term.is_place()).map(|(i, _)| Mode::Target(i as u32)).collect()
}

impl Replay<'_> {
    /// Follows one way to its end, and all that branch off.
    pub(super) fn explore(&mut self, way: Way) {
        /// An edit that makes a loop endless would branch off in every round.
        const DEEPEST: u32 = 150;
        if let Some(collected) = &mut self.collected {
            return collected.push(way);
        }
        self.runs += 1;
        self.work += RUN;
        if self.depth < DEEPEST {
            let known = (self.without.take(), self.influenced.take(), self.unlike.take());
            self.depth += 1;
            self.go_on(way);
            self.depth -= 1;
            (self.without, self.influenced, self.unlike) = known;
        }
    }

    /// A way that branched off fails where it stands.
    pub(super) fn fail(&mut self, way: Way) {
        let known = (self.without.take(), self.influenced.take(), self.unlike.take());
        self.after_failure(way);
        (self.without, self.influenced, self.unlike) = known;
    }

    pub(super) fn go_on(&mut self, mut way: Way) {
        match self.has_failed(&mut way) {
            true => self.after_failure(way),
            false => self.end(way),
        }
    }

    /// Follows a run to its end; whether it failed.
    fn has_failed(&mut self, way: &mut Way) -> bool {
        let mut circle = Circle::default();
        loop {
            if self.is_over() || std::mem::take(&mut way.new) && !self.at_start(way) {
                return false;
            }
            if self.is_over_stretch(way) {
                return false;
            }
            let is_given_up = way.machine.spent > way.until || way.machine.frames.len() > self.deepest[way.trace];
            self.gave_up |= is_given_up;
            let too_long = is_given_up || circle.is_closed(&way.machine, &self.counted[way.trace]);
            let next = match way.machine.advance(self.model) {
                _ if too_long => Next::Fails,
                Pause::Step(step) => self.at_step(way, step),
                Pause::Slot(slot) => self.at_place(way, Place::Slot(slot), None),
                Pause::Over | Pause::Fault | Pause::Unmodelled => Next::Fails,
            };
            match next {
                Next::On => {}
                Next::Done => return false,
                Next::Fails => return true,
            }
        }
    }

    /// A trace that begins inside of a call: what the call returns could be
    /// assigned to something else. Whether the way itself goes on.
    pub(super) fn at_start(&mut self, way: &mut Way) -> bool {
        let calls = &self.traces[way.trace].trace.calls;
        for &step in &calls[..calls.len() - 1] {
            let place = Place::Step(step);
            let Some(known) = self.places.get(place) else { continue };
            let targets = targets(known);
            if targets.is_empty() || way.budget == 0 || way.parts.iter().any(|part| part.place == place) {
                continue;
            }
            match self.effort {
                effort if effort != Effort::Exhaustive && way.pending.contains(&place) => {
                    way.pending.retain(|pending| *pending != place);
                    targets.into_iter().for_each(|mode| self.edit_inside(way, place, &Arc::new(mode), None));
                    return false;
                }
                effort if effort != Effort::Exhaustive && !way.seen.contains(&place) => self.see(way, place, None),
                Effort::Exhaustive if !way.kept.contains(&place) => {
                    targets.into_iter().for_each(|mode| self.edit_inside(way, place, &Arc::new(mode), None));
                    way.kept.push(place);
                }
                _ => {}
            }
        }
        true
    }

    /// Follows an edit that the machine itself makes.
    pub(super) fn edit_inside(&mut self, way: &Way, place: Place, mode: &Arc<Mode>, forced: Option<bool>) {
        let mut edited = self.copy(way);
        edited.budget -= mode.cost();
        edited.progress += u32::from(forced.is_some());
        edited.parts.push(Part { place, mode: mode.clone() });
        edited.machine.set_edits(self.model, &self.inner_edits(&edited.parts));
        match self.keep(&mut edited, place, forced) {
            true => self.explore(edited),
            false => self.end(edited),
        }
    }

    pub(super) fn at_step(&mut self, way: &mut Way, step: StepId) -> Next {
        let prepared = &self.traces[way.trace];
        let visit = Visit { step, count: way.machine.visits[step.index()] };
        let before = way.demand;
        let begins = self.start.is_some() && prepared.trace.demands.get(before).is_some_and(|next| next.at == visit);
        let start = begins.then(|| Start::new(way.clone(), Some(step)));
        let most = self.most_broken();
        let doubtful = &mut self.doubtful;
        let broken = prepared.count_broken(self.model, &way.machine, visit, &mut way.demand, most, doubtful).err();
        way.broken = broken.map_or(u32::MAX, |broken| broken.max(1) as u32);
        let holds = broken.is_none();
        way.progress += (way.demand - before) as u32;
        if way.demand != before {
            way.fresh = way.seen.len();
            way.until = way.machine.spent + self.longest(way.trace, way.demand);
        }
        if !holds {
            return Next::Fails;
        }
        if let Some(start) = start {
            self.start = Some(start);
        }
        if self.is_over_stretch(way) {
            return Next::Done;
        }
        if way.demand == prepared.checks.len() {
            return self.at_end(way);
        }
        if self.has_missed(way, visit) {
            return Next::Fails;
        }
        if !prepared.is_handled(step) {
            return self.at_place(way, Place::Step(step), None);
        }
        match prepared.pass_unseen(self.model, &mut way.machine, visit) {
            Ok(true) => Next::On,
            Ok(false) => self.at_place(way, Place::Step(step), prepared.trace.forced.get(&visit).copied()),
            Err(_) => Next::Fails,
        }
    }

    /// It does not matter whether more facts than so many are broken.
    fn most_broken(&self) -> usize {
        match &self.useful {
            Some(Useful::Over(_)) if self.followed.is_none() => 1,
            Some(Useful::Nearly(better, _)) if self.followed.is_none() => better.broken as usize,
            _ => usize::MAX,
        }
    }

    /// Whether a run can no longer come to the next demand in its turn: that
    /// was for an earlier visit, or for one before a decision that is forced here.
    fn has_missed(&self, way: &Way, visit: Visit) -> bool {
        let next = &self.traces[way.trace].trace.demands[way.demand].at;
        let too_late = way.machine.visits[next.step.index()] > next.count;
        if too_late || self.effort == Effort::Exhaustive || !self.traces[way.trace].is_handled(visit.step) {
            return too_late;
        }
        self.before[way.trace].get(&visit).is_some_and(|&before| before > way.demand)
    }

    /// The trace is over, everything was met: on with the next one.
    pub(super) fn at_end(&mut self, way: &mut Way) -> Next {
        if way.trace + 1 < self.traces.len() {
            self.next_trace(way);
            return Next::On;
        }
        if self.is_followed_over() {
            return Next::Done;
        }
        if way.failures.broken > 0 {
            self.remember(way.clone());
            return Next::Done;
        }
        if !way.pending.is_empty() {
            return Next::Done;
        }
        if self.found.is_empty() {
            let most = self.limits.more;
            let more = match self.effort {
                Effort::Stretch(_) | Effort::Joint(_) => {
                    (2 * (self.work - self.before_level)).clamp(MORE[0], MORE[1]).min(most)
                }
                _ => most,
            };
            // Where a search has little work left, some is done for others all the same.
            self.until = self.until.min(self.work + more).max(self.work + more.min(MORE[0]));
            self.first = (self.begun.elapsed(), self.work - self.before_level);
        }
        self.found.push(Solution { parts: way.parts.clone() });
        Next::Done
    }

    /// On to the next trace, with the same edits.
    pub(super) fn next_trace(&self, way: &mut Way) {
        let mut machine = self.traces[way.trace + 1].start.clone();
        machine.set_edits(self.model, &self.inner_edits(&way.parts));
        way.until = machine.spent + self.longest(way.trace + 1, 0);
        (way.trace, way.demand, way.machine, way.new) = (way.trace + 1, 0, machine, true);
    }

    pub(super) fn at_place(&mut self, way: &mut Way, place: Place, forced: Option<bool>) -> Next {
        self.note_followed(place);
        self.note_arrival(way, place);
        if let Some(index) = way.parts.iter().position(|part| part.place == place) {
            return self.met(way, index, forced);
        }
        if way.budget > 0
            && let Some(known) = self.places.get(place)
        {
            match self.effort {
                effort if effort != Effort::Exhaustive && way.pending.contains(&place) => {
                    way.pending.retain(|pending| *pending != place);
                    self.try_edits(way, place, known, forced);
                    return Next::Done;
                }
                effort if effort != Effort::Exhaustive && self.is_new(way, place) => {
                    self.see(way, place, Some(forced));
                }
                Effort::Exhaustive if !way.kept.contains(&place) => {
                    self.try_edits(way, place, known, forced);
                    way.kept.push(place);
                }
                _ => {}
            }
        }
        match self.keep(way, place, forced) {
            true => {
                way.progress += u32::from(forced.is_some());
                Next::On
            }
            false => Next::Fails,
        }
    }

    /// An edited place is come to; what comes of the last part of its set.
    pub(super) fn met(&mut self, way: &mut Way, index: usize, forced: Option<bool>) -> Next {
        // What branches off has met the decision too.
        way.progress += u32::from(forced.is_some());
        self.hopeful = true;
        self.follow_stuck(way, index, forced);
        match self.at_edited(way, index, forced) {
            true => Next::On,
            false => Next::Done,
        }
    }

    /// The place is as it is in the program.
    pub(super) fn keep(&self, way: &mut Way, place: Place, forced: Option<bool>) -> bool {
        let (Place::Step(step), Some(forced)) = (place, forced) else { return true };
        match way.machine.condition(self.model, step) {
            Ok(taken) if taken == forced => {
                way.machine.decide(self.model, step, taken);
                true
            }
            _ => false,
        }
    }

    /// The same as [`Replay::try_edits`] where a run comes to a place only once
    /// and must get to a goal: what can not is left out.
    pub(super) fn try_hopeful_edits(&mut self, way: &Way, mark: &Mark, known: &PlaceSpace, forced: Option<bool>) {
        let place = mark.place;
        if let (Place::Step(step), PlaceKind::Condition { .. }) = (place, &known.kind)
            && wide::modes(known, way.budget).is_empty()
            && !self.may_decide_otherwise(way, step, forced)
        {
            return;
        }
        let without = match place {
            Place::Slot(_) => self.without_slot(mark.moment),
            Place::Step(_) => None,
        };
        let without = without.or_else(|| self.without(way, place, known));
        let outer = std::mem::replace(&mut self.without, without);
        self.try_edits(way, place, known, forced);
        self.without = outer;
    }

    /// Follows every kind of edit that is possible at a place.
    pub(super) fn try_edits(&mut self, way: &Way, place: Place, known: &PlaceSpace, forced: Option<bool>) {
        let all = Bits::first(known.scope.terms.len());
        let comparisons = || (0..known.scope.comparisons.len() as u32).collect::<Vec<u32>>();
        let modes: Vec<Mode> = match &known.kind {
            PlaceKind::Assignment { operands, declares, .. } => {
                let with_original = all.with(ORIGINAL);
                let original = Bits::one(ORIGINAL);
                let products = match (declares, self.narrow) {
                    (true, _) => vec![(original, with_original)],
                    (false, true) => vec![(original, all), (all, original)],
                    (false, false) => vec![(with_original, with_original)],
                };
                let mut modes = vec![Mode::Assign(products)];
                if !declares {
                    modes.push(Mode::Delete);
                    modes.extend((!self.narrow).then(|| Mode::Guard(comparisons())));
                }
                modes.extend(operands.iter().map(|operand| swap(&known.scope, operand)));
                if matches!(place, Place::Step(step) if !declares && encode::allocates(self.model, step)) {
                    modes.push(Mode::Retarget(all));
                }
                modes
            }
            PlaceKind::Condition { .. } => vec![Mode::Condition((0..self.conditions(place).len() as u32).collect())],
            PlaceKind::Other { operands, deletable, result, .. } => {
                let terms = known.scope.terms.iter().enumerate();
                let results = terms.filter(|(_, term)| Some(term.ty) == *result);
                let mut modes: Vec<Mode> = results.map(|(i, _)| Mode::Return(i as u32)).collect();
                modes.extend(operands.iter().map(|operand| swap(&known.scope, operand)));
                modes.extend(targets(known));
                if *deletable {
                    modes.push(Mode::Delete);
                    modes.extend((!self.narrow).then(|| Mode::Guard(comparisons())));
                }
                modes
            }
            PlaceKind::Slot => {
                let mut modes = vec![Mode::Insert(vec![(all, all)])];
                if way.budget >= 2 && !self.narrow {
                    modes.push(Mode::InsertGuarded(comparisons(), vec![(all, all)]));
                }
                if self.may_make_nodes() {
                    modes.extend([Mode::Allocate(all), Mode::Free(all)]);
                }
                modes
            }
        };
        let aim = self.aim(way);
        let has_pair = way.parts.iter().any(|part| matches!(*part.mode, Mode::Pair(..)));
        for mode in modes.into_iter().chain(wide::modes(known, way.budget)).chain(pairs(known)) {
            if self.is_over() {
                return;
            }
            let is_pair = matches!(mode, Mode::Pair(..));
            let kept_back = if self.pairs && !has_pair && !is_pair { 2 } else { 0 };
            if way.budget < mode.cost() + kept_back {
                continue;
            }
            if self.without.as_ref().is_some_and(|without| without.is_hopeless(&mode, aim)) {
                continue;
            }
            // Of those that are asked to mean something else, others never do.
            let may_mean_else = matches!(
                mode,
                Mode::Assign(_) | Mode::Insert(_) | Mode::Condition(_) | Mode::Operand(..) | Mode::Return(_)
            );
            if self.unlike.is_some() && !may_mean_else {
                continue;
            }
            // What only computes or does something else can be of use only where that matters.
            let same_cells = |action, operand| match place {
                Place::Step(step) => !may_write_elsewhere(self.model, step, action, operand),
                Place::Slot(_) => false,
            };
            let only_here = match &mode {
                Mode::Delete | Mode::Guard(_) | Mode::Return(_) => true,
                Mode::Operand(action, operand, _) => same_cells(*action, *operand),
                // Of a condition it matters where it goes, not what it computes.
                Mode::Pair(spots, _) if !matches!(known.kind, PlaceKind::Condition { .. }) => {
                    spots.iter().all(|spot| match spot {
                        EditSpot::Operand(action, operand, _) => same_cells(*action, *operand),
                        EditSpot::Target(_) => false,
                    })
                }
                _ => false,
            };
            if only_here && !self.may_influence(None, aim) || !self.may_assign(way, place, &mode, aim) {
                continue;
            }
            // Under a guard an assignment does what it does without, or nothing.
            if let (Mode::InsertGuarded(..), Some(_), false) = (&mode, &self.without, self.hopeful) {
                continue;
            }
            let is_insertion = matches!(mode, Mode::Insert(_));
            let before = std::mem::replace(&mut self.hopeful, false);
            self.try_mode(way, place, &Arc::new(mode), forced);
            self.hopeful = if is_insertion { self.hopeful } else { before };
        }
    }

    /// Whether it could be of use to make or free a node.
    fn may_make_nodes(&self) -> bool {
        let asks = |logged: &Logged| self.useful.is_none() || self.run_hopeless || logged.asks_for_nodes();
        match &self.collected {
            Some(collected) => collected.nodes,
            None => self.logged.as_ref().is_none_or(asks),
        }
    }

    /// Whether it could be of use that what a call returns is assigned to something else.
    pub(super) fn may_assign(&self, way: &Way, place: Place, mode: &Mode, aim: Aim) -> bool {
        let (Mode::Target(target), Place::Step(step)) = (mode, place) else { return true };
        // Where the target lies when the call comes back is known now if nothing is changed meanwhile.
        let last = encode::last_action(self.model, step);
        if !last.is_some_and(|last| is_still_before(self.model, step, last.id)) {
            return true;
        }
        let cell = way.machine.term_cell(self.model, &self.space.places[&place].scope.terms[*target as usize]);
        cell.is_ok_and(|cell| self.may_influence(Some(cell), aim))
    }

    /// Follows one kind of edit at a place that a run has come to.
    pub(super) fn try_mode(&mut self, way: &Way, place: Place, mode: &Arc<Mode>, forced: Option<bool>) {
        if let Mode::Target(_) = **mode {
            return self.edit_inside(way, place, mode, forced);
        }
        let mut edited = self.copy(way);
        edited.budget -= mode.cost();
        edited.progress += u32::from(forced.is_some());
        edited.parts.push(Part { place, mode: mode.clone() });
        let index = edited.parts.len() - 1;
        match self.at_edited(&mut edited, index, forced) {
            true => self.explore(edited),
            false => self.end(edited),
        }
    }

    /// Splits the set of an edited place by effect and follows each part;
    /// whether the way itself goes on (with the last part).
    pub(super) fn at_edited(&mut self, way: &mut Way, index: usize, forced: Option<bool>) -> bool {
        let Part { place, mode } = way.parts[index].clone();
        let Some(known) = self.places.get(place) else { return false };
        match &*mode {
            Mode::Target(_) => self.keep(way, place, forced),
            Mode::Operand(action, operand, set) => self.split_operand(way, index, (*action, *operand), set),
            Mode::Pair(spots, products) => self.split_pair(way, index, (spots, products), forced),
            Mode::Return(term) if !self.means_else(way, &known.scope.terms[*term as usize]) => false,
            Mode::Return(term) => match way.machine.term_value(self.model, &known.scope.terms[*term as usize]) {
                Ok(result) => {
                    way.machine.return_with(self.model, result);
                    true
                }
                Err(_) => false,
            },
            Mode::Exit(guards, statements) => self.split_exit(way, index, guards, statements),
            Mode::Choose(guards, yes, no) => self.split_cases(way, index, guards, (yes, no)),
            Mode::MovedHere(step) => way.machine.run_moved(self.model, *step).is_ok(),
            Mode::Delete | Mode::MovedAway(_) => {
                let Place::Step(step) = place else { return false };
                way.machine.skip(self.model, step);
                true
            }
            Mode::Condition(list) => self.split_condition(way, index, list, forced),
            Mode::Guard(list) => self.split_guard(way, index, list),
            Mode::Assign(products) => {
                let Place::Step(step) = place else { return false };
                let original = self.original(way, step, products);
                way.machine.skip(self.model, step);
                let children = self.split_products(way, known, products, original, &Mode::Assign);
                self.follow_children(way, index, children)
            }
            Mode::Insert(products) => {
                let children = self.split_products(way, known, products, (None, None), &Mode::Insert);
                match self.without {
                    Some(_) => self.follow_insertions(way, index, children),
                    None => self.follow_children(way, index, children),
                }
            }
            Mode::InsertGuarded(guards, products) => {
                let (yes, no) = self.split_comparisons(way, known, guards);
                let mut children = match yes.is_empty() {
                    true => Vec::new(),
                    false => self.split_products(way, known, products, (None, None), &|products| {
                        Mode::InsertGuarded(yes.clone(), products)
                    }),
                };
                if !no.is_empty() {
                    children.push(Child { effect: Effect::Nothing, mode: Mode::InsertGuarded(no, products.clone()) });
                }
                self.follow_children(way, index, children)
            }
            Mode::Retarget(targets) => {
                let Place::Step(step) = place else { return false };
                self.follow_targets(way, index, known, targets, step)
            }
            Mode::Allocate(targets) => {
                let statement = |term| NewStatement::Allocate(term);
                self.follow_statements(way, index, known, targets, &statement, &Mode::Allocate)
            }
            Mode::Free(terms) => {
                let statement = |term| NewStatement::Free(term);
                self.follow_statements(way, index, known, terms, &statement, &Mode::Free)
            }
        }
    }
}
