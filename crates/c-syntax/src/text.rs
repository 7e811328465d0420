//! Constants as clang prints them.

/// The bytes of a string literal that clang prints with quotes and escapes,
/// for characters of `width` bytes.
pub(crate) fn literal(printed: &str, width: usize) -> Vec<u8> {
    let start = printed.find('"').map_or(0, |i| i + 1);
    let end = printed.rfind('"').unwrap_or(printed.len()).max(start);
    let mut bytes = Vec::new();
    let mut chars = printed[start..end].chars().peekable();
    while let Some(c) = chars.next() {
        let code = match c {
            '\\' => match escape(&mut chars) {
                Some(Escaped::Byte(byte)) => byte,
                Some(Escaped::Char(c)) => {
                    push_char(&mut bytes, c, width);
                    continue;
                }
                None => continue,
            },
            c => {
                push_char(&mut bytes, c, width);
                continue;
            }
        };
        bytes.extend_from_slice(&code.to_le_bytes()[..width.min(4)]);
    }
    bytes
}

fn push_char(bytes: &mut Vec<u8>, c: char, width: usize) {
    match width {
        1 => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        _ => bytes.extend_from_slice(&(c as u32).to_le_bytes()[..width.min(4)]),
    }
}

enum Escaped {
    Byte(u32),
    Char(char),
}

fn escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Escaped> {
    let byte = match chars.next()? {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'x' => return Some(Escaped::Byte(number(chars, 16, usize::MAX, 0))),
        'u' => return char::from_u32(number(chars, 16, 4, 0)).map(Escaped::Char),
        'U' => return char::from_u32(number(chars, 16, 8, 0)).map(Escaped::Char),
        c @ '0'..='7' => number(chars, 8, 2, c.to_digit(8).expect("an octal digit")),
        c => c as u32,
    };
    Some(Escaped::Byte(byte))
}

fn number(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize, first: u32) -> u32 {
    let mut value = first;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        chars.next();
        value = value.wrapping_mul(radix).wrapping_add(digit);
    }
    value
}

/// A floating constant as clang prints it.
pub(crate) fn float(printed: &str) -> f64 {
    match printed.trim_start_matches('+') {
        "Inf" => f64::INFINITY,
        "NaN" => f64::NAN,
        text => text.parse().unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert_eq!(literal(r#""a\n\"\\\000b""#, 1), b"a\n\"\\\0b");
        assert_eq!(literal(r#""\377""#, 1), [0xff]);
        assert_eq!(literal(r#"L"ab""#, 4), [97, 0, 0, 0, 98, 0, 0, 0]);
    }
}
