//! The instructions that the interpreter runs.
//!
//! A function is a flat list of [`Op`]s over registers. Every scalar local
//! variable and temporary is a register of its frame; for a local that lives
//! in memory, the register holds its address. Integers are kept extended to 64
//! bits according to their type, floating values as the bits of a `double`.

use c_syntax::Span;
use ir::BinaryOp;

use super::library;

/// A register of the current frame.
pub type Slot = u32;

/// A register, or a constant: then the top bit is set and the rest is its
/// number in the table of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src(pub u32);

impl Src {
    /// The mark of constants.
    pub const CONSTANT: u32 = 1 << 31;
}

/// The value of a register that was never written. No integer narrower than 64
/// bits and no address can have it.
pub const UNWRITTEN: u64 = 0x5eed_dead_beef_0bad;

/// How a scalar is stored and computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `_Bool`
    Bool,
    /// Signed, 1 byte.
    I8,
    /// Unsigned, 1 byte.
    U8,
    /// Signed, 2 bytes.
    I16,
    /// Unsigned, 2 bytes.
    U16,
    /// Signed, 4 bytes.
    I32,
    /// Unsigned, 4 bytes.
    U32,
    /// Signed, 8 bytes.
    I64,
    /// Unsigned, 8 bytes, and pointers.
    U64,
    /// `float`
    F32,
    /// `double`
    F64,
    /// `long double`
    F80,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A source statement begins.
    Step(u32),
    /// `d := s`
    Move { d: Slot, s: Src },
    /// `d := -s`, in the given kind.
    Negate { kind: Scalar, d: Slot, s: Src },
    /// `d := ~s`
    Complement { kind: Scalar, d: Slot, s: Src },
    /// `d := a + b`, both `int`: the most frequent of all.
    AddInt { d: Slot, a: Src, b: Src },
    /// `d := a op b`
    Binary { op: BinaryOp, kind: Scalar, d: Slot, a: Src, b: Src },
    /// `d := s`, converted.
    Convert { from: Scalar, to: Scalar, d: Slot, s: Src },
    /// `d := *(p + offset)`
    Load { kind: Scalar, d: Slot, p: Src, offset: i32 },
    /// `*(p + offset) := s`
    Store { kind: Scalar, p: Src, offset: i32, s: Src },
    /// Reads a bit-field.
    LoadBits { kind: Scalar, d: Slot, p: Src, start: u8, width: u8 },
    /// Writes a bit-field.
    StoreBits { p: Src, s: Src, start: u8, width: u8 },
    /// `d := p + offset`
    Advance { d: Slot, p: Src, offset: i64 },
    /// `d := p + i * scale`
    Element { d: Slot, p: Src, i: Src, scale: Src },
    /// `d := p - i * scale`
    ElementBack { d: Slot, p: Src, i: Src, scale: Src },
    /// `d := (a - b) / scale`
    Distance { d: Slot, a: Src, b: Src, scale: Src },
    /// Fails unless `i` is one of `length` elements.
    CheckIndex { i: Src, length: u32 },
    /// Fails if the variable was never written.
    CheckWritten { s: Slot },
    /// Copies a struct.
    Copy { to: Src, from: Src, size: u32 },
    /// Sets bytes to zero.
    Clear { p: Src, size: u32 },
    /// A variable in memory begins its life again, with no value.
    Forget { s: Slot },
    /// A variable length array of `size` bytes begins its life.
    NewArray { s: Slot, size: Src },
    /// Calls; the number of a [`Call`].
    Call(u32),
    /// Goes to an instruction.
    Jump(u32),
    /// Goes there if `s` is not zero.
    JumpIf { s: Src, to: u32 },
    /// Goes there if `s` is zero.
    JumpUnless { s: Src, to: u32 },
    /// Goes there unless `a op b`.
    JumpUnlessCompare { op: BinaryOp, kind: Scalar, a: Src, b: Src, to: u32 },
    /// Goes where a table says; the number of a [`Table`].
    Switch { s: Src, table: u32 },
    /// Keeps the value to return.
    SetResult { s: Src },
    /// Returns.
    Return,
    /// Cannot be run; the number of a message.
    Refuse(u32),
}

/// Where an instruction comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The expression.
    pub span: Span,
    /// The pointer, index or value that is to blame when it fails.
    pub subject: Span,
}

/// A function, ready to run.
#[derive(Debug)]
pub struct Body {
    /// Its instructions.
    pub ops: Vec<Op>,
    /// Where each comes from.
    pub origins: Vec<Origin>,
    /// The number of registers.
    pub registers: u32,
    /// The number of parameters.
    pub parameters: u32,
    /// Locals that live in memory, with their size.
    pub in_memory: Vec<(Slot, u32)>,
    /// How each parameter is stored; `None` for structs, which are given as their address.
    pub parameter_kinds: Vec<Option<Scalar>>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub target: Target,
    /// The arguments, and for structs their size.
    pub arguments: Vec<(Src, Option<u32>)>,
    /// The register that takes the result.
    pub to: Option<Slot>,
    /// The size of the result, if it is a struct.
    pub struct_result: Option<u32>,
    /// The statement it belongs to.
    pub step: Option<u32>,
    /// How the result is stored.
    pub kind: Option<Scalar>,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function of the program.
    Own(u32),
    /// A function of the library, by its number in the table of library names.
    Library(u32),
    /// Whatever a pointer points to.
    Pointer(Src),
}

/// A function of the library that the program mentions.
#[derive(Clone, Debug)]
pub struct LibraryEntry {
    /// Its name.
    pub name: String,
    /// How it is run.
    pub run: LibraryRun,
}

/// How a library function is run.
#[derive(Clone, Copy, Debug)]
pub enum LibraryRun {
    /// By the library.
    Plain(library::Function),
    /// By the machine itself.
    Special(Special),
    /// Not at all.
    Unknown,
}

/// Library functions that need the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// `qsort`
    Sort,
    /// `bsearch`
    Search,
    /// `atexit`
    AtExit,
    /// `va_start`
    VaStart,
    /// `va_arg`
    VaArg,
    /// `va_copy`
    VaCopy,
    /// `va_end`, and other functions without effect.
    Nothing,
}

/// The arms of a `switch`.
#[derive(Clone, Debug)]
pub struct Table {
    /// First value, last value, where to go.
    pub arms: Vec<(i128, i128, u32)>,
    /// Where to go otherwise.
    pub default: u32,
    /// Whether the value is signed.
    pub signed: bool,
}

/// A whole program, ready to run.
#[derive(Debug)]
pub struct Image {
    /// Its functions.
    pub functions: Vec<Body>,
    /// Constants.
    pub constants: Vec<u64>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Tables of `switch`.
    pub tables: Vec<Table>,
    /// Messages of [`Op::Refuse`].
    pub messages: Vec<String>,
    /// For each step: its function and the instruction after its mark.
    pub step_starts: Vec<Option<(u32, u32)>>,
    /// For the steps of `if` and loops: where to go if so, and if not.
    pub decisions: Vec<Option<(u32, u32)>>,
    /// For a patch: what of it is run.
    pub detour: Option<Detour>,
}

/// The part of a patched program that is run.
#[derive(Clone, Copy, Debug)]
pub struct Detour {
    /// The statement of the program that it begins at.
    pub replaced: u32,
    /// The statement of the patched program where the new text is.
    pub start: u32,
    /// How many statements more the patched program has.
    pub more: u32,
    /// Whether the replaced statement comes after the text.
    pub stays: bool,
    /// The number of named locals of the function, whose registers are shared.
    pub named: u32,
}
