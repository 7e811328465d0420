//! Sums in linear normal form: `constant + Σ coefficient · term`, so that
//! `a + b - a` is `b` and `3·x + x` is `4·x`. Negation, complement (`-x - 1`),
//! subtraction and shifts to the left by constants are sums, too.

use std::collections::BTreeMap;

use super::arithmetic::{inverse, mask, signed};
use super::{Node, Sort, Term, Terms};

/// A longer sum becomes one part of the sum around it; otherwise a loop that
/// adds up n terms would take quadratic space.
const FLATTEN_UP_TO: usize = 16;

/// A sum under construction; arithmetic is modulo 2^64 until the end.
#[derive(Default)]
pub(super) struct Linear {
    constant: u64,
    parts: BTreeMap<Term, u64>,
}

impl Linear {
    fn add_part(&mut self, factor: u64, term: Term) {
        let coefficient = self.parts.entry(term).or_insert(0);
        *coefficient = coefficient.wrapping_add(factor);
    }

    fn add_constant(&mut self, value: u64) {
        self.constant = self.constant.wrapping_add(value);
    }

    fn reduce(&mut self, width: u32) {
        self.constant &= mask(width);
        self.parts.values_mut().for_each(|coefficient| *coefficient &= mask(width));
        self.parts.retain(|_, coefficient| *coefficient != 0);
    }
}

impl Terms {
    /// `a + b`
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.linear_combination(&[(1, a), (1, b)])
    }

    /// `a - b`
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.linear_combination(&[(1, a), (u64::MAX, b)])
    }

    /// `-a`
    pub fn neg(&mut self, a: Term) -> Term {
        self.linear_combination(&[(u64::MAX, a)])
    }

    /// `~a`, all bits flipped
    pub fn bit_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let ones = self.bits(u64::MAX, width);
        self.sub(ones, a)
    }

    /// `factor · a` for a constant factor.
    pub(super) fn scale(&mut self, factor: u64, a: Term) -> Term {
        self.linear_combination(&[(factor, a)])
    }

    /// `Σ factor · term`
    pub(super) fn linear_combination(&mut self, summands: &[(u64, Term)]) -> Term {
        let width = self.width(summands[0].1);
        let mut sum = Linear::default();
        for &(factor, term) in summands {
            self.same_sort(summands[0].1, term);
            self.add_linear(&mut sum, factor, term);
        }
        self.linear_term(sum, width)
    }

    fn add_linear(&self, sum: &mut Linear, factor: u64, term: Term) {
        match self.node(term) {
            Node::Constant { value, .. } => sum.add_constant(factor.wrapping_mul(*value)),
            Node::Sum { constant, parts } if sum.parts.len() + parts.len() <= FLATTEN_UP_TO => {
                sum.add_constant(factor.wrapping_mul(*constant));
                parts.iter().for_each(|&(inner, part)| sum.add_part(factor.wrapping_mul(inner), part));
            }
            _ => sum.add_part(factor, term),
        }
    }

    fn linear_term(&mut self, mut sum: Linear, width: u32) -> Term {
        sum.reduce(width);
        let parts: Vec<(u64, Term)> = sum.parts.into_iter().map(|(term, coefficient)| (coefficient, term)).collect();
        match parts[..] {
            [] => self.bits(sum.constant, width),
            [(1, only)] if sum.constant == 0 => only,
            _ => self.intern(Node::Sum { constant: sum.constant, parts: parts.into() }, Sort::Bits(width)),
        }
    }

    /// The sum cut to its low `width` bits; cutting commutes with adding.
    pub(super) fn truncate_sum(&mut self, constant: u64, parts: &[(u64, Term)], width: u32) -> Term {
        let mut sum = Linear::default();
        sum.add_constant(constant);
        for &(factor, term) in parts {
            let narrow = self.extract(term, width - 1, 0);
            self.add_linear(&mut sum, factor, narrow);
        }
        self.linear_term(sum, width)
    }

    /// Two terms that are equal exactly if `a` and `b` are, with what both have
    /// in common taken away: `x + 1 = y + 1` is `x = y`, `3·x + 1 = 7` is `x = 2`.
    pub(super) fn cancel(&mut self, a: Term, b: Term) -> (Term, Term) {
        let is_sum = |term| matches!(self.node(term), Node::Sum { .. });
        if !is_sum(a) && !is_sum(b) {
            return (a, b);
        }
        let width = self.width(a);
        let mut difference = Linear::default();
        self.add_linear(&mut difference, 1, a);
        self.add_linear(&mut difference, u64::MAX, b);
        difference.reduce(width);
        self.solve_for_one(&difference, width).unwrap_or_else(|| self.split_by_sign(difference, width))
    }

    /// A part with an odd coefficient that stands alone can be solved for.
    fn solve_for_one(&mut self, difference: &Linear, width: u32) -> Option<(Term, Term)> {
        let mut parts = difference.parts.iter();
        let (&only, &coefficient) = parts.next()?;
        if parts.next().is_some() || coefficient % 2 == 0 {
            return None;
        }
        let value = difference.constant.wrapping_neg().wrapping_mul(inverse(coefficient));
        Some((only, self.bits(value, width)))
    }

    /// Parts with positive coefficients on one side, the others on the other.
    fn split_by_sign(&mut self, difference: Linear, width: u32) -> (Term, Term) {
        let (mut left, mut right) = (Linear::default(), Linear::default());
        for (&term, &coefficient) in &difference.parts {
            if signed(coefficient, width) > 0 {
                left.add_part(coefficient, term);
            } else {
                right.add_part(coefficient.wrapping_neg(), term);
            }
        }
        // On a side without parts the constant needs no adder.
        if left.parts.is_empty() {
            left.add_constant(difference.constant);
        } else {
            right.add_constant(difference.constant.wrapping_neg());
        }
        (self.linear_term(left, width), self.linear_term(right, width))
    }
}
