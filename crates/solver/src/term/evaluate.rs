//! The value of terms under values of their variables.

use std::collections::HashMap;

use super::arithmetic::{apply, mask, signed};
use super::{BinaryOp, Node, Sort, Term, Terms};

/// Values of variables. A variable without a value counts as 0 (or false).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: HashMap<Term, u64>,
}

impl Model {
    /// A model in which every variable is 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `variable` a value: 0 or 1 for Booleans, otherwise the number.
    pub fn set(&mut self, variable: Term, value: u64) {
        self.values.insert(variable, value);
    }

    /// The value of `variable` if it has one.
    pub fn get(&self, variable: Term) -> Option<u64> {
        self.values.get(&variable).copied()
    }

    /// This model with the values of another, which win.
    pub fn with(mut self, other: &Model) -> Model {
        self.values.extend(&other.values);
        self
    }

    /// Whether the Boolean `term` holds in this model.
    pub fn holds(&self, terms: &Terms, term: Term) -> bool {
        terms.evaluate(term, self) == 1
    }
}

impl FromIterator<(Term, u64)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, u64)>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Terms {
    /// The value of `term`: 0 or 1 for Booleans, otherwise the number.
    pub fn evaluate(&self, term: Term, model: &Model) -> u64 {
        self.evaluate_all(&[term], model)[0]
    }

    /// The values of several terms, each shared part evaluated once.
    pub fn evaluate_all(&self, roots: &[Term], model: &Model) -> Vec<u64> {
        let mut values: HashMap<Term, u64> = HashMap::new();
        for term in self.pending(roots, |_| false) {
            let value = self.evaluate_node(term, model, &|operand| values[&operand]);
            values.insert(term, value);
        }
        roots.iter().map(|root| values[root]).collect()
    }

    pub(super) fn evaluate_node(&self, term: Term, model: &Model, of: &dyn Fn(Term) -> u64) -> u64 {
        match self.node(term) {
            Node::Variable { .. } => model.get(term).unwrap_or(0),
            Node::Constant { value, .. } => *value,
            Node::Not(a) => 1 - of(*a),
            Node::And(items) => u64::from(items.iter().all(|&item| of(item) == 1)),
            Node::Or(items) => u64::from(items.iter().any(|&item| of(item) == 1)),
            Node::Xor(a, b) => of(*a) ^ of(*b),
            Node::Ite(condition, a, b) => of(if of(*condition) == 1 { *a } else { *b }),
            Node::Eq(a, b) => u64::from(of(*a) == of(*b)),
            Node::Less { signed: false, left, right } => u64::from(of(*left) < of(*right)),
            Node::Less { left, right, .. } => {
                let number = |term: Term| signed(of(term), self.width(term));
                u64::from(number(*left) < number(*right))
            }
            Node::Sum { constant, parts } => {
                let add = |sum: u64, &(factor, part): &(u64, Term)| sum.wrapping_add(factor.wrapping_mul(of(part)));
                parts.iter().fold(*constant, add) & mask(self.width(term))
            }
            Node::Binary(BinaryOp::Concat, high, low) => (of(*high) << self.width(*low)) | of(*low),
            Node::Binary(op, a, b) => apply(*op, of(*a), of(*b), self.width(term)),
            Node::ZeroExtend { term, .. } => of(*term),
            Node::SignExtend { term, width } => signed(of(*term), self.width(*term)) as u64 & mask(*width),
            Node::Extract { term, low, width } => (of(*term) >> low) & mask(*width),
            Node::Select(index, items) => of(items[of(*index) as usize]),
            Node::AtMost { parts, bound } => {
                u64::from(parts.iter().map(|&(weight, part)| weight * of(part)).sum::<u64>() <= *bound)
            }
        }
    }

    /// All variables under `roots`, in the order in which they were made.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = self.pending(roots, |_| false);
        found.retain(|&term| matches!(self.node(term), Node::Variable { .. }));
        found
    }

    /// How many different values the sort has, if that fits into 64 bits.
    pub fn values_of(&self, sort: Sort) -> Option<u64> {
        match sort {
            Sort::Bool => Some(2),
            Sort::Bits(width) => 1u64.checked_shl(width),
            Sort::Domain(size) => Some(u64::from(size)),
        }
    }
}
