//! The wider space: what beginners write wrong besides single statements.
//!
//! A condition can get one more comparison, an `&&` can become `||`, a loop or
//! function can be left early, a statement can stand elsewhere, an assignment
//! can have two cases; and longer terms are compared.

use std::sync::Arc;

use encode::{COMPARISONS, Comparison, Model, NewStatement, Place, PlaceKind, Scalar, Scope, SlotId, Term};
use encode::{TypedTerm, Wide, joins};
use ir::{FunctionId, StepId, StepKind};

/// More comparisons than this in a scope: only the simplest are compared.
const MOST_COMPARISONS: usize = 3_000;

/// What else can be done at a place.
pub fn wide(model: &Model, place: Place, scope: &Scope, kind: &PlaceKind) -> Arc<Wide> {
    Arc::new(match place {
        Place::Slot(slot) => Wide { exits: exits(model, slot, scope), ..Wide::default() },
        Place::Step(step) => {
            let plain = model.program.step(step).kind == StepKind::Expression && is_still(model, step);
            Wide {
                joins: joins(model, step).into_iter().map(|(action, _)| action).collect(),
                moves: if plain { moves(model, step) } else { Vec::new() },
                cases: plain && matches!(kind, PlaceKind::Assignment { .. }) && !encode::allocates(model, step),
                exits: Vec::new(),
            }
        }
    })
}

/// Whether a statement calls no function of the program.
fn is_still(model: &Model, step: StepId) -> bool {
    let place = &model.code.steps[step.index()];
    place.exists && !place.is_condition && !place.calls
}

/// The slots of the function that are not next to the statement.
fn moves(model: &Model, step: StepId) -> Vec<SlotId> {
    let place = &model.code.steps[step.index()];
    let function = FunctionId(place.function);
    let slots = model.code.slots.iter().enumerate();
    let others = slots.filter(|(_, slot)| slot.function == function && slot.pc + 1 != place.start);
    others.filter(|(_, slot)| slot.pc != place.end).map(|(i, _)| SlotId(i as u32)).collect()
}

fn exits(model: &Model, slot: SlotId, scope: &Scope) -> Vec<NewStatement> {
    let slot = &model.code.slots[slot.0 as usize];
    let result = model.program.function(slot.function).result;
    let mut found: Vec<NewStatement> = Vec::new();
    found.extend(slot.breaks_to.map(|_| NewStatement::Break));
    found.extend(slot.continues_to.map(|_| NewStatement::Continue));
    match Scalar::of(&model.program.types, result) {
        Some(_) => {
            let results = scope.terms.iter().filter(|term| term.ty == result);
            found.extend(results.map(|&term| NewStatement::Return(Some(term))));
        }
        None => found.push(NewStatement::Return(None)),
    }
    found
}

/// Comparisons of more terms than the ordinary space has.
pub fn comparisons(terms: &[TypedTerm]) -> Vec<Comparison> {
    let found = compare(terms, &|left, right| rank(left) + rank(right) <= 2);
    match found.len() > MOST_COMPARISONS {
        true => compare(terms, &|left, right| rank(left) + rank(right) <= 1),
        false => found,
    }
}

/// How unlikely a term is in a comparison.
fn rank(term: &TypedTerm) -> usize {
    match term.term {
        Term::Number(_) | Term::Variable(_) => 0,
        Term::Field(..) | Term::Deref(_) | Term::DerefField(..) | Term::Member(..) => 1,
        Term::Chain(..) => 2,
        _ => 3,
    }
}

fn compare(terms: &[TypedTerm], is_likely: &dyn Fn(&TypedTerm, &TypedTerm) -> bool) -> Vec<Comparison> {
    let is_number = |term: &TypedTerm| matches!(term.term, Term::Number(_));
    let mut found = Vec::new();
    for (i, left) in terms.iter().enumerate() {
        for right in terms[i + 1..].iter().filter(|right| right.ty == left.ty && is_likely(left, right)) {
            let (left, right) = if is_number(left) { (right, left) } else { (left, right) };
            if is_number(left) {
                continue;
            }
            let count = if left.scalar == Scalar::Pointer { 2 } else { COMPARISONS.len() };
            found.extend(COMPARISONS[..count].iter().map(|&op| Comparison { left: *left, op, right: *right }));
        }
    }
    found
}
