//! The macros without parameters that a file defines.
//!
//! clang's tree has no macros, so they are read from the text: lines that
//! backslashes join are one, and a comment is a space, as the preprocessor has
//! it. Of conditions only those are decided that the file itself tells.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::place::end_of_quote;

/// The bodies of the macros without parameters that are defined at the end of the file.
pub(crate) fn object_like(bytes: &[u8]) -> BTreeMap<Arc<str>, String> {
    let mut reader = Reader::default();
    for line in plain_text(bytes).split(|&byte| byte == b'\n') {
        if let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") {
            reader.directive(&String::from_utf8_lossy(directive));
        }
    }
    reader.bodies
}

/// The text with joined lines, and without comments: each is one space.
fn plain_text(bytes: &[u8]) -> Vec<u8> {
    let bytes = &joined(bytes);
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let start = at;
        at = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => at + line_length(&bytes[at..]),
            (b'/', Some(b'*')) => {
                let inside = bytes[at + 2..].windows(2).position(|window| window == b"*/");
                inside.map_or(bytes.len(), |length| at + length + 4)
            }
            // A quote that nobody closes, as in `#error don't`, ends with its line.
            (quote @ (b'"' | b'\''), _) => {
                let line = at + line_length(&bytes[at..]);
                (end_of_quote(&bytes[..line], at, quote) + 1).min(line)
            }
            _ => at + 1,
        };
        match (bytes[start], bytes.get(start + 1)) {
            (b'/', Some(b'/' | b'*')) => plain.push(b' '),
            _ => plain.extend_from_slice(&bytes[start..at]),
        }
    }
    plain
}

/// The text without backslashes at the ends of lines.
fn joined(bytes: &[u8]) -> Vec<u8> {
    let (mut joined, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
    while let Some((&first, after)) = rest.split_first() {
        let next_line = match first {
            b'\\' => after.strip_prefix(b"\n").or_else(|| after.strip_prefix(b"\r\n")),
            _ => None,
        };
        if next_line.is_none() {
            joined.push(first);
        }
        rest = next_line.unwrap_or(after);
    }
    joined
}

fn line_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len())
}

#[derive(Default)]
struct Reader {
    bodies: BTreeMap<Arc<str>, String>,
    /// All macros that are defined now, those with parameters too.
    defined: BTreeSet<String>,
    /// The conditions that are open, innermost last.
    conditions: Vec<Condition>,
}

/// An `#if`, as far as it was read.
struct Condition {
    /// Whether this part is left out.
    is_left_out: bool,
    /// Whether a part was taken for certain, so that all others are left out.
    is_settled: bool,
}

impl Reader {
    fn directive(&mut self, text: &str) {
        let (keyword, rest) = name_and_rest(text.trim_start());
        match keyword {
            "if" | "ifdef" | "ifndef" => {
                let holds = self.holds(keyword, rest.trim());
                self.conditions.push(Condition { is_left_out: holds == Some(false), is_settled: holds == Some(true) });
            }
            "elif" | "else" => {
                let holds = if keyword == "else" { None } else { self.holds("if", rest.trim()) };
                if let Some(condition) = self.conditions.last_mut() {
                    condition.is_left_out = condition.is_settled || holds == Some(false);
                    condition.is_settled |= holds == Some(true);
                }
            }
            "endif" => {
                self.conditions.pop();
            }
            _ if self.conditions.iter().any(|condition| condition.is_left_out) => {}
            "define" => self.define(rest.trim()),
            "undef" => {
                let (name, _) = name_and_rest(rest.trim());
                self.defined.remove(name);
                self.bodies.remove(name);
            }
            _ => {}
        }
    }

    fn define(&mut self, text: &str) {
        let (name, body) = name_and_rest(text);
        if name.is_empty() {
            return;
        }
        self.defined.insert(name.into());
        match body.starts_with('(') {
            true => self.bodies.remove(name),
            false => self.bodies.insert(name.into(), body.trim().into()),
        };
    }

    /// Whether a condition holds, where the file tells. Names with an
    /// underscore before them may be defined by the compiler; those of headers
    /// are taken as not defined, as nobody asks for them.
    fn holds(&self, keyword: &str, text: &str) -> Option<bool> {
        let is_defined = |name: &str| match self.defined.contains(name) {
            true => Some(true),
            false => (!name.starts_with('_')).then_some(false),
        };
        match (keyword, text) {
            ("ifdef", _) => is_defined(name_and_rest(text).0),
            ("ifndef", _) => is_defined(name_and_rest(text).0).map(|is_defined| !is_defined),
            (_, "0" | "1") => Some(text == "1"),
            _ => {
                let (asked, negated) = text.strip_prefix('!').map_or((text, false), |text| (text.trim_start(), true));
                let asked = asked.strip_prefix("defined")?.trim().trim_start_matches('(').trim();
                let (name, rest) = name_and_rest(asked);
                let is_all = rest.trim().trim_start_matches(')').is_empty();
                is_defined(name).filter(|_| is_all && !name.is_empty()).map(|is_defined| is_defined != negated)
            }
        }
    }
}

/// A name at the start of a text, and what follows it.
fn name_and_rest(text: &str) -> (&str, &str) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `NAME=body` of each macro.
    fn macros(text: &str) -> Vec<String> {
        object_like(text.as_bytes()).iter().map(|(name, body)| format!("{name}={body}")).collect()
    }

    #[test]
    fn definitions_are_read() {
        assert_eq!(macros("#define MAX 10\n  #  define\tMIN\t( 1 + 2 )  \nint x;\n"), ["MAX=10", "MIN=( 1 + 2 )"]);
        assert_eq!(
            macros("#define EMPTY\n#define NOT_EMPTY(x) x\n#define PARENTHESES (x)"),
            ["EMPTY=", "PARENTHESES=(x)"]
        );
        assert_eq!(macros("int define = 3; #define A 1\n#defined B 2\n#define\n# \n#"), [""; 0]);
        assert_eq!(macros("#define größe 3"), ["größe=3"]);
    }

    #[test]
    fn the_last_definition_counts() {
        assert_eq!(macros("#define A 1\n#define B 2\n#undef A\n#undef B\n#define B 3\n"), ["B=3"]);
        assert_eq!(macros("#define A 1\n#undef A\n#define A(x) x\n"), [""; 0]);
    }

    #[test]
    fn lines_are_joined() {
        assert_eq!(macros("#define LONG 1 + \\\n  2 \\\r\n  + 3\nx"), ["LONG=1 +   2   + 3"]);
        assert_eq!(macros("#def\\\nine A\\\nB 1\n"), ["AB=1"]);
        assert_eq!(macros("// not here \\\n#define A 1\n"), [""; 0]);
    }

    #[test]
    fn comments_and_strings() {
        assert_eq!(
            macros("#define A 1 // one\n#define B /* two */ 2 /* more\nlines */ + 3\n/* #define C 4\n*/"),
            ["A=1", "B=2   + 3"]
        );
        assert_eq!(
            macros("#define URL \"http://x\" // y\n#define QUOTE '\"'\n#define ESCAPED \"\\\"//\"\n"),
            ["ESCAPED=\"\\\"//\"", "QUOTE='\"'", "URL=\"http://x\""]
        );
        assert_eq!(macros("char *s = \"\\\n#define A 1\\\n\";\n#define B 2\n"), ["B=2"]);
        assert_eq!(macros("#error don't\n#define A 1\n"), ["A=1"]);
        assert_eq!(macros("#/**/define/**/A/**/1"), ["A=1"]);
    }

    #[test]
    fn conditions() {
        assert_eq!(macros("#if 0\n#define A 1\n#else\n#define A 2\n#endif\n#define B 3"), ["A=2", "B=3"]);
        assert_eq!(macros("#if 1\n#define A 1\n#else\n#define A 2\n#endif"), ["A=1"]);
        assert_eq!(macros("#ifndef A\n#define A 1\n#endif\n#ifndef A\n#define A 2\n#endif"), ["A=1"]);
        assert_eq!(macros("#ifdef DEBUG\n#define A 1\n#else\n#define A 2\n#endif"), ["A=2"]);
        assert_eq!(macros("#define DEBUG\n#ifdef DEBUG\n#define A 1\n#else\n#define A 2\n#endif"), ["A=1", "DEBUG="]);
        assert_eq!(macros("#if !defined(N)\n#define A 1\n#elif 1\n#define A 2\n#endif"), ["A=1"]);
        assert_eq!(macros("#if 0\n#if 1\n#define A 1\n#else\n#define A 3\n#endif\n#define A 2\n#endif"), [""; 0]);
        // Nobody knows here: the last one counts.
        assert_eq!(macros("#ifdef __linux__\n#define A 1\n#else\n#define A 2\n#endif"), ["A=2"]);
        assert_eq!(macros("#if X > 2\n#define A 1\n#endif"), ["A=1"]);
    }
}
