//! The boxes in their places, and what a line between them would run through.

use std::collections::HashSet;

use crate::geometry::{Index, Point, Rect};
use crate::graph::{Goal, Graph};
use crate::shape::Shape;

/// The boxes in their places.
pub(crate) struct Scene<'a> {
    pub graph: &'a Graph,
    pub shapes: &'a [Shape],
    pub rects: &'a [Rect],
    bodies: Index,
}

impl<'a> Scene<'a> {
    pub fn new(graph: &'a Graph, shapes: &'a [Shape], rects: &'a [Rect]) -> Scene<'a> {
        let mut scene = Scene { graph, shapes, rects, bodies: Index::default() };
        (0..rects.len()).for_each(|block| scene.bodies.add(block, scene.body(block)));
        scene
    }

    /// The outline of a box.
    pub fn body(&self, block: usize) -> Rect {
        self.shapes[block].body.shifted(self.rects[block].x, self.rects[block].y)
    }

    /// A cell.
    pub fn cell(&self, block: usize, cell: usize) -> Rect {
        self.shapes[block].cells[cell].rect.shifted(self.rects[block].x, self.rects[block].y)
    }

    /// Where the arrow of a cell starts.
    pub fn dot(&self, block: usize, cell: usize) -> Point {
        self.shapes[block].cells[cell].dot.shifted(self.rects[block].x, self.rects[block].y)
    }

    /// What an arrow points to: a box, a cell, or the border behind the last cell.
    pub fn goal(&self, goal: Goal) -> Rect {
        let body = self.body(goal.block);
        match goal.cell {
            Some(cell) => self.cell(goal.block, cell),
            None if goal.past => Rect::new(body.right() - 1.0, body.y, 8.0, body.h),
            None => body,
        }
    }

    /// How many boxes, other than `except`, `points` run through.
    pub fn hits(&self, points: &[Point], except: &[usize]) -> usize {
        let mut hit = HashSet::new();
        for pair in points.windows(2) {
            let around = Rect::new(pair[0].x, pair[0].y, 0.0, 0.0).union(&Rect::new(pair[1].x, pair[1].y, 0.0, 0.0));
            for (owner, rect) in self.bodies.near(&around) {
                if !except.contains(&owner) && rect.grown(3.0).meets_segment(pair[0], pair[1]) {
                    hit.insert(owner);
                }
            }
        }
        hit.len()
    }

    /// The box closest to `from` that the line to `to` runs through.
    pub fn first_hit(&self, from: Point, to: Point, except: &[usize]) -> Option<usize> {
        let around = Rect::new(from.x, from.y, 0.0, 0.0).union(&Rect::new(to.x, to.y, 0.0, 0.0));
        let hit = self
            .bodies
            .near(&around)
            .filter(|(owner, rect)| !except.contains(owner) && rect.grown(3.0).meets_segment(from, to));
        hit.min_by(|a, b| a.1.center().distance(from).total_cmp(&b.1.center().distance(from))).map(|(owner, _)| owner)
    }

    /// How many boxes `rect` covers.
    pub fn covered(&self, rect: &Rect) -> usize {
        let owners = self.bodies.near(rect).filter(|(_, other)| other.overlaps(rect)).map(|(owner, _)| owner);
        owners.collect::<HashSet<_>>().len()
    }
}
