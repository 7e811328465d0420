//! Values of integer constant expressions.

use c_types::{Type, TypeId, Types};

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// The value of `expr` if it is an integer constant expression.
pub fn fold(types: &Types, expr: &Expr) -> Option<i128> {
    if types.is_float(expr.ty) {
        return None;
    }
    let value = match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Zero => 0,
        ExprKind::Convert(inner) if types.is_float(inner.ty) => match inner.kind {
            ExprKind::Float(value) if *types.get(expr.ty) == Type::Bool => i128::from(value != 0.0),
            ExprKind::Float(value) => value as i128,
            _ => return None,
        },
        ExprKind::Convert(inner) => fold(types, inner)?,
        ExprKind::Unary(UnaryOp::Negate, inner) => -fold(types, inner)?,
        ExprKind::Unary(UnaryOp::Complement, inner) => !fold(types, inner)?,
        ExprKind::Unary(UnaryOp::Not, inner) => i128::from(fold(types, inner)? == 0),
        ExprKind::Binary(op, left, right) if !types.is_float(left.ty) => {
            binary(*op, fold(types, left)?, fold(types, right)?)?
        }
        ExprKind::And(left, right) => i128::from(fold(types, left)? != 0 && fold(types, right)? != 0),
        ExprKind::Or(left, right) => i128::from(fold(types, left)? != 0 || fold(types, right)? != 0),
        ExprKind::Conditional(test, yes, no) => fold(types, if fold(types, test)? != 0 { yes } else { no })?,
        _ => return None,
    };
    Some(wrap(types, expr.ty, value))
}

fn binary(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    use BinaryOp::*;
    Some(match op {
        Add => left.checked_add(right)?,
        Subtract => left.checked_sub(right)?,
        Multiply => left.checked_mul(right)?,
        Divide => left.checked_div(right)?,
        Remainder => left.checked_rem(right)?,
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
        ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
        Equal => i128::from(left == right),
        NotEqual => i128::from(left != right),
        Less => i128::from(left < right),
        LessEqual => i128::from(left <= right),
        Greater => i128::from(left > right),
        GreaterEqual => i128::from(left >= right),
    })
}

/// `value` as stored in an object of type `ty`.
pub fn wrap(types: &Types, ty: TypeId, value: i128) -> i128 {
    let bits = match *types.get(ty) {
        Type::Bool => return i128::from(value != 0),
        Type::Char { .. } => 8,
        Type::Int { bytes, .. } if bytes < 16 => u32::from(bytes) * 8,
        Type::Pointer(_) => 64,
        _ => return value,
    };
    let low = value & ((1 << bits) - 1);
    match types.is_signed(ty) && low >> (bits - 1) == 1 {
        true => low - (1 << bits),
        false => low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_like_c() {
        let mut types = Types::new();
        let (char_, unsigned) = (types.int(1, true), types.int(4, false));
        assert_eq!(wrap(&types, char_, 200), -56);
        assert_eq!(wrap(&types, unsigned, -1), 0xffff_ffff);
    }
}
