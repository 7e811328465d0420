//! `wolverine run`: runs a program to its end.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::interpreter::{Interpreter, Leak};
use execute::{Executor, Output, Stop, Until};
use ir::Program;

use super::{Answer, Engine, Outcome, Target, engine, report};

#[derive(clap::Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    target: Target,
}

pub(super) fn run(arguments: &RunArguments) -> Outcome {
    let program = report::load(&arguments.target.file)?;
    if arguments.target.engine == Engine::Interpreter {
        return interpret(&arguments.target, &program);
    }
    let mut executor = engine::start(&arguments.target, &program, Output::Inherit)?;
    let stop = go_to_end(executor.as_mut())?;
    Ok(conclude(&arguments.target, &program, &stop, &[]))
}

fn interpret(target: &Target, program: &Arc<Program>) -> Outcome {
    let options = engine::options(target, Output::Inherit);
    engine::check_readable(target.stdin.as_deref())?;
    let mut interpreter = Interpreter::start(program.clone(), &options)?;
    if let Some(seconds) = target.timeout {
        engine::interrupt_after(interpreter.interrupter(), seconds);
    }
    let stop = go_to_end(&mut interpreter)?;
    Ok(conclude(target, program, &stop, &interpreter.leaks()))
}

fn go_to_end(executor: &mut dyn Executor) -> Result<Stop, super::Failure> {
    match executor.position() {
        Stop::Exited(_) | Stop::Fault(_) => Ok(executor.position().clone()),
        _ => Ok(executor.resume(&Until::End, &BTreeSet::new())?),
    }
}

/// Says how the run ended; a program's own exit status is shown, not passed on.
fn conclude(target: &Target, program: &Program, stop: &Stop, leaks: &[Leak]) -> Answer {
    match stop {
        Stop::Exited(status) => {
            tell_leaks(program, leaks);
            if *status != 0 {
                eprintln!("{}: the program ended with status {status}", program.source.path.display());
            }
            Answer::Yes
        }
        Stop::Fault(fault) => {
            eprintln!("{}", report::fault(program, fault));
            Answer::No
        }
        Stop::Interrupted => {
            eprintln!("{}: {}", program.source.path.display(), engine::limit(target));
            Answer::Limit
        }
        Stop::Step(step) => {
            eprintln!("stopped before {}", report::step(program, *step));
            Answer::Yes
        }
    }
}

/// One line per allocating statement.
fn tell_leaks(program: &Program, leaks: &[Leak]) {
    let mut steps: Vec<Option<ir::StepId>> = leaks.iter().map(|leak| leak.step).collect();
    steps.sort();
    steps.dedup();
    for step in steps {
        let here: Vec<&Leak> = leaks.iter().filter(|leak| leak.step == step).collect();
        let bytes: u64 = here.iter().map(|leak| leak.size).sum();
        let blocks = if here.len() == 1 { "a block".into() } else { format!("{} blocks", here.len()) };
        let message = format!("note: {blocks} allocated here, {bytes} bytes in all, never freed");
        match step {
            Some(step) => eprintln!("{}", program.source.caret(program.step(step).span, &message)),
            None => eprintln!("{}: {message}", program.source.path.display()),
        }
    }
}
