//! Finds the annotations of a file and what they stand before.

use c_syntax::Span;

/// An annotation: the text inside of `/*@ … */`, or of `//@ …` lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comment {
    /// Its text, without the marks.
    pub(super) inside: Span,
    /// What stands after it.
    pub(super) before: Before,
}

/// What an annotation stands before.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Before {
    /// A declaration or definition of this function.
    Function(String),
    /// Something inside of a function.
    Statement,
    /// Anything else.
    Other,
}

/// The annotations, in order.
pub(super) fn find(bytes: &[u8]) -> Vec<Comment> {
    let mut found: Vec<Comment> = vec![];
    let (mut at, mut depth, mut last_line) = (0, 0i32, None);
    while at < bytes.len() {
        let length = skipped(&bytes[at..]);
        let Some(length) = length else {
            depth += i32::from(bytes[at] == b'{') - i32::from(bytes[at] == b'}');
            at += 1;
            continue;
        };
        let text = &bytes[at..at + length];
        let is_line = text.starts_with(b"//@");
        if text.starts_with(b"/*@") || is_line {
            let end = at + length - if is_line { 0 } else { 2.min(length - 3) };
            let inside = Span::new(at + 3, end);
            match (found.last_mut(), last_line) {
                // Lines one after the other are one annotation.
                (Some(last), Some(line_end)) if is_line && blank(&bytes[line_end..at]) => {
                    last.inside = last.inside.to(inside);
                    last.before = before(&bytes[at + length..], depth);
                }
                _ => found.push(Comment { inside, before: before(&bytes[at + length..], depth) }),
            }
            last_line = is_line.then_some(at + length);
        }
        at += length;
    }
    found
}

fn blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// The length of the comment, text or character at the start, if there is one.
fn skipped(rest: &[u8]) -> Option<usize> {
    let after = |start: usize, end: &[u8]| {
        let found = rest[start..].windows(end.len()).position(|window| window == end);
        found.map_or(rest.len(), |found| start + found + end.len())
    };
    match rest {
        [b'/', b'*', ..] => Some(after(2, b"*/")),
        [b'/', b'/', ..] => Some(rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())),
        [quote @ (b'"' | b'\''), ..] => {
            let mut at = 1;
            while at < rest.len() && rest[at] != *quote && rest[at] != b'\n' {
                at += 1 + usize::from(rest[at] == b'\\');
            }
            Some((at + 1).min(rest.len()))
        }
        _ => None,
    }
}

/// What the code after an annotation begins with.
fn before(rest: &[u8], depth: i32) -> Before {
    if depth > 0 {
        return Before::Statement;
    }
    let mut code: Vec<u8> = vec![];
    let mut at = 0;
    while at < rest.len() && !matches!(rest[at], b';' | b'{' | b'}' | b'=') {
        match skipped(&rest[at..]) {
            Some(length) => at += length,
            None if rest[at] == b'#' => {
                at += rest[at..].iter().position(|byte| *byte == b'\n').unwrap_or(rest.len() - at);
            }
            None => {
                code.push(rest[at]);
                at += 1;
            }
        }
    }
    let code = String::from_utf8_lossy(&code).into_owned();
    let Some(open) = code.find('(') else { return Before::Other };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = code[..open].trim_end().chars().rev().take_while(|c| is_word(*c)).collect();
    match name.is_empty() {
        true => Before::Other,
        false => Before::Function(name.chars().rev().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_know_what_they_stand_before() {
        let text = b"/* no */ //@ requires n > 0;\n//@ ensures \\true;\nstatic int f(int n) { /*@ loop variant n; */ while (n) n--; }";
        let found = find(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].before, Before::Function("f".into()));
        assert_eq!(found[1].before, Before::Statement);
    }
}
