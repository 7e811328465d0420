//! What surrounds the boxes: tables of plain variables at the left, frames
//! around what no variable leads to.

use std::collections::HashMap;

use crate::geometry::Rect;
use crate::graph::{Graph, Standing};
use crate::scene::Scene;
use crate::shape::{title_width, value_width};

/// The height of a line of a table.
pub(crate) const LINE: f64 = 20.0;
/// From the tables to the boxes.
const GAP: f64 = 34.0;

/// The place of a table of variables.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub rect: Rect,
    /// Where values start, from the left side.
    pub value_x: f64,
}

/// The tables one below the other, left of everything else.
pub(crate) fn panels(graph: &Graph, content: Rect) -> Vec<Panel> {
    let rows = || graph.tables.iter().flat_map(|table| &table.rows);
    let names = rows().map(|row| title_width(&row.name)).fold(30.0, f64::max);
    let values = rows().map(|row| value_width(&row.content)).fold(30.0, f64::max);
    let titles = graph.tables.iter().map(|table| title_width(&table.title)).fold(0.0, f64::max) + 16.0;
    // Steps keep the frame of the picture from jumping with every digit.
    let width = ((names + values + 34.0).max(titles) / 20.0).ceil() * 20.0;
    let mut y = content.y;
    let mut panels = Vec::new();
    for table in &graph.tables {
        let h = LINE * (table.rows.len() + 1) as f64 + 4.0;
        panels.push(Panel { rect: Rect::new(content.x - GAP - width, y, width, h), value_x: names + 22.0 });
        y += h + 14.0;
    }
    panels
}

/// Frames around boxes that no variable leads to: one around each structure,
/// or one around each box where others stand in between.
pub(crate) fn unreachable_areas(scene: &Scene) -> Vec<Rect> {
    let is_lost = |block: &usize| scene.graph.blocks[*block].standing == Standing::Unreachable;
    let lost: Vec<usize> = (0..scene.graph.blocks.len()).filter(is_lost).collect();
    let mut areas: Vec<Rect> = Vec::new();
    for structure in structures(scene.graph, &lost) {
        let frames: Vec<Rect> = structure.iter().map(|&block| frame(scene.rects[block])).collect();
        let whole = frames.iter().copied().reduce(|a, b| a.union(&b)).unwrap_or_default();
        match scene.covered(&whole) == structure.len() {
            true => areas.push(whole),
            false => areas.extend(frames),
        }
    }
    areas
}

/// A box with room for lines around it; the word stands above the frame.
fn frame(rect: Rect) -> Rect {
    Rect::new(rect.x - 10.0, rect.y - 18.0, (rect.w + 22.0).max(84.0), rect.h + 38.0)
}

/// The boxes of `lost` that hang together.
fn structures(graph: &Graph, lost: &[usize]) -> Vec<Vec<usize>> {
    let mut leader: HashMap<usize, usize> = lost.iter().map(|&block| (block, block)).collect();
    fn find(leader: &mut HashMap<usize, usize>, mut block: usize) -> usize {
        while leader[&block] != block {
            let up = leader[&leader[&block]];
            leader.insert(block, up);
            block = up;
        }
        block
    }
    for edge in &graph.edges {
        if leader.contains_key(&edge.from) && leader.contains_key(&edge.to.block) {
            let (a, b) = (find(&mut leader, edge.from), find(&mut leader, edge.to.block));
            leader.insert(a.max(b), a.min(b));
        }
    }
    let mut structures: Vec<Vec<usize>> = Vec::new();
    let mut number: HashMap<usize, usize> = HashMap::new();
    for &block in lost {
        let first = find(&mut leader, block);
        let at = *number.entry(first).or_insert_with(|| {
            structures.push(Vec::new());
            structures.len() - 1
        });
        structures[at].push(block);
    }
    structures
}
