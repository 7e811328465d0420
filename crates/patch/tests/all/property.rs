//! Random edits of random functions: the new text has the tokens that a small
//! model says, everything else is untouched, and bytes keep their order.
//!
//! The model writes the function twice from one tree: as the user could have,
//! with all kinds of blanks and comments, and as tokens with the edits made.

use c_syntax::{Source, Span};
use patch::{Edit, Patched, token_distance, tokens};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    change: Change,
}

#[derive(Clone, Debug)]
enum Kind {
    Call,
    Block(Vec<Node>),
    While(Box<Node>),
    Do(Box<Node>),
    If(Box<Node>, Option<Box<Node>>),
}

/// What is done to a statement.
#[derive(Clone, Debug, Default)]
struct Change {
    replace: bool,
    delete: bool,
    guard: bool,
    before: Option<&'static [&'static str]>,
    after: Option<&'static [&'static str]>,
}

const SHORT: &[&str] = &["new(1);"];
const LONG: &[&str] = &["if (new)", "    new(2);"];

fn change() -> impl Strategy<Value = Change> {
    let lines = prop_oneof![6 => Just(None), 1 => Just(Some(SHORT)), 1 => Just(Some(LONG))];
    let chosen = (0..12u8, lines.clone(), lines);
    chosen.prop_map(|(kind, before, after)| Change {
        replace: kind == 0,
        delete: kind == 1,
        guard: kind == 2,
        before,
        after,
    })
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = change().prop_map(|change| Node { kind: Kind::Call, change });
    leaf.prop_recursive(4, 24, 4, |inner| {
        let kind = prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Kind::Block),
            inner.clone().prop_map(|body| Kind::While(Box::new(body))),
            inner.clone().prop_map(|body| Kind::Do(Box::new(body))),
            (inner.clone(), prop::option::of(inner)).prop_map(|(then, other)| {
                let then = match other.is_some() && then.ends_open() {
                    true => Node { kind: Kind::Block(vec![then]), change: Change::default() },
                    false => then,
                };
                Kind::If(Box::new(then), other.map(Box::new))
            }),
        ];
        (kind, change()).prop_map(|(kind, change)| Node { kind, change: Change { replace: false, ..change } })
    })
}

impl Node {
    /// Whether an `else` after it would be taken for its own.
    fn ends_open(&self) -> bool {
        match &self.kind {
            Kind::If(_, None) => true,
            Kind::If(_, Some(body)) | Kind::While(body) => body.ends_open(),
            Kind::Call | Kind::Block(_) | Kind::Do(_) => false,
        }
    }

    /// Whether it has an `else` outside of braces.
    fn has_else(&self) -> bool {
        match &self.kind {
            Kind::If(then, other) => other.is_some() || then.has_else(),
            Kind::While(body) | Kind::Do(body) => body.has_else(),
            Kind::Call | Kind::Block(_) => false,
        }
    }

    /// Its tokens with the edits made. `else_next`: an `else` comes directly after it.
    fn expected(&self, is_body: bool, else_next: bool) -> String {
        let Change { replace, delete, guard, before, after } = &self.change;
        let core = match &self.kind {
            Kind::Call if *replace => "call(y -> z);".to_string(),
            Kind::Call => "call(x);".to_string(),
            Kind::Block(nodes) => {
                format!("{{ {} }}", nodes.iter().map(|node| node.expected(false, false)).collect::<String>())
            }
            Kind::While(body) => format!("while (x) {}", body.expected(true, else_next)),
            Kind::Do(body) => format!("do {} while (x);", body.expected(true, false)),
            Kind::If(then, None) => format!("if (x) {}", then.expected(true, else_next)),
            Kind::If(then, Some(other)) => {
                format!("if (x) {} else {}", then.expected(true, true), other.expected(true, else_next))
            }
        };
        let inserted = before.iter().chain(after).map(|lines| lines.join(" ")).collect::<Vec<_>>();
        let core = match (delete, guard, self.has_else()) {
            (true, ..) if is_body && inserted.is_empty() => ";".to_string(),
            (true, ..) => String::new(),
            (false, true, true) => format!("if (p) {{ {core} }}"),
            (false, true, false) => format!("if (p) {core}"),
            (false, false, _) => core,
        };
        let [before, after] = [before, after].map(|lines| lines.unwrap_or_default().join(" "));
        let is_one = *delete && inserted.len() == 1 && inserted[0] == SHORT[0];
        let braces = is_body && ((!inserted.is_empty() && !is_one) || (*guard && !*delete && else_next));
        match braces {
            true => format!("{{ {before} {core} {after} }} "),
            false => format!("{before} {core} {after} "),
        }
    }
}

/// Writes the function as the user could have.
struct Writer {
    text: String,
    edits: Vec<Edit>,
    /// Spans of deleted statements and replaced expressions.
    gone: Vec<Span>,
    choices: Vec<u8>,
    depth: usize,
}

impl Writer {
    fn choice(&mut self, count: u8) -> u8 {
        let choice = self.choices.pop().unwrap_or(0);
        choice % count
    }

    fn blank(&mut self) {
        let indent = "    ".repeat(self.depth);
        let blank = match self.choice(9) {
            0..=3 => format!("\n{indent}"),
            4 => " ".to_string(),
            5 => format!(" // else {{ ;\n{indent}"),
            6 => " /* if (\" */ ".to_string(),
            7 => format!("\n\n{indent}"),
            _ => format!(" /* two\n lines */\n{indent}"),
        };
        self.text.push_str(&blank);
    }

    fn node(&mut self, node: &Node, alive: bool) {
        let start = self.text.len();
        let inner_alive = alive && !node.change.delete;
        match &node.kind {
            Kind::Call => self.call(node.change.replace && inner_alive),
            Kind::Block(nodes) => {
                self.text.push('{');
                for node in nodes {
                    self.body(node, inner_alive);
                }
                self.blank();
                self.text.push('}');
            }
            Kind::While(body) => {
                self.text.push_str("while (x)");
                self.body(body, inner_alive);
            }
            Kind::Do(body) => {
                self.text.push_str("do");
                self.body(body, inner_alive);
                self.blank();
                self.text.push_str("while (x);");
            }
            Kind::If(then, other) => {
                self.text.push_str("if (x)");
                self.body(then, inner_alive);
                if let Some(other) = other {
                    self.blank();
                    self.text.push_str("else");
                    self.body(other, inner_alive);
                }
            }
        }
        let whole = Span::new(start, self.text.len());
        let without = usize::from(matches!(node.kind, Kind::Call) && self.choice(2) == 0);
        if alive {
            self.change(&node.change, whole, Span::new(start, self.text.len() - without));
        }
    }

    fn body(&mut self, node: &Node, alive: bool) {
        self.depth += 1;
        self.blank();
        self.node(node, alive);
        self.depth -= 1;
    }

    fn call(&mut self, replace: bool) {
        self.text.push_str("call(x);");
        if replace {
            let span = Span::new(self.text.len() - 3, self.text.len() - 2);
            self.gone.push(span);
            self.edits.push(Edit::Replace { span, text: "y->z".into() });
        }
    }

    fn change(&mut self, change: &Change, whole: Span, span: Span) {
        let owned = |lines: &[&str]| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
        if let Some(lines) = change.before {
            self.edits.push(Edit::InsertBefore { span, lines: owned(lines) });
        }
        if let Some(lines) = change.after {
            self.edits.push(Edit::InsertAfter { span, lines: owned(lines) });
        }
        if change.delete {
            self.gone.push(whole);
            self.edits.push(Edit::Delete { span });
        } else if change.guard {
            self.edits.push(Edit::Guard { span, condition: "p".into() });
        }
    }
}

fn write(nodes: &[Node], choices: Vec<u8>) -> Writer {
    let mut writer = Writer { text: "void f(void) {".into(), edits: vec![], gone: vec![], choices, depth: 0 };
    for node in nodes {
        writer.body(node, true);
    }
    writer.text.push_str("\n}\n");
    writer
}

fn patched(writer: &Writer) -> Patched {
    let source = Source::new("a.c", writer.text.as_bytes().to_vec());
    patch::apply(&source, &writer.edits).unwrap_or_else(|error| panic!("{error}\n{}", writer.text))
}

/// How often each kind of comment is in a text.
fn comments(text: &str) -> usize {
    ["// else", "/* if", "/* two"].iter().map(|comment| text.matches(comment).count()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_do_what_they_say_and_nothing_else(
        nodes in prop::collection::vec(node(), 1..4),
        choices in prop::collection::vec(any::<u8>(), 100),
    ) {
        let writer = write(&nodes, choices);
        let patched = patched(&writer);
        let text = String::from_utf8(patched.text.clone()).expect("the text is ASCII");
        let shown = format!("--- from\n{}--- to\n{text}", writer.text);

        let body: String = nodes.iter().map(|node| node.expected(false, false)).collect();
        let expected = format!("void f(void) {{ {body} }}");
        prop_assert_eq!(tokens(&text), tokens(&expected), "{}", shown);

        let mut last = None;
        for (offset, byte) in writer.text.bytes().enumerate() {
            let offset = offset as u32;
            let is_gone = writer.gone.iter().any(|span| span.contains(offset));
            let Some(new) = patched.map(offset) else { continue };
            prop_assert!(last < Some(new), "{} at {}", shown, offset);
            last = Some(new);
            prop_assert!(is_gone || patched.text[new as usize] == byte, "{} at {}", shown, offset);
        }
        let kept = writer.gone.iter().fold(writer.text.clone(), |text, span| {
            let range = span.start as usize..span.end as usize;
            text[..range.start].to_string() + &"\n".repeat(range.len()) + &text[range.end..]
        });
        for (offset, token) in tokens(&kept).iter().map(|token| (token.as_ptr() as usize - kept.as_ptr() as usize, token)) {
            let new = patched.map(offset as u32).map(|new| new as usize);
            prop_assert!(new.is_some_and(|new| text[new..].starts_with(*token)), "{}: {} at {}", shown, token, offset);
        }
        let deletions = writer.gone.iter().filter(|span| span.len() > 1).count();
        prop_assert!(comments(&text) + 3 * deletions >= comments(&kept), "{}", shown);
        prop_assert!(!patched.diff("a.c").is_empty() || text == writer.text);
    }

    #[test]
    fn the_distance_is_the_smallest(old in "[ab;]{0,8}", new in "[ab;]{0,8}") {
        let spaced = |text: &str| text.chars().map(|c| format!("{c} ")).collect::<String>();
        let common = longest_common(old.as_bytes(), new.as_bytes());
        prop_assert_eq!(token_distance(&spaced(&old), &spaced(&new)), old.len() + new.len() - 2 * common);
    }

    #[test]
    fn any_text_and_span_is_taken(text in "[ -~\n\"'/*{}();]{0,60}", start in 0..70u32, length in 0..10u32) {
        tokens(&text);
        let span = Span { start, end: start + length };
        let lines = vec!["x;".to_string()];
        let source = Source::new("a.c", text.into_bytes());
        for edit in [
            Edit::Delete { span },
            Edit::InsertBefore { span, lines: lines.clone() },
            Edit::InsertAfter { span, lines: lines.clone() },
            Edit::InsertAtEnd { brace: start, lines },
            Edit::Guard { span, condition: "x".into() },
            Edit::Replace { span, text: "x".into() },
        ] {
            let _ = patch::apply(&source, &[edit]).map(|patched| (patched.diff("a.c"), patched.tokens_changed()));
        }
    }
}

fn longest_common(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        ([x, a @ ..], [y, b @ ..]) if x == y => 1 + longest_common(a, b),
        ([_, a_rest @ ..], [_, b_rest @ ..]) => longest_common(a_rest, b).max(longest_common(a, b_rest)),
        _ => 0,
    }
}
