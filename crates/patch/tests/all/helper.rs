//! Edits named by text: `delete("f(x)")` instead of offsets.

use c_syntax::{Source, Span};
use patch::{Edit, PatchError, Patched};

/// An edit whose place is still to be found in a text.
pub type Named = Box<dyn Fn(&str) -> Edit>;

/// Where `what` is in the text for the first time.
pub fn find(text: &str, what: &str) -> Span {
    let start = text.find(what).unwrap_or_else(|| panic!("{what:?} is not in the text"));
    Span::new(start, start + what.len())
}

pub fn replace(what: &'static str, by: &'static str) -> Named {
    Box::new(move |text| Edit::Replace { span: find(text, what), text: by.into() })
}

pub fn delete(what: &'static str) -> Named {
    Box::new(move |text| Edit::Delete { span: find(text, what) })
}

pub fn before(what: &'static str, lines: &'static [&'static str]) -> Named {
    Box::new(move |text| Edit::InsertBefore { span: find(text, what), lines: owned(lines) })
}

pub fn after(what: &'static str, lines: &'static [&'static str]) -> Named {
    Box::new(move |text| Edit::InsertAfter { span: find(text, what), lines: owned(lines) })
}

/// The brace is the last byte of `what`.
pub fn at_end(what: &'static str, lines: &'static [&'static str]) -> Named {
    Box::new(move |text| Edit::InsertAtEnd { brace: find(text, what).end - 1, lines: owned(lines) })
}

pub fn guard(what: &'static str, condition: &'static str) -> Named {
    Box::new(move |text| Edit::Guard { span: find(text, what), condition: condition.into() })
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.to_string()).collect()
}

pub fn apply(text: &str, edits: &[Named]) -> Result<Patched, PatchError> {
    let edits: Vec<Edit> = edits.iter().map(|edit| edit(text)).collect();
    patch::apply(&Source::new("a.c", text.as_bytes().to_vec()), &edits)
}
