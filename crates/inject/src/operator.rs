//! Comparison operators in the text: that of `a <= b` is `<=`, which may become
//! `<`, `>`, `>=`, `==` or `!=`; between pointers only `==` and `!=` are tried.

use c_syntax::{BinaryOp, Source, Span};

const COMPARISONS: [(BinaryOp, &str); 6] = [
    (BinaryOp::Less, "<"),
    (BinaryOp::LessEqual, "<="),
    (BinaryOp::Greater, ">"),
    (BinaryOp::GreaterEqual, ">="),
    (BinaryOp::Equal, "=="),
    (BinaryOp::NotEqual, "!="),
];

/// The bytes of a comparison operator between its operands, if it is one and
/// nothing but blanks and parentheses stand around it. A comment there, or a
/// macro that has the operator in its body, is left alone.
pub(crate) fn find(source: &Source, op: BinaryOp, left: Span, right: Span) -> Option<Span> {
    let (_, text) = COMPARISONS.iter().find(|(known, _)| *known == op)?;
    let gap = source.bytes.get(left.end as usize..right.start as usize)?;
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')');
    let start = gap.iter().position(|byte| !is_around(byte))?;
    let end = gap.iter().rposition(|byte| !is_around(byte))? + 1;
    let first = left.end as usize + start;
    (&gap[start..end] == text.as_bytes()).then(|| Span::new(first, left.end as usize + end))
}

/// What may stand in the place of a comparison operator.
pub(crate) fn others(op: BinaryOp, pointers: bool) -> Vec<String> {
    let fits = |other: BinaryOp| !pointers || matches!(other, BinaryOp::Equal | BinaryOp::NotEqual);
    let others = COMPARISONS.iter().filter(|(other, _)| *other != op && fits(*other));
    others.map(|(_, text)| text.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_between_parentheses() {
        let source = Source::new("a.c", b"(a) <= (b)".to_vec());
        let found = find(&source, BinaryOp::LessEqual, Span::new(1, 2), Span::new(8, 9));
        assert_eq!(found, Some(Span::new(4, 6)));
        assert_eq!(find(&source, BinaryOp::Less, Span::new(1, 2), Span::new(8, 9)), None);
    }
}
