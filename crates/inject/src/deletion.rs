//! Which statements a fault can leave out: assignments, as in the paper.
//!
//! `p->next = q;`, `n++;`, `*head = NULL;` and `p = malloc(8);` are some;
//! `free(p);`, `p = make(3);` and `a = b = c;` are not.

use c_syntax::{Expr, ExprKind, UnaryOp};

/// Whether an expression statement assigns something simple, or memory from `malloc`.
pub(crate) fn is_assignment(expr: &Expr) -> bool {
    use UnaryOp::*;
    match &expr.kind {
        ExprKind::Discard(inner) | ExprKind::Convert(inner) => is_assignment(inner),
        ExprKind::Assign(to, value) => is_simple(to) && (is_simple(value) || is_allocation(value)),
        ExprKind::Compound(_, to, value, _) => is_simple(to) && is_simple(value),
        ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement, place) => is_simple(place),
        _ => false,
    }
}

/// Variables, members, elements, constants and arithmetic over them: nothing that does more than give a value.
fn is_simple(expr: &Expr) -> bool {
    use ExprKind::*;
    match &expr.kind {
        Int(_) | Float(_) | Text(_) | Variable(_) | Function(_) | Zero | SizeOfVariable(_) => true,
        Member { base, .. } => is_simple(base),
        Load(inner) | Decay(inner) | Convert(inner) => is_simple(inner),
        Unary(UnaryOp::Negate | UnaryOp::Complement | UnaryOp::Deref | UnaryOp::AddressOf, inner) => is_simple(inner),
        Binary(op, left, right) => !op.is_comparison() && is_simple(left) && is_simple(right),
        Index(pointer, index) => is_simple(pointer) && is_simple(index),
        _ => false,
    }
}

fn is_allocation(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Convert(inner) | ExprKind::Decay(inner) | ExprKind::Load(inner) => is_allocation(inner),
        ExprKind::Call(callee, arguments) => is_allocator(callee) && arguments.iter().all(is_simple),
        _ => false,
    }
}

fn is_allocator(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Function(name) => matches!(&**name, "malloc" | "calloc"),
        ExprKind::Convert(inner)
        | ExprKind::Decay(inner)
        | ExprKind::Load(inner)
        | ExprKind::Unary(UnaryOp::AddressOf, inner) => is_allocator(inner),
        _ => false,
    }
}
