//! Constructors of Booleans: flat, ordered conjunctions and disjunctions.

use std::sync::Arc;

use super::{Node, Sort, Term, Terms};

/// Longer operands stay as they are: a chain of conjunctions, each flattened
/// into the next, would otherwise take quadratic space.
const FLATTEN_UP_TO: usize = 16;

impl Terms {
    /// True or false.
    pub fn constant(&mut self, value: bool) -> Term {
        self.constant_of(u64::from(value), Sort::Bool)
    }

    /// The Boolean variable with this name.
    pub fn bool_variable(&mut self, name: &str) -> Term {
        self.variable(name, Sort::Bool)
    }

    /// `¬a`
    pub fn not(&mut self, a: Term) -> Term {
        self.expect_bool(a);
        match *self.node(a) {
            Node::Not(inner) => inner,
            Node::Constant { value, .. } => self.constant(value == 0),
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    /// `a ∧ b`
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.all(&[a, b])
    }

    /// `a ∨ b`
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.any(&[a, b])
    }

    /// Whether all of `items` hold.
    pub fn all(&mut self, items: &[Term]) -> Term {
        match self.junction(items, true) {
            Some(flat) => match flat[..] {
                [] => self.constant(true),
                [one] => one,
                _ => self.intern(Node::And(flat.into()), Sort::Bool),
            },
            None => self.constant(false),
        }
    }

    /// Whether at least one of `items` holds.
    pub fn any(&mut self, items: &[Term]) -> Term {
        match self.junction(items, false) {
            Some(flat) => match flat[..] {
                [] => self.constant(false),
                [one] => one,
                _ => self.intern(Node::Or(flat.into()), Sort::Bool),
            },
            None => self.constant(true),
        }
    }

    /// `a → b`
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// `a ≠ b` of Booleans
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.expect_bool(a);
        self.expect_bool(b);
        let (a, flipped_a) = self.strip_not(a);
        let (b, flipped_b) = self.strip_not(b);
        let plain = match (self.value(a), self.value(b)) {
            _ if a == b => self.constant(false),
            (Some(0), _) => b,
            (Some(_), _) => self.not(b),
            (_, Some(0)) => a,
            (_, Some(_)) => self.not(a),
            _ => self.intern(Node::Xor(a.min(b), a.max(b)), Sort::Bool),
        };
        if flipped_a != flipped_b { self.not(plain) } else { plain }
    }

    /// `a ↔ b`
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let differ = self.xor(a, b);
        self.not(differ)
    }

    pub(super) fn strip_not(&self, a: Term) -> (Term, bool) {
        match *self.node(a) {
            Node::Not(inner) => (inner, true),
            _ => (a, false),
        }
    }

    /// The operands of a conjunction (or disjunction), flat, ordered and each
    /// once; nothing if one of them decides it.
    fn junction(&self, items: &[Term], is_and: bool) -> Option<Vec<Term>> {
        let neutral = u64::from(is_and);
        let mut flat = Vec::with_capacity(items.len());
        for &item in items {
            self.expect_bool(item);
            match (self.value(item), self.nested(item, is_and)) {
                (Some(value), _) if value == neutral => {}
                (Some(_), _) => return None,
                (None, Some(inner)) => flat.extend_from_slice(inner),
                (None, None) => flat.push(item),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradiction = flat.iter().any(|&item| match *self.node(item) {
            Node::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => false,
        });
        (!contradiction).then_some(flat)
    }

    fn nested(&self, item: Term, is_and: bool) -> Option<&Arc<[Term]>> {
        match self.node(item) {
            Node::And(inner) if is_and && inner.len() <= FLATTEN_UP_TO => Some(inner),
            Node::Or(inner) if !is_and && inner.len() <= FLATTEN_UP_TO => Some(inner),
            _ => None,
        }
    }
}
