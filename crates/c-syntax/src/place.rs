//! From clang's locations to spans in the user's file.

use std::cell::RefCell;
use std::collections::BTreeSet;

use clang_ast::{BareSourceLocation, SourceLocation, SourceRange};

use crate::macro_body::Definitions;
use crate::{Source, Span};

/// Finds the places of nodes, and notes macro uses on the way.
pub(crate) struct Places<'a> {
    source: &'a Source,
    main_file: &'a str,
    macro_uses: RefCell<BTreeSet<Span>>,
    definitions: Definitions,
}

impl<'a> Places<'a> {
    pub fn new(source: &'a Source, main_file: &'a str) -> Self {
        let definitions = Definitions::default();
        definitions.add(main_file, &source.bytes);
        Places { source, main_file, macro_uses: RefCell::default(), definitions }
    }

    pub fn into_macro_uses(self) -> Vec<Span> {
        self.macro_uses.into_inner().into_iter().collect()
    }

    /// The span of a node. Nodes of other files have the empty span.
    pub fn span(&self, range: &SourceRange) -> Span {
        match self.argument_span(range) {
            Some(argument) => argument,
            None => self.expansion(range),
        }
    }

    /// The span of the token at a location, such as a declared name.
    pub fn token(&self, location: &SourceLocation) -> Span {
        self.span(&SourceRange { begin: location.clone(), end: location.clone() })
    }

    /// The span in terms of what stands in the file where the node is used:
    /// inside of a macro use, that of the whole use, which is noted.
    pub fn expansion(&self, range: &SourceRange) -> Span {
        let Some((span, begin, end)) = self.used(range) else { return Span::default() };
        if !self.is_written(range, begin, end) {
            self.macro_uses.borrow_mut().insert(span);
        }
        span
    }

    /// The span where a node is used, with the places where it begins and ends.
    fn used<'r>(&self, range: &'r SourceRange) -> Option<(Span, &'r BareSourceLocation, &'r BareSourceLocation)> {
        let (begin, end) = (range.begin.expansion_loc.as_ref()?, range.end.expansion_loc.as_ref()?);
        if !self.is_main(begin) || !self.is_main(end) {
            return None;
        }
        let stop = match is_macro(&range.end) {
            true => self.end_of_macro_use(end),
            false => end.offset + end.tok_len,
        };
        Some((Span::new(begin.offset, stop), begin, end))
    }

    /// The token at a location where it is written in this file: in the text
    /// itself, as a macro's argument, or in the body of a macro.
    pub fn spelled(&self, location: &SourceLocation) -> Option<Span> {
        let spelling = location.spelling_loc.as_ref().filter(|spelling| self.is_main(spelling))?;
        Some(Span::new(spelling.offset, spelling.offset + spelling.tok_len))
    }

    /// The operator `text` between two operands: where they are used, or in the
    /// body of the macro that both come from.
    pub fn operator(&self, left: &SourceRange, right: &SourceRange, text: &str) -> Option<Span> {
        let place = |range| self.argument_span(range).or_else(|| self.used(range).map(|(span, ..)| span));
        let used = || self.only_token(place(left)?.end as usize, place(right)?.start as usize, text);
        let in_body = || {
            let same_use = left.end.expansion_loc == right.begin.expansion_loc;
            let (left, right) = (self.spelled(&left.end)?, self.spelled(&right.begin)?);
            self.only_token(left.end as usize, right.start as usize, text).filter(|_| same_use)
        };
        used().or_else(in_body)
    }

    /// The place of `text` between two others, if there are only blanks, comments and parentheses around it.
    fn only_token(&self, from: usize, to: usize, text: &str) -> Option<Span> {
        let bytes = self.source.bytes.get(..to)?;
        let skip = |mut at: usize, parenthesis: u8| loop {
            at = skip_space(bytes, at);
            match bytes.get(at) {
                Some(&byte) if byte == parenthesis => at += 1,
                _ => return at,
            }
        };
        let start = skip(from.min(to), b')');
        let end = start + text.len();
        (bytes.get(start..end)? == text.as_bytes() && skip(end, b'(') == to).then(|| Span::new(start, end))
    }

    /// Whether the text of the span is the node, and not just where a macro makes it.
    fn is_written(&self, range: &SourceRange, begin: &BareSourceLocation, end: &BareSourceLocation) -> bool {
        let name = |place: &BareSourceLocation| {
            let bytes = &self.source.bytes;
            &bytes[place.offset.min(bytes.len())..(place.offset + place.tok_len).min(bytes.len())]
        };
        match (is_macro(&range.begin), is_macro(&range.end)) {
            (true, true) if begin.offset == end.offset => false,
            (first, last) => {
                (!first || self.definitions.begins_body(&range.begin, name(begin)))
                    && (!last || self.definitions.ends_body(&range.end, name(end)))
            }
        }
    }

    /// Notes a place whose text is not what is there.
    pub fn note_macro_use(&self, span: Span) {
        self.macro_uses.borrow_mut().insert(span);
    }

    /// Where the lengths of an array are written after its name; `None` for
    /// those that come from a macro or a typedef.
    pub fn lengths(&self, name: Span, lengths: &[String]) -> Vec<Option<Span>> {
        let mut written = brackets(&self.source.bytes, name.end as usize).into_iter();
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let mut place = |length: &String| written.find(|&span| plain(&self.text(span)) == plain(length));
        lengths.iter().map(&mut place).collect()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> String {
        self.source.text(span)
    }

    fn is_main(&self, location: &BareSourceLocation) -> bool {
        *location.file == *self.main_file
    }

    /// What is written as an argument of a macro has its own place, inside of
    /// the parentheses of the use.
    fn argument_span(&self, range: &SourceRange) -> Option<Span> {
        let written = |location: &SourceLocation| {
            let (spelling, expansion) = (location.spelling_loc.clone()?, location.expansion_loc.as_ref()?);
            (is_macro(location) && expansion.is_macro_arg_expansion && self.is_main(&spelling)).then_some(spelling)
        };
        let (begin, end) = (written(&range.begin)?, written(&range.end)?);
        let macro_use = range.begin.expansion_loc.as_ref()?;
        let whole = Span::new(macro_use.offset, self.end_of_macro_use(macro_use));
        let span = Span::new(begin.offset, end.offset + end.tok_len);
        let is_one = begin.offset <= end.offset && whole.covers(span) && !has_comma(&self.source.bytes, span);
        is_one.then_some(span)
    }

    /// clang ends a function-like macro's use after its name: go on to the closing parenthesis.
    fn end_of_macro_use(&self, name: &BareSourceLocation) -> usize {
        let bytes = &self.source.bytes;
        let after = (name.offset + name.tok_len).min(bytes.len());
        let open = skip_space(bytes, after);
        if bytes.get(open) != Some(&b'(') || self.is_object_like(&bytes[name.offset.min(after)..after]) {
            return after;
        }
        closing_parenthesis(bytes, open).map_or(after, |close| close + 1)
    }

    /// Whether the file defines `name` as a macro without parameters.
    fn is_object_like(&self, name: &[u8]) -> bool {
        let text = &self.source.bytes;
        let defines = text.split(|&byte| byte == b'\n').filter_map(|line| {
            let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
            rest.strip_prefix(b"define")?.trim_ascii_start().strip_prefix(name)
        });
        defines.into_iter().any(|rest| rest.first().is_none_or(|byte| byte.is_ascii_whitespace()))
    }
}

/// Whether a span has a comma outside of parentheses: then it has parts of two
/// arguments, and what is between them comes from the macro.
fn has_comma(bytes: &[u8], span: Span) -> bool {
    let bytes = &bytes[..(span.end as usize).min(bytes.len())];
    let mut at = skip_space(bytes, span.start as usize);
    while at < bytes.len() {
        match bytes[at] {
            b',' => return true,
            b'(' => at = closing_parenthesis(bytes, at).unwrap_or(bytes.len()),
            quote @ (b'"' | b'\'') => at = end_of_quote(bytes, at, quote),
            _ => {}
        }
        at = skip_space(bytes, at + 1);
    }
    false
}

fn is_macro(location: &SourceLocation) -> bool {
    location.spelling_loc != location.expansion_loc
}

/// The insides of the brackets that follow a declared name.
fn brackets(bytes: &[u8], mut at: usize) -> Vec<Span> {
    let mut found = Vec::new();
    loop {
        at = skip_space(bytes, at);
        match bytes.get(at) {
            Some(b')') => at += 1,
            Some(b'[') => {
                let mut depth = 0;
                let closes = |byte: &u8| {
                    depth += i32::from(*byte == b'[') - i32::from(*byte == b']');
                    depth == 0
                };
                let Some(length) = bytes[at..].iter().position(closes) else { return found };
                found.push(Span::new(at + 1, at + length));
                at += length + 1;
            }
            _ => return found,
        }
    }
}

/// The first byte from `at` on that is neither space nor comment.
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b), _) if b.is_ascii_whitespace() => at += 1,
            (Some(b'\\'), Some(b'\n')) => at += 2,
            (Some(b'/'), Some(b'/')) => at = find(bytes, at, b"\n"),
            (Some(b'/'), Some(b'*')) => at = (find(bytes, at + 2, b"*/") + 2).min(bytes.len()),
            _ => return at,
        }
    }
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> usize {
    let from = from.min(bytes.len());
    bytes[from..].windows(what.len()).position(|window| window == what).map_or(bytes.len(), |i| from + i)
}

/// The parenthesis that closes the one at `open`, past strings, characters and comments.
pub fn closing_parenthesis(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at),
            b')' => depth -= 1,
            quote @ (b'"' | b'\'') => at = end_of_quote(bytes, at, quote),
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = skip_space(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

pub(crate) fn end_of_quote(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_match_past_text_and_comments() {
        let text = br#"f(a, ")", ')', /* ) */ g(b)) + 1"#;
        assert_eq!(closing_parenthesis(text, 1), Some(27));
        assert_eq!(closing_parenthesis(b"f(", 1), None);
    }
}
