//! A picture: everything with its place, ready to be written in some format.

use crate::areas::{Panel, panels, unreachable_areas};
use crate::flags::{self, Placed};
use crate::fold::fold;
use crate::geometry::{Curve, Point, Rect};
use crate::graph::{Graph, build};
use crate::layout::{self, Pin, Positions};
use crate::options::Options;
use crate::png::PngError;
use crate::route::route;
use crate::scene::Scene;
use crate::shape::{Shape, shape, stretch};
use crate::{dot, drawing, png, svg, terminal};

/// Space around everything.
const MARGIN: f64 = 18.0;

/// A drawn state.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(crate) graph: Graph,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) rects: Vec<Rect>,
    pub(crate) curves: Vec<Curve>,
    pub(crate) flags: Vec<Placed>,
    pub(crate) panels: Vec<Panel>,
    pub(crate) areas: Vec<Rect>,
    pub(crate) view: Rect,
    pub(crate) color: bool,
    positions: Positions,
}

/// Draws `state`. Boxes that have a place in `previous` stay there; without it
/// everything is laid out afresh.
pub fn draw(state: &memory::State, options: &Options, previous: Option<&Positions>) -> Picture {
    let mut before = previous.cloned().unwrap_or_default();
    let mut graph = build(state, options, &before.roles);
    if let Some(unfolded) = &options.unfolded {
        graph = fold(graph, unfolded, &mut before);
    }
    let previous = previous.is_some().then_some(&before);
    let shapes = shapes(&graph, previous);
    let layout = layout::place(&graph, &shapes, previous);
    let scene = Scene::new(&graph, &shapes, &layout.rects);
    let curves = route(&scene);
    let flags = flags::place(&scene, &curves);
    let areas = unreachable_areas(&scene);
    let mut content = content(&layout.rects, &curves, &flags, &areas);
    if let Some(view) = previous.and_then(|previous| previous.content) {
        content = content.map(|new| new.union(&view)).or(Some(view));
    }
    let panels = panels(&graph, content.unwrap_or_default());
    let all = panels.iter().map(|panel| panel.rect).chain(content).reduce(|a, b| a.union(&b));
    let positions = remember(&graph, &layout, content, &before);
    let (view, rects) = (all.unwrap_or_default().grown(MARGIN), layout.rects);
    Picture { graph, shapes, rects, curves, flags, panels, areas, view, color: options.color, positions }
}

fn shapes(graph: &Graph, previous: Option<&Positions>) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = graph.blocks.iter().map(shape).collect();
    for (block, shape) in graph.blocks.iter().zip(&mut shapes) {
        if let Some(old) = previous.and_then(|previous| previous.get(&block.object)) {
            stretch(block, shape, (old.w, old.h));
        }
    }
    shapes
}

/// The smallest rectangle around boxes, arrows and names.
fn content(rects: &[Rect], curves: &[Curve], flags: &[Placed], areas: &[Rect]) -> Option<Rect> {
    let at = |p: Point| Rect::new(p.x, p.y, 0.0, 0.0);
    let lines = curves.iter().flat_map(Curve::flat).map(at);
    let names = flags.iter().map(|flag| flag.rect);
    // The word above a frame belongs to it.
    let areas = areas.iter().map(|area| area.union(&area.shifted(0.0, -16.0)));
    rects.iter().copied().chain(lines).chain(names).chain(areas).reduce(|a, b| a.union(&b))
}

fn remember(graph: &Graph, layout: &layout::Layout, content: Option<Rect>, before: &Positions) -> Positions {
    let mut positions = before.clone();
    for (number, block) in graph.blocks.iter().enumerate() {
        // Once final, a place stays final, also while all links are cut for a moment.
        let settled = layout.settled[number] || positions.is_settled(&block.object);
        positions.pins.insert(block.object.clone(), Pin { rect: layout.rects[number], settled });
    }
    positions.roles.extend(graph.roles.iter().map(|(key, role)| (key.clone(), *role)));
    positions.content = content;
    positions
}

impl Picture {
    /// The places of this picture and of those before it, for the next one.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (f64, f64) {
        (self.view.w, self.view.h)
    }

    /// The places of the boxes that this picture shows.
    pub fn boxes(&self) -> impl Iterator<Item = (&memory::Object, Rect)> {
        self.graph.blocks.iter().map(|block| &block.object).zip(self.rects.iter().copied())
    }

    /// The picture as an SVG document. Boxes carry `data-node` (or
    /// `data-variable`), their cells `data-field`, rows of tables
    /// `data-entity`, arrows `data-from` and `data-to`.
    pub fn to_svg(&self) -> String {
        svg::write(self)
    }

    /// The picture as plain data.
    pub fn drawing(&self) -> drawing::Drawing {
        drawing::drawing(self)
    }

    /// The picture as a Graphviz graph with the same places (`neato -n2`).
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    /// The picture as text that fits a terminal of `width` columns.
    pub fn to_terminal(&self, width: usize) -> String {
        terminal::write(&self.graph, width, self.color)
    }

    /// The picture as a PNG file, `scale` pixels for each of [`size`](Picture::size).
    pub fn to_png(&self, scale: f32) -> Result<Vec<u8>, PngError> {
        png::render(&self.to_svg(), scale)
    }
}
