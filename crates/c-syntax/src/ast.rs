//! The typed syntax tree.
//!
//! Types, implicit conversions and operators are clang's; parentheses are
//! dropped, macros are seen through, and every node keeps its span in the
//! user's file. A node that comes from a macro body has the span of the whole
//! macro use, which is then listed in [`Unit::macro_uses`].

use std::sync::Arc;

use c_types::{RecordId, TypeId, Types};

use crate::{Diagnostic, NameTable, Source, Span};

/// One C file.
#[derive(Debug)]
pub struct Unit {
    /// The file.
    pub source: Arc<Source>,
    /// Its types.
    pub types: Types,
    /// Every variable: global, local or parameter.
    pub variables: Vec<Variable>,
    /// Global variables in order of declaration, each once.
    pub globals: Vec<VariableId>,
    /// Functions with a body.
    pub functions: Vec<Function>,
    /// Its enum constants, names of types, and macros.
    pub names: NameTable,
    /// The places of macro uses whose insides have no place of their own.
    pub macro_uses: Vec<Span>,
    /// clang's warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Identifies a variable of a [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// The name in the declaration.
    pub span: Span,
    /// Where it lives.
    pub storage: Storage,
    /// Its initialiser.
    pub init: Option<Expr>,
    /// For a variable length array: the number of elements of each dimension, outermost first.
    pub lengths: Vec<Expr>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A global of this file.
    Global,
    /// Declared `extern` and not defined here.
    Extern,
    /// A static local.
    Static,
    /// A local.
    Local,
    /// A parameter.
    Parameter,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// Its body.
    pub body: Vec<Stmt>,
    /// The whole definition.
    pub span: Span,
    /// Its closing brace.
    pub end: Span,
    /// Whether it is written in the user's file and not in a header.
    pub own: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Vec<Stmt>),
    /// A declaration of variables.
    Declare(Vec<VariableId>),
    /// An expression.
    Expr(Expr),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do`
    Do(Box<Stmt>, Expr),
    /// `for`
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `case low ... high:`
    Case(i128, i128, Box<Stmt>),
    /// `default:`
    Default(Box<Stmt>),
    /// `name:`
    Label(LabelName, Box<Stmt>),
    /// `goto name;`
    Goto(LabelName),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `;`
    Empty,
    /// Something that is not modelled, such as inline assembly.
    Unsupported(String),
}

/// A label, unique in its function.
pub type LabelName = Arc<str>;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Its text, without surrounding parentheses.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer or character constant.
    Int(i128),
    /// A floating constant.
    Float(f64),
    /// A string literal, without its final NUL; its type tells the size.
    Text(Arc<[u8]>),
    /// A variable, as a place.
    Variable(VariableId),
    /// A function, by name.
    Function(Arc<str>),
    /// `base.member`; for `base->member`, base is a [`UnaryOp::Deref`].
    Member {
        /// The struct or union, as a place.
        base: Box<Expr>,
        /// Its type.
        record: RecordId,
        /// The number of the member.
        index: u32,
        /// The member's name in the text.
        name: Span,
    },
    /// `pointer[index]`, as a place; the pointer may be the decayed array.
    Index(Box<Expr>, Box<Expr>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `left op= right`, computed in the given type.
    Compound(BinaryOp, Box<Expr>, Box<Expr>, TypeId),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: c`
    Elvis(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// The value of a place.
    Load(Box<Expr>),
    /// The address of the first element of an array place.
    Decay(Box<Expr>),
    /// A conversion to the type of this expression; explicit ones are casts.
    Convert(Box<Expr>),
    /// The value is thrown away.
    Discard(Box<Expr>),
    /// `{ … }` with one entry per member or element, and what fills the rest.
    InitList(Vec<Expr>),
    /// Zero of any type, where an initialiser has no entry.
    Zero,
    /// For a union: the member that is initialised, and its value.
    UnionInit(u32, Box<Expr>),
    /// `sizeof` of a variable length array.
    SizeOfVariable(VariableId),
    /// `(type){ … }`, as a place.
    CompoundLiteral(VariableId),
    /// `({ … })`
    Statements(Vec<Stmt>),
    /// `va_arg(list, type)`
    VaArg(Box<Expr>),
    /// Something that is not modelled.
    Unsupported(String),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `*`, as a place.
    Deref,
    /// `&` of a place.
    AddressOf,
    /// `++x`
    PreIncrement,
    /// `--x`
    PreDecrement,
    /// `x++`
    PostIncrement,
    /// `x--`
    PostDecrement,
}

/// Arithmetic and comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl BinaryOp {
    /// The operator written as `text`, without `=` for compound assignments.
    pub fn parse(text: &str) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match text {
            "+" => Add,
            "-" => Subtract,
            "*" => Multiply,
            "/" => Divide,
            "%" => Remainder,
            "&" => And,
            "|" => Or,
            "^" => Xor,
            "<<" => ShiftLeft,
            ">>" => ShiftRight,
            "==" => Equal,
            "!=" => NotEqual,
            "<" => Less,
            "<=" => LessEqual,
            ">" => Greater,
            ">=" => GreaterEqual,
            _ => return None,
        })
    }

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}
