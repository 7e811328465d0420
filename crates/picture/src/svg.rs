//! Pictures as SVG.
//!
//! Everything that a page may want to find carries its name: boxes `data-node`
//! or `data-variable`, their cells `data-field`, rows of tables `data-entity`,
//! arrows `data-from` and `data-to`. Looks are classes with an embedded style sheet, which follows
//! the reader's choice of light or dark.

use std::fmt::Write;

use memory::{Entity, Object};

use crate::areas::{LINE, Panel};
use crate::cells::{Cell, Content};
use crate::geometry::{Curve, Point, Rect};
use crate::graph::{Block, Edge, Flag, Standing, Table};
use crate::picture::Picture;
use crate::roles::Role;
use crate::shape::{Anchor, CellShape};

const STYLE: &str = include_str!("style.css");

/// Writes `picture` as an SVG document.
pub(crate) fn write(picture: &Picture) -> String {
    let mut svg = Svg { picture, text: String::with_capacity(1200 * picture.graph.blocks.len() + 4000) };
    svg.head();
    svg.areas();
    for (table, panel) in picture.graph.tables.iter().zip(&picture.panels) {
        svg.panel(table, panel);
    }
    (0..picture.graph.blocks.len()).for_each(|block| svg.block(block));
    for (edge, curve) in picture.graph.edges.iter().zip(&picture.curves) {
        svg.edge(edge, curve);
    }
    for number in 0..picture.graph.flags.len() {
        svg.flag(number);
    }
    svg.text.push_str("</svg>\n");
    svg.text
}

/// `text` with everything escaped that XML gives a meaning. Characters that
/// XML forbids are shown as a question mark.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A coordinate with at most one digit after the point.
fn n(value: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (value * 10.0).round() / 10.0 + 0.0
}

fn rect_attributes(rect: &Rect) -> String {
    format!(r#"x="{}" y="{}" width="{}" height="{}""#, n(rect.x), n(rect.y), n(rect.w), n(rect.h))
}

/// Classes that depend on conditions.
fn classes(first: &str, conditions: &[(bool, &str)]) -> String {
    let more = conditions.iter().filter(|(holds, _)| *holds).map(|(_, class)| *class);
    std::iter::once(first).chain(more).collect::<Vec<_>>().join(" ")
}

/// How an object is called in attributes: `n3`, `head`, `main:x`.
fn name_of(object: &Object) -> String {
    match object {
        Object::Gone => "gone".to_string(),
        object => object.to_string(),
    }
}

/// The attribute by which a page finds a box.
fn data_of(object: &Object) -> String {
    match object {
        Object::Node(id) => format!(r#"data-node="{id}""#),
        object => format!(r#"data-variable="{}""#, escape(&name_of(object))),
    }
}

struct Svg<'a> {
    picture: &'a Picture,
    text: String,
}

impl Svg<'_> {
    fn line(&mut self, text: std::fmt::Arguments) {
        self.text.write_fmt(text).expect("writing to a string cannot fail");
        self.text.push('\n');
    }

    fn head(&mut self) {
        let view = self.picture.view;
        let (x, y, w, h) = (n(view.x), n(view.y), n(view.w), n(view.h));
        self.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" class="memory">"#
        ));
        self.line(format_args!("<style>\n{STYLE}</style>"));
        self.line(format_args!(r#"<rect class="paper" {}/>"#, rect_attributes(&view)));
    }

    fn text(&mut self, at: Point, anchor: Anchor, class: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y) = (n(at.x), n(at.y));
        self.line(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{}</text>"#, escape(text)));
    }

    fn areas(&mut self) {
        for area in &self.picture.areas {
            self.line(format_args!(r#"<rect class="area" {} rx="6"/>"#, rect_attributes(area)));
            self.text(Point::new(area.x + 2.0, area.y - 4.0), Anchor::Start, "note", "unreachable");
        }
    }

    fn panel(&mut self, table: &Table, panel: &Panel) {
        let Rect { x, y, w, .. } = panel.rect;
        self.line(format_args!(r#"<g class="table">"#));
        self.line(format_args!(r#"<rect class="box" {} rx="3"/>"#, rect_attributes(&panel.rect)));
        let head = Rect::new(x, y, w, LINE);
        self.line(format_args!(r#"<rect class="tab" {} rx="3"/>"#, rect_attributes(&head)));
        self.text(Point::new(x + 8.0, y + 14.0), Anchor::Start, "title", &table.title);
        for (number, row) in table.rows.iter().enumerate() {
            let top = y + LINE * (number + 1) as f64 + 2.0;
            let class = classes("row", &[(row.changed, "changed")]);
            self.line(format_args!(r#"<g class="{class}" data-entity="{}">"#, escape(&row.entity.to_string())));
            let back = Rect::new(x + 2.0, top, w - 4.0, LINE - 1.0);
            self.line(format_args!(r#"<rect class="cell" {}/>"#, rect_attributes(&back)));
            self.text(Point::new(x + 8.0, top + 14.0), Anchor::Start, "label", &row.name);
            match &row.content {
                Content::Null => self.ground(Point::new(x + panel.value_x + 8.0, top + 8.0)),
                Content::Text(text) => {
                    self.text(Point::new(x + panel.value_x, top + 14.0), Anchor::Start, "value", text)
                }
                _ => {}
            }
            self.line(format_args!("</g>"));
        }
        self.line(format_args!("</g>"));
    }

    fn block(&mut self, number: usize) {
        let (block, shape, at) =
            (&self.picture.graph.blocks[number], &self.picture.shapes[number], self.picture.rects[number]);
        let class = classes(
            "node",
            &[
                (block.standing == Standing::Gone, "gone"),
                (block.standing == Standing::Unreachable, "unreachable"),
                (block.changed, "changed"),
            ],
        );
        self.line(format_args!(r#"<g class="{class}" {}>"#, data_of(&block.object)));
        if !block.type_name.is_empty() {
            self.line(format_args!("<title>{}: {}</title>", escape(&block.title), escape(&block.type_name)));
        }
        let (body, tab) = (shape.body.shifted(at.x, at.y), shape.tab.shifted(at.x, at.y));
        self.line(format_args!(r#"<rect class="box" {} rx="3"/>"#, rect_attributes(&body)));
        self.line(format_args!(r#"<rect class="tab" {} rx="3"/>"#, rect_attributes(&tab)));
        let title_at = Point::new(tab.center().x, tab.center().y + 4.0);
        self.text(title_at, Anchor::Middle, "title", &block.title);
        for (cell, drawn) in block.cells.iter().zip(&shape.cells) {
            self.cell(block, cell, drawn, at);
        }
        for (place, anchor, text) in &shape.notes {
            self.text(place.shifted(at.x, at.y), *anchor, "name", text);
        }
        if block.standing == Standing::Gone {
            let (x, y, r, b) = (n(body.x), n(body.y), n(body.right()), n(body.bottom()));
            self.line(format_args!(r#"<path class="cross" d="M{x} {y}L{r} {b}M{x} {b}L{r} {y}"/>"#));
        }
        self.line(format_args!("</g>"));
    }

    fn cell(&mut self, block: &Block, cell: &Cell, drawn: &CellShape, at: Rect) {
        let class = classes("slot", &[(cell.changed, "changed")]);
        let field = cell.path.strip_prefix('.').unwrap_or(&cell.path);
        self.line(format_args!(r#"<g class="{class}" data-field="{}">"#, escape(field)));
        self.line(format_args!(r#"<rect class="cell" {}/>"#, rect_attributes(&drawn.rect.shifted(at.x, at.y))));
        // In a grid, names stand above the columns and not in each cell.
        if block.kind != crate::cells::Kind::Grid {
            self.text(drawn.name_at.0.shifted(at.x, at.y), drawn.name_at.1, "name", &cell.name);
        }
        let (value_at, dot) = (drawn.value_at.shifted(at.x, at.y), drawn.dot.shifted(at.x, at.y));
        match &cell.content {
            Content::Text(text) => {
                let class = if text == "?" { "value unwritten" } else { "value" };
                self.text(value_at, Anchor::Middle, class, text);
            }
            Content::Null => self.ground(dot),
            Content::Arrow(_) | Content::Dangling(_) => {
                self.line(format_args!(r#"<circle class="dot" cx="{}" cy="{}" r="3"/>"#, n(dot.x), n(dot.y)));
            }
            Content::Gap => self.text(value_at, Anchor::Middle, "value", "…"),
        }
        self.line(format_args!("</g>"));
    }

    /// The sign for null: an earthed wire.
    fn ground(&mut self, at: Point) {
        let (x, y) = (n(at.x), n(at.y));
        self.line(format_args!(r#"<path class="ground" d="M{x} {}v6m-7 0h14m-11.5 3.5h9m-6.5 3.5h4"/>"#, n(y - 6.0)));
    }

    fn edge(&mut self, edge: &Edge, curve: &Curve) {
        let (from, to) = (&self.picture.graph.blocks[edge.from], &self.picture.graph.blocks[edge.to.block]);
        let cell = &from.cells[edge.cell];
        let class = classes(
            "edge",
            &[
                (edge.role.is_back(), "back"),
                (edge.role == Role::Parent, "parent"),
                (edge.dangling, "dangling"),
                (cell.untracked, "untracked"),
                (cell.changed, "changed"),
                (from.standing == Standing::Unreachable, "unreachable"),
            ],
        );
        let source = escape(&format!("{}{}", name_of(&from.object), cell.path));
        let goal = edge.to.cell.map(|cell| to.cells[cell].path.as_str()).unwrap_or_default();
        let target = escape(&format!("{}{goal}", name_of(&to.object)));
        self.line(format_args!(r#"<g class="{class}" data-from="{source}" data-to="{target}">"#));
        self.arrow(curve);
        self.line(format_args!("</g>"));
    }

    fn arrow(&mut self, curve: &Curve) {
        let (end, angle) = (curve.end(), curve.end_angle());
        let wing = |turn: f64| end.shifted(-9.0 * (angle + turn).cos(), -9.0 * (angle + turn).sin());
        let (a, b) = (wing(0.42), wing(-0.42));
        self.line(format_args!(r#"<path class="line" d="{}"/>"#, path(&curve.shortened(6.0))));
        self.line(format_args!(
            r#"<path class="head" d="M{} {}L{} {}L{} {}z"/>"#,
            n(end.x),
            n(end.y),
            n(a.x),
            n(a.y),
            n(b.x),
            n(b.y)
        ));
    }

    fn flag(&mut self, number: usize) {
        let (Flag { name, entity, to, dangling, changed, untracked }, placed) =
            (&self.picture.graph.flags[number], &self.picture.flags[number]);
        let conditions = [(*dangling, "dangling"), (*untracked, "untracked"), (*changed, "changed")];
        let class = classes("flag edge", &conditions);
        let target = escape(&name_of(&self.picture.graph.blocks[to.block].object));
        let from = escape(&Entity::to_string(entity));
        self.line(format_args!(r#"<g class="{class}" data-from="{from}" data-to="{target}">"#));
        self.arrow(&Curve::Line(placed.pole.to_vec()));
        self.line(format_args!(r#"<rect class="pill" {} rx="4"/>"#, rect_attributes(&placed.rect)));
        let middle = placed.rect.center();
        self.text(Point::new(middle.x, middle.y + 4.0), Anchor::Middle, "label", name);
        self.line(format_args!("</g>"));
    }
}

/// The path of a curve; corners of lines are rounded.
fn path(curve: &Curve) -> String {
    match curve {
        Curve::Line(points) => rounded(points),
        Curve::Cubic(p) => {
            let [a, b, c, d] = p.map(|p| format!("{} {}", n(p.x), n(p.y)));
            format!("M{a}C{b} {c} {d}")
        }
    }
}

fn rounded(points: &[Point]) -> String {
    let mut path = String::new();
    for (number, &point) in points.iter().enumerate() {
        let neighbours = (number.checked_sub(1).and_then(|i| points.get(i)), points.get(number + 1));
        let piece = match neighbours {
            (Some(&before), Some(&after)) => {
                let radius = 9.0f64.min(point.distance(before) / 2.0).min(point.distance(after) / 2.0);
                let near = |other: Point| point.towards(other, radius / point.distance(other).max(0.1));
                let (a, b) = (near(before), near(after));
                format!("L{} {}Q{} {} {} {}", n(a.x), n(a.y), n(point.x), n(point.y), n(b.x), n(b.y))
            }
            (None, _) => format!("M{} {}", n(point.x), n(point.y)),
            _ => format!("L{} {}", n(point.x), n(point.y)),
        };
        path.push_str(&piece);
    }
    path
}
