//! Lines of arrows.
//!
//! For every arrow a handful of lines is tried: straight, curved, or around,
//! leaving and arriving at different sides. The cheapest wins; running
//! through a box costs much more than a detour.

use std::collections::HashSet;

use crate::geometry::{Curve, Index, Point, Rect, length};
use crate::graph::{Edge, Goal, Graph};
use crate::roles::Role;
use crate::shape::Shape;

/// Price of running through a box.
const HIT: f64 = 400.0;
/// Distance between parallel lines.
const LANE: f64 = 9.0;

/// The boxes in their places.
pub(crate) struct Scene<'a> {
    pub graph: &'a Graph,
    pub shapes: &'a [Shape],
    pub rects: &'a [Rect],
    bodies: Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

const SIDES: [Side; 4] = [Side::Right, Side::Bottom, Side::Top, Side::Left];

impl Side {
    /// The direction away from the box.
    fn out(self) -> (f64, f64) {
        match self {
            Side::Left => (-1.0, 0.0),
            Side::Right => (1.0, 0.0),
            Side::Top => (0.0, -1.0),
            Side::Bottom => (0.0, 1.0),
        }
    }

    fn is_vertical(self) -> bool {
        matches!(self, Side::Top | Side::Bottom)
    }
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

    /// How many boxes `rect` covers.
    pub fn covered(&self, rect: &Rect) -> usize {
        let owners = self.bodies.near(rect).filter(|(_, other)| other.overlaps(rect)).map(|(owner, _)| owner);
        owners.collect::<HashSet<_>>().len()
    }
}

/// The line of every arrow, in the order of the graph's edges.
pub(crate) fn route(scene: &Scene) -> Vec<Curve> {
    let edges = &scene.graph.edges;
    let span = |edge: &Edge| scene.dot(edge.from, edge.cell).distance(scene.goal(edge.to).center());
    let mut order: Vec<(f64, usize)> = edges.iter().enumerate().map(|(number, edge)| (span(edge), number)).collect();
    // Short arcs first: long ones then go around them.
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut curves = vec![Curve::Line(Vec::new()); edges.len()];
    let mut lanes = Index::default();
    for (_, number) in order {
        curves[number] = Router { scene, edge: &edges[number] }.best(&mut lanes);
    }
    curves
}

struct Router<'a> {
    scene: &'a Scene<'a>,
    edge: &'a Edge,
}

impl Router<'_> {
    fn best(&self, lanes: &mut Index) -> Curve {
        let start = self.scene.dot(self.edge.from, self.edge.cell);
        let mut best: Option<(f64, Curve)> = None;
        for exit in self.exits() {
            for entry in SIDES {
                let Some(end) = self.entry(start, entry) else { continue };
                let bias = self.bias(exit, entry);
                if best.as_ref().is_some_and(|(cost, _)| *cost <= bias + start.distance(end)) {
                    continue;
                }
                for curve in self.curves(start, exit, end, entry, lanes) {
                    let cost = bias + self.cost(&curve);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, curve));
                    }
                }
            }
        }
        let curve = best.map_or_else(|| Curve::Line(vec![start, self.scene.goal(self.edge.to).center()]), |(_, c)| c);
        lane_segments(&curve).for_each(|rect| lanes.add(0, rect));
        curve
    }

    /// The sides of the box on which its cell lies. A row leaves to the right or the left only.
    fn exits(&self) -> Vec<Side> {
        let (body, cell) = (self.scene.body(self.edge.from), self.scene.cell(self.edge.from, self.edge.cell));
        let touches = |side: &Side| match side {
            Side::Left => cell.x - body.x < 1.0,
            Side::Right => body.right() - cell.right() < 1.0,
            Side::Top => cell.y - body.y < 1.0,
            Side::Bottom => body.bottom() - cell.bottom() < 1.0,
        };
        let sides: Vec<Side> = SIDES.into_iter().filter(touches).collect();
        match sides.is_empty() {
            // The parent slot of a tree node has the title above it.
            true if self.edge.role == Role::Parent => vec![Side::Top],
            true => SIDES.to_vec(),
            false if self.edge.role == Role::Parent => [sides, vec![Side::Top]].concat(),
            false => sides,
        }
    }

    /// Where an arrow from `start` would arrive on this side of its goal.
    fn entry(&self, start: Point, side: Side) -> Option<Point> {
        let Goal { block, cell, past } = self.edge.to;
        let (goal, body) = (self.scene.goal(self.edge.to), self.scene.body(block));
        if past && side == Side::Left {
            return None;
        }
        let along = |at: f64, from: f64, to: f64| {
            let inset = 10.0f64.min((to - from) / 4.0);
            let middle = (from + to) / 2.0;
            match () {
                _ if cell.is_some() || past => middle,
                _ if self.edge.role == Role::Child && side == Side::Top => middle,
                _ if at < from => from + 2.0 * inset,
                _ if at > to => to - 2.0 * inset,
                _ => at.clamp(from + inset, to - inset),
            }
        };
        let point = match side {
            Side::Left => Point::new(goal.x, level(start.y, &goal)),
            Side::Right => Point::new(goal.right(), level(start.y, &goal)),
            Side::Top => Point::new(along(start.x, goal.x, goal.right()), goal.y),
            Side::Bottom => Point::new(along(start.x, goal.x, goal.right()), goal.bottom()),
        };
        // A cell can be reached from outside of its box only.
        let is_border = [point.x - body.x, body.right() - point.x, point.y - body.y, body.bottom() - point.y]
            .iter()
            .any(|distance| distance.abs() < 1.0);
        (cell.is_none() || is_border || past).then_some(point)
    }

    /// What the direction costs: lists run to the right, back pointers below, children down, parents up.
    fn bias(&self, exit: Side, entry: Side) -> f64 {
        use Side::{Bottom, Left, Right, Top};
        let role = self.edge.role;
        let leaving = match (role, exit) {
            (Role::Prev | Role::Child, Bottom) | (Role::Parent, Top) | (Role::Next | Role::Other, Right) => 0.0,
            (Role::Next | Role::Other, Bottom) => 10.0,
            (Role::Next | Role::Other, Top) => 25.0,
            (Role::Child, Left | Right) => 25.0,
            _ => 60.0,
        };
        let arriving = match (role, entry) {
            (Role::Next | Role::Other, Left) | (Role::Prev | Role::Parent, Bottom) | (Role::Child, Top) => 0.0,
            (Role::Next | Role::Other, Top | Bottom) | (Role::Parent, Right | Left) => 30.0,
            _ => 60.0,
        };
        leaving + arriving
    }

    fn curves(&self, start: Point, exit: Side, end: Point, entry: Side, lanes: &Index) -> Vec<Curve> {
        use Side::{Bottom, Left, Right, Top};
        let ahead = |side: Side| (end.x - start.x) * side.out().0 + (end.y - start.y) * side.out().1;
        let mut curves = Vec::new();
        match (exit, entry) {
            (Right, Left) | (Left, Right) if ahead(exit) > 12.0 && (start.y - end.y).abs() < 1.0 => {
                curves.push(Curve::Line(vec![start, end]));
            }
            (Bottom, Top) | (Top, Bottom) if ahead(exit) > 12.0 => {
                curves.push(Curve::Line(vec![start, end]));
                curves.push(bent(start, exit, end, entry));
            }
            (Bottom, Bottom) | (Top, Top) => curves.extend(self.around(start, end, exit, lanes)),
            (Right, Left) if ahead(exit) < 12.0 => curves.extend(self.loop_back(start, end, lanes)),
            _ if ahead(exit) > -30.0 => curves.push(bent(start, exit, end, entry)),
            _ => {}
        }
        curves
    }

    /// Down (or up), along, and back: a line in the first free lane below (or above) both boxes.
    fn around(&self, start: Point, end: Point, side: Side, lanes: &Index) -> Option<Curve> {
        let (from, to) = (self.scene.body(self.edge.from), self.scene.body(self.edge.to.block));
        let sign = side.out().1;
        let base = if sign > 0.0 { from.bottom().max(to.bottom()) } else { from.y.min(to.y) };
        let end = match self.edge.from == self.edge.to.block {
            true => Point::new(if start.x > from.center().x { start.x - 26.0 } else { start.x + 26.0 }, end.y),
            false => end,
        };
        let line = |depth: f64| {
            let y = base + sign * depth;
            vec![start, Point::new(start.x, y), Point::new(end.x, y), end]
        };
        let free = (0..8).map(|lane| line(18.0 + LANE * f64::from(lane))).find(|points| {
            lane_segments(&Curve::Line(points.clone())).all(|rect| lanes.is_free(&rect))
        });
        Some(Curve::Line(free.unwrap_or_else(|| line(18.0))))
    }

    /// Out to the right, around, and in from the left: from the end of a line
    /// to the start of the next, or from the end of a circle to its start.
    fn loop_back(&self, start: Point, end: Point, lanes: &Index) -> Option<Curve> {
        let (from, to) = (self.scene.body(self.edge.from), self.scene.body(self.edge.to.block));
        let right = from.right() + 16.0;
        let left = end.x - 18.0;
        let below = to.y > from.bottom() + 30.0;
        let line = |lane: f64| {
            let y = if below { to.y - 18.0 - lane } else { from.bottom().max(to.bottom()) + 18.0 + lane };
            vec![start, Point::new(right, start.y), Point::new(right, y), Point::new(left, y), Point::new(left, end.y), end]
        };
        let free = (0..8).map(|lane| line(LANE * f64::from(lane))).find(|points| {
            lane_segments(&Curve::Line(points.clone())).all(|rect| lanes.is_free(&rect))
        });
        Some(Curve::Line(free.unwrap_or_else(|| line(0.0))))
    }

    fn cost(&self, curve: &Curve) -> f64 {
        let flat = curve.flat();
        let Edge { from, cell, to, .. } = *self.edge;
        let corners = match curve {
            Curve::Line(points) => points.len().saturating_sub(2) as f64 * 6.0,
            Curve::Cubic(_) => 4.0,
        };
        let own = self.scene.body(from).grown(-1.0);
        let slot = self.scene.cell(from, cell).grown(1.0);
        let through_own = samples(&flat).any(|p| own.contains(p) && !slot.contains(p) && self.edge.role != Role::Parent);
        let target = self.scene.body(to.block).grown(-2.0);
        let through_target = from != to.block && to.cell.is_none() && samples(&flat).any(|p| target.contains(p));
        let hits = self.scene.hits(&flat, &[from, to.block]);
        length(&flat) + corners + HIT * hits as f64 + HIT * f64::from(u8::from(through_own) + u8::from(through_target))
    }
}

/// The height at which an arrow from height `y` arrives at a side: straight ahead if it can.
fn level(y: f64, goal: &Rect) -> f64 {
    if y > goal.y + 5.0 && y < goal.bottom() - 5.0 { y } else { goal.center().y }
}

/// Points along a line, close enough to each other not to miss a cell.
fn samples(points: &[Point]) -> impl Iterator<Item = Point> {
    points.windows(2).flat_map(|pair| {
        let steps = (pair[0].distance(pair[1]) / 10.0).ceil().clamp(1.0, 40.0);
        (0..steps as usize).map(move |i| pair[0].towards(pair[1], i as f64 / steps))
    })
}

/// A curve that leaves and arrives straight.
fn bent(start: Point, exit: Side, end: Point, entry: Side) -> Curve {
    let distance = start.distance(end);
    let reach = |side: Side| {
        let along = if side.is_vertical() { (end.y - start.y).abs() } else { (end.x - start.x).abs() };
        (along * 0.55).clamp((distance * 0.2).min(40.0).max(16.0), 120.0)
    };
    let (a, b) = (exit.out(), entry.out());
    let (ra, rb) = (reach(exit), reach(entry));
    Curve::Cubic([start, start.shifted(a.0 * ra, a.1 * ra), end.shifted(b.0 * rb, b.1 * rb), end])
}

/// The long level pieces of a line, as thin rectangles that no other line should share.
fn lane_segments(curve: &Curve) -> impl Iterator<Item = Rect> {
    let points = match curve {
        Curve::Line(points) if points.len() > 2 => points.clone(),
        _ => Vec::new(),
    };
    let pairs: Vec<(Point, Point)> = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.into_iter().filter(|(a, b)| a.y == b.y && (a.x - b.x).abs() > 20.0).map(|(a, b)| {
        Rect::new(a.x.min(b.x) + 2.0, a.y - LANE / 2.0 + 0.5, (a.x - b.x).abs() - 4.0, LANE - 1.0)
    })
}
