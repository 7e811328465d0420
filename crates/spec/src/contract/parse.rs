//! Tokens to terms and predicates, by precedence climbing.
//!
//! From loose to tight: quantifiers and `\let`, `?:`, `<==>`, `==>`, `||`,
//! `^^`, `&&`, `|`, `^`, `&`, comparisons (chained), shifts, sums, products,
//! prefixes, suffixes.

use c_syntax::{BinaryOp, Span};

use super::overload::in_one_state;
use super::token::{Kind, Token};
use super::{Binary, Binder, ContractError, Fold, Term, TermKind, Unary};

/// Nesting, at most: trees are walked by recursion.
const DEEPEST: usize = 150;

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Whether a `:` belongs to a `?`, so that it names nothing.
    in_conditional: bool,
    /// The labels of the definition that is read; the first of two is the state before.
    pub(super) labelled: Vec<String>,
}

pub(super) type Parsed<T> = Result<T, ContractError>;

/// Operators and how tightly they bind.
const OPERATORS: [(&str, u8, Binary); 23] = [
    ("<==>", 2, Binary::Iff),
    ("==>", 3, Binary::Implies),
    ("||", 4, Binary::Or),
    ("^^", 5, Binary::Xor),
    ("&&", 6, Binary::And),
    ("|", 8, Binary::C(BinaryOp::Or)),
    ("^", 9, Binary::C(BinaryOp::Xor)),
    ("&", 10, Binary::C(BinaryOp::And)),
    ("==", 11, Binary::C(BinaryOp::Equal)),
    ("!=", 11, Binary::C(BinaryOp::NotEqual)),
    ("<", 11, Binary::C(BinaryOp::Less)),
    ("<=", 11, Binary::C(BinaryOp::LessEqual)),
    (">", 11, Binary::C(BinaryOp::Greater)),
    (">=", 11, Binary::C(BinaryOp::GreaterEqual)),
    ("<<", 12, Binary::C(BinaryOp::ShiftLeft)),
    (">>", 12, Binary::C(BinaryOp::ShiftRight)),
    ("+", 13, Binary::C(BinaryOp::Add)),
    ("-", 13, Binary::C(BinaryOp::Subtract)),
    ("*", 14, Binary::C(BinaryOp::Multiply)),
    ("/", 14, Binary::C(BinaryOp::Divide)),
    ("%", 14, Binary::C(BinaryOp::Remainder)),
    ("-->", 7, Binary::Implies),
    ("<-->", 7, Binary::Iff),
];
const IMPLIES: u8 = 3;
const COMPARISON: u8 = 11;
const SHIFT: u8 = 12;

/// Words that types are made of.
const TYPE_WORDS: [&str; 17] = [
    "integer", "real", "boolean", "void", "char", "short", "int", "long", "signed", "unsigned", "float", "double",
    "const", "struct", "size_t", "_Bool", "bool",
];

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0, depth: 0, in_conditional: false, labelled: vec![] }
    }

    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn span(&self) -> Span {
        self.token().span
    }

    /// The end of the token before this one.
    pub(super) fn last_end(&self) -> u32 {
        self.tokens[self.at.saturating_sub(1)].span.end
    }

    pub(super) fn is_over(&self) -> bool {
        self.token().kind == Kind::End
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token().clone();
        self.at += 1;
        token
    }

    pub(super) fn sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    fn sign_after(&self, distance: usize, sign: &str) -> bool {
        let token = self.tokens.get(self.at + distance);
        matches!(token, Some(Token { kind: Kind::Sign(found), .. }) if *found == sign)
    }

    pub(super) fn name(&self) -> Option<&str> {
        match &self.token().kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        self.at += usize::from(found);
        found
    }

    /// What is there, for an error.
    fn found(&self) -> String {
        match &self.token().kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Int(value) => format!("`{value}`"),
            Kind::Text => "a text".into(),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the annotation".into(),
        }
    }

    pub(super) fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        Err(ContractError::new(self.span(), format!("{wanted} is expected here, not {}", self.found())))
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    pub(super) fn identifier(&mut self, what: &str) -> Parsed<String> {
        match self.name() {
            Some(name) if !name.starts_with('\\') => {
                let name = name.to_string();
                self.at += 1;
                Ok(name)
            }
            _ => self.unexpected(what),
        }
    }

    /// `{L}` or `{L1, L2}`: the labels.
    pub(super) fn labels(&mut self) -> Parsed<Vec<String>> {
        let mut labels = vec![];
        if self.take_sign("{") {
            loop {
                labels.push(self.identifier("a label")?);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.expect("}")?;
        }
        Ok(labels)
    }

    /// A term or predicate, as loose as they come.
    pub(super) fn term(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ContractError::new(self.span(), "this nests too deeply"));
        }
        let start = self.span();
        let term = match self.name() {
            Some(word @ ("\\forall" | "\\exists")) => {
                let all = word == "\\forall";
                self.at += 1;
                let binders = self.binders()?;
                self.expect(";")?;
                let body = self.term()?;
                let span = start.to(body.span);
                Ok(Term::new(TermKind::Quantified { all, binders, body: Box::new(body) }, span))
            }
            Some("\\let") => self.binding(start),
            _ => self.conditional(),
        };
        self.depth -= 1;
        term
    }

    fn binding(&mut self, start: Span) -> Parsed<Term> {
        self.at += 1;
        let name = self.identifier("a name")?;
        self.expect("=")?;
        let value = self.term()?;
        self.expect(";")?;
        let body = self.term()?;
        let span = start.to(body.span);
        Ok(Term::new(TermKind::Let(name, Box::new(value), Box::new(body)), span))
    }

    fn conditional(&mut self) -> Parsed<Term> {
        let condition = self.operators(2)?;
        if !self.take_sign("?") {
            return Ok(condition);
        }
        let outer = std::mem::replace(&mut self.in_conditional, true);
        let then = self.term()?;
        self.in_conditional = outer;
        self.expect(":")?;
        let otherwise = self.term()?;
        let span = condition.span.to(otherwise.span);
        Ok(Term::new(TermKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)), span))
    }

    fn operator(&self) -> Option<(u8, Binary)> {
        let Kind::Sign(sign) = self.token().kind else { return None };
        OPERATORS.iter().find(|(text, ..)| *text == sign).map(|(_, level, op)| (*level, *op))
    }

    fn operators(&mut self, least: u8) -> Parsed<Term> {
        let mut left = self.prefix()?;
        while let Some((level, op)) = self.operator().filter(|(level, _)| *level >= least) {
            if level == COMPARISON {
                left = self.chain(left)?;
                continue;
            }
            self.at += 1;
            let right = match (level == IMPLIES, self.name()) {
                // A quantifier on the right reaches as far as it can.
                (_, Some("\\forall" | "\\exists" | "\\let")) => self.term()?,
                (true, _) => self.operators(level)?,
                (false, _) => self.operators(level + 1)?,
            };
            left = Term::binary(op, left, right);
        }
        Ok(left)
    }

    /// `a < b <= c` is `a < b && b <= c`.
    fn chain(&mut self, first: Term) -> Parsed<Term> {
        let mut left = first;
        let mut all: Option<Term> = None;
        while let Some((COMPARISON, op)) = self.operator() {
            self.at += 1;
            let right = self.operators(SHIFT)?;
            let link = Term::binary(op, left, right.clone());
            all = Some(match all {
                Some(before) => Term::binary(Binary::And, before, link),
                None => link,
            });
            left = right;
        }
        all.map_or_else(|| self.unexpected("a comparison"), Ok)
    }

    fn prefix(&mut self) -> Parsed<Term> {
        let start = self.span();
        let unary = match self.token().kind {
            Kind::Sign("!") => Unary::Not,
            Kind::Sign("-") => Unary::Negate,
            Kind::Sign("~") => Unary::Complement,
            Kind::Sign("*") => Unary::Deref,
            Kind::Sign("&") => Unary::AddressOf,
            Kind::Sign("+") => {
                self.at += 1;
                return self.prefix();
            }
            Kind::Sign("(") if self.is_type(1) || self.is_cast() => {
                self.at += 1;
                let ty = self.type_name()?;
                self.expect(")")?;
                let of = self.prefix()?;
                let span = start.to(of.span);
                return Ok(Term::new(TermKind::Cast(ty, Box::new(of)), span));
            }
            _ => return self.suffix(),
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ContractError::new(start, "this nests too deeply"));
        }
        let of = self.prefix()?;
        self.depth -= 1;
        let span = start.to(of.span);
        Ok(Term::new(TermKind::Unary(unary, Box::new(of)), span))
    }

    /// Whether `(name)` stands before what cannot follow a value: then the name is one of a type.
    fn is_cast(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map(|token| &token.kind);
        matches!((kind(1), kind(2)), (Some(Kind::Name(_)), Some(Kind::Sign(")"))))
            && matches!(kind(3), Some(Kind::Sign("(") | Kind::Name(_) | Kind::Int(_)))
    }

    fn suffix(&mut self) -> Parsed<Term> {
        let mut term = self.primary()?;
        loop {
            let start = term.span;
            if self.take_sign("[") {
                let index = self.range_or_term()?;
                self.expect("]")?;
                let span = Span { end: self.last_end(), ..start };
                term = Term::new(TermKind::Index(Box::new(term), Box::new(index)), span);
            } else if self.sign(".") || self.sign("->") {
                if self.advance().kind == Kind::Sign("->") {
                    term = Term::new(TermKind::Unary(Unary::Deref, Box::new(term)), start);
                }
                let member = self.identifier("a member")?;
                let span = Span { end: self.last_end(), ..start };
                term = Term::new(TermKind::Member(Box::new(term), member), span);
            } else {
                return Ok(term);
            }
        }
    }

    /// `e`, `l .. h`, `..`
    pub(super) fn range_or_term(&mut self) -> Parsed<Term> {
        let start = self.span();
        let low = if self.sign("..") { None } else { Some(self.term()?) };
        if !self.take_sign("..") {
            return low.map_or_else(|| self.unexpected("an index"), Ok);
        }
        let is_end = self.sign("]") || self.sign(")");
        let high = if is_end { None } else { Some(self.term()?) };
        let span = Span { end: self.last_end(), ..start };
        Ok(Term::new(TermKind::Range(low.map(Box::new), high.map(Box::new)), span))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let Token { kind, span } = self.token().clone();
        match kind {
            Kind::Int(value) => {
                self.at += 1;
                Ok(Term::new(TermKind::Int(value), span))
            }
            // A text names what follows.
            Kind::Text if self.sign_after(1, ":") => {
                self.at += 2;
                self.term()
            }
            Kind::Sign("(") => {
                self.at += 1;
                let outer = std::mem::replace(&mut self.in_conditional, false);
                let mut term = self.range_or_term()?;
                self.in_conditional = outer;
                self.expect(")")?;
                term.span = Span { end: self.last_end(), ..span };
                Ok(term)
            }
            Kind::Name(name) if name.starts_with('\\') => self.builtin(&name, span),
            Kind::Name(_) if self.sign_after(1, ":") && !self.in_conditional => {
                self.at += 2;
                self.term()
            }
            Kind::Name(name) => {
                self.at += 1;
                self.named(name, span)
            }
            _ => self.unexpected("a term"),
        }
    }

    /// A variable, or a call with labels and arguments.
    fn named(&mut self, name: String, span: Span) -> Parsed<Term> {
        if !self.sign("(") && !self.sign("{") {
            return Ok(Term::new(TermKind::Name(name), span));
        }
        let labels = self.labels()?;
        if !self.sign("(") {
            return Ok(Term::new(TermKind::Name(name), span));
        }
        let arguments = self.arguments()?;
        let span = Span { end: self.last_end(), ..span };
        let call = |name| Term::new(TermKind::Call(name, arguments), span);
        let before = |term| Term::new(TermKind::Old(Box::new(term)), span);
        match labels.iter().map(|label| self.is_before(label)).collect::<Vec<bool>>().as_slice() {
            [] | [false] | [true, false] => Ok(call(name)),
            [true] => Ok(before(call(name))),
            [false, false] => Ok(call(in_one_state(&name))),
            [true, true] => Ok(before(call(in_one_state(&name)))),
            _ => Err(ContractError::new(span, "of two labels the first is the state before the call: {Old, Here}")),
        }
    }

    /// Whether a label names the state before the call.
    fn is_before(&self, label: &str) -> bool {
        matches!(label, "Old" | "Pre") || self.labelled.len() > 1 && self.labelled[0] == label
    }

    fn arguments(&mut self) -> Parsed<Vec<Term>> {
        self.expect("(")?;
        let outer = std::mem::replace(&mut self.in_conditional, false);
        let mut all = vec![];
        while !self.sign(")") {
            all.push(self.range_or_term()?);
            if !self.take_sign(",") {
                break;
            }
        }
        self.in_conditional = outer;
        self.expect(")")?;
        Ok(all)
    }

    fn builtin(&mut self, name: &str, start: Span) -> Parsed<Term> {
        self.at += 1;
        let kind = match name {
            "\\result" => TermKind::Result,
            "\\true" => TermKind::Truth(true),
            "\\false" => TermKind::Truth(false),
            "\\null" | "\\NULL" => TermKind::Null,
            "\\nothing" | "\\empty" => TermKind::Nothing,
            "\\old" => match self.arguments()?.pop() {
                Some(term) => TermKind::Old(Box::new(term)),
                None => return self.unexpected("a term"),
            },
            "\\at" => self.at_label()?,
            "\\valid" | "\\valid_read" => {
                self.labels()?;
                TermKind::Valid(self.arguments()?)
            }
            "\\separated" | "\\initialized" | "\\fresh" | "\\allocable" | "\\freeable" | "\\dangling" => {
                self.labels()?;
                self.arguments()?;
                TermKind::Given(match name {
                    "\\separated" => "\\separated",
                    "\\initialized" => "\\initialized",
                    _ => "\\allocable",
                })
            }
            "\\sum" => self.fold(Fold::Sum)?,
            "\\product" => self.fold(Fold::Product)?,
            "\\numof" => self.fold(Fold::Count)?,
            "\\max" => self.fold(Fold::Max)?,
            "\\min" => self.fold(Fold::Min)?,
            "\\abs" => TermKind::Call(name.into(), self.arguments()?),
            _ => return Err(ContractError::new(start, format!("`{name}` is not known here"))),
        };
        let span = Span { end: self.last_end(), ..start };
        Ok(Term::new(kind, span))
    }

    fn at_label(&mut self) -> Parsed<TermKind> {
        self.expect("(")?;
        let term = self.term()?;
        self.expect(",")?;
        let place = self.span();
        let label = self.identifier("a label")?;
        self.expect(")")?;
        match label.as_str() {
            label if self.is_before(label) => Ok(TermKind::Old(Box::new(term))),
            label if matches!(label, "Here" | "Post") || self.labelled.iter().any(|known| known == label) => {
                Ok(term.kind)
            }
            _ => Err(ContractError::new(
                place,
                format!("the label `{label}` is not known; there are Pre, Old, Here, Post"),
            )),
        }
    }

    /// `(l, h, \lambda integer k; e)`; `\max` and `\min` of two values, too.
    fn fold(&mut self, fold: Fold) -> Parsed<TermKind> {
        self.expect("(")?;
        let low = self.term()?;
        self.expect(",")?;
        let high = self.term()?;
        if self.take_sign(")") {
            let name = if fold == Fold::Max { "\\max" } else { "\\min" };
            return match fold {
                Fold::Max | Fold::Min => Ok(TermKind::Call(name.into(), vec![low, high])),
                _ => self.unexpected("`\\lambda`"),
            };
        }
        self.expect(",")?;
        if !self.take_name("\\lambda") {
            return self.unexpected("`\\lambda`");
        }
        let binders = self.binders()?;
        self.expect(";")?;
        let body = self.term()?;
        self.expect(")")?;
        let [binder] = &binders[..] else {
            return Err(ContractError::new(body.span, "a \\lambda here has one name"));
        };
        let (low, high, body) = (Box::new(low), Box::new(high), Box::new(body));
        Ok(TermKind::Fold { fold, low, high, name: binder.name.clone(), body })
    }

    /// `integer i, j, int k`
    fn binders(&mut self) -> Parsed<Vec<Binder>> {
        let mut all = vec![];
        let mut ty = self.type_name()?;
        loop {
            let mut own = ty.clone();
            while self.take_sign("*") {
                own += " *";
            }
            let span = self.span();
            let name = self.identifier("a name")?;
            all.push(Binder { ty: own, name, span });
            if !self.take_sign(",") {
                return Ok(all);
            }
            if self.is_type(0) {
                ty = self.type_name()?;
            }
        }
    }

    /// Whether a type begins here: one of its words, or a name that a name or `*` and a name follow.
    fn is_type(&self, distance: usize) -> bool {
        let Some(Token { kind: Kind::Name(name), .. }) = self.tokens.get(self.at + distance) else { return false };
        if TYPE_WORDS.contains(&name.as_str()) {
            return true;
        }
        let next = self.tokens.get(self.at + distance + 1).map(|token| &token.kind);
        let is_cast =
            name.ends_with("_t") && (self.sign_after(distance + 1, ")") || self.sign_after(distance + 1, "*"));
        is_cast || (distance == 0 && matches!(next, Some(Kind::Name(_))))
    }

    /// A type as it is written, with its stars.
    pub(super) fn type_name(&mut self) -> Parsed<String> {
        let mut words: Vec<String> = vec![];
        while let Some(name) = self.name() {
            let known = TYPE_WORDS.contains(&name);
            let after_struct = words.last().is_some_and(|last| last == "struct");
            let only_const = words.iter().all(|word| word == "const");
            if !(known || after_struct || only_const) {
                break;
            }
            words.push(name.into());
            self.at += 1;
        }
        if words.is_empty() {
            return self.unexpected("a type");
        }
        while self.take_sign("*") {
            words.push("*".into());
            if self.take_name("const") {
                words.push("const".into());
            }
        }
        Ok(words.join(" "))
    }
}
