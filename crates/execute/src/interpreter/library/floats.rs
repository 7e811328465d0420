//! Floating numbers as text: `%f`, `%e`, `%g` and `%a`.
//!
//! Rust prints the exact decimal expansion of a `double` and rounds it half to
//! even, as glibc does; here it is brought into C's shapes.

use super::directive::Spec;

/// No `double` has more digits than this; further ones are zeros.
const MOST_DIGITS: usize = 1100;

/// The digits of a value without a sign, and what stands before the padding zeros.
pub(super) fn digits(value: f64, spec: &Spec, conversion: u8) -> (&'static str, String) {
    let upper = conversion.is_ascii_uppercase();
    let (prefix, text) = match conversion.to_ascii_lowercase() {
        _ if value.is_nan() => ("", "nan".to_string()),
        _ if value.is_infinite() => ("", "inf".to_string()),
        b'f' => ("", fixed(value, spec.precision.unwrap_or(6), spec.alternate)),
        b'e' => ("", scientific(value, spec.precision.unwrap_or(6), spec.alternate)),
        b'g' => ("", general(value, spec)),
        _ => (if upper { "0X" } else { "0x" }, hexadecimal(value, spec)),
    };
    (prefix, if upper { text.to_ascii_uppercase() } else { text })
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let known = precision.min(MOST_DIGITS);
    let mut text = format!("{value:.known$}");
    finish(&mut text, precision, point);
    text
}

/// The missing zeros, and the point that `#` asks for.
fn finish(text: &mut String, precision: usize, point: bool) {
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(MOST_DIGITS)));
    if precision == 0 && point {
        text.push('.');
    }
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (mut mantissa, exponent) = split(value, precision);
    finish(&mut mantissa, precision, point);
    mantissa + &exponent_text(exponent)
}

/// Mantissa and decimal exponent, with at most `precision` digits after the point.
fn split(value: f64, precision: usize) -> (String, i32) {
    let known = precision.min(MOST_DIGITS);
    let text = format!("{value:.known$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_string(), exponent.parse().unwrap_or(0))
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.abs())
}

fn general(value: f64, spec: &Spec) -> String {
    let mut precision = spec.precision.unwrap_or(6).max(1);
    if !spec.alternate {
        // Zeros at the end go anyway.
        precision = precision.min(MOST_DIGITS);
    }
    let exponent = split(value, precision - 1).1;
    let small = exponent >= -4 && i64::from(exponent) < precision as i64;
    let (mut text, tail) = match small {
        true => {
            let places = (precision as i64 - 1 - i64::from(exponent)) as usize;
            (fixed(value, places, spec.alternate), String::new())
        }
        false => {
            let places = if spec.alternate && carried(value, precision) { 0 } else { precision - 1 };
            let (mut mantissa, exponent) = split(value, places);
            finish(&mut mantissa, places, spec.alternate);
            (mantissa, exponent_text(exponent))
        }
    };
    if !spec.alternate && text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text + &tail
}

/// Whether only rounding makes a number too large for the short form. glibc
/// then forgets the zeros that `#` asks for: `%#g` of 999999.5 is `1.e+06`.
fn carried(value: f64, precision: usize) -> bool {
    let exact = i64::from(split(value, MOST_DIGITS).1);
    exact == precision as i64 - 1
}

fn hexadecimal(value: f64, spec: &Spec) -> String {
    let (lead, fraction, exponent) = if spec.long { long_parts(value) } else { parts(value) };
    let (lead, fraction, exponent) = match spec.precision {
        Some(precision) if precision < 16 => {
            let (lead, fraction) = rounded(lead, fraction, precision);
            // A `long double` always has a leading digit below 16.
            if lead == 16 { (1, fraction, exponent + 4) } else { (lead, fraction, exponent) }
        }
        _ => (lead, fraction, exponent),
    };
    let mut digits = format!("{fraction:016x}");
    let shown = spec.precision.unwrap_or_else(|| digits.trim_end_matches('0').len());
    digits.truncate(shown);
    digits.extend(std::iter::repeat_n('0', shown.saturating_sub(16)));
    let point = if shown > 0 || spec.alternate { "." } else { "" };
    format!("{lead:x}{point}{digits}p{exponent:+}")
}

/// The digit before the point, 16 hexadecimal digits after it, and the binary exponent.
fn parts(value: f64) -> (u64, u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7ff, bits << 12);
    match (exponent, fraction) {
        (0, 0) => (0, 0, 0),
        (0, _) => (0, fraction, -1022),
        _ => (1, fraction, exponent - 1023),
    }
}

/// The same for the 80-bit format, which has four bits before the point.
fn long_parts(value: f64) -> (u64, u64, i32) {
    let (lead, fraction, exponent) = parts(value);
    if lead == 0 && fraction == 0 {
        return (0, 0, 0);
    }
    let (mantissa, exponent) = match lead {
        0 => (fraction << fraction.leading_zeros(), exponent - fraction.leading_zeros() as i32 - 1),
        _ => (1 << 63 | fraction >> 1, exponent),
    };
    (mantissa >> 60, mantissa << 4, exponent - 3)
}

/// Rounds half to even, to `precision` (under 16) digits after the point.
fn rounded(lead: u64, fraction: u64, precision: usize) -> (u64, u64) {
    let whole = u128::from(lead) << 64 | u128::from(fraction);
    let shift = 64 - 4 * precision as u32;
    let (kept, rest) = (whole >> shift, whole & ((1 << shift) - 1));
    let half = 1u128 << (shift - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    let result = (kept + u128::from(up)) << shift;
    ((result >> 64) as u64, result as u64)
}
