//! The program formula: what a program does, for all inputs up to a bound, as
//! terms.
//!
//! [`unfold`] runs the IR once with symbolic inputs: both arms of every branch
//! are run and their states are merged where they meet (SSA with φ as
//! if-then-else terms), loops and recursion are unrolled as often as
//! [`Bounds`] say, calls are inlined. (R §3.2; K §III-B sees the same formula
//! path by path.) For
//!
//! ```c
//! int f(int x) { int y = x; if (x < 0) y = -x; assert(y >= 0); return y; }
//! ```
//!
//! the only [`Violation`] is "the assertion fails where `!(ite(x < 0, -x, x) >= 0)`".
//!
//! A run that goes wrong goes on with arbitrary values: it has its violation
//! already. What is not modelled is collected apart ([`Unfolded::unmodelled`]):
//! nothing is known about inputs that lead there.

mod act;
mod arithmetic;
mod call;
mod format;
mod input;
mod library;
mod locals;
mod memory;
mod output;
mod path;
mod reading;
mod run;
mod state;
mod value;

use std::time::Instant;

use c_syntax::Span;
use ir::{FunctionId, GlobalId, Program, StepId};
use solver::{Term, Terms};

pub use input::{Input, Inputs, Source, Word};
pub use output::{Printed, Stream, differ};
pub use path::{Order, Path, PathBounds, Paths, explore};

/// How far a program is unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// So many rounds of a loop, and calls of a function inside of itself, whose number depends on the input.
    pub unwind: u32,
    /// So many actions in all.
    pub actions: u64,
    /// So many terms in all.
    pub terms: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { unwind: 10, actions: 3_000_000, terms: 4_000_000 }
    }
}

/// What a program does, as terms.
#[derive(Debug)]
pub struct Unfolded {
    /// What can go wrong, in the order of the run.
    pub violations: Vec<Violation>,
    /// How often something could have gone wrong, even if it never does.
    pub demands: usize,
    /// Where each loop or recursion would go on past the bound.
    pub unwound: Vec<Violation>,
    /// What is not modelled, and which inputs lead there.
    pub unmodelled: Vec<Unmodelled>,
    /// Assertions: whether a run comes to them.
    pub reached: Vec<(Span, Term)>,
    /// What is printed.
    pub output: Stream,
    /// Where the program ends, and its exit status (32 bits).
    pub ends: Vec<(Term, Term)>,
    /// Where it does not end by a failed assumption.
    pub assumed: Term,
    /// Named intermediate values, if they were asked for.
    pub definitions: Vec<Definition>,
    /// Where unknowns were read that are another value each time, in the order of the run.
    pub readings: Vec<Reading>,
}

/// A value of its own that an unknown had where it was read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The unknown.
    pub global: GlobalId,
    /// The variable that stands for the value.
    pub value: Term,
    /// Which runs read it.
    pub when: Term,
}

/// A way in which a run goes wrong.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Where it does.
    pub when: Term,
    /// What is wrong.
    pub kind: ViolationKind,
    /// The place in the user's file.
    pub span: Span,
    /// The statement.
    pub step: Option<StepId>,
    /// What it is about: the text of an assertion, the name of an object.
    pub about: String,
}

/// The kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViolationKind {
    /// An assertion does not hold.
    Assertion,
    /// `abort` or an error function was called.
    Abort,
    /// The null pointer was followed.
    Null,
    /// An object that is gone was used.
    Dangling,
    /// An access outside of an object.
    OutOfBounds,
    /// A value that was never written was used.
    Uninitialised,
    /// Division by zero, or a quotient that does not fit.
    Division,
    /// A shift by a negative number or by too many bits.
    Shift,
    /// `free` of what cannot be freed.
    Free,
    /// A loop or recursion goes on past the bound.
    Unwinding,
}

/// Something that is not modelled.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    /// Which inputs lead there.
    pub when: Term,
    /// The place in the user's file.
    pub span: Span,
    /// What it is, as a sentence without a full stop.
    pub what: String,
}

/// A value that a statement computes, kept apart: `variable` stands for `value`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Stands for the value everywhere else.
    pub variable: Term,
    /// The value.
    pub value: Term,
    /// The statement that computes it.
    pub step: StepId,
    /// The expression.
    pub span: Span,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function to run, with no parameters or with `argc` and `argv`.
    pub entry: FunctionId,
    /// How far.
    pub bounds: Bounds,
    /// The number of arguments of the command line, with the program's name.
    pub arguments: u32,
    /// When to give up.
    pub until: Option<Instant>,
    /// Whether what statements compute is kept apart, for localizing: nothing is simplified across statements then.
    pub define: bool,
    /// What is left open.
    pub open: Open<'a>,
}

/// What a program leaves open, and terms decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open<'a> {
    /// What the selectors of the program's choices are; a selector without a term is off.
    pub selectors: &'a [Term],
    /// Globals whose values are unknown. The program only reads them.
    pub unknowns: &'a [(GlobalId, Unknown)],
}

/// A value that a program reads and nobody wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The same all through a run; of the width of the global.
    Fixed(Term),
    /// Another one each time that it is read: a variable of its own.
    Any,
}

/// Why there is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Too many actions or terms.
    #[error(
        "the program is too large to be unrolled this far: {actions} actions, {terms} terms so far; try fewer rounds with --unwind"
    )]
    Size {
        /// Actions so far.
        actions: u64,
        /// Terms so far.
        terms: usize,
    },
    /// Time is up.
    #[error("unrolling the program takes too long; give it more time with --timeout, or fewer rounds with --unwind")]
    Time,
}

/// What the program does for all inputs, up to the bounds.
pub fn unfold(request: &Request<'_>, terms: &mut Terms, inputs: &mut Inputs) -> Result<Unfolded, TooLarge> {
    // Calls are run inside of each other, and terms are deep.
    c_syntax::with_deep_stack(|| run::Engine::new(request, terms, inputs).run())
}
