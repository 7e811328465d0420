//! Operators: `a < b` to `a <= b`, `x += 1` to `x -= 1`, `i++` to `i--`.
//!
//! An operator is replaced by others of its set. Between pointers only what C
//! takes is tried: `p + 1` to `p - 1`, `p == q` to `p != q`, `p < q` to `p <= q`.

use c_syntax::{BinaryOp, Change, Expr, ExprKind, UnaryOp};
use c_types::{TypeId, Types};

use super::Level;

use BinaryOp::*;

const SETS: &[(Level, &[BinaryOp])] = &[
    (Level::One, &[Add, Subtract]),
    (Level::One, &[Divide, Remainder]),
    (Level::One, &[Greater, GreaterEqual]),
    (Level::One, &[Less, LessEqual]),
    (Level::One, &[ShiftRight, ShiftLeft]),
    (Level::One, &[And, Or, Xor]),
    (Level::Two, &[Add, Subtract, Multiply]),
    (Level::Two, &[Greater, GreaterEqual, Less, LessEqual]),
    (Level::Two, &[Equal, NotEqual]),
    (Level::Three, &[Greater, GreaterEqual, Less, LessEqual, Equal, NotEqual]),
];

/// What an operator between operands of these types can become, with the level.
fn others(types: &Types, op: BinaryOp, left: TypeId, right: TypeId) -> Vec<(Level, BinaryOp)> {
    let mut found: Vec<(Level, BinaryOp)> = Vec::new();
    for (level, set) in SETS.iter().filter(|(_, set)| set.contains(&op)) {
        for &other in *set {
            if other != op && found.iter().all(|(_, known)| *known != other) && fits(types, op, other, left, right) {
                found.push((*level, other));
            }
        }
    }
    found
}

fn fits(types: &Types, op: BinaryOp, other: BinaryOp, left: TypeId, right: TypeId) -> bool {
    let is_equality = |op| matches!(op, Equal | NotEqual);
    match (types.is_pointer(left), types.is_pointer(right)) {
        (false, false) => other != Remainder || !(types.is_float(left) || types.is_float(right)),
        _ if op.is_comparison() => is_equality(op) == is_equality(other),
        (true, false) => matches!(other, Add | Subtract),
        _ => false,
    }
}

/// What can become of the operator of an expression: the level, the change, and how to call it.
pub fn changes(types: &Types, e: &Expr) -> Vec<(Level, Change, String)> {
    let changed = |found: Vec<(Level, BinaryOp)>, end: &str| {
        let change = |(level, op): (Level, BinaryOp)| (level, Change::Operator(op), format!("`{}{end}`", op.text()));
        found.into_iter().map(change).collect::<Vec<_>>()
    };
    match &e.kind {
        ExprKind::Binary(op, left, right) => {
            let mut found = changed(others(types, *op, left.ty, right.ty), "");
            found.extend(shifted(types, *op, right));
            found
        }
        ExprKind::Compound(op, left, right, compute) => {
            let left = if types.is_pointer(left.ty) { left.ty } else { *compute };
            changed(others(types, *op, left, right.ty), "=")
        }
        ExprKind::And(..) => vec![(Level::One, Change::Connective, "`||`".into())],
        ExprKind::Or(..) => vec![(Level::One, Change::Connective, "`&&`".into())],
        ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, _) => {
            vec![(Level::One, Change::Step, "`--`".into())]
        }
        ExprKind::Unary(UnaryOp::PreDecrement | UnaryOp::PostDecrement, _) => {
            vec![(Level::One, Change::Step, "`++`".into())]
        }
        _ => Vec::new(),
    }
}

/// `x < 5` to `x <= 6`: both the operator and the constant are off by one. (`x <= 4` is the same as `x < 5`.)
fn shifted(types: &Types, op: BinaryOp, right: &Expr) -> Option<(Level, Change, String)> {
    let (other, by) = match op {
        Less => (LessEqual, 1),
        LessEqual => (Less, -1),
        Greater => (GreaterEqual, -1),
        GreaterEqual => (Greater, 1),
        _ => return None,
    };
    let mut constant = right;
    while let ExprKind::Convert(inner) = &constant.kind {
        constant = inner;
    }
    let is_literal = matches!(constant.kind, ExprKind::Int(_)) && constant.token.is_some();
    let what = format!("`{}` and the constant by {by:+}", other.text());
    (is_literal && types.is_integer(right.ty)).then_some((Level::Three, Change::OperatorAndShift(other, by), what))
}
