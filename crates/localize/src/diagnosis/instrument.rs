//! Texts with something put around some expressions: the C of K's `cmp(c, RHS, …)`.
//!
//! `r = x;` becomes `r = (wolverine_on_0 ? wolverine_any_0 : (x));`. The new
//! variables are globals that nobody writes; what they are is left open.

use c_syntax::{ParseError, Span};
use check::Side;
use encode::program::Unknown;
use ir::GlobalId;

/// What is put around an expression, or in its place.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The expression.
    pub span: Span,
    /// Goes before it.
    pub before: String,
    /// Goes behind it.
    pub after: String,
    /// Whether the expression itself goes.
    pub replaces: bool,
}

/// The program with these pieces, and with declarations in front of everything.
pub fn instrument(side: &Side, declarations: &str, pieces: &[Piece]) -> Result<Side, ParseError> {
    side.with_text(&text(side.text(), declarations, pieces))
}

fn text(original: &[u8], declarations: &str, pieces: &[Piece]) -> Vec<u8> {
    // At one place, what ends there goes before what begins there; the outer begins first and ends last.
    let mut changes: Vec<(u32, (u8, i64), &str)> = vec![];
    let mut gone: Vec<Span> = vec![];
    for piece in pieces {
        let (start, end) = (i64::from(piece.span.start), i64::from(piece.span.end));
        changes.push((piece.span.start, (1, -end), &piece.before));
        changes.push((piece.span.end, (0, -start), &piece.after));
        gone.extend(piece.replaces.then_some(piece.span));
    }
    changes.sort_by_key(|change| (change.0, change.1));
    let mut out = declarations.as_bytes().to_vec();
    let mut changes = changes.into_iter().peekable();
    for (at, byte) in original.iter().enumerate() {
        while let Some((_, _, text)) = changes.next_if(|change| change.0 as usize == at) {
            out.extend_from_slice(text.as_bytes());
        }
        if !gone.iter().any(|span| span.contains(at as u32)) {
            out.push(*byte);
        }
    }
    changes.for_each(|(_, _, text)| out.extend_from_slice(text.as_bytes()));
    out
}

/// A new global by its name.
pub fn global(side: &Side, name: &str) -> Option<GlobalId> {
    let position = side.program.globals.iter().position(|global| &*global.name == name);
    position.map(|index| GlobalId(index as u32))
}

/// The globals of these names, as far as the program reads them.
pub fn unknowns(side: &Side, named: impl IntoIterator<Item = (String, Unknown)>) -> Vec<(GlobalId, Unknown)> {
    named.into_iter().filter_map(|(name, unknown)| Some((global(side, &name)?, unknown))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_pieces_are_inside_of_outer_ones() {
        let piece = |start, end, name: &str| Piece {
            span: Span::new(start, end),
            before: format!("({name} ? 0 : ("),
            after: "))".into(),
            replaces: false,
        };
        let pieces = [piece(2, 6, "rhs"), piece(4, 5, "index"), piece(8, 9, "other")];
        let found = text(b"r=a[i]+ x;", "int k;\n", &pieces);
        let wanted = "int k;\nr=(rhs ? 0 : (a[(index ? 0 : (i))]))+ (other ? 0 : (x));";
        assert_eq!(String::from_utf8(found).expect("it is text"), wanted);
    }
}
