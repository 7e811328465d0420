//! Typed text to tokens. What is not a token is kept as [`Kind::Bad`], so that
//! only a text that is really read complains about it.

use c_syntax::Span;
use c_types::Type;

use crate::literal;

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub kind: Kind<'t>,
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind<'t> {
    Name(&'t str),
    Int(i128, Type),
    Float(f64, Type),
    Text(Vec<u8>),
    Symbol(&'static str),
    /// Not a token; the sentence says why.
    Bad(String),
    End,
}

/// Operators and punctuation, longer ones before those they begin with.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "::", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?", ":", ".", ",", "(", ")",
    "[", "]", "{", "}", ";", "#",
];

/// Operators that would change something.
pub(crate) const ASSIGNMENTS: &[&str] =
    &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// All tokens of `text`; the last one is [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    loop {
        at = text.len() - text[at..].trim_start().len();
        let (kind, length) = token(&text[at..]);
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, span: Span::new(at, at + length) });
        if is_end {
            return tokens;
        }
        at += length;
    }
}

/// The token at the start of `rest`, and its length in bytes.
fn token(rest: &str) -> (Kind<'_>, usize) {
    let Some(first) = rest.chars().next() else { return (Kind::End, 0) };
    let second_is_digit = rest[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
    match first {
        '0'..='9' => literal::number(rest),
        '.' if second_is_digit => literal::number(rest),
        '\'' => literal::character(rest),
        '"' => literal::text(rest),
        c if is_name(c) => {
            let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            (Kind::Name(&rest[..length]), length)
        }
        c => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => (Kind::Symbol(symbol), symbol.len()),
            None => (Kind::Bad(format!("`{c}` means nothing in a C expression")), c.len_utf8()),
        },
    }
}

/// Whether a character can be part of a name.
pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
