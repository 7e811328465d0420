//! What a program is made of.
//!
//! A function is structured code ([`Code`]) over [`Action`]s. Every action does
//! one thing to operands that are variables, temporaries or constants; nested
//! C expressions were flattened, and each temporary remembers the span of the
//! expression it stands for. `if (p && p->next) q = p->next;` becomes
//!
//! ```text
//! t1 := p != null
//! if t1 { t2 := p.next; t3 := t2 != null; t1 := t1 band t3 }
//! if t1 { q := p.next }
//! ```
//!
//! Source statements appear as [`Code::Step`] marks: the places where a
//! debugger stops.

use std::collections::BTreeSet;
use std::sync::Arc;

use c_syntax::{Diagnostic, NameTable, Source, Span};
use c_types::{RecordId, TypeId, Types};
use memory::Visible;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table it belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A global variable or static local.
    GlobalId,
    /// A function with a body.
    FunctionId,
    /// A parameter, local variable or temporary of a function. Named ones come first.
    LocalId,
    /// A string literal.
    TextId,
    /// A source statement: the unit of stepping.
    StepId,
    /// A label of a function: of `goto`, `case` and `default`.
    LabelId,
    /// An action, unique in the program.
    ActionId
}

/// A whole program: one C file.
#[derive(Clone, Debug)]
pub struct Program {
    /// The user's file.
    pub source: Arc<Source>,
    /// All types.
    pub types: Arc<Types>,
    /// Global variables and static locals.
    pub globals: Vec<Global>,
    /// The globals that decide its choices, by selector; none in an ordinary program.
    pub selectors: Vec<GlobalId>,
    /// Functions with a body.
    pub functions: Vec<Function>,
    /// String literals, without their final NUL.
    pub texts: Vec<Vec<u8>>,
    /// Source statements.
    pub steps: Vec<Step>,
    /// Its enum constants, names of types, and macros, for those who ask by name: the code has only their values.
    pub names: Arc<NameTable>,
    /// What is not modelled, with its place; each is told once.
    pub notices: Vec<Notice>,
    /// Places of macro uses: an operand with such a span is not written there itself.
    pub macro_uses: BTreeSet<Span>,
    /// What the compiler warned of.
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    /// The function called `name`.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| &*f.name == name).map(|i| FunctionId(i as u32))
    }

    /// A function by id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A step by id.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }
}

/// Something that the solver side does not model, or that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where.
    pub span: Span,
    /// What, as a sentence.
    pub message: String,
}

/// A global variable or static local.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// The place of its declaration.
    pub span: Span,
    /// The function it is local to, if it is a static local.
    pub owner: Option<FunctionId>,
    /// Its initial bytes, before addresses are filled in.
    pub image: Vec<u8>,
    /// Addresses within the image.
    pub relocations: Vec<Relocation>,
    /// Whether it is only declared here (`extern`), such as `stdout`.
    pub external: bool,
}

/// An address in the initial bytes of a global.
#[derive(Clone, Debug)]
pub struct Relocation {
    /// Where in the image.
    pub offset: u64,
    /// The object that is pointed to.
    pub target: StaticTarget,
    /// Added to its address.
    pub addend: i64,
}

/// Something with a fixed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StaticTarget {
    /// A global.
    Global(GlobalId),
    /// A string literal.
    Text(TextId),
    /// A function.
    Function(FunctionRef),
}

/// A function of the program or of a library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FunctionRef {
    /// It has a body in this program.
    Own(FunctionId),
    /// It has not.
    Library(Arc<str>),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// The number of parameters: the first locals.
    pub parameters: usize,
    /// The number of named locals: parameters and variables; temporaries follow.
    pub named: usize,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Parameters, variables, temporaries.
    pub locals: Vec<Local>,
    /// What it does.
    pub body: Vec<Code>,
    /// Its labels, by id.
    pub labels: Vec<Label>,
    /// The places of `break`, `continue` and `goto`, in the order in which a reader meets them in the body.
    pub jumps: Vec<Span>,
    /// The whole definition.
    pub span: Span,
    /// Its closing brace, the last place where a debugger stops.
    pub exit: StepId,
}

/// A label as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// `found`, `case 3`, `default`.
    pub name: Arc<str>,
    /// Where the labelled statement begins.
    pub span: Span,
}

/// A parameter, variable or temporary.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty for temporaries.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// The name in its declaration, or the expression a temporary stands for.
    pub span: Span,
    /// Whether it must live in memory: its address is taken, or it is a struct, union or array.
    pub in_memory: bool,
}

/// A source statement.
#[derive(Clone, Debug)]
pub struct Step {
    /// The function it belongs to.
    pub function: FunctionId,
    /// What it is.
    pub kind: StepKind,
    /// Its text: the statement, or the condition or clause of a `for`.
    pub span: Span,
    /// Where a compiler may say its instructions come from: for conditions
    /// this starts at the keyword and ends at the closing parenthesis.
    pub region: Span,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// The variables in scope before it runs.
    pub visible: Vec<Visible>,
    /// The type of what it allocates, where its text tells.
    pub allocates: Option<TypeId>,
}

/// The kinds of source statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A declaration with initialisers.
    Declaration,
    /// An expression statement.
    Expression,
    /// The condition of `if`.
    If,
    /// The condition of a `while`, `do` or `for` loop.
    Loop,
    /// The value of `switch`.
    Switch,
    /// The first clause of `for`.
    ForInit,
    /// The last clause of `for`.
    ForUpdate,
    /// `return`.
    Return,
    /// The closing brace of a function.
    Exit,
}

/// Structured code.
#[derive(Clone, Debug)]
pub enum Code {
    /// A source statement begins here.
    Step(StepId),
    /// Does one thing.
    Act(Action),
    /// A local variable comes into being, with no value.
    Declare(LocalId),
    /// A variable length array of `count` elements comes into being.
    DeclareArray {
        /// The array.
        local: LocalId,
        /// Its size in bytes.
        size: Operand,
    },
    /// `if` of the program, and the branches of `&&`, `||` and `?:`.
    If {
        /// What is tested: not zero.
        test: Operand,
        /// The step of an `if` statement; none for `&&`, `||`, `?:`.
        step: Option<StepId>,
        /// If so.
        then: Vec<Code>,
        /// If not.
        otherwise: Vec<Code>,
    },
    /// A loop.
    Loop(Box<Loop>),
    /// `switch`; the labels stand in the body as [`Code::Label`].
    Switch {
        /// What is compared.
        value: Operand,
        /// First value, last value, label.
        arms: Vec<(i128, i128, LabelId)>,
        /// Where to go if none fits.
        default: Option<LabelId>,
        /// The body.
        body: Vec<Code>,
    },
    /// A place to go to.
    Label(LabelId),
    /// Go there, in the same function.
    Goto(LabelId),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Goes to the end of the innermost loop's body.
    Continue,
    /// Returns; the function's exit step follows.
    Return(Option<Operand>),
}

/// A loop: `condition; test → body; update; condition; …`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Whether the body comes before the first test, as in `do`.
    pub body_first: bool,
    /// The step of the condition, if it is one.
    pub step: Option<StepId>,
    /// Computes the test.
    pub condition: Vec<Code>,
    /// Goes on while this is not zero; endless without.
    pub test: Option<Operand>,
    /// The body.
    pub body: Vec<Code>,
    /// The last clause of `for`.
    pub update: Vec<Code>,
    /// The whole statement.
    pub span: Span,
}

/// One thing done to operands.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its id.
    pub id: ActionId,
    /// The expression it comes from.
    pub span: Span,
    /// What is done.
    pub kind: ActionKind,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// `x := value`.
    Assign {
        /// The variable or temporary.
        to: LocalId,
        /// Where it is named.
        to_span: Span,
        /// The value.
        value: Rvalue,
    },
    /// `x.f := y`, `*p := y`, `a[i] := y`.
    Store {
        /// The place.
        to: Access,
        /// The value.
        value: Operand,
    },
    /// Sets all bytes to zero, before an initialiser with gaps.
    Clear {
        /// The place.
        to: Access,
    },
    /// `x := f(y, z)`.
    Call {
        /// Takes the result.
        to: Option<LocalId>,
        /// What is called.
        callee: Callee,
        /// The arguments.
        arguments: Vec<Operand>,
        /// The source statement it belongs to.
        step: StepId,
        /// The type of the called function.
        ty: TypeId,
    },
    /// Something that cannot be run by the interpreter; the message says what.
    Concrete {
        /// The temporary that takes its value, if it has one.
        to: Option<LocalId>,
        /// What it is.
        what: String,
    },
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(FunctionRef),
    /// Through a pointer.
    Pointer(Operand),
}

/// A computed value.
#[derive(Clone, Debug)]
pub enum Rvalue {
    /// `y`.
    Use(Operand),
    /// An operator with one operand, in the given type.
    Unary(UnaryOp, Operand, TypeId),
    /// An operator with two operands, both of the given type (shifts: the left one).
    Binary(BinaryOp, Operand, Operand, TypeId),
    /// A conversion.
    Convert {
        /// What is converted.
        value: Operand,
        /// From this type.
        from: TypeId,
        /// To this type.
        to: TypeId,
    },
    /// `pointer + index`, or `pointer - index`.
    Offset {
        /// The pointer.
        pointer: Operand,
        /// Counted in elements.
        index: Operand,
        /// Size of an element in bytes.
        scale: Operand,
        /// Whether to go backwards.
        backward: bool,
    },
    /// `p - q`, in elements.
    Distance {
        /// The pointer that is subtracted from.
        left: Operand,
        /// The pointer that is subtracted.
        right: Operand,
        /// Size of an element in bytes.
        scale: Operand,
    },
    /// `y.f`, `*p`, `a[i]`.
    Load(Access),
    /// `&y`, `&y.f`.
    AddressOf(Access),
}

/// A variable, temporary or constant, with its place in the user's file.
#[derive(Clone, Debug)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Its type.
    pub ty: TypeId,
    /// Its text.
    pub span: Span,
}

/// The kinds of operands.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// A variable or temporary.
    Local(LocalId),
    /// An integer, or a pointer made of one (null is 0).
    Int(i128),
    /// A floating constant.
    Float(f64),
    /// The address of a string literal.
    Text(TextId),
    /// The address of a function.
    Function(FunctionRef),
}

/// A place in memory: a root and a path of members and elements.
#[derive(Clone, Debug)]
pub struct Access {
    /// Where it starts.
    pub root: AccessRoot,
    /// Members and elements from there.
    pub path: Vec<Projection>,
    /// The type of what is there.
    pub ty: TypeId,
    /// For a bit-field: first bit and width.
    pub bits: Option<(u8, u8)>,
    /// Its text.
    pub span: Span,
}

/// Where an access starts.
#[derive(Clone, Debug)]
pub enum AccessRoot {
    /// At a local variable.
    Local(LocalId),
    /// At a global.
    Global(GlobalId),
    /// Where a pointer points to.
    Deref(Operand),
    /// At a string literal.
    Text(TextId),
}

/// A step of an access path.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A member.
    Field {
        /// The record.
        record: RecordId,
        /// The number of the member.
        index: u32,
        /// Its offset.
        offset: u64,
        /// The member's name in the text.
        span: Span,
    },
    /// An element.
    Index {
        /// Which one.
        index: Operand,
        /// Size of an element in bytes.
        scale: Operand,
        /// Number of elements where the type tells.
        length: Option<u64>,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `~x`
    Complement,
    /// `!x`
    Not,
}

/// Operators with two operands.
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
    /// `p band q` of two truth values.
    BoolAnd,
    /// `p bor q` of two truth values.
    BoolOr,
}
