//! The user's file and places in it.

use std::path::PathBuf;

/// A range of bytes in the user's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end.max(start) as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `offset` is one of its bytes.
    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether `other` lies within.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// The user's file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, as the user gave it.
    pub path: PathBuf,
    /// Its bytes. C files in old encodings exist, so this is not a `String`.
    pub bytes: Vec<u8>,
    lines: Vec<u32>,
}

impl Source {
    /// Takes a file's bytes.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(i, _)| i as u32 + 1)).collect();
        Source { path: path.into(), bytes, lines }
    }

    /// Line and column of a byte, both from 1; columns count bytes.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset);
        (line as u32, offset - self.lines[line - 1] + 1)
    }

    /// The line of a byte, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_column(offset).0
    }

    /// The byte at a line and column, both from 1.
    pub fn offset(&self, line: u32, column: u32) -> Option<u32> {
        let start = *self.lines.get(line.checked_sub(1)? as usize)?;
        Some((start + column.saturating_sub(1)).min(self.bytes.len() as u32))
    }

    /// Number of lines.
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The text of a line without its end.
    pub fn line_text(&self, line: u32) -> String {
        let Some(start) = self.offset(line, 1) else { return String::new() };
        let rest = &self.bytes[start as usize..];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).trim_end_matches('\r').to_string()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> String {
        let end = (span.end as usize).min(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[(span.start as usize).min(end)..end]).into_owned()
    }

    /// `file.c:12:5: message`, the line, and a caret under the place.
    pub fn caret(&self, span: Span, message: &str) -> String {
        let (line, column) = self.line_column(span.start);
        let text = self.line_text(line).replace('\t', " ");
        // Columns count bytes, carets stand under characters.
        let characters = |start: u32, end: u32| self.text(Span { start, end: end.max(start) }).chars().count();
        let start = span.start - (column - 1);
        let before = characters(start, span.start);
        let room = (text.chars().count() + 1).saturating_sub(before + 1).max(1);
        let width = characters(span.start, span.end).clamp(1, room);
        let gutter = line.to_string();
        let (blank, before) = (" ".repeat(gutter.len()), " ".repeat(before));
        let head = format!("{}:{line}:{column}: {message}", self.path.display());
        format!("{head}\n {gutter} | {text}\n {blank} | {before}{}", "^".repeat(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_lines_are_inverse() {
        let source = Source::new("a.c", b"int x;\n\nint y;".to_vec());
        assert_eq!(source.line_column(8), (3, 1));
        assert_eq!(source.offset(3, 5), Some(12));
        assert_eq!(source.line_text(3), "int y;");
    }

    #[test]
    fn the_caret_stands_under_the_place() {
        let source = Source::new("a.c", b"x = y->z;\n".to_vec());
        let shown = source.caret(Span::new(4, 8), "y is null");
        assert_eq!(shown, "a.c:1:5: y is null\n 1 | x = y->z;\n   |     ^^^^");
        let source = Source::new("a.c", "/* ä */ x;\n".as_bytes().to_vec());
        assert_eq!(source.caret(Span::new(9, 10), "here"), "a.c:1:10: here\n 1 | /* ä */ x;\n   |         ^");
    }
}
