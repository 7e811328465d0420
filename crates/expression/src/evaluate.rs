//! The value of a [`Term`] in a state.

mod bytes;
mod follow;
mod pointer;

use std::borrow::Cow;

use c_syntax::Span;
use c_types::{Type, Types};
use memory::{State, Value};

use crate::ExpressionError;
use crate::arithmetic::{self, Number};
use crate::names::Names;
use crate::place::{Located, Missing, variable_value};
use crate::term::{Term, TermKind};

pub(crate) struct Evaluator<'a> {
    pub types: &'a Types,
    pub names: &'a Names<'a>,
    pub state: &'a State,
    /// The typed text, to quote from.
    pub text: &'a str,
}

type Evaluated<T = Value> = Result<T, ExpressionError>;

impl<'a> Evaluator<'a> {
    /// The value of a term.
    pub fn value(&self, term: &Term) -> Evaluated {
        match &term.kind {
            TermKind::Constant(value) | TermKind::Node(_, value) => Ok(value.clone()),
            TermKind::Variable(..) | TermKind::Deref(_) | TermKind::Field(..) | TermKind::Element(..) => {
                Ok(self.place(term)?.value.into_owned())
            }
            TermKind::AddressOf(place) | TermKind::Decay(place) => self.address(place),
            TermKind::Convert(operand) => self.convert(operand, term),
            TermKind::Negate(operand) => {
                let value = self.number(operand)?;
                told(term.span, arithmetic::negate(self.types, term.ty, &value))
            }
            TermKind::Complement(operand) => match self.number(operand)? {
                Value::Int(n) => Ok(Value::Int(c_syntax::wrap(self.types, term.ty, !n))),
                _ => told(term.span, Err("this is not an integer")),
            },
            TermKind::Not(operand) => Ok(truth(!self.is_true(operand)?)),
            TermKind::Binary(op, left, right) => {
                let (a, b) = (self.number(left)?, self.number(right)?);
                told(term.span, arithmetic::binary(self.types, *op, left.ty, &a, &b))
            }
            TermKind::Compare(op, left, right) => self.compare(*op, left, right, term.span).map(truth),
            TermKind::Offset { pointer, index, backward } => self.offset(pointer, index, *backward),
            TermKind::Distance(left, right) => self.distance(left, right, term.span),
            TermKind::And(left, right) => Ok(truth(self.is_true(left)? && self.is_true(right)?)),
            TermKind::Or(left, right) => Ok(truth(self.is_true(left)? || self.is_true(right)?)),
            TermKind::Conditional(test, yes, no) => self.value(if self.is_true(test)? { yes } else { no }),
        }
    }

    /// Whether a value counts as true.
    pub fn is_true(&self, term: &Term) -> Evaluated<bool> {
        match self.known(term)? {
            Value::Int(n) => Ok(n != 0),
            Value::Float(x) => Ok(x != 0.0),
            Value::Null => Ok(false),
            _ => Ok(true),
        }
    }

    /// Where a term is.
    pub fn place(&self, term: &Term) -> Evaluated<Located<'a>> {
        match &term.kind {
            TermKind::Variable(root, object) => {
                let value = variable_value(self.state, root).map_or(Cow::Owned(Value::Unknown), Cow::Borrowed);
                let home = Some((root.clone(), object.clone()));
                Ok(Located { home, path: String::new(), offset: 0, ty: term.ty, value })
            }
            TermKind::Deref(pointer) => self.deref(pointer, term.ty),
            TermKind::Field(base, member) => {
                let base = match &base.kind {
                    TermKind::Deref(pointer) => {
                        self.follow(pointer, base.ty, &format!("so it has no `{}`", member.name))?
                    }
                    _ => self.place(base)?,
                };
                Ok(base.field(member, term.ty))
            }
            TermKind::Element(array, index) => {
                let at = self.index(index)?;
                let located = self.place(array)?;
                located.element(self.types, term.ty, at).map_err(|missing| self.missing(array, missing, term.span))
            }
            // A struct that `?:` chooses is where it is.
            TermKind::Conditional(test, yes, no) => self.place(if self.is_true(test)? { yes } else { no }),
            _ => Err(ExpressionError::new(term.span, format!("{} is not a place in memory", self.quote(term)))),
        }
    }

    fn missing(&self, array: &Term, missing: Missing, span: Span) -> ExpressionError {
        let text = self.plain(array);
        let message = match missing {
            Missing::Beyond(0) => format!("`{text}` has no elements"),
            Missing::Beyond(1) => format!("`{text}` has one element, `{text}[0]`"),
            Missing::Beyond(count) => format!("`{text}` has {count} elements, `{text}[0]` to `{text}[{}]`", count - 1),
            Missing::Cut(shown) => format!("only the first {shown} elements of `{text}` are kept in a state"),
        };
        ExpressionError::new(span, message)
    }

    fn convert(&self, operand: &Term, to: &Term) -> Evaluated {
        let (from, ty) = (operand.ty, to.ty);
        let is_address = |ty| matches!(self.types.get(ty), Type::Pointer(_) | Type::Function(_));
        match (is_address(from), is_address(ty)) {
            (false, false) => {
                let value = self.number(operand)?;
                told(to.span, arithmetic::convert(self.types, from, ty, &value))
            }
            (false, true) => match self.number(operand)? {
                Value::Int(0) => Ok(Value::Null),
                Value::Int(address) => Ok(Value::Address(address as u64)),
                _ => told(to.span, Err("this is not an address")),
            },
            (true, false) => self.pointer_to_number(operand, to),
            (true, true) => self.value(operand),
        }
    }

    /// A number; what was never written is none.
    fn number(&self, term: &Term) -> Evaluated {
        match self.known(term)? {
            value @ (Value::Int(_) | Value::Float(_)) => Ok(value),
            _ => Err(ExpressionError::new(term.span, format!("{} is not a number", self.quote(term)))),
        }
    }

    /// A value that was written and is known.
    fn known(&self, term: &Term) -> Evaluated {
        let message = match self.value(term)? {
            Value::Uninitialised => format!("{} has no value yet", self.quote(term)),
            Value::Unknown => format!("the value of {} is not known", self.quote(term)),
            value => return Ok(value),
        };
        Err(ExpressionError::new(term.span, message))
    }

    fn index(&self, term: &Term) -> Evaluated<i128> {
        match self.number(term)? {
            Value::Int(index) => Ok(index),
            _ => Err(ExpressionError::new(term.span, format!("{} is not an integer", self.quote(term)))),
        }
    }

    /// The text of a term.
    fn plain(&self, term: &Term) -> &'a str {
        self.text[term.span.start as usize..term.span.end as usize].trim()
    }

    fn quote(&self, term: &Term) -> String {
        format!("`{}`", self.plain(term))
    }
}

fn truth(holds: bool) -> Value {
    Value::Int(holds.into())
}

fn told(span: Span, number: Number) -> Evaluated {
    number.map_err(|message| ExpressionError::new(span, message))
}
