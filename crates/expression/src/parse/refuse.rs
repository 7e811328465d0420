//! What is said of a text that cannot be read further.

use super::Parser;
use crate::ExpressionError;
use crate::token::{ASSIGNMENTS, Kind};

impl Parser<'_> {
    /// Why the text cannot go on with this token. `wanted` says what is missing.
    pub(super) fn unexpected(&self, wanted: &str) -> ExpressionError {
        let token = self.token();
        let text = &self.text[token.span.start as usize..token.span.end as usize];
        let message = match &token.kind {
            Kind::Bad(sentence) => sentence.clone(),
            Kind::Symbol(symbol) if ASSIGNMENTS.contains(symbol) => self.refuse_assignment(symbol),
            Kind::Symbol("(") if self.follows_name() => {
                "functions are not called here; step into them instead".to_string()
            }
            Kind::Symbol(",") => "a comma makes two expressions; give one at a time".to_string(),
            Kind::End => format!("the text ends too early: {wanted}"),
            _ => format!("`{text}` is not expected here: {wanted}"),
        };
        ExpressionError::new(token.span, message)
    }

    fn follows_name(&self) -> bool {
        let before = self.at.checked_sub(1).map(|i| &self.tokens[i].kind);
        matches!(before, Some(Kind::Name(_) | Kind::Symbol(")" | "]")))
    }

    fn refuse_assignment(&self, symbol: &str) -> String {
        let span = self.span();
        let left = self.text[..span.start as usize].trim();
        let right = self.text[span.end as usize..].trim();
        let is_whole = !left.is_empty() && !right.is_empty() && is_balanced(left);
        match symbol {
            "=" if is_whole => {
                format!("an expression does not change anything; use `change {left} {right}`, or `==` to compare")
            }
            "=" => "an expression does not change anything; use `change x 3`, or `==` to compare".into(),
            _ => format!("`{symbol}` would change something, which an expression does not; use `change x 3`"),
        }
    }
}

/// Whether a text can stand alone: no bracket is left open.
fn is_balanced(text: &str) -> bool {
    let count = |of: [char; 2]| text.matches(of).count();
    count(['(', '[']) == count([')', ']'])
}
