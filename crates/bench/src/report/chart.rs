//! The four kinds of plots of the page: dots over names, bars of parts, lines, and a grid of shares.

use super::format::{duration, number, percent, plain, whole_percent};
use super::plot::{Anchor, Bands, Scale, Svg};

/// The width of a plot over the whole page.
pub const WIDE: f64 = 960.0;
/// The width of one of two plots side by side.
pub const HALF: f64 = 468.0;

/// A value, and how far the values reach that it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The value.
    pub value: f64,
    /// The least and the most.
    pub reach: (f64, f64),
}

/// Times of several series over names, on a logarithmic axis.
#[derive(Clone, Debug, Default)]
pub struct Dots {
    /// The heading.
    pub title: String,
    /// The width of the plot.
    pub width: f64,
    /// What the axis shows.
    pub label: String,
    /// The names below.
    pub names: Vec<String>,
    /// By series: its name, and a dot for each of the names.
    pub series: Vec<(String, Vec<Option<Dot>>)>,
    /// A time to compare with, and what it is.
    pub reference: Option<(f64, String)>,
    /// The least and the most of the axis, if other plots share it.
    pub range: Option<(f64, f64)>,
    /// All series of a name stand in one column, joined by a line.
    pub joined: bool,
}

impl Dots {
    /// Draws it.
    pub fn draw(&self) -> String {
        let (height, left, top) = if self.width < WIDE { (270.0, 52.0, 58.0) } else { (330.0, 52.0, 46.0) };
        let mut svg = Svg::new(self.width, height, &self.title);
        let down = (top, height - 24.0);
        let (least, most) = self.range.unwrap_or_else(|| self.extent());
        let scale = Scale::log(least, most, (down.1, down.0));
        let bands = Bands { pixels: (left, self.width), count: self.names.len() };
        svg.bands(&bands, &self.names, down);
        svg.vertical(&scale, bands.pixels, &self.label, duration);
        self.draw_reference(&mut svg, &scale, bands.pixels);
        for index in 0..self.names.len() {
            self.draw_band(&mut svg, &scale, &bands, index);
        }
        let names: Vec<String> = self.series.iter().map(|(name, _)| name.clone()).collect();
        svg.legend(&names, if self.width < WIDE { 34.0 } else { 13.0 }, |svg, at, series| svg.mark(at, series, ""));
        svg.finish()
    }

    /// The least and the most of everything that is shown.
    pub fn extent(&self) -> (f64, f64) {
        let dots = self.series.iter().flat_map(|(_, dots)| dots.iter().flatten());
        let reaches = dots.flat_map(|dot| [dot.reach.0, dot.reach.1]);
        let values = reaches.chain(self.reference.as_ref().map(|(value, _)| *value)).filter(|&value| value > 0.0);
        let (least, most) = values.fold((f64::MAX, 0f64), |(least, most), value| (least.min(value), most.max(value)));
        if most > 0.0 { (least, most) } else { (1.0, 10.0) }
    }

    fn draw_reference(&self, svg: &mut Svg, scale: &Scale, across: (f64, f64)) {
        let Some((value, name)) = &self.reference else { return };
        let y = scale.at(*value);
        svg.line((across.0, y), (across.1, y), "rule");
        svg.text((across.1 - 4.0, y - 5.0), Anchor::End, "reference", name);
    }

    fn draw_band(&self, svg: &mut Svg, scale: &Scale, bands: &Bands, index: usize) {
        let columns = if self.joined { 1 } else { self.series.len() };
        let dots =
            self.series.iter().enumerate().filter_map(|(series, (_, dots))| Some((series, (*dots.get(index)?)?)));
        let dots: Vec<(usize, Dot)> = dots.collect();
        let x = |series: usize| bands.column(index, if self.joined { 0 } else { series }, columns);
        if self.joined {
            let heights: Vec<(f64, f64)> = dots.iter().map(|(_, dot)| (x(0), scale.at(dot.value))).collect();
            svg.path(&heights, "stem", "");
        }
        for &(series, dot) in &dots {
            if !self.joined {
                let (from, to) = (scale.at(dot.reach.0), scale.at(dot.reach.1));
                svg.line((x(series), from), (x(series), to), &format!("reach l{}", series % 8));
            }
            svg.mark((x(series), scale.at(dot.value)), series, &self.hint(index, series, dot));
        }
    }

    fn hint(&self, index: usize, series: usize, dot: Dot) -> String {
        let (name, series) = (&self.names[index], &self.series[series].0);
        format!("{name}, {series}: {} ms ({} to {} ms)", number(dot.value), number(dot.reach.0), number(dot.reach.1))
    }
}

/// Horizontal bars that are made of parts.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// The heading.
    pub title: String,
    /// What the axis shows.
    pub label: String,
    /// The names of the parts.
    pub parts: Vec<String>,
    /// By bar: its name and its parts.
    pub bars: Vec<(String, Vec<f64>)>,
    /// Bars are shares of their whole.
    pub shares: bool,
    /// The parts have an order, which their colours show.
    pub ordered: bool,
}

impl Bars {
    /// Draws it.
    pub fn draw(&self) -> String {
        let (row, left, top) = (24.0, 150.0, 46.0);
        let bottom = top + row * self.bars.len() as f64;
        let mut svg = Svg::new(WIDE, bottom + 40.0, &self.title);
        let most = self.bars.iter().map(|(_, parts)| parts.iter().sum::<f64>()).fold(0.0, f64::max);
        let scale = Scale::linear(if self.shares { 1.0 } else { most }, (left, WIDE - 16.0));
        svg.horizontal(&scale, (top - 4.0, bottom), &self.label, |value| self.tick(value));
        for (index, (name, parts)) in self.bars.iter().enumerate() {
            let y = top + row * index as f64;
            svg.text((left - 10.0, y + row / 2.0 + 1.0), Anchor::End, "key", name);
            self.draw_bar(&mut svg, &scale, y, name, parts);
        }
        svg.legend(&self.parts, 32.0, |svg, (x, y), part| {
            svg.rectangle((x - 5.0, y - 5.0), (10.0, 10.0), &self.colour(part), 1.0, "");
        });
        svg.finish()
    }

    fn draw_bar(&self, svg: &mut Svg, scale: &Scale, y: f64, name: &str, parts: &[f64]) {
        let whole = if self.shares { parts.iter().sum::<f64>().max(1e-9) } else { 1.0 };
        let mut before = 0.0;
        for (part, value) in parts.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let (from, to) = (scale.at(before / whole), scale.at((before + value) / whole));
            let hint = format!("{name}, {}: {}", self.parts[part], number(*value));
            svg.rectangle((from, y), (to - from - 0.7, 15.0), &self.colour(part), 1.0, &hint);
            before += value;
        }
    }

    fn tick(&self, value: f64) -> String {
        if self.shares { whole_percent(value) } else { plain(value) }
    }

    fn colour(&self, part: usize) -> String {
        if self.ordered { format!("s{}", part.min(6)) } else { format!("f{}", part % 8) }
    }
}

/// Lines over numbers.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The heading.
    pub title: String,
    /// What the axes show: the horizontal one, the vertical one.
    pub labels: (String, String),
    /// By line: its name and its points.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
    /// Points of the paper: the series, the point, what it is.
    pub paper: Vec<(usize, (f64, f64), String)>,
    /// The least and the most of the horizontal axis.
    pub across: (f64, f64),
    /// The most of the vertical axis if it is linear; times on a logarithmic axis without.
    pub most: Option<f64>,
    /// The horizontal axis shows shares.
    pub shares: bool,
}

impl Lines {
    const TOP: f64 = 46.0;
    const HEIGHT: f64 = 400.0;

    /// Draws it; the names of the lines stand at their ends.
    pub fn draw(&self) -> String {
        let (left, right, bottom) = (52.0, WIDE - 120.0, Self::HEIGHT - 40.0);
        let mut svg = Svg::new(WIDE, Self::HEIGHT, &self.title);
        let inset = if self.shares { 0.0 } else { 24.0 };
        let x = Scale::between(self.across, (left + inset, right - inset));
        let y = self.vertical((bottom, Self::TOP));
        let name = |value| if self.most.is_some() { plain(value) } else { duration(value) };
        svg.vertical(&y, (left, right), &self.labels.1, name);
        svg.horizontal(&x, (Self::TOP, bottom), &self.labels.0, |value| self.tick(value));
        svg.line((left, bottom), (right, bottom), "axis");
        for (index, (name, points)) in self.series.iter().enumerate() {
            let points: Vec<(f64, f64)> = points.iter().map(|point| (x.at(point.0), y.at(point.1))).collect();
            self.draw_line(&mut svg, index, name, &points);
        }
        for (series, point, hint) in &self.paper {
            let at = (x.at(point.0), y.at(point.1));
            svg.hollow(at, *series, hint);
            svg.text((at.0 + 10.0, at.1 + 14.0), Anchor::Start, "reference", hint);
        }
        self.name_lines(&mut svg, &y, right);
        svg.finish()
    }

    fn vertical(&self, pixels: (f64, f64)) -> Scale {
        let values = || self.series.iter().flat_map(|(_, points)| points.iter().map(|point| point.1));
        match self.most {
            Some(most) => Scale::linear(most, pixels),
            None => Scale::log(values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max), pixels),
        }
    }

    /// One line; more than eight of them repeat the colours with dashes.
    fn draw_line(&self, svg: &mut Svg, index: usize, name: &str, points: &[(f64, f64)]) {
        let dashes = ["", "6 3", "2 3"][index / 8 % 3];
        svg.path(points, &format!("line l{}", index % 8), dashes);
        for &at in points.iter().filter(|_| !self.shares) {
            svg.mark(at, index, name);
        }
    }

    /// Names right of the lines' ends, pushed apart where they would cover each other.
    fn name_lines(&self, svg: &mut Svg, y: &Scale, right: f64) {
        let ends = self.series.iter().enumerate();
        let ends = ends.filter_map(|(index, (name, points))| Some((y.at(points.last()?.1), index, name)));
        let mut ends: Vec<(f64, usize, &String)> = ends.collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut free = 0f64;
        for (at, index, name) in ends {
            let at = at.max(free);
            svg.mark((right + 12.0, at), index, "");
            svg.text((right + 22.0, at + 4.0), Anchor::Start, "key", name);
            free = at + 15.0;
        }
    }

    fn tick(&self, value: f64) -> String {
        if self.shares { whole_percent(value) } else { plain(value) }
    }
}

/// Shares over names and rows, as cells: what is not whole stands out.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The heading.
    pub title: String,
    /// The names above the columns.
    pub columns: Vec<String>,
    /// By row: its name, and a share for each column.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

impl Grid {
    /// Draws it.
    pub fn draw(&self) -> String {
        let (row, left, top) = (22.0, 130.0, 44.0);
        let mut svg = Svg::new(WIDE, top + row * self.rows.len() as f64 + 2.0, &self.title);
        let bands = Bands { pixels: (left, WIDE), count: self.columns.len() };
        for (index, name) in self.columns.iter().enumerate() {
            svg.text((bands.column(index, 0, 1), top - 7.0), Anchor::Middle, "", name);
        }
        for (index, (name, shares)) in self.rows.iter().enumerate() {
            let y = top + row * index as f64;
            svg.text((left - 10.0, y + 15.0), Anchor::End, "key", name);
            for (column, share) in shares.iter().enumerate().filter_map(|(column, share)| Some((column, (*share)?))) {
                let hint = format!("{}, {name}: {}", self.columns[column], percent(Some(share)));
                draw_cell(&mut svg, (bands.start(column), y), (bands.width() - 2.0, row - 2.0), share, &hint);
            }
        }
        svg.finish()
    }
}

/// A cell, the more orange the more is missing, with the whole percents.
fn draw_cell(svg: &mut Svg, corner: (f64, f64), size: (f64, f64), share: f64, hint: &str) {
    match share {
        share if share < 1.0 => svg.rectangle(corner, size, "lack", 0.25 + 0.6 * (1.0 - share), hint),
        _ => svg.rectangle(corner, size, "whole", 1.0, hint),
    }
    let percents = if share < 1.0 { (share * 100.0).round().min(99.0) } else { 100.0 };
    let middle = (corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0 + 3.6);
    svg.text(middle, Anchor::Middle, "value", &plain(percents));
}
