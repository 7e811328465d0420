//! An expression as it was typed, before names have a meaning.

use c_syntax::{BinaryOp, Span};
use c_types::Type;

/// An expression with its place in the typed text.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub kind: TreeKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(crate) enum TreeKind {
    Int(i128, Type),
    Float(f64, Type),
    Text(Vec<u8>),
    /// `x`, `main:x`, `#2:x`.
    Name(Option<Call>, String),
    /// `base.name` and `base->name`.
    Member {
        base: Box<Tree>,
        name: String,
        name_span: Span,
        arrow: bool,
    },
    /// `base[index]`
    Index(Box<Tree>, Box<Tree>),
    Unary(Unary, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    /// `a && b`
    And(Box<Tree>, Box<Tree>),
    /// `a || b`
    Or(Box<Tree>, Box<Tree>),
    /// `a ? b : c`
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `(type)a`
    Cast(TypeText, Box<Tree>),
    /// `sizeof a`
    SizeOf(Box<Tree>),
    /// `sizeof(type)`
    SizeOfType(TypeText),
}

/// The call whose variable is meant.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    /// The innermost call of this function.
    Of(String, Span),
    /// By number, innermost 0, as a backtrace counts.
    Number(usize, Span),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Plus,
    Negate,
    Complement,
    Not,
    Deref,
    AddressOf,
}

/// The name of a type.
#[derive(Clone, Debug)]
pub(crate) struct TypeText {
    pub base: Base,
    /// Pointers and arrays, to be applied to the base in this order.
    pub layers: Vec<Layer>,
    pub span: Span,
}

/// What a type's name begins with.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// A type of the language.
    Plain(Type),
    /// `struct name`, `union name`.
    Tagged { is_union: bool, name: String },
    /// A name that the program or the library gave, or `enum name`.
    Named(String),
}

/// One layer of a declarator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Pointer,
    Array(u64),
}
