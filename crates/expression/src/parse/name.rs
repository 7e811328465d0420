//! Names, and the calls that they may be in.

use super::{Parsed, Parser};
use crate::ExpressionError;
use crate::token::Kind;
use crate::tree::{Call, TreeKind};

impl Parser<'_> {
    /// `x`, `main:x`, `main::x`, `#2:x`
    pub(super) fn name(&mut self) -> Parsed {
        let span = self.span();
        let call = match *self.peek() {
            Kind::Symbol(_) => Some(self.call_number()?),
            Kind::Name(function) if self.is_qualifier() => Some(Call::Of(function.into(), span)),
            _ => None,
        };
        if call.is_some() {
            self.at += 2;
        }
        let Kind::Name(name) = *self.peek() else { return Err(self.unexpected("the name of a variable is missing")) };
        let span = span.to(self.span());
        self.at += 1;
        self.node(span, TreeKind::Name(call, name.into()))
    }

    /// Whether this name and the `:` after it, without spaces, say in which call a variable is.
    fn is_qualifier(&self) -> bool {
        let is_colon = match self.after(1) {
            Kind::Symbol(":") => !self.in_conditional,
            Kind::Symbol("::") => true,
            _ => false,
        };
        let end = |i: usize| self.tokens.get(self.at + i).map_or(0, |token| token.span.end);
        let start = |i: usize| self.tokens.get(self.at + i).map_or(1, |token| token.span.start);
        is_colon && matches!(self.after(2), Kind::Name(_)) && end(0) == start(1) && end(1) == start(2)
    }

    /// `#2`, leaving the parser at the number.
    fn call_number(&mut self) -> Result<Call, ExpressionError> {
        let span = self.span();
        self.at += 1;
        let Kind::Int(number, _) = *self.peek() else {
            return Err(self.unexpected("the number of a call is missing, as in `#1:x`"));
        };
        if !matches!(self.after(1), Kind::Symbol(":" | "::")) {
            self.at += 1;
            return Err(self.unexpected("`:` and the name of a variable are missing, as in `#1:x`"));
        }
        Ok(Call::Number(usize::try_from(number).unwrap_or(usize::MAX), span.to(self.span())))
    }
}
