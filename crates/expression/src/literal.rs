//! Numbers, characters and strings as C writes them.

use c_types::Type;

use crate::token::Kind;

/// The number at the start of `rest`, and its length.
pub(crate) fn number(rest: &str) -> (Kind<'_>, usize) {
    let text = &rest[..number_length(rest)];
    let kind = integer(text).or_else(|| float(text));
    (kind.unwrap_or_else(|| Kind::Bad(format!("`{text}` is not a number"))), text.len())
}

/// Everything that C takes as one number: `0x1F`, `1e-5`, and also `12abc`.
fn number_length(rest: &str) -> usize {
    let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    let belongs = |c: char| {
        let is_sign = (c == '+' || c == '-') && matches!(before, 'e' | 'E') && !is_hex;
        before = c;
        c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign
    };
    let mut belongs = belongs;
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

fn integer(text: &str) -> Option<Kind<'static>> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', b'0'..=b'9', ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (unsigned, long) = match &digits[end..] {
        "" => (false, false),
        "u" => (true, false),
        "l" | "ll" => (false, true),
        "ul" | "lu" | "ull" | "llu" => (true, true),
        _ => return None,
    };
    let value = i128::from_str_radix(&digits[..end], radix).ok()?;
    match integer_type(value, unsigned, long, radix != 10) {
        Some(ty) => Some(Kind::Int(value, ty)),
        None => Some(Kind::Bad(format!("`{text}` is too large for every integer type"))),
    }
}

/// The first type of C's list for literals that holds the value. Only those
/// with a suffix, or not in decimal, may become unsigned.
fn integer_type(value: i128, unsigned: bool, long: bool, based: bool) -> Option<Type> {
    let candidates = [(4, true), (4, false), (8, true), (8, false)];
    let allowed = |&(bytes, signed): &(u8, bool)| {
        let sign_fits = if unsigned { !signed } else { signed || based };
        let bits = u32::from(bytes) * 8 - u32::from(signed);
        sign_fits && (bytes == 8 || !long) && value < 1 << bits
    };
    let (bytes, signed) = candidates.into_iter().find(allowed)?;
    Some(Type::Int { bytes, signed })
}

fn float(text: &str) -> Option<Kind<'static>> {
    let (digits, bytes) = match text.as_bytes().last()? {
        b'f' | b'F' => (&text[..text.len() - 1], 4),
        b'l' | b'L' => (&text[..text.len() - 1], 16),
        _ => (text, 8),
    };
    if !digits.contains(['.', 'e', 'E']) {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    let value = if bytes == 4 { f64::from(value as f32) } else { value };
    Some(Kind::Float(value, Type::Float { bytes }))
}

/// The character literal at the start of `rest`, and its length.
pub(crate) fn character(rest: &str) -> (Kind<'_>, usize) {
    match quoted(rest, '\'') {
        Some((bytes, length)) => match bytes[..] {
            [byte] => (Kind::Int(i128::from(byte as i8), Type::Int { bytes: 4, signed: true }), length),
            _ => (Kind::Bad(format!("`{}` is not one character", &rest[..length])), length),
        },
        None => (Kind::Bad("the closing `'` is missing".into()), rest.len()),
    }
}

/// The string literal at the start of `rest`, and its length.
pub(crate) fn text(rest: &str) -> (Kind<'_>, usize) {
    match quoted(rest, '"') {
        Some((bytes, length)) => (Kind::Text(bytes), length),
        None => (Kind::Bad("the closing `\"` is missing".into()), rest.len()),
    }
}

/// The bytes between two quotes, and the length with the quotes.
fn quoted(rest: &str, quote: char) -> Option<(Vec<u8>, usize)> {
    let (mut bytes, mut inside) = (Vec::new(), &rest[1..]);
    loop {
        let c = inside.chars().next()?;
        inside = &inside[c.len_utf8()..];
        match c {
            '\\' => {
                let (byte, length) = escape(inside)?;
                bytes.push(byte);
                inside = &inside[length..];
            }
            c if c == quote => return Some((bytes, rest.len() - inside.len())),
            c => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
}

/// The byte that follows a backslash stands for, and how much of the text it is.
fn escape(rest: &str) -> Option<(u8, usize)> {
    let first = rest.chars().next()?;
    let digits = |text: &str, radix: u32, most: usize| {
        let length = text.bytes().take(most).take_while(|&b| (b as char).is_digit(radix)).count();
        (u32::from_str_radix(&text[..length], radix).unwrap_or(0) as u8, length)
    };
    Some(match first {
        'n' => (b'\n', 1),
        't' => (b'\t', 1),
        'r' => (b'\r', 1),
        'a' => (7, 1),
        'b' => (8, 1),
        'f' => (12, 1),
        'v' => (11, 1),
        'e' => (27, 1),
        '0'..='7' => digits(rest, 8, 3),
        'x' => {
            let (byte, length) = digits(&rest[1..], 16, 2);
            (byte, length + 1)
        }
        c if c.is_ascii() => (c as u8, 1),
        _ => (b'\\', 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (i128, u8, bool) {
        match number(text) {
            (Kind::Int(value, Type::Int { bytes, signed }), length) if length == text.len() => (value, bytes, signed),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers_take_the_first_type_that_holds_them() {
        assert_eq!(int("0"), (0, 4, true));
        assert_eq!(int("017"), (15, 4, true));
        assert_eq!(int("2147483648"), (2147483648, 8, true));
        assert_eq!(int("0x80000000"), (2147483648, 4, false));
        assert_eq!(int("0xFFFFFFFFFFFFFFFFull"), (u64::MAX.into(), 8, false));
        assert_eq!(int("1u"), (1, 4, false));
        assert_eq!(int("5L"), (5, 8, true));
        assert_eq!(int("0b101"), (5, 4, true));
    }

    #[test]
    fn other_literals() {
        assert_eq!(number("1.5f").0, Kind::Float(1.5, Type::Float { bytes: 4 }));
        assert_eq!(number("1e-3 + x"), (Kind::Float(0.001, Type::Float { bytes: 8 }), 4));
        assert_eq!(number("0x1e-3").1, 4);
        assert!(matches!(number("12abc").0, Kind::Bad(_)));
        assert!(matches!(number("9223372036854775808").0, Kind::Bad(_)));
        assert_eq!(character(r"'\n'+1"), (Kind::Int(10, Type::Int { bytes: 4, signed: true }), 4));
        assert_eq!(character(r"'\377'").0, Kind::Int(-1, Type::Int { bytes: 4, signed: true }));
        assert_eq!(text(r#""a\x41\"" x"#), (Kind::Text(b"aA\"".to_vec()), 9));
        assert!(matches!(character("'").0, Kind::Bad(_)));
        assert!(matches!(character("''").0, Kind::Bad(_)));
    }
}
