//! Integer constants: `5` to `6`, `4`, `-5` and `0`.

use c_syntax::wrap;
use c_types::{Type, TypeId, Types};

/// The other values of a constant that is written as `text`, with what they are written as.
pub fn others(types: &Types, ty: TypeId, value: i128, text: &str) -> Vec<(i128, String)> {
    let mut found: Vec<(i128, String)> = Vec::new();
    if parse(text) != Some(value) {
        return found;
    }
    for new in [value + 1, value - 1, -value, 0] {
        let stored = wrap(types, ty, new);
        let is_new = stored != value && found.iter().all(|(known, _)| *known != stored);
        if let Some(text) = write(types, ty, text, new).filter(|_| is_new) {
            found.push((stored, text));
        }
    }
    found
}

/// How `value` is written in the place of a constant `old`; `None` if it would have another type.
pub fn write(types: &Types, ty: TypeId, old: &str, value: i128) -> Option<String> {
    if old.starts_with('\'') {
        return Some(match u8::try_from(value) {
            Ok(0) if old != "'\\0'" => "'\\0'".into(),
            Ok(byte @ 32..=126) if !matches!(byte, b'\'' | b'\\') => format!("'{}'", byte as char),
            _ => value.to_string(),
        });
    }
    let (digits, suffix) = split_suffix(old);
    let size = value.unsigned_abs();
    let number = if is_hexadecimal(digits) { format!("0x{size:x}") } else { size.to_string() };
    let written = type_of(size, suffix, is_hexadecimal(digits))?;
    let wanted = match *types.get(ty) {
        Type::Int { bytes, signed } => (bytes, signed),
        _ => return None,
    };
    (written == wanted).then(|| format!("{}{number}{suffix}", if value < 0 { "-" } else { "" }))
}

/// The size and sign of the type of a constant that is written as `text`.
pub fn size(text: &str, value: i128) -> Option<(u8, bool)> {
    if text.starts_with('\'') {
        return Some((4, true));
    }
    let (digits, suffix) = split_suffix(text);
    type_of(value.unsigned_abs(), suffix, is_hexadecimal(digits))
}

fn is_hexadecimal(digits: &str) -> bool {
    digits.to_ascii_lowercase().starts_with("0x")
}

/// The size and sign of the type of a number.
fn type_of(value: u128, suffix: &str, is_hexadecimal: bool) -> Option<(u8, bool)> {
    let suffix = suffix.to_ascii_lowercase();
    let (is_long, is_unsigned) = (suffix.contains('l'), suffix.contains('u'));
    let fits = |bytes: u8, signed: bool| value < 1 << (u32::from(bytes) * 8 - u32::from(signed));
    let candidates = [(4, true), (4, false), (8, true), (8, false)];
    let allowed = |(bytes, signed): (u8, bool)| {
        (!is_long || bytes == 8) && if is_unsigned { !signed } else { signed || is_hexadecimal }
    };
    candidates.into_iter().find(|&(bytes, signed)| allowed((bytes, signed)) && fits(bytes, signed))
}

fn split_suffix(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(['u', 'U', 'l', 'L']).len())
}

/// The value of a constant as it is written.
pub fn parse(text: &str) -> Option<i128> {
    if let Some(inside) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return match inside.as_bytes() {
            [byte] if byte.is_ascii() => Some((*byte).into()),
            [b'\\', escape] => Some(match escape {
                b'n' => 10,
                b't' => 9,
                b'r' => 13,
                b'0' => 0,
                b'\\' | b'\'' | b'"' => (*escape).into(),
                _ => return None,
            }),
            _ => None,
        };
    }
    let (digits, _) = split_suffix(text);
    let (digits, radix) = match digits.to_ascii_lowercase() {
        lower if lower.starts_with("0x") => (digits[2..].to_string(), 16),
        lower if lower.len() > 1 && lower.starts_with('0') => (digits[1..].to_string(), 8),
        lower => (lower, 10),
    };
    i128::from_str_radix(&digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: u8, signed: bool, text: &str) -> Vec<String> {
        let mut types = Types::new();
        let ty = types.int(bytes, signed);
        let value = parse(text).expect("a constant");
        others(&types, ty, value, text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn constants_keep_their_type() {
        assert_eq!(written(4, true, "600"), ["601", "599", "-600", "0"]);
        assert_eq!(written(4, true, "0"), ["1", "-1"]);
        assert_eq!(written(4, true, "1"), ["2", "0", "-1"]);
        assert_eq!(written(4, false, "1u"), ["2u", "0u", "-1u"]);
        assert_eq!(written(8, true, "0x10L"), ["0x11L", "0xfL", "-0x10L", "0x0L"]);
        assert_eq!(written(4, true, "2147483647"), ["2147483646", "-2147483647", "0"]);
        assert_eq!(written(4, true, "'a'"), ["'b'", "'`'", "-97", "'\\0'"]);
        assert_eq!(written(4, true, "010"), ["9", "7", "-8", "0"]);
    }
}
