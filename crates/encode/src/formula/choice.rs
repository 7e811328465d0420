//! What is chosen at an edited place: variables that a solver gives values.
//!
//! For `p = q` there is a mode (as written, another assignment, deleted,
//! guarded), a target, a source and a comparison. The variables are shared by
//! all rounds and all traces, as there is one statement in the text.

use std::collections::BTreeMap;

use c_types::TypeId;
use ir::{ActionId, BinaryOp};
use solver::{Model as Solution, Term, Terms};

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
    pub(super) variable: Term,
    /// `None` is what is written.
    pub(super) items: Vec<Option<TypedTerm>>,
}

/// One of some comparisons.
#[derive(Clone, Debug)]
pub(super) struct ComparePick {
    pub(super) left: Pick,
    pub(super) right: Pick,
    pub(super) op: Term,
    pub(super) ops: Vec<BinaryOp>,
}

/// The variables of a place.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) place: Place,
    pub(super) mode: Term,
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
    /// The variables of a place, and what must hold of them. `allocates` says
    /// whether statements that make a node can be inserted.
    pub(super) fn new(terms: &mut Terms, place: Place, space: &PlaceSpace, types: &c_types::Types, allocates: bool) -> (Choice, Vec<Term>) {
        let name = match place {
            Place::Step(step) => format!("step{}", step.0),
            Place::Slot(slot) => format!("slot{}", slot.0),
        };
        let mut rules = Vec::new();
        let scope = &*space.scope;
        let compare = ComparePick::new(terms, &name, &scope.comparisons, &mut rules);
        let mut choice = Choice {
            place,
            mode: terms.constant(false),
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
            PlaceKind::Assignment { ty } => {
                choice.modes.extend([Mode::Assign, Mode::Delete]);
                choice.modes.extend(guarded.then_some(Mode::Guard));
                choice.target = Some(Pick::new(terms, &format!("{name}.target"), std::iter::once(None).chain(places())));
                choice.source = Some(Pick::new(terms, &format!("{name}.source"), std::iter::once(None).chain(all())));
                choice.ty = Some(*ty);
            }
            PlaceKind::Condition { atoms } => {
                choice.modes.extend(guarded.then_some(Mode::Whole));
                for &(atom, without) in atoms {
                    choice.modes.extend(guarded.then_some(Mode::Atom(atom)));
                    choice.modes.extend(without.map(|truth| Mode::Without(atom, truth)));
                }
            }
            PlaceKind::Other { operands, deletable, result } => {
                let results: Vec<_> = all().filter(|term| term.is_some_and(|term| Some(term.ty) == *result)).collect();
                if !results.is_empty() {
                    choice.modes.push(Mode::Return);
                    choice.result = Some(Pick::new(terms, &format!("{name}.result"), results.into_iter()));
                }
                for &(action, number, ty) in operands {
                    let items: Vec<_> = all().filter(|term| term.is_some_and(|term| term.ty == ty)).collect();
                    if !items.is_empty() {
                        let name = format!("{name}.operand{}", choice.operands.len());
                        choice.modes.push(Mode::Operand(choice.operands.len()));
                        choice.operands.push((action, number, Pick::new(terms, &name, items.into_iter())));
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
                    choice.target = Some(Pick::new(terms, &format!("{name}.target"), targets.into_iter()));
                    choice.source = Some(Pick::new(terms, &format!("{name}.source"), all()));
                }
                let is_node = |term: &TypedTerm| types.target(term.ty).is_some_and(|ty| types.as_record(ty).is_some());
                let nodes: Vec<_> = places().filter(|term| allocates && term.as_ref().is_some_and(is_node)).collect();
                if !nodes.is_empty() {
                    choice.modes.push(Mode::Allocate(false));
                    choice.modes.extend(guarded.then_some(Mode::Allocate(true)));
                    choice.allocated = Some(Pick::new(terms, &format!("{name}.allocated"), nodes.into_iter()));
                }
            }
        }
        choice.mode = terms.domain_variable(&format!("{name}.mode"), choice.modes.len() as u32);
        choice.assignment_rules(terms, &mut rules);
        (choice, rules)
    }

    fn assignment_rules(&self, terms: &mut Terms, rules: &mut Vec<Term>) {
        let (Some(target), Some(source)) = (&self.target, &self.source) else { return };
        same_type(terms, target, source, self.ty, rules);
        for (i, a) in target.items.iter().enumerate() {
            for (j, b) in source.items.iter().enumerate() {
                if let (Some(a), Some(b)) = (a, b)
                    && a.ty == b.ty
                    && a.term == b.term
                {
                    rules.push(not_both(terms, target.is(i), source.is(j)));
                }
            }
        }
        if let Some(assign) = self.modes.iter().position(|mode| *mode == Mode::Assign) {
            let (mode, kept) = (terms.is_value(self.mode, assign as u32), [target, source].map(|pick| pick.is(0)));
            let kept = kept.map(|(variable, item)| terms.is_value(variable, item));
            let as_written = terms.all(&kept);
            rules.push(terms.xor(mode, as_written));
        }
    }

    /// Whether one of these modes is chosen.
    pub(super) fn mode(&self, terms: &mut Terms, is_it: impl Fn(&Mode) -> bool) -> Term {
        let chosen = self.modes.iter().enumerate().filter(|(_, mode)| is_it(mode));
        let literals: Vec<Term> = chosen.map(|(i, _)| i as u32).collect::<Vec<_>>().into_iter().map(|i| terms.is_value(self.mode, i)).collect();
        terms.any(&literals)
    }

    /// The literals and weights of its cost.
    pub(super) fn cost(&self, terms: &mut Terms) -> Vec<(Term, u64)> {
        let keep = terms.is_value(self.mode, 0);
        let guarded = self.mode(terms, |mode| matches!(mode, Mode::Insert(true) | Mode::Allocate(true)));
        vec![(terms.not(keep), 1), (guarded, 1)]
    }

    /// What a solution chose.
    pub(super) fn edit(&self, terms: &Terms, solution: &Solution) -> Option<Edit> {
        let picked = |pick: &Option<Pick>| pick.as_ref().and_then(|pick| pick.of(terms, solution));
        let comparison = || self.compare.as_ref().and_then(|compare| compare.of(terms, solution));
        let mode = self.modes[terms.evaluate(self.mode, solution) as usize];
        match (self.place, mode) {
            (_, Mode::Keep) => None,
            (Place::Step(step), Mode::Assign) => {
                Some(Edit::Assign { step, target: picked(&self.target), source: picked(&self.source) })
            }
            (Place::Step(step), Mode::Delete) => Some(Edit::Delete { step }),
            (Place::Step(step), Mode::Guard) => Some(Edit::Guard { step, condition: comparison()? }),
            (Place::Step(step), Mode::Whole) => {
                Some(Edit::Condition { step, new: NewCondition::Whole(comparison()?) })
            }
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
    pub(super) fn literals(&self, terms: &mut Terms, edit: &Edit) -> Option<Vec<Term>> {
        let mut values: Vec<(Term, u32)> = Vec::new();
        let mut compared: Option<Comparison> = None;
        let mut pick = |pick: &Option<Pick>, term: Option<TypedTerm>| pick.as_ref()?.find(term).map(|value| values.push(value));
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
                    NewStatement::Free(_) => return None,
                }
            }
        };
        if let Some(comparison) = compared {
            let compare = self.compare.as_ref()?;
            values.push(compare.left.find(Some(comparison.left))?);
            values.push(compare.right.find(Some(comparison.right))?);
            values.push((compare.op, compare.ops.iter().position(|op| *op == comparison.op)? as u32));
        }
        values.push((self.mode, self.modes.iter().position(|known| *known == mode)? as u32));
        Some(values.into_iter().map(|(variable, value)| terms.is_value(variable, value)).collect())
    }
}

impl Pick {
    fn new(terms: &mut Terms, name: &str, items: impl Iterator<Item = Option<TypedTerm>>) -> Pick {
        let items: Vec<_> = items.collect();
        Pick { variable: terms.domain_variable(name, items.len() as u32), items }
    }

    fn is(&self, item: usize) -> (Term, u32) {
        (self.variable, item as u32)
    }

    fn find(&self, term: Option<TypedTerm>) -> Option<(Term, u32)> {
        self.items.iter().position(|item| *item == term).map(|item| self.is(item))
    }

    fn of(&self, terms: &Terms, solution: &Solution) -> Option<TypedTerm> {
        self.items[terms.evaluate(self.variable, solution) as usize]
    }
}

impl ComparePick {
    fn new(terms: &mut Terms, name: &str, comparisons: &[Comparison], rules: &mut Vec<Term>) -> Option<ComparePick> {
        let (mut left, mut right, mut ops): (Vec<TypedTerm>, Vec<TypedTerm>, Vec<BinaryOp>) = Default::default();
        let mut allowed: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for comparison in comparisons {
            let pair = (number(&mut left, comparison.left), number(&mut right, comparison.right));
            *allowed.entry(pair).or_default() |= 1 << number(&mut ops, comparison.op);
        }
        if comparisons.is_empty() {
            return None;
        }
        let op = terms.domain_variable(&format!("{name}.op"), ops.len() as u32);
        let left = Pick::new(terms, &format!("{name}.left"), left.into_iter().map(Some));
        let right = Pick::new(terms, &format!("{name}.right"), right.into_iter().map(Some));
        same_type(terms, &left, &right, None, rules);
        for (i, a) in left.items.iter().enumerate() {
            for (j, b) in right.items.iter().enumerate() {
                if a.map(|term| term.ty) != b.map(|term| term.ty) {
                    continue;
                }
                let mask = allowed.get(&(i, j)).copied().unwrap_or(0);
                if mask == 0 {
                    rules.push(not_both(terms, left.is(i), right.is(j)));
                    continue;
                }
                for missing in (0..ops.len() as u32).filter(|bit| mask & 1 << bit == 0) {
                    let never = allowed.range((i, 0)..(i + 1, 0)).all(|(_, mask)| mask & 1 << missing == 0);
                    let pair = [left.is(i), if never { left.is(i) } else { right.is(j) }, (op, missing)];
                    let literals = pair.map(|(variable, value)| terms.is_value(variable, value));
                    let all = terms.all(&literals);
                    rules.push(terms.not(all));
                }
            }
        }
        Some(ComparePick { left, right, op, ops })
    }

    fn of(&self, terms: &Terms, solution: &Solution) -> Option<Comparison> {
        let op = self.ops[terms.evaluate(self.op, solution) as usize];
        Some(Comparison { left: self.left.of(terms, solution)?, op, right: self.right.of(terms, solution)? })
    }
}

fn number<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

fn not_both(terms: &mut Terms, a: (Term, u32), b: (Term, u32)) -> Term {
    let (a, b) = (terms.is_value(a.0, a.1), terms.is_value(b.0, b.1));
    let both = terms.and(a, b);
    terms.not(both)
}

/// Two picks have the same type; `kept` is the type of what is written.
fn same_type(terms: &mut Terms, a: &Pick, b: &Pick, kept: Option<TypeId>, rules: &mut Vec<Term>) {
    let ty = |item: &Option<TypedTerm>| item.map(|term| term.ty).or(kept);
    let mut types: Vec<Option<TypeId>> = a.items.iter().chain(&b.items).map(ty).collect();
    types.sort();
    types.dedup();
    for one in types {
        let [x, y] = [a, b].map(|pick| {
            let of_type = pick.items.iter().enumerate().filter(|(_, item)| ty(item) == one);
            let literals: Vec<Term> = of_type.map(|(i, _)| terms.is_value(pick.variable, i as u32)).collect();
            terms.any(&literals)
        });
        rules.push(terms.iff(x, y));
    }
}
