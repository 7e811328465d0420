//! Which edits are possible at which places.
//!
//! At `temp2 = current->prev` every place in scope can be the target and every
//! expression of the same type the source. The lists are shared by all places
//! with the same variables in scope.

use std::collections::BTreeMap;
use std::sync::Arc;

use c_types::TypeId;
use ir::{ActionId, BinaryOp};

use crate::edit::{Comparison, Edit, NewCondition, NewStatement, Place, TypedTerm};
use crate::follow::COMPARISONS;
use crate::wide::Wide;

/// The edits that are possible.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// By place; all others stay as they are.
    pub places: BTreeMap<Place, PlaceSpace>,
}

/// The edits of a place.
#[derive(Clone, Debug)]
pub struct PlaceSpace {
    /// What can be written there.
    pub scope: Arc<Scope>,
    /// What kind of place it is.
    pub kind: PlaceKind,
    /// What else can be done there in a wider search.
    pub wide: Option<Arc<Wide>>,
    /// Which two things inside of it can both be others, in a search for that.
    pub pairs: Vec<[Spot; 2]>,
}

/// Something inside of a statement that can be another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// An operand: the action, its number, its type.
    Operand(ActionId, u8, TypeId),
    /// What is assigned to, by its type.
    Target(TypeId),
}

/// The simple expressions that can be written at a place.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The expressions; those of the same type stand together.
    pub terms: Vec<TypedTerm>,
    /// Comparisons of them.
    pub comparisons: Vec<Comparison>,
}

/// What can be done at a place.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// `target = source`: either can be another, it can be deleted or guarded.
    Assignment {
        /// The type of both.
        ty: TypeId,
        /// Operands inside of a source that computes something: the action, the number, the type.
        operands: Vec<(ActionId, u8, TypeId)>,
        /// Whether it declares its target, so that only its source can be another.
        declares: bool,
    },
    /// A condition: it can be another as a whole or in one of its comparisons.
    Condition {
        /// The comparisons in a compound condition, and whether each may be left out.
        atoms: Vec<(ActionId, Option<bool>)>,
        /// Operands inside of it: the action, the number, the type.
        operands: Vec<(ActionId, u8, TypeId)>,
        /// The comparisons in it, with their operators.
        operators: Vec<(ActionId, BinaryOp, bool)>,
    },
    /// Any other statement: operands can be others, it can be deleted or guarded.
    Other {
        /// The action, the number of the operand, and its type.
        operands: Vec<(ActionId, u8, TypeId)>,
        /// Whether it can be left out.
        deletable: bool,
        /// For `return`: the type of the result.
        result: Option<TypeId>,
        /// For a statement that calls functions of the program: the type of what it computes last, which can be
        /// assigned to something else.
        assigned: Option<TypeId>,
    },
    /// New statements, with a guard or without.
    Slot,
}

/// Conditions with one operand or one operator changed.
pub fn parts(
    scope: &Scope,
    operands: &[(ActionId, u8, TypeId)],
    operators: &[(ActionId, BinaryOp, bool)],
) -> Vec<NewCondition> {
    let mut found = Vec::new();
    for &(action, operand, ty) in operands {
        let fits = scope.terms.iter().filter(|term| term.ty == ty);
        found.extend(fits.map(|&term| NewCondition::Operand(action, operand, term)));
    }
    for &(action, old, ordered) in operators {
        let count = if ordered { COMPARISONS.len() } else { 2 };
        let others = COMPARISONS[..count].iter().filter(|op| **op != old);
        found.extend(others.map(|&op| NewCondition::Operator(action, op)));
    }
    found
}

impl PlaceSpace {
    /// All edits of this place, one by one.
    pub fn edits(&self, place: Place) -> Vec<Edit> {
        let scope = &*self.scope;
        let fits = |a: &TypedTerm, b: &TypedTerm| a.ty == b.ty && a.term != b.term;
        let mut edits = Vec::new();
        let pairs = |edits: &mut Vec<Edit>, make: &dyn Fn(TypedTerm, TypedTerm) -> Edit| {
            for target in scope.terms.iter().filter(|term| term.is_place()) {
                edits.extend(scope.terms.iter().filter(|term| fits(target, term)).map(|source| make(*target, *source)));
            }
        };
        match (&self.kind, place) {
            (PlaceKind::Assignment { ty, operands, declares }, Place::Step(step)) => {
                for &(action, operand, ty) in operands {
                    let of_type = scope.terms.iter().filter(|term| term.ty == ty);
                    edits.extend(of_type.map(|&with| Edit::Operand { step, action, operand, with }));
                }
                let of_type = || scope.terms.iter().filter(|term| term.ty == *ty).copied();
                edits.extend(of_type().map(|source| Edit::Assign { step, target: None, source: Some(source) }));
                if *declares {
                    return edits;
                }
                let places = of_type().filter(TypedTerm::is_place);
                edits.extend(places.map(|target| Edit::Assign { step, target: Some(target), source: None }));
                pairs(&mut edits, &|target, source| Edit::Assign { step, target: Some(target), source: Some(source) });
                edits.push(Edit::Delete { step });
                edits.extend(scope.comparisons.iter().map(|&condition| Edit::Guard { step, condition }));
            }
            (PlaceKind::Condition { atoms, operands, operators }, Place::Step(step)) => {
                let new = |new| Edit::Condition { step, new };
                edits.extend(scope.comparisons.iter().map(|&comparison| new(NewCondition::Whole(comparison))));
                for &(atom, without) in atoms {
                    edits.extend(without.map(|truth| new(NewCondition::Without(atom, truth))));
                    edits.extend(scope.comparisons.iter().map(|&other| new(NewCondition::Atom(atom, other))));
                }
                edits.extend(parts(scope, operands, operators).into_iter().map(new));
            }
            (PlaceKind::Other { operands, deletable, result, assigned }, Place::Step(step)) => {
                let results = scope.terms.iter().filter(|term| Some(term.ty) == *result);
                edits.extend(results.map(|&with| Edit::Return { step, with }));
                for &(action, operand, ty) in operands {
                    let of_type = scope.terms.iter().filter(|term| term.ty == ty);
                    edits.extend(of_type.map(|&with| Edit::Operand { step, action, operand, with }));
                }
                let targets = scope.terms.iter().filter(|term| Some(term.ty) == *assigned && term.is_place());
                edits.extend(targets.map(|&target| Edit::Assign { step, target: Some(target), source: None }));
                if *deletable {
                    edits.push(Edit::Delete { step });
                    edits.extend(scope.comparisons.iter().map(|&condition| Edit::Guard { step, condition }));
                }
            }
            (PlaceKind::Slot, Place::Slot(slot)) => {
                let mut plain: Vec<NewStatement> = Vec::new();
                for target in scope.terms.iter().filter(|term| term.is_place()) {
                    let sources = scope.terms.iter().filter(|term| fits(target, term));
                    plain.extend(sources.map(|source| NewStatement::Assign(*target, *source)));
                }
                edits.extend(plain.iter().map(|&statement| Edit::Insert { slot, guard: None, statement }));
                for &guard in &scope.comparisons {
                    let guarded = |&statement| Edit::Insert { slot, guard: Some(guard), statement };
                    edits.extend(plain.iter().map(guarded));
                }
            }
            _ => {}
        }
        edits.extend(self.wide_edits(place));
        edits
    }

    /// The edits of the wider search, but for assignments with two cases, of which there are too many.
    pub fn wide_edits(&self, place: Place) -> Vec<Edit> {
        let (Some(wide), comparisons) = (&self.wide, &self.scope.comparisons) else { return Vec::new() };
        match place {
            Place::Step(step) => {
                let moves = wide.moves.iter().map(|&slot| Edit::Move { step, slot });
                let is_condition = matches!(self.kind, PlaceKind::Condition { .. });
                let conditions = if is_condition { wide_conditions(comparisons, &wide.joins) } else { Vec::new() };
                moves.chain(conditions.into_iter().map(|new| Edit::Condition { step, new })).collect()
            }
            Place::Slot(slot) => {
                let guards = || std::iter::once(None).chain(comparisons.iter().copied().map(Some));
                let exits = |&statement| guards().map(move |guard| Edit::Insert { slot, guard, statement });
                wide.exits.iter().flat_map(exits).collect()
            }
        }
    }
}

/// Conditions with another comparison or connective, or with sides exchanged.
pub fn wide_conditions(comparisons: &[Comparison], joins: &[ActionId]) -> Vec<NewCondition> {
    let mut found: Vec<NewCondition> = joins.iter().map(|&join| NewCondition::Connective(join)).collect();
    found.extend(joins.iter().map(|&join| NewCondition::Swapped(join)));
    for &comparison in comparisons {
        let both = |and| [NewCondition::Before(and, comparison), NewCondition::After(and, comparison)];
        found.extend([true, false].into_iter().flat_map(both));
    }
    found
}
