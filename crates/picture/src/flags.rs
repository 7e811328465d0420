//! Where the names of pointer variables stand: around the box they point to,
//! on the side where they cover least.
//!
//! Several names above one box form a staircase, each with its own pole:
//!
//! ```text
//!  | head
//!  | | curr
//!  v v
//! +---------+
//! ```

use std::collections::BTreeMap;

use crate::geometry::{Curve, Index, Point, Rect, cross};
use crate::scene::Scene;
use crate::shape::title_width;

/// The height of a name, and from one name of a staircase to the next.
const HEIGHT: f64 = 18.0;
const STAIR: f64 = 21.0;
/// From one pole to the next.
const POLE: f64 = 14.0;
/// From the lowest name to the box.
const LIFT: f64 = 18.0;

/// A name with its arrow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    pub rect: Rect,
    pub pole: [Point; 2],
}

#[derive(Clone, Copy, Debug)]
enum Spot {
    Above { mirrored: bool },
    Left,
    Below { mirrored: bool },
    Right,
}

const SPOTS: [Spot; 6] = [
    Spot::Above { mirrored: false },
    Spot::Above { mirrored: true },
    Spot::Left,
    Spot::Below { mirrored: false },
    Spot::Below { mirrored: true },
    Spot::Right,
];

/// Places all names, in the order of the graph's flags.
pub(crate) fn place(scene: &Scene, curves: &[Curve]) -> Vec<Placed> {
    let mut lines = Index::default();
    let flat: Vec<Vec<Point>> = curves.iter().map(Curve::flat).collect();
    flat.iter().enumerate().for_each(|(number, points)| lines.add(number, around(points)));
    let mut stage = Stage { scene, flat, lines, names: Vec::new() };
    let mut placed = vec![Placed::default(); scene.graph.flags.len()];
    let mut by_goal: BTreeMap<(usize, Option<usize>, bool), Vec<usize>> = BTreeMap::new();
    for (number, flag) in scene.graph.flags.iter().enumerate() {
        by_goal.entry((flag.to.block, flag.to.cell, flag.to.past)).or_default().push(number);
    }
    for flags in by_goal.values() {
        for (number, flag) in flags.iter().zip(stage.best(flags)) {
            stage.names.push(flag.clone());
            placed[*number] = flag;
        }
    }
    placed
}

fn around(points: &[Point]) -> Rect {
    let rects = points.iter().map(|p| Rect::new(p.x, p.y, 0.0, 0.0));
    rects.reduce(|a, b| a.union(&b)).unwrap_or_default()
}

struct Stage<'a> {
    scene: &'a Scene<'a>,
    flat: Vec<Vec<Point>>,
    lines: Index,
    names: Vec<Placed>,
}

impl Stage<'_> {
    fn best(&self, flags: &[usize]) -> Vec<Placed> {
        let candidates = SPOTS.iter().enumerate().map(|(rank, &spot)| (rank, self.arrange(flags, spot)));
        let cost = |(rank, placed): &(usize, Vec<Placed>)| {
            *rank as f64 * 12.0 + placed.iter().map(|flag| self.cost(flag)).sum::<f64>()
        };
        let best = candidates.map(|c| (cost(&c), c.1)).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, placed)| placed).unwrap_or_default()
    }

    /// The names of `flags` at one spot around what they point to.
    fn arrange(&self, flags: &[usize], spot: Spot) -> Vec<Placed> {
        let to = self.scene.graph.flags[flags[0]].to;
        let (goal, body) = (self.scene.goal(to), self.scene.body(to.block));
        let count = flags.len();
        let pole_gap =
            if to.cell.is_some() || to.past { 8.0 } else { POLE.min((goal.w - 24.0) / count as f64).max(2.0) };
        let first = match to.cell.is_some() || to.past {
            true => (goal.w - pole_gap * (count as f64 - 1.0)) / 2.0,
            false => 14.0f64.min(goal.w / 3.0),
        };
        let place = |(i, &number): (usize, &usize)| {
            let w = title_width(&self.scene.graph.flags[number].name) + 14.0;
            let (up, offset) = ((count - 1 - i) as f64 * STAIR, first + pole_gap * i as f64);
            let x = |mirrored: bool| if mirrored { goal.right() - offset } else { goal.x + offset };
            let left = |mirrored: bool| if mirrored { x(mirrored) + 8.0 - w } else { x(mirrored) - 8.0 };
            let middle = goal.center().y + (i as f64 - (count as f64 - 1.0) / 2.0) * STAIR;
            let arrival = middle.clamp(goal.y + 4.0, goal.bottom() - 4.0);
            match spot {
                Spot::Above { mirrored } => {
                    let rect = Rect::new(left(mirrored), goal.y - LIFT - HEIGHT - up, w, HEIGHT);
                    Placed { rect, pole: [Point::new(x(mirrored), rect.bottom()), Point::new(x(mirrored), goal.y)] }
                }
                Spot::Below { mirrored } => {
                    let rect = Rect::new(left(mirrored), goal.bottom() + LIFT + up, w, HEIGHT);
                    Placed { rect, pole: [Point::new(x(mirrored), rect.y), Point::new(x(mirrored), goal.bottom())] }
                }
                Spot::Left => {
                    let rect = Rect::new(body.x - 20.0 - w, middle - HEIGHT / 2.0, w, HEIGHT);
                    Placed { rect, pole: [Point::new(rect.right(), middle), Point::new(body.x, arrival)] }
                }
                Spot::Right => {
                    let rect = Rect::new(body.right() + 20.0, middle - HEIGHT / 2.0, w, HEIGHT);
                    Placed { rect, pole: [Point::new(rect.x, middle), Point::new(body.right(), arrival)] }
                }
            }
        };
        flags.iter().enumerate().map(place).collect()
    }

    /// What a name here would cover or cross.
    fn cost(&self, flag: &Placed) -> f64 {
        let room = flag.rect.grown(3.0);
        let short = [flag.pole[0], flag.pole[0].towards(flag.pole[1], 0.9)];
        let pole = around(&short);
        let boxes = self.scene.covered(&room) + self.scene.hits(&short, &[]).saturating_sub(1);
        let names = self.names.iter().filter(|other| {
            other.rect.overlaps(&room)
                || other.rect.meets_segment(short[0], short[1])
                || room.meets_segment(other.pole[0], other.pole[1])
        });
        let mut lines = 0.0f64;
        let mut seen = Vec::new();
        for (number, _) in self.lines.near(&room.union(&pole)) {
            if seen.contains(&number) {
                continue;
            }
            seen.push(number);
            for pair in self.flat[number].windows(2) {
                lines += if room.meets_segment(pair[0], pair[1]) { 40.0 } else { 0.0 };
                lines += if cross([pair[0], pair[1]], short) { 20.0 } else { 0.0 };
            }
        }
        boxes as f64 * 400.0 + names.count() as f64 * 300.0 + lines.min(250.0)
    }
}
