//! Why edits can not be made, in sentences: ``line 3: `int x` declares a name …``.

use std::fmt;

use c_syntax::{Source, Span};
use thiserror::Error;

/// A piece of the user's text that a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its bytes.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
    /// Its text, shortened to one line.
    pub text: String,
}

impl Place {
    pub(crate) fn new(source: &Source, span: Span) -> Self {
        const LONGEST: usize = 40;
        let words = source.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match words.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        };
        Place { span, line: source.line(span.start.min(source.bytes.len() as u32)), text }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` on line {}", self.text, self.line)
    }
}

/// Why edits can not be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PatchError {
    /// A span that is not in the file.
    #[error("an edit names the bytes {} to {}, but the file has only {length}", span.start, span.end)]
    Outside {
        /// The span.
        span: Span,
        /// The length of the file in bytes.
        length: usize,
    },
    /// Two edits that can not both be made.
    #[error("two edits change the same text: {first}, and {second}")]
    Overlap {
        /// What the edit that comes first in the file changes.
        first: Place,
        /// What the other one changes.
        second: Place,
    },
    /// A statement was expected.
    #[error("line {}: `{}` is not a statement of a block, so none can be added, deleted or guarded here", .0.line, .0.text)]
    NotAStatement(Place),
    /// A closing brace was expected.
    #[error("line {}: a block was expected to end here, but this is `{}`", .0.line, .0.text)]
    NotABrace(Place),
    /// A declaration can not be guarded.
    #[error("line {}: `{}` declares a name that the statements after it could not see under a condition", .0.line, .0.text)]
    GuardedDeclaration(Place),
    /// A label can not be guarded.
    #[error("line {}: `{}` begins with a label, and a jump to it would go past the condition", .0.line, .0.text)]
    GuardedLabel(Place),
}
