//! Programs with something else in the place of some expressions: K's
//! `cmp(c, RHS, …)`.
//!
//! `r = x;` becomes `r = wolverine_on_0 ? wolverine_any_0 : x;`. The new
//! variables are globals that nobody writes; what they are is left open. That
//! is done in the syntax tree, and in the text where what is put in is a text.

use std::collections::HashMap;

use c_syntax::{BinaryOp, Expr, ExprKind, ParseError, Span, Storage, Unit, Variable, VariableId, rewrite};
use c_types::TypeId;
use check::Side;
use encode::program::Unknown;
use ir::GlobalId;

/// What an expression becomes.
type Replacement<'a> = Box<dyn Fn(Expr) -> Expr + 'a>;

/// A program whose expressions are being replaced.
pub struct Instrument<'a> {
    side: &'a Side,
    /// Its tree, with new variables.
    pub unit: Unit,
    new: HashMap<Span, Replacement<'a>>,
}

impl<'a> Instrument<'a> {
    /// The program as it is.
    pub fn new(side: &'a Side) -> Self {
        Instrument { side, unit: (*side.unit).clone(), new: HashMap::new() }
    }

    /// A new global that nobody writes.
    pub fn unknown(&mut self, name: &str, ty: TypeId) -> VariableId {
        let id = VariableId(self.unit.variables.len() as u32);
        let (storage, span) = (Storage::Global, Span::default());
        self.unit.variables.push(Variable { name: name.into(), ty, span, storage, init: None, lengths: vec![] });
        self.unit.globals.push(id);
        id
    }

    /// A new local with a value, where it is declared by [`StmtKind::Declare`](c_syntax::StmtKind::Declare).
    pub fn local(&mut self, name: &str, init: Expr) -> VariableId {
        let id = VariableId(self.unit.variables.len() as u32);
        let (storage, span, ty) = (Storage::Local, Span::default(), init.ty);
        let init = Some(init);
        self.unit.variables.push(Variable { name: name.into(), ty, span, storage, init, lengths: vec![] });
        id
    }

    /// Replaces the expression with this text; those inside of it are replaced before.
    pub fn replace(&mut self, span: Span, new: impl Fn(Expr) -> Expr + 'a) {
        self.new.insert(span, Box::new(new));
    }

    /// The program with all that was replaced.
    pub fn finish(mut self) -> Side {
        let new = self.new;
        rewrite(&mut self.unit, &mut |e| {
            if let Some(new) = new.get(&e.span) {
                let old = std::mem::replace(e, Expr::new(ExprKind::Zero, e.ty, e.span));
                *e = new(old);
            }
        });
        self.side.with_unit(self.unit)
    }
}

/// The value of a variable.
pub fn value_of(unit: &Unit, id: VariableId, span: Span) -> Expr {
    let ty = unit.variables[id.0 as usize].ty;
    Expr::new(ExprKind::Load(Box::new(Expr::new(ExprKind::Variable(id), ty, span))), ty, span)
}

/// Whether an expression is not zero, as an `int`.
pub fn not_zero(e: Expr, int: TypeId) -> Expr {
    let (ty, span) = (e.ty, e.span);
    let zero = Box::new(Expr::new(ExprKind::Zero, ty, span));
    Expr::new(ExprKind::Binary(BinaryOp::NotEqual, Box::new(e), zero), int, span)
}

/// An expression in another type.
pub fn converted(e: Expr, ty: TypeId) -> Expr {
    let span = e.span;
    if e.ty == ty { e } else { Expr::new(ExprKind::Convert(Box::new(e)), ty, span) }
}

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
