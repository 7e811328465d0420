//! The meaning of the bit-vector operators on numbers, as SMT-LIB defines it.
//! Constant folding and evaluation both go through [`apply`].

use super::BinaryOp;

/// All ones in the low `width` bits.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The two's complement value of the low `width` bits.
pub(crate) fn signed(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

/// `a op b` at `width`; a concatenation never comes here because its operands differ in width.
pub(crate) fn apply(op: BinaryOp, a: u64, b: u64, width: u32) -> u64 {
    let result = match op {
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Udiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::Urem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::Sdiv => signed_divide(a, b, width),
        BinaryOp::Srem => signed_remainder(a, b, width),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => shift(b, width, 0, |by| a << by),
        BinaryOp::Lshr => shift(b, width, 0, |by| a >> by),
        BinaryOp::Ashr => {
            let value = signed(a, width);
            shift(b, width, (value >> 63) as u64, |by| (value >> by) as u64)
        }
        BinaryOp::Concat => unreachable!("a concatenation has operands of two widths"),
    };
    result & mask(width)
}

fn shift(by: u64, width: u32, all_out: u64, within: impl Fn(u32) -> u64) -> u64 {
    if by >= u64::from(width) { all_out } else { within(by as u32) }
}

/// SMT-LIB: `x / 0` is 1 for negative `x` and -1 otherwise.
fn signed_divide(a: u64, b: u64, width: u32) -> u64 {
    let (a, b) = (signed(a, width), signed(b, width));
    match b {
        0 if a < 0 => 1,
        0 => u64::MAX,
        _ => a.wrapping_div(b) as u64,
    }
}

/// SMT-LIB: `x % 0` is `x`; otherwise the sign is the dividend's.
fn signed_remainder(a: u64, b: u64, width: u32) -> u64 {
    let (a, b) = (signed(a, width), signed(b, width));
    if b == 0 { a as u64 } else { a.wrapping_rem(b) as u64 }
}

/// The number `x` with `odd * x = 1` modulo 2^64; Newton's iteration doubles the right bits.
pub(crate) fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..6 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
