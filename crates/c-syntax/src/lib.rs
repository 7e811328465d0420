//! C text to a typed syntax tree with exact source spans.
//!
//! An external clang (14 or newer) reads the file; this crate runs it, reads
//! its tree and makes of it a smaller [`Unit`], where types are laid out, enum
//! constants and `sizeof` are numbers, and every node knows its bytes in the
//! user's file.
//!
//! This crate knows nothing of the IR or of running programs.

mod ast;
mod batch;
mod cc1;
mod clang;
mod convert;
mod fold;
mod headers;
mod macro_body;
mod macros;
mod name_table;
mod place;
mod rewrite;
mod scope;
mod source;
mod text;
mod type_name;
mod vla;

pub use ast::*;
pub use fold::{fold, wrap};
pub use name_table::{NameTable, Scoped};
pub use place::{closing_parenthesis, skip_space};
pub use rewrite::rewrite;
pub use scope::Scope;
pub use source::{Source, Span};

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

/// What clang said about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as clang names it; empty if it is about none.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What it is.
    pub message: String,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is taken all the same.
    Warning,
    /// The program is not C.
    Error,
}

/// Why there is no tree.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Which file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// clang is not there.
    #[error("clang is needed to read C and is not installed; on Debian: apt-get install clang")]
    NoClang,
    /// clang found errors.
    #[error("the C compiler found {} in this file", count(.0))]
    Rejected(Vec<Diagnostic>),
    /// The syntax tree is too large, as that of a program that nests thousands of levels deep.
    #[error("this program is too large, or nests too deeply, for its syntax tree to be read")]
    TooLarge,
    /// clang crashed, or its answer cannot be read.
    #[error("clang could not read this file: {0}")]
    Broken(String),
}

fn count(diagnostics: &[Diagnostic]) -> String {
    match diagnostics.iter().filter(|d| d.severity == Severity::Error).count() {
        1 => "an error".into(),
        n => format!("{n} errors"),
    }
}

/// Reads a C file from disk.
pub fn parse(path: &Path) -> Result<Unit, ParseError> {
    parse_source(Arc::new(read_source(path)?))
}

/// Reads a file's bytes.
pub fn read_source(path: &Path) -> Result<Source, ParseError> {
    let unreadable = |error| ParseError::Unreadable { path: path.display().to_string(), error };
    Ok(Source::new(path, std::fs::read(path).map_err(unreadable)?))
}

/// Parses what is on disk at the path of `source`.
pub fn parse_source(source: Arc<Source>) -> Result<Unit, ParseError> {
    let (root, warnings) = clang::run(&source.path, None)?;
    let main_file = source.path.to_string_lossy().into_owned();
    Ok(convert::convert(source, &main_file, root, warnings))
}

/// Parses `source` as it is in memory, in the place of the file at its path.
pub fn parse_text(source: Arc<Source>) -> Result<Unit, ParseError> {
    parse_texts(&[source]).pop().expect("an answer for each text")
}

/// Parses texts as [`parse_text`] does. Those of one file take little longer
/// together than one of them alone.
pub fn parse_texts(sources: &[Arc<Source>]) -> Vec<Result<Unit, ParseError>> {
    batch::parse(sources)
}

/// Runs `work` with room for deeply nested programs: clang takes nesting far
/// beyond what the usual stack of a thread holds.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(2 << 30);
        let thread = builder.spawn_scoped(scope, work).expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
