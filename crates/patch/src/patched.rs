//! The rewritten file: its text, where old bytes are now, and its diff.
//!
//! With `x` replaced by `long_name` in `x = 1;`, byte 2 is now byte 10.

use similar::TextDiff;

use crate::token::distance;

/// The rewritten file.
#[derive(Clone, Debug)]
pub struct Patched {
    /// The new text.
    pub text: Vec<u8>,
    pub(crate) original: Vec<u8>,
    /// In the order of the file.
    pub(crate) kept: Vec<Kept>,
    /// First byte of each replaced span, and of what stands there now.
    pub(crate) replaced: Vec<(u32, u32)>,
}

/// Bytes of the original that are in the new text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub start: u32,
    pub end: u32,
    /// Where the first one is now.
    pub new: u32,
}

/// A line that is not the same in both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine {
    /// Whether it is a line of the new text; otherwise it was one of the original.
    pub added: bool,
    /// Its number in the text that it is a line of.
    pub number: usize,
    /// The line of the original that it stands before, or is.
    pub before: usize,
    /// The line.
    pub text: String,
}

impl Patched {
    /// Where a byte of the original is in the new text; `None` if it was
    /// replaced or deleted. The first byte of a replaced span is at the first
    /// byte of its replacement, and the end of the file at the new end.
    pub fn map(&self, offset: u32) -> Option<u32> {
        if offset as usize == self.original.len() {
            return Some(self.text.len() as u32);
        }
        let next = self.kept.partition_point(|kept| kept.end <= offset);
        let kept = self.kept.get(next).filter(|kept| kept.start <= offset);
        let replaced = || self.replaced.iter().rev().find(|(old, _)| *old == offset).map(|(_, new)| *new);
        kept.map(|kept| kept.new + (offset - kept.start)).or_else(replaced)
    }

    /// The unified diff from `a/PATH` to `b/PATH` with three lines of context;
    /// empty if nothing changed. Bytes that are not UTF-8 are lost: use
    /// [`Patched::diff_bytes`] for files in old encodings.
    pub fn diff(&self, path: &str) -> String {
        String::from_utf8_lossy(&self.diff_bytes(path)).into_owned()
    }

    /// The unified diff as `git apply` takes it, in the encoding of the file.
    pub fn diff_bytes(&self, path: &str) -> Vec<u8> {
        let (old, new) = (lines(&self.original), lines(&self.text));
        let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
        let path = path.trim_start_matches("./").trim_start_matches('/');
        let mut text = Vec::new();
        if old != new {
            text.extend(format!("--- {}\n+++ {}\n", file_name("a", path), file_name("b", path)).bytes());
        }
        // Hunk by hunk: written as a whole, bytes that are not UTF-8 would be lost.
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            hunk.to_writer(&mut text).expect("writing to memory does not fail");
        }
        text
    }

    /// The changed lines, old ones before the new ones that stand in their place.
    pub fn changes(&self) -> Vec<ChangedLine> {
        let diff = self.diff("file.c");
        let (mut old, mut new) = (0, 0);
        let mut lines = Vec::new();
        for line in diff.lines().skip(2) {
            if let Some(header) = line.strip_prefix("@@ -") {
                let first =
                    |text: &str| text.split([',', ' ']).next().and_then(|number| number.parse().ok()).unwrap_or(0);
                old = first(header);
                new = header.split_once('+').map_or(0, |(_, rest)| first(rest));
                continue;
            }
            match line.split_at_checked(1) {
                Some(("-", text)) => {
                    lines.push(ChangedLine { added: false, number: old, before: old, text: text.to_string() });
                    old += 1;
                }
                Some(("+", text)) => {
                    lines.push(ChangedLine { added: true, number: new, before: old, text: text.to_string() });
                    new += 1;
                }
                Some(("\\", _)) => {}
                _ => (old, new) = (old + 1, new + 1),
            }
        }
        lines
    }

    /// The changed lines with their numbers, old ones with `-` and new ones with `+`.
    pub fn changed_lines(&self) -> String {
        let sign = |line: &ChangedLine| if line.added { '+' } else { '-' };
        let lines = self.changes();
        let lines = lines.iter().map(|line| format!("  {:>4} {}{}", line.number, sign(line), line.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Number of C tokens that the edits remove plus add, counted at each
    /// changed place by itself.
    pub fn tokens_changed(&self) -> usize {
        let end =
            Kept { start: self.original.len() as u32, end: self.original.len() as u32, new: self.text.len() as u32 };
        let (mut old, mut new, mut changed) = (0, 0, 0);
        for kept in self.kept.iter().chain([&end]) {
            let (old_end, new_end) = (kept.start as usize, kept.new as usize);
            changed += distance(&self.original[old..old_end], &self.text[new..new_end]);
            (old, new) = (kept.end as usize, new_end + (kept.end - kept.start) as usize);
        }
        changed
    }
}

/// Lines as git sees them: a lone carriage return ends none.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// A file's name in the head of a diff, as git writes it: odd names are quoted,
/// and a tab ends one with spaces.
fn file_name(side: &str, path: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '"' | '\\');
    match (path.contains(is_odd), path.contains(' ')) {
        (true, _) => format!("\"{side}/{}\"", path.chars().map(escaped).collect::<String>()),
        (false, true) => format!("{side}/{path}\t"),
        (false, false) => format!("{side}/{path}"),
    }
}

fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_ascii_control() => format!("\\{:03o}", c as u32),
        c => c.to_string(),
    }
}
