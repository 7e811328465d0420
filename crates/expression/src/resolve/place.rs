//! Types of members, elements, and what pointers point to.

use c_syntax::Span;
use c_types::{Field, Record, Type};

use super::{Resolved, Resolver};
use crate::ExpressionError;
use crate::suggest::Sentence;
use crate::table::{Table, member_names};
use crate::term::{Member, Term, TermKind};
use crate::tree::Tree;

impl Resolver<'_> {
    /// `base.name`, `base->name`; a `.` after a pointer follows it.
    pub(super) fn member(&mut self, base: Term, name: &str, name_span: Span, arrow: bool, span: Span) -> Resolved {
        if arrow && self.types.as_record(base.ty).is_some() {
            let text = self.quote(base.span);
            let what = format!("{text} has type `{}` and is no pointer; write `.{name}`", self.types.name(base.ty));
            return Err(ExpressionError::new(span, what));
        }
        let base = if arrow { self.decay(base) } else { base };
        let base = match *self.types.get(base.ty) {
            Type::Pointer(_) => {
                let span = base.span;
                self.deref(base, span)?
            }
            _ => base,
        };
        let ty = base.ty;
        let Some(record) = self.types.as_record(ty) else {
            let what = format!("{} has type `{}`, which has no members", self.quote(base.span), self.types.name(ty));
            return Err(ExpressionError::new(name_span, what));
        };
        let mut steps = Vec::new();
        let Some(field) = find_field(&self.types, record, name, &mut steps) else {
            return Err(self.no_member(record, name, name_span));
        };
        let member = Member { name: name.into(), steps, offset: field.offset };
        let width = field.bits.map(|bits| bits.1);
        Ok(Term { width, ..Term::new(TermKind::Field(base.into(), member), field.ty, span) })
    }

    fn no_member(&self, record: &Record, name: &str, span: Span) -> ExpressionError {
        let mut names = Vec::new();
        member_names(&self.types, record, &mut names);
        let full = record.full_name();
        let message = match names.is_empty() {
            true => format!("the members of `{full}` are not known here"),
            false => {
                let sentence = Sentence::new(format!("`{full}` has no member `{name}`"));
                sentence.close_to(name, names.iter().copied()).list("it has", &names).end()
            }
        };
        ExpressionError::new(span, message)
    }

    pub(super) fn index(&mut self, base: Term, index: Term, span: Span) -> Resolved {
        // `2[a]` is `a[2]`.
        let (base, index) = match self.types.target(base.ty).is_none() && self.types.target(index.ty).is_some() {
            true => (index, base),
            false => (base, index),
        };
        if !self.types.is_integer(index.ty) {
            let what = format!(
                "{} has type `{}`, not a number of an element",
                self.quote(index.span),
                self.types.name(index.ty)
            );
            return Err(ExpressionError::new(index.span, what));
        }
        match *self.types.get(base.ty) {
            Type::Array(element, _) => Ok(Term::new(TermKind::Element(base.into(), index.into()), element, span)),
            Type::Pointer(_) => {
                let ty = base.ty;
                let kind = TermKind::Offset { pointer: base.into(), index: index.into(), backward: false };
                self.deref(Term::new(kind, ty, span), span)
            }
            _ => {
                let what =
                    format!("{} has type `{}`, which has no elements", self.quote(base.span), self.types.name(base.ty));
                Err(ExpressionError::new(base.span, what))
            }
        }
    }

    pub(super) fn deref(&mut self, pointer: Term, span: Span) -> Resolved {
        let pointer = self.decay(pointer);
        let Type::Pointer(target) = *self.types.get(pointer.ty) else {
            let what =
                format!("{} has type `{}` and is no pointer", self.quote(pointer.span), self.types.name(pointer.ty));
            return Err(ExpressionError::new(pointer.span, what));
        };
        match self.types.get(target) {
            Type::Void => {
                let text = self.quote(pointer.span);
                let hint = "cast it to what it points to, as in `(int *)p`";
                Err(ExpressionError::new(pointer.span, format!("{text} has type `void *`; {hint}")))
            }
            // `*f` of a function is the function.
            Type::Function(_) => Ok(Term::new(TermKind::Convert(pointer.into()), target, span)),
            _ => Ok(Term::new(TermKind::Deref(pointer.into()), target, span)),
        }
    }

    /// `&*p` is `p`, and `&p[i]` is `p + i`: nothing is followed, and the end of an array has an address.
    pub(super) fn address_of(&mut self, operand: &Tree, span: Span) -> Resolved {
        let term = self.resolve(operand)?;
        let term = match term.kind {
            TermKind::Deref(pointer) => return Ok(Term { span, ..*pointer }),
            TermKind::Element(array, index) => {
                let pointer = self.decay(*array);
                let ty = pointer.ty;
                let kind = TermKind::Offset { pointer: pointer.into(), index, backward: false };
                return Ok(Term::new(kind, ty, span));
            }
            _ => term,
        };
        if term.width.is_some() {
            return Err(ExpressionError::new(
                span,
                format!("{} is a bit-field and has no address", self.quote(term.span)),
            ));
        }
        let is_function = matches!(self.types.get(term.ty), Type::Function(_));
        if !term.is_place() && !is_function {
            return Err(ExpressionError::new(span, format!("{} has no address", self.quote(term.span))));
        }
        let ty = self.types.pointer_to(term.ty);
        match is_function {
            true => Ok(Term { ty, span, ..term }),
            false => Ok(Term::new(TermKind::AddressOf(term.into()), ty, span)),
        }
    }
}

/// A member by name, also of unnamed records inside, with its offset from the outermost.
fn find_field(types: &Table<'_>, record: &Record, name: &str, steps: &mut Vec<usize>) -> Option<Field> {
    for (i, field) in record.fields.iter().enumerate() {
        steps.push(i);
        if field.name == name {
            return Some(field.clone());
        }
        let inner = types.as_record(field.ty).filter(|_| field.name.is_empty());
        if let Some(found) = inner.and_then(|inner| find_field(types, inner, name, steps)) {
            return Some(Field { offset: field.offset + found.offset, ..found });
        }
        steps.pop();
    }
    None
}
