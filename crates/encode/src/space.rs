//! Which edits are possible at which places.
//!
//! At `temp2 = current->prev` every place in scope can be the target and every
//! expression of the same type the source. The lists are shared by all places
//! with the same variables in scope.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use c_types::TypeId;
use ir::{ActionId, BinaryOp};

use crate::edit::{Comparison, Edit, NewCondition, NewStatement, Place, Term, TypedTerm};
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
    /// The numbers of the terms that each of them compares.
    pub sides: Vec<[u16; 2]>,
}

impl Scope {
    /// Terms, and comparisons of these.
    pub fn new(terms: Vec<TypedTerm>, comparisons: Vec<Comparison>) -> Scope {
        let numbers: HashMap<(TypeId, Term), u16> = terms.iter().map(|term| (term.ty, term.term)).zip(0..).collect();
        let number = |term: &TypedTerm| numbers[&(term.ty, term.term)];
        let sides = comparisons.iter().map(|comparison| [number(&comparison.left), number(&comparison.right)]);
        Scope { sides: sides.collect(), terms, comparisons }
    }
}

/// Something that can stand in the place of a condition.
#[derive(Clone, Copy, Debug)]
pub struct Possible {
    /// The condition.
    pub new: NewCondition,
    /// The number of the comparison of the scope that is in it, if there is one.
    pub comparison: Option<u32>,
}

impl From<NewCondition> for Possible {
    fn from(new: NewCondition) -> Possible {
        Possible { new, comparison: None }
    }
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

impl PlaceSpace {
    /// All that can stand in the place of a condition.
    pub fn conditions(&self) -> Vec<Possible> {
        let mut all = self.simple_conditions();
        all.extend(self.wide_conditions());
        all
    }

    /// The same condition with each of the comparisons.
    fn compared(&self, make: impl Fn(Comparison) -> NewCondition) -> impl Iterator<Item = Possible> {
        let numbered = self.scope.comparisons.iter().zip(0..);
        numbered.map(move |(&other, number)| Possible { new: make(other), comparison: Some(number) })
    }

    fn simple_conditions(&self) -> Vec<Possible> {
        let PlaceKind::Condition { atoms, operands, operators } = &self.kind else { return Vec::new() };
        let mut all: Vec<Possible> = self.compared(NewCondition::Whole).collect();
        for &(atom, without) in atoms {
            all.extend(without.map(|truth| Possible::from(NewCondition::Without(atom, truth))));
            all.extend(self.compared(|other| NewCondition::Atom(atom, other)));
        }
        for &(action, operand, ty) in operands {
            let fits = self.scope.terms.iter().filter(|term| term.ty == ty);
            all.extend(fits.map(|&term| Possible::from(NewCondition::Operand(action, operand, term))));
        }
        for &(action, old, ordered) in operators {
            let count = if ordered { COMPARISONS.len() } else { 2 };
            let others = COMPARISONS[..count].iter().filter(|op| **op != old);
            all.extend(others.map(|&op| Possible::from(NewCondition::Operator(action, op))));
        }
        all
    }

    /// Conditions with another comparison or connective, or with sides exchanged.
    fn wide_conditions(&self) -> Vec<Possible> {
        let (Some(wide), PlaceKind::Condition { .. }) = (&self.wide, &self.kind) else { return Vec::new() };
        let joins = wide.joins.iter();
        let both = joins.flat_map(|&join| [NewCondition::Connective(join), NewCondition::Swapped(join)]);
        let mut all: Vec<Possible> = both.map(Possible::from).collect();
        for and in [true, false] {
            all.extend(self.compared(|other| NewCondition::Before(and, other)));
            all.extend(self.compared(|other| NewCondition::After(and, other)));
        }
        all
    }

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
            (PlaceKind::Condition { .. }, Place::Step(step)) => {
                let conditions = self.simple_conditions().into_iter();
                edits.extend(conditions.map(|Possible { new, .. }| Edit::Condition { step, new }));
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
                let conditions = self.wide_conditions().into_iter();
                moves.chain(conditions.map(|Possible { new, .. }| Edit::Condition { step, new })).collect()
            }
            Place::Slot(slot) => {
                let guards = || std::iter::once(None).chain(comparisons.iter().copied().map(Some));
                let exits = |&statement| guards().map(move |guard| Edit::Insert { slot, guard, statement });
                wide.exits.iter().flat_map(exits).collect()
            }
        }
    }
}
