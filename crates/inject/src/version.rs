//! Faults to text: the faulty file, and for each fault where it is in it.
//!
//! With `x` replaced by `long_name` on line 1 and line 2 deleted, the second
//! fault is the empty range where line 3 now begins.

use c_syntax::Source;
use patch::{Edit, PatchError, Patched};

use crate::draw::Pick;
use crate::note::{Fault, FaultKind, Observed};

/// A faulty version of the program.
#[derive(Clone, Debug)]
pub struct Version {
    /// The text of the whole file.
    pub text: Vec<u8>,
    /// What is wrong with it, in the order of the text.
    pub faults: Vec<Fault>,
    /// How it shows.
    pub observed: Observed,
}

/// The text with the faults in it.
pub(crate) fn rewrite(source: &Source, picks: &[Pick]) -> Result<Patched, PatchError> {
    let edits: Vec<Edit> = picks.iter().map(edit).collect();
    patch::apply(source, &edits)
}

fn edit(pick: &Pick) -> Edit {
    let (kind, text) = &pick.place.choices[pick.choice];
    match kind {
        FaultKind::Deletion => Edit::Delete { span: pick.place.span },
        _ => Edit::Replace { span: pick.place.span, text: text.clone() },
    }
}

/// What was done, with the places in both texts.
pub(crate) fn describe(source: &Source, patched: &Patched, pick: &Pick) -> Fault {
    let (place, (kind, text)) = (pick.place, &pick.place.choices[pick.choice]);
    let (line, column) = source.line_column(place.span.start);
    let (before, start, after) = match kind {
        FaultKind::Deletion => {
            let start = gone(patched, place.span.start);
            (statement_text(source, place), start, left_over(patched, start))
        }
        _ => (source.text(place.span), patched.map(place.span.start).unwrap_or_default(), text.clone()),
    };
    Fault {
        kind: *kind,
        function: place.function.clone(),
        line,
        column,
        original: (place.span.start, place.span.end),
        faulty: (start, start + after.len() as u32),
        before,
        after,
        statement: statement_text(source, place),
    }
}

/// Where a byte that is gone would be: after the last one before it that is still there.
fn gone(patched: &Patched, offset: u32) -> u32 {
    let kept = (0..offset).rev().find_map(|before| patched.map(before));
    kept.map_or(0, |kept| kept + 1)
}

/// The `;` that a branch or loop needs in the place of its only statement.
fn left_over(patched: &Patched, start: u32) -> String {
    match patched.text.get(start as usize) {
        Some(b';') => ";".into(),
        _ => String::new(),
    }
}

/// The statement or condition; a statement with its `;`, which the parser does not always count to it.
fn statement_text(source: &Source, place: &crate::place::Place) -> String {
    let text = source.text(place.statement);
    let rest = &source.bytes[place.statement.end as usize..];
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    match !text.ends_with(';') && rest.get(blanks) == Some(&b';') {
        true => format!("{text};"),
        false => text,
    }
}
