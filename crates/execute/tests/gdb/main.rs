//! The gdb executor on real programs, with every compiler that is installed.

mod agreement;
mod changes;
mod checkpoints;
mod ends;
mod speed;
mod states;
mod steps;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use execute::gdb::{Compiler, GdbExecutor};
use execute::{Executor, RunOptions, Stop, Until};
use ir::{Program, StepId};
use memory::State;

/// Reads a C text as if it were in a file of that name.
fn read_program(name: &str, text: &str) -> Arc<Program> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("a file");
    Arc::new(ir::load(&path).expect("a C program"))
}

/// gcc and clang, those that are there.
fn compilers() -> Vec<Compiler> {
    ["gcc", "clang"].iter().filter_map(|name| Compiler::named(name).ok()).collect()
}

fn start(text: &str) -> GdbExecutor {
    start_with(text, &options())
}

fn start_with(text: &str, options: &RunOptions) -> GdbExecutor {
    GdbExecutor::start(read_program("test.c", text), options).expect("a running program")
}

/// No test waits for ever.
fn options() -> RunOptions {
    RunOptions { max_seconds: 60.0, ..RunOptions::default() }
}

/// A program with what is needed to talk about its steps.
struct Session {
    program: Arc<Program>,
    gdb: GdbExecutor,
}

impl Session {
    fn new(text: &str) -> Session {
        Session::with(text, &options(), &Compiler::find().expect("a compiler"))
    }

    fn with(text: &str, options: &RunOptions, compiler: &Compiler) -> Session {
        let program = read_program("test.c", text);
        let gdb = GdbExecutor::start_with(program.clone(), options, compiler).expect("a running program");
        Session { program, gdb }
    }

    /// The text of the statement it stands before, or how it ended.
    fn place(&self) -> String {
        match self.gdb.position() {
            Stop::Step(step) => self.program.source.text(self.program.step(*step).span),
            Stop::Fault(fault) => format!("{:?}", fault.kind),
            other => format!("{other:?}"),
        }
    }

    fn go(&mut self, until: &Until) -> String {
        self.go_to(until, &BTreeSet::new())
    }

    fn go_to(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> String {
        self.gdb.resume(until, breakpoints).expect("it runs on");
        self.place()
    }

    /// Runs into everything up to the statement with this text.
    fn run_to(&mut self, text: &str) {
        for _ in 0..10_000 {
            if self.place() == text {
                return;
            }
            self.gdb.resume(&Until::Into, &BTreeSet::new()).expect("it runs on");
        }
        panic!("`{text}` is not reached");
    }

    fn state(&mut self) -> State {
        self.gdb.state().expect("a state")
    }

    /// The value of a variable of the innermost call, as text.
    fn value(&mut self, name: &str) -> String {
        let state = self.state();
        let frame = state.frames.last().expect("a call");
        let variable = frame.variables.iter().find(|variable| &*variable.name == name);
        variable.map_or_else(|| "not there".into(), |variable| variable.value.to_string())
    }

    fn output(&mut self) -> String {
        String::from_utf8(self.gdb.output().expect("its output")).expect("text")
    }
}

/// Whether a process exists that is not just waiting to be collected.
fn is_running(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    Path::new(&format!("/proc/{pid}")).exists() && !status.contains("State:\tZ")
}
