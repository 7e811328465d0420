//! Starts the executor that the user asked for.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{Executor, Input, Interrupter, Output, RunOptions};
use ir::Program;

use super::{Engine, Failure, Target};

/// Options of a run from the command line.
pub(super) fn options(target: &Target, output: Output) -> RunOptions {
    RunOptions {
        arguments: target.arguments.clone(),
        input: target.stdin.clone().map_or(Input::Inherit, Input::File),
        output,
        max_steps: target.max_steps,
        max_memory: target.max_memory << 20,
        max_seconds: target.timeout.unwrap_or(1e9),
        ..RunOptions::default()
    }
}

/// An executor, stopped before the first statement of `main`.
pub(super) fn start(target: &Target, program: &Arc<Program>, output: Output) -> Result<Box<dyn Executor>, Failure> {
    let options = options(target, output);
    check_readable(target.stdin.as_deref())?;
    Ok(match target.engine {
        Engine::Interpreter => {
            let interpreter = Interpreter::start(program.clone(), &options)?;
            if let Some(seconds) = target.timeout {
                interrupt_after(interpreter.interrupter(), seconds);
            }
            Box::new(interpreter)
        }
        Engine::Gdb => Box::new(GdbExecutor::start(program.clone(), &options)?),
    })
}

/// Whether the file for the program's standard input can be read.
pub(super) fn check_readable(file: Option<&Path>) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    match std::fs::File::open(file) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure(format!("cannot read {}: {error}", file.display()))),
    }
}

/// How a run that reached a limit is told.
pub(super) fn limit(target: &Target) -> String {
    match target.timeout {
        None => format!("stopped after {} statements, as many as --max-steps allows", target.max_steps),
        Some(seconds) => {
            let steps = target.max_steps;
            format!("stopped after {seconds} seconds or {steps} statements, as --timeout and --max-steps say")
        }
    }
}

/// Stops an interpreted program after some seconds.
pub(super) fn interrupt_after(interrupter: Interrupter, seconds: f64) {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        interrupter.interrupt();
    });
}
