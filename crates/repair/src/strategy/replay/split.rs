//! Splits the set of edits of a place by effect.
//!
//! With `p` and `q` both at n1, `x = p` and `x = q` write the same: they stay
//! together and cost one run.

use std::collections::BTreeMap;
use std::sync::Arc;

use encode::{Assignment, Cell, Edit, NewStatement, Place, PlaceKind, PlaceSpace, TypedTerm};
use ir::StepId;

use super::compared::Compared;
use super::must::Must;
use super::without::Help;
use super::{Mode, ORIGINAL, Replay, Way};
use crate::strategy::bits::Bits;

/// What a statement can do.
pub(super) enum Effect {
    Write(u32, Cell),
    Nothing,
}

/// A cell that can be written, and the targets that stand for it.
struct Target {
    cell: u32,
    ty: c_types::TypeId,
    /// Whether they stand for another one in the run that they are asked to be unlike.
    is_else: bool,
    set: Bits,
    /// Whether it could be of use to write it.
    help: Help,
}

/// A value that can be written, and the sources that have it.
struct Source {
    ty: c_types::TypeId,
    value: Cell,
    is_else: bool,
    set: Bits,
}

/// The type of what is assigned as it is.
fn own_type(known: &PlaceSpace) -> Option<c_types::TypeId> {
    match known.kind {
        PlaceKind::Assignment { ty, .. } => Some(ty),
        _ => None,
    }
}

/// The cell that a term stands for, and what is in it.
type Meaning = (Option<u32>, Option<Cell>);

/// A part of a set, with what it does.
pub(super) struct Child {
    pub(super) effect: Effect,
    pub(super) mode: Mode,
}

impl Way {
    pub(super) fn take(&mut self, index: usize, child: Child) {
        if let Effect::Write(cell, value) = child.effect {
            self.machine.cells[cell as usize] = value;
        }
        self.parts[index].mode = Arc::new(child.mode);
    }
}

/// Puts children with the same effect together.
pub(super) fn merge(children: Vec<Child>, make: &dyn Fn(Vec<(Bits, Bits)>) -> Mode) -> Vec<Child> {
    let products = |mode: &Mode| match mode {
        Mode::Assign(products) | Mode::Insert(products) | Mode::InsertGuarded(_, products) => products.clone(),
        _ => Vec::new(),
    };
    let mut merged: Vec<Child> = Vec::new();
    for child in children {
        let same = |other: &&mut Child| match (&other.effect, &child.effect) {
            (Effect::Write(a, x), Effect::Write(b, y)) => a == b && x == y,
            (Effect::Nothing, Effect::Nothing) => true,
            _ => false,
        };
        match merged.iter_mut().find(same) {
            Some(known) => {
                let mut all = products(&known.mode);
                all.extend(products(&child.mode));
                known.mode = make(all);
            }
            None => merged.push(child),
        }
    }
    merged
}

impl Replay<'_> {
    /// What an assignment would do as it is, as far as the set still asks for it.
    pub(super) fn original(&self, way: &mut Way, step: StepId, products: &[(Bits, Bits)]) -> Assignment {
        let asks_target = products.iter().any(|(targets, _)| targets.contains(ORIGINAL));
        let asks_source = products.iter().any(|(_, sources)| sources.contains(ORIGINAL));
        if !asks_target && !asks_source {
            return (None, None);
        }
        let (target, source) = match self.model.code.steps[step.index()].is_simple {
            true => way.machine.assignment(self.model, step, true).unwrap_or_default(),
            // What is called for the value may crash.
            false => {
                let target = way.machine.assignment(self.model, step, false).unwrap_or_default().0;
                (target, way.machine.assignment(self.model, step, true).unwrap_or_default().1)
            }
        };
        (target.filter(|_| asks_target), source.filter(|_| asks_source))
    }

    /// Follows what is written in a slot, unless the same was of no use in another one.
    pub(super) fn follow_insertions(&mut self, way: &Way, index: usize, children: Vec<Child>) -> bool {
        for child in children {
            let written = match child.effect {
                Effect::Write(cell, value) => Some((cell, value)),
                Effect::Nothing => None,
            };
            if written.is_some_and(|(cell, value)| self.was_of_no_use(cell, value)) {
                continue;
            }
            let mut next = self.copy(way);
            next.take(index, child);
            let before = std::mem::replace(&mut self.hopeful, false);
            self.explore(next);
            if self.stopped {
                return false;
            }
            if let Some((cell, value)) = written {
                self.note_use(cell, value, self.hopeful);
            }
            self.hopeful |= before;
        }
        false
    }

    pub(super) fn follow_children(&mut self, way: &mut Way, index: usize, mut children: Vec<Child>) -> bool {
        let Some(last) = children.pop() else { return false };
        for child in children {
            let mut next = self.copy(way);
            next.take(index, child);
            self.explore(next);
            if self.stopped {
                return false;
            }
        }
        way.take(index, last);
        true
    }

    /// Groups the pairs of targets and sources by the cell and the value that is written.
    pub(super) fn split_products(
        &mut self,
        way: &Way,
        known: &PlaceSpace,
        products: &[(Bits, Bits)],
        (cell, value): (Option<u32>, Option<Cell>),
        make: &dyn Fn(Vec<(Bits, Bits)>) -> Mode,
    ) -> Vec<Child> {
        let must = match self.must_write(way) {
            Must::Cut => return Vec::new(),
            Must::Anything => None,
            Must::Write(cells) => Some(cells),
        };
        let (without, aim) = (self.without.as_ref(), self.aim(way));
        let mut nothing: Vec<(Bits, Bits)> = Vec::new();
        let mut children: Vec<Child> = Vec::new();
        for (targets, sources) in products {
            // Most cells are known to be of no use, so values are only looked for where there is a cell to put them.
            let mut cells = self.cells_of(way, known, targets, cell);
            cells.retain(|target| must.as_ref().is_none_or(|must| must.iter().any(|(cell, _)| *cell == target.cell)));
            cells.retain(|target| self.may_influence(Some(target.cell), aim));
            cells.retain_mut(|target| {
                target.help = without.map_or(Help::Always, |without| without.help(target.cell, aim));
                target.help != Help::Never
            });
            if cells.is_empty() {
                continue;
            }
            let values = self.values_of(way, known, sources, value, &cells);
            for target in &cells {
                let fits = |source: &&Source| {
                    source.ty == target.ty && (self.unlike.is_none() || target.is_else || source.is_else)
                };
                for source in values.iter().filter(fits) {
                    let effect = (target.cell, source.value);
                    if must.as_ref().is_some_and(|must| !must.contains(&effect)) {
                        continue;
                    }
                    if target.help == Help::Perhaps && without.is_some_and(|without| !without.may_help(effect, aim)) {
                        continue;
                    }
                    let product = (target.set, source.set);
                    if way.machine.cells[target.cell as usize] == source.value {
                        nothing.push(product);
                    } else {
                        let mode = make(vec![product]);
                        children.push(Child { effect: Effect::Write(target.cell, source.value), mode });
                    }
                }
            }
        }
        if !nothing.is_empty() && must.is_none() && without.is_none_or(|without| without.is_of_use(aim)) {
            children.push(Child { effect: Effect::Nothing, mode: make(nothing) });
        }
        // Different sets of pairs can have the same effect: they go together.
        merge(children, make)
    }

    /// The cells that targets stand for here.
    fn cells_of(&self, way: &Way, known: &PlaceSpace, targets: &Bits, original: Option<u32>) -> Vec<Target> {
        let terms = &known.scope.terms;
        let unlike = self.unlike.as_deref();
        let mut cells: Vec<Target> = Vec::with_capacity(32);
        for i in targets.iter() {
            let (ty, found) = match (i, own_type(known)) {
                (ORIGINAL, Some(ty)) => (ty, original),
                (ORIGINAL, None) => continue,
                _ if !terms[i].is_place() => continue,
                _ => (terms[i].ty, way.machine.term_cell(self.model, &terms[i]).ok()),
            };
            let Some(cell) = found else { continue };
            let other = unlike.filter(|_| i != ORIGINAL).map(|other| other.term_cell(self.model, &terms[i]));
            let is_else = other.is_some_and(|other| other != Ok(cell));
            let same = |target: &&mut Target| (target.cell, target.ty, target.is_else) == (cell, ty, is_else);
            match cells.iter_mut().find(same) {
                Some(target) => target.set.insert(i),
                None => cells.push(Target { cell, ty, is_else, set: Bits::one(i), help: Help::Always }),
            }
        }
        cells.sort_unstable_by_key(|target| (target.cell, target.ty, target.is_else));
        cells
    }

    /// The values that sources have here, of types that these cells have.
    fn values_of(
        &self,
        way: &Way,
        known: &PlaceSpace,
        sources: &Bits,
        original: Option<Cell>,
        cells: &[Target],
    ) -> Vec<Source> {
        let terms = &known.scope.terms;
        let mut values: Vec<Source> = Vec::with_capacity(16);
        // Terms of the same type stand together.
        let mut last: Option<(c_types::TypeId, bool)> = None;
        for i in sources.iter() {
            let ty = match (i, own_type(known)) {
                (ORIGINAL, Some(ty)) => ty,
                (ORIGINAL, None) => continue,
                _ => terms[i].ty,
            };
            let is_asked = last.filter(|(known, _)| *known == ty).map(|(_, asked)| asked);
            let is_asked = is_asked.unwrap_or_else(|| cells.iter().any(|target| target.ty == ty));
            last = Some((ty, is_asked));
            if !is_asked {
                continue;
            }
            let found = if i == ORIGINAL { original } else { way.machine.term_value(self.model, &terms[i]).ok() };
            let Some(value) = found else { continue };
            let is_else = self.unlike.is_some() && i != ORIGINAL && self.means_else(way, &terms[i]);
            let same = |source: &&mut Source| (source.ty, source.value, source.is_else) == (ty, value, is_else);
            match values.iter_mut().find(same) {
                Some(source) => source.set.insert(i),
                None => values.push(Source { ty, value, is_else, set: Bits::one(i) }),
            }
        }
        values
    }

    /// Whether a term has another value than in the run that it is asked to be unlike.
    pub(super) fn means_else(&self, way: &Way, term: &TypedTerm) -> bool {
        let Some(other) = &self.unlike else { return true };
        way.machine.term_value(self.model, term) != other.term_value(self.model, term)
    }

    pub(super) fn split_comparisons(&self, way: &Way, known: &PlaceSpace, list: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut compared = Compared::new(self.model, &way.machine, &known.scope);
        for &i in list {
            match compared.holds(i) {
                Some(true) => yes.push(i),
                Some(false) => no.push(i),
                None => {}
            }
        }
        (yes, no)
    }

    pub(super) fn split_guard(&mut self, way: &mut Way, index: usize, list: &[u32]) -> bool {
        let space = self.space;
        let place = way.parts[index].place;
        let Place::Step(step) = place else { return false };
        let (yes, no) = self.split_comparisons(way, &space.places[&place], list);
        if !no.is_empty() {
            let mut skipping = self.copy(way);
            skipping.parts[index].mode = Arc::new(Mode::Guard(no));
            skipping.machine.skip(self.model, step);
            self.explore(skipping);
        }
        let goes_on = !yes.is_empty();
        way.parts[index].mode = Arc::new(Mode::Guard(yes));
        goes_on
    }

    pub(super) fn follow_statements(
        &mut self,
        way: &Way,
        index: usize,
        known: &PlaceSpace,
        terms: &Bits,
        statement: &dyn Fn(encode::TypedTerm) -> NewStatement,
        make: &dyn Fn(Bits) -> Mode,
    ) -> bool {
        // Where `*link` is `head`, both stay together: they may part when control comes here again.
        let mut groups: Vec<(Meaning, Bits)> = Vec::new();
        for i in terms.iter() {
            let term = known.scope.terms[i];
            let is_node = self.model.program.types.target(term.ty).is_some_and(|ty| self.is_record(ty));
            if !term.is_place() || !is_node {
                continue;
            }
            let key = (way.machine.term_cell(self.model, &term).ok(), way.machine.term_value(self.model, &term).ok());
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.insert(i),
                None => groups.push((key, Bits::one(i))),
            }
        }
        for ((cell, _), group) in groups {
            let is_hopeless = self.without.as_ref().zip(cell).is_some_and(|(known, cell)| !known.may_help_new(cell));
            let Some(first) = group.iter().next().filter(|_| !is_hopeless) else { continue };
            let mut next = self.copy(way);
            if next.machine.new_statement(self.model, &statement(known.scope.terms[first])).is_ok() {
                next.parts[index].mode = Arc::new(make(group));
                self.explore(next);
            }
        }
        false
    }

    /// Lets a statement that makes a node assign it to each of these targets.
    pub(super) fn follow_targets(
        &mut self,
        way: &Way,
        index: usize,
        known: &PlaceSpace,
        targets: &Bits,
        step: StepId,
    ) -> bool {
        let PlaceKind::Assignment { ty, .. } = known.kind else { return false };
        let mut cells: BTreeMap<u32, Bits> = BTreeMap::new();
        for i in targets.iter().filter(|&i| known.scope.terms[i].ty == ty && known.scope.terms[i].is_place()) {
            if let Ok(cell) = way.machine.term_cell(self.model, &known.scope.terms[i]) {
                cells.entry(cell).or_default().insert(i);
            }
        }
        for set in cells.into_values() {
            let Some(target) = set.iter().next().map(|i| known.scope.terms[i]) else { continue };
            let mut next = self.copy(way);
            let edit = Edit::Assign { step, target: Some(target), source: None };
            if next.machine.apply(self.model, &edit).is_ok() {
                next.parts[index].mode = Arc::new(Mode::Retarget(set));
                self.explore(next);
            }
        }
        false
    }

    pub(super) fn is_record(&self, ty: c_types::TypeId) -> bool {
        self.model.program.types.as_record(ty).is_some()
    }
}
