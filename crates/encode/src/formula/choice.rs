//! What is chosen at an edited place: variables that a solver gives values.
//!
//! For `p = q` there is a mode (as written, another assignment, deleted,
//! guarded), a target, a source and a comparison. The variables are shared by
//! all rounds and all traces, as there is one statement in the text.

use std::collections::BTreeMap;

use c_types::TypeId;
use ir::{ActionId, BinaryOp};
use solver::{Model as Solution, Term, Terms};

use super::FormulaOptions;
use super::number::Number;
use crate::edit::{Comparison, Edit, NewCondition, NewStatement, Place, TypedTerm};
use crate::space::{PlaceKind, PlaceSpace};

/// What is done at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// As written; nothing at a slot.
    Keep,
    /// Another target or source.
    Assign,
    /// Left out.
    Delete,
    /// Only under the comparison.
    Guard,
    /// The comparison is the condition.
    Whole,
    /// The comparison stands in the place of this one.
    Atom(ActionId),
    /// This comparison is left out.
    Without(ActionId, bool),
    /// An operand of an action is another, by its number in [`Choice::operands`].
    Operand(usize),
    /// Another result.
    Return,
    /// A new assignment, under the comparison or not.
    Insert(bool),
    /// A new node.
    Allocate(bool),
}

/// One of some terms.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    pub(super) number: Number,
    /// `None` is what is written.
    pub(super) items: Vec<Option<TypedTerm>>,
}

/// One of some comparisons.
#[derive(Clone, Debug)]
pub(super) struct ComparePick {
    pub(super) left: Pick,
    pub(super) right: Pick,
    pub(super) op: Number,
    pub(super) ops: Vec<BinaryOp>,
}

/// The variables of a place.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) place: Place,
    pub(super) mode: Number,
    pub(super) modes: Vec<Mode>,
    pub(super) target: Option<Pick>,
    pub(super) source: Option<Pick>,
    /// The type of an assignment as it is written.
    pub(super) ty: Option<TypeId>,
    pub(super) compare: Option<ComparePick>,
    pub(super) operands: Vec<(ActionId, u8, Pick)>,
    /// What `return` may give.
    pub(super) result: Option<Pick>,
    /// The pointers that a new node can be assigned to.
    pub(super) allocated: Option<Pick>,
}

impl Choice {
    /// The variables of a place, and what must hold of them.
    pub(super) fn new(
        terms: &mut Terms,
        place: Place,
        space: &PlaceSpace,
        types: &c_types::Types,
        options: &FormulaOptions,
    ) -> (Choice, Vec<Term>) {
        let name = match place {
            Place::Step(step) => format!("step{}", step.0),
            Place::Slot(slot) => format!("slot{}", slot.0),
        };
        let scope = &*space.scope;
        let mut maker = Maker { terms, one_hot: options.one_hot, rules: Vec::new() };
        let compare = ComparePick::new(&mut maker, &name, &scope.comparisons);
        let mut choice = Choice {
            place,
            mode: maker.number(&format!("{name}.none"), 1),
            modes: vec![Mode::Keep],
            target: None,
            source: None,
            ty: None,
            compare,
            operands: Vec::new(),
            result: None,
            allocated: None,
        };
        let guarded = choice.compare.is_some();
        let places = || scope.terms.iter().filter(|term| term.is_place()).copied().map(Some);
        let all = || scope.terms.iter().copied().map(Some);
        match &space.kind {
            PlaceKind::Assignment { ty, declares, .. } => {
                choice.modes.push(Mode::Assign);
                if !declares {
                    choice.modes.push(Mode::Delete);
                    choice.modes.extend(guarded.then_some(Mode::Guard));
                }
                let others = places().filter(|_| !declares);
                choice.target = Some(maker.pick(&format!("{name}.target"), std::iter::once(None).chain(others)));
                choice.source = Some(maker.pick(&format!("{name}.source"), std::iter::once(None).chain(all())));
                choice.ty = Some(*ty);
            }
            // Changes inside of a condition are left to replay.
            PlaceKind::Condition { atoms, .. } => {
                choice.modes.extend(guarded.then_some(Mode::Whole));
                for &(atom, without) in atoms {
                    choice.modes.extend(guarded.then_some(Mode::Atom(atom)));
                    choice.modes.extend(without.map(|truth| Mode::Without(atom, truth)));
                }
            }
            // Another target for what a call returns is left to replay.
            PlaceKind::Other { operands, deletable, result, .. } => {
                let results: Vec<_> = all().filter(|term| term.is_some_and(|term| Some(term.ty) == *result)).collect();
                if !results.is_empty() {
                    choice.modes.push(Mode::Return);
                    choice.result = Some(maker.pick(&format!("{name}.result"), results.into_iter()));
                }
                for &(action, number, ty) in operands {
                    let items: Vec<_> = all().filter(|term| term.is_some_and(|term| term.ty == ty)).collect();
                    if !items.is_empty() {
                        let name = format!("{name}.operand{}", choice.operands.len());
                        choice.modes.push(Mode::Operand(choice.operands.len()));
                        choice.operands.push((action, number, maker.pick(&name, items.into_iter())));
                    }
                }
                if *deletable {
                    choice.modes.push(Mode::Delete);
                    choice.modes.extend(guarded.then_some(Mode::Guard));
                }
            }
            PlaceKind::Slot => {
                // Only what has a partner can be the target of an assignment.
                let partner = |a: &TypedTerm| scope.terms.iter().any(|b| b.ty == a.ty && b.term != a.term);
                let targets: Vec<_> = places().filter(|term| term.as_ref().is_some_and(partner)).collect();
                if !targets.is_empty() {
                    choice.modes.push(Mode::Insert(false));
                    choice.modes.extend(guarded.then_some(Mode::Insert(true)));
                    choice.target = Some(maker.pick(&format!("{name}.target"), targets.into_iter()));
                    choice.source = Some(maker.pick(&format!("{name}.source"), all()));
                }
                let is_node = |term: &TypedTerm| types.target(term.ty).is_some_and(|ty| types.as_record(ty).is_some());
                let nodes: Vec<_> =
                    places().filter(|term| options.allocations && term.as_ref().is_some_and(is_node)).collect();
                if !nodes.is_empty() {
                    choice.modes.push(Mode::Allocate(false));
                    choice.modes.extend(guarded.then_some(Mode::Allocate(true)));
                    choice.allocated = Some(maker.pick(&format!("{name}.allocated"), nodes.into_iter()));
                }
            }
        }
        choice.mode = maker.number(&format!("{name}.mode"), choice.modes.len());
        choice.assignment_rules(&mut maker);
        (choice, maker.rules)
    }

    fn assignment_rules(&self, maker: &mut Maker<'_>) {
        let (Some(target), Some(source)) = (&self.target, &self.source) else { return };
        maker.same_type(target, source, self.ty);
        for (i, a) in target.items.iter().enumerate() {
            for (j, b) in source.items.iter().enumerate() {
                if let (Some(a), Some(b)) = (a, b)
                    && a.ty == b.ty
                    && a.term == b.term
                {
                    maker.not_all(&[target.number.is(i), source.number.is(j)]);
                }
            }
        }
        if let Some(assign) = self.modes.iter().position(|mode| *mode == Mode::Assign) {
            let kept = [target.number.is(0), source.number.is(0)];
            let as_written = maker.terms.all(&kept);
            let rule = maker.terms.xor(self.mode.is(assign), as_written);
            maker.rules.push(rule);
        }
    }

    /// Whether one of these modes is chosen.
    pub(super) fn mode(&self, terms: &mut Terms, is_it: impl Fn(&Mode) -> bool) -> Term {
        let chosen = self.modes.iter().enumerate().filter(|(_, mode)| is_it(mode));
        let literals: Vec<Term> = chosen.map(|(i, _)| self.mode.is(i)).collect();
        terms.any(&literals)
    }

    /// The literals and weights of its cost.
    pub(super) fn cost(&self, terms: &mut Terms) -> Vec<(Term, u64)> {
        let keep = self.mode.is(0);
        let guarded = self.mode(terms, |mode| matches!(mode, Mode::Insert(true) | Mode::Allocate(true)));
        vec![(terms.not(keep), 1), (guarded, 1)]
    }

    /// What a solution chose.
    pub(super) fn edit(&self, terms: &Terms, solution: &Solution) -> Option<Edit> {
        let picked = |pick: &Option<Pick>| pick.as_ref().and_then(|pick| pick.of(terms, solution));
        let comparison = || self.compare.as_ref().and_then(|compare| compare.of(terms, solution));
        let mode = self.modes[self.mode.of(terms, solution)];
        match (self.place, mode) {
            (_, Mode::Keep) => None,
            (Place::Step(step), Mode::Assign) => {
                Some(Edit::Assign { step, target: picked(&self.target), source: picked(&self.source) })
            }
            (Place::Step(step), Mode::Delete) => Some(Edit::Delete { step }),
            (Place::Step(step), Mode::Guard) => Some(Edit::Guard { step, condition: comparison()? }),
            (Place::Step(step), Mode::Whole) => Some(Edit::Condition { step, new: NewCondition::Whole(comparison()?) }),
            (Place::Step(step), Mode::Atom(action)) => {
                Some(Edit::Condition { step, new: NewCondition::Atom(action, comparison()?) })
            }
            (Place::Step(step), Mode::Without(action, truth)) => {
                Some(Edit::Condition { step, new: NewCondition::Without(action, truth) })
            }
            (Place::Step(step), Mode::Operand(which)) => {
                let (action, operand, pick) = &self.operands[which];
                Some(Edit::Operand { step, action: *action, operand: *operand, with: pick.of(terms, solution)? })
            }
            (Place::Step(step), Mode::Return) => Some(Edit::Return { step, with: picked(&self.result)? }),
            (Place::Slot(slot), Mode::Insert(guarded)) => {
                let guard = if guarded { Some(comparison()?) } else { None };
                let statement = NewStatement::Assign(picked(&self.target)?, picked(&self.source)?);
                Some(Edit::Insert { slot, guard, statement })
            }
            (Place::Slot(slot), Mode::Allocate(guarded)) => {
                let guard = if guarded { Some(comparison()?) } else { None };
                Some(Edit::Insert { slot, guard, statement: NewStatement::Allocate(picked(&self.allocated)?) })
            }
            _ => None,
        }
    }

    /// What must be chosen for this edit; `None` if it cannot be.
    pub(super) fn literals(&self, edit: &Edit) -> Option<Vec<Term>> {
        let mut values: Vec<Term> = Vec::new();
        let mut compared: Option<Comparison> = None;
        let mut pick =
            |pick: &Option<Pick>, term: Option<TypedTerm>| pick.as_ref()?.find(term).map(|value| values.push(value));
        let mode = match *edit {
            Edit::Assign { target, source, .. } => {
                pick(&self.target, target)?;
                pick(&self.source, source)?;
                Mode::Assign
            }
            Edit::Delete { .. } => Mode::Delete,
            Edit::Guard { condition, .. } => {
                compared = Some(condition);
                Mode::Guard
            }
            Edit::Condition { new: NewCondition::Whole(comparison), .. } => {
                compared = Some(comparison);
                Mode::Whole
            }
            Edit::Condition { new: NewCondition::Atom(action, comparison), .. } => {
                compared = Some(comparison);
                Mode::Atom(action)
            }
            Edit::Condition { new: NewCondition::Without(action, truth), .. } => Mode::Without(action, truth),
            // The rest is left to replay.
            Edit::Condition { .. } | Edit::Move { .. } | Edit::Choose { .. } => return None,
            Edit::Operand { action, operand, with, .. } => {
                let which = self.operands.iter().position(|known| known.0 == action && known.1 == operand)?;
                values.push(self.operands[which].2.find(Some(with))?);
                Mode::Operand(which)
            }
            Edit::Return { with, .. } => {
                pick(&self.result, Some(with))?;
                Mode::Return
            }
            Edit::Insert { guard, statement, .. } => {
                compared = guard;
                match statement {
                    NewStatement::Assign(target, source) => {
                        pick(&self.target, Some(target))?;
                        pick(&self.source, Some(source))?;
                        Mode::Insert(guard.is_some())
                    }
                    NewStatement::Allocate(target) => {
                        pick(&self.allocated, Some(target))?;
                        Mode::Allocate(guard.is_some())
                    }
                    _ => return None,
                }
            }
        };
        if let Some(comparison) = compared {
            let compare = self.compare.as_ref()?;
            values.push(compare.left.find(Some(comparison.left))?);
            values.push(compare.right.find(Some(comparison.right))?);
            values.push(compare.op.is(compare.ops.iter().position(|op| *op == comparison.op)?));
        }
        values.push(self.mode.is(self.modes.iter().position(|known| *known == mode)?));
        Some(values)
    }
}

impl Pick {
    fn find(&self, term: Option<TypedTerm>) -> Option<Term> {
        self.items.iter().position(|item| *item == term).map(|item| self.number.is(item))
    }

    fn of(&self, terms: &Terms, solution: &Solution) -> Option<TypedTerm> {
        self.items[self.number.of(terms, solution)]
    }
}

impl ComparePick {
    fn new(maker: &mut Maker<'_>, name: &str, comparisons: &[Comparison]) -> Option<ComparePick> {
        let (mut left, mut right, mut ops): (Vec<TypedTerm>, Vec<TypedTerm>, Vec<BinaryOp>) = Default::default();
        let mut allowed: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for comparison in comparisons {
            let pair = (number(&mut left, comparison.left), number(&mut right, comparison.right));
            *allowed.entry(pair).or_default() |= 1 << number(&mut ops, comparison.op);
        }
        if comparisons.is_empty() {
            return None;
        }
        let op = maker.number(&format!("{name}.op"), ops.len());
        let left = maker.pick(&format!("{name}.left"), left.into_iter().map(Some));
        let right = maker.pick(&format!("{name}.right"), right.into_iter().map(Some));
        maker.same_type(&left, &right, None);
        for (i, a) in left.items.iter().enumerate() {
            for (j, b) in right.items.iter().enumerate() {
                if a.map(|term| term.ty) != b.map(|term| term.ty) {
                    continue;
                }
                let mask = allowed.get(&(i, j)).copied().unwrap_or(0);
                if mask == 0 {
                    maker.not_all(&[left.number.is(i), right.number.is(j)]);
                    continue;
                }
                for missing in (0..ops.len()).filter(|bit| mask & 1 << bit == 0) {
                    // What is missing for the whole left side needs not be said of each pair.
                    let never = allowed.range((i, 0)..(i + 1, 0)).all(|(_, mask)| mask & 1 << missing == 0);
                    let other = if never { left.number.is(i) } else { right.number.is(j) };
                    maker.not_all(&[left.number.is(i), other, op.is(missing)]);
                }
            }
        }
        Some(ComparePick { left, right, op, ops })
    }

    fn of(&self, terms: &Terms, solution: &Solution) -> Option<Comparison> {
        let op = self.ops[self.op.of(terms, solution)];
        Some(Comparison { left: self.left.of(terms, solution)?, op, right: self.right.of(terms, solution)? })
    }
}

fn number<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Makes the variables of a place.
struct Maker<'t> {
    terms: &'t mut Terms,
    one_hot: bool,
    rules: Vec<Term>,
}

impl Maker<'_> {
    fn number(&mut self, name: &str, count: usize) -> Number {
        Number::new(self.terms, name, count, self.one_hot, &mut self.rules)
    }

    fn pick(&mut self, name: &str, items: impl Iterator<Item = Option<TypedTerm>>) -> Pick {
        let items: Vec<_> = items.collect();
        Pick { number: self.number(name, items.len()), items }
    }

    fn not_all(&mut self, literals: &[Term]) {
        let all = self.terms.all(literals);
        self.rules.push(self.terms.not(all));
    }

    /// Two picks have the same type; `kept` is the type of what is written.
    fn same_type(&mut self, a: &Pick, b: &Pick, kept: Option<TypeId>) {
        let ty = |item: &Option<TypedTerm>| item.map(|term| term.ty).or(kept);
        let mut types: Vec<Option<TypeId>> = a.items.iter().chain(&b.items).map(ty).collect();
        types.sort();
        types.dedup();
        for one in types {
            let [x, y] = [a, b].map(|pick| {
                let of_type = pick.items.iter().enumerate().filter(|(_, item)| ty(item) == one);
                let literals: Vec<Term> = of_type.map(|(i, _)| pick.number.is(i)).collect();
                self.terms.any(&literals)
            });
            self.rules.push(self.terms.iff(x, y));
        }
    }
}
