//! Points, rectangles, curves, and an index that finds rectangles by place.

use std::collections::HashMap;

/// A point; `y` grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Distance from the left.
    pub x: f64,
    /// Distance from the top.
    pub y: f64,
}

impl Point {
    /// The point at `x`, `y`.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// This point moved by `dx`, `dy`.
    pub fn shifted(self, dx: f64, dy: f64) -> Point {
        Point::new(self.x + dx, self.y + dy)
    }

    /// The distance to `other`.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    pub(crate) fn towards(self, other: Point, part: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left side.
    pub x: f64,
    /// Upper side.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// The rectangle with its upper left corner at `x`, `y`.
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// The right side.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The middle.
    pub fn center(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The same rectangle moved by `dx`, `dy`.
    pub fn shifted(&self, dx: f64, dy: f64) -> Rect {
        Rect { x: self.x + dx, y: self.y + dy, ..*self }
    }

    /// The rectangle grown by `by` on every side.
    pub fn grown(&self, by: f64) -> Rect {
        Rect::new(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)
    }

    /// Whether the insides of the two meet.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether `point` is inside or on the border.
    pub fn contains(&self, point: Point) -> bool {
        (self.x..=self.right()).contains(&point.x) && (self.y..=self.bottom()).contains(&point.y)
    }

    /// The smallest rectangle around both.
    pub fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }

    /// Whether the segment from `a` to `b` meets the rectangle (Liang and Barsky's clipping).
    pub(crate) fn meets_segment(&self, a: Point, b: Point) -> bool {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (p, q) in [(-dx, a.x - self.x), (dx, self.right() - a.x), (-dy, a.y - self.y), (dy, self.bottom() - a.y)] {
            match p {
                0.0 if q < 0.0 => return false,
                0.0 => {}
                p if p < 0.0 => from = from.max(q / p),
                p => to = to.min(q / p),
            }
        }
        from <= to
    }
}

/// The line of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// Straight pieces with rounded corners.
    Line(Vec<Point>),
    /// A cubic Bézier curve.
    Cubic([Point; 4]),
}

impl Curve {
    /// The curve as straight pieces, precise enough to test what it meets.
    pub(crate) fn flat(&self) -> Vec<Point> {
        match self {
            Curve::Line(points) => points.clone(),
            Curve::Cubic(p) => (0..=16).map(|i| bezier(p, f64::from(i) / 16.0)).collect(),
        }
    }

    /// Its last point.
    pub(crate) fn end(&self) -> Point {
        match self {
            Curve::Line(points) => points.last().copied().unwrap_or_default(),
            Curve::Cubic(p) => p[3],
        }
    }

    /// The direction in which it ends, in radians.
    pub(crate) fn end_angle(&self) -> f64 {
        let end = self.end();
        let from = match self {
            Curve::Line(points) => points.iter().rev().copied().find(|p| p.distance(end) > 0.5),
            Curve::Cubic(p) => p[..3].iter().rev().copied().find(|p| p.distance(end) > 0.5),
        };
        from.map_or(0.0, |from| (end.y - from.y).atan2(end.x - from.x))
    }

    /// The curve without its last `by` pixels, to leave room for the arrow head.
    pub(crate) fn shortened(&self, by: f64) -> Curve {
        let angle = self.end_angle();
        let end = self.end().shifted(-by * angle.cos(), -by * angle.sin());
        let mut curve = self.clone();
        match &mut curve {
            Curve::Line(points) => points.iter_mut().last().into_iter().for_each(|p| *p = end),
            Curve::Cubic(points) => points[3] = end,
        }
        curve
    }
}

fn bezier(p: &[Point; 4], t: f64) -> Point {
    let (a, b, c) = (p[0].towards(p[1], t), p[1].towards(p[2], t), p[2].towards(p[3], t));
    a.towards(b, t).towards(b.towards(c, t), t)
}

/// The sum of the lengths of straight pieces.
pub(crate) fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Whether the segments `a` and `b` cross.
pub(crate) fn cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let side = |p: Point, q: Point, r: Point| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    let (p, q) = (side(b[0], b[1], a[0]), side(b[0], b[1], a[1]));
    let (r, s) = (side(a[0], a[1], b[0]), side(a[0], a[1], b[1]));
    p * q < 0.0 && r * s < 0.0
}

/// Rectangles by place, so that a search looks only at those nearby.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    squares: HashMap<(i32, i32), Vec<u32>>,
    rects: Vec<(usize, Rect)>,
}

impl Index {
    const SQUARE: f64 = 128.0;

    /// The squares that `rect` touches. A rectangle of absurd size is cut off
    /// rather than spread over millions of squares.
    fn squares(rect: &Rect) -> impl Iterator<Item = (i32, i32)> + use<> {
        let at = |v: f64| (v / Index::SQUARE).floor() as i32;
        let (x0, y0) = (at(rect.x), at(rect.y));
        let (x1, y1) = (at(rect.right()).min(x0 + 256), at(rect.bottom()).min(y0 + 256));
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| (x, y)))
    }

    /// Adds a rectangle with its owner.
    pub fn add(&mut self, owner: usize, rect: Rect) {
        let number = self.rects.len() as u32;
        self.rects.push((owner, rect));
        Index::squares(&rect).for_each(|square| self.squares.entry(square).or_default().push(number));
    }

    /// Owners and rectangles that may meet `rect`; some are told twice.
    pub fn near<'a>(&'a self, rect: &Rect) -> impl Iterator<Item = (usize, &'a Rect)> {
        Index::squares(rect)
            .filter_map(|square| self.squares.get(&square))
            .flatten()
            .map(|&number| (self.rects[number as usize].0, &self.rects[number as usize].1))
    }

    /// Whether nothing overlaps `rect`.
    pub fn is_free(&self, rect: &Rect) -> bool {
        self.near(rect).all(|(_, other)| !other.overlaps(rect))
    }
}
