//! Runs another statement in the place of one of the program's.

use std::sync::Arc;

use c_syntax::Source;
use ir::{Program, StepId};

use super::code::{Image, Op, UNWRITTEN};
use super::machine::{Halt, Machine, Rule};
use crate::ExecuteError;

/// The program with `text` as the statement `step`. Its steps have the same
/// numbers, as one statement takes the place of one.
pub fn patched_program(program: &Program, step: StepId, text: &str) -> Result<Program, ExecuteError> {
    let span = program.step(step).span;
    let text = text.trim().trim_end_matches(';');
    let mut bytes = program.source.bytes.clone();
    bytes.splice(span.start as usize..span.end as usize, text.bytes());
    let source = Arc::new(Source::new(program.source.path.clone(), bytes));
    let patched = ir::load_text(source).map_err(|error| match error {
        c_syntax::ParseError::Rejected(diagnostics) => {
            let first = diagnostics.iter().find(|d| d.severity == c_syntax::Severity::Error);
            ExecuteError::WrongValue(format!("`{text}` is not a statement here: {}", first.map_or("", |d| &d.message)))
        }
        other => ExecuteError::WrongValue(other.to_string()),
    })?;
    match patched.steps.len() == program.steps.len() {
        true => Ok(patched),
        false => Err(ExecuteError::WrongValue(format!("`{text}` is more than one statement, or none"))),
    }
}

/// Runs the statement `step` of `image` in the innermost frame, then goes on
/// in the program's own code, before the next statement.
pub fn run_statement(machine: &mut Machine, image: Image, step: StepId) -> Halt {
    let Some((function, start)) = image.step_starts[step.index()] else { return Halt::Interrupted };
    let registers = image.functions[function as usize].registers as usize;
    let depth = machine.frames.len();
    let own = machine.images.len();
    machine.images.push(Arc::new(image));
    let Some(frame) = machine.frames.last_mut() else { return Halt::Exited(0) };
    let original = frame.image;
    (frame.image, frame.pc) = (own, start);
    let base = frame.base as usize;
    // The patched function may need more registers for temporaries.
    let size = machine.registers.len();
    machine.registers.resize(size.max(base + registers), UNWRITTEN);
    let halt = machine.run(&Rule { depth, breakpoints: Vec::new() });
    return_to_original(machine, own, original);
    halt
}

/// Frames that are still in the patched copy go on at the same statement of the original.
fn return_to_original(machine: &mut Machine, patched: usize, original: usize) {
    let image = machine.images[original].clone();
    for frame in machine.frames.iter_mut().filter(|frame| frame.image == patched) {
        frame.image = original;
        if let Some(Some((_, start))) = frame.step.map(|step| image.step_starts[step as usize]) {
            debug_assert!(matches!(image.functions[frame.function as usize].ops[start as usize - 1], Op::Step(_)));
            frame.pc = start;
        }
    }
}
