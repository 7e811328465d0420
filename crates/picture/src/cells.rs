//! Values to compartments: how a record, an array or a plain value is cut
//! into the cells of a box, and what is left out when it is long.

use std::collections::BTreeSet;

use memory::{Place, Value};

use crate::roles::Role;

/// How the cells of a box hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Named members.
    Record,
    /// An array in one row.
    Strip,
    /// An array of pointers, one below the other.
    Column,
    /// An array of arrays or records: rows and columns.
    Grid,
    /// One value without a name.
    Plain,
}

/// A compartment of a box.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The C path from the start of the object: `.next`, `[3].x`.
    pub path: String,
    /// What is written next to the value: a member's name or an index.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// The row and column in a grid, as shown, gaps included.
    pub at: (usize, usize),
    /// Whether it is highlighted.
    pub changed: bool,
    /// Whether its arrow is dotted.
    pub untracked: bool,
    /// What part its pointer plays.
    pub role: Role,
}

impl Cell {
    pub fn new(path: String, name: String, content: Content) -> Cell {
        Cell { path, name, content, at: (0, 0), changed: false, untracked: false, role: Role::Other }
    }

    fn gap() -> Cell {
        Cell::new(String::new(), String::new(), Content::Gap)
    }
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// Anything that reads well as text.
    Text(String),
    /// The null pointer.
    Null,
    /// A pointer, drawn as an arrow.
    Arrow(Place),
    /// A pointer to what is gone, drawn as a red arrow.
    Dangling(Place),
    /// Cells that are left out.
    Gap,
}

impl Content {
    /// Whether this is a pointer that may lead to another box.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Content::Null | Content::Arrow(_) | Content::Dangling(_))
    }

    pub fn place(&self) -> Option<&Place> {
        match self {
            Content::Arrow(place) | Content::Dangling(place) => Some(place),
            _ => None,
        }
    }

    pub fn of(value: &Value) -> Content {
        match value {
            Value::Null => Content::Null,
            Value::Pointer(place) => Content::Arrow(place.clone()),
            Value::Dangling(place) => Content::Dangling(place.clone()),
            _ => Content::Text(abbreviated(&value.to_string(), 24)),
        }
    }
}

/// At most `most` characters of `text`; a quote that is cut is closed again.
pub(crate) fn abbreviated(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    let close = if text.starts_with('"') { "\"" } else { "" };
    text.chars().take(most - 2).chain(['…']).chain(close.chars()).collect()
}

/// Paths that must be shown even where most cells are left out.
pub(crate) type Wanted<'a> = &'a BTreeSet<String>;

/// Cuts `value` into cells.
pub(crate) fn cut(value: &Value, type_name: &str, wanted: Wanted) -> (Kind, Vec<Cell>) {
    match value {
        Value::Record(members) => {
            let mut cells = Vec::new();
            members.iter().for_each(|(name, value)| member(&mut cells, "", name, value, wanted));
            limit(&mut cells, wanted);
            (Kind::Record, cells)
        }
        Value::Array(elements, left_out) if elements.iter().any(is_compound) => {
            (Kind::Grid, grid(elements, *left_out, wanted))
        }
        Value::Array(elements, left_out) => {
            let pointers = type_name.contains('*') || elements.iter().any(|e| Content::of(e).is_pointer());
            (if pointers { Kind::Column } else { Kind::Strip }, strip(elements, *left_out, wanted))
        }
        _ => (Kind::Plain, vec![Cell::new(String::new(), String::new(), Content::of(value))]),
    }
}

fn is_compound(value: &Value) -> bool {
    matches!(value, Value::Record(_) | Value::Array(..))
}

/// Adds the cells of one member; members of members are shown flat.
fn member(cells: &mut Vec<Cell>, prefix: &str, name: &str, value: &Value, wanted: Wanted) {
    let path = if name.is_empty() { prefix.to_string() } else { format!("{prefix}.{name}") };
    match value {
        Value::Record(members) => members.iter().for_each(|(name, value)| member(cells, &path, name, value, wanted)),
        Value::Array(elements, left_out) if is_worth_cells(elements, &path, wanted) => {
            for index in shown(elements, &path, wanted) {
                let path = format!("{path}[{index}]");
                cells.push(Cell::new(
                    path.clone(),
                    path.trim_start_matches('.').to_string(),
                    Content::of(&elements[index]),
                ));
            }
            if *left_out > 0 {
                cells.push(Cell::gap());
            }
        }
        _ => cells.push(Cell::new(path.clone(), path.trim_start_matches('.').to_string(), Content::of(value))),
    }
}

/// An array inside of a record is shown as text unless arrows start or end in it.
fn is_worth_cells(elements: &[Value], path: &str, wanted: Wanted) -> bool {
    elements.iter().any(|e| Content::of(e).is_pointer()) || wanted.iter().any(|w| is_below(w, path) && w != path)
}

/// A record with very many members keeps the first ones and those that matter.
fn limit(cells: &mut Vec<Cell>, wanted: Wanted) {
    const MOST: usize = 24;
    if cells.len() > MOST {
        let mut number = 0;
        cells.retain(|cell| {
            number += 1;
            number <= MOST || cell.content.place().is_some() || wanted.contains(&cell.path)
        });
        cells.truncate(2 * MOST);
        cells.push(Cell::gap());
    }
}

fn strip(elements: &[Value], left_out: u64, wanted: Wanted) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut expected = 0;
    for index in shown(elements, "", wanted) {
        if index != expected {
            cells.push(Cell::gap());
        }
        cells.push(Cell::new(format!("[{index}]"), index.to_string(), Content::of(&elements[index])));
        expected = index + 1;
    }
    if expected < elements.len() || left_out > 0 {
        cells.push(Cell::gap());
    }
    cells
}

/// The cells of an array of arrays or records, row by row.
fn grid(elements: &[Value], left_out: u64, wanted: Wanted) -> Vec<Cell> {
    let mut cells = Vec::new();
    let rows = shown(elements, "", wanted);
    for (row, &index) in rows.iter().enumerate() {
        let mut line = match cut(&elements[index], "", &BTreeSet::new()) {
            (Kind::Grid, _) => vec![Cell::new(String::new(), String::new(), Content::of(&elements[index]))],
            (_, line) => line,
        };
        for (column, cell) in line.iter_mut().enumerate() {
            cell.path = format!("[{index}]{}", cell.path);
            cell.at = (row, column);
        }
        cells.append(&mut line);
    }
    if rows.len() < elements.len() || left_out > 0 {
        let mut gap = Cell::gap();
        gap.at = (rows.len(), 0);
        cells.push(gap);
    }
    cells
}

/// The indexes of the elements that are shown: all of a short array; of a long
/// one the first, the last, and those where arrows start or end.
fn shown(elements: &[Value], path: &str, wanted: Wanted) -> Vec<usize> {
    const ALL: usize = 16;
    const FIRST: usize = 8;
    if elements.len() <= ALL {
        return (0..elements.len()).collect();
    }
    let prefix = format!("{path}[");
    let asked = wanted.iter().filter_map(|w| w.strip_prefix(&prefix)?.split(']').next()?.parse().ok());
    let arrows = (0..elements.len()).filter(|&i| Content::of(&elements[i]).place().is_some()).take(2 * ALL);
    let mut indexes: BTreeSet<usize> = (0..FIRST).chain([elements.len() - 1]).chain(arrows).collect();
    indexes.extend(asked.filter(|&i: &usize| i < elements.len()).take(ALL));
    indexes.into_iter().collect()
}

/// Whether the path `inner` is `outer` or something inside of it.
pub(crate) fn is_below(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
