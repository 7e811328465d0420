//! `math.h`.
//!
//! Rust's methods call the system's own functions, so the results are the
//! same to the last bit.

use super::super::memory::Trouble;
use super::errors::{EDOM, ERANGE};
use super::{Context, Function, Outcome, int, take};

type Answer = Result<Outcome, Trouble>;

/// The entries of functions that have variants for `double`, `long double` and `float`.
macro_rules! variants {
    ($apply:ident: $($name:literal $double:expr, $single:expr;)*) => {
        &[$(
            ($name, |context, args| $apply(context, args, $double, false)),
            (concat!($name, "l"), |context, args| $apply(context, args, $double, false)),
            (concat!($name, "f"), |context, args| {
                $apply(context, args, |x| single(&$single, x), true)
            }),
        )*]
    };
}

/// Functions of one number.
pub(super) const UNARY: &[(&str, Function)] = variants! { unary:
    "sqrt" |[x]| x.sqrt(), |[x]| x.sqrt();
    "cbrt" |[x]| x.cbrt(), |[x]| x.cbrt();
    "fabs" |[x]| x.abs(), |[x]| x.abs();
    "floor" |[x]| x.floor(), |[x]| x.floor();
    "ceil" |[x]| x.ceil(), |[x]| x.ceil();
    "round" |[x]| x.round(), |[x]| x.round();
    "trunc" |[x]| x.trunc(), |[x]| x.trunc();
    "rint" |[x]| x.round_ties_even(), |[x]| x.round_ties_even();
    "nearbyint" |[x]| x.round_ties_even(), |[x]| x.round_ties_even();
    "roundeven" |[x]| x.round_ties_even(), |[x]| x.round_ties_even();
    "sin" |[x]| x.sin(), |[x]| x.sin();
    "cos" |[x]| x.cos(), |[x]| x.cos();
    "tan" |[x]| x.tan(), |[x]| x.tan();
    "asin" |[x]| x.asin(), |[x]| x.asin();
    "acos" |[x]| x.acos(), |[x]| x.acos();
    "atan" |[x]| x.atan(), |[x]| x.atan();
    "sinh" |[x]| x.sinh(), |[x]| x.sinh();
    "cosh" |[x]| x.cosh(), |[x]| x.cosh();
    "tanh" |[x]| x.tanh(), |[x]| x.tanh();
    "asinh" |[x]| x.asinh(), |[x]| x.asinh();
    "acosh" |[x]| x.acosh(), |[x]| x.acosh();
    "atanh" |[x]| x.atanh(), |[x]| x.atanh();
    "exp" |[x]| x.exp(), |[x]| x.exp();
    "exp2" |[x]| x.exp2(), |[x]| x.exp2();
    "exp10" |[x]| 10f64.powf(x), |[x]| 10f32.powf(x);
    "expm1" |[x]| x.exp_m1(), |[x]| x.exp_m1();
    "log" |[x]| x.ln(), |[x]| x.ln();
    "log2" |[x]| x.log2(), |[x]| x.log2();
    "log10" |[x]| x.log10(), |[x]| x.log10();
    "log1p" |[x]| x.ln_1p(), |[x]| x.ln_1p();
    "logb" |[x]| log_binary(x), |[x]| log_binary(f64::from(x)) as f32;
};

/// Functions of two and three numbers.
pub(super) const BINARY: &[(&str, Function)] = variants! { binary:
    "pow" |[x, y]| x.powf(y), |[x, y]| x.powf(y);
    "atan2" |[x, y]| x.atan2(y), |[x, y]| x.atan2(y);
    "hypot" |[x, y]| x.hypot(y), |[x, y]| x.hypot(y);
    "fmod" |[x, y]| x % y, |[x, y]| x % y;
    "remainder" |[x, y]| remainder(x, y), |[x, y]| remainder(x.into(), y.into()) as f32;
    "drem" |[x, y]| remainder(x, y), |[x, y]| remainder(x.into(), y.into()) as f32;
    "fmin" |[x, y]| x.min(y), |[x, y]| x.min(y);
    "fmax" |[x, y]| x.max(y), |[x, y]| x.max(y);
    "fdim" |[x, y]| if x > y || x.is_nan() || y.is_nan() { x - y } else { 0.0 },
        |[x, y]| if x > y || x.is_nan() || y.is_nan() { x - y } else { 0.0 };
    "copysign" |[x, y]| x.copysign(y), |[x, y]| x.copysign(y);
};

/// Functions of three numbers.
pub(super) const TERNARY: &[(&str, Function)] = variants! { ternary:
    "fma" |[x, y, z]| x.mul_add(y, z), |[x, y, z]| x.mul_add(y, z);
};

/// Functions that take or give whole numbers, or write one through a pointer.
pub(super) const MIXED: &[(&str, Function)] = &[
    ("lround", |_, args| whole(args, f64::round)),
    ("lroundf", |_, args| whole(args, f64::round)),
    ("lroundl", |_, args| whole(args, f64::round)),
    ("llround", |_, args| whole(args, f64::round)),
    ("llroundf", |_, args| whole(args, f64::round)),
    ("lrint", |_, args| whole(args, f64::round_ties_even)),
    ("lrintf", |_, args| whole(args, f64::round_ties_even)),
    ("llrint", |_, args| whole(args, f64::round_ties_even)),
    ("ilogb", |_, args| int(log_binary(numbers::<1>(args)?[0]) as i32 as i64)),
    ("ldexp", |_, args| scale(args, false)),
    ("ldexpl", |_, args| scale(args, false)),
    ("ldexpf", |_, args| scale(args, true)),
    ("scalbn", |_, args| scale(args, false)),
    ("scalbnf", |_, args| scale(args, true)),
    ("scalbln", |_, args| scale(args, false)),
    ("frexp", frexp),
    ("frexpf", frexp),
    ("frexpl", frexp),
    ("modf", |context, args| modf(context, args, 8)),
    ("modff", |context, args| modf(context, args, 4)),
    ("modfl", |context, args| modf(context, args, 16)),
];

/// The first `N` arguments as numbers.
pub(super) fn numbers<const N: usize>(args: &[u64]) -> Result<[f64; N], Trouble> {
    Ok(take::<N>(args)?.map(f64::from_bits))
}

/// Runs a function on `float`s.
fn single<const N: usize>(function: &dyn Fn([f32; N]) -> f32, x: [f64; N]) -> f64 {
    function(x.map(|x| x as f32)).into()
}

fn unary(context: &mut Context<'_>, args: &[u64], function: fn([f64; 1]) -> f64, narrow: bool) -> Answer {
    apply(context, args, function, narrow)
}

fn binary(context: &mut Context<'_>, args: &[u64], function: fn([f64; 2]) -> f64, narrow: bool) -> Answer {
    apply(context, args, function, narrow)
}

fn ternary(context: &mut Context<'_>, args: &[u64], function: fn([f64; 3]) -> f64, narrow: bool) -> Answer {
    apply(context, args, function, narrow)
}

/// Runs a function, and sets `errno` as `math.h` promises.
fn apply<const N: usize>(
    context: &mut Context<'_>,
    args: &[u64],
    function: fn([f64; N]) -> f64,
    narrow: bool,
) -> Answer {
    let x = numbers::<N>(args)?;
    let result = function(x);
    if result.is_nan() && !x.iter().any(|x| x.is_nan()) {
        context.set_errno(EDOM);
    } else if result.is_infinite() && x.iter().all(|x| x.is_finite()) {
        context.set_errno(ERANGE);
    }
    let result = if narrow { f64::from(result as f32) } else { result };
    Ok(Outcome::Value(result.to_bits()))
}

/// A `long` from a number; what does not fit becomes the smallest, as the processor has it.
fn whole(args: &[u64], round: fn(f64) -> f64) -> Answer {
    let [x] = numbers(args)?;
    let rounded = round(x);
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&rounded);
    Ok(Outcome::Value(if fits { rounded as i64 } else { i64::MIN } as u64))
}

/// `x - n * y` for the whole number `n` nearest to `x / y`.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    let y = y.abs();
    let mut rest = if y <= f64::MAX / 2.0 { x.abs() % (2.0 * y) } else { x.abs() };
    // Halves of tiny numbers would be rounded, so the rest is compared step by step.
    if rest > y - rest {
        rest -= y;
        if rest >= y - rest && rest > 0.0 {
            rest -= y;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn log_binary(x: f64) -> f64 {
    match frexp_parts(x) {
        _ if x == 0.0 => f64::NEG_INFINITY,
        _ if !x.is_finite() => x.abs(),
        (_, exponent) => f64::from(exponent - 1),
    }
}

/// A fraction from 1/2 up to 1, and the power of two that makes it `x`.
fn frexp_parts(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, extra) = if x.abs() < f64::MIN_POSITIVE { (x * (1u64 << 54) as f64, -54) } else { (x, 0) };
    let exponent = (x.to_bits() >> 52) as i32 & 0x7ff;
    let fraction = f64::from_bits(x.to_bits() & !(0x7ff << 52) | 1022 << 52);
    (fraction, exponent - 1022 + extra)
}

fn frexp(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [x, place] = take(args)?;
    let (fraction, exponent) = frexp_parts(f64::from_bits(x));
    context.memory.store(place, 4, exponent as u64)?;
    Ok(Outcome::Value(fraction.to_bits()))
}

fn scale(args: &[u64], narrow: bool) -> Answer {
    let [x, power] = take(args)?;
    let (fraction, exponent) = frexp_parts(f64::from_bits(x));
    let power = i64::from(exponent) + (power as i64).clamp(-100_000, 100_000);
    // A fraction times two powers, the second of which rounds at most once.
    let power = power.clamp(-2000, 2000) as i32;
    let near = power.clamp(-1000, 1000);
    let result = fraction * f64::from(near).exp2() * f64::from(power - near).exp2();
    Ok(Outcome::Value(if narrow { f64::from(result as f32) } else { result }.to_bits()))
}

/// `size` is the size of what the pointer points to.
fn modf(context: &mut Context<'_>, args: &[u64], size: usize) -> Answer {
    let [x, place] = take(args)?;
    let x = f64::from_bits(x);
    let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    match size {
        4 => context.memory.store(place, 4, (x.trunc() as f32).to_bits().into())?,
        8 => context.memory.store(place, 8, x.trunc().to_bits())?,
        _ => context.memory.write(place, &::memory::encode_x87(x.trunc()))?,
    }
    Ok(Outcome::Value(rest.copysign(x).to_bits()))
}
