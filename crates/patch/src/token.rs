//! C text to tokens: `p->next = 0;` is `p`, `->`, `next`, `=`, `0`, `;`.
//!
//! Anything is taken: an unclosed string ends with its line, an unclosed
//! comment with the text, and an unknown byte is a token of its own.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// What a token is, as far as the scanner cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Literal,
    Punctuator,
    Comment,
}

/// A token of the user's file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// Whether it stands on a preprocessor line.
    pub directive: bool,
}

/// The C tokens of a text, without comments.
pub fn tokens(text: &str) -> Vec<&str> {
    // Bytes of longer characters are all taken for letters, so tokens never cut one.
    code(text.as_bytes()).map(|token| &text[token.start..token.end]).collect()
}

/// How many tokens have to be removed and added to get from one text to the
/// other; a changed token counts as one removed and one added.
pub fn token_distance(old: &str, new: &str) -> usize {
    distance(old.as_bytes(), new.as_bytes())
}

pub(crate) fn distance(old: &[u8], new: &[u8]) -> usize {
    let texts = |bytes| code(bytes).map(|token| &bytes[token.start..token.end]).collect::<Vec<&[u8]>>();
    let steps = capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new));
    let cost = |step: &DiffOp| match step {
        DiffOp::Equal { .. } => 0,
        step => step.old_range().len() + step.new_range().len(),
    };
    steps.iter().map(cost).sum()
}

fn code(bytes: &[u8]) -> impl Iterator<Item = Token> {
    lex(bytes).into_iter().filter(|token| token.kind != Kind::Comment)
}

/// All tokens of a text, comments included.
pub(crate) fn lex(bytes: &[u8]) -> Vec<Token> {
    let (mut found, mut at) = (Vec::new(), 0);
    let (mut fresh_line, mut directive) = (true, false);
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            (fresh_line, directive) = (true, false);
        }
        if is_space(bytes[at]) {
            at += 1;
            continue;
        }
        if let Some(next) = joined_line(bytes, at) {
            at = next;
            continue;
        }
        let (kind, end) = token_at(bytes, at);
        directive |= fresh_line && bytes[at] == b'#';
        fresh_line &= kind == Kind::Comment;
        found.push(Token { kind, start: at, end, directive });
        at = end;
    }
    found
}

pub(crate) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The beginning of the next line, if a backslash at `at` joins it to this one.
fn joined_line(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at..] {
        [b'\\', b'\n', ..] => Some(at + 2),
        [b'\\', b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    }
}

fn token_at(bytes: &[u8], at: usize) -> (Kind, usize) {
    match bytes[at..] {
        [b'/', b'/', ..] => (Kind::Comment, end_of_line_comment(bytes, at)),
        [b'/', b'*', ..] => (Kind::Comment, end_of_block_comment(bytes, at)),
        [b'"' | b'\'', ..] => (Kind::Literal, end_of_quote(bytes, at)),
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => (Kind::Literal, end_of_number(bytes, at)),
        [byte, ..] if is_letter(byte) => word_at(bytes, at),
        _ => (Kind::Punctuator, at + punctuator_length(&bytes[at..])),
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn end_of_line_comment(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && !matches!(bytes[at..], [b'\n', ..] | [b'\r', b'\n', ..]) {
        at = joined_line(bytes, at).unwrap_or(at + 1);
    }
    at
}

fn end_of_block_comment(bytes: &[u8], at: usize) -> usize {
    let inside = &bytes[at + 2..];
    inside.windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |length| at + length + 4)
}

fn end_of_quote(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            byte if byte == bytes[open] => return at + 1,
            b'\n' => return at,
            b'\\' => at = joined_line(bytes, at).unwrap_or((at + 2).min(bytes.len())),
            _ => at += 1,
        }
    }
    at
}

fn end_of_number(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes[at..] {
            [b'e' | b'E' | b'p' | b'P', b'+' | b'-', ..] if !is_hexadecimal_digit(bytes, at) => at += 2,
            [byte, ..] if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') => at += 1,
            _ => return at,
        }
    }
}

/// Whether the `e` at `at` is a digit, as in `0xe+1`, which is three tokens to people.
fn is_hexadecimal_digit(bytes: &[u8], at: usize) -> bool {
    let start = bytes[..at].iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
    matches!(bytes[at], b'e' | b'E') && matches!(bytes[start..at], [b'0', b'x' | b'X', ..])
}

fn word_at(bytes: &[u8], at: usize) -> (Kind, usize) {
    let end = bytes[at..].iter().position(|&byte| !is_letter(byte)).map_or(bytes.len(), |length| at + length);
    let is_prefix = matches!(&bytes[at..end], b"L" | b"u" | b"U" | b"u8");
    match bytes.get(end) {
        Some(b'"' | b'\'') if is_prefix => (Kind::Literal, end_of_quote(bytes, end)),
        _ => (Kind::Word, end),
    }
}

fn punctuator_length(rest: &[u8]) -> usize {
    match *rest {
        [b'.', b'.', b'.', ..] | [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => 3,
        [b'-', b'>', ..] => 2,
        [b'+' | b'-' | b'<' | b'>' | b'=' | b'&' | b'|' | b'#', next, ..] if next == rest[0] => 2,
        [b'<' | b'>' | b'!' | b'*' | b'/' | b'%' | b'+' | b'-' | b'&' | b'^' | b'|', b'=', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_c() {
        let text = "x->y<<=1.5e-3+L\"a\\\"b\"; // c\nc='\\'';/* \" */#define A \\\n 0xe+1";
        let expected = [
            "x",
            "->",
            "y",
            "<<=",
            "1.5e-3",
            "+",
            "L\"a\\\"b\"",
            ";",
            "c",
            "=",
            "'\\''",
            ";",
            "#",
            "define",
            "A",
            "0xe",
            "+",
            "1",
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn anything_is_tolerated() {
        assert_eq!(tokens("\"open\nä ü' /* open"), ["\"open", "ä", "ü", "' /* open"]);
        assert_eq!(tokens("a /* open"), ["a"]);
        assert_eq!(tokens("/*/ 'x\\"), Vec::<&str>::new());
        assert_eq!(tokens("\"x\\"), ["\"x\\"]);
    }

    #[test]
    fn a_changed_token_is_one_removed_and_one_added() {
        assert_eq!(token_distance("x = y->next;", "x=y->next ; // same"), 0);
        assert_eq!(token_distance("x = y->next;", "x = y->prev;"), 2);
        assert_eq!(token_distance("x = y;", "x = y->next;"), 2);
        assert_eq!(token_distance("", "a b"), 2);
    }

    #[test]
    fn preprocessor_lines_are_marked() {
        let marked = |text: &str| lex(text.as_bytes()).iter().filter(|token| token.directive).count();
        assert_eq!(marked("/* c */ # define A \\\n b\nc # d"), 4);
    }
}
