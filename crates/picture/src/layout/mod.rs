//! Places for boxes.
//!
//! A box that had a place in an earlier picture keeps it. New boxes are first
//! arranged in [groups](group) as a textbook would draw them (lists in rows,
//! trees in layers, tables with rows at their right); then each group is put
//! as a whole on a free place near what it is linked with.
//!
//! One exception: a node that was *loose* (freshly allocated, nothing but
//! variables pointing to it) could not be placed well yet. It may move once,
//! when it is first linked with other nodes.

mod group;
mod pins;
mod tree;

pub(crate) use pins::Pin;
pub use pins::Positions;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use memory::Object;

use crate::cells::Kind;
use crate::geometry::{Index, Point, Rect};
use crate::graph::{Edge, Graph, Standing};
use crate::roles::Role;
use crate::shape::Shape;
use group::{Arranger, Group, NEXT_GAP, SIDE_GAP};
use tree::LAYER_GAP;

/// Free space that is kept around every box.
const CLEAR: f64 = 12.0;
/// From one list to the next, with room for variables above it.
const ROW_GAP: f64 = 64.0;
/// Where a row of single boxes ends.
const ROW_END: f64 = 1300.0;

/// Where the boxes are, and which of them are linked with others.
pub(crate) struct Layout {
    pub rects: Vec<Rect>,
    pub settled: Vec<bool>,
}

/// Finds a place for every box.
pub(crate) fn place(graph: &Graph, shapes: &[Shape], previous: Option<&Positions>) -> Layout {
    let mut placer = Placer {
        graph,
        shapes,
        links: Links::new(graph),
        index: Index::default(),
        rects: vec![None; graph.blocks.len()],
        bounds: None,
        alike: HashMap::new(),
    };
    let movable = previous.map(|previous| placer.pin(previous)).unwrap_or_default();
    placer.resettle(&movable);
    placer.place_groups();
    let settled = (0..graph.blocks.len()).map(|block| placer.links.is_linked(graph, block)).collect();
    Layout { rects: placer.rects.into_iter().map(Option::unwrap_or_default).collect(), settled }
}

/// The arrows that leave and reach each box.
pub(crate) struct Links {
    pub out: Vec<Vec<usize>>,
    pub into: Vec<Vec<usize>>,
}

impl Links {
    pub fn new(graph: &Graph) -> Links {
        let mut links = Links { out: vec![Vec::new(); graph.blocks.len()], into: vec![Vec::new(); graph.blocks.len()] };
        for (number, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| edge.from != edge.to.block) {
            links.out[edge.from].push(number);
            links.into[edge.to.block].push(number);
        }
        links
    }

    /// Where the structure of `block` starts: an open box that leads to it and
    /// that no other leads to; in a circle, `block` itself.
    pub fn first_of(&self, graph: &Graph, block: usize, is_open: impl Fn(usize) -> bool) -> usize {
        let is_lost = |b: usize| graph.blocks[b].standing == Standing::Unreachable;
        let (mut seen, mut queue) = (HashSet::from([block]), VecDeque::from([block]));
        while let Some(at) = queue.pop_front() {
            let edges = self.into[at].iter().map(|&e| &graph.edges[e]);
            let leads = |e: &&Edge| !e.role.is_back() && is_open(e.from) && is_lost(e.from) == is_lost(block);
            let mut before = edges.filter(leads).peekable();
            if before.peek().is_none() {
                return at;
            }
            queue.extend(before.map(|edge| edge.from).filter(|&from| seen.insert(from)));
        }
        block
    }

    /// Whether a box is part of a structure. A variable that merely points to
    /// a node does not make it one.
    fn is_linked(&self, graph: &Graph, block: usize) -> bool {
        let is_part = |other: usize| graph.blocks[other].kind != Kind::Plain;
        !matches!(graph.blocks[block].object, Object::Node(_))
            || self.into[block].iter().any(|&e| is_part(graph.edges[e].from))
            || self.out[block].iter().any(|&e| is_part(graph.edges[e].to.block))
    }
}

struct Placer<'a> {
    graph: &'a Graph,
    shapes: &'a [Shape],
    links: Links,
    index: Index,
    rects: Vec<Option<Rect>>,
    bounds: Option<Rect>,
    alike: HashMap<(Arc<str>, bool), Alike>,
}

/// Where the boxes of one type are.
struct Alike {
    last: Rect,
    /// The right end of the row of the last one.
    right: f64,
    /// The top and the right end of all.
    top: f64,
    far: f64,
}

impl Alike {
    fn add(&mut self, rect: Rect) {
        let same_row = (rect.y - self.last.y).abs() < rect.h;
        self.right = if same_row { self.right.max(rect.right()) } else { rect.right() };
        (self.last, self.top, self.far) = (rect, self.top.min(rect.y), self.far.max(rect.right()));
    }
}

impl Placer<'_> {
    fn put(&mut self, block: usize, rect: Rect) {
        self.index.add(block, rect);
        self.rects[block] = Some(rect);
        self.bounds = Some(self.bounds.map_or(rect, |bounds| bounds.union(&rect)));
        let new = Alike { last: rect, right: rect.right(), top: rect.y, far: rect.right() };
        let likeness = self.likeness(block);
        self.alike.entry(likeness).and_modify(|like| like.add(rect)).or_insert(new);
    }

    fn size(&self, block: usize) -> (f64, f64) {
        self.shapes[block].size
    }

    /// Puts boxes where they were, and answers with the loose ones that are
    /// linked now. A box that grew gives way to its neighbours, not they to it.
    fn pin(&mut self, previous: &Positions) -> Vec<(usize, Rect)> {
        let mut movable = Vec::new();
        for grown in [false, true] {
            for block in 0..self.graph.blocks.len() {
                let Some(pin) = previous.pin(&self.graph.blocks[block].object) else { continue };
                let (w, h) = self.size(block);
                let rect = Rect::new(pin.rect.x, pin.rect.y, w, h);
                if grown != (w > pin.rect.w || h > pin.rect.h) || !self.index.is_free(&rect) {
                    continue;
                }
                match !pin.settled && self.links.is_linked(self.graph, block) {
                    true => movable.push((block, rect)),
                    false => self.put(block, rect),
                }
            }
        }
        movable
    }

    /// Moves nodes that were loose to where their first links ask for, if that place is free.
    fn resettle(&mut self, movable: &[(usize, Rect)]) {
        for &(block, old) in movable {
            let group = Group::single(block, self.size(block));
            let follows = |edge: &&Edge| edge.from < block || edge.to.block < block;
            let ideal = match self.is_well_placed(block, old) {
                true => None,
                false => self.wishes(&group, follows).into_iter().find_map(|wish| self.free_near(&group, wish)),
            };
            let rect = ideal.map_or(old, |at| Rect::new(at.x, at.y, old.w, old.h));
            if self.index.is_free(&rect) {
                self.put(block, rect);
            }
        }
    }

    /// Whether a node of a list already stands in the row, on the right side of its neighbour.
    fn is_well_placed(&self, block: usize, rect: Rect) -> bool {
        let beside = |left: &Rect, right: &Rect| left.right() <= right.x && (left.y - right.y).abs() < 1.0;
        let next = |&&e: &&usize| self.graph.edges[e].role == Role::Next;
        let mut before =
            self.links.into[block].iter().filter(next).filter_map(|&e| self.rects[self.graph.edges[e].from]);
        let mut after =
            self.links.out[block].iter().filter(next).filter_map(|&e| self.rects[self.graph.edges[e].to.block]);
        before.any(|left| beside(&left, &rect)) || after.any(|right| beside(&rect, &right))
    }

    fn place_groups(&mut self) {
        let mut arranger = Arranger::new(self.graph, self.shapes, &self.links, &self.rects);
        let mut groups = Vec::new();
        let entries = self.graph.entries.iter().copied().chain(0..self.graph.blocks.len());
        for unreachable in [false, true] {
            let of_this_pass = |&b: &usize| (self.graph.blocks[b].standing == Standing::Unreachable) == unreachable;
            for entry in entries.clone().filter(of_this_pass) {
                if arranger.is_open(entry) {
                    let root = self.links.first_of(self.graph, entry, |block| arranger.is_open(block));
                    groups.push(arranger.arrange(root));
                }
            }
        }
        groups.iter().for_each(|group| self.place_group(group));
    }

    fn place_group(&mut self, group: &Group) {
        let standing = self.graph.blocks[group.root].standing;
        let mut wishes = Vec::new();
        if standing != Standing::Unreachable {
            wishes = self.wishes(group, |_| true);
        }
        if group.items.len() == 1 {
            wishes.extend(self.beside_its_like(group.root));
        }
        let found = wishes.into_iter().find_map(|wish| self.free_near(group, wish));
        let at = found.unwrap_or_else(|| {
            let extra = if standing == Standing::Unreachable { 30.0 } else { 0.0 };
            let y = self.bounds.map_or(0.0, |bounds| bounds.bottom() + ROW_GAP + extra);
            Point::new(-group.bounds.x, y - group.bounds.y)
        });
        for (block, rect) in &group.items {
            self.put(*block, rect.shifted(at.x, at.y));
        }
    }

    /// Where the links with boxes that have a place would like the group to be.
    fn wishes(&self, group: &Group, counts: impl Fn(&&Edge) -> bool) -> Vec<Point> {
        let mut wishes: Vec<(u8, Point)> = Vec::new();
        for (block, rect) in &group.items {
            let into = self.links.into[*block].iter().map(|&e| &self.graph.edges[e]);
            for edge in into.filter(&counts) {
                if let (Some(from), Some(at)) = (self.rects[edge.from], self.after(edge, *block)) {
                    let rank = if edge.role == Role::Other || from == Rect::default() { 1 } else { 0 };
                    wishes.push((rank, at.shifted(-rect.x, -rect.y)));
                }
            }
            let out = self.links.out[*block].iter().map(|&e| &self.graph.edges[e]);
            wishes.extend(out.filter(&counts).filter_map(|edge| {
                Some((
                    if edge.role == Role::Other { 3 } else { 2 },
                    self.before(edge, *block)?.shifted(-rect.x, -rect.y),
                ))
            }));
        }
        wishes.sort_by_key(|(rank, _)| *rank);
        wishes.into_iter().map(|(_, at)| at).take(8).collect()
    }

    /// The place for `block` that an arrow from a placed box asks for.
    fn after(&self, edge: &Edge, block: usize) -> Option<Point> {
        let from = self.rects[edge.from]?;
        let (w, h) = self.size(block);
        let dot = self.shapes[edge.from].cells[edge.cell].dot;
        match edge.role {
            Role::Next => Some(Point::new(from.right() + NEXT_GAP, from.center().y - h / 2.0)),
            Role::Child => {
                let x = from.center().x + self.spread(edge) - w / 2.0;
                Some(Point::new(x, from.bottom() + LAYER_GAP))
            }
            Role::Other => Some(Point::new(from.right() + SIDE_GAP, from.y + dot.y - h / 2.0)),
            Role::Prev | Role::Parent => None,
        }
    }

    /// The place for `block` that its arrow to a placed box asks for.
    fn before(&self, edge: &Edge, block: usize) -> Option<Point> {
        let to = self.rects[edge.to.block]?;
        let (w, h) = self.size(block);
        let dot = self.shapes[block].cells[edge.cell].dot;
        match edge.role {
            Role::Next => Some(Point::new(to.x - NEXT_GAP - w, to.center().y - h / 2.0)),
            Role::Child => Some(Point::new(to.center().x - self.spread(edge) - w / 2.0, to.y - LAYER_GAP - h)),
            Role::Other => Some(Point::new(to.x - SIDE_GAP - w, to.center().y - dot.y)),
            Role::Prev | Role::Parent => None,
        }
    }

    /// How far to the side of its parent a child stands: half as far in each
    /// layer, since what will come below is not known yet.
    fn spread(&self, edge: &Edge) -> f64 {
        let cells = &self.graph.blocks[edge.from].cells;
        let slots: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].role == Role::Child).collect();
        let slot = slots.iter().position(|&i| i == edge.cell).unwrap_or(0) as f64;
        let unit = (self.size(edge.from).0 + 24.0) / 2.0;
        let reach = match self.depth(edge.from) {
            0 => 2.6,
            1 => 1.6,
            _ => 1.0,
        };
        match slots.len() {
            0 | 1 => 0.0,
            count => (2.0 * slot / (count - 1) as f64 - 1.0) * unit * reach,
        }
    }

    /// The layer of a tree node, up to 3.
    fn depth(&self, block: usize) -> usize {
        let mut at = block;
        let parent = |b: usize| {
            let edge = self.links.into[b].iter().map(|&e| &self.graph.edges[e]).find(|e| e.role == Role::Child)?;
            Some(edge.from)
        };
        (0..3).take_while(|_| parent(at).map(|up| at = up).is_some()).count()
    }

    /// The end of the row in which the last node of the same type stands; for
    /// trees, the right end of their top.
    fn beside_its_like(&self, block: usize) -> Option<Point> {
        let like = self.alike.get(&self.likeness(block))?;
        let is_tree = self.graph.blocks[block].cells.iter().any(|cell| cell.role == Role::Child);
        let (right, y) = if is_tree { (like.far, like.top) } else { (like.right, like.last.y) };
        (right < ROW_END).then(|| Point::new(right + NEXT_GAP, y))
    }

    fn likeness(&self, block: usize) -> (Arc<str>, bool) {
        let block = &self.graph.blocks[block];
        let type_name = match block.object {
            Object::Node(_) => block.type_name.clone(),
            // Variables stand next to each other, whatever they are.
            _ => "variable".into(),
        };
        (type_name, block.standing == Standing::Unreachable)
    }

    /// `wish`, or a free place close to it.
    fn free_near(&self, group: &Group, wish: Point) -> Option<Point> {
        let (w, h) = self.size(group.root);
        let (dx, dy) = ((w + 24.0) / 2.0, h + 4.0 * CLEAR);
        let mut tries: Vec<Point> =
            (0..7).flat_map(|k| [(0.0, k), (0.0, -k)].map(|(x, k)| Point::new(x, f64::from(k) * dy))).collect();
        tries.extend((1..7).flat_map(|k| [k, -k]).map(|k| Point::new(f64::from(k) * dx, 0.0)));
        tries.sort_by(|a, b| a.distance(Point::default()).total_cmp(&b.distance(Point::default())));
        let is_free =
            |at: &Point| group.items.iter().all(|(_, r)| self.index.is_free(&r.shifted(at.x, at.y).grown(CLEAR)));
        tries.iter().map(|by| wish.shifted(by.x, by.y)).find(is_free)
    }
}
