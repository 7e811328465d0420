//! Trees in layers, after Reingold and Tilford (*Tidier drawings of trees*,
//! 1981): subtrees are pushed together until their outlines almost touch, a
//! parent stands above the middle of its children. An only child stands to
//! the side that its slot is on.

use crate::geometry::Rect;
use crate::layout::group::{Arranger, Group};
use crate::roles::Role;

/// From one layer to the next.
pub(crate) const LAYER_GAP: f64 = 46.0;
/// Between neighbours in a layer.
const GAP: f64 = 34.0;
/// Deeper trees go on in another group.
const DEEPEST: usize = 120;

/// A subtree, with horizontal places relative to the middle of its root.
struct Subtree {
    /// Box, middle, layer.
    items: Vec<(usize, f64, usize)>,
    /// For each layer the leftmost and the rightmost point.
    outline: Vec<(f64, f64)>,
}

impl Subtree {
    fn shift(&mut self, by: f64) {
        self.items.iter_mut().for_each(|item| item.1 += by);
        self.outline.iter_mut().for_each(|(left, right)| (*left, *right) = (*left + by, *right + by));
    }

    /// Takes in another subtree one layer down.
    fn adopt(&mut self, child: Subtree) {
        self.items.extend(child.items.into_iter().map(|(block, x, layer)| (block, x, layer + 1)));
        for (layer, (left, right)) in child.outline.into_iter().enumerate() {
            match self.outline.get_mut(layer + 1) {
                Some(all) => *all = (all.0.min(left), all.1.max(right)),
                None => self.outline.push((left, right)),
            }
        }
    }
}

/// Arranges the tree below `root`, which is taken already.
pub(crate) fn arrange(arranger: &mut Arranger, root: usize) -> Group {
    let tree = subtree(arranger, root, 0);
    let mut heights = vec![0.0f64; tree.outline.len()];
    for (block, _, layer) in &tree.items {
        heights[*layer] = heights[*layer].max(arranger.size(*block).1);
    }
    let tops: Vec<f64> = heights.iter().scan(0.0, |y, h| Some(std::mem::replace(y, *y + h + LAYER_GAP))).collect();
    let corner = -arranger.size(root).0 / 2.0;
    let place = |&(block, x, layer): &(usize, f64, usize)| {
        let (w, h) = arranger.size(block);
        (block, Rect::new(x - w / 2.0 - corner, tops[layer], w, h))
    };
    let items: Vec<(usize, Rect)> = tree.items.iter().map(place).collect();
    let bounds = items.iter().map(|(_, rect)| *rect).reduce(|a, b| a.union(&b)).unwrap_or_default();
    Group { root, items, bounds }
}

fn subtree(arranger: &mut Arranger, block: usize, depth: usize) -> Subtree {
    let half = arranger.size(block).0 / 2.0;
    let mut whole = Subtree { items: vec![(block, 0.0, 0)], outline: vec![(-half, half)] };
    let cells = &arranger.graph.blocks[block].cells;
    let slots: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].role == Role::Child).collect();
    let edges = if depth < DEEPEST { arranger.open_edges(block, Role::Child) } else { Vec::new() };
    edges.iter().for_each(|edge| arranger.take(edge.to.block));
    let mut children: Vec<Subtree> = edges.iter().map(|e| subtree(arranger, e.to.block, depth + 1)).collect();
    match (children.len(), slots.len()) {
        (1, 2) => {
            let side = if edges[0].cell == slots[0] { -1.0 } else { 1.0 };
            children[0].shift(side * (half + GAP / 2.0));
        }
        _ => spread(&mut children),
    }
    children.into_iter().for_each(|child| whole.adopt(child));
    whole
}

/// Pushes neighbours apart until no layer of theirs overlaps, around the middle.
fn spread(children: &mut [Subtree]) {
    let mut right: Vec<f64> = Vec::new();
    let mut middles = Vec::new();
    for child in children.iter_mut() {
        let apart = child.outline.iter().zip(&right).map(|((left, _), right)| right - left + GAP);
        let by = apart.fold(f64::MIN, f64::max);
        let by = if by == f64::MIN { 0.0 } else { by };
        child.shift(by);
        middles.push(by);
        for (layer, (_, edge)) in child.outline.iter().enumerate() {
            match right.get_mut(layer) {
                Some(all) => *all = all.max(*edge),
                None => right.push(*edge),
            }
        }
    }
    if let (Some(first), Some(last)) = (middles.first(), middles.last()) {
        let middle = (first + last) / 2.0;
        children.iter_mut().for_each(|child| child.shift(-middle));
    }
}
