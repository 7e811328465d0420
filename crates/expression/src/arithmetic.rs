//! Arithmetic on numbers as x86-64 does it: integers wrap at the width of
//! their type, shifts use the low bits of their count.

use c_syntax::{BinaryOp, wrap};
use c_types::{Type, TypeId, Types};
use memory::Value;

/// A number, or why there is none.
pub(crate) type Number = Result<Value, &'static str>;

/// `left op right`, both of type `ty`; the right one of a shift may have another.
pub(crate) fn binary(types: &Types, op: BinaryOp, ty: TypeId, left: &Value, right: &Value) -> Number {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => Ok(float_binary(types, op, ty, *a, *b)),
        (Value::Int(a), Value::Int(b)) => int_binary(types, op, ty, *a, *b).map(Value::Int),
        _ => Err("this is not a number"),
    }
}

fn int_binary(types: &Types, op: BinaryOp, ty: TypeId, a: i128, b: i128) -> Result<i128, &'static str> {
    use BinaryOp::*;
    let bits = types.size_of(ty) as u32 * 8;
    // Only an unsigned __int128 does not compare and divide as it is.
    let is_wide = bits == 128 && !types.is_signed(ty);
    let count = b as u32 & (bits.max(32) - 1);
    let value = match op {
        Add => a.wrapping_add(b),
        Subtract => a.wrapping_sub(b),
        Multiply => a.wrapping_mul(b),
        Divide | Remainder => divide(types, op, ty, a, b)?,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        ShiftLeft => a.wrapping_shl(count),
        ShiftRight if is_wide => ((a as u128) >> count) as i128,
        ShiftRight => a >> count,
        _ if is_wide => return Ok(i128::from(holds(op, &(a as u128), &(b as u128)))),
        _ => return Ok(i128::from(holds(op, &a, &b))),
    };
    Ok(wrap(types, ty, value))
}

fn divide(types: &Types, op: BinaryOp, ty: TypeId, a: i128, b: i128) -> Result<i128, &'static str> {
    let bits = types.size_of(ty) as u32 * 8;
    let is_signed = types.is_signed(ty);
    match b {
        0 if op == BinaryOp::Divide => Err("this divides by zero"),
        0 => Err("this is a remainder of a division by zero"),
        -1 if is_signed && a == -1 << (bits - 1) => Err("the quotient does not fit its type"),
        _ if bits == 128 && !is_signed && op == BinaryOp::Divide => Ok((a as u128 / b as u128) as i128),
        _ if bits == 128 && !is_signed => Ok((a as u128 % b as u128) as i128),
        _ if op == BinaryOp::Divide => Ok(a / b),
        _ => Ok(a % b),
    }
}

fn float_binary(types: &Types, op: BinaryOp, ty: TypeId, a: f64, b: f64) -> Value {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        _ => return Value::Int(holds(op, &a, &b).into()),
    };
    Value::Float(round(types, ty, value))
}

/// Whether a comparison holds.
pub(crate) fn holds<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> bool {
    match op {
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        _ => a >= b,
    }
}

/// `-value` of type `ty`.
pub(crate) fn negate(types: &Types, ty: TypeId, value: &Value) -> Number {
    match value {
        Value::Float(x) => Ok(Value::Float(-x)),
        Value::Int(n) => Ok(Value::Int(wrap(types, ty, n.wrapping_neg()))),
        _ => Err("this is not a number"),
    }
}

/// `value` as a number of type `to`, which was one of type `from`.
pub(crate) fn convert(types: &Types, from: TypeId, to: TypeId, value: &Value) -> Number {
    let is_wide = *types.get(from) == Type::Int { bytes: 16, signed: false };
    Ok(match (value, types.get(to)) {
        (Value::Int(n), Type::Float { bytes: 4 }) if is_wide => Value::Float((*n as u128 as f32).into()),
        (Value::Int(n), Type::Float { .. }) if is_wide => Value::Float(*n as u128 as f64),
        // A large integer rounds to `float` once, not twice.
        (Value::Int(n), Type::Float { bytes: 4 }) => Value::Float((*n as f32).into()),
        (Value::Int(n), Type::Float { .. }) => Value::Float(*n as f64),
        (Value::Int(n), _) => Value::Int(wrap(types, to, *n)),
        (Value::Float(x), Type::Float { .. }) => Value::Float(round(types, to, *x)),
        (Value::Float(x), _) => Value::Int(truncate(types, to, *x)),
        _ => return Err("this is not a number"),
    })
}

fn round(types: &Types, ty: TypeId, value: f64) -> f64 {
    match types.size_of(ty) {
        4 => f64::from(value as f32),
        _ => value,
    }
}

/// A floating value out of range becomes what x86 makes of it: the smallest integer.
fn truncate(types: &Types, to: TypeId, value: f64) -> i128 {
    let fits = |bits: i32| value > -(2f64.powi(bits)) - 1.0 && value < 2f64.powi(bits);
    let cut = |bits: i32| if fits(bits) { value as i128 } else { -1 << bits };
    match (types.get(to), types.size_of(to)) {
        (Type::Bool, _) => i128::from(value != 0.0),
        (Type::Int { bytes: 16, .. }, _) => value as i128,
        (Type::Int { bytes: 8, signed: false }, _) if value >= 2f64.powi(63) => i128::from(value as u64),
        (Type::Int { bytes: 4, signed: false }, _) | (_, 8) => wrap(types, to, cut(63)),
        _ => wrap(types, to, cut(31)),
    }
}
