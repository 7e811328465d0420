//! What a statement computes last: in `pivot = partition(list)` the call, whose
//! result could be assigned to something else.

use c_types::TypeId;
use ir::{Action, ActionKind, Callee, FunctionRef, StepId, StepKind};

use crate::cell::Scalar;
use crate::code::Instruction;
use crate::machine::Model;

/// The last action of a statement.
pub fn last_action(model: &Model, step: StepId) -> Option<&Action> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    match &code[place.start as usize + 1..place.end as usize].last()? {
        Instruction::Act(action) => Some(action),
        _ => None,
    }
}

/// The type of what a statement that calls functions of the program computes last.
pub fn result_of_call(model: &Model, step: StepId) -> Option<TypeId> {
    let program = &model.program;
    let place = &model.code.steps[step.index()];
    let locals = &program.functions[place.function as usize].locals;
    if program.step(step).kind != StepKind::Expression || !place.calls {
        return None;
    }
    let ty = match &last_action(model, step)?.kind {
        ActionKind::Assign { to, .. } | ActionKind::Call { to: Some(to), .. } => locals[to.index()].ty,
        ActionKind::Store { to, .. } if to.bits.is_none() => to.ty,
        ActionKind::Call { to: None, callee: Callee::Direct(FunctionRef::Own(id)), .. } => program.function(*id).result,
        _ => return None,
    };
    Scalar::of(&program.types, ty).map(|_| ty)
}
