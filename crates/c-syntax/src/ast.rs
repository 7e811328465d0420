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
#[derive(Clone, Debug)]
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
    /// The number of selectors of its choices; none in what was parsed.
    pub selectors: u32,
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
    /// A statement that is left out where the selector is 1. The parser makes none.
    Optional {
        /// Whether it is left out.
        selector: SelectorId,
        /// The statement.
        statement: Box<Stmt>,
    },
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
    /// The token that makes it what it is, where the user's file has it: a
    /// constant, the name of a variable, an operator. What comes from the body
    /// of a macro has its token there, in the definition.
    pub token: Option<Span>,
    /// Whether it stands in parentheses.
    pub in_parentheses: bool,
}

impl Expr {
    /// An expression whose token is not known.
    pub fn new(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        Expr { kind, ty, span, token: None, in_parentheses: false }
    }
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
    /// An expression, or what it is changed into by the one selector that is 1.
    /// The parser makes none.
    Choice {
        /// What is written.
        of: Box<Expr>,
        /// What it can be instead.
        alternatives: Vec<Alternative>,
    },
}

/// A variable that is 0 or 1 all through a run and says whether a change is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SelectorId(pub u32);

/// What an expression becomes where a selector is 1.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Whether it is changed.
    pub selector: SelectorId,
    /// How.
    pub change: Change,
}

/// How an expression is changed.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another operator in a [`ExprKind::Binary`] or [`ExprKind::Compound`].
    Operator(BinaryOp),
    /// Another operator in a [`ExprKind::Binary`], and the number added to its right operand.
    OperatorAndShift(BinaryOp, i128),
    /// `++` for `--`, or the other way round.
    Step,
    /// Another variable is assigned to, or stepped.
    Target(Expr),
    /// `&&` for `||`, or the other way round.
    Connective,
    /// `a && b` and `a || b` become `a`.
    Left,
    /// `a && b` and `a || b` become `b`.
    Right,
    /// Another integer of the same type.
    Constant(i128),
    /// Another expression of the same type is evaluated; this is how it is written.
    Replace(Expr, Arc<str>),
    /// The number is added to an integer.
    Shift(i128),
    /// `c` becomes `!c`. This and the following are changes of truth values.
    Negated,
    /// `!c` becomes `c`.
    Affirmed,
    /// `c` becomes `c && d`.
    Conjunct(Expr),
    /// `c` becomes `c || d`.
    Disjunct(Expr),
}

impl Change {
    /// The other expression that it brings in.
    pub fn expr(&self) -> Option<&Expr> {
        use Change::*;
        match self {
            Target(other) | Replace(other, _) | Conjunct(other) | Disjunct(other) => Some(other),
            Operator(_) | OperatorAndShift(..) | Step | Connective | Left | Right => None,
            Constant(_) | Shift(_) | Negated | Affirmed => None,
        }
    }

    /// Whether only the truth of the value counts: the result is 0 or 1.
    pub fn is_of_truth(&self) -> bool {
        matches!(self, Change::Negated | Change::Affirmed | Change::Conjunct(_) | Change::Disjunct(_))
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Remainder => "%",
            And => "&",
            Or => "|",
            Xor => "^",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Equal => "==",
            NotEqual => "!=",
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
        }
    }

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}
