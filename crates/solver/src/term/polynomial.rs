//! Polynomials over bit-vectors, to see that `x·(y+z)` and `x·y + x·z` are the
//! same. They only decide equalities: as a normal form of terms they would
//! multiply the number of multipliers.

use std::collections::BTreeMap;

use super::{BinaryOp, Node, Term, Terms};

const MOST_MONOMIALS: usize = 64;
const MOST_STEPS: usize = 256;

/// Coefficients of products of terms; the empty product is the constant's.
type Polynomial = BTreeMap<Vec<Term>, u64>;

impl Terms {
    /// `a - b` if it is a constant whatever the variables are, modulo 2^64.
    pub(super) fn constant_difference(&self, a: Term, b: Term) -> Option<u64> {
        if !self.has_product(a) && !self.has_product(b) {
            return None;
        }
        let mut steps = MOST_STEPS;
        let mut difference = self.polynomial(a, &mut steps)?;
        accumulate(&mut difference, &self.polynomial(b, &mut steps)?, &[], u64::MAX);
        let width_mask = super::mask(self.width(a));
        difference.retain(|_, coefficient| *coefficient & width_mask != 0);
        let constant = difference.remove(&Vec::new()).unwrap_or(0);
        difference.is_empty().then_some(constant & width_mask)
    }

    fn has_product(&self, term: Term) -> bool {
        let is_product = |term: Term| matches!(self.node(term), Node::Binary(BinaryOp::Mul, ..));
        match self.node(term) {
            Node::Sum { parts, .. } => parts.iter().any(|part| is_product(part.1)),
            _ => is_product(term),
        }
    }

    fn polynomial(&self, term: Term, steps: &mut usize) -> Option<Polynomial> {
        *steps = steps.checked_sub(1)?;
        let mut result = Polynomial::new();
        match self.node(term) {
            Node::Constant { value, .. } => {
                result.insert(vec![], *value);
            }
            Node::Sum { constant, parts } => {
                result.insert(vec![], *constant);
                for &(factor, part) in parts.iter() {
                    accumulate(&mut result, &self.polynomial(part, steps)?, &[], factor);
                }
            }
            Node::Binary(BinaryOp::Mul, a, b) => {
                let right = self.polynomial(*b, steps)?;
                for (product, factor) in self.polynomial(*a, steps)? {
                    accumulate(&mut result, &right, &product, factor);
                }
            }
            _ => {
                result.insert(vec![term], 1);
            }
        }
        (result.len() <= MOST_MONOMIALS).then_some(result)
    }
}

/// Adds `factor · product · summand`.
fn accumulate(sum: &mut Polynomial, summand: &Polynomial, product: &[Term], factor: u64) {
    for (other, coefficient) in summand {
        let mut joined = [product, other].concat();
        joined.sort_unstable();
        let entry = sum.entry(joined).or_insert(0);
        *entry = entry.wrapping_add(factor.wrapping_mul(*coefficient));
    }
}
