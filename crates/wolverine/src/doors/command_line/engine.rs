//! Starts the executor that the user asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{Executor, Input, Output, RunOptions};
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
    if let Some(file) = &target.stdin
        && let Err(error) = std::fs::File::open(file)
    {
        return Err(Failure(format!("cannot read {}: {error}", file.display())));
    }
    Ok(match target.engine {
        Engine::Interpreter => {
            let interpreter = Interpreter::start(program.clone(), &options)?;
            if let Some(seconds) = target.timeout {
                interrupt_after(interpreter.interrupt(), seconds);
            }
            Box::new(interpreter)
        }
        Engine::Gdb => Box::new(GdbExecutor::start(program.clone(), &options)?),
    })
}

/// Stops an interpreted program after some seconds.
pub(super) fn interrupt_after(interrupt: Arc<AtomicBool>, seconds: f64) {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        interrupt.store(true, Ordering::Relaxed);
    });
}
