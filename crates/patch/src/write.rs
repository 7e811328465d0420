//! From edits of statements to bytes that are inserted and removed.
//!
//! `InsertBefore` on the body of `if (x)\n    f();` inserts ` {` after the `)`,
//! the new lines before `f`, and `\n}` after the `;`.

use std::cmp::Reverse;

use crate::changes::{Changes, Rank};
use crate::plan::{BlockEnd, Plan, StatementEdits};
use crate::scan::{Scan, Statement};

/// All changes of the bytes.
pub(crate) fn write(scan: &Scan, plan: &Plan) -> Changes {
    let shapes: Vec<Shape> = plan.statements.iter().map(|edits| Shape::new(scan, plan, edits)).collect();
    let deepened = plan.statements.iter().zip(&shapes).flat_map(|(edits, shape)| shape.deepened(scan, edits)).collect();
    let mut writer = Writer { scan, deepened, changes: Changes::default() };
    writer.indent_lines();
    for (edits, shape) in plan.statements.iter().zip(&shapes).filter(|(edits, _)| !edits.only_deletes()) {
        writer.write_statement(edits, shape);
    }
    writer.delete(plan);
    for end in &plan.ends {
        writer.write_block_end(end);
    }
    for (span, text) in &plan.replacements {
        let range = span.start as usize..span.end as usize;
        writer.changes.insert(range.start, Rank::Replacement, text.clone());
        writer.changes.remove(range);
    }
    writer.changes
}

/// How the edits of a statement are laid out.
struct Shape {
    braces: Braces,
    /// Whether the statement, which shares its line, gets a new one.
    break_before: bool,
    /// Whether what follows on its line gets a new one.
    break_after: bool,
    /// Whether the statement is to stand one level deeper than its line.
    deeper: bool,
}

/// Braces around a body that had none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    None,
    /// `if (x) { f(); g(); }`
    OnLine,
    /// On lines of their own.
    Block,
}

impl Shape {
    fn new(scan: &Scan, plan: &Plan, edits: &StatementEdits) -> Shape {
        let statement = &edits.statement;
        let guarded = !edits.guards.is_empty();
        let needs_braces = match edits.delete {
            true => edits.before.len() + edits.after.len() > 1 || !edits.short || edits.begins_with_declaration(),
            false => !edits.before.is_empty() || !edits.after.is_empty() || (guarded && scan.is_before_else(statement)),
        };
        let short = edits.short && !guarded;
        // An inner statement with the same end may need lines of its own there.
        let is_inner = |other: &Statement| other.end == statement.end && other.start > statement.start;
        let is_outer = plan.statements.iter().any(|other| is_inner(&other.statement));
        let fits_line = short && !scan.is_long(statement) && !is_outer;
        let braces = match (statement.head.is_some() && needs_braces, fits_line) {
            (false, _) => Braces::None,
            (true, true) if !statement.left.alone => Braces::OnLine,
            (true, _) => Braces::Block,
        };
        let block = braces == Braces::Block;
        let deeper = !statement.left.alone && scan.is_deeper_than_line(statement);
        let lines_after = !edits.after.is_empty() || guarded || edits.delete;
        let lines_before = !edits.before.is_empty() || guarded || edits.delete || (deeper && lines_after);
        // What belongs to the head stays on the line of the closing brace: `} else`, `} while`.
        let next_is_of_head = match scan.next(statement) {
            Some(b"else") => true,
            Some(b"while") => statement.head.is_some_and(|head| head.is_do),
            _ => false,
        };
        Shape {
            braces,
            break_before: !statement.left.alone && (block || (!short && lines_before)),
            break_after: !statement.right.alone && !next_is_of_head && (block || (!short && lines_after)),
            deeper,
        }
    }

    /// The lines of a statement that go deeper with it, once for each level.
    fn deepened(&self, scan: &Scan, edits: &StatementEdits) -> Vec<usize> {
        // A block is already deeper than the `if` that is put before it.
        let guards = edits.guards.len().saturating_sub(usize::from(scan.is_block(&edits.statement)));
        let levels = guards + usize::from(self.break_before && self.deeper);
        scan.inner_lines(&edits.statement).repeat(levels)
    }
}

struct Writer<'a> {
    scan: &'a Scan<'a>,
    /// Beginnings of lines that go one level deeper, once for each level.
    deepened: Vec<usize>,
    changes: Changes,
}

impl Writer<'_> {
    fn unit(&self, levels: usize) -> String {
        self.scan.layout.unit.repeat(levels)
    }

    /// The indentation that the line of a place will have.
    fn indentation(&self, at: usize) -> String {
        let line = self.scan.line_start(at);
        let levels = self.deepened.iter().filter(|&&deepened| deepened == line).count();
        self.scan.indentation(at) + &self.unit(levels)
    }

    fn statement_indentation(&self, statement: &Statement, shape: &Shape) -> String {
        self.indentation(statement.start) + &self.unit(usize::from(shape.deeper))
    }

    fn indent_lines(&mut self) {
        for &line in &self.deepened {
            self.changes.insert(line, Rank::Indent, self.scan.layout.unit.clone());
        }
    }

    fn write_statement(&mut self, edits: &StatementEdits, shape: &Shape) {
        let (statement, indent) = (&edits.statement, self.statement_indentation(&edits.statement, shape));
        self.open(statement, shape);
        if shape.break_before {
            self.changes.break_line(statement.left.gap..statement.start, &indent);
        }
        let mut start = String::new();
        if shape.braces == Braces::OnLine {
            start.push_str("{ ");
        }
        let own_lines = statement.left.alone || shape.break_before;
        let separator = if own_lines { format!("\n{indent}") } else { " ".to_string() };
        start.push_str(&self.lines_before(edits, &separator));
        start.push_str(&self.guards(edits, &indent));
        self.changes.insert(statement.start, Rank::Before, start);
        if edits.delete {
            let whole = statement.left.alone && statement.right.alone;
            self.changes.remove(statement.start..if whole { statement.right.end } else { statement.end });
        }
        self.close(edits, shape, &indent);
        if shape.break_after {
            let close = self.scan.next(statement) == Some(b"}".as_slice());
            let block = self.scan.block_around(statement).filter(|_| close);
            let deeper = self.unit(usize::from(self.scan.is_after_deeper(statement)));
            let beside = || self.indentation(statement.start) + &deeper;
            let next = block.map_or_else(beside, |open| self.indentation(open));
            self.changes.break_line(statement.end..statement.right.gap, &next);
        }
    }

    /// The opening brace of a block that is put around a body.
    fn open(&mut self, statement: &Statement, shape: &Shape) {
        let Some(head) = statement.head.filter(|_| shape.braces == Braces::Block) else { return };
        let alone = self.scan.layout.braces_alone;
        let text = if alone { format!("\n{}{{", self.indentation(head.start)) } else { " {".to_string() };
        let at = match statement.left.alone {
            true if alone => self.scan.right(head.end).end,
            true => head.end,
            false => statement.left.gap,
        };
        self.changes.insert(at, Rank::Open, text);
    }

    /// New statements before one, or in the place of a deleted one.
    fn lines_before(&self, edits: &StatementEdits, separator: &str) -> String {
        let mut lines: Vec<&str> = edits.before.iter().map(String::as_str).collect();
        if self.scan.is_after_label(&edits.statement) && edits.begins_with_declaration() {
            lines.insert(0, ";");
        }
        if edits.delete {
            lines.extend(edits.after.iter().map(String::as_str));
            return lines.join(separator);
        }
        lines.iter().map(|line| format!("{line}{separator}")).collect()
    }

    fn guards(&self, edits: &StatementEdits, indent: &str) -> String {
        let mut text = String::new();
        let is_block = self.scan.is_block(&edits.statement);
        let alone = self.scan.layout.braces_alone;
        for (depth, condition) in edits.guards.iter().enumerate() {
            let line = |depth: usize| format!("\n{indent}{}", self.unit(depth));
            let innermost = depth + 1 == edits.guards.len();
            let braces = innermost && self.scan.has_open_else(&edits.statement);
            let end = match (is_block && innermost, braces, alone) {
                (true, _, false) => " ".to_string(),
                (true, _, true) => line(depth),
                (false, true, false) => format!(" {{{}", line(depth + 1)),
                (false, true, true) => format!("{}{{{}", line(depth), line(depth + 1)),
                (false, false, _) => line(depth + 1),
            };
            text.push_str(&format!("if ({condition}){end}"));
        }
        text
    }

    /// What comes after a statement: the brace of its guard, new statements,
    /// and the brace of the block that is put around it.
    fn close(&mut self, edits: &StatementEdits, shape: &Shape, indent: &str) {
        let statement = &edits.statement;
        let on_line = shape.braces == Braces::OnLine;
        let mut text = String::new();
        if !edits.guards.is_empty() && self.scan.has_open_else(statement) {
            text.push_str(&format!("\n{indent}{}}}", self.unit(edits.guards.len() - 1)));
        }
        let own_lines = shape.braces == Braces::Block || shape.break_after || (statement.right.alone && !on_line);
        for line in edits.after.iter().filter(|_| !edits.delete) {
            text.push_str(&if own_lines { format!("\n{indent}{line}") } else { format!(" {line}") });
        }
        match (shape.braces, statement.head) {
            (Braces::Block, Some(head)) => text.push_str(&format!("\n{}}}", self.indentation(head.start))),
            (Braces::OnLine, _) => text.push_str(" }"),
            _ => {}
        }
        let at = if statement.right.alone && !on_line { statement.right.end } else { statement.end };
        self.changes.insert(at, Rank::After(Reverse(statement.start)), text);
    }

    fn delete(&mut self, plan: &Plan) {
        let deletions = plan.statements.iter().filter(|edits| edits.only_deletes());
        let deleted: Vec<Statement> = deletions.map(|edits| edits.statement).collect();
        let (kept, gone) = deleted
            .iter()
            .partition::<Vec<Statement>, _>(|gone| gone.head.is_some() || self.scan.label_needs(gone, &deleted));
        for statement in kept {
            let whole = statement.left.alone && statement.right.alone;
            self.changes.insert(statement.start, Rank::Before, ";".to_string());
            self.changes.remove(statement.start..if whole { statement.right.end } else { statement.end });
        }
        for run in gone.chunk_by(|before, after| before.right.gap == after.start) {
            self.delete_run(&run[0], &run[run.len() - 1]);
        }
    }

    /// Deletes the statements from one to another on the same line.
    fn delete_run(&mut self, first: &Statement, last: &Statement) {
        let range = match (first.left.alone, last.right.alone) {
            (true, true) => self.scan.whole_lines(first.start, last.right.end),
            (false, true) => first.left.gap..last.end,
            (_, false) => first.start..last.right.gap,
        };
        self.changes.remove(range);
    }

    fn write_block_end(&mut self, end: &BlockEnd) {
        let left = self.scan.left(end.close);
        if !left.alone && end.short && !self.scan.is_empty_block(end.open, end.close) {
            let text = end.lines.iter().map(|line| format!(" {line}")).collect();
            return self.changes.insert(left.gap, Rank::BlockEnd, text);
        }
        let outer = self.indentation(if left.alone { end.close } else { end.open });
        let inner = self.scan.first_line_of_block(end.open).map(|at| self.indentation(at));
        let indent = inner.unwrap_or_else(|| format!("{outer}{}", self.scan.layout.unit));
        if left.alone {
            let text = end.lines.iter().map(|line| format!("{indent}{line}\n")).collect();
            return self.changes.insert(self.scan.line_start(end.close), Rank::BlockEnd, text);
        }
        let text = end.lines.iter().map(|line| format!("\n{indent}{line}")).collect();
        self.changes.insert(left.gap, Rank::BlockEnd, text);
        self.changes.break_line(left.gap..end.close, &outer);
        let first = self.scan.skip_blanks(end.open + 1);
        if self.scan.line_start(end.open) == self.scan.line_start(end.close) && first < left.gap {
            self.changes.break_line(end.open + 1..first, &indent);
        }
    }
}
