//! Lengths of variable length arrays.
//!
//! clang's JSON has them only inside of the type's name, as text such as
//! `n + 1`. This is a small parser for what people write there: variables,
//! numbers, arithmetic, parentheses, members and calls such as `strlen(s)`.

use std::collections::HashMap;
use std::sync::Arc;

use c_types::{Type, TypeId, Types};

use crate::Span;
use crate::ast::*;

/// The expression `text`, which stands at `place` if it is written in the file,
/// and otherwise somewhere in `whole`. Unsupported ones become
/// [`ExprKind::Unsupported`].
pub(crate) fn parse_length(types: &mut Types, known: Known<'_>, text: &str, place: Option<Span>, whole: Span) -> Expr {
    let int = types.int(4, true);
    let mut parser = Parser { types, known, rest: text.as_bytes(), length: text.len(), place, whole, int };
    let parsed = parser.binary(0);
    let complete = parser.rest.trim_ascii().is_empty();
    match parsed.filter(|_| complete) {
        Some(expr) => expr,
        None => {
            let what = format!("the array length `{text}`");
            Expr::new(ExprKind::Unsupported(what), int, place.unwrap_or(whole))
        }
    }
}

/// What names mean where the length stands.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub names: &'a [HashMap<Arc<str>, VariableId>],
    pub variables: &'a [Variable],
    pub functions: &'a HashMap<Arc<str>, TypeId>,
}

struct Parser<'a> {
    types: &'a mut Types,
    known: Known<'a>,
    rest: &'a [u8],
    /// Of the whole text.
    length: usize,
    place: Option<Span>,
    whole: Span,
    int: TypeId,
}

/// Operators by how tightly they bind.
const LEVELS: &[&[(&str, BinaryOp)]] = &[
    &[("|", BinaryOp::Or)],
    &[("^", BinaryOp::Xor)],
    &[("&", BinaryOp::And)],
    &[("<<", BinaryOp::ShiftLeft), (">>", BinaryOp::ShiftRight)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)],
    &[("*", BinaryOp::Multiply), ("/", BinaryOp::Divide), ("%", BinaryOp::Remainder)],
];

impl Parser<'_> {
    /// The next token's place in the text.
    fn start(&self) -> usize {
        self.length - self.rest.trim_ascii_start().len()
    }

    /// What lies between `start` and what was read last.
    fn span(&self, start: usize) -> Span {
        let end = self.length - self.rest.len();
        self.place.map_or(self.whole, |place| Span::new(place.start as usize + start, place.start as usize + end))
    }

    fn node(&self, kind: ExprKind, ty: TypeId, start: usize) -> Expr {
        Expr::new(kind, ty, self.span(start))
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_ascii_start().strip_prefix(token.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let start = self.start();
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, op)) = operators.iter().find(|(token, _)| self.eat(token)) {
            let right = self.binary(level + 1)?;
            let ty = self.common(left.ty, right.ty);
            let (a, b) = (convert(left, ty), convert(right, ty));
            left = self.node(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, start);
        }
        Some(left)
    }

    /// C's usual arithmetic conversions, for integers.
    fn common(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |types: &Types, ty| (types.size_of(ty).max(4), !types.is_signed(ty) && types.size_of(ty) >= 4);
        let (size, unsigned) = rank(self.types, a).max(rank(self.types, b));
        self.types.int(size as u8, !unsigned)
    }

    fn unary(&mut self) -> Option<Expr> {
        let start = self.start();
        if self.eat("-") {
            let inner = self.unary()?;
            let ty = inner.ty;
            return Some(self.node(ExprKind::Unary(UnaryOp::Negate, Box::new(inner)), ty, start));
        }
        let place = self.postfix()?;
        Some(match place.kind {
            ExprKind::Int(_) | ExprKind::Binary(..) | ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Load(_) => place,
            ExprKind::Convert(_) | ExprKind::Call(..) => place,
            _ if matches!(self.types.get(place.ty), Type::Array(..)) => {
                let element = self.types.target(place.ty)?;
                let (ty, span) = (self.types.pointer_to(element), place.span);
                Expr::new(ExprKind::Decay(Box::new(place)), ty, span)
            }
            _ => load(place),
        })
    }

    fn postfix(&mut self) -> Option<Expr> {
        let start = self.start();
        let mut place = self.primary()?;
        loop {
            if self.eat("->") {
                let (target, span) = (self.types.target(place.ty)?, place.span);
                let kind = ExprKind::Unary(UnaryOp::Deref, Box::new(load(place)));
                place = self.member(Expr::new(kind, target, span), start)?;
            } else if self.eat(".") {
                place = self.member(place, start)?;
            } else {
                return Some(place);
            }
        }
    }

    fn member(&mut self, base: Expr, start: usize) -> Option<Expr> {
        let name_start = self.start();
        let name = self.word()?;
        let Type::Record(record) = *self.types.get(base.ty) else { return None };
        let index = self.types.record(record).field_named(&name)?;
        let ty = self.types.record(record).fields[index].ty;
        let name = self.span(name_start);
        Some(self.node(ExprKind::Member { base: Box::new(base), record, index: index as u32, name }, ty, start))
    }

    fn word(&mut self) -> Option<String> {
        let rest = self.rest.trim_ascii_start();
        let length = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(length);
        self.rest = rest;
        (length > 0).then(|| String::from_utf8_lossy(word).into_owned())
    }

    fn primary(&mut self) -> Option<Expr> {
        let start = self.start();
        if self.eat("(") {
            let inner = self.binary(0)?;
            return self.eat(")").then_some(inner);
        }
        let word = self.word()?;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            return Some(self.node(ExprKind::Int(digits.parse().ok()?), self.int, start));
        }
        if self.eat("(") {
            return self.call(&word, start);
        }
        let variable = *self.known.names.iter().rev().find_map(|scope| scope.get(word.as_str()))?;
        let ty = self.known.variables[variable.0 as usize].ty;
        Some(self.node(ExprKind::Variable(variable), ty, start))
    }

    fn call(&mut self, name: &str, start: usize) -> Option<Expr> {
        let (name, &ty) = self.known.functions.get_key_value(name)?;
        let callee = self.node(ExprKind::Function(name.clone()), ty, start);
        let Type::Function(signature) = self.types.get(ty).clone() else { return None };
        let mut arguments = Vec::new();
        while !self.eat(")") {
            let argument = self.binary(0)?;
            let wanted = signature.parameters.get(arguments.len()).copied().unwrap_or(argument.ty);
            arguments.push(convert(argument, wanted));
            if !self.eat(",") && !self.rest.trim_ascii_start().starts_with(b")") {
                return None;
            }
        }
        Some(self.node(ExprKind::Call(Box::new(callee), arguments), signature.result, start))
    }
}

fn load(place: Expr) -> Expr {
    let (ty, span) = (place.ty, place.span);
    Expr::new(ExprKind::Load(Box::new(place)), ty, span)
}

fn convert(expr: Expr, ty: TypeId) -> Expr {
    match expr.ty == ty {
        true => expr,
        false => {
            let span = expr.span;
            Expr::new(ExprKind::Convert(Box::new(expr)), ty, span)
        }
    }
}
