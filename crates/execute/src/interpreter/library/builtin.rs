//! What compilers and headers provide beyond the C library: classes of
//! floating numbers, operations on bits, byte orders.

use super::super::memory::Trouble;
use super::math::numbers;
use super::{Context, Function, Outcome, argument, int, take};
use crate::FaultKind;

type Answer = Result<Outcome, Trouble>;

/// Entries for `double`, `float` and `long double`.
macro_rules! classes {
    ($($name:literal $test:expr;)*) => {
        &[$(
            ($name, |_, args| class(args, $test)),
            (concat!($name, "f"), |_, args| class(args, $test)),
            (concat!($name, "l"), |_, args| class(args, $test)),
        )*]
    };
}

/// Classes of floating numbers.
pub(super) const CLASSES: &[(&str, Function)] = classes! {
    "isnan" |x| x.is_nan().into();
    "__isnan" |x| x.is_nan().into();
    "isinf" sign_of_infinity;
    "__isinf" sign_of_infinity;
    "__builtin_isinf_sign" sign_of_infinity;
    "finite" |x| x.is_finite().into();
    "__finite" |x| x.is_finite().into();
    "isfinite" |x| x.is_finite().into();
    "isnormal" |x| x.is_normal().into();
    "signbit" |x| x.is_sign_negative().into();
    "__signbit" |x| x.is_sign_negative().into();
    "__fpclassify" number_of_class;
};

/// Everything else of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("__fpclassifyf", |_, args| class(args, |x| if single_is_subnormal(x) { 3 } else { number_of_class(x) })),
    ("__builtin_fpclassify", fpclassify),
    ("__builtin_isgreater", |_, args| relation(args, |x, y| x > y)),
    ("__builtin_isgreaterequal", |_, args| relation(args, |x, y| x >= y)),
    ("__builtin_isless", |_, args| relation(args, |x, y| x < y)),
    ("__builtin_islessequal", |_, args| relation(args, |x, y| x <= y)),
    ("__builtin_islessgreater", |_, args| relation(args, |x, y| x.partial_cmp(&y).is_some_and(|order| order.is_ne()))),
    ("__builtin_isunordered", |_, args| relation(args, |x, y| x.is_nan() || y.is_nan())),
    ("__builtin_inf", |_, _| number(f64::INFINITY)),
    ("__builtin_inff", |_, _| number(f64::INFINITY)),
    ("__builtin_infl", |_, _| number(f64::INFINITY)),
    ("__builtin_huge_val", |_, _| number(f64::INFINITY)),
    ("__builtin_huge_valf", |_, _| number(f64::INFINITY)),
    ("__builtin_huge_vall", |_, _| number(f64::INFINITY)),
    ("nan", |_, _| number(f64::NAN)),
    ("nanf", |_, _| number(f64::NAN)),
    ("nanl", |_, _| number(f64::NAN)),
    ("__builtin_popcount", |_, args| bits(args, |x| (x as u32).count_ones())),
    ("__builtin_popcountl", |_, args| bits(args, u64::count_ones)),
    ("__builtin_popcountll", |_, args| bits(args, u64::count_ones)),
    ("__builtin_parity", |_, args| bits(args, |x| (x as u32).count_ones() & 1)),
    ("__builtin_parityl", |_, args| bits(args, |x| x.count_ones() & 1)),
    ("__builtin_parityll", |_, args| bits(args, |x| x.count_ones() & 1)),
    ("__builtin_clz", |_, args| bits(args, |x| (x as u32).leading_zeros())),
    ("__builtin_clzl", |_, args| bits(args, u64::leading_zeros)),
    ("__builtin_clzll", |_, args| bits(args, u64::leading_zeros)),
    ("__builtin_ctz", |_, args| bits(args, |x| (x as u32).trailing_zeros())),
    ("__builtin_ctzl", |_, args| bits(args, u64::trailing_zeros)),
    ("__builtin_ctzll", |_, args| bits(args, u64::trailing_zeros)),
    ("ffs", |_, args| bits(args, |x| if x as u32 == 0 { 0 } else { x.trailing_zeros() + 1 })),
    ("ffsl", |_, args| bits(args, |x| if x == 0 { 0 } else { x.trailing_zeros() + 1 })),
    ("ffsll", |_, args| bits(args, |x| if x == 0 { 0 } else { x.trailing_zeros() + 1 })),
    ("__builtin_bswap16", |_, args| value((argument(args, 0)? as u16).swap_bytes().into())),
    ("__builtin_bswap32", |_, args| value((argument(args, 0)? as u32).swap_bytes().into())),
    ("__builtin_bswap64", |_, args| value(argument(args, 0)?.swap_bytes())),
    ("htons", |_, args| value((argument(args, 0)? as u16).swap_bytes().into())),
    ("ntohs", |_, args| value((argument(args, 0)? as u16).swap_bytes().into())),
    ("htonl", |_, args| value((argument(args, 0)? as u32).swap_bytes().into())),
    ("ntohl", |_, args| value((argument(args, 0)? as u32).swap_bytes().into())),
    ("__builtin_expect", |_, args| value(argument(args, 0)?)),
    ("__builtin_assume_aligned", |_, args| value(argument(args, 0)?)),
    ("__builtin_constant_p", |_, _| int(0)),
    ("__builtin_prefetch", |_, _| int(0)),
    ("__builtin_object_size", object_size),
    ("__builtin_dynamic_object_size", object_size),
    ("__builtin_unreachable", |_, _| Err(Trouble::new(FaultKind::Abort, "is reached, which must never happen"))),
    ("__builtin_trap", |_, _| Err(Trouble::new(FaultKind::Abort, "ends the program"))),
];

fn value(value: u64) -> Answer {
    Ok(Outcome::Value(value))
}

fn number(value: f64) -> Answer {
    Ok(Outcome::Value(value.to_bits()))
}

fn class(args: &[u64], test: fn(f64) -> i64) -> Answer {
    int(test(numbers::<1>(args)?[0]))
}

fn sign_of_infinity(x: f64) -> i64 {
    i64::from(x.is_infinite()) * if x < 0.0 { -1 } else { 1 }
}

/// The value of `FP_NAN`, `FP_INFINITE` and so on.
fn number_of_class(x: f64) -> i64 {
    match x.classify() {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

fn single_is_subnormal(x: f64) -> bool {
    (x as f32).is_subnormal()
}

/// The caller lists its own values for the classes, in glibc's order, and then the number.
fn fpclassify(_: &mut Context<'_>, args: &[u64]) -> Answer {
    let [nan, infinite, normal, subnormal, zero, x] = take(args)?;
    let order = [nan, infinite, zero, subnormal, normal];
    value(order[number_of_class(f64::from_bits(x)) as usize])
}

fn relation(args: &[u64], test: fn(f64, f64) -> bool) -> Answer {
    let [x, y] = numbers(args)?;
    int(test(x, y).into())
}

fn bits(args: &[u64], count: fn(u64) -> u32) -> Answer {
    int(count(argument(args, 0)?).into())
}

/// "Not known", which is 0 when the smallest size is asked for.
fn object_size(_: &mut Context<'_>, args: &[u64]) -> Answer {
    let [_, kind] = take(args)?;
    value(if kind & 2 == 0 { u64::MAX } else { 0 })
}
