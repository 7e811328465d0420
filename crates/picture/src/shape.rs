//! The form and size of each box: where its title, its cells and their texts
//! and arrow dots are, relative to its upper left corner.

use memory::Object;

use crate::cells::{Cell, Content, Kind};
use crate::geometry::{Point, Rect};
use crate::graph::{Block, Standing};
use crate::roles::Role;

/// Width of a character of a value (13 px), of a small name (10 px) and of a title (12 px bold)
/// in a monospaced font; 0.602 em is the widest in use (DejaVu Sans Mono).
const VALUE: f64 = 7.83;
const SMALL: f64 = 6.05;
const TITLE: f64 = 7.25;

/// Where a text starts from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A box, drawn.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// All of it, with indexes that stand outside of the outline.
    pub size: (f64, f64),
    /// The outline.
    pub body: Rect,
    /// The tinted part with the title.
    pub tab: Rect,
    pub cells: Vec<CellShape>,
    /// Further small texts, such as column heads.
    pub notes: Vec<(Point, Anchor, String)>,
}

/// A cell, drawn.
#[derive(Clone, Debug)]
pub(crate) struct CellShape {
    pub rect: Rect,
    pub name_at: (Point, Anchor),
    /// The middle of the baseline of the value.
    pub value_at: Point,
    /// Where its arrow starts.
    pub dot: Point,
}

/// Gives `block` its form.
pub(crate) fn shape(block: &Block) -> Shape {
    match block.kind {
        _ if block.folded > 0 => folded(block),
        Kind::Record if block.cells.iter().any(|cell| cell.role == Role::Child) => tree_node(block),
        Kind::Record if is_list_node(block) => row(block),
        Kind::Record => table(block, 22.0),
        Kind::Column => table(block, 34.0),
        Kind::Strip => strip(block),
        Kind::Grid => grid(block),
        Kind::Plain => plain(block),
    }
}

/// A box that is gone keeps the outline that it had while it was there.
pub(crate) fn stretch(block: &Block, shape: &mut Shape, (w, h): (f64, f64)) {
    if block.standing == Standing::Gone && block.kind == Kind::Plain && w >= shape.size.0 && h >= shape.size.1 {
        *shape = plain_of_size(block, w, h);
    }
}

/// Sizes go in steps, so that a value with one digit more seldom changes them.
fn step(width: f64) -> f64 {
    (width / 10.0).ceil() * 10.0
}

fn chars(text: &str) -> f64 {
    text.chars().map(|c| if (c as u32) < 0x1100 { 1.0 } else { 2.0 }).sum()
}

pub(crate) fn value_width(content: &Content) -> f64 {
    match content {
        Content::Text(text) => chars(text) * VALUE,
        _ => 16.0,
    }
}

pub(crate) fn small_width(text: &str) -> f64 {
    chars(text) * SMALL
}

pub(crate) fn title_width(text: &str) -> f64 {
    chars(text) * TITLE
}

fn cell_width(cell: &Cell, least: f64) -> f64 {
    step((value_width(&cell.content).max(small_width(&cell.name)) + 14.0).max(least))
}

/// Nodes of lists lie; other records stand, so that all their arrows leave to the right.
fn is_list_node(block: &Block) -> bool {
    let linked = block.cells.iter().any(|cell| cell.role != Role::Other) || block.cells.len() == 1;
    linked && block.cells.len() <= 4 && block.cells.iter().map(|cell| cell_width(cell, 40.0)).sum::<f64>() <= 260.0
}

/// A cell with its name above its value.
fn upright(rect: Rect, named: bool) -> CellShape {
    let (x, low) = (rect.center().x, if named { 6.0 } else { 0.0 });
    let middle = rect.center().y + low;
    CellShape {
        rect,
        name_at: (Point::new(x, rect.y + 12.0), Anchor::Middle),
        value_at: Point::new(x, middle + 4.5),
        dot: Point::new(x, middle),
    }
}

/// A list node: the name, back pointers, values, and the pointer to the next node at the right.
fn row(block: &Block) -> Shape {
    const HEIGHT: f64 = 40.0;
    let tab = Rect::new(0.0, 0.0, step(title_width(&block.title) + 12.0), HEIGHT);
    let mut order: Vec<usize> = (0..block.cells.len()).collect();
    order.sort_by_key(|&i| match block.cells[i].role {
        role if role.is_back() => 0,
        Role::Next => 3,
        _ if block.cells[i].content.is_pointer() => 2,
        _ => 1,
    });
    let mut cells: Vec<Option<CellShape>> = vec![None; block.cells.len()];
    let mut x = tab.w;
    for i in order {
        let w = cell_width(&block.cells[i], 40.0);
        cells[i] = Some(upright(Rect::new(x, 0.0, w, HEIGHT), true));
        x += w;
    }
    let cells = cells.into_iter().flatten().collect();
    Shape { size: (x, HEIGHT), body: Rect::new(0.0, 0.0, x, HEIGHT), tab, cells, notes: Vec::new() }
}

/// A tree node: the name, below it the values, below them the slots of the children.
fn tree_node(block: &Block) -> Shape {
    const HEAD: f64 = 18.0;
    const VALUES: f64 = 36.0;
    const SLOTS: f64 = 36.0;
    let is_slot = |cell: &Cell| cell.role == Role::Child;
    let sum = |slots: bool, least| {
        block.cells.iter().filter(|c| is_slot(c) == slots).map(|c| cell_width(c, least)).sum::<f64>()
    };
    let w = sum(false, 36.0).max(sum(true, 40.0)).max(step(title_width(&block.title) + 12.0));
    let has_values = block.cells.iter().any(|cell| !is_slot(cell));
    let slots_y = HEAD + if has_values { VALUES } else { 0.0 };
    // Both rows fill the whole width; what is too much is shared out evenly.
    let (mut x, counts) = ([0.0, 0.0], [false, true].map(|s| block.cells.iter().filter(|c| is_slot(c) == s).count()));
    // The pointer to the parent is the last value, since its arrow leaves to the right.
    let mut order: Vec<usize> = (0..block.cells.len()).collect();
    order.sort_by_key(|&i| block.cells[i].role.is_back());
    let mut cells: Vec<Option<CellShape>> = vec![None; block.cells.len()];
    for i in order {
        let slot = is_slot(&block.cells[i]);
        let least = if slot { 40.0 } else { 36.0 };
        let width = cell_width(&block.cells[i], least) + (w - sum(slot, least)) / counts[usize::from(slot)] as f64;
        let (y, h) = if slot { (slots_y, SLOTS) } else { (HEAD, VALUES) };
        cells[i] = Some(upright(Rect::new(x[usize::from(slot)], y, width, h), true));
        x[usize::from(slot)] += width;
    }
    let cells = cells.into_iter().flatten().collect();
    let h = slots_y + SLOTS;
    Shape { size: (w, h), body: Rect::new(0.0, 0.0, w, h), tab: Rect::new(0.0, 0.0, w, HEAD), cells, notes: Vec::new() }
}

/// One line for each cell: its name at the left, its value at the right.
fn table(block: &Block, line: f64) -> Shape {
    const HEAD: f64 = 18.0;
    let names = block.cells.iter().map(|cell| small_width(&cell.name)).fold(12.0, f64::max) + 12.0;
    let values = block.cells.iter().map(|cell| cell_width(cell, 40.0)).fold(40.0, f64::max);
    let w = step(names + values).max(step(title_width(&block.title) + 12.0));
    let mut y = HEAD;
    let mut cells = Vec::new();
    for cell in &block.cells {
        let h = if cell.content == Content::Gap { 16.0 } else { line };
        let rect = Rect::new(names, y, w - names, h);
        let middle = rect.center();
        cells.push(CellShape {
            rect,
            name_at: (Point::new(names - 6.0, middle.y + 3.5), Anchor::End),
            value_at: Point::new(middle.x, middle.y + 4.5),
            dot: middle,
        });
        y += h;
    }
    Shape { size: (w, y), body: Rect::new(0.0, 0.0, w, y), tab: Rect::new(0.0, 0.0, w, HEAD), cells, notes: Vec::new() }
}

/// An array in a row, its indexes below it.
fn strip(block: &Block) -> Shape {
    const HEIGHT: f64 = 30.0;
    let tab = Rect::new(0.0, 0.0, step(title_width(&block.title) + 12.0), HEIGHT);
    // Cells of one width read better; a single long value must not blow up all of them.
    let widths = block.cells.iter().map(|cell| cell_width(cell, 30.0));
    let common = widths.clone().filter(|&w| w <= 60.0).fold(30.0, f64::max);
    let (mut x, mut cells) = (tab.w, Vec::new());
    for (cell, w) in block.cells.iter().zip(widths) {
        let w = if cell.content == Content::Gap { 20.0 } else { w.max(common) };
        let mut drawn = upright(Rect::new(x, 0.0, w, HEIGHT), false);
        drawn.name_at.0.y = HEIGHT + 11.0;
        cells.push(drawn);
        x += w;
    }
    Shape { size: (x, HEIGHT + 14.0), body: Rect::new(0.0, 0.0, x, HEIGHT), tab, cells, notes: Vec::new() }
}

/// An array of arrays or records, with indexes at the left and heads above.
fn grid(block: &Block) -> Shape {
    const TOP: f64 = 34.0;
    const LINE: f64 = 28.0;
    let columns = block.cells.iter().map(|cell| cell.at.1 + 1).max().unwrap_or(0);
    let rows = block.cells.iter().map(|cell| cell.at.0 + 1).max().unwrap_or(0);
    let index = |cell: &Cell| cell.path.split(']').next().map(|head| head.replace('[', "")).unwrap_or_default();
    let left = block.cells.iter().map(|cell| small_width(&index(cell))).fold(6.0, f64::max) + 12.0;
    let mut widths = vec![30.0f64; columns];
    block.cells.iter().for_each(|cell| widths[cell.at.1] = widths[cell.at.1].max(cell_width(cell, 30.0)));
    let starts: Vec<f64> = std::iter::once(left)
        .chain(widths.iter().scan(left, |x, w| {
            Some({
                *x += w;
                *x
            })
        }))
        .collect();
    let w = starts[columns].max(step(title_width(&block.title) + 12.0));
    let mut notes = Vec::new();
    for cell in block.cells.iter().filter(|cell| cell.content != Content::Gap) {
        let at = Point::new(left - 6.0, TOP + cell.at.0 as f64 * LINE + LINE / 2.0 + 3.5);
        if cell.at.1 == 0 {
            notes.push((at, Anchor::End, index(cell)));
        }
        if cell.at.0 == 0 {
            let x = starts[cell.at.1] + widths[cell.at.1] / 2.0;
            notes.push((Point::new(x, TOP - 4.0), Anchor::Middle, cell.name.clone()));
        }
    }
    let rect = |cell: &Cell| {
        let last = cell.at.1 + 1 == columns;
        let right = if last { w } else { starts[cell.at.1 + 1] };
        Rect::new(starts[cell.at.1], TOP + cell.at.0 as f64 * LINE, right - starts[cell.at.1], LINE)
    };
    let cells = block.cells.iter().map(|cell| upright(rect(cell), false)).collect();
    let h = TOP + rows as f64 * LINE;
    Shape { size: (w, h), body: Rect::new(0.0, 0.0, w, h), tab: Rect::new(0.0, 0.0, w, 18.0), cells, notes }
}

/// What stands for nodes of a list that are not shown: as high as they, without a title.
fn folded(block: &Block) -> Shape {
    const HEIGHT: f64 = 40.0;
    let w = block.cells.first().map_or(90.0, |cell| cell_width(cell, 90.0));
    let body = Rect::new(0.0, 0.0, w, HEIGHT);
    let dots = [Point::new(w, HEIGHT / 2.0), Point::new(12.0, HEIGHT)];
    let cells = dots.map(|dot| CellShape { dot, ..upright(body, false) }).into();
    Shape { size: (w, HEIGHT), body, tab: Rect::new(0.0, 0.0, 0.0, HEIGHT), cells, notes: Vec::new() }
}

/// A single value.
fn plain(block: &Block) -> Shape {
    let value = block.cells.iter().map(|cell| cell_width(cell, 36.0)).sum::<f64>();
    // A freed node lies in a row with others, which are this high.
    let h = if matches!(block.object, Object::Node(_)) { 40.0 } else { 30.0 };
    plain_of_size(block, step(title_width(&block.title) + 12.0) + value, h)
}

fn plain_of_size(block: &Block, w: f64, h: f64) -> Shape {
    let tab = Rect::new(0.0, 0.0, step(title_width(&block.title) + 12.0).min(w), h);
    let cells = block.cells.iter().map(|_| upright(Rect::new(tab.w, 0.0, w - tab.w, h), false)).collect();
    Shape { size: (w, h), body: Rect::new(0.0, 0.0, w, h), tab, cells, notes: Vec::new() }
}
