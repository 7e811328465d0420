//! Edits of the user's text: the rewritten file and its unified diff.
//!
//! A repair is a handful of changed expressions and deleted, added or guarded
//! statements. [`apply`] makes them in the user's text, so that every other
//! byte stays as it is, and [`Patched::diff`] is what `git apply` takes.
//!
//! ```
//! use c_syntax::{Source, Span};
//! use patch::{Edit, apply};
//!
//! let source = Source::new("list.c", b"void f(void) {\n    head = x->next;\n}\n".to_vec());
//! let edit = Edit::Guard { span: Span::new(19, 33), condition: "x != NULL".into() };
//! let patched = apply(&source, &[edit]).unwrap();
//! assert_eq!(patched.text, b"void f(void) {\n    if (x != NULL)\n        head = x->next;\n}\n");
//! assert_eq!(patched.tokens_changed(), 6);
//! ```
//!
//! This crate knows nothing of types, the IR or repairs: it reads the text with
//! a small scanner of its own, and trusts that spans come from a C parser.

mod changes;
mod conflict;
mod declaration;
mod edit;
mod error;
mod layout;
mod patched;
mod plan;
mod scan;
mod token;
mod write;

pub use edit::Edit;
pub use error::{PatchError, Place};
pub use patched::{ChangedLine, Patched};
pub use token::{token_distance, tokens};

use c_syntax::Source;

/// The text with all edits made.
///
/// Edits may touch the same statement: a [`Edit::Replace`] inside of one that
/// also has an [`Edit::InsertBefore`], or several insertions at one place,
/// which keep their order. Edits of text that another one replaces or deletes
/// are an error that names both.
pub fn apply(source: &Source, edits: &[Edit]) -> Result<Patched, PatchError> {
    Patcher::new(source).apply(edits)
}

/// A text that is patched in many ways: it is scanned once.
pub struct Patcher<'a> {
    source: &'a Source,
    scan: scan::Scan<'a>,
}

impl<'a> Patcher<'a> {
    /// For a text.
    pub fn new(source: &'a Source) -> Patcher<'a> {
        Patcher { source, scan: scan::Scan::new(&source.bytes) }
    }

    /// Whether an edit would write what is there already.
    ///
    /// ```
    /// use c_syntax::{Source, Span};
    /// use patch::{Edit, Patcher};
    ///
    /// let source = Source::new("list.c", b"p=q;".to_vec());
    /// let replace = |text: &str| Edit::Replace { span: Span::new(0, 3), text: text.into() };
    /// assert!(Patcher::new(&source).is_written(&replace("p = q")));
    /// assert!(!Patcher::new(&source).is_written(&replace("q = p")));
    /// ```
    pub fn is_written(&self, edit: &Edit) -> bool {
        let Edit::Replace { span, text } = edit else { return false };
        let written = self.source.bytes.get(span.start as usize..span.end as usize);
        written.is_some_and(|written| tokens(&String::from_utf8_lossy(written)) == tokens(text))
    }

    /// The text with all edits made, see [`apply`].
    pub fn apply(&self, edits: &[Edit]) -> Result<Patched, PatchError> {
        let plan = plan::Plan::new(self.source, &self.scan, edits)?;
        conflict::check(self.source, &plan)?;
        let changes = write::write(&self.scan, &plan);
        Ok(changes.make(&self.source.bytes, self.scan.layout.newline))
    }
}
