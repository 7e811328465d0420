//! Insertions and removals of bytes, made all at once.
//!
//! Inserting `!` at 1 and removing 0..1 in `ab` gives `!b`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::patched::{Kept, Patched};

/// Which of several insertions at one byte comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// After the statement that begins at a byte: inner statements end first.
    After(Reverse<usize>),
    /// At the end of a block.
    BlockEnd,
    /// An opening brace after a head.
    Open,
    /// A new line where there were blanks.
    Break,
    /// Deeper indentation.
    Indent,
    /// Before a statement.
    Before,
    /// In the place of an expression.
    Replacement,
}

struct Insertion {
    at: usize,
    rank: Rank,
    text: String,
}

/// Changes of the user's bytes.
#[derive(Default)]
pub(crate) struct Changes {
    insertions: Vec<Insertion>,
    removals: Vec<Range<usize>>,
    breaks: BTreeSet<(usize, usize)>,
}

impl Changes {
    pub fn insert(&mut self, at: usize, rank: Rank, text: String) {
        if !text.is_empty() {
            self.insertions.push(Insertion { at, rank, text });
        }
    }

    pub fn remove(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.removals.push(range);
        }
    }

    /// Puts what follows some blanks on a new line, at most once.
    pub fn break_line(&mut self, blanks: Range<usize>, indentation: &str) {
        if self.breaks.insert((blanks.start, blanks.end)) {
            self.insert(blanks.start, Rank::Break, format!("\n{indentation}"));
            self.remove(blanks);
        }
    }

    /// The changed text.
    pub fn make(mut self, bytes: &[u8], newline: &str) -> Patched {
        let removals = joined(self.removals);
        let is_removed = |at: usize| removals.iter().any(|range| range.contains(&at));
        self.insertions.retain(|insertion| insertion.rank != Rank::Indent || !is_removed(insertion.at));
        self.insertions.sort_by_key(|insertion| (insertion.at, insertion.rank));
        let mut output = Output { bytes, removals, text: Vec::new(), kept: Vec::new() };
        let (mut at, mut replaced) = (0, Vec::new());
        for insertion in self.insertions {
            output.keep(at..insertion.at);
            at = insertion.at;
            if insertion.rank == Rank::Replacement {
                replaced.push((at as u32, output.text.len() as u32));
            }
            let text = insertion.text.replace("\r\n", "\n").replace('\n', newline);
            output.text.extend_from_slice(text.as_bytes());
        }
        output.keep(at..bytes.len());
        Patched { text: output.text, original: bytes.to_vec(), kept: output.kept, replaced }
    }
}

/// The text as it grows.
struct Output<'a> {
    bytes: &'a [u8],
    removals: Vec<Range<usize>>,
    text: Vec<u8>,
    kept: Vec<Kept>,
}

impl Output<'_> {
    /// Adds the bytes of a range that are not removed.
    fn keep(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let inside = |removal: &&Range<usize>| removal.end > range.start && removal.start < range.end;
        let gone: Vec<Range<usize>> = self.removals.iter().filter(inside).cloned().collect();
        for removal in gone {
            self.copy(at..removal.start);
            at = removal.end;
        }
        self.copy(at..range.end);
    }

    fn copy(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let new = self.text.len() as u32;
            self.text.extend_from_slice(&self.bytes[range.clone()]);
            self.kept.push(Kept { start: range.start as u32, end: range.end as u32, new });
        }
    }
}

/// The ranges in order, with those that touch or overlap as one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut found: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match found.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => found.push(range),
        }
    }
    found
}
