//! C arithmetic on registers.

use ir::BinaryOp;

use super::code::Scalar;
use super::memory::Trouble;
use crate::FaultKind;

/// `value` as a register of this kind: cut to its width and extended again.
#[inline]
pub fn wrap(kind: Scalar, value: u64) -> u64 {
    match kind {
        Scalar::I32 => value as i32 as u64,
        Scalar::I64 | Scalar::U64 | Scalar::F64 | Scalar::F80 => value,
        Scalar::U32 => u64::from(value as u32),
        Scalar::I8 => value as i8 as u64,
        Scalar::U8 => u64::from(value as u8),
        Scalar::I16 => value as i16 as u64,
        Scalar::U16 => u64::from(value as u16),
        Scalar::Bool => u64::from(value != 0),
        Scalar::F32 => f64::from(f64::from_bits(value) as f32).to_bits(),
    }
}

/// Size in memory.
pub fn size(kind: Scalar) -> usize {
    match kind {
        Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
        Scalar::I16 | Scalar::U16 => 2,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
        Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        Scalar::F80 => 16,
    }
}

fn is_float(kind: Scalar) -> bool {
    matches!(kind, Scalar::F32 | Scalar::F64 | Scalar::F80)
}

fn is_signed(kind: Scalar) -> bool {
    matches!(kind, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
}

/// `a op b`.
#[inline]
pub fn binary(op: BinaryOp, kind: Scalar, a: u64, b: u64) -> Result<u64, Trouble> {
    if is_float(kind) {
        return Ok(float_binary(op, kind, f64::from_bits(a), f64::from_bits(b)));
    }
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder => divide(op, kind, a, b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::ShiftLeft => a << (b & shift_mask(kind)),
        BinaryOp::ShiftRight if is_signed(kind) => ((a as i64) >> (b & shift_mask(kind))) as u64,
        BinaryOp::ShiftRight => a >> (b & shift_mask(kind)),
        BinaryOp::BoolAnd => return Ok(u64::from(a != 0 && b != 0)),
        BinaryOp::BoolOr => return Ok(u64::from(a != 0 || b != 0)),
        _ => return Ok(u64::from(compare(op, kind, a, b))),
    };
    Ok(wrap(kind, value))
}

/// x86 uses the low bits of the count; so do programs that shift too far.
fn shift_mask(kind: Scalar) -> u64 {
    if size(kind) == 8 { 63 } else { 31 }
}

/// Whether C defines a shift of this kind by `count`; other operators are fine.
#[cold]
pub fn check_shift(op: BinaryOp, kind: Scalar, count: u64) -> Result<(), Trouble> {
    let bits = shift_mask(kind) + 1;
    if !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) || count < bits {
        return Ok(());
    }
    let message = format!("is {}, but the number that it shifts has {bits} bits", count as i64);
    Err(Trouble::new(FaultKind::Shift, message))
}

fn divide(op: BinaryOp, kind: Scalar, a: u64, b: u64) -> Result<u64, Trouble> {
    if b == 0 {
        let what = if op == BinaryOp::Divide { "a division" } else { "a remainder" };
        return Err(Trouble::new(FaultKind::DivisionByZero, format!("is zero, in {what}")));
    }
    let quotient = op == BinaryOp::Divide;
    if !is_signed(kind) {
        return Ok(if quotient { a / b } else { a % b });
    }
    let (a, b) = (a as i64, b as i64);
    let smallest = if size(kind) == 8 { i64::MIN } else { i64::from(i32::MIN) };
    if a == smallest && b == -1 {
        return Err(Trouble::new(FaultKind::DivisionByZero, "is -1, and the quotient does not fit its type"));
    }
    Ok(if quotient { a / b } else { a % b } as u64)
}

/// Whether `a op b` holds.
#[inline]
pub fn compare(op: BinaryOp, kind: Scalar, a: u64, b: u64) -> bool {
    if is_float(kind) {
        return float_compare(op, f64::from_bits(a), f64::from_bits(b));
    }
    let (x, y) = (a as i64, b as i64);
    match op {
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        BinaryOp::Less if is_signed(kind) => x < y,
        BinaryOp::LessEqual if is_signed(kind) => x <= y,
        BinaryOp::Greater if is_signed(kind) => x > y,
        BinaryOp::GreaterEqual if is_signed(kind) => x >= y,
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        _ => a >= b,
    }
}

fn float_compare(op: BinaryOp, a: f64, b: f64) -> bool {
    match op {
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        _ => a >= b,
    }
}

fn float_binary(op: BinaryOp, kind: Scalar, a: f64, b: f64) -> u64 {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        _ => return u64::from(float_compare(op, a, b)),
    };
    wrap(kind, value.to_bits())
}

/// `-value`.
pub fn negate(kind: Scalar, value: u64) -> u64 {
    match is_float(kind) {
        true => (-f64::from_bits(value)).to_bits(),
        false => wrap(kind, value.wrapping_neg()),
    }
}

/// A conversion. Floating values out of range become what x86 makes of them.
pub fn convert(from: Scalar, to: Scalar, value: u64) -> u64 {
    match (is_float(from), is_float(to)) {
        (false, false) => wrap(to, value),
        (true, true) => wrap(to, value),
        (false, true) => {
            let float = match from {
                Scalar::U64 => value as f64,
                _ => value as i64 as f64,
            };
            // A 64-bit integer rounds to `float` once, not twice.
            match (to, from) {
                (Scalar::F32, Scalar::U64) => f64::from(value as f32).to_bits(),
                (Scalar::F32, _) => f64::from(value as i64 as f32).to_bits(),
                _ => float.to_bits(),
            }
        }
        (true, false) => float_to_int(to, f64::from_bits(value)),
    }
}

fn float_to_int(to: Scalar, value: f64) -> u64 {
    match to {
        Scalar::Bool => u64::from(value != 0.0),
        Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::U16 | Scalar::U8 => {
            // `cvttsd2si` answers INT_MIN for everything that does not fit.
            let fits = value > -2147483649.0 && value < 2147483648.0;
            wrap(to, if fits { value as i32 as u64 } else { i32::MIN as u64 })
        }
        Scalar::U64 if value >= 9223372036854775808.0 => value as u64,
        _ => {
            let fits = (-9223372036854775808.0..9223372036854775808.0).contains(&value);
            wrap(to, if fits { value as i64 as u64 } else { i64::MIN as u64 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_extend() {
        let max = i32::MAX as u64;
        assert_eq!(binary(BinaryOp::Add, Scalar::I32, max, 1), Ok(i32::MIN as i64 as u64));
        assert_eq!(binary(BinaryOp::Subtract, Scalar::U32, 0, 1), Ok(0xffff_ffff));
        assert_eq!(binary(BinaryOp::Divide, Scalar::I32, -7i64 as u64, 2), Ok(-3i64 as u64));
        assert_eq!(binary(BinaryOp::Remainder, Scalar::I32, -7i64 as u64, 2), Ok(-1i64 as u64));
        assert!(binary(BinaryOp::Divide, Scalar::I32, 1, 0).is_err());
        assert!(binary(BinaryOp::Divide, Scalar::I32, i32::MIN as i64 as u64, -1i64 as u64).is_err());
        assert!(compare(BinaryOp::Greater, Scalar::U32, 0xffff_ffff, 1));
    }

    #[test]
    fn conversions_follow_x86() {
        assert_eq!(convert(Scalar::F64, Scalar::I32, 1e10f64.to_bits()), i32::MIN as i64 as u64);
        assert_eq!(convert(Scalar::F64, Scalar::U8, 200.7f64.to_bits()), 200);
        assert_eq!(convert(Scalar::I32, Scalar::F64, -1i64 as u64), (-1f64).to_bits());
        assert_eq!(convert(Scalar::I32, Scalar::I8, 200), -56i64 as u64);
    }
}
