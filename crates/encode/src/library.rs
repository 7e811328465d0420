//! What the model knows of library functions.
//!
//! `printf` changes no memory that a program looks at, `free` ends a node;
//! what is not listed here is run for real and its effect is recorded.

use ir::{ActionKind, Callee, FunctionRef, Program, StepId};

use crate::code::{FlatCode, Instruction};
use crate::machine::Model;

/// What a library function does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// `malloc`, and `calloc` which clears.
    Allocate {
        /// Whether it is `calloc`.
        cleared: bool,
    },
    /// `free`.
    Free,
    /// Writes somewhere outside of memory.
    Print,
    /// `abs`, `labs`.
    Absolute,
    /// Ends the program.
    End,
    /// Ends the program because something is wrong.
    Fail,
    /// Anything else.
    Other,
}

/// What the function `name` does.
pub fn library(name: &str) -> Library {
    match name {
        "malloc" => Library::Allocate { cleared: false },
        "calloc" => Library::Allocate { cleared: true },
        "free" => Library::Free,
        "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "fputc" | "putc" | "fflush" | "perror" => Library::Print,
        "abs" | "labs" | "llabs" => Library::Absolute,
        "exit" | "_exit" | "quick_exit" => Library::End,
        "abort" | "__assert_fail" => Library::Fail,
        _ => Library::Other,
    }
}

/// Whether the effect of a statement is taken from the run: it is not modelled,
/// or it calls functions and the user trusts it. What is trusted and modelled
/// is run as it is.
pub fn is_concrete(model: &Model, step: StepId, trusted: &dyn Fn(StepId) -> bool) -> bool {
    let calls = model.code.steps[step.index()].calls;
    !is_modelled(&model.program, &model.code, step) || calls && (trusted(step) || calls_hidden(model, step))
}

/// Whether a function is called whose static locals are not seen from here.
fn calls_hidden(model: &Model, step: StepId) -> bool {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    code.iter().any(|instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Call { callee: Callee::Direct(FunctionRef::Own(id)), .. } => model.hidden[id.index()],
            _ => false,
        },
        _ => false,
    })
}

/// Whether a statement does only what the model follows; what it calls in the
/// program is not looked at.
pub fn is_modelled(program: &Program, code: &FlatCode, step: StepId) -> bool {
    let place = &code.steps[step.index()];
    let instructions = &code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    instructions.iter().all(|instruction| match instruction {
        Instruction::Unmodelled => false,
        Instruction::Act(action) => match &action.kind {
            ActionKind::Concrete { .. } => false,
            ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), .. } => match library(name) {
                Library::Other => false,
                Library::Allocate { .. } => program.step(step).allocates.is_some(),
                _ => true,
            },
            _ => true,
        },
        _ => true,
    })
}
