//! What can be changed in the user's text.
//!
//! A statement is named by the span that the parser gives it, with or without
//! its `;`: `Edit::Delete { span }` with the span of `free(p)` deletes
//! `free(p);`.

use c_syntax::Span;

/// One edit of the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The bytes of `span` become `text`: an expression inside of a statement, or a condition.
    Replace {
        /// The expression.
        span: Span,
        /// What stands there afterwards.
        text: String,
    },
    /// The statement goes, with its `;`.
    ///
    /// If it stands alone on its lines, they go too, with a comment behind it;
    /// if it shares its line, only it goes. As the body of an `if`, `else` or
    /// loop without braces it becomes `;`.
    Delete {
        /// The statement.
        span: Span,
    },
    /// New statements on lines of their own directly before a statement,
    /// indented like it.
    ///
    /// If the statement is a body without braces, braces are put around both.
    /// If something stands before it on its line, a new statement of one line
    /// goes on that line too.
    InsertBefore {
        /// The statement.
        span: Span,
        /// Complete statements, one string per line.
        lines: Vec<String>,
    },
    /// New statements directly after a statement, its `;` and a comment behind
    /// it; otherwise as [`Edit::InsertBefore`].
    InsertAfter {
        /// The statement.
        span: Span,
        /// Complete statements, one string per line.
        lines: Vec<String>,
    },
    /// New statements as the last ones of a block, indented like its other
    /// statements, or else one level deeper than its brace.
    InsertAtEnd {
        /// Where the closing brace of the block is.
        brace: u32,
        /// Complete statements, one string per line.
        lines: Vec<String>,
    },
    /// The statement is run only under a condition: `if (condition)` is put on
    /// a line before it, and it goes one level deeper.
    ///
    /// Braces are added where an `else` would otherwise change its `if`.
    Guard {
        /// The statement.
        span: Span,
        /// The condition, without parentheses.
        condition: String,
    },
}
