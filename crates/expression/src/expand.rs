//! What a text means in a program whose macros and names of types are known.
//!
//! A text is first parsed by itself, every name in it being a variable. If it
//! names macros or types of the program, it is parsed again: with
//! `#define SUM x + 2` the text `SUM * 3` is `x + 2 * 3`, as it is in C, and
//! `(length)-1` is a cast. Whatever comes from a macro's body has the place of
//! the macro's name.

use c_syntax::Span;

use crate::ExpressionError;
use crate::names::Names;
use crate::parse::parse_tokens;
use crate::token::{Kind, Token, tokens};
use crate::tree::Tree;

/// Macros that stand for others, and macro uses and tokens of one expression, at most.
const DEEPEST: usize = 50;
const MOST: usize = 2000;

/// The tree of `text`; `None` if it names neither macros nor types, so that it can be parsed by itself.
pub(crate) fn parse_in(names: &Names<'_>, text: &str) -> Result<Option<Tree>, ExpressionError> {
    let mut expander = Expander::new(names);
    let plain = tokens(text);
    let end = plain.last().map_or(Span::new(text.len(), text.len()), |token| token.span);
    expander.add(plain, None)?;
    let Expander { mut tokens, types, uses, .. } = expander;
    if uses.is_empty() && types.is_empty() {
        return Ok(None);
    }
    tokens.push(Token { kind: Kind::End, span: end });
    parse_tokens(text, tokens, types).map(Some).map_err(|error| blame(error, &uses))
}

struct Expander<'n, 't> {
    names: &'n Names<'t>,
    /// What the text says once macros are replaced.
    tokens: Vec<Token<'t>>,
    /// The names in it that are types.
    types: Vec<&'t str>,
    /// The macros of the typed text that were replaced.
    uses: Vec<MacroUse<'t>>,
    /// How many were replaced, those in the bodies of others included.
    count: usize,
    /// The macros whose bodies are being read: none of them stands for itself again.
    active: Vec<&'t str>,
}

struct MacroUse<'t> {
    name: &'t str,
    body: &'t str,
    /// The place in the typed text.
    span: Span,
}

impl<'n, 't> Expander<'n, 't> {
    fn new(names: &'n Names<'t>) -> Self {
        let (tokens, types, uses, active) = Default::default();
        Expander { names, tokens, types, uses, count: 0, active }
    }

    /// Adds tokens; those of a macro's body have the place `at`.
    fn add(&mut self, tokens: Vec<Token<'t>>, at: Option<Span>) -> Result<(), ExpressionError> {
        for Token { kind, span } in tokens {
            let span = at.unwrap_or(span);
            match kind {
                Kind::End => {}
                Kind::Name(name) => match self.body_of(name) {
                    Some(body) => self.replace(MacroUse { name, body, span })?,
                    None => self.add_name(name, span),
                },
                kind => self.tokens.push(Token { kind, span }),
            }
        }
        Ok(())
    }

    fn add_name(&mut self, name: &'t str, span: Span) {
        if self.names.is_type(name) && !self.follows_dot() && !self.names.is_taken(name) {
            self.types.push(name);
        }
        self.tokens.push(Token { kind: Kind::Name(name), span });
    }

    fn replace(&mut self, it: MacroUse<'t>) -> Result<(), ExpressionError> {
        let MacroUse { name, body, span } = it;
        self.count += 1;
        if self.active.len() >= DEEPEST || self.count > MOST || self.tokens.len() > MOST {
            return Err(ExpressionError::new(span, format!("the macro `{name}` stands for too much")));
        }
        if self.active.is_empty() {
            self.uses.push(it);
        }
        self.active.push(name);
        self.add(tokens(body), Some(span))?;
        self.active.pop();
        Ok(())
    }

    /// The body of the macro that a name stands for here. What the program has under this name comes first.
    fn body_of(&self, name: &str) -> Option<&'t str> {
        let body = self.names.macro_body(name)?;
        let is_hidden = match self.follows_dot() {
            true => self.names.is_member(name),
            false => self.names.is_taken(name),
        };
        (!is_hidden && !self.active.contains(&name)).then_some(body)
    }

    fn follows_dot(&self) -> bool {
        matches!(self.tokens.last(), Some(Token { kind: Kind::Symbol("." | "->"), .. }))
    }
}

/// By itself the text was an expression, so a macro is to blame.
fn blame(error: ExpressionError, uses: &[MacroUse<'_>]) -> ExpressionError {
    let before = uses.iter().rev().find(|it| it.span.start <= error.span.start);
    let Some(MacroUse { name, body, span }) = before.or(uses.first()) else { return error };
    let what = if body.is_empty() { "nothing".to_string() } else { format!("`{}`", shortened(body)) };
    ExpressionError::new(*span, format!("the macro `{name}` stands for {what}, which has no value here"))
}

fn shortened(body: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = body.chars().take(LONGEST).collect();
    if short.len() < body.len() { format!("{short}…") } else { short }
}

/// Macros of the C library that programs compare with.
pub(crate) fn library_macro(name: &str) -> Option<&'static str> {
    Some(match name {
        "CHAR_BIT" => "8",
        "CHAR_MAX" | "SCHAR_MAX" | "INT8_MAX" => "127",
        "CHAR_MIN" | "SCHAR_MIN" | "INT8_MIN" => "(-128)",
        "UCHAR_MAX" | "UINT8_MAX" => "255",
        "SHRT_MAX" | "INT16_MAX" => "32767",
        "SHRT_MIN" | "INT16_MIN" => "(-32768)",
        "USHRT_MAX" | "UINT16_MAX" => "65535",
        "INT_MAX" | "INT32_MAX" | "RAND_MAX" => "2147483647",
        "INT_MIN" | "INT32_MIN" => "(-2147483647 - 1)",
        "UINT_MAX" | "UINT32_MAX" => "4294967295U",
        "LONG_MAX" | "LLONG_MAX" | "INT64_MAX" | "PTRDIFF_MAX" => "9223372036854775807L",
        "LONG_MIN" | "LLONG_MIN" | "INT64_MIN" | "PTRDIFF_MIN" => "(-9223372036854775807L - 1)",
        "ULONG_MAX" | "ULLONG_MAX" | "UINT64_MAX" | "SIZE_MAX" => "18446744073709551615UL",
        "EOF" => "(-1)",
        "EXIT_SUCCESS" => "0",
        "EXIT_FAILURE" => "1",
        _ => return None,
    })
}
