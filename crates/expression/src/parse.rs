//! Typed text to a [`Tree`].
//!
//! Operators are parsed by precedence climbing. In `x -1` a place ends before
//! the `-`: see [`Parser::is_place`].

mod name;
mod refuse;
mod type_name;

use c_syntax::{BinaryOp, Span};

use crate::ExpressionError;
use crate::token::{Kind, Token, tokens};
use crate::tree::{Tree, TreeKind, Unary};

pub(crate) use type_name::{library_type, parse_type};

/// Operators of one expression, and levels of nesting, at most: trees are walked by recursion.
const LARGEST: usize = 400;
const DEEPEST: usize = 100;

/// A whole text as one expression.
pub(crate) fn parse_whole(text: &str) -> Result<Tree, ExpressionError> {
    Parser::new(text).whole()
}

/// All of `tokens`, which were made of `text`, as one expression; `types` are the names among them that are types.
pub(crate) fn parse_tokens<'t>(text: &'t str, tokens: Vec<Token<'t>>, types: Vec<&'t str>) -> Parsed {
    Parser { tokens, types, ..Parser::new(text) }.whole()
}

/// The place at the start of a text, and where what follows it begins.
pub(crate) fn parse_start(text: &str) -> Result<(Tree, usize), ExpressionError> {
    let mut parser = Parser { is_place: true, ..Parser::new(text) };
    let tree = parser.unary()?;
    Ok((tree, parser.token().span.start as usize))
}

pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    operators: usize,
    /// Whether a place is parsed that something else follows, so that `(` and
    /// `--` after it are no part of it.
    is_place: bool,
    /// Whether a `:` belongs to the `?` before it, so that it makes no `main:x`.
    in_conditional: bool,
    /// Names that are known to be types.
    types: Vec<&'t str>,
}

type Parsed = Result<Tree, ExpressionError>;

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Parser {
            text,
            tokens: tokens(text),
            at: 0,
            depth: 0,
            operators: 0,
            is_place: false,
            in_conditional: false,
            types: Vec::new(),
        }
    }

    fn whole(&mut self) -> Parsed {
        let tree = self.conditional()?;
        match self.peek() {
            Kind::End => Ok(tree),
            _ => Err(self.unexpected("the expression ends before it")),
        }
    }

    fn token(&self) -> &Token<'t> {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> &Kind<'t> {
        &self.token().kind
    }

    fn after(&self, count: usize) -> &Kind<'t> {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Kind::Symbol(s) if *s == symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<Span, ExpressionError> {
        let span = self.span();
        match self.eat(symbol) {
            true => Ok(span),
            false => Err(self.unexpected(&format!("`{symbol}` is missing"))),
        }
    }

    fn node(&mut self, span: Span, kind: TreeKind) -> Parsed {
        self.operators += 1;
        match self.operators > LARGEST {
            true => Err(ExpressionError::new(span, "this expression is too long")),
            false => Ok(Tree { kind, span }),
        }
    }

    /// Runs `parse` one level deeper, refusing what nests too deeply.
    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= DEEPEST {
            return Err(ExpressionError::new(self.span(), "this expression nests too deeply"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// What stands inside of brackets is an expression of its own.
    fn inside(&mut self) -> Parsed {
        let outer = (self.is_place, self.in_conditional);
        (self.is_place, self.in_conditional) = (false, false);
        let tree = self.deeper(Self::conditional)?;
        (self.is_place, self.in_conditional) = outer;
        Ok(tree)
    }

    /// conditional = binary ["?" conditional ":" conditional]
    fn conditional(&mut self) -> Parsed {
        let test = self.binary(0)?;
        if !self.eat("?") {
            return Ok(test);
        }
        let outer = std::mem::replace(&mut self.in_conditional, true);
        let yes = self.deeper(Self::conditional)?;
        self.in_conditional = outer;
        self.expect(":")?;
        let no = self.deeper(Self::conditional)?;
        let span = test.span.to(no.span);
        self.node(span, TreeKind::Conditional(test.into(), yes.into(), no.into()))
    }

    /// Operators that bind at least as tightly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Parsed {
        let mut left = self.unary()?;
        while let Kind::Symbol(symbol) = *self.peek()
            && let Some(strength) = strength(symbol)
            && strength >= weakest
        {
            self.at += 1;
            let right = self.deeper(|parser| parser.binary(strength + 1))?;
            let span = left.span.to(right.span);
            let (a, b) = (left.into(), right.into());
            let kind = match symbol {
                "&&" => TreeKind::And(a, b),
                "||" => TreeKind::Or(a, b),
                _ => TreeKind::Binary(BinaryOp::parse(symbol).expect("it has a strength"), a, b),
            };
            left = self.node(span, kind)?;
        }
        Ok(left)
    }

    /// unary = ("+" | "-" | "~" | "!" | "*" | "&") unary | "sizeof" … | cast | postfix
    fn unary(&mut self) -> Parsed {
        let start = self.span();
        let op = match *self.peek() {
            Kind::Symbol("+") => Unary::Plus,
            Kind::Symbol("-") => Unary::Negate,
            Kind::Symbol("~") => Unary::Complement,
            Kind::Symbol("!") => Unary::Not,
            Kind::Symbol("*") => Unary::Deref,
            Kind::Symbol("&") => Unary::AddressOf,
            Kind::Name("sizeof") => return self.size_of(),
            Kind::Symbol("(") if self.is_cast() => return self.cast(),
            _ => return self.postfix(),
        };
        self.at += 1;
        let operand = self.deeper(Self::unary)?;
        let span = start.to(operand.span);
        self.node(span, TreeKind::Unary(op, operand.into()))
    }

    /// cast = "(" type ")" unary
    fn cast(&mut self) -> Parsed {
        let start = self.expect("(")?;
        let ty = self.type_name()?;
        self.expect(")")?;
        let operand = self.deeper(Self::unary)?;
        let span = start.to(operand.span);
        self.node(span, TreeKind::Cast(ty, operand.into()))
    }

    /// "sizeof" ("(" type ")" | unary)
    fn size_of(&mut self) -> Parsed {
        let start = self.span();
        self.at += 1;
        if matches!(self.peek(), Kind::Symbol("(")) && self.is_type_at(1) {
            self.at += 1;
            let ty = self.type_name()?;
            let span = start.to(self.expect(")")?);
            return self.node(span, TreeKind::SizeOfType(ty));
        }
        let operand = self.deeper(Self::unary)?;
        let span = start.to(operand.span);
        self.node(span, TreeKind::SizeOf(operand.into()))
    }

    /// postfix = primary ("[" expression "]" | "." name | "->" name)*
    fn postfix(&mut self) -> Parsed {
        let mut tree = self.primary()?;
        loop {
            let start = tree.span;
            if self.eat("[") {
                let index = self.inside()?;
                let span = start.to(self.expect("]")?);
                tree = self.node(span, TreeKind::Index(tree.into(), index.into()))?;
            } else if matches!(self.peek(), Kind::Symbol("." | "->")) {
                let arrow = *self.peek() == Kind::Symbol("->");
                self.at += 1;
                let name_span = self.span();
                let Kind::Name(name) = *self.peek() else {
                    return Err(self.unexpected("the name of a member is missing"));
                };
                self.at += 1;
                let kind = TreeKind::Member { base: tree.into(), name: name.into(), name_span, arrow };
                tree = self.node(start.to(name_span), kind)?;
            } else if !self.is_place && matches!(self.peek(), Kind::Symbol("(" | "++" | "--")) {
                return Err(self.unexpected("the expression ends before it"));
            } else {
                return Ok(tree);
            }
        }
    }

    /// primary = literal | name | call ":" name | "(" expression ")"
    fn primary(&mut self) -> Parsed {
        let span = self.span();
        let kind = match self.peek().clone() {
            Kind::Int(value, ty) => TreeKind::Int(value, ty),
            Kind::Float(value, ty) => TreeKind::Float(value, ty),
            Kind::Text(bytes) => return self.texts(bytes),
            Kind::Name(_) | Kind::Symbol("#") => return self.name(),
            Kind::Symbol("(") => {
                self.at += 1;
                let inner = self.inside()?;
                let span = span.to(self.expect(")")?);
                return Ok(Tree { span, ..inner });
            }
            _ => return Err(self.unexpected("a value is missing")),
        };
        self.at += 1;
        self.node(span, kind)
    }

    /// Adjacent string literals are one, except in a list such as `change s "a" "b"`.
    fn texts(&mut self, mut bytes: Vec<u8>) -> Parsed {
        let mut span = self.span();
        self.at += 1;
        while let (Kind::Text(more), false) = (self.peek(), self.is_place) {
            bytes.extend(more);
            span = span.to(self.span());
            self.at += 1;
        }
        self.node(span, TreeKind::Text(bytes))
    }
}

/// How tightly an operator binds.
fn strength(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | "<=" | ">" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}
