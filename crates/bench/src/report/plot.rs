//! What plots are made of: scales with their ticks, marks, axes, legends, as SVG.
//!
//! Colours are classes of the page's style, so that one plot serves the light and the dark page. Series differ
//! by shape as well as by colour.

use std::fmt::Write as _;

use super::page::escape;

/// Where values lie on a line of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    values: (f64, f64),
    pixels: (f64, f64),
    log: bool,
}

impl Scale {
    /// An axis on which equal differences have equal lengths, from 0 to a round number.
    pub fn linear(most: f64, pixels: (f64, f64)) -> Scale {
        let step = step(most);
        Scale { values: (0.0, (most / step - 1e-9).ceil().max(1.0) * step), pixels, log: false }
    }

    /// An axis from one value to another, as they are.
    pub fn between(values: (f64, f64), pixels: (f64, f64)) -> Scale {
        Scale { values, pixels, log: false }
    }

    /// An axis on which equal ratios have equal lengths, between powers of ten.
    pub fn log(least: f64, most: f64, pixels: (f64, f64)) -> Scale {
        let least = least.max(1e-4);
        let low = (least.log10() + 1e-9).floor();
        let high = (most.max(least).log10() - 1e-9).ceil().max(low + 1.0);
        Scale { values: (10f64.powf(low), 10f64.powf(high)), pixels, log: true }
    }

    /// Where a value lies; values outside of the axis lie at its end.
    pub fn at(&self, value: f64) -> f64 {
        let map = |value: f64| if self.log { value.max(1e-12).log10() } else { value };
        let (low, high) = (map(self.values.0), map(self.values.1));
        let share = ((map(value) - low) / (high - low)).clamp(0.0, 1.0);
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }

    /// The values that are named.
    pub fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.values;
        if self.log {
            let powers = low.log10().round() as i32..=high.log10().round() as i32;
            return powers.map(|power| 10f64.powi(power)).collect();
        }
        let step = step(high - low);
        let first = (low / step).ceil() as i64;
        (first..=(high / step + 1e-9).floor() as i64).map(|index| index as f64 * step).collect()
    }

    /// The values between powers of ten that have a gridline and no name.
    fn minor(&self) -> Vec<f64> {
        let few = self.log && self.ticks().len() <= 4;
        let powers = self.ticks().into_iter().filter(|&tick| few && tick < self.values.1 * 0.99);
        powers.flat_map(|power| [2.0, 5.0].map(|times| times * power)).collect()
    }
}

/// The distance of about five ticks: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    let rough = (range / 5.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= rough * 0.999);
    times.unwrap_or(10.0) * power
}

/// Places of equal width side by side.
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// Where the first begins and the last ends.
    pub pixels: (f64, f64),
    /// How many there are.
    pub count: usize,
}

impl Bands {
    /// How wide each of them is.
    pub fn width(&self) -> f64 {
        (self.pixels.1 - self.pixels.0) / self.count.max(1) as f64
    }

    /// Where one of them begins.
    pub fn start(&self, index: usize) -> f64 {
        self.pixels.0 + self.width() * index as f64
    }

    /// The middle of one of several columns inside of a band.
    pub fn column(&self, index: usize, column: usize, columns: usize) -> f64 {
        let inner = self.width() * 0.72 / columns.max(1) as f64;
        self.start(index) + self.width() * 0.14 + inner * (column as f64 + 0.5)
    }
}

/// Where a text is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its start.
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

/// A picture that is being drawn.
#[derive(Clone, Debug)]
pub struct Svg {
    size: (f64, f64),
    title: String,
    body: String,
}

impl Svg {
    /// An empty picture with a heading.
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut svg = Svg { size: (width, height), title: title.to_string(), body: String::new() };
        svg.text((0.0, 13.0), Anchor::Start, "heading", title);
        svg
    }

    /// The picture as an element of the page.
    pub fn finish(self) -> String {
        let (width, height) = self.size;
        let title = escape(&self.title);
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n<title>{title}</title>\n{}</svg>\n",
            self.body
        )
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// A rectangle with a text that is shown when it is pointed at, and how much it covers what is below.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), class: &str, opacity: f64, hint: &str) {
        let ((x, y), (width, height)) = (corner, size);
        let opacity = if opacity < 1.0 { format!(" fill-opacity=\"{opacity:.2}\"") } else { String::new() };
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"{opacity}>{}</rect>",
            width.max(0.0),
            height.max(0.0),
            hint_html(hint)
        );
    }

    /// A text.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let ((x, y), text) = (at, escape(text));
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// A line through several points.
    pub fn path(&mut self, points: &[(f64, f64)], class: &str, dashes: &str) {
        let points = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let _ = writeln!(self.body, "<polyline class=\"{class}\"{dashes} points=\"{points}\"/>");
    }

    /// The mark of a series: circle, square, triangle, diamond, and again.
    pub fn mark(&mut self, at: (f64, f64), series: usize, hint: &str) {
        self.shape(at, series, &format!("f{}", series % 8), 3.6, hint);
    }

    /// The mark of a series as an outline, for what comes from the paper.
    pub fn hollow(&mut self, at: (f64, f64), series: usize, hint: &str) {
        self.shape(at, series, &format!("hollow l{}", series % 8), 5.5, hint);
    }

    fn shape(&mut self, (x, y): (f64, f64), series: usize, class: &str, r: f64, hint: &str) {
        let hint = hint_html(hint);
        let corners = |offsets: &[(f64, f64)]| {
            let corner = |(dx, dy): &(f64, f64)| format!("{:.1},{:.1}", x + dx * r, y + dy * r);
            offsets.iter().map(corner).collect::<Vec<_>>().join(" ")
        };
        let points = match series % 4 {
            0 => {
                let _ = writeln!(
                    self.body,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\">{hint}</circle>"
                );
                return;
            }
            1 => corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            2 => corners(&[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)]),
            _ => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        };
        let _ = writeln!(self.body, "<polygon class=\"{class}\" points=\"{points}\">{hint}</polygon>");
    }

    /// Gridlines and names of a vertical axis; what it shows stands above its end.
    pub fn vertical(&mut self, scale: &Scale, across: (f64, f64), label: &str, name: impl Fn(f64) -> String) {
        for value in scale.minor().into_iter().chain(scale.ticks()) {
            self.line((across.0, scale.at(value)), (across.1, scale.at(value)), "grid");
        }
        for value in scale.ticks() {
            self.text((across.0 - 6.0, scale.at(value) + 3.8), Anchor::End, "", &name(value));
        }
        let top = scale.pixels.0.min(scale.pixels.1);
        self.text((0.0, top - 10.0), Anchor::Start, "", &format!("↑ {label}"));
    }

    /// Gridlines and names of a horizontal axis; what it shows stands below its end.
    pub fn horizontal(&mut self, scale: &Scale, down: (f64, f64), label: &str, name: impl Fn(f64) -> String) {
        for value in scale.ticks() {
            self.line((scale.at(value), down.0), (scale.at(value), down.1), "grid");
            self.text((scale.at(value), down.1 + 16.0), Anchor::Middle, "", &name(value));
        }
        self.line((scale.pixels.0, down.1), (scale.pixels.1, down.1), "axis");
        self.text((scale.pixels.1, down.1 + 33.0), Anchor::End, "", &format!("{label} →"));
    }

    /// Every other band shaded, and the names below.
    pub fn bands(&mut self, bands: &Bands, names: &[String], down: (f64, f64)) {
        for (index, name) in names.iter().enumerate() {
            if index % 2 == 0 {
                self.rectangle((bands.start(index), down.0), (bands.width(), down.1 - down.0), "band", 1.0, "");
            }
            let class = if bands.width() < 28.0 { "tiny" } else { "" };
            self.text((bands.column(index, 0, 1), down.1 + 15.0), Anchor::Middle, class, name);
        }
    }

    /// The names of series in a row, each after what `key` draws for it; the row ends at the right edge.
    pub fn legend(&mut self, names: &[String], baseline: f64, key: impl Fn(&mut Svg, (f64, f64), usize)) {
        let width = |name: &String| name.chars().count() as f64 * 6.3 + 26.0;
        let mut x = (self.size.0 - names.iter().map(width).sum::<f64>()).max(0.0);
        for (index, name) in names.iter().enumerate() {
            key(self, (x + 5.0, baseline - 4.0), index);
            self.text((x + 14.0, baseline), Anchor::Start, "key", name);
            x += width(name);
        }
    }
}

/// A title inside of a shape, which is shown when it is pointed at.
fn hint_html(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("<title>{}</title>", escape(hint)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_axes_begin_at_zero_and_end_at_a_tick() {
        let scale = Scale::linear(187.0, (0.0, 100.0));
        assert_eq!(scale.ticks(), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!((scale.at(0.0), scale.at(100.0), scale.at(1e9)), (0.0, 50.0, 100.0));
    }

    #[test]
    fn logarithmic_axes_lie_between_powers_of_ten() {
        let scale = Scale::log(0.3, 90.0, (300.0, 0.0));
        assert_eq!(scale.ticks().len(), 4);
        assert!((scale.at(1.0) - 200.0).abs() < 1e-6);
        assert_eq!(Scale::log(10.0, 10.0, (0.0, 1.0)).ticks(), [10.0, 100.0]);
    }

    #[test]
    fn nothing_breaks_an_axis() {
        assert!(Scale::linear(0.0, (0.0, 1.0)).at(0.0).is_finite());
        assert!(Scale::log(0.0, 0.0, (0.0, 1.0)).at(0.0).is_finite());
    }

    #[test]
    fn columns_lie_inside_of_their_band() {
        let bands = Bands { pixels: (100.0, 200.0), count: 4 };
        assert!(bands.column(3, 2, 3) < 200.0 && bands.column(3, 0, 3) > bands.start(3));
    }
}
