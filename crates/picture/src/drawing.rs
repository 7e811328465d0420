//! A picture as plain data, for a door that draws and animates by itself.
//!
//! Places inside of a box are relative to its upper left corner, so that a box
//! moves as a whole; lines of arrows are where they are. Every value carries
//! the text by which a debugger's user names it, and every box the text that
//! makes a pointer point to it: `change n4.prev n3`.

use memory::Object;

use crate::areas::LINE;
use crate::cells::{Cell, Content, Kind};
use crate::geometry::{Curve, Point, Rect};
use crate::graph::{Block, Edge, Flag, Standing, Table};
use crate::picture::Picture;
use crate::shape::{Anchor, CellShape, Shape};

/// A picture as plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// What there is to see.
    pub view: Rect,
    /// The boxes.
    pub boxes: Vec<DrawnBox>,
    /// The arrows that start in boxes.
    pub arrows: Vec<DrawnArrow>,
    /// The pointer variables.
    pub flags: Vec<DrawnFlag>,
    /// The plain variables of each call, and the globals.
    pub tables: Vec<DrawnTable>,
    /// Frames around what no variable leads to.
    pub areas: Vec<Rect>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnBox {
    /// Its name, the same in every picture.
    pub name: String,
    /// What is written on it.
    pub title: String,
    /// Its C type.
    pub type_name: String,
    /// Where its upper left corner is.
    pub at: Point,
    /// Its outline.
    pub body: Rect,
    /// The tinted part with the title.
    pub tab: Rect,
    /// Its compartments.
    pub cells: Vec<DrawnCell>,
    /// Further small texts.
    pub notes: Vec<Label>,
    /// It was freed, or its call is over.
    pub gone: bool,
    /// No variable leads to it.
    pub unreachable: bool,
    /// It is new.
    pub changed: bool,
    /// What a pointer to it is called: `n3`, `&x`; nothing if none can be made.
    pub target: Option<String>,
    /// How many nodes of a list this box stands for, if it is no node itself.
    pub folded: usize,
}

/// A compartment of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnCell {
    /// How the user names it: `n4.prev`; nothing for what is left out.
    pub entity: String,
    /// Its outline.
    pub rect: Rect,
    /// Its name.
    pub name: Option<Label>,
    /// What it holds.
    pub value: DrawnValue,
    /// Where a text value stands (the middle of its baseline).
    pub value_at: Point,
    /// Where an arrow starts.
    pub dot: Point,
    /// It is highlighted.
    pub changed: bool,
    /// `spec` does not assert it.
    pub untracked: bool,
    /// What a pointer to it is called, for elements of arrays.
    pub target: Option<String>,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnValue {
    /// A text.
    Text(String),
    /// The null pointer.
    Null,
    /// A pointer; its arrow is among the arrows.
    Pointer,
    /// Cells that are left out.
    Gap,
}

/// A small text.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub at: Point,
    /// Which part of it is there: `start`, `middle` or `end`.
    pub anchor: &'static str,
    /// What.
    pub text: String,
}

/// The line of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnLine {
    /// Corners, or the four points of a cubic Bézier curve.
    pub points: Vec<Point>,
    /// Which of the two.
    pub curved: bool,
}

/// An arrow from a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnArrow {
    /// Its name, the same in every picture.
    pub key: String,
    /// How the user names where it starts; nothing for the arrows of what is folded.
    pub entity: String,
    /// The name of the box that it points to.
    pub to: String,
    /// Its line.
    pub line: DrawnLine,
    /// It leads back to where one came from.
    pub back: bool,
    /// What it points to is gone.
    pub dangling: bool,
    /// `spec` does not assert it.
    pub untracked: bool,
    /// It is highlighted.
    pub changed: bool,
    /// No variable leads to where it starts.
    pub unreachable: bool,
}

/// A pointer variable: a name with an arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnFlag {
    /// How the user names it.
    pub entity: String,
    /// The name of the box that it points to.
    pub to: String,
    /// Where its name stands.
    pub rect: Rect,
    /// Its arrow.
    pub line: DrawnLine,
    /// What it points to is gone.
    pub dangling: bool,
    /// `spec` does not assert it.
    pub untracked: bool,
    /// It is highlighted.
    pub changed: bool,
}

/// Plain variables.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnTable {
    /// Whose.
    pub title: String,
    /// Its outline.
    pub rect: Rect,
    /// The height of its title and of each row.
    pub line: f64,
    /// Where values start, from its left side.
    pub value_x: f64,
    /// The variables.
    pub rows: Vec<DrawnRow>,
}

/// A variable of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnRow {
    /// How the user names it.
    pub entity: String,
    /// Its name alone.
    pub name: String,
    /// What it holds.
    pub value: DrawnValue,
    /// It is highlighted.
    pub changed: bool,
    /// `spec` does not assert it.
    pub untracked: bool,
}

/// The picture as plain data.
pub(crate) fn drawing(picture: &Picture) -> Drawing {
    let graph = &picture.graph;
    let boxes = graph.blocks.iter().zip(&picture.shapes).zip(&picture.rects);
    let arrows = graph.edges.iter().zip(&picture.curves);
    let flags = graph.flags.iter().zip(&picture.flags);
    let tables = graph.tables.iter().zip(&picture.panels);
    Drawing {
        view: picture.view,
        boxes: boxes.map(|((block, shape), rect)| drawn_box(block, shape, Point::new(rect.x, rect.y))).collect(),
        arrows: arrows.map(|(edge, curve)| drawn_arrow(&graph.blocks, edge, curve)).collect(),
        flags: flags.map(|(flag, placed)| drawn_flag(&graph.blocks, flag, placed.rect, placed.pole.to_vec())).collect(),
        tables: tables.map(|(table, panel)| drawn_table(table, panel.rect, panel.value_x)).collect(),
        areas: picture.areas.clone(),
    }
}

/// A name that is the same in every picture: the title of a variable depends on the call that is shown.
fn name_of(block: &Block) -> String {
    match block.object {
        Object::Gone => "gone".into(),
        _ => block.object.to_string(),
    }
}

fn label((at, anchor): (Point, Anchor), text: &str) -> Label {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    Label { at, anchor, text: text.to_string() }
}

fn drawn_box(block: &Block, shape: &Shape, at: Point) -> DrawnBox {
    DrawnBox {
        name: name_of(block),
        title: block.title.clone(),
        type_name: block.type_name.to_string(),
        at,
        body: shape.body,
        tab: shape.tab,
        cells: block.cells.iter().zip(&shape.cells).map(|(cell, drawn)| drawn_cell(block, cell, drawn)).collect(),
        notes: shape.notes.iter().map(|(at, anchor, text)| label((*at, *anchor), text)).collect(),
        gone: block.standing == Standing::Gone,
        unreachable: block.standing == Standing::Unreachable,
        changed: block.changed,
        target: target(block),
        folded: block.folded,
    }
}

/// What a pointer to a box is called.
fn target(block: &Block) -> Option<String> {
    match (&block.object, block.kind) {
        _ if block.standing == Standing::Gone || block.folded > 0 => None,
        (Object::Node(_), _) => Some(block.title.clone()),
        (Object::Gone | Object::Arguments, _) => None,
        (_, Kind::Strip | Kind::Column | Kind::Grid) => Some(format!("&{}[0]", block.title)),
        _ => Some(format!("&{}", block.title)),
    }
}

fn drawn_cell(block: &Block, cell: &Cell, drawn: &CellShape) -> DrawnCell {
    let is_real = cell.content != Content::Gap && block.folded == 0 && block.standing != Standing::Gone;
    let entity = if is_real { format!("{}{}", block.title, cell.path) } else { String::new() };
    let is_named = block.kind != Kind::Grid && !cell.name.is_empty();
    let is_element = is_real && matches!(block.kind, Kind::Strip | Kind::Column);
    DrawnCell {
        target: is_element.then(|| format!("&{entity}")),
        entity,
        rect: drawn.rect,
        name: is_named.then(|| label(drawn.name_at, &cell.name)),
        value: drawn_value(&cell.content),
        value_at: drawn.value_at,
        dot: drawn.dot,
        changed: cell.changed,
        untracked: cell.untracked,
    }
}

fn drawn_value(content: &Content) -> DrawnValue {
    match content {
        Content::Text(text) => DrawnValue::Text(text.clone()),
        Content::Null => DrawnValue::Null,
        Content::Arrow(_) | Content::Dangling(_) => DrawnValue::Pointer,
        Content::Gap => DrawnValue::Gap,
    }
}

fn drawn_line(curve: &Curve) -> DrawnLine {
    match curve {
        Curve::Line(points) => DrawnLine { points: points.clone(), curved: false },
        Curve::Cubic(points) => DrawnLine { points: points.to_vec(), curved: true },
    }
}

fn drawn_arrow(blocks: &[Block], edge: &Edge, curve: &Curve) -> DrawnArrow {
    let from = &blocks[edge.from];
    let cell = &from.cells[edge.cell];
    let is_fold = from.folded > 0;
    DrawnArrow {
        key: format!("{}{}{}", name_of(from), cell.path, if is_fold && edge.role.is_back() { " back" } else { "" }),
        entity: if is_fold { String::new() } else { format!("{}{}", from.title, cell.path) },
        to: name_of(&blocks[edge.to.block]),
        line: drawn_line(curve),
        back: edge.role.is_back(),
        dangling: edge.dangling,
        untracked: cell.untracked,
        changed: cell.changed,
        unreachable: from.standing == Standing::Unreachable,
    }
}

fn drawn_flag(blocks: &[Block], flag: &Flag, rect: Rect, pole: Vec<Point>) -> DrawnFlag {
    DrawnFlag {
        entity: flag.name.clone(),
        to: name_of(&blocks[flag.to.block]),
        rect,
        line: DrawnLine { points: pole, curved: false },
        dangling: flag.dangling,
        untracked: flag.untracked,
        changed: flag.changed,
    }
}

fn drawn_table(table: &Table, rect: Rect, value_x: f64) -> DrawnTable {
    let rows = table.rows.iter().map(|row| DrawnRow {
        entity: row.title.clone(),
        name: row.name.clone(),
        value: drawn_value(&row.content),
        changed: row.changed,
        untracked: row.untracked,
    });
    DrawnTable { title: table.title.clone(), rect, line: LINE, value_x, rows: rows.collect() }
}
