//! Named constants: `5` to `LIMIT`, and `LIMIT` to `LEAST`.
//!
//! A constant has a name by a `#define` of the file, or by an `enum`. What is
//! written is the name, so a mutation of the definition changes that too.

use std::sync::Arc;

use c_syntax::{Expr, ExprKind, Source, Span, UnaryOp, Unit, skip_space};
use c_types::{Type, TypeId, Types};

use super::constant;
use super::definition::{Word, words};

/// A constant with a name.
pub struct Named {
    pub name: Arc<str>,
    pub value: i128,
    /// The size and sign of its type.
    size: (u8, bool),
    /// The digits in the definition of a macro; enumerators have none.
    token: Option<Span>,
    /// It is known behind this place.
    from: u32,
}

/// All named constants of a file.
pub fn all(unit: &Unit) -> Vec<Named> {
    let words = words(&unit.source.bytes);
    let mut found: Vec<Named> = words.iter().filter_map(|word| defined(unit, &words, word)).collect();
    found.extend(enumerators(unit, &words));
    found
}

impl Named {
    /// Whether it can stand at a place of this function.
    pub fn is_known(&self, unit: &Unit, function: &str, place: Span) -> bool {
        let is_plain = || unit.names.constants.find(function, &self.name) == Some(self.value);
        self.from <= place.start && (self.is_macro() || is_plain())
    }

    /// Whether a variable of its name does not hide it.
    pub fn is_macro(&self) -> bool {
        self.token.is_some()
    }

    /// Whether constants of this type can be replaced by it.
    pub fn has_type(&self, types: &Types, ty: TypeId) -> bool {
        matches!(*types.get(ty), Type::Int { bytes, signed } if (bytes, signed) == self.size)
    }

    /// The constant in the place of another one.
    pub fn expr(&self, like: &Expr) -> Expr {
        let number = |value| Expr { token: self.token, ..Expr::new(ExprKind::Int(value), like.ty, like.span) };
        match self.value < 0 && self.is_macro() {
            true => Expr::new(ExprKind::Unary(UnaryOp::Negate, Box::new(number(-self.value))), like.ty, like.span),
            false => number(self.value),
        }
    }
}

/// The value of an expression that the body of a macro could be.
pub fn value(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Negate, inner) => value(inner).filter(|value| *value > 0).map(|value| -value),
        _ => None,
    }
}

/// The constant that a `#define` names, if its body is nothing else.
fn defined(unit: &Unit, words: &[Word], word: &Word) -> Option<Named> {
    let name = unit.source.text(word.span);
    let is_other = |other: &&Word| other.defines || unit.source.text(other.line).contains("undef");
    let directives = words.iter().filter(|other| !other.line.is_empty() && unit.source.text(other.span) == name);
    let is_defined_once = directives.filter(is_other).count() == 1;
    if !word.defines || !is_defined_once || !unit.names.macros.contains_key(&*name) {
        return None;
    }
    let (token, is_negative) = body(&unit.source, word)?;
    let text = unit.source.text(token);
    let value = constant::parse(&text).filter(|value| !is_negative || *value > 0)?;
    Some(Named {
        name: name.into(),
        value: if is_negative { -value } else { value },
        size: constant::size(&text, value)?,
        token: Some(token),
        from: word.line.end,
    })
}

/// The only constant of a macro's body, and whether there is a `-` before it: `5`, `-5`, `(5)`, `(-5)`.
fn body(source: &Source, word: &Word) -> Option<(Span, bool)> {
    let bytes = &source.bytes;
    let mut at = skip_space(bytes, word.span.end as usize);
    let mut skip = |byte: u8| {
        let found = bytes.get(at) == Some(&byte);
        at = if found { skip_space(bytes, at + 1) } else { at };
        found
    };
    let (is_open, is_negative) = (skip(b'('), skip(b'-'));
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'\'';
    let end = (at..bytes.len()).find(|&i| !is_part(&bytes[i])).unwrap_or(bytes.len());
    let mut rest = skip_space(bytes, end);
    if is_open {
        let is_closed = bytes.get(rest) == Some(&b')');
        rest = skip_space(bytes, rest + usize::from(is_closed));
    }
    (rest >= word.line.end as usize && end <= word.line.end as usize).then(|| (Span::new(at, end), is_negative))
}

/// The enumerators of the whole file that its text names.
fn enumerators<'a>(unit: &'a Unit, words: &'a [Word]) -> impl Iterator<Item = Named> + 'a {
    unit.names.constants.names("").filter_map(|name| {
        let first = words.iter().find(|word| unit.source.text(word.span) == name)?;
        let value = unit.names.constants.find("", name)?;
        let is_int = i32::try_from(value).is_ok();
        is_int.then(|| Named { name: name.into(), value, size: (4, true), token: None, from: first.span.end })
    })
}
