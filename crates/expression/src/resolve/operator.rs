//! Types of operators: promotions, the usual arithmetic conversions, pointers.

use c_syntax::{BinaryOp, Span};
use c_types::{Type, TypeId};
use memory::Value;

use super::{Resolved, Resolver};
use crate::ExpressionError;
use crate::term::{Term, TermKind};
use crate::tree::Unary;

impl Resolver<'_> {
    pub(super) fn unary(&mut self, op: Unary, operand: Term, span: Span) -> Resolved {
        let operand = self.decay(operand);
        let int = self.types.int();
        if op == Unary::Not && self.is_scalar(operand.ty) {
            return Ok(Term::new(TermKind::Not(operand.into()), int, span));
        }
        let symbol = match op {
            Unary::Plus => "+",
            Unary::Negate => "-",
            Unary::Complement => "~",
            _ => "!",
        };
        let is_fit = match op {
            Unary::Complement => self.types.is_integer(operand.ty),
            _ => self.is_number(operand.ty),
        };
        if !is_fit {
            return Err(self.misfit(symbol, &operand));
        }
        let operand = self.promoted(operand);
        let ty = operand.ty;
        Ok(match op {
            Unary::Negate => Term::new(TermKind::Negate(operand.into()), ty, span),
            Unary::Complement => Term::new(TermKind::Complement(operand.into()), ty, span),
            // Not a place any more, though nothing is done to the value.
            _ => Term::new(TermKind::Convert(operand.into()), ty, span),
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Resolved {
        let (left, right) = (self.decay(left), self.decay(right));
        let pointers = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        match (op, pointers) {
            (_, (false, false)) => self.arithmetic(op, left, right, span),
            (_, _) if op.is_comparison() => self.compare(op, left, right, span),
            (BinaryOp::Add, (true, false)) => self.offset(left, right, false, span),
            (BinaryOp::Add, (false, true)) => self.offset(right, left, false, span),
            (BinaryOp::Subtract, (true, false)) => self.offset(left, right, true, span),
            (BinaryOp::Subtract, (true, true)) => {
                let long = self.types.long(true);
                Ok(Term::new(TermKind::Distance(left.into(), right.into()), long, span))
            }
            (BinaryOp::Add, (true, true)) => Err(ExpressionError::new(span, "two pointers cannot be added")),
            (_, (is_left, _)) => Err(self.misfit(op.text(), if is_left { &left } else { &right })),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Resolved {
        use BinaryOp::*;
        let only_integers = matches!(op, Remainder | And | Or | Xor | ShiftLeft | ShiftRight);
        for operand in [&left, &right] {
            let is_fit = if only_integers { self.types.is_integer(operand.ty) } else { self.is_number(operand.ty) };
            if !is_fit {
                return Err(self.misfit(op.text(), operand));
            }
        }
        let (left, right) = match op {
            ShiftLeft | ShiftRight => (self.promoted(left), self.promoted(right)),
            _ => self.balanced(left, right),
        };
        let ty = if op.is_comparison() { self.types.int() } else { left.ty };
        Ok(Term::new(TermKind::Binary(op, left.into(), right.into()), ty, span))
    }

    fn compare(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Resolved {
        for operand in [&left, &right] {
            if !self.types.is_pointer(operand.ty) && !self.types.is_integer(operand.ty) {
                return Err(self.misfit(op.text(), operand));
            }
        }
        if [&left, &right].iter().any(|operand| matches!(operand.kind, TermKind::Constant(Value::Text(_)))) {
            let what = "this would compare places in memory, not texts; compare characters, as in `s[0] == 'a'`";
            return Err(ExpressionError::new(span, what));
        }
        let ty = if self.types.is_pointer(left.ty) { left.ty } else { right.ty };
        let (left, right) = (self.pointer(left, ty), self.pointer(right, ty));
        let int = self.types.int();
        Ok(Term::new(TermKind::Compare(op, left.into(), right.into()), int, span))
    }

    /// A number next to a pointer stands for an address.
    fn pointer(&self, term: Term, ty: TypeId) -> Term {
        match self.types.is_pointer(term.ty) {
            true => term,
            false => convert(term, ty),
        }
    }

    fn offset(&mut self, pointer: Term, index: Term, backward: bool, span: Span) -> Resolved {
        if !self.types.is_integer(index.ty) {
            return Err(self.misfit(if backward { "-" } else { "+" }, &index));
        }
        let ty = pointer.ty;
        let kind = TermKind::Offset { pointer: pointer.into(), index: index.into(), backward };
        Ok(Term::new(kind, ty, span))
    }

    pub(super) fn conditional(&mut self, test: Term, yes: Term, no: Term, span: Span) -> Resolved {
        let (yes, no) = (self.decay(yes), self.decay(no));
        let (yes, no) = match (self.is_number(yes.ty), self.is_number(no.ty)) {
            (true, true) => self.balanced(yes, no),
            (true, false) if self.types.is_pointer(no.ty) => (convert(yes, no.ty), no),
            (false, true) if self.types.is_pointer(yes.ty) => (yes.clone(), convert(no, yes.ty)),
            _ => (yes, no),
        };
        let both_pointers = self.types.is_pointer(yes.ty) && self.types.is_pointer(no.ty);
        if yes.ty != no.ty && !both_pointers {
            let (yes, no) = (self.types.name(yes.ty), self.types.name(no.ty));
            return Err(ExpressionError::new(span, format!("`{yes}` and `{no}` have no common type")));
        }
        let ty = if self.is_null(&yes) { no.ty } else { yes.ty };
        Ok(Term::new(TermKind::Conditional(test.into(), yes.into(), no.into()), ty, span))
    }

    fn is_null(&self, term: &Term) -> bool {
        matches!(term.kind, TermKind::Constant(Value::Null))
    }

    pub(super) fn cast(&mut self, ty: TypeId, operand: Term, span: Span) -> Resolved {
        let operand = self.decay(operand);
        let allowed = self.is_scalar(ty) && self.is_scalar(operand.ty);
        let mixed = self.types.is_float(ty) && self.types.is_pointer(operand.ty)
            || self.types.is_pointer(ty) && self.types.is_float(operand.ty);
        if !allowed || mixed {
            let (from, to) = (self.types.name(operand.ty), self.types.name(ty));
            return Err(ExpressionError::new(span, format!("a value of type `{from}` cannot be cast to `{to}`")));
        }
        Ok(Term { span, ..convert(operand, ty) })
    }

    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_number(ty) || self.types.is_pointer(ty)
    }

    fn is_number(&self, ty: TypeId) -> bool {
        self.types.is_integer(ty) || self.types.is_float(ty)
    }

    fn misfit(&self, symbol: &str, operand: &Term) -> ExpressionError {
        let (text, ty) = (self.quote(operand.span), self.types.name(operand.ty));
        ExpressionError::new(operand.span, format!("`{symbol}` does not apply to {text}, which has type `{ty}`"))
    }

    /// Integers smaller than `int` become `int`; bit-fields go by their width.
    fn promoted(&mut self, term: Term) -> Term {
        let int = self.types.int();
        let signed = self.types.is_signed(term.ty);
        let ty = match (self.types.get(term.ty).clone(), term.width) {
            (Type::Float { .. }, _) => term.ty,
            (_, Some(width)) if width < 32 => int,
            (_, Some(32)) => self.types.make(Type::Int { bytes: 4, signed }),
            (Type::Bool | Type::Char { .. } | Type::Int { bytes: 2, .. }, _) => int,
            _ => term.ty,
        };
        if ty == term.ty { term } else { convert(term, ty) }
    }

    /// The usual arithmetic conversions.
    fn balanced(&mut self, left: Term, right: Term) -> (Term, Term) {
        let (left, right) = (self.promoted(left), self.promoted(right));
        let size = |ty| self.types.size_of(ty);
        let ty = match (self.types.is_float(left.ty), self.types.is_float(right.ty)) {
            (true, false) => left.ty,
            (false, true) => right.ty,
            // The larger one; of two that are as large the unsigned one.
            (false, false) if size(left.ty) == size(right.ty) => {
                if self.types.is_signed(left.ty) {
                    right.ty
                } else {
                    left.ty
                }
            }
            _ if size(left.ty) >= size(right.ty) => left.ty,
            _ => right.ty,
        };
        let to = |term: Term| if term.ty == ty { term } else { convert(term, ty) };
        (to(left), to(right))
    }
}

fn convert(term: Term, ty: TypeId) -> Term {
    let span = term.span;
    Term::new(TermKind::Convert(term.into()), ty, span)
}
