//! Errors and faults as sentences with a caret.

use std::path::Path;
use std::sync::Arc;

use c_syntax::{Diagnostic, ParseError, Severity, Source, Span};
use execute::Fault;
use ir::Program;

use super::Failure;

/// Reads and lowers a file; warnings and notices go to standard error.
pub(super) fn load(path: &Path) -> Result<Arc<Program>, Failure> {
    let program = ir::load(path).map_err(|error| Failure(explain(path, &error)))?;
    for warning in &program.warnings {
        eprintln!("{}", diagnostic(Some(&program.source), warning));
    }
    for notice in &program.notices {
        eprintln!("{}", program.source.caret(notice.span, &format!("note: {}", notice.message)));
    }
    Ok(Arc::new(program))
}

/// An error of the front end, with the places it is about.
pub(super) fn explain(path: &Path, error: &ParseError) -> String {
    let ParseError::Rejected(diagnostics) = error else { return error.to_string() };
    let source = c_syntax::read_source(path).ok();
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let shown: Vec<String> = errors.map(|error| diagnostic(source.as_ref(), error)).collect();
    format!("{error}:\n{}", shown.join("\n"))
}

fn diagnostic(source: Option<&Source>, diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let message = format!("{severity}: {}", diagnostic.message);
    let place = source
        .filter(|source| source.path.to_string_lossy() == diagnostic.file)
        .and_then(|source| Some((source, source.offset(diagnostic.line, diagnostic.column)?)));
    match place {
        Some((source, offset)) => source.caret(Span { start: offset, end: offset + 1 }, &message),
        None if diagnostic.file.is_empty() => message,
        None => format!("{}:{}:{}: {message}", diagnostic.file, diagnostic.line, diagnostic.column),
    }
}

/// A fault with its place.
pub(in crate::doors) fn fault(program: &Program, fault: &Fault) -> String {
    let span = fault.span.or(fault.step.map(|step| program.step(step).span));
    match span {
        Some(span) => program.source.caret(span, &fault.message),
        None => format!("{}: {}", program.source.path.display(), fault.message),
    }
}

/// `list.c:12  current = head;`
pub(super) fn step(program: &Program, step: ir::StepId) -> String {
    let step = program.step(step);
    let text = program.source.text(step.span);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = if line.chars().count() > 70 { line.chars().take(69).chain(['…']).collect() } else { line };
    format!("{:>4}  {shown}", step.line)
}
