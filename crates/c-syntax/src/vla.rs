//! Lengths of variable length arrays.
//!
//! clang's JSON has them only inside of the type's name, as text such as
//! `n + 1`. This is a small parser for what people write there: variables,
//! numbers, arithmetic, parentheses, members and elements.

use std::collections::HashMap;
use std::sync::Arc;

use c_types::{TypeId, Types};

use crate::Span;
use crate::ast::*;

/// The expression written as `text`; unsupported ones become [`ExprKind::Unsupported`].
pub(crate) fn parse_length(
    types: &mut Types,
    names: &[HashMap<Arc<str>, VariableId>],
    variables: &[Variable],
    text: &str,
    span: Span,
) -> Expr {
    let int = types.int(4, true);
    let mut parser = Parser { types, names, variables, rest: text.as_bytes(), span, int };
    let parsed = parser.binary(0);
    let complete = parser.rest.trim_ascii().is_empty();
    match parsed.filter(|_| complete) {
        Some(expr) => expr,
        None => Expr { kind: ExprKind::Unsupported(format!("the array length `{text}`")), ty: int, span },
    }
}

struct Parser<'a> {
    types: &'a mut Types,
    names: &'a [HashMap<Arc<str>, VariableId>],
    variables: &'a [Variable],
    rest: &'a [u8],
    span: Span,
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

impl<'a> Parser<'a> {
    fn node(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: self.span }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_ascii_start();
        match self.rest.strip_prefix(token.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, op)) = operators.iter().find(|(token, _)| self.eat(token)) {
            let right = self.binary(level + 1)?;
            let ty = self.common(left.ty, right.ty);
            let (a, b) = (self.convert(left, ty), self.convert(right, ty));
            left = self.node(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty);
        }
        Some(left)
    }

    /// C's usual arithmetic conversions, for integers.
    fn common(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |types: &Types, ty| (types.size_of(ty).max(4), !types.is_signed(ty) && types.size_of(ty) >= 4);
        let (size, unsigned) = rank(self.types, a).max(rank(self.types, b));
        self.types.int(size as u8, !unsigned)
    }

    fn convert(&self, expr: Expr, ty: TypeId) -> Expr {
        match expr.ty == ty {
            true => expr,
            false => self.node(ExprKind::Convert(Box::new(expr)), ty),
        }
    }

    fn unary(&mut self) -> Option<Expr> {
        if self.eat("-") {
            let inner = self.unary()?;
            let ty = inner.ty;
            return Some(self.node(ExprKind::Unary(UnaryOp::Negate, Box::new(inner)), ty));
        }
        let place = self.postfix()?;
        Some(match place.kind {
            ExprKind::Int(_) | ExprKind::Binary(..) | ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Load(_) => place,
            _ => {
                let ty = place.ty;
                self.node(ExprKind::Load(Box::new(place)), ty)
            }
        })
    }

    fn postfix(&mut self) -> Option<Expr> {
        let mut place = self.primary()?;
        loop {
            if self.eat("->") {
                let target = self.types.target(place.ty)?;
                let ty = place.ty;
                let pointer = self.node(ExprKind::Load(Box::new(place)), ty);
                let record = self.node(ExprKind::Unary(UnaryOp::Deref, Box::new(pointer)), target);
                place = self.member(record)?;
            } else if self.eat(".") {
                place = self.member(place)?;
            } else {
                return Some(place);
            }
        }
    }

    fn member(&mut self, base: Expr) -> Option<Expr> {
        let name = self.word()?;
        let c_types::Type::Record(record) = *self.types.get(base.ty) else { return None };
        let index = self.types.record(record).field_named(&name)?;
        let ty = self.types.record(record).fields[index].ty;
        let kind = ExprKind::Member { base: Box::new(base), record, index: index as u32, name: self.span };
        Some(self.node(kind, ty))
    }

    fn word(&mut self) -> Option<String> {
        self.rest = self.rest.trim_ascii_start();
        let length =
            self.rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        (length > 0).then(|| String::from_utf8_lossy(word).into_owned())
    }

    fn primary(&mut self) -> Option<Expr> {
        if self.eat("(") {
            let inner = self.binary(0)?;
            return self.eat(")").then_some(inner);
        }
        let word = self.word()?;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            return Some(self.node(ExprKind::Int(digits.parse().ok()?), self.int));
        }
        let variable = *self.names.iter().rev().find_map(|scope| scope.get(word.as_str()))?;
        let ty = self.variables[variable.0 as usize].ty;
        Some(self.node(ExprKind::Variable(variable), ty))
    }
}
