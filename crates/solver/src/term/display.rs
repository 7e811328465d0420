//! Terms as people read them.

use std::cell::Cell;
use std::fmt::{self, Display, Formatter};

use super::arithmetic::{mask, signed};
use super::{BinaryOp, Node, Sort, Term, Terms};

/// Shared parts are printed again and again, so the text of a small store can
/// be huge; what comes after this many nodes is printed as `…`.
const MOST_NODES: usize = 1000;
/// How deep the text may be nested.
const DEEPEST: usize = 200;

/// A term together with its store, for printing.
pub struct DisplayTerm<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// `term` as text: `x + 3*y < 7`.
    pub fn display(&self, term: Term) -> DisplayTerm<'_> {
        DisplayTerm { terms: self, term }
    }
}

impl Display for DisplayTerm<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { terms: self.terms, left: Cell::new(MOST_NODES) }.print(f, self.term, 0)
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    left: Cell<usize>,
}

impl Printer<'_> {
    fn print(&self, f: &mut Formatter<'_>, term: Term, depth: usize) -> fmt::Result {
        if self.left.get() == 0 || depth == DEEPEST {
            return f.write_str("…");
        }
        self.left.set(self.left.get() - 1);
        match self.terms.node(term) {
            Node::Variable { name, .. } => f.write_str(name),
            Node::Constant { value, sort } => print_constant(f, *value, *sort),
            _ if depth == 0 => self.print_operator(f, term, 1),
            node if is_call(node) => self.print_operator(f, term, depth + 1),
            _ => {
                f.write_str("(")?;
                self.print_operator(f, term, depth + 1)?;
                f.write_str(")")
            }
        }
    }

    fn print_operator(&self, f: &mut Formatter<'_>, term: Term, depth: usize) -> fmt::Result {
        match self.terms.node(term) {
            Node::Not(a) => self.print_not(f, *a, depth),
            Node::And(items) => self.join(f, items, " and ", depth),
            Node::Or(items) => self.join(f, items, " or ", depth),
            Node::Xor(a, b) => self.join(f, &[*a, *b], " xor ", depth),
            Node::Ite(c, a, b) => self.call(f, "ite", &[*c, *a, *b], depth),
            Node::Eq(a, b) => self.join(f, &self.constant_last(*a, *b), " = ", depth),
            Node::Less { signed: false, left, right } => self.join(f, &[*left, *right], " <u ", depth),
            Node::Less { left, right, .. } => self.join(f, &[*left, *right], " < ", depth),
            Node::Sum { constant, parts } => self.print_sum(f, *constant, parts, self.terms.width(term), depth),
            Node::Binary(op, a, b) => self.join(f, &[*a, *b], symbol(*op), depth),
            Node::ZeroExtend { term, width } => self.call(f, &format!("zero_extend{width}"), &[*term], depth),
            Node::SignExtend { term, width } => self.call(f, &format!("sign_extend{width}"), &[*term], depth),
            Node::Extract { term, low, width } => {
                self.print(f, *term, depth)?;
                write!(f, "[{}:{low}]", low + width - 1)
            }
            Node::Select(index, items) => {
                f.write_str("[")?;
                self.join(f, items, ", ", depth)?;
                f.write_str("][")?;
                self.print(f, *index, depth)?;
                f.write_str("]")
            }
            Node::AtMost { parts, bound } => {
                self.weighted(f, parts, depth)?;
                write!(f, " <= {bound}")
            }
            Node::Variable { .. } | Node::Constant { .. } => self.print(f, term, depth),
        }
    }

    fn constant_last(&self, a: Term, b: Term) -> [Term; 2] {
        if self.terms.value(a).is_some() { [b, a] } else { [a, b] }
    }

    fn print_not(&self, f: &mut Formatter<'_>, a: Term, depth: usize) -> fmt::Result {
        match self.terms.node(a) {
            Node::Eq(x, y) => self.join(f, &self.constant_last(*x, *y), " != ", depth),
            Node::Less { signed: false, left, right } => self.join(f, &[*right, *left], " <=u ", depth),
            Node::Less { left, right, .. } => self.join(f, &[*right, *left], " <= ", depth),
            _ => {
                f.write_str("not ")?;
                self.print(f, a, depth)
            }
        }
    }

    fn print_sum(
        &self,
        f: &mut Formatter<'_>,
        constant: u64,
        parts: &[(u64, Term)],
        width: u32,
        depth: usize,
    ) -> fmt::Result {
        if let [(factor, only)] = parts
            && constant == mask(width)
            && *factor == mask(width)
        {
            f.write_str("~")?;
            return self.print(f, *only, depth);
        }
        for (i, (factor, part)) in parts.iter().enumerate() {
            let factor = signed(*factor, width);
            f.write_str(sign(i == 0, factor < 0))?;
            if factor.unsigned_abs() != 1 {
                write!(f, "{}*", factor.unsigned_abs())?;
            }
            self.print(f, *part, depth)?;
        }
        match signed(constant, width) {
            0 => Ok(()),
            constant => write!(f, "{}{}", sign(false, constant < 0), constant.unsigned_abs()),
        }
    }

    fn weighted(&self, f: &mut Formatter<'_>, parts: &[(u64, Term)], depth: usize) -> fmt::Result {
        for (i, (weight, part)) in parts.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " + " })?;
            if *weight != 1 {
                write!(f, "{weight}*")?;
            }
            self.print(f, *part, depth)?;
        }
        Ok(())
    }

    fn call(&self, f: &mut Formatter<'_>, name: &str, items: &[Term], depth: usize) -> fmt::Result {
        write!(f, "{name}(")?;
        self.join(f, items, ", ", depth)?;
        f.write_str(")")
    }

    fn join(&self, f: &mut Formatter<'_>, items: &[Term], between: &str, depth: usize) -> fmt::Result {
        for (i, item) in items.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { between })?;
            self.print(f, *item, depth)?;
        }
        Ok(())
    }
}

fn is_call(node: &Node) -> bool {
    matches!(
        node,
        Node::Ite(..) | Node::ZeroExtend { .. } | Node::SignExtend { .. } | Node::Extract { .. } | Node::Select(..)
    )
}

fn print_constant(f: &mut Formatter<'_>, value: u64, sort: Sort) -> fmt::Result {
    match sort {
        Sort::Bool => write!(f, "{}", value == 1),
        Sort::Bits(width) => write!(f, "{}", signed(value, width)),
        Sort::Domain(_) => write!(f, "#{value}"),
    }
}

fn sign(is_first: bool, is_negative: bool) -> &'static str {
    match (is_first, is_negative) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => " * ",
        BinaryOp::Udiv => " /u ",
        BinaryOp::Urem => " %u ",
        BinaryOp::Sdiv => " / ",
        BinaryOp::Srem => " % ",
        BinaryOp::And => " & ",
        BinaryOp::Or => " | ",
        BinaryOp::Xor => " ^ ",
        BinaryOp::Shl => " << ",
        BinaryOp::Lshr => " >>u ",
        BinaryOp::Ashr => " >> ",
        BinaryOp::Concat => " ++ ",
    }
}
