//! Pictures as text for a terminal.
//!
//! Lists are rows of boxes, broken where the terminal ends; trees stand in
//! layers or, when they are large, indented; pointers back are words in the
//! box. Rows follow the structure and not the places of the other formats:
//! text has no room for lines that cross.

mod boxes;
mod canvas;
mod tree;

use std::collections::{HashMap, VecDeque};

use crate::cells::{Cell, Content, Kind};
use crate::graph::{Edge, Graph, Standing};
use crate::layout::Links;
use crate::roles::Role;
use boxes::{Boxed, content, grid, named, names, strip};
use canvas::{Canvas, Style};
use tree::Tree;

/// Boxes beyond this number are only counted.
const MOST: usize = 60;

/// Draws `graph` in `width` columns.
pub(crate) fn write(graph: &Graph, width: usize, color: bool) -> String {
    let width = width.max(20);
    let links = Links::new(graph);
    let mut page =
        Page { graph, links, width, taken: vec![false; graph.blocks.len()], shown: 0, canvas: Canvas::default() };
    page.tables();
    page.structures(false);
    page.structures(true);
    page.rest();
    page.canvas.to_text(width, color)
}

struct Page<'a> {
    graph: &'a Graph,
    links: Links,
    width: usize,
    /// Boxes that are drawn.
    taken: Vec<bool>,
    shown: usize,
    canvas: Canvas,
}

impl<'a> Page<'a> {
    /// The plain variables, as many on a line as fit.
    fn tables(&mut self) {
        for table in &self.graph.tables {
            let start = table.title.chars().count() + 2;
            let mut line = Canvas::default();
            line.put(0, 0, &table.title, Style::Title);
            let mut row = 0;
            line.append(row, "  ", Style::Plain);
            for variable in &table.rows {
                let (text, style) = content(&variable.content);
                let star = if variable.changed { "*" } else { "" };
                let text = format!("{} = {text}{star}", variable.name);
                if line.lines[row].len() + text.chars().count() > self.width && line.lines[row].len() > start {
                    row += 1;
                    line.put(row, start - 1, " ", Style::Plain);
                }
                line.append(row, &text, if variable.changed { Style::Changed } else { style });
                line.append(row, "   ", Style::Plain);
            }
            self.canvas.stack(line);
        }
    }

    fn is_lost(&self, block: usize) -> bool {
        self.graph.blocks[block].standing == Standing::Unreachable
    }

    fn structures(&mut self, lost: bool) {
        let entries: Vec<usize> = self.graph.entries.iter().copied().chain(0..self.graph.blocks.len()).collect();
        let mut headed = !lost;
        for entry in entries {
            if self.taken[entry] || self.is_lost(entry) != lost || self.shown >= MOST {
                continue;
            }
            self.gap();
            if !std::mem::replace(&mut headed, true) {
                self.canvas.append(self.canvas.height(), "unreachable:", Style::Faint);
            }
            let root = self.links.first_of(self.graph, entry, |block| !self.taken[block]);
            let canvas = self.structure(root, self.width);
            self.canvas.stack(if lost { canvas.restyled(Style::Faint) } else { canvas });
        }
    }

    fn gap(&mut self) {
        if self.canvas.height() > 0 {
            self.canvas.lines.push(Vec::new());
        }
    }

    fn rest(&mut self) {
        let left = self.taken.iter().filter(|taken| !**taken).count();
        if left > 0 {
            let text = format!("… {left} more node{}", if left == 1 { "" } else { "s" });
            self.canvas.append(self.canvas.height(), &text, Style::Faint);
        }
    }

    fn take(&mut self, block: usize) {
        self.taken[block] = true;
        self.shown += 1;
    }

    /// The list, tree, table or box that starts at `root`.
    fn structure(&mut self, root: usize, width: usize) -> Canvas {
        self.take(root);
        let block = &self.graph.blocks[root];
        match block.kind {
            Kind::Strip => strip(self.graph, root, width),
            Kind::Grid => grid(self.graph, root),
            Kind::Column => self.column(root, width),
            _ if block.cells.iter().any(|cell| cell.role == Role::Child) => {
                let tree = self.tree(root);
                tree::draw(self.graph, &tree, width)
            }
            _ => self.list(root, width),
        }
    }

    /// The tree below `root`. It is taken layer by layer, so that of a large
    /// tree the top is shown and not its leftmost path.
    fn tree(&mut self, root: usize) -> Tree {
        let mut children: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        let mut queue = VecDeque::from([root]);
        while let Some(block) = queue.pop_front() {
            for number in 0..self.links.out[block].len() {
                let edge = &self.graph.edges[self.links.out[block][number]];
                let to = edge.to.block;
                if edge.role == Role::Child && !self.taken[to] && self.shown < MOST {
                    self.take(to);
                    children.entry(block).or_default().push((edge.cell, to));
                    queue.push_back(to);
                }
            }
        }
        Tree::new(root, &children)
    }

    /// An array of pointers: one row for each element, with what it points to.
    fn column(&mut self, root: usize, width: usize) -> Canvas {
        let block = &self.graph.blocks[root];
        let mut canvas = Canvas::default();
        canvas.put(0, 0, &block.title, Style::Title);
        if let Some((names, style)) = names(self.graph, root) {
            canvas.append(0, &format!(" ◀ {names}"), style);
        }
        for (number, cell) in block.cells.iter().enumerate() {
            let (text, style) = boxes::value(cell);
            let lead = format!("{:>5} ", if cell.name.is_empty() { String::new() } else { format!("[{}]", cell.name) });
            let row = canvas.height();
            let edge = self.links.out[root].iter().map(|&e| &self.graph.edges[e]).find(|edge| edge.cell == number);
            match edge.filter(|edge| !self.taken[edge.to.block] && self.shown < MOST) {
                Some(edge) => {
                    let other = self.structure(edge.to.block, width.saturating_sub(10).max(20));
                    let line = if other.lines.get(1).is_some_and(|l| l.iter().any(|g| g.0 == '▼')) { 3 } else { 1 };
                    let arrow = if cell.changed { "─*▶" } else { "──▶" };
                    canvas.put(row + line, 0, &format!("{lead}{arrow}"), style);
                    canvas.draw(row, lead.chars().count() + 3, &other);
                }
                None => canvas.put(row, 0, &format!("{lead}{text}"), style),
            }
        }
        canvas
    }

    /// The list that starts at `root`, in as many rows as it needs.
    fn list(&mut self, root: usize, width: usize) -> Canvas {
        let mut chain = vec![root];
        while let Some(next) = self.next_of(chain[chain.len() - 1]).map(|edge| edge.to.block) {
            if self.taken[next] || self.shown >= MOST {
                break;
            }
            self.take(next);
            chain.push(next);
        }
        let above = if chain.iter().any(|&block| names(self.graph, block).is_some()) { 2 } else { 0 };
        let (mut canvas, mut row) = (Canvas::default(), Canvas::default());
        for (i, &block) in chain.iter().enumerate() {
            let Boxed { canvas: mut drawn, line } = self.item(block, above);
            let right = drawn.lines[line].len();
            let end = self.leave(&mut drawn, line, block, chain.get(i + 1).copied());
            let start = row.width().max(row.lines.get(line).map_or(0, Vec::len));
            if start > 0 && start + drawn.width().max(right + end) > width {
                canvas.stack(std::mem::take(&mut row));
            }
            let start = row.lines.get(line).map_or(0, Vec::len).max(row.width());
            row.draw(0, start, &drawn);
        }
        let whole = canvas.height() == 0;
        self.close(&mut row, &chain, above + 1, whole);
        canvas.stack(row);
        canvas
    }

    fn next_of(&self, block: usize) -> Option<&'a Edge> {
        self.links.out[block].iter().map(|&e| &self.graph.edges[e]).find(|edge| edge.role == Role::Next)
    }

    /// The box of a list node; its pointer to the next node is drawn as an arrow.
    fn item(&self, block: usize, above: usize) -> Boxed {
        let cells = self.graph.blocks[block].cells.iter();
        let shown: Vec<&Cell> = cells.filter(|c| !(c.role == Role::Next && c.content.is_pointer())).collect();
        named(self.graph, block, &shown, above)
    }

    /// Adds the arrow that leaves a list node, and answers with its length.
    fn leave(&self, drawn: &mut Canvas, line: usize, block: usize, next: Option<usize>) -> usize {
        let cells = &self.graph.blocks[block].cells;
        let Some(cell) = cells.iter().find(|c| c.role == Role::Next && c.content.is_pointer()) else { return 0 };
        let (dash, last, style) = match (cell.changed, cell.untracked) {
            (true, _) => ("─", "*", Style::Changed),
            (false, true) => ("┈", "┈", Style::Plain),
            (false, false) => ("─", "─", Style::Plain),
        };
        let style = if matches!(cell.content, Content::Dangling(_)) { Style::Gone } else { style };
        let border = drawn.lines[line].len() - 1;
        // Names above that are wider than the box move the next one away.
        let reach = if next.is_some() { drawn.width().saturating_sub(border) } else { 0 };
        drawn.put(line, border, &format!("├{}{last}▶", dash.repeat(reach.max(4) - 3)), style);
        if next.is_none() {
            drawn.append(line, &format!(" {}", content(&cell.content).0), style);
        }
        drawn.lines[line].len() - border
    }

    /// Draws the way back from the end of a circle to its start below the row, if it is one row.
    fn close(&self, row: &mut Canvas, chain: &[usize], line: usize, whole: bool) {
        let first = chain[0];
        let last = chain[chain.len() - 1];
        let closes =
            chain.len() > 1 && self.next_of(last).is_some_and(|edge| edge.to.block == first && edge.to.cell.is_none());
        if !(closes && whole) {
            return;
        }
        let text = format!(" {}", self.graph.blocks[first].title);
        let arrow = row.lines[line].len() - text.chars().count() - 3;
        row.lines[line].truncate(arrow);
        row.put(line, arrow, "──┐", Style::Plain);
        let (bottom, column) = (row.height(), arrow + 2);
        (line + 1..bottom).for_each(|y| row.put(y, column, "│", Style::Plain));
        row.put(bottom, 2, "▲", Style::Plain);
        row.put(bottom, column, "│", Style::Plain);
        row.put(bottom + 1, 2, &format!("└{}┘", "─".repeat(column - 3)), Style::Plain);
    }
}
