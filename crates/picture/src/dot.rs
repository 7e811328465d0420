//! Pictures as Graphviz graphs. Places are kept: `neato -n2` draws the same
//! arrangement, `dot` makes its own.

use std::fmt::Write;

use crate::cells::{Cell, Content};
use crate::graph::{Block, Standing};
use crate::picture::Picture;
use crate::svg::escape;

/// Writes `picture` as a Graphviz graph.
pub(crate) fn write(picture: &Picture) -> String {
    let mut lines = vec![
        "digraph memory {".to_string(),
        "  rankdir=LR;".to_string(),
        "  node [shape=plain, fontname=\"DejaVu Sans Mono\", fontsize=11];".to_string(),
    ];
    for (number, (block, rect)) in picture.graph.blocks.iter().zip(&picture.rects).enumerate() {
        let middle = rect.center();
        let place = format!("{:.1},{:.1}!", middle.x * 0.75, -middle.y * 0.75);
        lines.push(format!("  b{number} [label=<{}>, pos=\"{place}\"];", label(block)));
    }
    for edge in &picture.graph.edges {
        let cell = &picture.graph.blocks[edge.from].cells[edge.cell];
        let goal = edge.to.cell.map(|cell| format!(":c{cell}")).unwrap_or_default();
        let looks = looks(edge.dangling, cell.untracked, cell.changed, edge.role.is_back());
        lines.push(format!("  b{}:c{} -> b{}{goal}{looks};", edge.from, edge.cell, edge.to.block));
    }
    for (number, flag) in picture.graph.flags.iter().enumerate() {
        let goal = flag.to.cell.map(|cell| format!(":c{cell}")).unwrap_or_default();
        let middle = picture.flags[number].rect.center();
        let place = format!("{:.1},{:.1}!", middle.x * 0.75, -middle.y * 0.75);
        lines.push(format!("  v{number} [shape=plaintext, label=\"{}\", pos=\"{place}\"];", quote(&flag.name)));
        let looks = looks(flag.dangling, flag.untracked, flag.changed, false);
        lines.push(format!("  v{number} -> b{}{goal}{looks};", flag.to.block));
    }
    for (number, table) in picture.graph.tables.iter().enumerate() {
        let rows = table.rows.iter().map(|row| format!("{} = {}\\l", quote(&row.name), quote(&text(&row.content))));
        let rows: String = rows.collect();
        lines.push(format!("  t{number} [shape=box, label=\"{}\\n{rows}\"];", quote(&table.title)));
    }
    lines.push("}\n".to_string());
    lines.join("\n")
}

/// An HTML-like label: the title and one row of cells, each of them a port.
fn label(block: &Block) -> String {
    let color = match block.standing {
        Standing::Live => "black",
        Standing::Gone => "red",
        Standing::Unreachable => "gray",
    };
    let mut label = format!(
        "<TABLE COLOR=\"{color}\" BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\"><TR><TD BGCOLOR=\"#e8ecf1\"><B>{}</B></TD>",
        escape(&block.title)
    );
    for (number, cell) in block.cells.iter().enumerate() {
        let background = if cell.changed { " BGCOLOR=\"#ffe3c2\"" } else { "" };
        write!(label, "<TD PORT=\"c{number}\"{background}>{}</TD>", escape(&caption(cell)))
            .expect("writing to a string cannot fail");
    }
    label.push_str("</TR></TABLE>");
    label
}

fn caption(cell: &Cell) -> String {
    match (cell.name.is_empty(), text(&cell.content)) {
        (true, value) if value.is_empty() => " ".to_string(),
        (true, value) => value,
        (false, value) if value.is_empty() => cell.name.clone(),
        (false, value) => format!("{}: {value}", cell.name),
    }
}

fn text(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Null => "null".to_string(),
        Content::Gap => "…".to_string(),
        Content::Arrow(_) | Content::Dangling(_) => String::new(),
    }
}

/// The inside of a quoted string.
fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_control(), "?")
}

fn looks(dangling: bool, untracked: bool, changed: bool, back: bool) -> String {
    let choices = [
        (dangling, "color=red"),
        (!dangling && changed, "color=\"#c2570c\", penwidth=2"),
        (!dangling && !changed && back, "color=gray50"),
        (untracked, "style=dotted"),
        (back, "constraint=false"),
    ];
    let chosen: Vec<&str> = choices.iter().filter(|(holds, _)| *holds).map(|(_, look)| *look).collect();
    if chosen.is_empty() { String::new() } else { format!(" [{}]", chosen.join(", ")) }
}
