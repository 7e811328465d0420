//! Lines of arrows.
//!
//! For every arrow a handful of lines is tried: straight, curved, or around,
//! leaving and arriving at different sides. The cheapest wins; running
//! through a box costs much more than a detour.

use crate::geometry::{Curve, Point, Rect, length};
use crate::graph::{Edge, Goal};
use crate::lines::Lanes;
use crate::roles::Role;
use crate::scene::Scene;

/// Price of running through a box.
const HIT: f64 = 400.0;
/// Price of running on top of another line.
const SHARED: f64 = 60.0;
/// From here on a box is no neighbour any more.
const FAR: f64 = 190.0;

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
    pub fn out(self) -> (f64, f64) {
        match self {
            Side::Left => (-1.0, 0.0),
            Side::Right => (1.0, 0.0),
            Side::Top => (0.0, -1.0),
            Side::Bottom => (0.0, 1.0),
        }
    }

    pub fn is_vertical(self) -> bool {
        matches!(self, Side::Top | Side::Bottom)
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
    let mut lanes = Lanes::default();
    for (_, number) in order {
        curves[number] = Router { scene, edge: &edges[number] }.best(&mut lanes);
    }
    curves
}

/// Finds the line of one arrow.
pub(crate) struct Router<'a> {
    pub scene: &'a Scene<'a>,
    pub edge: &'a Edge,
}

impl Router<'_> {
    fn best(&self, lanes: &mut Lanes) -> Curve {
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
                    let cost = bias + self.cost(&curve, lanes);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, curve));
                    }
                }
            }
        }
        let curve = best.map_or_else(|| Curve::Line(vec![start, self.scene.goal(self.edge.to).center()]), |(_, c)| c);
        lanes.add(&curve);
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
        if sides.is_empty() { SIDES.to_vec() } else { sides }
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
                // From far away to the start of the box, from its neighbour to the corner: the
                // middle is where its own arrows leave.
                _ if at < from || at > to + FAR => from + 1.4 * inset,
                _ if at > to => to - 0.8 * inset,
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
            (Role::Prev | Role::Child, Bottom) | (Role::Parent, Top | Right) | (Role::Next | Role::Other, Right) => 0.0,
            (Role::Next | Role::Other, Bottom) => 10.0,
            // It would strike out the name of its cell.
            (Role::Next | Role::Other, Top) => 50.0,
            (Role::Child, Left | Right) => 25.0,
            _ => 60.0,
        };
        let arriving = match (role, entry) {
            (Role::Next | Role::Other, Left) | (Role::Prev | Role::Parent, Bottom) | (Role::Child, Top) => 0.0,
            (Role::Next | Role::Other, Top | Bottom) | (Role::Parent, Right | Left) | (Role::Child, Bottom) => 30.0,
            _ => 60.0,
        };
        leaving + arriving
    }

    fn cost(&self, curve: &Curve, lanes: &Lanes) -> f64 {
        let flat = curve.flat();
        let Edge { from, cell, to, .. } = *self.edge;
        let corners = match curve {
            Curve::Line(points) => points.len().saturating_sub(2) as f64 * 6.0,
            Curve::Cubic(_) => 4.0,
        };
        let own = self.scene.body(from).grown(-1.0);
        let slot = self.scene.cell(from, cell).grown(1.0);
        let through_own = samples(&flat).any(|p| own.contains(p) && !slot.contains(p));
        let target = self.scene.body(to.block).grown(-2.0);
        let through_target = from != to.block && to.cell.is_none() && samples(&flat).any(|p| target.contains(p));
        let hits = self.scene.hits(&flat, &[from, to.block]);
        let shared = lanes.shared(curve) as f64;
        length(&flat)
            + corners
            + SHARED * shared
            + HIT * hits as f64
            + HIT * f64::from(u8::from(through_own) + u8::from(through_target))
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
