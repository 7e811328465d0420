//! Where nothing is mutated: what is asserted or assumed is what the
//! program is measured by. (Operands of `sizeof` are no part of the tree.)

use c_syntax::{Source, Span, closing_parenthesis};

use super::definition::{Definitions, words};

const NAMES: &[&str] = &[
    "assert",
    "assume",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__CPROVER_assert",
    "__CPROVER_assume",
    "static_assert",
    "_Static_assert",
];

/// Whether a function of this name only checks or assumes what it is given.
pub fn is_protected_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The uses of these names with their arguments, and whole lines that define
/// them as macros. Arguments that a macro makes a text or a name of (`#x`,
/// `a ## b`) are protected too: they are more than expressions.
pub fn protected(source: &Source) -> Vec<Span> {
    let mut spans = Vec::new();
    let pasting = Definitions::of(source).pasting();
    for word in words(&source.bytes) {
        let name = source.text(word.span);
        let is_pasting = pasting.contains(&name) && !word.defines;
        if !is_protected_name(&name) && !is_pasting {
            continue;
        }
        let open = c_syntax::skip_space(&source.bytes, word.span.end as usize);
        match source.bytes.get(open) {
            _ if word.defines => spans.push(word.line),
            Some(b'(') => {
                let close = closing_parenthesis(&source.bytes, open).unwrap_or(open);
                spans.push(Span::new(word.span.start as usize, close + 1));
            }
            _ => {}
        }
    }
    spans
}
