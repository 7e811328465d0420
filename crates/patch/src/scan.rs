//! Where statements begin and end in the text, and what stands around them.
//!
//! In `if (x) free(p); // done` the span of `free(p)` is a [`Statement`] that
//! ends with its `;`, is the body of the `if`, shares its line with it, and
//! has a comment behind it.

use c_syntax::Span;

use crate::declaration::{is_declaration, is_label};
use crate::layout::{Layout, indentation};
use crate::token::{Kind, Token, lex};

/// The tokens of the user's file and how they are nested.
pub(crate) struct Scan<'a> {
    pub layout: Layout,
    bytes: &'a [u8],
    /// Neither comments nor preprocessor lines.
    code: Vec<Token>,
    comments: Vec<Token>,
    directives: Vec<Token>,
    /// For each token of the code, the bracket that it stands in; for a closing one, its opening one.
    enclosing: Vec<Option<usize>>,
}

/// A statement of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub start: usize,
    /// Just past its `;` or brace.
    pub end: usize,
    first: usize,
    last: usize,
    /// What it is the body of, if it has no braces around it.
    pub head: Option<Head>,
    pub left: Left,
    pub right: Right,
}

/// The `if (…)`, `else`, `do` or the like before a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// Its first byte.
    pub start: usize,
    /// Just past its last token.
    pub end: usize,
    pub is_do: bool,
}

/// What stands before a place on its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// Whether there are only blanks.
    pub alone: bool,
    /// Where the blanks directly before it begin.
    pub gap: usize,
}

/// What stands after a place on its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Right {
    /// Whether there are only blanks and comments.
    pub alone: bool,
    /// Just past those comments.
    pub end: usize,
    /// Where the blanks directly after the place end.
    pub gap: usize,
}

impl<'a> Scan<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let (directives, rest) = lex(bytes).into_iter().partition::<Vec<_>, _>(|token| token.directive);
        let (comments, code) = rest.into_iter().partition::<Vec<_>, _>(|token| token.kind == Kind::Comment);
        let enclosing = nest(bytes, &code);
        let layout = Layout::new(bytes, false);
        let mut scan = Scan { layout, bytes, code, comments, directives, enclosing };
        scan.layout.braces_alone = scan.braces_stand_alone();
        scan
    }

    /// Whether most opening braces after `if (…)` and the like begin a line.
    fn braces_stand_alone(&self) -> bool {
        let braces = (0..self.code.len()).filter(|&i| self.token(i) == b"{" && self.head_before(i).is_some());
        let alone = braces.map(|i| if self.left(self.code[i].start).alone { 1 } else { -1 });
        alone.sum::<i32>() > 0
    }

    /// The statement that a span names; `None` if there is none in a block or at file level.
    pub fn statement(&self, span: Span) -> Option<Statement> {
        let first = self.code_at(span.start as usize)?;
        let inside = self.code.partition_point(|token| token.end <= span.end as usize);
        let last = self.with_semicolon(first, inside.checked_sub(1).filter(|&last| last >= first)?);
        let in_block = self.enclosing[first].is_none_or(|open| self.token(open) == b"{");
        let follows = first.checked_sub(1).is_none_or(|before| self.can_precede(before));
        let (start, end) = (self.code[first].start, self.code[last].end);
        let head = self.head_before(first).filter(|_| !is_declaration(&self.tokens(first, last)));
        let (left, right) = (self.left(start), self.right(end));
        (in_block && follows).then_some(Statement { start, end, first, last, head, left, right })
    }

    /// Whether a statement can come directly after a token.
    fn can_precede(&self, at: usize) -> bool {
        matches!(self.token(at), b";" | b"{" | b"}" | b")" | b":" | b"else" | b"do")
    }

    /// The last token of a statement, with the `;` that the parser leaves out.
    fn with_semicolon(&self, first: usize, last: usize) -> usize {
        let has_block = matches!(self.token(first), b"{" | b"if" | b"while" | b"for" | b"switch");
        let is_complete = self.token(last) == b";" || (has_block && self.token(last) == b"}");
        match last + 1 < self.code.len() && self.token(last + 1) == b";" && !is_complete {
            true => last + 1,
            false => last,
        }
    }

    /// The head whose body begins with a token. A name that is no keyword is
    /// taken for a macro such as `list_for_each(p)`: should it be something
    /// else, braces do no harm.
    fn head_before(&self, first: usize) -> Option<Head> {
        let last = first.checked_sub(1).filter(|_| self.enclosing[first].is_some())?;
        let end = self.code[last].end;
        let word = match self.token(last) {
            b"else" | b"do" => last,
            b")" => self.enclosing[last]?.checked_sub(1).filter(|&word| self.code[word].kind == Kind::Word)?,
            _ => return None,
        };
        Some(Head { start: self.code[word].start, end, is_do: self.token(word) == b"do" })
    }

    /// Whether a statement is the last of its `if`, so that an `else` is next.
    pub fn is_before_else(&self, statement: &Statement) -> bool {
        self.next(statement) == Some(b"else".as_slice())
    }

    /// The token after a statement.
    pub fn next(&self, statement: &Statement) -> Option<&'a [u8]> {
        (statement.last + 1 < self.code.len()).then(|| self.token(statement.last + 1))
    }

    /// Whether a statement follows a label.
    pub fn is_after_label(&self, statement: &Statement) -> bool {
        statement.first.checked_sub(1).is_some_and(|before| self.token(before) == b":")
    }

    /// Whether a label before `statement` needs one, because what follows after
    /// all that is `deleted` is the end of the block or a declaration.
    pub fn label_needs(&self, statement: &Statement, deleted: &[Statement]) -> bool {
        let mut next = statement.last + 1;
        while let Some(gone) = deleted.iter().find(|gone| gone.first == next) {
            next = gone.last + 1;
        }
        let rest = self.tokens(next, (next + 4).min(self.code.len()).saturating_sub(1));
        self.is_after_label(statement) && (rest.first().is_none_or(|token| *token == b"}") || is_declaration(&rest))
    }

    pub fn is_declaration(&self, statement: &Statement) -> bool {
        is_declaration(&self.tokens(statement.first, statement.last))
    }

    pub fn is_label(&self, statement: &Statement) -> bool {
        is_label(&self.tokens(statement.first, statement.last))
    }

    pub fn is_block(&self, statement: &Statement) -> bool {
        self.token(statement.first) == b"{"
    }

    /// Whether an `else` of a statement could be taken for that of an `if` put before it.
    pub fn has_open_else(&self, statement: &Statement) -> bool {
        let outer = self.enclosing[statement.first];
        let mut inside = statement.first..statement.last + 1;
        inside.any(|i| self.token(i) == b"else" && self.enclosing[i] == outer) && !self.is_block(statement)
    }

    /// Whether a statement is written over several lines.
    pub fn is_long(&self, statement: &Statement) -> bool {
        self.bytes[statement.start..statement.end].contains(&b'\n')
    }

    /// The opening brace of the block that ends at a byte.
    pub fn block_ending_at(&self, brace: usize) -> Option<usize> {
        let close = self.code_at(brace).filter(|&close| self.token(close) == b"}")?;
        self.enclosing[close].map(|open| self.code[open].start)
    }

    /// Whether there is no code between an opening brace and a place.
    pub fn is_empty_block(&self, open: usize, close: usize) -> bool {
        self.code_at(open).is_some_and(|open| self.code[open + 1].start == close)
    }

    /// A place whose line is indented like the statements of a block.
    pub fn first_line_of_block(&self, open: usize) -> Option<usize> {
        let open = self.code_at(open)?;
        let is_statement = |&i: &usize| {
            let is_label = is_label(&self.tokens(i, (i + 1).min(self.code.len() - 1)));
            self.enclosing[i] == Some(open) && self.left(self.code[i].start).alone && !is_label && self.token(i) != b"}"
        };
        (open + 1..self.code.len()).find(is_statement).map(|i| self.code[i].start)
    }

    /// Whether `statement` belongs one level deeper than its line, because it
    /// comes after a `{`, a label or its head there.
    pub fn is_deeper_than_line(&self, statement: &Statement) -> bool {
        let line = self.line_start(statement.start);
        statement.head.is_some_and(|head| head.end >= line) || self.is_after_deeper(statement)
    }

    /// Whether what follows `statement` belongs one level deeper than its
    /// line, because of a `{` or a label there.
    pub fn is_after_deeper(&self, statement: &Statement) -> bool {
        let line = self.line_start(statement.start);
        let brace = self.enclosing[statement.first].is_some_and(|open| self.code[open].start >= line);
        let first = self.code.partition_point(|token| token.start < line);
        brace || (first < statement.first && is_label(&self.tokens(first, statement.first)))
    }

    /// Where the opening brace around a statement is.
    pub fn block_around(&self, statement: &Statement) -> Option<usize> {
        self.enclosing[statement.first].map(|open| self.code[open].start)
    }

    /// The beginnings of the lines of a statement after its first that can be indented.
    pub fn inner_lines(&self, statement: &Statement) -> Vec<usize> {
        let inside = statement.start..statement.end;
        let ends = inside.filter(|&at| self.bytes[at] == b'\n').map(|at| at + 1);
        ends.filter(|&line| self.can_be_indented(line)).collect()
    }

    fn can_be_indented(&self, line: usize) -> bool {
        let is_blank = self.line_text(line).trim_ascii().is_empty();
        let is_directive = self.directives.iter().any(|token| token.start < self.line_end(line) && token.end > line);
        let cuts = |token: &Token| token.start < line && line < token.end;
        !is_blank && !is_directive && !self.code.iter().any(cuts)
    }

    pub fn left(&self, at: usize) -> Left {
        let blanks = self.bytes[..at].iter().rev().take_while(|byte| is_blank(byte)).count();
        Left { alone: at - blanks == self.line_start(at), gap: at - blanks }
    }

    pub fn right(&self, at: usize) -> Right {
        let gap = self.skip_blanks(at);
        let (mut end, mut next) = (at, gap);
        while let Ok(comment) = self.comments.binary_search_by_key(&next, |comment| comment.start) {
            end = self.comments[comment].end;
            next = self.skip_blanks(end);
        }
        Right { alone: matches!(self.bytes[next..], [] | [b'\n', ..] | [b'\r', b'\n', ..]), end, gap }
    }

    /// The next byte that is no blank.
    pub fn skip_blanks(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take_while(|byte| is_blank(byte)).count()
    }

    /// The blanks at the beginning of the line of a place.
    pub fn indentation(&self, at: usize) -> String {
        String::from_utf8_lossy(indentation(self.line_text(at))).into_owned()
    }

    pub fn line_start(&self, at: usize) -> usize {
        self.bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
    }

    /// The bytes to delete so that the lines from that of `start` up to the one that goes on at `end` vanish.
    pub fn whole_lines(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let line = self.line_start(start);
        let end = self.skip_blanks(end);
        match &self.bytes[..line] {
            [.., b'\r', b'\n'] => line - 2..end,
            [.., b'\n'] => line - 1..end,
            _ => line..(self.line_end(end) + 1).min(self.bytes.len()),
        }
    }

    fn line_end(&self, at: usize) -> usize {
        self.bytes[at..].iter().position(|&byte| byte == b'\n').map_or(self.bytes.len(), |length| at + length)
    }

    fn line_text(&self, at: usize) -> &'a [u8] {
        &self.bytes[self.line_start(at)..self.line_end(at)]
    }

    fn code_at(&self, start: usize) -> Option<usize> {
        self.code.binary_search_by_key(&start, |token| token.start).ok()
    }

    fn token(&self, at: usize) -> &'a [u8] {
        &self.bytes[self.code[at].start..self.code[at].end]
    }

    /// The tokens from `first` up to and with `last`.
    fn tokens(&self, first: usize, last: usize) -> Vec<&'a [u8]> {
        (first..(last + 1).min(self.code.len())).map(|at| self.token(at)).collect()
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// For each token the opening bracket that it stands in. Brackets that do not
/// match, as in the branches of an `#if`, are passed over.
fn nest(bytes: &[u8], code: &[Token]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut enclosing = Vec::with_capacity(code.len());
    for (at, token) in code.iter().enumerate() {
        let partner = match &bytes[token.start..token.end] {
            b")" => b'(',
            b"]" => b'[',
            b"}" => b'{',
            text => {
                enclosing.push(open.last().copied());
                if matches!(text, b"(" | b"[" | b"{") {
                    open.push(at);
                }
                continue;
            }
        };
        let depth = open.iter().rposition(|&opened| bytes[code[opened].start] == partner);
        enclosing.push(depth.map(|depth| open[depth]));
        open.truncate(depth.unwrap_or(open.len()));
    }
    enclosing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, what: &str) -> Option<(String, bool)> {
        let scan = Scan::new(text.as_bytes());
        let start = text.find(what).expect("the statement is in the text");
        let found = scan.statement(Span::new(start, start + what.len()))?;
        Some((text[found.start..found.end].to_string(), found.head.is_some()))
    }

    #[test]
    fn a_statement_ends_with_its_semicolon() {
        let text = "void f() { a(\";\") /* ; */ ; if (x) { b; } ; do c(); while (d) ; int y[] = {1}; M(z) }";
        assert_eq!(statement(text, "a(\";\")"), Some(("a(\";\") /* ; */ ;".into(), false)));
        assert_eq!(statement(text, "if (x) { b; }"), Some(("if (x) { b; }".into(), false)));
        assert_eq!(statement(text, "do c(); while (d)"), Some(("do c(); while (d) ;".into(), false)));
        assert_eq!(statement(text, "int y[] = {1}"), Some(("int y[] = {1};".into(), false)));
        assert_eq!(statement(text, "M(z)"), Some(("M(z)".into(), false)));
    }

    #[test]
    fn bodies_without_braces_are_seen() {
        let text = "void f() { if ((a) && ')') // )\n b(); else /* { */ c(); do d(); while (e); g(); }";
        for body in ["b()", "c()", "d()"] {
            assert_eq!(statement(text, body), Some((format!("{body};"), true)));
        }
        assert_eq!(statement(text, "g()"), Some(("g();".into(), false)));
    }

    #[test]
    fn parts_of_statements_are_none() {
        let text = "#define A b = 1;\nvoid f() { for (i = 0; i < n; i++) c = d; }";
        for part in ["b = 1", "i = 0", "i < n", "i++", "d", "= d"] {
            assert_eq!(statement(text, part), None, "{part}");
        }
    }
}
