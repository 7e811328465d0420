//! A contract as C text in the driver: what is assumed before the call, what is
//! kept for `\old`, and what is asserted after it.
//!
//! `ensures \forall integer k; 0 <= k < n ==> \result >= a[k];` becomes
//!
//! ```c
//! if (!(({ int q1 = 1; for (long long k = 0; k <= (long long)n - 1; k++)
//!              if (!(!(0 <= k && k < n) || wolverine_result >= a[k])) q1 = 0; q1; })))
//!     __assert_fail("ensures …", "contract", 3, "max");
//! ```
//!
//! So the formula, the interpreter and the real compiler all compute the same
//! contract. Numbers are computed in 64 bits.

mod declared;
mod expression;
mod frame;
mod instead;
mod shape;

use c_syntax::{Function, Source, Span, Unit};
use spec::contract::{Clause, ContractError, Resolved, Term, TermKind};

pub(crate) use declared::declared;
pub(crate) use expression::{Writer, as_text, helpers};
pub(crate) use instead::{name_of, replacement};
pub(crate) use shape::{Shape, shape_of};

/// A part of the driver that stands for a clause of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is in the driver, in bytes from its start.
    pub(crate) driver: Span,
    /// The clause in the user's file.
    pub clause: Span,
    /// Which clause it is.
    pub kind: PartKind,
}

/// What a part of the driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Assumes what the contract requires.
    Requires,
    /// Asserts what it ensures.
    Ensures,
    /// Asserts that nothing else is changed.
    Assigns,
}

/// Text of the driver with the clauses that parts of it stand for, by offsets in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marked {
    pub(crate) text: String,
    pub(crate) parts: Vec<Part>,
}

impl Marked {
    fn push(&mut self, text: &str, clause: Span, kind: PartKind) {
        let driver = Span::new(self.text.len(), self.text.len() + text.len());
        self.text += text;
        self.parts.push(Part { driver, clause, kind });
    }

    /// Adds another text after this one.
    pub(crate) fn append(&mut self, other: Marked) {
        let start = self.text.len() as u32;
        self.text += &other.text;
        self.parts.extend(other.parts.into_iter().map(|part| {
            let driver = Span { start: part.driver.start + start, end: part.driver.end + start };
            Part { driver, ..part }
        }));
    }
}

/// A pointer parameter whose cells the driver knows.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The parameter.
    pub(crate) name: String,
    /// The array of the driver.
    pub(crate) array: String,
    /// The declaration of another array of the same type, with this name.
    pub(crate) declaration: String,
    /// How many cells.
    pub(crate) count: u64,
}

/// The parts of a driver that a contract gives.
pub(crate) struct Written {
    /// Logic functions, before the driver.
    pub(crate) helpers: String,
    /// Before the call: assumptions, and copies for `\old`.
    pub(crate) before: Marked,
    /// After the call.
    pub(crate) after: Marked,
}

/// Writes a contract; the driver has made up the inputs.
pub(crate) fn write(
    resolved: &Resolved,
    unit: &Unit,
    function: &Function,
    source: &Source,
    cells: &[Cells],
    globals: &[(String, String)],
) -> Result<Written, ContractError> {
    let scope = resolved.scope(unit, function);
    let writer = Writer::new(cells.iter().map(|cells| cells.name.clone()).collect(), "wolverine_result");
    let contract = &resolved.contract;
    let mut before = Marked::default();
    for Clause { predicate, span, .. } in &contract.requires {
        let condition = writer.term(&scope, predicate, false)?;
        before.push(&format!("    __VERIFIER_assume(!!({condition}));\n"), *span, PartKind::Requires);
    }
    let speaks_of_old = |clause: &Clause| clause.predicate.any(&|term: &Term| matches!(term.kind, TermKind::Old(_)));
    let two_states = resolved.definitions.iter().any(|definition| definition.two_states);
    if two_states || contract.ensures.iter().any(speaks_of_old) || contract.assigns.is_some() {
        before.text += &copies(cells, globals);
    }
    let mut after = Marked::default();
    for Clause { predicate, span, .. } in &contract.ensures {
        let condition = writer.term(&scope, predicate, false)?;
        let fail = failing(source, *span, "ensures", &function.name);
        after.push(&format!("    if (!({condition})) {fail}\n"), *span, PartKind::Ensures);
    }
    if let Some(places) = &contract.assigns {
        let span = places.iter().map(|place| place.span).reduce(Span::to).unwrap_or(contract.span);
        let fail = failing(source, span, "assigns", &function.name);
        for check in frame::checks(places, &writer, &scope, cells, globals)? {
            after.push(&format!("    {check} {fail}\n"), span, PartKind::Assigns);
        }
    }
    Ok(Written { helpers: expression::helpers(&resolved.definitions, unit, &[])?, before, after })
}

/// Keeps the values that `\old` speaks of.
fn copies(cells: &[Cells], globals: &[(String, String)]) -> String {
    let mut text = String::new();
    for Cells { name, array, declaration, count } in cells {
        let copied = format!(
            "    {declaration};\n    for (int wolverine_k = 0; wolverine_k < {count}; wolverine_k++) wolverine_old_{name}[wolverine_k] = {array}[wolverine_k];\n"
        );
        text += &copied;
    }
    for (name, declaration) in globals {
        text += &format!("    {declaration} = {name};\n");
    }
    text
}

/// A failing assertion with the text of a clause.
fn failing(source: &Source, span: Span, word: &str, function: &str) -> String {
    let text = source.text(span).split_whitespace().filter(|word| *word != "@").collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(120).collect();
    let line = source.line(span.start);
    format!("__assert_fail(\"{word} {}\", \"contract\", {line}, \"{function}\");", as_text(&text))
}
