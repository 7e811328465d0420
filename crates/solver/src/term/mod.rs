//! Hash-consed terms. Every constructor normalises, so terms that are equal
//! after simple rewriting have the same id.
//!
//! Invariant: the operands of a node have smaller ids than the node itself, so
//! ascending order of ids is an order of evaluation.

mod arithmetic;
mod bits;
mod boolean;
mod cardinal;
mod compare;
mod display;
mod domain;
mod evaluate;
mod ite;
mod justify;
mod linear;
mod narrow;
mod polynomial;
mod resize;
mod substitute;

use std::collections::HashMap;
use std::sync::Arc;

pub use display::DisplayTerm;
pub use evaluate::Model;
pub use justify::{Meanings, Values};
pub use narrow::Narrowed;

pub(crate) use arithmetic::{apply, mask, signed};

/// A term of one [`Terms`] store: a cheap, copyable id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The number of the term in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What values a term can have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bits(u32),
    /// One of the numbers from 0 up to, but without, this one.
    Domain(u32),
}

/// An operator of two bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Multiplication of two terms that are not constants.
    Mul,
    /// Unsigned division; by zero it is all ones.
    Udiv,
    /// Unsigned remainder; by zero it is the dividend.
    Urem,
    /// Signed division, rounding towards zero.
    Sdiv,
    /// Signed remainder with the sign of the dividend.
    Srem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left; by the width or more it is zero.
    Shl,
    /// Shift to the right that fills with zeros.
    Lshr,
    /// Shift to the right that fills with the sign.
    Ashr,
    /// The first operand's bits above the second's.
    Concat,
}

/// How a term is made of other terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A variable; name and sort together are its identity.
    Variable {
        /// The name, for people.
        name: Arc<str>,
        /// The values that it ranges over.
        sort: Sort,
    },
    /// A constant: 0 or 1 for Booleans, otherwise the number.
    Constant {
        /// The number.
        value: u64,
        /// Its sort.
        sort: Sort,
    },
    /// Negation of a Boolean.
    Not(Term),
    /// Conjunction of two or more Booleans in ascending order.
    And(Arc<[Term]>),
    /// Disjunction of two or more Booleans in ascending order.
    Or(Arc<[Term]>),
    /// Exclusive or of two Booleans, neither of them a negation.
    Xor(Term, Term),
    /// If-then-else of any sort.
    Ite(Term, Term, Term),
    /// Equality of two bit-vectors or of two domain terms.
    Eq(Term, Term),
    /// "Less than" of two bit-vectors.
    Less {
        /// Whether both are read as two's complement.
        signed: bool,
        /// The smaller one.
        left: Term,
        /// The larger one.
        right: Term,
    },
    /// `constant + Σ coefficient · term` modulo 2^width, with at least one part.
    Sum {
        /// The constant.
        constant: u64,
        /// Coefficients, none of them zero, and terms in ascending order, none of them a sum.
        parts: Arc<[(u64, Term)]>,
    },
    /// A binary operator on bit-vectors.
    Binary(BinaryOp, Term, Term),
    /// The term with zeros above, up to `width` bits.
    ZeroExtend {
        /// The narrow term.
        term: Term,
        /// The new width.
        width: u32,
    },
    /// The term with copies of its sign above, up to `width` bits.
    SignExtend {
        /// The narrow term.
        term: Term,
        /// The new width.
        width: u32,
    },
    /// `width` bits of the term from bit `low` upwards.
    Extract {
        /// The wide term.
        term: Term,
        /// The lowest bit that is kept.
        low: u32,
        /// How many bits are kept.
        width: u32,
    },
    /// The item whose number is the value of a domain term.
    Select(Term, Arc<[Term]>),
    /// Whether the weights of the Booleans that hold add up to `bound` at most.
    AtMost {
        /// Weights and Booleans in ascending order of the latter.
        parts: Arc<[(u64, Term)]>,
        /// The largest sum allowed.
        bound: u64,
    },
}

/// The store of all terms.
#[derive(Default, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    ids: HashMap<Node, Term>,
    fresh: u32,
    /// Results of [`Terms::extract`], which would otherwise visit shared operands again and again.
    extracts: HashMap<(Term, u32, u32), Term>,
    extract_depth: u32,
}

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How `term` is made.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The sort of `term`.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The number of bits of a bit-vector.
    ///
    /// # Panics
    /// If `term` is not a bit-vector.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is needed here, not {sort:?}"),
        }
    }

    /// The value of a term that is a constant.
    pub fn value(&self, term: Term) -> Option<u64> {
        match *self.node(term) {
            Node::Constant { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The variable with this name and sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        check_sort(sort);
        self.intern(Node::Variable { name: name.into(), sort }, sort)
    }

    /// A variable that no other call returns, with a name that begins with `prefix`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name: Arc<str> = format!("{prefix}!{}", self.fresh).into();
            self.fresh += 1;
            let node = Node::Variable { name, sort };
            if !self.ids.contains_key(&node) {
                check_sort(sort);
                return self.intern(node, sort);
            }
        }
    }

    /// The terms directly under `term`.
    pub fn operands(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::Variable { .. } | Node::Constant { .. } => vec![],
            Node::Not(a) => vec![*a],
            Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } | Node::Extract { term, .. } => vec![*term],
            Node::And(items) | Node::Or(items) => items.to_vec(),
            Node::Xor(a, b) | Node::Eq(a, b) | Node::Binary(_, a, b) => vec![*a, *b],
            Node::Less { left, right, .. } => vec![*left, *right],
            Node::Ite(c, a, b) => vec![*c, *a, *b],
            Node::Select(index, items) => std::iter::once(*index).chain(items.iter().copied()).collect(),
            Node::Sum { parts, .. } | Node::AtMost { parts, .. } => parts.iter().map(|part| part.1).collect(),
        }
    }

    /// All terms under `roots` and the roots, operands first, without what `known` says is done.
    pub(crate) fn pending(&self, roots: &[Term], known: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<Term> = roots.iter().copied().filter(|&root| !known(root)).collect();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                stack.extend(self.operands(term).into_iter().filter(|&operand| !known(operand)));
            }
        }
        let mut found: Vec<Term> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn constant_of(&mut self, value: u64, sort: Sort) -> Term {
        self.intern(Node::Constant { value, sort }, sort)
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.ids.get(&node) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit into memory"));
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.ids.insert(node, term);
        term
    }

    /// The sort that two operands share.
    fn same_sort(&self, a: Term, b: Term) -> Sort {
        let (left, right) = (self.sort(a), self.sort(b));
        assert!(left == right, "operands of one sort are needed here, not {left:?} and {right:?}");
        left
    }

    fn expect_bool(&self, term: Term) {
        assert!(self.sort(term) == Sort::Bool, "a Boolean is needed here, not {:?}", self.sort(term));
    }
}

fn check_sort(sort: Sort) {
    match sort {
        Sort::Bool => {}
        Sort::Bits(width) => assert!((1..=64).contains(&width), "a bit-vector has 1 to 64 bits, not {width}"),
        Sort::Domain(size) => assert!(size > 0, "a domain has at least one value"),
    }
}
