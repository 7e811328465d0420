//! Trees as text: in layers if they fit, indented if not.

use std::collections::HashMap;

use crate::cells::{Cell, Content};
use crate::graph::Graph;
use crate::roles::Role;

use super::boxes::{boxed, names, value};
use super::canvas::{Canvas, Style};

/// The largest tree that is drawn in layers.
const LAYERED: usize = 31;

/// A tree node with the children that are drawn below it, by slot.
pub(super) struct Tree {
    pub block: usize,
    pub children: Vec<(usize, Tree)>,
}

impl Tree {
    /// The tree below `block`, given the slots and boxes of everyone's children.
    pub fn new(block: usize, children: &HashMap<usize, Vec<(usize, usize)>>) -> Tree {
        let below = children.get(&block).map(Vec::as_slice).unwrap_or_default();
        Tree { block, children: below.iter().map(|&(slot, child)| (slot, Tree::new(child, children))).collect() }
    }

    pub fn count(&self) -> usize {
        1 + self.children.iter().map(|(_, child)| child.count()).sum::<usize>()
    }

    /// The cells that are written into the box: no children that are drawn
    /// below it, and no empty slots, which show by the shape.
    fn cells<'a>(&self, graph: &'a Graph) -> Vec<&'a Cell> {
        let drawn = |slot: usize| self.children.iter().any(|(other, _)| *other == slot);
        let cells = graph.blocks[self.block].cells.iter().enumerate();
        let is_text = |(slot, cell): &(usize, &Cell)| {
            cell.role != Role::Child || cell.changed || !(drawn(*slot) || cell.content == Content::Null)
        };
        cells.filter(is_text).map(|(_, cell)| cell).collect()
    }
}

/// Draws a tree.
pub(super) fn draw(graph: &Graph, tree: &Tree, width: usize) -> Canvas {
    if tree.count() <= LAYERED {
        let (layers, _) = layered(graph, tree);
        if layers.width() <= width {
            return layers;
        }
    }
    let mut canvas = Canvas::default();
    indented(graph, tree, &mut canvas, "", "");
    canvas
}

/// The tree in layers, and the column of the middle of its root.
fn layered(graph: &Graph, tree: &Tree) -> (Canvas, usize) {
    let mut root = boxed(&graph.blocks[tree.block], &tree.cells(graph));
    let (w, h) = (root.width(), root.height());
    if let Some((names, style)) = names(graph, tree.block) {
        root.append(0, &format!("◀ {names}"), style);
    }
    if tree.children.is_empty() {
        return (root, w / 2);
    }
    let slots: Vec<usize> = slots(graph, tree.block);
    let parts: Vec<(Canvas, usize)> = tree.children.iter().map(|(_, child)| layered(graph, child)).collect();
    let (mut x, mut places) = (0, Vec::new());
    for (canvas, middle) in &parts {
        places.push((x, x + middle));
        x += canvas.width() + 2;
    }
    let (first, last) = (places[0].1, places[places.len() - 1].1);
    // An only child stands to the side that its slot is on.
    let middle = match tree.children.as_slice() {
        [(slot, _)] if slots.len() == 2 && *slot == slots[0] => first + 3 + w / 2,
        [(slot, _)] if slots.len() == 2 && *slot == slots[1] => first.saturating_sub(3 + w / 2),
        _ => (first + last) / 2,
    };
    // The root may reach further to the left than its children.
    let shift = (w / 2).saturating_sub(middle);
    let middle = middle + shift;
    let mut canvas = Canvas::default();
    canvas.draw(0, middle - w / 2, &root);
    canvas.put(h - 1, middle, "┬", Style::Plain);
    let ends: Vec<usize> = places.iter().map(|(_, end)| end + shift).collect();
    connect(&mut canvas, h, middle, &ends);
    for ((part, _), (x, _)) in parts.iter().zip(&places) {
        canvas.draw(h + 1, x + shift, part);
    }
    (canvas, middle)
}

/// The line between a parent at `middle` and its children at `ends`.
fn connect(canvas: &mut Canvas, row: usize, middle: usize, ends: &[usize]) {
    let (from, to) = (middle.min(ends[0]), middle.max(ends[ends.len() - 1]));
    for x in from..=to {
        let (left, right) = (x > from, x < to);
        let (up, down) = (x == middle, ends.contains(&x));
        let c = match (up, down, left, right) {
            (true, true, false, false) => "│",
            (true, true, _, _) => "┼",
            (true, false, true, true) => "┴",
            (true, false, true, false) => "┘",
            (true, false, _, _) => "└",
            (false, true, true, true) => "┬",
            (false, true, true, false) => "┐",
            (false, true, _, _) => "┌",
            _ => "─",
        };
        canvas.put(row, x, c, Style::Plain);
    }
}

fn slots(graph: &Graph, block: usize) -> Vec<usize> {
    let cells = &graph.blocks[block].cells;
    (0..cells.len()).filter(|&i| cells[i].role == Role::Child).collect()
}

/// One line for each node, children below their parent and further in.
fn indented(graph: &Graph, tree: &Tree, canvas: &mut Canvas, lead: &str, below: &str) {
    let block = &graph.blocks[tree.block];
    let row = canvas.height();
    canvas.put(row, 0, lead, Style::Plain);
    canvas.append(row, &block.title, Style::Title);
    for cell in tree.cells(graph) {
        let (text, style) = value(cell);
        canvas.append(row, &format!("  {}: ", cell.name), Style::Plain);
        canvas.append(row, &text, style);
    }
    if let Some((names, style)) = names(graph, tree.block) {
        canvas.append(row, &format!("  ◀ {names}"), style);
    }
    for (number, (slot, child)) in tree.children.iter().enumerate() {
        let last = number + 1 == tree.children.len();
        let (corner, bar) = if last { ("└", " ") } else { ("├", "│") };
        let lead = format!("{below}{corner}─{}─ ", block.cells[*slot].name);
        indented(graph, child, canvas, &lead, &format!("{below}{bar}  "));
    }
}
