//! Variables: `x` to another variable of its type that is in scope.

use c_syntax::{Expr, ExprKind, Unit, VariableId};

/// The other variables of the type of `id`, of those that are visible.
pub fn others(unit: &Unit, id: VariableId, visible: &[VariableId]) -> Vec<VariableId> {
    let ty = unit.variables[id.0 as usize].ty;
    let is_scalar = unit.types.is_integer(ty) || unit.types.is_float(ty) || is_plain_pointer(unit, id);
    let fits = |other: &VariableId| *other != id && is_scalar && unit.variables[other.0 as usize].ty == ty;
    visible.iter().copied().filter(fits).collect()
}

/// Pointers to arrays may be to rows of variable length, whose sizes belong to the variable.
fn is_plain_pointer(unit: &Unit, id: VariableId) -> bool {
    let variable = &unit.variables[id.0 as usize];
    let target = unit.types.target(variable.ty).filter(|_| unit.types.is_pointer(variable.ty));
    variable.lengths.is_empty()
        && target.is_some_and(|target| unit.types.target(target).is_none() || unit.types.is_pointer(target))
}

/// The value of another variable in the place of a read of one.
pub fn read(like: &Expr, other: VariableId) -> Expr {
    let ExprKind::Load(place) = &like.kind else { unreachable!("a variable is read") };
    Expr { kind: ExprKind::Load(Box::new(named(place, other))), ..like.clone() }
}

/// Another variable in the place of one.
pub fn named(like: &Expr, other: VariableId) -> Expr {
    Expr { kind: ExprKind::Variable(other), ..like.clone() }
}

/// Whether a variable is declared `const`, which types do not tell.
pub fn is_const(unit: &Unit, id: VariableId) -> bool {
    let start = unit.variables[id.0 as usize].span.start as usize;
    let before = &unit.source.bytes[..start.min(unit.source.bytes.len())];
    let from = before.iter().rposition(|byte| matches!(byte, b';' | b'{' | b'}' | b'(')).map_or(0, |at| at + 1);
    String::from_utf8_lossy(&before[from..]).contains("const")
}
