//! The tokens of an annotation. `@` at the start of a line is a decoration.

use c_syntax::Span;

use super::ContractError;

/// A token with its place in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name; those of the language begin with a backslash.
    Name(String),
    Int(i128),
    Text,
    /// An operator or parenthesis.
    Sign(&'static str),
    End,
}

/// Signs, the longest first.
const SIGNS: [&str; 41] = [
    "<==>", "<-->", "==>", "-->", "...", "..", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", "::", "{",
    "}", "(", ")", "[", "]", ";", ",", ":", "?", "<", ">", "=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", ".",
];

/// The tokens of `bytes[span]`, and one for its end.
pub(super) fn tokens(bytes: &[u8], span: Span) -> Result<Vec<Token>, ContractError> {
    let (mut at, end) = (span.start as usize, span.end as usize);
    let mut found = vec![];
    while at < end {
        let rest = &bytes[at..end];
        let byte = rest[0];
        if byte.is_ascii_whitespace() || byte == b'@' {
            at += 1;
            continue;
        }
        if rest.starts_with(b"//@") {
            at += 3;
            continue;
        }
        if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = token(rest).ok_or_else(|| {
            let shown = String::from_utf8_lossy(rest).chars().next().unwrap_or(' ');
            ContractError::new(Span::new(at, at + 1), format!("`{shown}` means nothing in a contract"))
        })?;
        found.push(Token { kind, span: Span::new(at, at + length) });
        at += length;
    }
    found.push(Token { kind: Kind::End, span: Span::new(end.max(1) - 1, end) });
    Ok(found)
}

fn token(rest: &[u8]) -> Option<(Kind, usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let byte = rest[0];
    if byte.is_ascii_digit() {
        let length = rest.iter().take_while(|byte| is_word(byte)).count();
        return Some((Kind::Int(number(&rest[..length])?), length));
    }
    if is_word(&byte) || byte == b'\\' {
        let length = 1 + rest[1..].iter().take_while(|byte| is_word(byte)).count();
        return (length > 1 || byte != b'\\')
            .then(|| (Kind::Name(String::from_utf8_lossy(&rest[..length]).into_owned()), length));
    }
    if byte == b'\'' {
        return character(rest);
    }
    if byte == b'"' {
        let length = 2 + rest[1..].iter().position(|byte| *byte == b'"')?;
        return Some((Kind::Text, length));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes()))?;
    Some((Kind::Sign(sign), sign.len()))
}

fn number(word: &[u8]) -> Option<i128> {
    let word = String::from_utf8_lossy(word).to_ascii_lowercase();
    let digits = word.trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

fn character(rest: &[u8]) -> Option<(Kind, usize)> {
    let value = match rest {
        [_, b'\\', escape, b'\'', ..] => {
            let value = match escape {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'0' => 0,
                other => *other,
            };
            return Some((Kind::Int(value.into()), 4));
        }
        [_, value, b'\'', ..] => *value,
        _ => return None,
    };
    Some((Kind::Int(value.into()), 3))
}
