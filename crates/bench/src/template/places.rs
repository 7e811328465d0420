//! Where the fault of a version is: the lines that differ from the original.
//!
//! A line that is missing is a fault of the lines next to it. A fault in
//! `#define N 5` is wherever `N` is used.

use c_syntax::{Source, Span};
use similar::{ChangeTag, TextDiff};

/// The places of a fault.
pub(super) struct Places {
    lines: Vec<u32>,
    names: Vec<String>,
}

impl Places {
    pub(super) fn of(original: &[u8], faulty: &[u8]) -> Places {
        let (original, faulty) = (String::from_utf8_lossy(original), String::from_utf8_lossy(faulty));
        let diff = TextDiff::from_lines(&*original, &*faulty);
        let (mut lines, mut names) = (vec![], vec![]);
        let mut next = 1;
        for change in diff.iter_all_changes() {
            match change.tag() {
                ChangeTag::Equal => next += 1,
                ChangeTag::Insert => {
                    lines.push(next);
                    names.extend(defined(change.value()));
                    next += 1;
                }
                ChangeTag::Delete => {
                    lines.extend([next - 1, next]);
                    names.extend(defined(change.value()));
                }
            }
        }
        Places { lines, names }
    }

    /// Whether an expression is one of the places.
    pub(super) fn has(&self, source: &Source, span: Span) -> bool {
        let (first, last) = (source.line(span.start), source.line(span.end));
        let text = source.text(span);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let is_changed = self.lines.iter().any(|line| (first..=last).contains(line));
        is_changed || self.names.iter().any(|name| words.contains(&&**name))
    }
}

/// The macro that a line defines.
fn defined(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let name = rest.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_place(original: &str, faulty: &str, expression: &str) -> bool {
        let source = Source::new("a.c", faulty.as_bytes().to_vec());
        let start = faulty.find(expression).expect("it is there");
        Places::of(original.as_bytes(), faulty.as_bytes()).has(&source, Span::new(start, start + expression.len()))
    }

    #[test]
    fn faults_are_where_the_texts_differ() {
        let original = "#define N 5\nint f(int x) {\n  int y = x;\n  x = N;\n  return y + x;\n}\n";
        assert!(is_place(original, &original.replace("= x", "= x + 1"), "x + 1"));
        assert!(!is_place(original, &original.replace("= x", "= x + 1"), "y + x"));
        assert!(is_place(original, &original.replace("N 5", "N 6"), "N;"));
        assert!(is_place(original, &original.replace("  x = N;\n", ""), "y + x"));
    }
}
