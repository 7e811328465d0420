//! Random edits, and all edits that cost one.

use encode::{Edit, Model, NewCondition, NewStatement, Place, PlaceKind, PlaceSpace, Space, TypedTerm};

use crate::generate::Random;

/// Whether following this edit is possible at all: the value of a call is
/// computed on a copy, and what a declaration is given is lost.
pub fn can_be_followed(model: &Model, edit: &Edit) -> bool {
    // Changes inside of a condition are not part of the formula.
    if let Edit::Condition { new: NewCondition::Operand(..) | NewCondition::Operator(..), .. } = edit {
        return false;
    }
    let Edit::Assign { step, target, source } = edit else { return true };
    let declares = model.program.step(*step).kind == ir::StepKind::Declaration;
    !(calls(model, *step) && source.is_none() || declares && target.is_none())
}

/// Whether a statement calls something.
pub fn calls(model: &Model, step: ir::StepId) -> bool {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    code.iter().any(|instruction| match instruction {
        encode::Instruction::Act(action) => matches!(action.kind, ir::ActionKind::Call { .. }),
        _ => false,
    })
}

/// Random edits of a space, at most one for each place.
pub fn edits(model: &Model, space: &Space, random: &mut Random, most: usize, allocate: bool) -> Vec<Edit> {
    let places: Vec<_> = space.places.iter().collect();
    let mut found: Vec<Edit> = Vec::new();
    for _ in 0..random.below(most + 1).min(places.len()) {
        let (place, kind) = *random.pick(&places);
        let edit = edit(model, *place, kind, random, allocate);
        let fits =
            |edit: &Edit| can_be_followed(model, edit) && !found.iter().any(|other| other.place() == edit.place());
        if let Some(edit) = edit.filter(fits) {
            found.push(edit);
        }
    }
    found
}

fn edit(model: &Model, place: Place, space: &PlaceSpace, random: &mut Random, allocate: bool) -> Option<Edit> {
    let Place::Slot(slot) = place else {
        let all = space.edits(place);
        return (!all.is_empty()).then(|| *random.pick(&all));
    };
    let scope = &space.scope;
    let targets: Vec<&TypedTerm> = scope.terms.iter().filter(|term| term.is_place()).collect();
    let guard = (random.below(2) == 0 && !scope.comparisons.is_empty()).then(|| *random.pick(&scope.comparisons));
    let target = **random.pick(&targets);
    let sources: Vec<&TypedTerm> =
        scope.terms.iter().filter(|term| term.ty == target.ty && term.term != target.term).collect();
    let types = &model.program.types;
    let is_node = types.target(target.ty).is_some_and(|ty| types.as_record(ty).is_some());
    let statement = match () {
        () if allocate && is_node && random.below(3) == 0 => NewStatement::Allocate(target),
        () if sources.is_empty() => return None,
        () => NewStatement::Assign(target, **random.pick(&sources)),
    };
    Some(Edit::Insert { slot, guard, statement })
}

/// All edits of a place that cost one.
pub fn cheap(place: Place, space: &PlaceSpace) -> Vec<Edit> {
    let plain = match space.kind {
        // Guarded insertions cost two, and there are millions.
        PlaceKind::Slot => {
            let scope = encode::Scope::new(space.scope.terms.clone(), Vec::new());
            PlaceSpace { scope: scope.into(), kind: PlaceKind::Slot, wide: None, pairs: Vec::new() }
        }
        _ => space.clone(),
    };
    plain.edits(place)
}
