//! Rectangles of styled characters, put together side by side or one below the other.

/// How a character looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Style {
    #[default]
    Plain,
    Title,
    Name,
    Changed,
    Gone,
    Faint,
}

impl Style {
    /// The escape sequence that starts the style.
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Title => "\x1b[1m",
            Style::Name => "\x1b[34m",
            Style::Changed => "\x1b[1;33m",
            Style::Gone => "\x1b[31m",
            Style::Faint => "\x1b[2m",
        }
    }
}

/// Lines of styled characters; a short line counts as filled up with blanks.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas {
    pub lines: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    pub fn width(&self) -> usize {
        self.lines.iter().map(Vec::len).max().unwrap_or(0)
    }

    pub fn height(&self) -> usize {
        self.lines.len()
    }

    /// Writes `text` at a place, over what was there.
    pub fn put(&mut self, row: usize, column: usize, text: &str, style: Style) {
        if self.lines.len() <= row {
            self.lines.resize(row + 1, Vec::new());
        }
        let line = &mut self.lines[row];
        let length = text.chars().count();
        if line.len() < column + length {
            line.resize(column + length, (' ', Style::Plain));
        }
        for (i, c) in text.chars().enumerate() {
            line[column + i] = (if c.is_control() { '?' } else { c }, style);
        }
    }

    /// Adds text to the end of a line.
    pub fn append(&mut self, row: usize, text: &str, style: Style) {
        let column = self.lines.get(row).map_or(0, Vec::len);
        self.put(row, column, text, style);
    }

    /// Copies `other` to a place; its blanks cover nothing.
    pub fn draw(&mut self, row: usize, column: usize, other: &Canvas) {
        for (i, line) in other.lines.iter().enumerate() {
            for (j, &(c, style)) in line.iter().enumerate().filter(|(_, (c, _))| *c != ' ') {
                self.put(row + i, column + j, c.encode_utf8(&mut [0; 4]), style);
            }
        }
    }

    /// Adds `other` below.
    pub fn stack(&mut self, other: Canvas) {
        self.lines.extend(other.lines);
    }

    /// Everything in one style, as for what no variable leads to.
    pub fn restyled(mut self, style: Style) -> Canvas {
        self.lines.iter_mut().flatten().for_each(|glyph| glyph.1 = style);
        self
    }

    /// The text, with colours if asked for, cut off at `width`.
    pub fn to_text(&self, width: usize, color: bool) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let kept = line.iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1);
            let cut = kept > width;
            let mut style = Style::Plain;
            for &(c, next) in &line[..if cut { width.saturating_sub(1) } else { kept }] {
                if color && next != style {
                    text.push_str(if style == Style::Plain { "" } else { "\x1b[0m" });
                    text.push_str(next.code());
                    style = next;
                }
                text.push(c);
            }
            text.push_str(if style == Style::Plain { "" } else { "\x1b[0m" });
            text.push_str(if cut { "…\n" } else { "\n" });
        }
        text
    }
}
