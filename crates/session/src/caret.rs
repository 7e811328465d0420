//! Errors in what the user typed, with the place.

use expression::ExpressionError;

/// The sentence, and below it the typed text with carets under the part that
/// it is about.
pub(crate) fn with_caret(text: &str, error: &ExpressionError) -> String {
    let width = |range: &str| range.chars().count();
    let start = (error.span.start as usize).min(text.len());
    let end = (error.span.end as usize).clamp(start, text.len());
    let (Some(before), Some(part)) = (text.get(..start), text.get(start..end)) else { return error.to_string() };
    format!("{error}\n  {text}\n  {}{}", " ".repeat(width(before)), "^".repeat(width(part).max(1)))
}
