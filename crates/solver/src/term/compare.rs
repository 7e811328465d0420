//! Equality and order.

use super::arithmetic::{mask, signed};
use super::{Node, Sort, Term, Terms};

/// Comparisons go into longer chains of choices only when they are solved.
const LONGEST_CHAIN: usize = 64;

impl Terms {
    /// `a = b` of any sort
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        match self.same_sort(a, b) {
            Sort::Bool => self.iff(a, b),
            Sort::Bits(_) => self.bits_eq(a, b),
            Sort::Domain(_) => self.plain_eq(a, b),
        }
    }

    /// `a ≠ b` of any sort
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned `a < b`
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.less(false, a, b)
    }

    /// Unsigned `a ≤ b`
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.less(false, b, a);
        self.not(greater)
    }

    /// Signed `a < b`
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.less(true, a, b)
    }

    /// Signed `a ≤ b`
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.less(true, b, a);
        self.not(greater)
    }

    fn bits_eq(&mut self, a: Term, b: Term) -> Term {
        if let Some(difference) = self.constant_difference(a, b) {
            return self.constant(difference == 0);
        }
        let (a, b) = self.cancel(a, b);
        let (a, b) = if self.value(a).is_some() { (b, a) } else { (a, b) };
        match (self.node(a).clone(), self.node(b).clone(), self.value(b)) {
            (Node::ZeroExtend { term, width }, _, Some(value)) => self.eq_extended(term, width, value, false),
            (Node::SignExtend { term, width }, _, Some(value)) => self.eq_extended(term, width, value, true),
            (Node::ZeroExtend { term: x, .. }, Node::ZeroExtend { term: y, .. }, _)
            | (Node::SignExtend { term: x, .. }, Node::SignExtend { term: y, .. }, _)
                if self.width(x) == self.width(y) =>
            {
                self.eq(x, y)
            }
            _ => self.plain_eq(a, b),
        }
    }

    /// Whether the extension of `term` is the constant `value`.
    fn eq_extended(&mut self, term: Term, width: u32, value: u64, is_signed: bool) -> Term {
        let narrow = self.width(term);
        let kept = value & mask(narrow);
        let back = if is_signed { signed(kept, narrow) as u64 & mask(width) } else { kept };
        if back != value {
            return self.constant(false);
        }
        let kept = self.bits(kept, narrow);
        self.eq(term, kept)
    }

    /// Equality of bit-vectors or domain terms after everything special was tried.
    fn plain_eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.constant(true);
        }
        let (a, b) = if self.value(a).is_some() { (b, a) } else { (a, b) };
        if self.value(b).is_some() {
            if self.value(a).is_some() {
                return self.constant(false);
            }
            if let Node::Ite(condition, x, y) = *self.node(a)
                && self.is_short_chain(a)
            {
                let (x, y) = (self.eq(x, b), self.eq(y, b));
                return self.ite(condition, x, y);
            }
        }
        self.intern(Node::Eq(a.min(b), a.max(b)), Sort::Bool)
    }

    /// Whether `term` is a short chain of choices, each with a constant on one side.
    fn is_short_chain(&self, mut term: Term) -> bool {
        for _ in 0..LONGEST_CHAIN {
            match *self.node(term) {
                Node::Ite(_, x, y) if self.value(x).is_some() => term = y,
                Node::Ite(_, x, y) if self.value(y).is_some() => term = x,
                Node::Ite(..) => return false,
                _ => return true,
            }
        }
        false
    }

    fn less(&mut self, is_signed: bool, left: Term, right: Term) -> Term {
        self.same_sort(left, right);
        let width = self.width(left);
        if left == right {
            return self.constant(false);
        }
        if let (Some(x), Some(y)) = (self.value(left), self.value(right)) {
            let holds = if is_signed { signed(x, width) < signed(y, width) } else { x < y };
            return self.constant(holds);
        }
        if let Some(simple) = self.less_at_the_ends(is_signed, left, right, width) {
            return simple;
        }
        if let Some(simple) = self.less_of_arms(is_signed, left, right) {
            return simple;
        }
        match (self.node(left).clone(), self.node(right).clone()) {
            (Node::ZeroExtend { term: x, .. }, Node::ZeroExtend { term: y, .. }) if self.width(x) == self.width(y) => {
                self.less(false, x, y)
            }
            (Node::SignExtend { term: x, .. }, Node::SignExtend { term: y, .. }) if self.width(x) == self.width(y) => {
                self.less(is_signed, x, y)
            }
            _ => self.intern(Node::Less { signed: is_signed, left, right }, Sort::Bool),
        }
    }

    /// Nothing is below the least number, one number is below the second least, and so on.
    fn less_at_the_ends(&mut self, is_signed: bool, left: Term, right: Term, width: u32) -> Option<Term> {
        let least = if is_signed { 1 << (width - 1) } else { 0 };
        let greatest = mask(width) ^ least;
        if let Some(value) = self.value(right) {
            if value == least {
                return Some(self.constant(false));
            }
            if value == greatest {
                return Some(self.ne(left, right));
            }
            if value == (least + 1) & mask(width) {
                let least = self.bits(least, width);
                return Some(self.eq(left, least));
            }
        }
        match self.value(left)? {
            value if value == greatest => Some(self.constant(false)),
            value if value == least => Some(self.ne(left, right)),
            value if value == greatest - 1 => {
                let greatest = self.bits(greatest, width);
                Some(self.eq(right, greatest))
            }
            _ => None,
        }
    }

    /// The comparison of a choice between constants with a constant is about the condition.
    fn less_of_arms(&mut self, is_signed: bool, left: Term, right: Term) -> Option<Term> {
        let constants = |terms: &Self, term: Term| match *terms.node(term) {
            Node::Ite(condition, x, y) if terms.value(x).is_some() && terms.value(y).is_some() => {
                Some((condition, x, y))
            }
            _ => None,
        };
        if let (Some((condition, x, y)), Some(_)) = (constants(self, left), self.value(right)) {
            let (x, y) = (self.less(is_signed, x, right), self.less(is_signed, y, right));
            return Some(self.ite(condition, x, y));
        }
        self.value(left)?;
        let (condition, x, y) = constants(self, right)?;
        let (x, y) = (self.less(is_signed, left, x), self.less(is_signed, left, y));
        Some(self.ite(condition, x, y))
    }
}
