//! Runs another statement in the place of one of the program's.
//!
//! The patched text is read and compiled as a whole program, so the statement
//! may be anything that C allows at that place. It then runs in the frame of
//! the original function, whose named variables have the same registers.

use std::sync::Arc;

use c_syntax::{ParseError, Severity, Source};
use ir::{Program, StepId, StepKind};

use super::code::{Image, UNWRITTEN};
use super::machine::{Halt, Machine, Rule};
use crate::ExecuteError;

/// A program with one statement replaced.
pub struct Patch {
    /// The patched program.
    pub program: Program,
    /// The statement of the original that is replaced.
    original: StepId,
    /// The statement of the patched program that takes its place: the same
    /// number, or the next one where it was put after a declaration.
    step: StepId,
}

impl Patch {
    /// The program with `text` as the statement `step`. A declaration stays, so
    /// that its variables exist, and the text takes the place of its initialisers.
    pub fn new(program: &Program, step: StepId, text: &str) -> Result<Patch, ExecuteError> {
        let text = text.trim().trim_end_matches(';').trim();
        let (span, kind) = (program.step(step).span, program.step(step).kind);
        let mut bytes = program.source.bytes.clone();
        let after = kind == StepKind::Declaration;
        match after {
            true => {
                let end = span.end as usize;
                bytes.splice(end..end, format!(" {text};").bytes());
            }
            false => {
                bytes.splice(span.start as usize..span.end as usize, text.bytes());
            }
        }
        let source = Arc::new(Source::new(program.source.path.clone(), bytes));
        let patched = ir::load_text(source).map_err(|error| refusal(text, error))?;
        if patched.steps.len() != program.steps.len() + usize::from(after) {
            return Err(ExecuteError::NotHere(format!("`{text}` is not one statement")));
        }
        check_registers(program, &patched, step, text)?;
        Ok(Patch { program: patched, original: step, step: StepId(step.0 + u32::from(after)) })
    }

    /// Runs the statement in the innermost frame, then goes on in the
    /// program's own code, before the next statement.
    pub fn run(&self, machine: &mut Machine, image: Image) -> Halt {
        let Some((function, start)) = image.step_starts[self.step.index()] else { return Halt::Interrupted };
        let registers = image.functions[function as usize].registers as usize;
        let (depth, number) = (machine.frames.len(), machine.images.len());
        machine.images.push(Arc::new(image));
        let Some(frame) = machine.frames.last_mut() else { return Halt::Exited(0) };
        let original = std::mem::replace(&mut frame.image, number);
        frame.pc = start;
        // The patched function may need more registers for temporaries.
        let needed = frame.base as usize + registers;
        let size = machine.registers.len();
        machine.registers.resize(size.max(needed), UNWRITTEN);
        let halt = machine.run(&Rule { depth, breakpoints: Vec::new() });
        self.return_to_original(machine, number, original);
        match halt {
            Halt::Step(step) => Halt::Step(self.original_step(step)),
            other => other,
        }
    }

    fn original_step(&self, step: u32) -> u32 {
        if step > self.original.0 { step - (self.step.0 - self.original.0) } else { step }
    }

    /// Frames that are still in the patched copy go on at the same statement of the original.
    fn return_to_original(&self, machine: &mut Machine, patched: usize, original: usize) {
        let image = machine.images[original].clone();
        for frame in machine.frames.iter_mut().filter(|frame| frame.image == patched) {
            frame.image = original;
            frame.step = frame.step.map(|step| self.original_step(step));
            if let Some(Some((_, start))) = frame.step.map(|step| image.step_starts[step as usize]) {
                frame.pc = start;
            }
        }
    }
}

/// A register and an address in it must not be mixed up: the same variables must live in memory.
fn check_registers(program: &Program, patched: &Program, step: StepId, text: &str) -> Result<(), ExecuteError> {
    let function = program.function(program.step(step).function);
    let Some(other) = patched.function_named(&function.name).map(|id| patched.function(id)) else {
        return Err(ExecuteError::NotHere(format!("`{text}` is not one statement")));
    };
    let (ours, theirs) = (&function.locals[..function.named], &other.locals[..other.named]);
    let moved = ours.iter().zip(theirs).find(|(a, b)| a.in_memory != b.in_memory);
    match moved {
        None if ours.len() == theirs.len() => Ok(()),
        None => Err(ExecuteError::NotHere(format!("`{text}` declares a variable; only statements can be run here"))),
        Some((local, _)) => {
            let sentence =
                format!("`{text}` takes the address of `{}`, which the program itself never does", local.name);
            Err(ExecuteError::NotHere(sentence))
        }
    }
}

fn refusal(text: &str, error: ParseError) -> ExecuteError {
    let reason = match error {
        ParseError::Rejected(diagnostics) => {
            let first = diagnostics.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error);
            first.map_or("it is not C".into(), |diagnostic| diagnostic.message)
        }
        other => other.to_string(),
    };
    ExecuteError::NotHere(format!("`{text}` cannot be run here: {reason}"))
}
