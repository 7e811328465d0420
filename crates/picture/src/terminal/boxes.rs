//! Single boxes and arrays as text.

use crate::cells::{Cell, Content, Kind};
use crate::graph::{Block, Flag, Graph, Standing};

use super::canvas::{Canvas, Style};

/// A box, with the line at which arrows reach and leave it.
pub(super) struct Boxed {
    pub canvas: Canvas,
    pub line: usize,
}

/// What a cell holds, as text. What changed carries a star, which is seen without colours too.
pub(super) fn value(cell: &Cell) -> (String, Style) {
    let (text, style) = content(&cell.content);
    match cell.changed {
        true => (format!("{text}*"), Style::Changed),
        false => (text, style),
    }
}

pub(super) fn content(content: &Content) -> (String, Style) {
    match content {
        Content::Text(text) => (text.clone(), Style::Plain),
        Content::Null => ("null".to_string(), Style::Plain),
        Content::Arrow(place) => (place.to_string(), Style::Plain),
        Content::Dangling(place) => (format!("✗{place}"), Style::Gone),
        Content::Gap => ("…".to_string(), Style::Plain),
    }
}

fn border(block: &Block) -> Style {
    match block.standing {
        Standing::Gone => Style::Gone,
        _ if block.changed => Style::Changed,
        _ => Style::Plain,
    }
}

/// A box with one line for each of `cells`.
pub(super) fn boxed(block: &Block, cells: &[&Cell]) -> Canvas {
    let rows: Vec<(String, (String, Style))> = cells
        .iter()
        .map(|cell| (if cell.name.is_empty() { String::new() } else { format!("{}: ", cell.name) }, value(cell)))
        .collect();
    let star = if block.changed { "*" } else { "" };
    let title = format!("{}{star}", block.title);
    let widths = rows.iter().map(|(name, (text, _))| name.chars().count() + text.chars().count());
    let width = widths.max().unwrap_or(0).max(title.chars().count() + 1).max(4);
    let style = border(block);
    let mut canvas = Canvas::default();
    canvas.put(0, 0, &format!("┌{}┐", "─".repeat(width)), style);
    canvas.put(0, 1, &title, if style == Style::Plain { Style::Title } else { style });
    for (i, (name, (text, look))) in rows.iter().enumerate() {
        canvas.put(i + 1, 0, "│", style);
        canvas.put(i + 1, width + 1, "│", style);
        canvas.put(i + 1, 1, name, Style::Plain);
        canvas.put(i + 1, 1 + name.chars().count(), text, *look);
    }
    if rows.is_empty() {
        canvas.put(1, 0, &format!("│{}│", " ".repeat(width)), style);
    }
    canvas.put(canvas.height(), 0, &format!("└{}┘", "─".repeat(width)), style);
    canvas
}

/// The names of the variables that point to `block`, as one text.
pub(super) fn names(graph: &Graph, block: usize) -> Option<(String, Style)> {
    let flags: Vec<&Flag> = graph.flags.iter().filter(|flag| flag.to.block == block).collect();
    let is_array = graph.blocks[block].kind == Kind::Strip;
    let name = |flag: &&Flag| {
        let path = flag.to.cell.filter(|_| !is_array).map(|cell| graph.blocks[block].cells[cell].path.as_str());
        let path = path.map(|path| format!("({path})")).unwrap_or_default();
        format!("{}{path}{}", flag.name, if flag.changed { "*" } else { "" })
    };
    let style = match () {
        _ if flags.iter().any(|flag| flag.dangling) => Style::Gone,
        _ if flags.iter().any(|flag| flag.changed) => Style::Changed,
        _ => Style::Name,
    };
    (!flags.is_empty()).then(|| (flags.iter().map(name).collect::<Vec<_>>().join(", "), style))
}

/// A box with the names of variables above it. `above` lines are kept free for
/// them, so that boxes next to each other stand on one line.
pub(super) fn named(graph: &Graph, block: usize, cells: &[&Cell], above: usize) -> Boxed {
    let mut canvas = Canvas::default();
    canvas.lines.resize(above, Vec::new());
    if let (Some((names, style)), 2) = (names(graph, block), above) {
        canvas.put(0, 0, &names, style);
        canvas.put(1, 0, "▼", style);
    }
    canvas.stack(boxed(&graph.blocks[block], cells));
    Boxed { canvas, line: above + 1 }
}

/// An array in a row, with its indexes in the border and variables above the cells.
pub(super) fn strip(graph: &Graph, number: usize, width: usize) -> Canvas {
    let block = &graph.blocks[number];
    let flags: Vec<&Flag> = graph.flags.iter().filter(|flag| flag.to.block == number).collect();
    let above = if flags.is_empty() { 0 } else { 2 };
    let mut canvas = Canvas::default();
    let start = block.title.chars().count() + 1;
    canvas.put(above + 1, 0, &block.title, Style::Title);
    let mut x = start;
    for (i, cell) in block.cells.iter().enumerate() {
        let (text, style) = value(cell);
        let room = text.chars().count().max(cell.name.chars().count() + 1).max(2);
        if x + room + 2 > width && i > 0 {
            canvas.put(above + 1, x + 1, "…", Style::Plain);
            break;
        }
        let corners = if i == 0 { ("┌", "└") } else { ("┬", "┴") };
        canvas.put(above, x, &format!("{}{}┐", corners.0, "─".repeat(room)), Style::Plain);
        canvas.put(above, x + 1, &cell.name, Style::Faint);
        canvas.put(above + 1, x, &format!("│{}│", " ".repeat(room)), Style::Plain);
        canvas.put(above + 1, x + 1, &text, style);
        canvas.put(above + 2, x, &format!("{}{}┘", corners.1, "─".repeat(room)), Style::Plain);
        let here = flags.iter().filter(|flag| flag.to.cell == Some(i));
        let names: Vec<&str> = here.map(|flag| flag.name.as_str()).collect();
        if !names.is_empty() {
            canvas.put(0, x + 1, &names.join(","), Style::Name);
            canvas.put(1, x + 1, "▼", Style::Name);
        }
        x += room + 1;
    }
    canvas
}

/// An array of arrays or records, as a table.
pub(super) fn grid(graph: &Graph, number: usize) -> Canvas {
    let block = &graph.blocks[number];
    let columns = block.cells.iter().map(|cell| cell.at.1 + 1).max().unwrap_or(0);
    let mut widths = vec![2; columns];
    for cell in &block.cells {
        let text = value(cell).0.chars().count().max(cell.name.chars().count());
        widths[cell.at.1] = widths[cell.at.1].max(text);
    }
    let starts: Vec<usize> = widths.iter().scan(5, |x, w| Some(std::mem::replace(x, *x + w + 2))).collect();
    let mut canvas = Canvas::default();
    canvas.put(0, 0, &block.title, Style::Title);
    if let Some((names, style)) = names(graph, number) {
        canvas.append(0, &format!(" ◀ {names}"), style);
    }
    for cell in &block.cells {
        let (row, x) = (cell.at.0 + 2, starts[cell.at.1]);
        let (text, style) = value(cell);
        canvas.put(row, x, &text, style);
        if cell.at.0 == 0 {
            canvas.put(1, x, &cell.name, Style::Faint);
        }
        if cell.at.1 == 0 {
            let index = cell.path.split_inclusive(']').next().unwrap_or_default();
            canvas.put(row, 0, index, Style::Faint);
        }
    }
    canvas
}
