//! `wolverine trace`: the state before every source statement.

use std::collections::BTreeSet;
use std::io::Write;

use clap::ValueEnum;
use execute::{Output, Stop, Until};
use ir::Program;
use memory::{State, changes, state_to_json};
use serde_json::json;

use super::{Answer, Failure, Outcome, Target, engine, report};

#[derive(clap::Args)]
pub(super) struct TraceArguments {
    #[command(flatten)]
    target: Target,
    /// Only statements of this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Text shows what changed; json has every state in full, one line each
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(arguments: &TraceArguments) -> Outcome {
    let program = report::load(&arguments.target.file)?;
    let function = match &arguments.function {
        None => None,
        Some(name) => {
            Some(program.function_named(name).ok_or_else(|| Failure(super::ir::no_function(&program, name)))?)
        }
    };
    let mut executor = engine::start(&arguments.target, &program, Output::Capture)?;
    let mut printer =
        Printer { program: &program, format: arguments.format, before: State::default(), shown: 0, count: 0 };
    let mut stop = executor.position().clone();
    while let Stop::Step(step) = stop {
        printer.count += 1;
        if printer.count > arguments.target.max_steps {
            stop = Stop::Interrupted;
            break;
        }
        if function.is_none_or(|function| program.step(step).function == function) {
            printer.output(&executor.output()?)?;
            printer.state(step, executor.state()?)?;
        }
        stop = executor.resume(&Until::Into, &BTreeSet::new())?;
    }
    printer.output(&executor.output()?)?;
    let last = match stop {
        Stop::Fault(_) => executor.state().ok(),
        _ => None,
    };
    printer.end(&stop, last, &engine::limit(&arguments.target))?;
    Ok(match stop {
        Stop::Exited(_) => Answer::Yes,
        Stop::Fault(_) => Answer::No,
        _ => Answer::Limit,
    })
}

struct Printer<'a> {
    program: &'a Program,
    format: Format,
    before: State,
    /// How much of the program's output was printed.
    shown: usize,
    count: u64,
}

impl Printer<'_> {
    fn state(&mut self, step: ir::StepId, state: State) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Json => {
                let at = self.program.step(step);
                let function = &self.program.function(at.function).name;
                let line = json!({
                    "schema": 1, "step": self.count, "line": at.line, "function": &**function,
                    "statement": self.program.source.text(at.span), "state": state_to_json(&state),
                });
                writeln!(out, "{line}")?;
            }
            Format::Text => {
                for change in changes(&self.before, &state) {
                    writeln!(out, "        {change}")?;
                }
                let function = &self.program.function(self.program.step(step).function).name;
                writeln!(out, "{:<60} ({function})", report::step(self.program, step))?;
            }
        }
        self.before = state;
        Ok(())
    }

    /// What the program wrote since the last time.
    fn output(&mut self, output: &[u8]) -> std::io::Result<()> {
        let new = &output[self.shown.min(output.len())..];
        self.shown = output.len();
        if new.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(new);
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Json => writeln!(out, "{}", json!({ "schema": 1, "output": text })),
            Format::Text => text.lines().try_for_each(|line| writeln!(out, "      > {line}")),
        }
    }

    fn end(&mut self, stop: &Stop, last: Option<State>, limit: &str) -> std::io::Result<()> {
        let message = match stop {
            Stop::Exited(status) => format!("the program ended with status {status}"),
            Stop::Fault(fault) => report::fault(self.program, fault),
            _ => limit.to_string(),
        };
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Json => {
                let mut end = json!({ "schema": 1, "end": message });
                if let Stop::Exited(status) = stop {
                    end["status"] = (*status).into();
                }
                if let Some(state) = last {
                    end["state"] = state_to_json(&state);
                }
                writeln!(out, "{end}")
            }
            Format::Text => {
                for change in last.iter().flat_map(|state| changes(&self.before, state)) {
                    writeln!(out, "        {change}")?;
                }
                writeln!(out, "{message}")
            }
        }
    }
}
