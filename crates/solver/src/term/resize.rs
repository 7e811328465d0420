//! Constructors that change the width: extension, extraction, concatenation.

use super::arithmetic::signed;
use super::{BinaryOp, Node, Sort, Term, Terms};

/// How far an extraction is pushed into its operand.
const DEEPEST: u32 = 64;

impl Terms {
    /// `a` with zeros above, up to `width` bits.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        let old = self.width(a);
        assert!(width >= old, "an extension of {old} bits has more than {width}");
        match *self.node(a) {
            _ if width == old => a,
            Node::Constant { value, .. } => self.bits(value, width),
            Node::ZeroExtend { term, .. } => self.zero_extend(term, width),
            _ => self.intern_sized(Node::ZeroExtend { term: a, width }, width),
        }
    }

    /// `a` with copies of its sign above, up to `width` bits.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        let old = self.width(a);
        assert!(width >= old, "an extension of {old} bits has more than {width}");
        match *self.node(a) {
            _ if width == old => a,
            Node::Constant { value, .. } => self.bits(signed(value, old) as u64, width),
            Node::SignExtend { term, .. } => self.sign_extend(term, width),
            Node::ZeroExtend { term, .. } => self.zero_extend(term, width),
            _ => self.intern_sized(Node::SignExtend { term: a, width }, width),
        }
    }

    /// The bits of `a` from `low` to `high`, both included.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let old = self.width(a);
        assert!(low <= high && high < old, "bits {low} to {high} of {old} do not exist");
        let width = high - low + 1;
        if width == old {
            return a;
        }
        if let Some(&known) = self.extracts.get(&(a, high, low)) {
            return known;
        }
        let result = if self.extract_depth < DEEPEST {
            self.extract_depth += 1;
            let pushed = self.push_extract(a, high, low);
            self.extract_depth -= 1;
            pushed
        } else {
            self.intern_sized(Node::Extract { term: a, low, width }, width)
        };
        self.extracts.insert((a, high, low), result);
        result
    }

    /// An extraction pushed towards the variables, where the operator allows it.
    fn push_extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let width = high - low + 1;
        match self.node(a).clone() {
            Node::Constant { value, .. } => self.bits(value >> low, width),
            Node::Extract { term, low: below, .. } => self.extract(term, high + below, low + below),
            Node::ZeroExtend { term, .. } => self.extract_extended(term, high, low, false),
            Node::SignExtend { term, .. } if low < self.width(term) => self.extract_extended(term, high, low, true),
            Node::Binary(BinaryOp::Concat, top, bottom) => self.extract_concat(a, top, bottom, high, low),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), x, y) => {
                self.extract_bitwise(op, x, y, high, low)
            }
            Node::Binary(BinaryOp::Mul, x, y) if low == 0 => {
                let (x, y) = (self.extract(x, high, 0), self.extract(y, high, 0));
                self.mul(x, y)
            }
            Node::Sum { constant, parts } if low == 0 => self.truncate_sum(constant, &parts, width),
            Node::Ite(condition, x, y) if self.value(x).is_some() || self.value(y).is_some() => {
                let (x, y) = (self.extract(x, high, low), self.extract(y, high, low));
                self.ite(condition, x, y)
            }
            _ => self.intern_sized(Node::Extract { term: a, low, width }, width),
        }
    }

    /// The bits of `high` above those of `low`.
    ///
    /// # Panics
    /// If the result would have more than 64 bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.width(high), self.width(low));
        let width = above + below;
        assert!(width <= 64, "a bit-vector has at most 64 bits, not {width}");
        match (self.node(high), self.node(low)) {
            (Node::Constant { value: x, .. }, Node::Constant { value: y, .. }) => {
                let joined = (x << below) | y;
                self.bits(joined, width)
            }
            (Node::Constant { value: 0, .. }, _) => self.zero_extend(low, width),
            (&Node::Extract { term: x, low: i, .. }, &Node::Extract { term: y, low: j, .. })
                if x == y && i == j + below =>
            {
                self.extract(x, i + above - 1, j)
            }
            _ => self.intern_sized(Node::Binary(BinaryOp::Concat, high, low), width),
        }
    }

    /// Bits of an extension that begin inside of the narrow term, or zeros.
    fn extract_extended(&mut self, term: Term, high: u32, low: u32, is_signed: bool) -> Term {
        let (inner, width) = (self.width(term), high - low + 1);
        if low >= inner {
            return self.bits(0, width);
        }
        let kept = self.extract(term, high.min(inner - 1), low);
        if is_signed { self.sign_extend(kept, width) } else { self.zero_extend(kept, width) }
    }

    fn extract_concat(&mut self, a: Term, top: Term, bottom: Term, high: u32, low: u32) -> Term {
        let below = self.width(bottom);
        let width = high - low + 1;
        if high < below {
            self.extract(bottom, high, low)
        } else if low >= below {
            self.extract(top, high - below, low - below)
        } else {
            self.intern_sized(Node::Extract { term: a, low, width }, width)
        }
    }

    fn extract_bitwise(&mut self, op: BinaryOp, x: Term, y: Term, high: u32, low: u32) -> Term {
        let (x, y) = (self.extract(x, high, low), self.extract(y, high, low));
        match op {
            BinaryOp::And => self.bit_and(x, y),
            BinaryOp::Or => self.bit_or(x, y),
            _ => self.bit_xor(x, y),
        }
    }

    fn intern_sized(&mut self, node: Node, width: u32) -> Term {
        self.intern(node, Sort::Bits(width))
    }
}
