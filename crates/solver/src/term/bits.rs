//! Constructors of bit-vectors: products, quotients, bitwise operators, shifts.

use super::arithmetic::{apply, mask, signed};
use super::{BinaryOp, Node, Sort, Term, Terms};

impl Terms {
    /// The low `width` bits of `value` as a constant.
    pub fn bits(&mut self, value: u64, width: u32) -> Term {
        super::check_sort(Sort::Bits(width));
        self.constant_of(value & mask(width), Sort::Bits(width))
    }

    /// The bit-vector variable with this name and width.
    pub fn bits_variable(&mut self, name: &str, width: u32) -> Term {
        self.variable(name, Sort::Bits(width))
    }

    /// 1 where `a` holds, otherwise 0.
    pub fn bits_of_bool(&mut self, a: Term, width: u32) -> Term {
        let (one, zero) = (self.bits(1, width), self.bits(0, width));
        self.ite(a, one, zero)
    }

    /// `a · b`
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        match (self.value(a), self.value(b)) {
            (Some(factor), _) => return self.scale(factor, b),
            (_, Some(factor)) => return self.scale(factor, a),
            _ => {}
        }
        let ((p, a), (q, b)) = (self.constant_factor(a), self.constant_factor(b));
        let factor = p.wrapping_mul(q);
        let product = self.intern(Node::Binary(BinaryOp::Mul, a.min(b), a.max(b)), sort);
        self.scale(factor, product)
    }

    /// `factor · rest` with the largest constant factor that is written in front.
    fn constant_factor(&self, a: Term) -> (u64, Term) {
        match self.node(a) {
            Node::Sum { constant: 0, parts } if parts.len() == 1 => parts[0],
            _ => (1, a),
        }
    }

    /// Unsigned `a / b`; all ones for `b = 0`.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(divisor) if divisor.is_power_of_two() => self.shift_right(a, divisor.trailing_zeros()),
            _ => self.binary(BinaryOp::Udiv, a, b),
        }
    }

    /// Unsigned `a mod b`; `a` for `b = 0`.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(divisor) if divisor.is_power_of_two() => {
                let low_bits = self.bits(divisor - 1, self.width(a));
                self.bit_and(a, low_bits)
            }
            _ => self.binary(BinaryOp::Urem, a, b),
        }
    }

    /// Signed `a / b`, rounding towards zero; for `b = 0` it is 1 or -1 against the sign of `a`.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if self.is_bits_one(b) { a } else { self.binary(BinaryOp::Sdiv, a, b) }
    }

    /// Signed remainder with the sign of `a`; `a` for `b = 0`.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        if self.is_bits_one(b) {
            return self.bits(0, self.width(a));
        }
        self.binary(BinaryOp::Srem, a, b)
    }

    /// At one bit, the constant 1 is -1.
    fn is_bits_one(&self, a: Term) -> bool {
        self.value(a).is_some_and(|value| signed(value, self.width(a)) == 1)
    }

    /// Bitwise and.
    pub fn bit_and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let ones = self.bits(u64::MAX, self.width(a));
        let zero = self.bits(0, self.width(a));
        match () {
            _ if a == b || b == ones => a,
            _ if a == ones => b,
            _ if a == zero || b == zero || self.are_complements(a, b) => zero,
            _ => self.binary(BinaryOp::And, a, b),
        }
    }

    /// Bitwise or.
    pub fn bit_or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let ones = self.bits(u64::MAX, self.width(a));
        let zero = self.bits(0, self.width(a));
        match () {
            _ if a == b || b == zero => a,
            _ if a == zero => b,
            _ if a == ones || b == ones || self.are_complements(a, b) => ones,
            _ => self.binary(BinaryOp::Or, a, b),
        }
    }

    /// Bitwise exclusive or.
    pub fn bit_xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let ones = self.bits(u64::MAX, self.width(a));
        let zero = self.bits(0, self.width(a));
        match () {
            _ if a == b => zero,
            _ if a == zero => b,
            _ if b == zero => a,
            _ if a == ones => self.bit_not(b),
            _ if b == ones => self.bit_not(a),
            _ if self.are_complements(a, b) => ones,
            _ => self.binary(BinaryOp::Xor, a, b),
        }
    }

    fn are_complements(&self, a: Term, b: Term) -> bool {
        let complements = |whole: Term, part: Term| match self.node(whole) {
            Node::Sum { constant, parts } => {
                let ones = mask(self.width(whole));
                *constant == ones && **parts == [(ones, part)]
            }
            _ => false,
        };
        complements(a, b) || complements(b, a)
    }

    /// `a` shifted to the left; zero if `b` is the width or more.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.value(b) {
            Some(by) if by >= u64::from(width) => self.bits(0, width),
            Some(by) => self.scale(1 << by, a),
            None => self.shift(BinaryOp::Shl, a, b),
        }
    }

    /// `a` shifted to the right, filled with zeros.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(by) => self.shift_right(a, u32::try_from(by).unwrap_or(u32::MAX)),
            None => self.shift(BinaryOp::Lshr, a, b),
        }
    }

    /// `a` shifted to the right, filled with its sign.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.value(b) {
            Some(by) => {
                let low = by.min(u64::from(width - 1)) as u32;
                let top = self.extract(a, width - 1, low);
                self.sign_extend(top, width)
            }
            None => self.shift(BinaryOp::Ashr, a, b),
        }
    }

    fn shift_right(&mut self, a: Term, by: u32) -> Term {
        let width = self.width(a);
        if by >= width {
            return self.bits(0, width);
        }
        let top = self.extract(a, width - 1, by);
        self.zero_extend(top, width)
    }

    fn shift(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        if self.value(a) == Some(0) { a } else { self.binary(op, a, b) }
    }

    fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.bits(apply(op, x, y, width), width),
            _ => self.intern(Node::Binary(op, a, b), sort),
        }
    }
}
