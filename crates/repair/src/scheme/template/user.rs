//! Templates that the user writes, one in a line:
//!
//! ```text
//! # a bound in pages
//! pages: ($v + $k) / 4096
//! $e % $k1
//! ```
//!
//! `$k` is an unknown number and `$v` one of the variables in scope; `$k1`,
//! `$k2`, `$v1` and so on are others. `$e` is what is written in the program.

use std::collections::BTreeMap;

use super::{Code, Parameter, ParameterKind, Tree};

/// A template of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserTemplate {
    /// What it is called: its name, or its text.
    pub name: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Number(String),
    Variable(String),
    Original,
}

/// What is wrong with a file of templates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}\n  {text}\n  {caret}^")]
pub struct TemplateError {
    line: usize,
    what: String,
    text: String,
    caret: String,
}

/// The templates of a text.
pub fn parse(text: &str) -> Result<Vec<UserTemplate>, TemplateError> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| parse_line(number, line)).collect()
}

fn parse_line(number: usize, line: &str) -> Result<UserTemplate, TemplateError> {
    let error = |at: usize, what: &str| TemplateError {
        line: number,
        what: what.into(),
        text: line.into(),
        caret: " ".repeat(line[..at].chars().count()),
    };
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '_');
    let (name, body) = match line.split_once(':') {
        Some((name, body)) if is_name(name) => (name.trim(), body.trim()),
        _ => (line, line),
    };
    let start = line.len() - body.len();
    let (mut pieces, mut rest) = (vec![], body);
    let mut depth = 0i32;
    while let Some(dollar) = rest.find('$') {
        pieces.push(Piece::Text(rest[..dollar].into()));
        let after = &rest[dollar + 1..];
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        let (word, tail) = after.split_at(end);
        let is_numbered =
            |letter: char| word.strip_prefix(letter).is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit()));
        pieces.push(match word {
            "e" => Piece::Original,
            word if is_numbered('k') => Piece::Number(word.into()),
            word if is_numbered('v') => Piece::Variable(word.into()),
            _ => {
                let at = start + (body.len() - rest.len()) + dollar;
                return Err(error(at, "after $ comes k (a number), v (a variable) or e (the expression), as in $k1"));
            }
        });
        rest = tail;
    }
    pieces.push(Piece::Text(rest.into()));
    for (at, c) in body.char_indices() {
        depth += match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            ';' | '{' | '}' => return Err(error(start + at, "a template is an expression")),
            _ => 0,
        };
        if depth < 0 {
            return Err(error(start + at, "this closes what is not open"));
        }
    }
    match depth {
        0 if body.is_empty() => Err(error(line.len(), "there is no expression")),
        0 => Ok(UserTemplate { name: name.into(), pieces }),
        _ => Err(error(line.len(), "a parenthesis is not closed")),
    }
}

impl UserTemplate {
    /// The template for an expression, with these variables in scope; none if it needs one and there is none.
    pub(super) fn tree(
        &self,
        original: &str,
        variables: &[Code],
        parameter: &mut dyn FnMut(ParameterKind) -> Parameter,
    ) -> Option<Tree> {
        let mut known: BTreeMap<&str, Parameter> = BTreeMap::new();
        let mut trees = vec![];
        for piece in &self.pieces {
            trees.push(match piece {
                Piece::Text(text) => Tree::Text(text.clone()),
                Piece::Original => Tree::Text(format!("({original})")),
                Piece::Number(name) => {
                    Tree::Constant(*known.entry(name).or_insert_with(|| parameter(ParameterKind::Number)))
                }
                Piece::Variable(_) if variables.is_empty() => return None,
                Piece::Variable(name) => {
                    let kind = ParameterKind::Which(variables.len() as u64);
                    let which = *known.entry(name).or_insert_with(|| parameter(kind));
                    Tree::OneOf(which, variables.iter().cloned().map(Tree::Code).collect())
                }
            });
        }
        Some(Tree::Written(trees))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read_and_written() {
        let found = parse("# comment\n\npages: ($v + $k1) / $k2\n").expect("it is right");
        assert_eq!(found[0].name, "pages");
        let mut kinds = vec![];
        let expr = || c_syntax::Expr::new(c_syntax::ExprKind::Zero, c_types::TypeId(0), c_syntax::Span::default());
        let variables = ["x", "y"].map(|name| Code { expr: expr(), text: name.into() });
        let tree = found[0].tree("a", &variables, &mut |kind| {
            kinds.push(kind);
            kinds.len() - 1
        });
        assert_eq!(kinds, [ParameterKind::Which(2), ParameterKind::Number, ParameterKind::Number]);
        assert_eq!(tree.expect("there are variables").written(&vec![1, -3, 4]), "(y + (-3)) / 4");
    }

    #[test]
    fn errors_have_a_place() {
        let error = |text: &str| parse(text).expect_err("it is wrong").to_string();
        assert_eq!(
            error("$v + $x"),
            "line 1: after $ comes k (a number), v (a variable) or e (the expression), as in $k1\n  $v + $x\n       ^"
        );
        assert_eq!(error("\n($v"), "line 2: a parenthesis is not closed\n  ($v\n     ^");
        assert_eq!(error("$v; x"), "line 1: a template is an expression\n  $v; x\n    ^");
    }
}
