//! Text to numbers, as `strtol` and `strtod` read it.

use super::ctype::is_space;

/// An integer found at the start of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Integer {
    negative: bool,
    magnitude: u64,
    /// It does not fit 64 bits.
    overflow: bool,
    /// The bytes read, with white space before; 0 if there is no number.
    pub length: usize,
}

impl Integer {
    /// The value as `strtol` returns it, and whether it was in range.
    pub fn signed(&self) -> (i64, bool) {
        let limit = if self.negative { 1 << 63 } else { (1 << 63) - 1 };
        match (self.overflow || self.magnitude > limit, self.negative) {
            (true, true) => (i64::MIN, false),
            (true, false) => (i64::MAX, false),
            (false, true) => ((self.magnitude as i64).wrapping_neg(), true),
            (false, false) => (self.magnitude as i64, true),
        }
    }

    /// The value as `strtoul` returns it, and whether it was in range.
    pub fn unsigned(&self) -> (u64, bool) {
        match (self.overflow, self.negative) {
            (true, _) => (u64::MAX, false),
            (false, true) => (self.magnitude.wrapping_neg(), true),
            (false, false) => (self.magnitude, true),
        }
    }
}

/// The white space and the sign at the start of a text: their length, and whether it is a minus.
fn start(text: &[u8]) -> (usize, bool) {
    let space = text.iter().take_while(|&&byte| is_space(byte)).count();
    match text.get(space) {
        Some(b'-') => (space + 1, true),
        Some(b'+') => (space + 1, false),
        _ => (space, false),
    }
}

/// The integer at the start of a text, in a base from 2 to 36, or 0 for C's own notation.
pub(super) fn integer(text: &[u8], base: u32) -> Integer {
    let (mut at, negative) = start(text);
    let digit = |at: usize, base: u32| char::from(*text.get(at)?).to_digit(base);
    let prefixed = text.get(at) == Some(&b'0') && matches!(text.get(at + 1), Some(b'x' | b'X'));
    let hexadecimal = matches!(base, 0 | 16) && prefixed && digit(at + 2, 16).is_some();
    let base = match base {
        0 if hexadecimal => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        _ => base,
    };
    at += if hexadecimal { 2 } else { 0 };
    let first = at;
    let mut result = Integer { negative, ..Integer::default() };
    while let Some(digit) = digit(at, base) {
        let next = result.magnitude.checked_mul(base.into()).and_then(|value| value.checked_add(digit.into()));
        result.overflow |= next.is_none();
        result.magnitude = next.unwrap_or(u64::MAX);
        at += 1;
    }
    result.length = if at > first { at } else { 0 };
    result
}

/// A floating number found at the start of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floating {
    /// Its value.
    pub value: f64,
    /// Its value rounded once to a `float`.
    pub single: f32,
    /// The bytes read, with white space before; 0 if there is no number.
    pub length: usize,
    /// It has a digit that is not 0.
    pub nonzero: bool,
}

impl Floating {
    fn new(value: f64, length: usize) -> Self {
        Floating { value, single: value as f32, length, nonzero: value != 0.0 }
    }

    /// Whether the value is too large or too small for a `double`.
    pub fn out_of_range(&self, literal: &[u8]) -> bool {
        let named = literal.iter().any(|byte| matches!(byte, b'n' | b'N'));
        !named && (self.value.is_infinite() || self.nonzero && self.value.abs() < f64::MIN_POSITIVE)
    }
}

/// The floating number at the start of a text.
pub(super) fn floating(text: &[u8]) -> Floating {
    let (at, negative) = start(text);
    let rest = &text[at..];
    let found = named(rest).or_else(|| hexadecimal(rest)).or_else(|| decimal(rest));
    let Some(mut found) = found else { return Floating::new(0.0, 0) };
    if negative {
        (found.value, found.single) = (-found.value, -found.single);
    }
    found.length += at;
    found
}

/// `inf`, `infinity`, `nan` and `nan(…)`.
fn named(text: &[u8]) -> Option<Floating> {
    let starts = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    if starts("infinity") {
        return Some(Floating::new(f64::INFINITY, 8));
    }
    if starts("inf") {
        return Some(Floating::new(f64::INFINITY, 3));
    }
    if !starts("nan") {
        return None;
    }
    let inner = text[3..].iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let closed = text.get(3) == Some(&b'(') && text.get(4 + inner) == Some(&b')');
    Some(Floating::new(f64::NAN, if closed { 5 + inner } else { 3 }))
}

fn decimal(text: &[u8]) -> Option<Floating> {
    let digits = |from: usize| text[from.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    let mut count = length;
    if text.get(length) == Some(&b'.') {
        let fraction = digits(length + 1);
        count += fraction;
        length += 1 + fraction;
    }
    if count == 0 {
        return None;
    }
    let nonzero = text[..length].iter().any(|byte| matches!(byte, b'1'..=b'9'));
    length += exponent(&text[length..], b'e').map_or(0, |(length, _)| length);
    let literal = std::str::from_utf8(&text[..length]).ok()?;
    Some(Floating { value: literal.parse().ok()?, single: literal.parse().ok()?, length, nonzero })
}

/// An exponent: its length and its value.
fn exponent(text: &[u8], mark: u8) -> Option<(usize, i64)> {
    if text.first()?.to_ascii_lowercase() != mark {
        return None;
    }
    let sign = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    let digits = text[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit());
    let (count, value) = digits.fold((0, 0i64), |(count, value), digit| {
        (count + 1, value.saturating_mul(10).saturating_add((digit - b'0').into()).min(1 << 40))
    });
    let negative = text.get(1) == Some(&b'-');
    (count > 0).then_some((1 + sign + count, if negative { -value } else { value }))
}

fn hexadecimal(text: &[u8]) -> Option<Floating> {
    if !matches!(text, [b'0', b'x' | b'X', ..]) {
        return None;
    }
    let (mut mantissa, mut scale, mut count, mut sticky) = (0u64, 0i64, 0usize, false);
    let (mut at, mut point) = (2, false);
    while let Some(&byte) = text.get(at) {
        if byte == b'.' && !point {
            point = true;
        } else if let Some(digit) = char::from(byte).to_digit(16) {
            count += 1;
            let full = mantissa >> 60 != 0;
            if full {
                sticky |= digit != 0;
            } else {
                mantissa = mantissa << 4 | u64::from(digit);
            }
            scale += 4 * (i64::from(full) - i64::from(point));
        } else {
            break;
        }
        at += 1;
    }
    if count == 0 {
        return None;
    }
    let (length, power) = exponent(&text[at..], b'p').unwrap_or((0, 0));
    let value = rounded(mantissa, sticky, scale.saturating_add(power));
    Some(Floating { nonzero: mantissa != 0, ..Floating::new(value, at + length) })
}

/// `mantissa * 2^exponent`, rounded half to even; `sticky` says that a little more was cut off.
fn rounded(mantissa: u64, sticky: bool, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let shift = mantissa.leading_zeros();
    let top = exponent + 63 - i64::from(shift);
    let precision = if top >= -1022 { 53 } else { 53 - (-1022 - top) };
    if top > 1023 || precision < 0 {
        return if top > 1023 { f64::INFINITY } else { 0.0 };
    }
    let whole = u128::from(mantissa << shift) << 1 | u128::from(sticky);
    let cut = 65 - precision as u32;
    let (kept, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1u128 << (cut - 1));
    let kept = kept + u128::from(rest > half || (rest == half && kept & 1 == 1));
    kept as f64 * ((top - precision + 1) as f64).exp2()
}
