//! The operands of an action, by number: those that an edit may replace.
//!
//! In `t1 := p + q` operand 0 is `p` and operand 1 is `q`; in `f(x, y)` they
//! are the arguments; in `x.f := y` the pointer `x` comes before `y`.

use ir::{Access, AccessRoot, Action, ActionKind, Callee, Operand, Projection, Rvalue};

/// All operands, in order.
pub fn operands(action: &mut Action) -> Vec<&mut Operand> {
    match &mut action.kind {
        ActionKind::Assign { value, .. } => of_value(value),
        ActionKind::Store { to, value } => {
            let mut all = of_access(to);
            all.push(value);
            all
        }
        ActionKind::Clear { to } => of_access(to),
        ActionKind::Call { callee, arguments, .. } => {
            let pointer = match callee {
                Callee::Pointer(pointer) => Some(pointer),
                Callee::Direct(_) => None,
            };
            pointer.into_iter().chain(arguments.iter_mut()).collect()
        }
        ActionKind::Concrete { .. } => Vec::new(),
    }
}

fn of_value(value: &mut Rvalue) -> Vec<&mut Operand> {
    match value {
        Rvalue::Use(a) | Rvalue::Unary(_, a, _) | Rvalue::Convert { value: a, .. } => vec![a],
        Rvalue::Binary(_, a, b, _) => vec![a, b],
        Rvalue::Offset { pointer: a, index: b, .. } | Rvalue::Distance { left: a, right: b, .. } => vec![a, b],
        Rvalue::Load(access) | Rvalue::AddressOf(access) => of_access(access),
    }
}

fn of_access(access: &mut Access) -> Vec<&mut Operand> {
    let root = match &mut access.root {
        AccessRoot::Deref(pointer) => Some(pointer),
        _ => None,
    };
    let indices = access.path.iter_mut().filter_map(|projection| match projection {
        Projection::Index { index, .. } => Some(index),
        Projection::Field { .. } => None,
    });
    root.into_iter().chain(indices).collect()
}
