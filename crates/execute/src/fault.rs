//! How a run goes wrong.

use c_syntax::Span;
use ir::StepId;

/// Why a program cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What kind of mistake it is.
    pub kind: FaultKind,
    /// The mistake as a sentence, with the names of the user's program.
    pub message: String,
    /// The place in the user's file: the operand where the interpreter knows it, otherwise the statement.
    pub span: Option<Span>,
    /// The statement that was running.
    pub step: Option<StepId>,
}

/// Kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The null pointer, or an address that is none, was followed.
    Null,
    /// A freed block or a local variable that is gone was used.
    Dangling,
    /// Access past the end or before the start of an object.
    OutOfBounds,
    /// A value that was never written was used.
    Uninitialised,
    /// A block was freed twice.
    DoubleFree,
    /// Something that is not a heap block was freed.
    InvalidFree,
    /// Division or remainder by zero, or `INT_MIN / -1`.
    DivisionByZero,
    /// A shift by a negative number or by too many bits, where [`RunOptions::strict_shifts`](crate::RunOptions) asks.
    Shift,
    /// `assert` or `__VERIFIER_assert` failed, or `reach_error` was reached.
    Assert,
    /// `abort` was called.
    Abort,
    /// `__VERIFIER_assume` does not hold: no mistake of the program, but a run that does not count.
    Assumption,
    /// `__VERIFIER_nondet_int` or its like was called more often than there are values: no mistake of the program.
    NoValue,
    /// Calls nest too deeply.
    StackOverflow,
    /// A function is called that the interpreter does not have, or with arguments that do not fit.
    UnknownFunction,
    /// Something the interpreter cannot run.
    Unsupported,
    /// A signal that is none of the above, under gdb.
    Signal,
}
