//! The definitions of macros in the file, and whether all their uses are known.
//!
//! With `#define N 5`, the `5` is one place for all uses of `N`. A use that the
//! syntax tree does not show, as in `int a[N]`, can not be modelled.

use std::collections::BTreeSet;

use c_syntax::{Source, Span, skip_space};

/// An identifier of the text, outside of comments and strings.
pub struct Word {
    pub span: Span,
    /// The line of a directive, with those that backslashes join to it; empty in code.
    pub line: Span,
    /// Whether it is the name that a `#define` defines.
    pub defines: bool,
}

/// All identifiers of a text.
pub fn words(bytes: &[u8]) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let (mut at, mut line_start, mut directive) = (0, true, Span::default());
    while at < bytes.len() {
        if at >= directive.end as usize && !directive.is_empty() {
            directive = Span::default();
        }
        match (bytes[at], bytes.get(at + 1)) {
            (b'\n', _) => {
                line_start = true;
                at += 1;
            }
            (b'/', Some(b'/' | b'*')) => {
                let end = skip_space(bytes, at).max(at + 1);
                line_start |= bytes[at..end.min(bytes.len())].contains(&b'\n');
                at = end;
            }
            (b'\\', Some(b'\n')) => at += 2,
            (byte, _) if byte.is_ascii_whitespace() => at += 1,
            (b'#', _) if line_start => {
                directive = Span::new(at, end_of_line(bytes, at));
                line_start = false;
                at += 1;
            }
            (quote @ (b'"' | b'\''), _) => {
                line_start = false;
                at = end_of_quote(bytes, at, quote);
            }
            (byte, _) if is_letter(byte) => {
                line_start = false;
                let end = (at..bytes.len()).find(|&i| !is_letter(bytes[i])).unwrap_or(bytes.len());
                let before = found.last().filter(|word| word.line == directive && !directive.is_empty());
                let defines = before
                    .is_some_and(|word| &bytes[word.span.start as usize..word.span.end as usize] == b"define")
                    && directive.start as usize + 1
                        == skip_back(bytes, before.map_or(0, |word| word.span.start as usize));
                if !byte.is_ascii_digit() {
                    found.push(Word { span: Span::new(at, end), line: directive, defines });
                }
                at = end;
            }
            _ => {
                line_start = false;
                at += 1;
            }
        }
    }
    found
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Just past the last byte before `at` that is no blank.
fn skip_back(bytes: &[u8], at: usize) -> usize {
    (0..at).rev().find(|&i| !bytes[i].is_ascii_whitespace()).map_or(0, |i| i + 1)
}

fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let joined = |newline: usize| bytes[..newline].strip_suffix(b"\r").unwrap_or(&bytes[..newline]).ends_with(b"\\");
    (start..bytes.len()).find(|&i| bytes[i] == b'\n' && !joined(i)).unwrap_or(bytes.len())
}

fn end_of_quote(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The macros of a file.
pub struct Definitions<'a> {
    source: &'a Source,
    words: Vec<Word>,
}

impl<'a> Definitions<'a> {
    pub fn of(source: &'a Source) -> Self {
        Definitions { source, words: words(&source.bytes) }
    }

    /// Whether `token` stands in a definition all whose uses are among these.
    pub fn all_used(&self, token: Span, uses: &[Span]) -> bool {
        let Some(definition) = self.words.iter().find(|word| word.defines && word.line.covers(token)) else {
            return false;
        };
        let names = self.names_with(BTreeSet::from([self.source.text(definition.span)]));
        let is_use = |word: &&Word| names.contains(&self.source.text(word.span)) && !self.is_no_use(word);
        self.words.iter().filter(is_use).all(|word| uses.iter().any(|place| place.covers(word.span)))
    }

    /// The macros that make texts or names of their arguments, and those whose bodies use them.
    pub fn pasting(&self) -> BTreeSet<String> {
        let pastes = |word: &&Word| {
            let body = Span { start: word.span.end, end: word.line.end };
            word.defines && self.source.text(body).contains('#')
        };
        self.names_with(self.words.iter().filter(pastes).map(|word| self.source.text(word.span)).collect())
    }

    /// Macros, and those whose bodies use them.
    fn names_with(&self, mut names: BTreeSet<String>) -> BTreeSet<String> {
        loop {
            let users = self.words.iter().filter(|word| word.defines).filter(|definition| {
                let inside = |word: &&Word| word.line == definition.line && word.span != definition.span;
                self.words.iter().filter(inside).any(|word| names.contains(&self.source.text(word.span)))
            });
            let more: Vec<String> = users.map(|word| self.source.text(word.span)).collect();
            let known = names.len();
            names.extend(more);
            if names.len() == known {
                return names;
            }
        }
    }

    /// Definitions are followed to their uses, and `#ifdef` asks only for the name.
    fn is_no_use(&self, word: &Word) -> bool {
        let line = self.source.text(word.line);
        let keyword = line.trim_start_matches('#').trim_start();
        ["define", "undef", "ifdef", "ifndef"].iter().any(|known| keyword.starts_with(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_of_macros_are_known() {
        let text = "/* x */ #define N 5 /* N */\n#define M (N + 1)\nint f(void) { return M; } // N\nint a[N];\n";
        let source = Source::new("a.c", text.as_bytes().to_vec());
        let definitions = Definitions::of(&source);
        let place = |what: &str| {
            let start = text.find(what).expect("it is there");
            Span::new(start, start + what.len())
        };
        assert!(definitions.all_used(place("5"), &[place("M; }"), place("N]")]));
        assert!(!definitions.all_used(place("5"), &[place("M; }")]));
        assert!(definitions.all_used(place("+"), &[place("M; }")]));
        assert!(!definitions.all_used(place("return"), &[place("M; }")]));
    }
}
