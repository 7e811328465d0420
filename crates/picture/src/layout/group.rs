//! Groups: boxes that belong together, arranged relative to the first of them.

use std::collections::HashSet;

use crate::geometry::Rect;
use crate::graph::{Edge, Graph};
use crate::layout::Links;
use crate::layout::tree;
use crate::roles::Role;
use crate::shape::Shape;

/// From one list node to the next.
pub(crate) const NEXT_GAP: f64 = 50.0;
/// From a table or variable to what its arrows point to.
pub(crate) const SIDE_GAP: f64 = 60.0;
/// Between things that hang next to each other.
const HANG_GAP: f64 = 26.0;
/// Lists go on in a new line from here.
const LINE_END: f64 = 1400.0;
/// From one line of a list to the next.
const LINE_GAP: f64 = 60.0;
/// Structures nested deeper than this are taken apart, so that arranging them needs no deep recursion.
const DEEPEST: usize = 40;

/// Boxes with their places relative to the upper left corner of `root`.
pub(crate) struct Group {
    pub root: usize,
    pub items: Vec<(usize, Rect)>,
    pub bounds: Rect,
}

impl Group {
    pub fn single(block: usize, (w, h): (f64, f64)) -> Group {
        let rect = Rect::new(0.0, 0.0, w, h);
        Group { root: block, items: vec![(block, rect)], bounds: rect }
    }

    fn add(&mut self, other: Group, x: f64, y: f64) {
        self.bounds = self.bounds.union(&other.bounds.shifted(x, y));
        self.items.extend(other.items.into_iter().map(|(block, rect)| (block, rect.shifted(x, y))));
    }
}

/// Arranges boxes that have no place yet in groups.
pub(crate) struct Arranger<'a> {
    pub graph: &'a Graph,
    shapes: &'a [Shape],
    links: &'a Links,
    /// Boxes that have a place or belong to a group.
    taken: Vec<bool>,
}

impl<'a> Arranger<'a> {
    pub fn new(graph: &'a Graph, shapes: &'a [Shape], links: &'a Links, rects: &[Option<Rect>]) -> Arranger<'a> {
        Arranger { graph, shapes, links, taken: rects.iter().map(Option::is_some).collect() }
    }

    /// Whether `block` still waits for a place.
    pub fn is_open(&self, block: usize) -> bool {
        !self.taken[block]
    }

    /// The group that starts at `root`.
    pub fn arrange(&mut self, root: usize) -> Group {
        self.group(root, 0)
    }

    pub fn size(&self, block: usize) -> (f64, f64) {
        self.shapes[block].size
    }

    pub fn take(&mut self, block: usize) {
        self.taken[block] = true;
    }

    /// The arrows with this role from `block` to boxes without a place, each box once.
    pub fn open_edges(&self, block: usize, role: Role) -> Vec<&'a Edge> {
        let edges = self.links.out[block].iter().map(|&e| &self.graph.edges[e]);
        let mut seen = HashSet::new();
        edges.filter(|e| e.role == role && self.is_open(e.to.block) && seen.insert(e.to.block)).collect()
    }

    pub fn is_tree(&self, block: usize) -> bool {
        self.graph.blocks[block].cells.iter().any(|cell| cell.role == Role::Child)
    }

    fn group(&mut self, root: usize, depth: usize) -> Group {
        self.take(root);
        if self.is_tree(root) {
            return tree::arrange(self, root);
        }
        let chain = self.chain(root);
        match chain.len() {
            1 => self.beside(root, depth),
            _ => self.rows(&chain, depth),
        }
    }

    /// The list that starts at `root`.
    fn chain(&mut self, root: usize) -> Vec<usize> {
        let mut chain = vec![root];
        let mut last = root;
        while let Some(edge) = self.open_edges(last, Role::Next).first() {
            last = edge.to.block;
            self.take(last);
            chain.push(last);
        }
        chain
    }

    /// What hangs on `block` by arrows that are no part of a list or tree.
    fn hanging(&mut self, block: usize, depth: usize) -> Vec<(&'a Edge, Group)> {
        let edges = if depth < DEEPEST { self.open_edges(block, Role::Other) } else { Vec::new() };
        let mut hanging = Vec::new();
        for edge in edges {
            // An earlier arrow of the same box may have led here as well.
            if self.is_open(edge.to.block) {
                hanging.push((edge, self.group(edge.to.block, depth + 1)));
            }
        }
        hanging
    }

    /// A single box; what its arrows point to stands at its right, each as
    /// close to the height of its arrow as the others allow.
    fn beside(&mut self, root: usize, depth: usize) -> Group {
        let mut group = Group::single(root, self.size(root));
        let hanging = self.hanging(root, depth);
        let x = self.size(root).0 + SIDE_GAP;
        let (mut ys, mut low, mut pushed) = (Vec::new(), f64::MIN, 0.0f64);
        for (edge, other) in &hanging {
            let ideal = self.shapes[root].cells[edge.cell].dot.y - self.size(other.root).1 / 2.0;
            let y = ideal.max(low - other.bounds.y);
            pushed = y - ideal;
            low = y + other.bounds.bottom() + HANG_GAP;
            ys.push(y);
        }
        // What was pushed down is shared between above and below.
        for ((_, other), y) in hanging.into_iter().zip(ys) {
            let left = other.bounds.x;
            group.add(other, x - left, y - pushed / 2.0);
        }
        group
    }

    /// A list, from left to right; what hangs on its nodes stands below them.
    fn rows(&mut self, chain: &[usize], depth: usize) -> Group {
        let mut group = Group { root: chain[0], items: Vec::new(), bounds: Rect::default() };
        let (mut x, mut y, mut low) = (0.0, 0.0, 0.0f64);
        for &block in chain {
            let size = self.size(block);
            let hanging = self.hanging(block, depth);
            let width = hanging.iter().map(|(_, g)| g.bounds.w).fold(size.0, f64::max);
            if x > 0.0 && x + width > LINE_END {
                (x, y) = (0.0, low + LINE_GAP);
            }
            group.add(Group::single(block, size), x, y);
            let mut below = y + size.1;
            for (_, other) in hanging {
                let (left, top) = (other.bounds.x, other.bounds.y);
                let at = below + HANG_GAP + 10.0 - top;
                below = at + other.bounds.bottom();
                group.add(other, x - left, at);
            }
            low = low.max(below);
            x += width + NEXT_GAP;
        }
        group
    }
}
