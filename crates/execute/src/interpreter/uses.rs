//! How often each local of a function is read.

use ir::{Access, AccessRoot, ActionKind, Callee, Code, Function, Operand, OperandKind, Projection, Rvalue};

/// The number of reads of each local.
pub fn count(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.locals.len()];
    code(&function.body, &mut uses);
    uses
}

fn code(items: &[Code], uses: &mut [u32]) {
    for item in items {
        match item {
            Code::Act(action) => act(&action.kind, uses),
            Code::DeclareArray { size, .. } => operand(size, uses),
            Code::If { test, then, otherwise, .. } => {
                operand(test, uses);
                code(then, uses);
                code(otherwise, uses);
            }
            Code::Loop(looped) => {
                looped.test.iter().for_each(|test| operand(test, uses));
                [&looped.condition, &looped.body, &looped.update].into_iter().for_each(|part| code(part, uses));
            }
            Code::Switch { value, body, .. } => {
                operand(value, uses);
                code(body, uses);
            }
            Code::Return(Some(value)) => operand(value, uses),
            _ => {}
        }
    }
}

fn act(action: &ActionKind, uses: &mut [u32]) {
    match action {
        ActionKind::Assign { value, .. } => rvalue(value, uses),
        ActionKind::Store { to, value } => {
            access(to, uses);
            operand(value, uses);
        }
        ActionKind::Clear { to } => access(to, uses),
        ActionKind::Call { callee, arguments, .. } => {
            if let Callee::Pointer(pointer) = callee {
                operand(pointer, uses);
            }
            arguments.iter().for_each(|argument| operand(argument, uses));
        }
        ActionKind::Concrete { .. } => {}
    }
}

fn rvalue(value: &Rvalue, uses: &mut [u32]) {
    match value {
        Rvalue::Use(a) | Rvalue::Unary(_, a, _) | Rvalue::Convert { value: a, .. } => operand(a, uses),
        Rvalue::Binary(_, a, b, _) => [a, b].into_iter().for_each(|o| operand(o, uses)),
        Rvalue::Offset { pointer: a, index: b, scale: c, .. } | Rvalue::Distance { left: a, right: b, scale: c } => {
            [a, b, c].into_iter().for_each(|o| operand(o, uses));
        }
        Rvalue::Load(place) | Rvalue::AddressOf(place) => access(place, uses),
    }
}

fn access(place: &Access, uses: &mut [u32]) {
    match &place.root {
        AccessRoot::Local(local) => uses[local.index()] += 1,
        AccessRoot::Deref(pointer) => operand(pointer, uses),
        _ => {}
    }
    for projection in &place.path {
        if let Projection::Index { index, scale, .. } = projection {
            operand(index, uses);
            operand(scale, uses);
        }
    }
}

fn operand(operand: &Operand, uses: &mut [u32]) {
    if let OperandKind::Local(local) = operand.kind {
        uses[local.index()] += 1;
    }
}
