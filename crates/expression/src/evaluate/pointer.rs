//! Arithmetic and comparisons of pointers.

use c_syntax::{BinaryOp, Span};
use memory::{Object, Place, Value};

use super::{Evaluated, Evaluator};
use crate::ExpressionError;
use crate::arithmetic::holds;
use crate::place::Whole;
use crate::term::Term;

impl Evaluator<'_> {
    /// The address of a place.
    pub(super) fn address(&self, term: &Term) -> Evaluated {
        let located = self.place(term)?;
        let Some((_, object)) = located.home else {
            return Err(ExpressionError::new(term.span, format!("{} has no address", self.quote(term))));
        };
        Ok(Value::Pointer(self.place_at(&object, located.offset as i64)))
    }

    /// `pointer + index`, in elements.
    pub(super) fn offset(&self, pointer: &Term, index: &Term, backward: bool) -> Evaluated {
        let (value, index_value) = (self.known(pointer)?, self.index(index)?);
        let bytes = i64::try_from(index_value).ok().and_then(|n| n.checked_mul(self.scale(pointer)));
        let bytes = bytes.and_then(|n| if backward { n.checked_neg() } else { Some(n) });
        let Some(bytes) = bytes else {
            return Err(ExpressionError::new(index.span, format!("{} is too far", self.quote(index))));
        };
        let moved = |place: &Place| self.place_at(&place.object, place.offset.wrapping_add(bytes));
        match &value {
            _ if bytes == 0 => Ok(value),
            Value::Pointer(place) => Ok(Value::Pointer(moved(place))),
            Value::Dangling(place) if place.object != Object::Gone => Ok(Value::Dangling(moved(place))),
            Value::Address(address) => Ok(Value::Address(address.wrapping_add_signed(bytes))),
            Value::Text(text) => {
                let rest = usize::try_from(bytes).ok().and_then(|bytes| text.get(bytes..));
                let beyond = || format!("{} has {} characters", self.quote(pointer), text.len());
                rest.map(|rest| Value::Text(rest.to_vec())).ok_or_else(|| ExpressionError::new(index.span, beyond()))
            }
            Value::Null => {
                let what = format!("{} is null, and nothing can be added to it", self.quote(pointer));
                Err(ExpressionError::new(pointer.span, what))
            }
            _ => {
                let what = format!("{} is {value}, and nothing can be added to it", self.quote(pointer));
                Err(ExpressionError::new(pointer.span, what))
            }
        }
    }

    /// Bytes of what a pointer points to; those of `void` and functions count as one.
    fn scale(&self, pointer: &Term) -> i64 {
        self.types.target(pointer.ty).map_or(1, |target| self.types.size_of(target).max(1) as i64)
    }

    fn place_at(&self, object: &Object, offset: i64) -> Place {
        match Whole::of(self.types, self.names, self.state, object) {
            Some(whole) => whole.place_at(self.types, offset),
            None => {
                let path = match offset {
                    0 => String::new(),
                    _ if *object == Object::Arguments => format!("[{}]", offset.div_euclid(8)),
                    _ => format!("+{offset}"),
                };
                Place { object: object.clone(), offset, path, inside: offset >= 0 }
            }
        }
    }

    /// `p - q`, in elements.
    pub(super) fn distance(&self, left: &Term, right: &Term, span: Span) -> Evaluated {
        let (a, b) = (self.known(left)?, self.known(right)?);
        let bytes = match (place(&a), place(&b)) {
            (Some(a), Some(b)) if a.object == b.object && a.object != Object::Gone => a.offset - b.offset,
            _ if a == Value::Null && b == Value::Null => 0,
            _ => return Err(self.unrelated(left, right, "so there is no distance between them", span)),
        };
        Ok(Value::Int(i128::from(bytes / self.scale(left))))
    }

    fn unrelated(&self, left: &Term, right: &Term, so: &str, span: Span) -> ExpressionError {
        let (left, right) = (self.quote(left), self.quote(right));
        ExpressionError::new(span, format!("{left} and {right} do not point into the same object, {so}"))
    }

    /// Whether a comparison of pointers holds.
    pub(super) fn compare(&self, op: BinaryOp, left: &Term, right: &Term, span: Span) -> Evaluated<bool> {
        let (a, b) = (self.known(left)?, self.known(right)?);
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            let equal = equal(&a, &b).ok_or_else(|| {
                let what = "a state does not tell whether these point to the same place";
                ExpressionError::new(span, what)
            })?;
            return Ok(equal == (op == BinaryOp::Equal));
        }
        match (place(&a), place(&b), number(&a), number(&b)) {
            (Some(a), Some(b), ..) if a.object == b.object && a.object != Object::Gone => {
                Ok(holds(op, &a.offset, &b.offset))
            }
            (_, _, Some(a), Some(b)) => Ok(holds(op, &a, &b)),
            _ => Err(self.unrelated(left, right, "so neither comes before the other", span)),
        }
    }

    /// A pointer as a number, which only null and those made of numbers have.
    pub(super) fn pointer_to_number(&self, operand: &Term, to: &Term) -> Evaluated {
        let value = self.known(operand)?;
        if *self.types.get(to.ty) == c_types::Type::Bool {
            return Ok(Value::Int((value != Value::Null).into()));
        }
        match number(&value) {
            Some(number) => Ok(Value::Int(c_syntax::wrap(self.types, to.ty, number.into()))),
            None => {
                let what = format!("{} points to {value}; addresses have no numbers here", self.quote(operand));
                Err(ExpressionError::new(to.span, what))
            }
        }
    }
}

fn place(value: &Value) -> Option<&Place> {
    match value {
        Value::Pointer(place) | Value::Dangling(place) => Some(place),
        _ => None,
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Null => Some(0),
        Value::Address(address) => Some(*address),
        _ => None,
    }
}

/// Whether two pointers are equal, unless the state does not tell.
fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Outside, Value::Outside) => None,
        // A text that is not the end of the other is elsewhere.
        (Value::Text(a), Value::Text(b)) if a.ends_with(b) || b.ends_with(a) => None,
        _ => match (place(a), place(b)) {
            (Some(a), Some(b)) if a.object == Object::Gone && b.object == Object::Gone => None,
            (Some(a), Some(b)) => Some(a.object == b.object && a.offset == b.offset),
            _ => Some(a == b),
        },
    }
}
