//! Terms and predicates of annotations, as one tree.

use c_syntax::Span;

/// A term or predicate with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `12`, `'a'`
    Int(i128),
    /// `\true`, `\false`
    Truth(bool),
    /// `\null`
    Null,
    /// `\result`
    Result,
    /// A variable, parameter, constant or bound name.
    Name(String),
    /// `\old(e)`, `\at(e, Pre)`
    Old(Box<Term>),
    /// An operator with one operand.
    Unary(Unary, Box<Term>),
    /// An operator with two operands. `a < b < c` is `a < b && b < c`.
    Binary(Binary, Box<Term>, Box<Term>),
    /// `a ? b : c`
    Conditional(Box<Term>, Box<Term>, Box<Term>),
    /// A logic function or predicate.
    Call(String, Vec<Term>),
    /// `a[i]`, in places also `a[l .. h]`.
    Index(Box<Term>, Box<Term>),
    /// `s.f`; `p->f` is that of `*p`.
    Member(Box<Term>, String),
    /// `l .. h`, in places.
    Range(Option<Box<Term>>, Option<Box<Term>>),
    /// `\forall`, or `\exists`.
    Quantified {
        /// Whether it is `\forall`.
        all: bool,
        /// The bound names.
        binders: Vec<Binder>,
        /// What holds of them.
        body: Box<Term>,
    },
    /// `\sum(l, h, \lambda integer k; e)` and its like.
    Fold {
        /// Which.
        fold: Fold,
        /// The first number.
        low: Box<Term>,
        /// The last number.
        high: Box<Term>,
        /// The name of the number.
        name: String,
        /// What is added, multiplied, counted.
        body: Box<Term>,
    },
    /// `\let x = e; body`
    Let(String, Box<Term>, Box<Term>),
    /// `\valid(p + (l .. h))`, `\valid_read(…)`
    Valid(Vec<Term>),
    /// `\separated(…)`, `\initialized(…)`: true of all inputs that are made up.
    Given(&'static str),
    /// `\nothing`, in places.
    Nothing,
    /// `(type)e`
    Cast(String, Box<Term>),
}

/// A bound name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// Its type, as it is written.
    pub ty: String,
    /// The name.
    pub name: String,
    /// Where.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `*`
    Deref,
    /// `&`
    AddressOf,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `||`
    Or,
    /// `^^`
    Xor,
    /// `&&`
    And,
    /// An operator of C that is no connective.
    C(c_syntax::BinaryOp),
}

/// What is done to the values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// `\sum`
    Sum,
    /// `\product`
    Product,
    /// `\numof`
    Count,
    /// `\max`
    Max,
    /// `\min`
    Min,
}

impl Term {
    pub(crate) fn new(kind: TermKind, span: Span) -> Term {
        Term { kind, span }
    }

    /// `a op b`
    pub(crate) fn binary(op: Binary, a: Term, b: Term) -> Term {
        let span = a.span.to(b.span);
        Term::new(TermKind::Binary(op, Box::new(a), Box::new(b)), span)
    }

    /// The parts of a conjunction.
    pub fn conjuncts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Binary(Binary::And, a, b) => [a.conjuncts(), b.conjuncts()].concat(),
            _ => vec![self],
        }
    }

    /// Its direct parts.
    pub fn parts(&self) -> Vec<&Term> {
        use TermKind::*;
        match &self.kind {
            Int(_) | Truth(_) | Null | Result | Name(_) | Given(_) | Nothing => vec![],
            Old(a) | Unary(_, a) | Member(a, _) | Cast(_, a) => vec![a],
            Binary(_, a, b) | Index(a, b) | Let(_, a, b) => vec![a, b],
            Conditional(a, b, c) => vec![a, b, c],
            Call(_, all) | Valid(all) => all.iter().collect(),
            Range(a, b) => a.iter().chain(b).map(|term| &**term).collect(),
            Quantified { body, .. } => vec![body],
            Fold { low, high, body, .. } => vec![low, high, body],
        }
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Term> {
        use TermKind::*;
        match &mut self.kind {
            Int(_) | Truth(_) | Null | Result | Name(_) | Given(_) | Nothing => vec![],
            Old(a) | Unary(_, a) | Member(a, _) | Cast(_, a) => vec![a],
            Binary(_, a, b) | Index(a, b) | Let(_, a, b) => vec![a, b],
            Conditional(a, b, c) => vec![a, b, c],
            Call(_, all) | Valid(all) => all.iter_mut().collect(),
            Range(a, b) => a.iter_mut().chain(b).map(|term| &mut **term).collect(),
            Quantified { body, .. } => vec![body],
            Fold { low, high, body, .. } => vec![low, high, body],
        }
    }

    /// Whether it, or a part of it, is so.
    pub fn any(&self, is: &dyn Fn(&Term) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// Whether a name occurs in it.
    pub fn mentions(&self, name: &str) -> bool {
        self.any(&|term| matches!(&term.kind, TermKind::Name(found) if found == name))
    }
}
