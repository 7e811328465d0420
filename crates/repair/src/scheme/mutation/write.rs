//! The text of a program with some of its choices made.
//!
//! Only the tokens of the chosen alternatives change, and parentheses are
//! added where the new text would otherwise be read differently: `x + a - b`,
//! whose `-` becomes `*`, is written `(x + a) * b`.

use std::collections::{BTreeMap, HashSet};

use c_syntax::{
    Alternative, BinaryOp, Change, Expr, ExprKind, SelectorId, Span, Stmt, StmtKind, UnaryOp, Unit, VariableId,
};
use patch::Edit;

use super::constant;

// How tightly C binds.
const COMMA: u8 = 1;
const ASSIGNMENT: u8 = 2;
const CONDITIONAL: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const SUM: u8 = 12;
const PREFIX: u8 = 14;
const POSTFIX: u8 = 15;
const PRIMARY: u8 = 16;

/// The edits that choose these alternatives; `None` if they can not be written.
pub fn edits(unit: &Unit, on: &[SelectorId]) -> Option<Vec<Edit>> {
    let macro_uses = unit.macro_uses.iter().copied().collect();
    let mut writer =
        Writer { unit, on, macro_uses, changes: Vec::new(), deleted: Vec::new(), seen: HashSet::new(), failed: false };
    for function in unit.functions.iter().filter(|function| function.own) {
        function.body.iter().for_each(|statement| writer.statement(statement));
    }
    (!writer.failed).then(|| writer.finish())
}

struct Writer<'a> {
    unit: &'a Unit,
    /// Few, so that looking for one is fast.
    on: &'a [SelectorId],
    macro_uses: HashSet<Span>,
    /// In the order of the text, and where several begin at one place in the order in which they follow each other.
    changes: Vec<(Span, String)>,
    deleted: Vec<Span>,
    /// What was written already: macros are used several times, and so are their arguments.
    seen: HashSet<(Span, &'static str)>,
    failed: bool,
}

impl<'a> Writer<'a> {
    fn finish(mut self) -> Vec<Edit> {
        self.changes.sort_by_key(|(span, _)| span.start);
        let mut merged: BTreeMap<u32, (Span, String)> = BTreeMap::new();
        for (span, text) in self.changes {
            let (whole, all) = merged.entry(span.start).or_insert_with(|| (span, String::new()));
            *whole = whole.to(span);
            all.push_str(&text);
        }
        let source = &self.unit.source;
        let deletions = self.deleted.into_iter().map(|span| {
            let edit = Edit::Delete { span };
            // Behind a macro it may not be known for a statement: then its `;` stays.
            match patch::apply(source, std::slice::from_ref(&edit)) {
                Ok(_) => edit,
                Err(_) => Edit::Replace { span, text: String::new() },
            }
        });
        merged.into_values().map(|(span, text)| Edit::Replace { span, text }).chain(deletions).collect()
    }

    // ----- statements -----

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Block(inner) => inner.iter().for_each(|s| self.statement(s)),
            StmtKind::Declare(variables) => variables.iter().for_each(|&id| self.initialiser(id)),
            StmtKind::Expr(e) => self.expr(e, COMMA, false),
            StmtKind::If(test, then, otherwise) => {
                self.expr(test, COMMA, false);
                self.statement(then);
                otherwise.iter().for_each(|s| self.statement(s));
            }
            StmtKind::While(test, body) | StmtKind::Switch(test, body) => {
                self.expr(test, COMMA, false);
                self.statement(body);
            }
            StmtKind::Do(body, test) => {
                self.statement(body);
                self.expr(test, COMMA, false);
            }
            StmtKind::For(init, test, update, body) => {
                init.iter().for_each(|s| self.statement(s));
                test.iter().chain(update).for_each(|e| self.expr(e, COMMA, false));
                self.statement(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e, COMMA, false)),
            StmtKind::Optional { selector, statement: inner } => match self.on.contains(selector) {
                true => self.deleted.push(statement.span),
                false => self.statement(inner),
            },
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Empty | StmtKind::Unsupported(_) => {}
        }
    }

    fn initialiser(&mut self, id: VariableId) {
        let init = &self.unit.variables[id.0 as usize].init;
        init.iter().for_each(|init| self.expr(init, ASSIGNMENT, false));
    }

    // ----- expressions -----

    /// An expression where one that binds less tightly than `least` needs
    /// parentheses. What is around it is `new` if it was not there before.
    fn expr(&mut self, e: &'a Expr, least: u8, new: bool) {
        let wrap = (new || self.is_changed(e)) && !self.is_in_parentheses(e) && self.precedence(e) < least;
        if wrap {
            self.insert(e.span.start, e.span, "outer (", "(");
        }
        self.inside(e);
        if wrap {
            self.insert(e.span.end, e.span, "outer )", ")");
        }
    }

    fn inside(&mut self, e: &'a Expr) {
        use ExprKind::*;
        match &e.kind {
            Choice { of, alternatives } => {
                let chosen = self.chosen(alternatives);
                match chosen.iter().find(|change| !matches!(change, Change::Target(_))) {
                    Some(change) if change.is_of_truth() => self.truth(e, of, change),
                    Some(Change::Shift(by)) => self.shifted(of, *by),
                    Some(Change::Replace(other, text)) => self.replaced(of, other, text),
                    Some(Change::Left) => self.left(of),
                    Some(Change::Right) => self.right(of),
                    _ => self.plain(of, &chosen),
                }
            }
            _ => self.plain(e, &[]),
        }
    }

    /// An expression with another token, perhaps.
    fn plain(&mut self, e: &'a Expr, chosen: &[&'a Change]) {
        use ExprKind::*;
        let change = chosen.iter().copied().find(|change| !matches!(change, Change::Target(_)));
        let target = chosen.iter().copied().find(|change| matches!(change, Change::Target(_)));
        let is_new = change.is_some();
        match &e.kind {
            Int(_) => {
                if let Some(Change::Constant(value)) = change {
                    self.constant(e, *value);
                }
            }
            Binary(op, left, right) => {
                let op = match change {
                    Some(Change::Operator(op) | Change::OperatorAndShift(op, _)) => *op,
                    _ => *op,
                };
                self.expr(left, binary_precedence(op), is_new);
                self.operator(e, change.map(|_| op.text().to_string()));
                match change {
                    Some(Change::OperatorAndShift(_, by)) => {
                        let wrap = !self.is_literal(right) && SUM < binary_precedence(op) + 1;
                        self.failed |= wrap;
                        self.shifted(right, *by);
                    }
                    _ => self.expr(right, binary_precedence(op) + 1, is_new),
                }
            }
            And(left, right) | Or(left, right) => {
                let is_and = matches!(e.kind, And(..)) != is_new;
                let (least, word) = if is_and { (AND, "&&") } else { (OR, "||") };
                self.expr(left, least, is_new);
                self.operator(e, change.map(|_| word.to_string()));
                self.expr(right, least + 1, is_new);
            }
            Compound(_, place, value, _) | Assign(place, value) => {
                self.target(place, target);
                if let Some(Change::Operator(op)) = change {
                    self.operator(e, Some(format!("{}=", op.text())));
                }
                self.expr(value, ASSIGNMENT, false);
            }
            Unary(op, inner) if is_step(*op) => {
                let text = if matches!(op, UnaryOp::PreIncrement | UnaryOp::PostIncrement) { "--" } else { "++" };
                let is_prefix = matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement);
                let token = change.map(|_| text.to_string());
                if is_prefix {
                    self.operator(e, token.clone());
                }
                self.target(inner, target);
                if !is_prefix {
                    self.operator(e, token);
                }
            }
            Unary(_, inner) => self.expr(inner, PREFIX, false),
            Convert(inner) | Discard(inner) if e.token.is_some() => self.expr(inner, PREFIX, false),
            Load(inner) | Decay(inner) | Convert(inner) | Discard(inner) | UnionInit(_, inner) => self.inside(inner),
            Member { base, .. } => self.expr(base, POSTFIX, false),
            // `2[a]` is `a[2]`.
            Index(pointer, index) => {
                let swapped = index.span.start < pointer.span.start;
                let (first, second) = if swapped { (index, pointer) } else { (pointer, index) };
                self.expr(first, POSTFIX, false);
                self.expr(second, COMMA, false);
            }
            Comma(a, b) => {
                self.expr(a, COMMA, false);
                self.expr(b, ASSIGNMENT, false);
            }
            Conditional(test, yes, no) => {
                self.expr(test, OR, false);
                self.expr(yes, COMMA, false);
                self.expr(no, CONDITIONAL, false);
            }
            Elvis(test, no) => {
                self.expr(test, OR, false);
                self.expr(no, CONDITIONAL, false);
            }
            Call(callee, arguments) => {
                self.expr(callee, POSTFIX, false);
                arguments.iter().for_each(|argument| self.expr(argument, ASSIGNMENT, false));
            }
            InitList(entries) => entries.iter().for_each(|entry| self.expr(entry, ASSIGNMENT, false)),
            Statements(inner) => inner.iter().for_each(|statement| self.statement(statement)),
            Choice { .. } => self.inside(e),
            VaArg(_) | Float(_) | Text(_) | Variable(_) | Function(_) | Zero => {}
            SizeOfVariable(_) | CompoundLiteral(_) | Unsupported(_) => {}
        }
    }

    fn target(&mut self, place: &'a Expr, change: Option<&'a Change>) {
        match change {
            Some(Change::Target(other)) => self.name(place, other),
            _ => self.expr(place, PREFIX, false),
        }
    }

    /// Writes another expression in the place of a variable, a constant or a whole operand.
    fn replaced(&mut self, of: &Expr, other: &'a Expr, text: &str) {
        let token = match &of.kind {
            ExprKind::Load(place) => place.token,
            ExprKind::Int(_) => of.token.filter(|token| of.span.covers(*token)),
            _ => None,
        };
        self.token(token.or(Some(of.span)), text.into());
        // A macro that it names may be changed too.
        self.inside(other);
    }

    /// Writes the name of the variable `other` in the place of a variable.
    fn name(&mut self, place: &Expr, other: &Expr) {
        let ExprKind::Variable(id) = other.kind else { return };
        let name = self.unit.variables[id.0 as usize].name.to_string();
        self.token(place.token, name);
    }

    fn constant(&mut self, e: &Expr, value: i128) {
        let Some(token) = e.token else { return };
        let old = self.unit.source.text(token);
        // An unsigned constant is stored as it wraps, and was written as a negative one.
        let original = constant::parse(&old).unwrap_or(0);
        let candidates = [value, original + 1, original - 1, -original];
        let wraps = |new: &&i128| c_syntax::wrap(&self.unit.types, e.ty, **new) == value;
        let written = |new: &i128| constant::write(&self.unit.types, e.ty, &old, *new);
        match candidates.iter().filter(wraps).find_map(written) {
            Some(text) => self.token(Some(token), text),
            None => self.failed = true,
        }
    }

    fn operator(&mut self, e: &Expr, text: Option<String>) {
        if let Some(text) = text {
            self.token(e.token, text);
        }
    }

    /// Replaces a token, with blanks where it would grow together with its neighbours.
    fn token(&mut self, token: Option<Span>, text: String) {
        let Some(token) = token else { return self.failed = true };
        if !self.seen.insert((token, "token")) {
            return;
        }
        let bytes = &self.unit.source.bytes;
        let before = token.start.checked_sub(1).and_then(|at| bytes.get(at as usize));
        let first = grow_together(before, text.as_bytes().first());
        let last = grow_together(text.as_bytes().last(), bytes.get(token.end as usize));
        let text = format!("{}{text}{}", if first { " " } else { "" }, if last { " " } else { "" });
        self.changes.push((token, text));
    }

    // ----- conditions and indices -----

    /// `!c`, `c`, `c && d`, `c || d`
    fn truth(&mut self, e: &'a Expr, of: &'a Expr, change: &'a Change) {
        // `!` goes before parentheses, an atom into them.
        let outside = self.outside(of).filter(|_| matches!(change, Change::Negated));
        let (span, closed) = outside.map_or((of.span, false), |span| (span, true));
        let (before, after, least) = match change {
            Change::Affirmed => return self.affirmed(of),
            Change::Negated => ("!", String::new(), PREFIX),
            Change::Conjunct(other) => ("", format!(" && {}", self.side(other, AND + 1)), AND),
            Change::Disjunct(other) => ("", format!(" || {}", self.side(other, OR + 1)), OR),
            _ => unreachable!("a change of truth"),
        };
        let wrap = !closed && self.precedence(of) < least;
        self.insert(span.start, e.span, "inner (", if wrap { format!("{before}(") } else { before.into() });
        self.inside(of);
        self.insert(span.end, e.span, "inner )", if wrap { format!("){after}") } else { after });
    }

    fn affirmed(&mut self, of: &'a Expr) {
        let (ExprKind::Unary(UnaryOp::Not, inner), Some(token)) = (&of.kind, of.token) else {
            return self.failed = true;
        };
        let end = c_syntax::skip_space(&self.unit.source.bytes, token.end as usize);
        self.changes.push((Span::new(token.start as usize, end), String::new()));
        self.expr(inner, PREFIX, false);
    }

    /// The text of an atom that is added.
    fn side(&self, other: &Expr, least: u8) -> String {
        let text = self.unit.source.text(other.span);
        if self.precedence(other) < least { format!("({text})") } else { text }
    }

    /// The place of an expression with its parentheses.
    fn outside(&self, e: &Expr) -> Option<Span> {
        let bytes = &self.unit.source.bytes;
        let open = bytes[..e.span.start as usize].iter().rposition(|byte| !byte.is_ascii_whitespace())?;
        let close = c_syntax::skip_space(bytes, e.span.end as usize);
        let is_closed = bytes[open] == b'(' && bytes.get(close) == Some(&b')');
        (e.in_parentheses && is_closed).then(|| Span::new(open, close + 1))
    }

    /// `a && b` without `b`.
    fn left(&mut self, of: &'a Expr) {
        let (ExprKind::And(side, _) | ExprKind::Or(side, _), Some(token)) = (&of.kind, of.token) else {
            return self.failed = true;
        };
        self.inside(side);
        let text = &self.unit.source.bytes[..token.start as usize];
        let end = text.trim_ascii_end().len();
        self.replace(Span::new(end, of.span.end as usize), "");
    }

    /// `a && b` without `a`.
    fn right(&mut self, of: &'a Expr) {
        let (ExprKind::And(_, side) | ExprKind::Or(_, side), Some(token)) = (&of.kind, of.token) else {
            return self.failed = true;
        };
        let start = c_syntax::skip_space(&self.unit.source.bytes, token.end as usize);
        self.replace(Span::new(of.span.start as usize, start), "");
        self.inside(side);
    }

    /// A number more.
    fn shifted(&mut self, of: &'a Expr, by: i128) {
        if let Some((literal, value)) = self.literal(of) {
            return match literal.token.filter(|token| literal.span.covers(*token)) {
                Some(_) => self.constant_text(literal, value + by),
                None => {
                    self.inside(of);
                    self.insert(of.span.end, of.span, "shift", sum(by));
                }
            };
        }
        let wrap = !self.is_in_parentheses(of) && self.precedence(of) < SUM;
        if wrap {
            self.insert(of.span.start, of.span, "shift (", "(");
        }
        self.inside(of);
        self.insert(of.span.end, of.span, "shift", format!("{}{}", if wrap { ")" } else { "" }, sum(by)));
    }

    fn constant_text(&mut self, literal: &Expr, value: i128) {
        let old = literal.token.map(|token| self.unit.source.text(token)).unwrap_or_default();
        match constant::write(&self.unit.types, literal.ty, &old, value) {
            Some(text) => self.token(literal.token, text),
            None => self.failed = true,
        }
    }

    /// The constant that an expression is, and its chosen value.
    fn literal(&self, e: &'a Expr) -> Option<(&'a Expr, i128)> {
        match &e.kind {
            ExprKind::Int(value) => Some((e, *value)),
            ExprKind::Convert(inner) if e.token.is_none() => self.literal(inner),
            ExprKind::Choice { of, alternatives } => {
                let (literal, value) = self.literal(of)?;
                match self.chosen(alternatives)[..] {
                    [Change::Constant(value)] => Some((literal, *value)),
                    [Change::Replace(..)] => None,
                    _ => Some((literal, value)),
                }
            }
            _ => None,
        }
    }

    fn is_literal(&self, e: &'a Expr) -> bool {
        self.literal(e).is_some_and(|(literal, _)| literal.token.is_some_and(|token| literal.span.covers(token)))
    }

    // ----- text -----

    /// Adds text at a place; `node` and `what` tell it from what is added for others.
    fn insert(&mut self, at: u32, node: Span, what: &'static str, text: impl Into<String>) {
        let text = text.into();
        if text.is_empty() || !self.seen.insert((node, what)) {
            return;
        }
        self.failed |= node.is_empty() || self.macro_uses.contains(&node);
        self.changes.push((Span { start: at, end: at }, text));
    }

    fn replace(&mut self, span: Span, text: &str) {
        if self.seen.insert((span, "replace")) {
            self.changes.push((span, text.into()));
        }
    }

    // ----- what is chosen -----

    fn chosen(&self, alternatives: &'a [Alternative]) -> Vec<&'a Change> {
        alternatives.iter().filter(|one| self.on.contains(&one.selector)).map(|one| &one.change).collect()
    }

    /// Whether something else is chosen for the expression itself, not only inside of it.
    fn is_changed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Choice { of, alternatives } => {
                alternatives.iter().any(|one| self.on.contains(&one.selector)) || self.is_changed(of)
            }
            _ => see_through(e).is_some_and(|inner| self.is_changed(inner)),
        }
    }

    fn is_in_parentheses(&self, e: &Expr) -> bool {
        if let ExprKind::Choice { of, alternatives } = &e.kind {
            let leaves = |one: &Alternative| self.on.contains(&one.selector) && matches!(one.change, Change::Negated);
            // The `!` stands outside of the parentheses.
            return match alternatives.iter().any(leaves) && self.outside(of).is_some() {
                true => false,
                false => self.is_in_parentheses(of) || of.in_parentheses,
            };
        }
        e.in_parentheses || see_through(e).is_some_and(|inner| self.is_in_parentheses(inner))
    }

    /// How tightly an expression binds, with what is chosen.
    fn precedence(&self, e: &Expr) -> u8 {
        use ExprKind::*;
        match &e.kind {
            Choice { of, alternatives } => {
                let chosen = alternatives
                    .iter()
                    .find(|one| self.on.contains(&one.selector) && !matches!(one.change, Change::Target(_)));
                match chosen.map(|one| &one.change) {
                    None => self.precedence(of),
                    Some(change) => self.changed_precedence(of, change),
                }
            }
            Comma(..) => COMMA,
            Assign(..) | Compound(..) => ASSIGNMENT,
            Conditional(..) | Elvis(..) => CONDITIONAL,
            Or(..) => OR,
            And(..) => AND,
            Binary(op, ..) => binary_precedence(*op),
            Unary(UnaryOp::PostIncrement | UnaryOp::PostDecrement, _) => POSTFIX,
            Unary(..) => PREFIX,
            Index(..) | Member { .. } | Call(..) => POSTFIX,
            Convert(_) | Discard(_) if e.token.is_some() => PREFIX,
            _ => see_through(e).map_or(PRIMARY, |inner| self.side_precedence(inner)),
        }
    }

    /// How tightly an expression binds together with its parentheses.
    fn side_precedence(&self, e: &Expr) -> u8 {
        if self.is_in_parentheses(e) { PRIMARY } else { self.precedence(e) }
    }

    fn changed_precedence(&self, of: &Expr, change: &Change) -> u8 {
        match (change, &of.kind) {
            (Change::Operator(_), ExprKind::Compound(..)) => ASSIGNMENT,
            (Change::Operator(op) | Change::OperatorAndShift(op, _), _) => binary_precedence(*op),
            (Change::Connective, ExprKind::And(..)) => OR,
            (Change::Connective, _) => AND,
            (Change::Left, ExprKind::And(side, _) | ExprKind::Or(side, _)) => self.side_precedence(side),
            (Change::Right, ExprKind::And(_, side) | ExprKind::Or(_, side)) => self.side_precedence(side),
            (Change::Affirmed, ExprKind::Unary(_, inner)) => self.side_precedence(inner),
            (Change::Constant(_) | Change::Negated, _) => PREFIX,
            (Change::Replace(..), _) => POSTFIX,
            (Change::Shift(_), _) => SUM,
            (Change::Conjunct(_), _) => AND,
            (Change::Disjunct(_), _) => OR,
            _ => self.precedence(of),
        }
    }
}

/// What an expression without text of its own is made of.
fn see_through(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Convert(inner) | ExprKind::Discard(inner) => {
            Some(&**inner).filter(|_| e.token.is_none())
        }
        _ => None,
    }
}

/// Whether what ends in one byte and what begins with another could be read as one token.
fn grow_together(left: Option<&u8>, right: Option<&u8>) -> bool {
    let is_operator = |byte: &u8| b"+-*/%&|<>=!~^".contains(byte);
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let (Some(left), Some(right)) = (left, right) else { return false };
    is_operator(left) && is_operator(right) || is_letter(left) && is_letter(right)
}

fn is_step(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
}

fn sum(by: i128) -> String {
    format!(" {} {}", if by < 0 { '-' } else { '+' }, by.abs())
}

fn binary_precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 6,
        Xor => 7,
        And => 8,
        Equal | NotEqual => 9,
        Less | LessEqual | Greater | GreaterEqual => 10,
        ShiftLeft | ShiftRight => 11,
        Add | Subtract => SUM,
        Multiply | Divide | Remainder => 13,
    }
}
