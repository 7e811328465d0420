//! Where the parts of statements stand in the text: from the keyword of an
//! `if` to its closing parenthesis, the three clauses of a `for`.
//!
//! Compilers attribute the instructions of a condition to places all over its
//! header, so a step's region is the whole header.

use c_syntax::{Source, Span, closing_parenthesis, skip_space};

/// From the keyword at the start of `statement` to the parenthesis that closes
/// its header. Without such a keyword the header comes from a macro: then it
/// is the place of the condition.
pub(super) fn header(source: &Source, statement: Span, keyword: &str, condition: Span) -> Span {
    let found = open_parenthesis(source, statement, keyword)
        .and_then(|open| closing_parenthesis(&source.bytes, open))
        .filter(|&close| close < statement.end as usize);
    match found {
        Some(close) => Span::new(statement.start as usize, close + 1),
        None => Span { start: statement.start.min(condition.start), end: condition.end },
    }
}

fn open_parenthesis(source: &Source, statement: Span, keyword: &str) -> Option<usize> {
    let start = statement.start as usize;
    let text = source.bytes.get(start..statement.end as usize)?;
    if !text.starts_with(keyword.as_bytes()) {
        return None;
    }
    let open = skip_space(&source.bytes, start + keyword.len());
    (source.bytes.get(open) == Some(&b'(')).then_some(open)
}

/// The three clauses of a `for` header, between `(`, `;`, `;` and `)`.
/// `None` if the header comes from a macro.
pub(super) fn clauses(source: &Source, statement: Span) -> Option<[Span; 3]> {
    let open = open_parenthesis(source, statement, "for")?;
    let close = closing_parenthesis(&source.bytes, open)?;
    let mut borders = vec![open];
    let (mut at, mut depth) = (open + 1, 0);
    while at < close {
        match source.bytes[at] {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b';' if depth == 0 => borders.push(at),
            b'/' if matches!(source.bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = skip_space(&source.bytes, at);
                continue;
            }
            b'\'' | b'"' => at = end_of_quote(&source.bytes, at),
            _ => {}
        }
        at += 1;
    }
    borders.push(close);
    let between = |i: usize| Span::new(borders[i] + 1, borders[i + 1]);
    (borders.len() == 4).then(|| [between(0), between(1), between(2)])
}

fn end_of_quote(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_and_clauses_are_found() {
        let text = b"for (i = 0; f(i, ';') /* ; */; i++) x();";
        let source = Source::new("a.c", text.to_vec());
        let whole = Span::new(0, text.len());
        let clauses = clauses(&source, whole).expect("a for header");
        assert_eq!(clauses.map(|c| source.text(c)), ["i = 0", " f(i, ';') /* ; */", " i++"]);
        let source = Source::new("a.c", b"if /* a */ ((x) > 1) y();".to_vec());
        let found = header(&source, Span::new(0, 25), "if", Span::new(12, 19));
        assert_eq!(source.text(found), "if /* a */ ((x) > 1)");
    }
}
