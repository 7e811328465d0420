//! Where the replacement text of a macro begins and ends.
//!
//! A node that begins in one macro use and ends elsewhere, as `p != NULL`
//! does, is what the text says only if it takes in all of the macro's body:
//! with `#define A x + 2`, the text `A * 3` is no product.

use std::cell::RefCell;
use std::collections::HashMap;

use clang_ast::{BareSourceLocation, SourceLocation};

/// The files that macros are defined in.
#[derive(Default)]
pub(crate) struct Definitions {
    files: RefCell<HashMap<String, Vec<u8>>>,
}

impl Definitions {
    /// Keeps the bytes of a file, so that it is not read from disk.
    pub fn add(&self, file: &str, bytes: &[u8]) {
        self.files.borrow_mut().insert(file.to_string(), bytes.to_vec());
    }

    /// Whether the token is the first of the body of the macro called `name`.
    pub fn begins_body(&self, location: &SourceLocation, name: &[u8]) -> bool {
        self.with_body(location, name, |body, token| body.0 == token.offset)
    }

    /// Whether the token is the last of the body of the macro called `name`.
    pub fn ends_body(&self, location: &SourceLocation, name: &[u8]) -> bool {
        self.with_body(location, name, |body, token| body.1 == token.offset + token.tok_len)
    }

    fn with_body(
        &self,
        location: &SourceLocation,
        name: &[u8],
        test: impl Fn((usize, usize), &BareSourceLocation) -> bool,
    ) -> bool {
        let Some(token) = &location.spelling_loc else { return false };
        let mut files = self.files.borrow_mut();
        let read = || std::fs::read(&*token.file).unwrap_or_default();
        let bytes = files.entry(token.file.to_string()).or_insert_with(read);
        body(bytes, token.offset, name).is_some_and(|body| test(body, token))
    }
}

/// The bytes of the body of the definition of `name` that the byte `inside` is part of.
fn body(bytes: &[u8], inside: usize, name: &[u8]) -> Option<(usize, usize)> {
    let (start, end) = logical_line(bytes, inside);
    let line = &bytes[start..end];
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"define")?.trim_ascii_start().strip_prefix(name)?;
    let rest = match rest.first()? {
        b'(' => &rest[rest.iter().position(|&byte| byte == b')')? + 1..],
        byte if byte.is_ascii_whitespace() || *byte == b'\\' => rest,
        _ => return None,
    };
    let begin = crate::skip_space(bytes, end - rest.len());
    Some((begin, trim_end(bytes, begin, end)))
}

/// The line around a byte, together with those that backslashes join to it.
fn logical_line(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let joined = |newline: usize| {
        let before = bytes[..newline].strip_suffix(b"\r").unwrap_or(&bytes[..newline]);
        before.ends_with(b"\\")
    };
    let mut newlines_before = (0..at).rev().filter(|&i| bytes[i] == b'\n' && !joined(i));
    let start = newlines_before.next().map_or(0, |i| i + 1);
    let mut newlines_after = (at..bytes.len()).filter(|&i| bytes[i] == b'\n' && !joined(i));
    (start, newlines_after.next().unwrap_or(bytes.len()))
}

/// The end of the last token before `end`, without space and comments.
fn trim_end(bytes: &[u8], begin: usize, end: usize) -> usize {
    let (mut at, mut last) = (begin, begin);
    while at < end {
        let next = crate::skip_space(&bytes[..end], at);
        if next > at {
            at = next;
            continue;
        }
        at = match bytes[at] {
            quote @ (b'"' | b'\'') => crate::place::end_of_quote(&bytes[..end], at, quote) + 1,
            _ => at + 1,
        };
        last = at.min(end);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
        let at = text.find("here").expect("a place");
        body(text.as_bytes(), at, name.as_bytes()).map(|(start, end)| &text[start..end])
    }

    #[test]
    fn bodies_are_found() {
        assert_eq!(body_of("int x;\n#define A  (here + 1) // one\nint y;", "A"), Some("(here + 1)"));
        assert_eq!(body_of("# define MAX(a, b) \\\n  here(a, \"//\") \\\n  /* x */\n", "MAX"), Some("here(a, \"//\")"));
        assert_eq!(body_of("#define AB here", "A"), None);
        assert_eq!(body_of("int here;", "int"), None);
    }
}
