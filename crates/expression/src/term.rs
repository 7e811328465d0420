//! An expression with its meaning: names are variables, every part has its
//! type, and conversions are explicit.

use c_syntax::{BinaryOp, Span};
use c_types::TypeId;
use memory::{NodeId, Object, Root, Value};

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub kind: TermKind,
    pub ty: TypeId,
    /// For a bit-field, its width: it promotes by that.
    pub width: Option<u8>,
    pub span: Span,
}

/// The kinds of typed expressions.
#[derive(Clone, Debug)]
pub(crate) enum TermKind {
    Constant(Value),
    /// A node's name: a pointer to it.
    Node(NodeId, Value),
    /// A variable, as a place.
    Variable(Root, Object),
    /// What a pointer points to, as a place.
    Deref(Box<Term>),
    /// A member, as a place.
    Field(Box<Term>, Member),
    /// An element of an array, as a place.
    Element(Box<Term>, Box<Term>),
    AddressOf(Box<Term>),
    /// The address of the first element of an array.
    Decay(Box<Term>),
    /// A conversion to the type of this term.
    Convert(Box<Term>),
    Negate(Box<Term>),
    Complement(Box<Term>),
    Not(Box<Term>),
    /// Both operands have one type; those of shifts have their own.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A comparison of pointers.
    Compare(BinaryOp, Box<Term>, Box<Term>),
    /// `pointer + index`, or `pointer - index`.
    Offset {
        pointer: Box<Term>,
        index: Box<Term>,
        backward: bool,
    },
    /// `p - q`
    Distance(Box<Term>, Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    Conditional(Box<Term>, Box<Term>, Box<Term>),
}

/// A member of a record.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its name, as it was typed.
    pub name: String,
    /// The numbers of the fields that lead to it: several through unnamed records.
    pub steps: Vec<usize>,
    /// Its offset from the start of the record.
    pub offset: u64,
}

impl Term {
    pub fn new(kind: TermKind, ty: TypeId, span: Span) -> Self {
        Term { kind, ty, width: None, span }
    }

    pub fn is_place(&self) -> bool {
        matches!(self.kind, TermKind::Variable(..) | TermKind::Deref(_) | TermKind::Field(..) | TermKind::Element(..))
    }
}
