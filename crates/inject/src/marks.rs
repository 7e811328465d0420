//! What a file's comments say of how it is run.
//!
//! ```text
//! //~ FUNCTION: partition, quick_sort
//! //~ INPUT: 3 1 4        arguments of a run; nothing after the colon means none
//! //~ STDIN: 5\n6\n       what the program reads
//! ```
//!
//! `//~ UNSEEN:` marks inputs that nobody who makes or repairs a fault may look at.

use c_syntax::Source;

/// The functions that a file marks as those to be changed.
pub fn marked_functions(source: &Source) -> Vec<String> {
    let names = marks(source, "FUNCTION").into_iter().flat_map(|mark| split(&mark, |c| c == ',' || c.is_whitespace()));
    names.collect()
}

/// The arguments of each run that a file marks as seen.
pub fn marked_inputs(source: &Source) -> Vec<Vec<String>> {
    marks(source, "INPUT").iter().map(|mark| split(mark, char::is_whitespace)).collect()
}

/// What a file says that it reads; nothing if it says nothing.
pub fn marked_stdin(source: &Source) -> Vec<u8> {
    marks(source, "STDIN").first().map(|mark| unescape(mark)).unwrap_or_default()
}

fn split(text: &str, at: impl Fn(char) -> bool) -> Vec<String> {
    text.split(at).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// What stands after each `//~ NAME:`.
fn marks(source: &Source, name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(&source.bytes);
    let mark = |line: &str| {
        let (_, mark) = line.split_once("//~ ")?;
        Some(mark.strip_prefix(name)?.strip_prefix(':')?.trim().to_string())
    };
    text.lines().filter_map(mark).collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut found = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, if c == '\\' { characters.next() } else { None }) {
            ('\\', Some('n')) => found.push('\n'),
            ('\\', Some('t')) => found.push('\t'),
            ('\\', Some(other)) => found.push(other),
            (c, _) => found.push(c),
        }
    }
    found.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let text = "//~ FUNCTION: f, g\n//~ INPUT: 1 2\n//~ INPUT:\n//~ UNSEEN: 3\n//~ STDIN: a\\nb\\\\\n";
        let source = Source::new("a.c", text.as_bytes().to_vec());
        assert_eq!(marked_functions(&source), ["f", "g"]);
        assert_eq!(marked_inputs(&source), [vec!["1".to_string(), "2".into()], Vec::new()]);
        assert_eq!(marked_stdin(&source), b"a\nb\\");
    }
}
