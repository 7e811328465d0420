//! Expressions with parameters: with unknowns, in the syntax tree or as C, and
//! as C with their values.
//!
//! `k0 + k1 * x` is `(long)k0 + (long)k1 * x` to be searched, and with k0 = -2
//! and k1 = 1 it is written `x - 2`.

use std::fmt::Write;
use std::ops::Range;

use c_syntax::{BinaryOp, Expr, ExprKind, Span, Stmt, StmtKind, UnaryOp, VariableId};
use c_types::TypeId;
use localize::diagnosis::{Instrument, converted, not_zero, value_of};

use super::Values;

/// A parameter, by its number in the template.
pub type Parameter = usize;

/// An expression with parameters.
#[derive(Clone, Debug)]
pub enum Tree {
    /// What is written somewhere.
    Code(Code),
    /// A piece of C that has no tree.
    Text(String),
    /// An unknown number.
    Constant(Parameter),
    /// One of several.
    OneOf(Parameter, Vec<Tree>),
    /// One more or less than something: `of + k`.
    Shifted(Box<Tree>, Parameter),
    /// `k0 + k1 * v1 + …`
    Linear(Parameter, Vec<(Parameter, Code)>),
    /// What is written, with another number in the place of the one at these bytes of its text.
    Renumbered(Parameter, Code, Range<usize>),
    /// `left OP right` with one of the operators of arithmetic.
    Operated(Parameter, Code, Code),
    /// `left OP right` with one of the six comparisons.
    Compared(Parameter, Box<Tree>, Box<Tree>),
    /// `k0 + k1 * v1 + … OP 0`
    LinearCompared(Parameter, Parameter, Vec<(Parameter, Code)>),
    /// `!of`
    Not(Box<Tree>),
    /// `a && b` or `a || b`.
    Joined(bool, Box<Tree>, Box<Tree>),
    /// `test ? yes : no`
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `array[index]`, with the type of the element.
    Element(Code, TypeId, Box<Tree>),
    /// Pieces of C side by side, of a template that the user wrote.
    Written(Vec<Tree>),
}

/// An expression, and how it is written.
#[derive(Clone, Debug)]
pub struct Code {
    /// The expression.
    pub expr: Expr,
    /// Its text.
    pub text: String,
}

/// The comparisons, in the order of their numbers.
const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];

/// How many comparisons there are.
pub const COMPARISON_COUNT: u64 = COMPARISONS.len() as u64;

/// The operators of arithmetic, in the order of their numbers.
pub const OPERATORS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
];

// How tightly C binds.
const CONDITIONAL: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const EQUALITY: u8 = 9;
const ORDER: u8 = 10;
const SUM: u8 = 12;
const PRODUCT: u8 = 13;
const PREFIX: u8 = 14;
const PRIMARY: u8 = 16;

impl Tree {
    /// C in which parameters are variables: `name(parameter)`.
    pub fn searched(&self, name: &dyn Fn(Parameter) -> String) -> String {
        let inner = |tree: &Tree| tree.searched(name);
        match self {
            Tree::Code(Code { text, .. }) | Tree::Text(text) => format!("({text})"),
            Tree::Constant(k) => name(*k),
            Tree::OneOf(which, items) => {
                let mut out = String::from("(");
                let (last, others) = items.split_last().expect("there is something to choose from");
                for (number, item) in others.iter().enumerate() {
                    let _ = write!(out, "{} == {number} ? {} : ", name(*which), inner(item));
                }
                out + &inner(last) + ")"
            }
            Tree::Shifted(of, by) => format!("({} + {})", inner(of), name(*by)),
            Tree::Renumbered(k, of, at) => format!("({})", renumbered(of, at, &name(*k))),
            Tree::Operated(op, left, right) => {
                let sides = |op: &BinaryOp| format!("({}) {} ({})", left.text, op.text(), right.text);
                one_of(&name(*op), OPERATORS.iter().map(sides))
            }
            Tree::Linear(constant, parts) => linear(*constant, parts, name),
            Tree::Compared(op, left, right) => compared(&name(*op), &inner(left), &inner(right)),
            Tree::LinearCompared(op, constant, parts) => compared(&name(*op), &linear(*constant, parts, name), "0"),
            Tree::Not(of) => format!("(!{})", inner(of)),
            Tree::Joined(is_and, a, b) => format!("({} {} {})", inner(a), connective(*is_and), inner(b)),
            Tree::Conditional(test, yes, no) => format!("({} ? {} : {})", inner(test), inner(yes), inner(no)),
            Tree::Element(array, _, index) => format!("{}[{}]", array.text, inner(index)),
            Tree::Written(pieces) => {
                let piece = |piece: &Tree| if let Tree::Text(text) = piece { text.clone() } else { inner(piece) };
                format!("({})", pieces.iter().map(piece).collect::<String>())
            }
        }
    }

    /// C with these values, as people write it.
    pub fn written(&self, values: &Values) -> String {
        self.print(values).text
    }

    fn print(&self, values: &Values) -> Printed {
        let print = |tree: &Tree| tree.print(values);
        match self {
            Tree::Code(Code { text, .. }) | Tree::Text(text) => Printed::unknown(text),
            Tree::Constant(k) => Printed::number(values[*k]),
            Tree::OneOf(which, items) => print(chosen(items, values[*which])),
            Tree::Shifted(of, by) => shifted(print(of), values[*by]),
            Tree::Renumbered(k, of, at) => {
                let number = Printed::number(values[*k]).within(PRIMARY);
                Printed::unknown(&renumbered(of, at, &number))
            }
            Tree::Operated(op, left, right) => operation(values[*op], left, right),
            Tree::Linear(constant, parts) => Sum::of(*constant, parts, values).print(),
            Tree::Compared(op, left, right) => {
                let (left, right) = (print(left), print(right));
                comparison(values[*op], left, right)
            }
            Tree::LinearCompared(op, constant, parts) => Sum::of(*constant, parts, values).compared(values[*op]),
            Tree::Not(of) => {
                let of = print(of);
                Printed { text: format!("!{}", of.within(PREFIX)), binds: PREFIX }
            }
            Tree::Joined(is_and, a, b) => {
                // `a && b || c` is right, but people write parentheses.
                let (binds, left) = if *is_and { (AND, AND) } else { (OR, AND + 1) };
                let a = print(a);
                let a = if a.binds == binds { a.text } else { a.within(left) };
                let b = print(b).within(AND + 1);
                Printed { text: format!("{a} {} {b}", connective(*is_and)), binds }
            }
            Tree::Conditional(test, yes, no) => {
                let (test, yes, no) = (print(test).within(OR), print(yes).text, print(no).within(CONDITIONAL));
                Printed { text: format!("{test} ? {yes} : {no}"), binds: CONDITIONAL }
            }
            Tree::Element(array, _, index) => {
                Printed { text: format!("{}[{}]", array.text, print(index).text), binds: PRIMARY }
            }
            Tree::Written(pieces) => {
                let piece = |piece: &Tree| match piece {
                    Tree::Text(text) => text.clone(),
                    piece => print(piece).within(PRIMARY),
                };
                Printed::unknown(&pieces.iter().map(piece).collect::<String>())
            }
        }
    }
}

fn connective(is_and: bool) -> &'static str {
    if is_and { "&&" } else { "||" }
}

fn chosen(items: &[Tree], which: i128) -> &Tree {
    items.get(which.max(0) as usize).or(items.last()).expect("there is something to choose from")
}

/// Sums are computed in a wide type, so that they mean what they say.
fn linear(constant: Parameter, parts: &[(Parameter, Code)], name: &dyn Fn(Parameter) -> String) -> String {
    let mut out = format!("((long){}", name(constant));
    for (coefficient, variable) in parts {
        let _ = write!(out, " + (long){} * ({})", name(*coefficient), variable.text);
    }
    out + ")"
}

fn compared(op: &str, left: &str, right: &str) -> String {
    one_of(op, COMPARISONS.iter().map(|comparison| format!("{left} {} {right}", comparison.text())))
}

/// The item with the number that a variable has, or the last.
fn one_of(which: &str, items: impl DoubleEndedIterator<Item = String>) -> String {
    let mut numbered = items.enumerate().collect::<Vec<_>>().into_iter().rev();
    let last = numbered.next().map(|(_, last)| last).unwrap_or_default();
    let rest = |rest: String, (number, item): (usize, String)| format!("{which} == {number} ? {item} : {rest}");
    format!("({})", numbered.fold(last, rest))
}

/// The text with another number.
fn renumbered(of: &Code, at: &Range<usize>, number: &str) -> String {
    format!("{}{number}{}", &of.text[..at.start], &of.text[at.end..])
}

/// `e` with another expression in the place of the number that is written at a place.
fn with_number(e: &Expr, at: Span, new: &Expr) -> Expr {
    let inner = |e: &Expr| Box::new(with_number(e, at, new));
    let kind = match &e.kind {
        ExprKind::Int(_) if e.span == at => return converted(new.clone(), e.ty),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, inner(a)),
        ExprKind::Convert(a) => ExprKind::Convert(inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        _ => return e.clone(),
    };
    Expr { kind, ..e.clone() }
}

/// The numbers that arithmetic and comparisons of an expression have.
pub(super) fn numbers_in(e: &Expr) -> Vec<Span> {
    match &e.kind {
        ExprKind::Int(_) => vec![e.span],
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::Complement | UnaryOp::Not, a) | ExprKind::Convert(a) => {
            numbers_in(a)
        }
        ExprKind::Binary(_, a, b) => [numbers_in(a), numbers_in(b)].concat(),
        _ => vec![],
    }
}

/// Makes expressions in which parameters are variables.
pub struct Build<'a, 'b> {
    /// The program that they are put into.
    pub instrument: &'a mut Instrument<'b>,
    /// The type `int`.
    pub int: TypeId,
    /// Values are computed in this type.
    pub long: TypeId,
    /// The place that they are put into.
    pub span: Span,
    /// The variables of the parameters.
    pub parameters: Vec<VariableId>,
}

impl Build<'_, '_> {
    /// The expression of a tree: a `long`, or an `int` if it is a truth value. None if a part is only a text.
    pub fn expr(&mut self, tree: &Tree) -> Option<Expr> {
        Some(match tree {
            Tree::Text(_) | Tree::Written(_) => return None,
            Tree::Code(code) => self.wide(code.expr.clone()),
            Tree::Constant(k) => self.parameter(*k),
            Tree::OneOf(which, items) => {
                let items: Option<Vec<Expr>> = items.iter().map(|item| self.expr(item)).collect();
                self.one_of(*which, items?)
            }
            Tree::Shifted(of, by) => {
                let (of, by) = (self.expr(of)?, self.parameter(*by));
                self.binary(BinaryOp::Add, of, by, self.long)
            }
            Tree::Renumbered(k, of, at) => {
                let start = of.expr.span.start;
                let at = Span { start: start + at.start as u32, end: start + at.end as u32 };
                self.wide(with_number(&of.expr, at, &self.parameter(*k)))
            }
            Tree::Operated(op, left, right) => self.operated(*op, left, right),
            Tree::Linear(constant, parts) => self.linear(*constant, parts),
            Tree::Compared(op, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.compared(*op, left, right)
            }
            Tree::LinearCompared(op, constant, parts) => {
                let sum = self.linear(*constant, parts);
                self.compared(*op, sum, self.number(0))
            }
            Tree::Not(of) => {
                let of = Box::new(self.expr(of)?);
                self.make(ExprKind::Unary(UnaryOp::Not, of), self.int)
            }
            Tree::Joined(is_and, a, b) => {
                let (a, b) = (Box::new(self.truth(a)?), Box::new(self.truth(b)?));
                self.make(if *is_and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) }, self.int)
            }
            Tree::Conditional(test, yes, no) => {
                let (yes, no) = (self.expr(yes)?, self.expr(no)?);
                let test = self.truth(test)?;
                self.conditional(test, self.wide(yes), self.wide(no))
            }
            Tree::Element(array, ty, index) => {
                let index = self.expr(index)?;
                let place = ExprKind::Index(Box::new(array.expr.clone()), Box::new(self.wide(index)));
                let place = self.make(place, *ty);
                self.wide(self.make(ExprKind::Load(Box::new(place)), *ty))
            }
        })
    }

    fn make(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr::new(kind, ty, self.span)
    }

    fn truth(&mut self, tree: &Tree) -> Option<Expr> {
        Some(not_zero(self.expr(tree)?, self.int))
    }

    /// An integer in the wide type; pointers stay as they are.
    fn wide(&self, e: Expr) -> Expr {
        if self.instrument.unit.types.is_integer(e.ty) { converted(e, self.long) } else { e }
    }

    fn value(&self, variable: VariableId) -> Expr {
        value_of(&self.instrument.unit, variable, self.span)
    }

    fn parameter(&self, parameter: Parameter) -> Expr {
        self.wide(self.value(self.parameters[parameter]))
    }

    /// A number.
    pub fn number(&self, value: i128) -> Expr {
        self.make(ExprKind::Int(value), self.long)
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
        self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    fn conditional(&self, test: Expr, yes: Expr, no: Expr) -> Expr {
        let ty = yes.ty;
        self.make(ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no)), ty)
    }

    /// The item with the number that a parameter says; the last one for all numbers that are too large.
    pub fn one_of(&self, which: Parameter, mut items: Vec<Expr>) -> Expr {
        let last = items.pop().expect("there is something to choose from");
        let all = items.into_iter().enumerate().rev();
        all.fold(self.wide(last), |rest, (number, item)| {
            let test = self.binary(BinaryOp::Equal, self.parameter(which), self.number(number as i128), self.int);
            self.conditional(test, self.wide(item), rest)
        })
    }

    /// One of the comparisons of two values.
    fn compared(&mut self, op: Parameter, left: Expr, right: Expr) -> Expr {
        self.of_two(left, right, |build, left, right| {
            let compare = |op: &BinaryOp| build.binary(*op, left.clone(), right.clone(), build.int);
            build.one_of(op, COMPARISONS.iter().map(compare).collect())
        })
    }

    /// One of the operators of arithmetic between two values, in their own type.
    fn operated(&mut self, op: Parameter, left: &Code, right: &Code) -> Expr {
        self.of_two(left.expr.clone(), right.expr.clone(), |build, left, right| {
            let operate = |op: &BinaryOp| build.binary(*op, left.clone(), right.clone(), left.ty);
            build.one_of(op, OPERATORS.iter().map(operate).collect())
        })
    }

    /// Something of two values that are computed once: `({ long a = left, b = right; … })`.
    fn of_two(&mut self, left: Expr, right: Expr, make: impl FnOnce(&Self, Expr, Expr) -> Expr) -> Expr {
        let sides = [("wolverine_left", left), ("wolverine_right", right)];
        let [left, right] = sides.map(|(name, side)| self.instrument.local(name, side));
        let made = make(self, self.value(left), self.value(right));
        let (ty, span) = (made.ty, self.span);
        let statement = |kind| Stmt { kind, span };
        let statements = vec![statement(StmtKind::Declare(vec![left, right])), statement(StmtKind::Expr(made))];
        self.make(ExprKind::Statements(statements), ty)
    }

    fn linear(&self, constant: Parameter, parts: &[(Parameter, Code)]) -> Expr {
        parts.iter().fold(self.parameter(constant), |sum, (coefficient, variable)| {
            let variable = self.wide(variable.expr.clone());
            let product = self.binary(BinaryOp::Multiply, self.parameter(*coefficient), variable, self.long);
            self.binary(BinaryOp::Add, sum, product, self.long)
        })
    }
}

/// C, and how tightly its outermost operator binds.
struct Printed {
    text: String,
    binds: u8,
}

impl Printed {
    /// C that somebody else wrote: it binds as its loosest operator does.
    fn unknown(text: &str) -> Printed {
        Printed { text: text.into(), binds: binds(text) }
    }

    fn number(value: i128) -> Printed {
        Printed { text: value.to_string(), binds: if value < 0 { PREFIX } else { PRIMARY } }
    }

    /// In parentheses, if it must bind more tightly.
    fn within(self, least: u8) -> String {
        if self.binds < least { format!("({})", self.text) } else { self.text }
    }
}

/// How tightly a text binds: looked up by the operators outside of its parentheses.
fn binds(text: &str) -> u8 {
    let mut depth = 0;
    let mut loosest = PRIMARY;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ if depth > 0 || byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() => {}
            b'_' | b'.' | b'\'' | b'"' => {}
            b'-' if bytes.get(at + 1) == Some(&b'>') => {}
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'!' | b'~' if bytes.get(at + 1) != Some(&b'=') => loosest = loosest.min(PREFIX),
            b'*' | b'/' | b'%' => loosest = loosest.min(PRODUCT),
            b'+' | b'-' => loosest = loosest.min(SUM),
            b'<' | b'>' => loosest = loosest.min(ORDER),
            b'=' | b'!' => loosest = loosest.min(EQUALITY),
            b'&' if bytes.get(at + 1) == Some(&b'&') || (at > 0 && bytes[at - 1] == b'&') => loosest = loosest.min(AND),
            b'|' if bytes.get(at + 1) == Some(&b'|') || (at > 0 && bytes[at - 1] == b'|') => loosest = loosest.min(OR),
            b'&' | b'|' | b'^' => loosest = loosest.min(AND + 1),
            _ => loosest = 1,
        }
    }
    loosest
}

fn shifted(of: Printed, by: i128) -> Printed {
    match by {
        0 => of,
        by => {
            let sign = if by < 0 { '-' } else { '+' };
            Printed { text: format!("{} {sign} {}", of.within(SUM), by.unsigned_abs()), binds: SUM }
        }
    }
}

fn comparison(op: i128, left: Printed, right: Printed) -> Printed {
    let op = COMPARISONS[op.clamp(0, 5) as usize];
    let binds = if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) { EQUALITY } else { ORDER };
    Printed { text: format!("{} {} {}", left.within(binds), op.text(), right.within(binds + 1)), binds }
}

/// `left OP right`; people write parentheses around what is not a product or a sum.
fn operation(op: i128, left: &Code, right: &Code) -> Printed {
    let op = OPERATORS[op.clamp(0, OPERATORS.len() as i128 - 1) as usize];
    let (binds, least) = match op {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => (PRODUCT, PRODUCT),
        BinaryOp::Add | BinaryOp::Subtract => (SUM, SUM),
        _ => (AND + 1, PREFIX),
    };
    let (left, right) = (Printed::unknown(&left.text).within(least), Printed::unknown(&right.text).within(least + 1));
    Printed { text: format!("{left} {} {right}", op.text()), binds }
}

/// A sum of multiples.
struct Sum {
    constant: i128,
    parts: Vec<(i128, String)>,
}

impl Sum {
    fn of(constant: Parameter, parts: &[(Parameter, Code)], values: &Values) -> Sum {
        let parts = parts.iter().map(|(coefficient, variable)| (values[*coefficient], variable.text.clone()));
        Sum { constant: values[constant], parts: parts.filter(|(coefficient, _)| *coefficient != 0).collect() }
    }

    fn print(mut self) -> Printed {
        // What is added comes first: `y - x`, not `-x + y`.
        self.parts.sort_by_key(|(coefficient, _)| *coefficient < 0);
        let mut out = String::new();
        for (coefficient, variable) in &self.parts {
            let sign = match (out.is_empty(), *coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out += sign;
            match coefficient.unsigned_abs() {
                1 => out += &Printed::unknown(variable).within(PREFIX),
                size => out += &format!("{size} * {}", Printed::unknown(variable).within(PREFIX)),
            }
        }
        match (self.parts.as_slice(), self.constant) {
            ([], constant) => Printed::number(constant),
            ([(1, variable)], 0) => Printed::unknown(variable),
            ([(-1, _)], 0) => Printed { text: out, binds: PREFIX },
            (_, 0) => Printed { text: out, binds: if self.parts.len() == 1 { PRODUCT } else { SUM } },
            (_, constant) => shifted(Printed { text: out, binds: SUM }, constant),
        }
    }

    /// `x - y >= 0` as `x >= y`, `-x + 5 > 0` as `x < 5`.
    fn compared(mut self, op: i128) -> Printed {
        let divisor = self.parts.iter().fold(self.constant.abs(), |all, (coefficient, _)| gcd(all, coefficient.abs()));
        if divisor > 1 {
            self.constant /= divisor;
            self.parts.iter_mut().for_each(|(coefficient, _)| *coefficient /= divisor);
        }
        let (left, right): (Vec<_>, Vec<_>) = self.parts.into_iter().partition(|(coefficient, _)| *coefficient > 0);
        let right: Vec<(i128, String)> = right.into_iter().map(|(coefficient, text)| (-coefficient, text)).collect();
        match (left.is_empty(), right.is_empty()) {
            // All variables are on one side, the number is on the other.
            (false, true) => comparison(op, Sum { constant: 0, parts: left }.print(), Printed::number(-self.constant)),
            (true, false) => {
                comparison(mirrored(op), Sum { constant: 0, parts: right }.print(), Printed::number(self.constant))
            }
            _ => {
                let (more, less) = (self.constant.max(0), (-self.constant).max(0));
                comparison(
                    op,
                    Sum { constant: more, parts: left }.print(),
                    Sum { constant: less, parts: right }.print(),
                )
            }
        }
    }
}

/// `a OP b` as `b OP a`.
fn mirrored(op: i128) -> i128 {
    match op {
        2 => 4,
        3 => 5,
        4 => 2,
        5 => 3,
        same => same,
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        Code { expr: Expr::new(ExprKind::Zero, TypeId(0), Span::default()), text: text.into() }
    }

    fn linear_of(values: &[i128]) -> String {
        let parts = [(1, code("x")), (2, code("y"))];
        Tree::Linear(0, parts.to_vec()).written(&values.to_vec())
    }

    fn condition_of(values: &[i128]) -> String {
        let parts = [(2, code("x")), (3, code("y"))];
        Tree::LinearCompared(0, 1, parts.to_vec()).written(&values.to_vec())
    }

    #[test]
    fn sums_are_written_as_people_do() {
        assert_eq!(linear_of(&[-2, 1, 0]), "x - 2");
        assert_eq!(linear_of(&[0, 0, 0]), "0");
        assert_eq!(linear_of(&[0, -1, 1]), "y - x");
        assert_eq!(linear_of(&[7, -1, 0]), "-x + 7");
        assert_eq!(linear_of(&[1, 2, -3]), "2 * x - 3 * y + 1");
    }

    #[test]
    fn conditions_are_written_as_people_do() {
        // OP is 5: `>=`.
        assert_eq!(condition_of(&[5, 0, 1, -1]), "x >= y");
        assert_eq!(condition_of(&[5, 0, 2, -2]), "x >= y");
        assert_eq!(condition_of(&[4, 5, -1, 0]), "x < 5");
        assert_eq!(condition_of(&[0, -3, 1, 1]), "x + y == 3");
        assert_eq!(condition_of(&[2, 1, 1, -1]), "x + 1 < y");
        assert_eq!(condition_of(&[2, -1, 1, -1]), "x < y + 1");
        assert_eq!(condition_of(&[2, -1, 0, 0]), "0 < 1");
    }

    #[test]
    fn another_number_or_operator_is_put_into_what_is_written() {
        let other = Tree::Renumbered(0, code("t % 59"), 4..6);
        assert_eq!(other.written(&vec![60]), "t % 60");
        assert_eq!(other.written(&vec![-1]), "t % (-1)");
        assert_eq!(other.searched(&|k| format!("k{k}")), "(t % k0)");
        let operated = |op: i128| Tree::Operated(0, code("a + b"), code("c")).written(&vec![op]);
        assert_eq!(
            ["+", "/", "&", ">>"]
                .map(|op| operated(OPERATORS.iter().position(|one| one.text() == op).expect("it is one") as i128)),
            ["a + b + c", "(a + b) / c", "(a + b) & c", "(a + b) >> c"]
        );
    }

    #[test]
    fn parentheses_are_where_they_are_needed() {
        let text = |text: &str| Box::new(Tree::Text(text.into()));
        let none = Values::new();
        assert_eq!(Tree::Not(text("a < b")).written(&none), "!(a < b)");
        assert_eq!(Tree::Not(text("f(a < b)")).written(&none), "!f(a < b)");
        assert_eq!(Tree::Joined(true, text("a || b"), text("p->c")).written(&none), "(a || b) && p->c");
        assert_eq!(Tree::Joined(false, text("a && b"), text("c > 1")).written(&none), "(a && b) || c > 1");
        assert_eq!(Tree::Shifted(text("a & b"), 0).written(&vec![1]), "(a & b) + 1");
    }
}
