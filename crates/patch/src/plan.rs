//! The edits sorted by what they touch: one entry per statement, so that
//! braces and guards of several edits are made once.
//!
//! `InsertBefore(s)`, `Guard(s)` and `InsertAfter(s)` are one [`StatementEdits`].

use std::collections::BTreeMap;

use c_syntax::{Source, Span};

use crate::declaration::is_declaration;
use crate::error::{PatchError, Place};
use crate::scan::{Scan, Statement};
use crate::{Edit, tokens};

/// All edits.
pub(crate) struct Plan {
    pub replacements: Vec<(Span, String)>,
    /// By their place in the file.
    pub statements: Vec<StatementEdits>,
    pub ends: Vec<BlockEnd>,
}

/// What happens to a statement.
pub(crate) struct StatementEdits {
    pub statement: Statement,
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// Conditions, the outermost first.
    pub guards: Vec<String>,
    pub delete: bool,
    /// Whether each insertion is one statement that can share a line with others.
    pub short: bool,
}

/// Statements that are added to a block.
pub(crate) struct BlockEnd {
    pub open: usize,
    pub close: usize,
    pub lines: Vec<String>,
    pub short: bool,
}

impl Plan {
    pub fn new(source: &Source, scan: &Scan, edits: &[Edit]) -> Result<Plan, PatchError> {
        let mut replacements = Vec::new();
        let mut statements: BTreeMap<(usize, usize), StatementEdits> = BTreeMap::new();
        let mut ends = Vec::new();
        for edit in edits {
            let span = span_of(edit);
            if span.start > span.end || span.end as usize > source.bytes.len() {
                return Err(PatchError::Outside { span, length: source.bytes.len() });
            }
            match edit {
                Edit::Replace { span, text } => replacements.push((*span, text.clone())),
                Edit::InsertAtEnd { brace, lines } => ends.push(block_end(source, scan, *brace, lines)?),
                edit => {
                    let place = || Place::new(source, span);
                    let statement = scan.statement(span).ok_or_else(|| PatchError::NotAStatement(place()))?;
                    let key = (statement.start, statement.end);
                    let entry = statements.entry(key).or_insert_with(|| StatementEdits::new(statement));
                    entry.add(scan, edit, place)?;
                }
            }
        }
        Ok(Plan { replacements, statements: statements.into_values().collect(), ends })
    }
}

impl StatementEdits {
    fn new(statement: Statement) -> Self {
        let (before, after, guards) = Default::default();
        StatementEdits { statement, before, after, guards, delete: false, short: true }
    }

    fn add(&mut self, scan: &Scan, edit: &Edit, place: impl Fn() -> Place) -> Result<(), PatchError> {
        match edit {
            Edit::InsertBefore { lines, .. } => {
                self.before.extend(lines.iter().cloned());
                self.short &= is_short(lines);
            }
            Edit::InsertAfter { lines, .. } => {
                self.after.extend(lines.iter().cloned());
                self.short &= is_short(lines);
            }
            Edit::Guard { .. } if scan.is_declaration(&self.statement) => {
                return Err(PatchError::GuardedDeclaration(place()));
            }
            Edit::Guard { .. } if scan.is_label(&self.statement) => return Err(PatchError::GuardedLabel(place())),
            Edit::Guard { condition, .. } => self.guards.push(condition.clone()),
            Edit::Delete { .. } if self.delete => {
                return Err(PatchError::Overlap { first: place(), second: place() });
            }
            Edit::Delete { .. } => self.delete = true,
            Edit::Replace { .. } | Edit::InsertAtEnd { .. } => {}
        }
        Ok(())
    }

    /// Whether nothing is put in the place of a deleted statement.
    pub fn only_deletes(&self) -> bool {
        self.delete && self.before.is_empty() && self.after.is_empty()
    }

    /// Whether the first new statement declares a name, which no label may stand before.
    pub fn begins_with_declaration(&self) -> bool {
        let text = self.before.first().map_or("", String::as_str);
        is_declaration(&tokens(text).iter().map(|token| token.as_bytes()).collect::<Vec<_>>())
    }
}

/// The bytes that an edit names.
fn span_of(edit: &Edit) -> Span {
    match edit {
        Edit::Replace { span, .. }
        | Edit::Delete { span }
        | Edit::InsertBefore { span, .. }
        | Edit::InsertAfter { span, .. }
        | Edit::Guard { span, .. } => *span,
        Edit::InsertAtEnd { brace, .. } => Span { start: *brace, end: brace.saturating_add(1) },
    }
}

fn block_end(source: &Source, scan: &Scan, brace: u32, lines: &[String]) -> Result<BlockEnd, PatchError> {
    let close = brace as usize;
    let place = || Place::new(source, Span::new(close, close + 1));
    let open = scan.block_ending_at(close).ok_or_else(|| PatchError::NotABrace(place()))?;
    Ok(BlockEnd { open, close, lines: lines.to_vec(), short: is_short(lines) })
}

/// Whether new statements can stand on a line with others: a single one that
/// is no `if` or loop, whose body would seem to go on.
fn is_short(lines: &[String]) -> bool {
    let is_head = |line: &String| {
        let first = tokens(line).first().copied().unwrap_or_default();
        matches!(first, "if" | "else" | "for" | "while" | "do" | "switch") || line.contains("//")
    };
    lines.len() <= 1 && !lines.iter().any(is_head)
}
