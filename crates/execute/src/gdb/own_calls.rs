//! Finds calls of the program's own functions in C text.
//!
//! gdb evaluates expressions, but it would run what they call to its end. Such
//! a call is made by the program itself, and its result is put into the text:
//!
//! ```text
//! n + sum(n - 1)    calls sum with n - 1, which gives 6, and is    n + ((int)(6))
//! p && sum(p->n)    tests p, and is    0    or    ((sum(p->n)) != 0)
//! ```

use std::ops::Range;

/// What must be done before gdb can evaluate a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A call is made; its result takes its place.
    Call(OwnCall),
    /// A condition is evaluated: the bytes `range` are then `yes` or `no`.
    Test {
        /// The bytes of the text that depend on it.
        range: Range<usize>,
        /// The condition.
        condition: String,
        /// What they are if it holds.
        yes: String,
        /// What they are if not.
        no: String,
    },
    /// Something is evaluated that comes before; then it is left out.
    First {
        /// The bytes to leave out.
        range: Range<usize>,
        /// What is evaluated.
        expression: String,
    },
}

/// A call in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCall {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The function.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<String>,
}

/// What must be done first, if a text calls functions that `is_own` knows.
pub fn first_part(text: &str, is_own: &dyn Fn(&str) -> bool) -> Option<Part> {
    let tokens = tokens(text);
    let reader = Reader { text, tokens: &tokens, is_own };
    let all = 0..tokens.len();
    match reader.split(&all, &[","]) {
        Some(comma) if reader.has_call(&all) && !reader.has_call(&(0..comma)) => {
            let expression = text[..tokens[comma].start].to_string();
            Some(Part::First { range: 0..tokens[comma].end, expression })
        }
        _ => reader.part(all),
    }
}

/// The names before parentheses.
pub fn called_names(text: &str) -> impl Iterator<Item = &str> {
    let tokens = tokens(text);
    let pairs = (1..tokens.len()).map(move |i| (&text[tokens[i - 1].clone()], &text[tokens[i].clone()]));
    pairs.filter(|(name, next)| *next == "(" && is_name(name)).map(|(name, _)| name)
}

const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// A text as tokens; parts of it are ranges of these.
struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Range<usize>],
    is_own: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn word(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |token| &self.text[token.clone()])
    }

    fn text(&self, part: &Range<usize>) -> String {
        self.text[self.bytes(part)].to_string()
    }

    fn bytes(&self, part: &Range<usize>) -> Range<usize> {
        match part.is_empty() {
            true => 0..0,
            false => self.tokens[part.start].start..self.tokens[part.end - 1].end,
        }
    }

    fn is_call(&self, i: usize) -> bool {
        let is_member = i > 0 && matches!(self.word(i - 1), "." | "->");
        !is_member && self.word(i + 1) == "(" && (self.is_own)(self.word(i))
    }

    fn has_call(&self, part: &Range<usize>) -> bool {
        part.clone().any(|i| self.is_call(i))
    }

    /// The first of these operators that stands in no parentheses.
    fn split(&self, part: &Range<usize>, operators: &[&str]) -> Option<usize> {
        let mut depth = 0;
        part.clone().find(|&i| {
            match self.word(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                word => return depth == 0 && operators.contains(&word),
            }
            false
        })
    }

    /// What must be done first, by the operator that binds least.
    fn part(&self, part: Range<usize>) -> Option<Part> {
        if !self.has_call(&part) {
            return None;
        }
        if let Some(assignment) = self.split(&part, ASSIGNMENTS) {
            return self.part(assignment + 1..part.end).or_else(|| self.part(part.start..assignment));
        }
        if let Some(question) = self.split(&part, &["?"]) {
            let colon = self.colon(question + 1..part.end)?;
            let (yes, no) = (self.text(&(question + 1..colon)), self.text(&(colon + 1..part.end)));
            return self.test(&part, question, format!("({yes})"), format!("({no})"));
        }
        if let Some(or) = self.split(&part, &["||"]) {
            return self.test(&part, or, "1".into(), format!("(({}) != 0)", self.text(&(or + 1..part.end))));
        }
        if let Some(and) = self.split(&part, &["&&"]) {
            return self.test(&part, and, format!("(({}) != 0)", self.text(&(and + 1..part.end))), "0".into());
        }
        self.operands(part)
    }

    /// The colon that belongs to the question mark before.
    fn colon(&self, part: Range<usize>) -> Option<usize> {
        let mut open = 0;
        part.clone().find(|&i| {
            match self.word(i) {
                "?" | "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                ":" if open == 0 => return true,
                ":" => open -= 1,
                _ => {}
            }
            false
        })
    }

    /// An operator that evaluates what is behind it only if what is before it says so.
    fn test(&self, part: &Range<usize>, operator: usize, yes: String, no: String) -> Option<Part> {
        let condition = part.start..operator;
        if self.has_call(&condition) {
            return self.part(condition);
        }
        Some(Part::Test { range: self.bytes(part), condition: self.text(&condition), yes, no })
    }

    /// Parentheses from left to right.
    fn operands(&self, part: Range<usize>) -> Option<Part> {
        let mut i = part.start;
        while i < part.end {
            if !matches!(self.word(i), "(" | "[") {
                i += 1;
                continue;
            }
            let end = self.closing(i)?;
            let before = i.checked_sub(1).map_or("", |before| self.word(before));
            let inside = match before {
                // What is measured is not evaluated.
                "sizeof" => Vec::new(),
                _ if self.word(i) == "(" && (is_name(before) || matches!(before, ")" | "]")) => self.arguments(i, end),
                _ => std::iter::once(i + 1..end).collect(),
            };
            // Arguments are evaluated from last to first.
            if let Some(found) = inside.iter().rev().find_map(|argument| self.part(argument.clone())) {
                return Some(found);
            }
            if i > part.start && self.is_call(i - 1) {
                let arguments = inside.iter().map(|argument| self.text(argument)).collect();
                let range = self.tokens[i - 1].start..self.tokens[end].end;
                return Some(Part::Call(OwnCall { range, name: self.word(i - 1).to_string(), arguments }));
            }
            i = end + 1;
        }
        None
    }

    fn arguments(&self, open: usize, end: usize) -> Vec<Range<usize>> {
        let mut arguments = Vec::new();
        let mut rest = open + 1..end;
        while let Some(comma) = self.split(&rest, &[","]) {
            arguments.push(rest.start..comma);
            rest.start = comma + 1;
        }
        if !rest.is_empty() {
            arguments.push(rest);
        }
        arguments
    }

    /// The parenthesis that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.tokens.len()).find(|&i| {
            match self.word(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
}

/// Words, literals and operators.
fn tokens(text: &str) -> Vec<Range<usize>> {
    const LONG: [&str; 17] =
        ["&&", "||", "->", "==", "<=", ">=", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>"];
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = match rest[0] {
            quote @ (b'"' | b'\'') => literal_length(rest, quote),
            byte if is_word(&byte) => rest.iter().take_while(|byte| is_word(byte)).count(),
            _ if rest.starts_with(b"<<=") || rest.starts_with(b">>=") => 3,
            _ if LONG.iter().any(|operator| rest.starts_with(operator.as_bytes())) => 2,
            _ => text[at..].chars().next().map_or(1, char::len_utf8),
        };
        if !rest[0].is_ascii_whitespace() {
            tokens.push(at..at + length);
        }
        at += length;
    }
    tokens
}

fn literal_length(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<Part> {
        first_part(text, &|name| matches!(name, "f" | "g"))
    }

    fn called(text: &str) -> (String, Vec<String>) {
        match first(text) {
            Some(Part::Call(call)) => {
                assert!(text[call.range.clone()].starts_with(&call.name) && text[call.range].ends_with(')'));
                (call.name, call.arguments)
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    fn call(name: &str, arguments: &[&str]) -> (String, Vec<String>) {
        (name.into(), arguments.iter().map(|argument| argument.to_string()).collect())
    }

    #[test]
    fn the_innermost_of_the_last_argument_comes_first() {
        assert_eq!(called("x = f(a, g(b[1])) + g(1)"), call("g", &["b[1]"]));
        assert_eq!(called("x = f(a, h(b, 2)) + g(1)"), call("f", &["a", "h(b, 2)"]));
        assert_eq!(called("h(1, (f()))"), call("f", &[]));
        assert_eq!(called("f(\"g(1), \\\"\", ')')"), call("f", &["\"g(1), \\\"\"", "')'"]));
        assert_eq!(called("a[f(1)] = g(2)"), call("g", &["2"]));
        assert_eq!(called("f(1) && g(2)"), call("f", &["1"]));
    }

    #[test]
    fn what_is_perhaps_called_is_tested_first() {
        let test = |text: &str| match first(text) {
            Some(Part::Test { range, condition, yes, no }) => {
                let with = |branch: &str| format!("{}{branch}{}", &text[..range.start], &text[range.end..]);
                format!("{condition} | {} | {}", with(&yes), with(&no))
            }
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(test("a && f(1)"), "a | ((f(1)) != 0) | 0");
        assert_eq!(test("x = a || b && f(1)"), "a | x = 1 | x = ((b && f(1)) != 0)");
        assert_eq!(test("1 + (a ? b ? 1 : 2 : f(1))"), "a | 1 + ((b ? 1 : 2)) | 1 + ((f(1)))");
        assert_eq!(test("f(c ? g(1) : 2)"), "c | f((g(1))) | f((2))");
    }

    #[test]
    fn what_comes_before_is_evaluated_first() {
        let Some(Part::First { range, expression }) = first("a = 1, b = f(a)") else { panic!("nothing comes first") };
        assert_eq!((expression.as_str(), &"a = 1, b = f(a)"[range.end..]), ("a = 1", " b = f(a)"));
    }

    #[test]
    fn what_is_no_call() {
        for text in ["f + 1", "p->f(1)", "ff(1)", "a && h(1)", "\"f(1)\"", "sizeof(f(1))", "f(1"] {
            assert_eq!(first(text), None, "{text}");
        }
    }
}
