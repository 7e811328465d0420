//! Why an expression has no value.

use c_syntax::Span;
use thiserror::Error;

/// A sentence for people, and the part of the typed text that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// The sentence, without a full stop.
    pub message: String,
    /// The bytes of the typed text to put a caret under; empty, at its end, where something is missing.
    pub span: Span,
}

impl ExpressionError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        ExpressionError { message: message.into(), span }
    }
}
