//! The lines that are tried for an arrow: straight, bent, around boxes.

use crate::geometry::{Curve, Index, Point, Rect};
use crate::roles::Role;
use crate::route::{Router, Side};

/// From the side of a box to the line that runs along it.
const SIDE: f64 = 10.0;
/// Distance between parallel lines.
const LANE: f64 = 8.0;

/// The level and upright pieces of the lines that are drawn already. A line
/// may cross others, but not run on top of one.
#[derive(Default)]
pub(crate) struct Lanes {
    level: Index,
    upright: Index,
}

impl Lanes {
    /// Adds the pieces of a line.
    pub fn add(&mut self, curve: &Curve) {
        for rect in lane_segments(curve) {
            let index = if is_level(&rect) { &mut self.level } else { &mut self.upright };
            index.add(0, rect);
        }
    }

    /// How many pieces of a line would run on top of others.
    pub fn shared(&self, curve: &Curve) -> usize {
        let index = |rect: &Rect| if is_level(rect) { &self.level } else { &self.upright };
        lane_segments(curve).filter(|rect| !index(rect).is_free(rect)).count()
    }
}

fn is_level(rect: &Rect) -> bool {
    rect.w > rect.h
}

/// Whether no piece of a line runs on top of another line.
fn is_open(points: &[Point], lanes: &Lanes) -> bool {
    lanes.shared(&Curve::Line(points.to_vec())) == 0
}

impl Router<'_> {
    /// Lines from `start` to `end` that leave and arrive at these sides.
    pub fn curves(&self, start: Point, exit: Side, end: Point, entry: Side, lanes: &Lanes) -> Vec<Curve> {
        use Side::{Bottom, Left, Right, Top};
        let ahead = |side: Side| (end.x - start.x) * side.out().0 + (end.y - start.y) * side.out().1;
        let mut curves = Vec::new();
        if self.edge.from == self.edge.to.block && self.edge.to.cell.is_none() {
            let level = exit.is_vertical() && exit == entry;
            return level.then(|| self.around(start, end, exit, lanes)).flatten().into_iter().collect();
        }
        if !exit.is_vertical() {
            curves.extend(self.riser(start, exit, end, entry, lanes));
            curves.extend(self.stairs(start, exit, end, entry));
        }
        match (exit, entry) {
            (Right, Left) | (Left, Right) if ahead(exit) > 12.0 && (start.y - end.y).abs() < 1.0 => {
                curves.push(Curve::Line(vec![start, end]));
            }
            (Bottom, Top) | (Top, Bottom) if ahead(exit) > 12.0 => {
                curves.extend(self.straight(start, end, lanes));
                curves.push(bent(start, exit, end, entry));
            }
            (Bottom, Bottom) | (Top, Top) => curves.extend(self.around(start, end, exit, lanes)),
            (Right, Left) if ahead(exit) < 12.0 => curves.extend(self.loop_back(start, end, lanes)),
            _ if ahead(exit) > -30.0 => curves.push(bent(start, exit, end, entry)),
            _ => {}
        }
        curves
    }

    /// A straight line; around the box in between, if there is one; a little
    /// to the side, if another line runs there already.
    fn straight(&self, start: Point, end: Point, lanes: &Lanes) -> Vec<Curve> {
        let mut lines = vec![vec![start, end]];
        if !is_open(&lines[0], lanes) {
            lines = vec![vec![start, end.shifted(14.0, 0.0)]];
        }
        if let Some(block) = self.scene.first_hit(start, end, &[self.edge.from, self.edge.to.block]) {
            let around = |by: f64, right: bool| {
                let body = self.scene.body(block).grown(by);
                let x = if right { body.right() } else { body.x };
                let (near, far) = if start.y < end.y { (body.y, body.bottom()) } else { (body.bottom(), body.y) };
                vec![start, Point::new(x, near), Point::new(x, far), end]
            };
            for right in [false, true] {
                let free = [SIDE, SIDE + LANE, SIDE + 2.0 * LANE]
                    .map(|by| around(by, right))
                    .into_iter()
                    .find(|points| is_open(points, lanes));
                lines.extend(free);
            }
        }
        lines.into_iter().map(Curve::Line).collect()
    }

    /// Out to the side, then up or down along the box, into the goal from
    /// below, from above or from the same side.
    fn riser(&self, start: Point, exit: Side, end: Point, entry: Side, lanes: &Lanes) -> Option<Curve> {
        let (body, goal) = (self.scene.body(self.edge.from), self.scene.goal(self.edge.to));
        let apart = end.y < body.y - 8.0 || end.y > body.bottom() + 8.0;
        let line = |lane: f64| {
            let x = match exit {
                Side::Right => body.right() + SIDE + lane,
                _ => body.x - SIDE - lane,
            };
            let fits = (goal.x + 5.0..goal.right() - 5.0).contains(&x);
            let beyond = if exit == Side::Right { x > goal.right() + 8.0 } else { x < goal.x - 8.0 };
            let corner = Point::new(x, start.y);
            match entry {
                Side::Bottom | Side::Top if fits && self.edge.to.cell.is_none() => {
                    Some(vec![start, corner, Point::new(x, end.y)])
                }
                side if side == exit && beyond => Some(vec![start, corner, Point::new(x, end.y), end]),
                _ => None,
            }
        };
        let facing = match entry {
            Side::Bottom => end.y < start.y,
            Side::Top => end.y > start.y,
            _ => true,
        };
        let mut lines = (0..3).filter_map(|lane| line(LANE * f64::from(lane)));
        if apart && facing { lines.find(|points| is_open(points, lanes)).map(Curve::Line) } else { None }
    }

    /// Out to the side, to the gap between two layers, along it, and into the
    /// goal from below or above, next to whatever stands in between.
    fn stairs(&self, start: Point, exit: Side, end: Point, entry: Side) -> Vec<Curve> {
        let (body, goal) = (self.scene.body(self.edge.from), self.scene.goal(self.edge.to));
        let x = if exit == Side::Right { body.right() + SIDE } else { body.x - SIDE };
        let level = match entry {
            Side::Bottom if end.y < body.y - 24.0 => body.y - 14.0,
            Side::Top if end.y > body.bottom() + 24.0 => body.bottom() + 14.0,
            _ => return Vec::new(),
        };
        let range = (goal.x + 8.0, goal.right() - 8.0);
        // Lists are entered at the start of the box, trees where the way is shortest.
        let straight = match self.edge.role {
            Role::Next | Role::Other => (goal.x + 14.0).min(goal.center().x),
            _ => x.clamp(range.0, range.1.max(range.0)),
        };
        let mut columns = vec![straight];
        let except = [self.edge.from, self.edge.to.block];
        if let Some(block) = self.scene.first_hit(Point::new(straight, level), Point::new(straight, end.y), &except) {
            for lane in 0..3 {
                let between = self.scene.body(block).grown(8.0 + LANE * f64::from(lane));
                columns.extend([between.x, between.right()].into_iter().filter(|x| (range.0..range.1).contains(x)));
            }
        }
        let line = |column: f64| {
            let corners = [Point::new(x, start.y), Point::new(x, level), Point::new(column, level)];
            Curve::Line(vec![start, corners[0], corners[1], corners[2], Point::new(column, end.y)])
        };
        columns.into_iter().map(line).collect()
    }

    /// Down (or up), along, and back: a line in the first free lane below (or above) both boxes.
    fn around(&self, start: Point, end: Point, side: Side, lanes: &Lanes) -> Option<Curve> {
        let (from, to) = (self.scene.body(self.edge.from), self.scene.body(self.edge.to.block));
        let sign = side.out().1;
        let base = if sign > 0.0 { from.bottom().max(to.bottom()) } else { from.y.min(to.y) };
        let end = match self.edge.from == self.edge.to.block {
            true => Point::new(if start.x > from.center().x { from.x + 14.0 } else { from.right() - 14.0 }, end.y),
            false => end,
        };
        let line = |depth: f64| {
            let y = base + sign * depth;
            vec![start, Point::new(start.x, y), Point::new(end.x, y), end]
        };
        let free = (0..8).map(|lane| line(18.0 + LANE * f64::from(lane))).find(|points| is_open(points, lanes));
        Some(Curve::Line(free.unwrap_or_else(|| line(18.0))))
    }

    /// Out to the right, around, and in from the left: from the end of a line
    /// to the start of the next, or from the end of a circle to its start.
    fn loop_back(&self, start: Point, end: Point, lanes: &Lanes) -> Option<Curve> {
        let (from, to) = (self.scene.body(self.edge.from), self.scene.body(self.edge.to.block));
        let right = from.right() + 16.0;
        let left = end.x - 18.0;
        let below = to.y > from.bottom() + 30.0;
        let line = |lane: f64| {
            let y = if below { to.y - 18.0 - lane } else { from.bottom().max(to.bottom()) + 18.0 + lane };
            vec![
                start,
                Point::new(right, start.y),
                Point::new(right, y),
                Point::new(left, y),
                Point::new(left, end.y),
                end,
            ]
        };
        let free = (0..8).map(|lane| line(LANE * f64::from(lane))).find(|points| is_open(points, lanes));
        Some(Curve::Line(free.unwrap_or_else(|| line(0.0))))
    }
}

/// A curve that leaves and arrives straight.
fn bent(start: Point, exit: Side, end: Point, entry: Side) -> Curve {
    let distance = start.distance(end);
    let reach = |side: Side| {
        let along = if side.is_vertical() { (end.y - start.y).abs() } else { (end.x - start.x).abs() };
        (along * 0.55).clamp((distance * 0.2).clamp(16.0, 40.0), 120.0)
    };
    let (a, b) = (exit.out(), entry.out());
    let (ra, rb) = (reach(exit), reach(entry));
    Curve::Cubic([start, start.shifted(a.0 * ra, a.1 * ra), end.shifted(b.0 * rb, b.1 * rb), end])
}

/// The long level and upright pieces of a line, as thin rectangles that no other line should share.
fn lane_segments(curve: &Curve) -> impl Iterator<Item = Rect> {
    let pairs: Vec<[Point; 2]> = match curve {
        Curve::Line(points) => points.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
        Curve::Cubic(_) => Vec::new(),
    };
    let long =
        |[a, b]: &[Point; 2]| (a.y == b.y && (a.x - b.x).abs() > 20.0) || (a.x == b.x && (a.y - b.y).abs() > 20.0);
    pairs.into_iter().filter(long).map(|[a, b]| {
        let (w, h) = ((a.x - b.x).abs(), (a.y - b.y).abs());
        // Shorter than the piece, so that lines may meet at their ends.
        let (dx, dy) = if w > h { (-2.0, LANE / 2.0 - 0.5) } else { (LANE / 2.0 - 0.5, -2.0) };
        Rect::new(a.x.min(b.x) - dx, a.y.min(b.y) - dy, w + 2.0 * dx, h + 2.0 * dy)
    })
}
