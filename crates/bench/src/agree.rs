//! Do the interpreter, gdb and the native program agree?
//!
//! Every program is run by the interpreter and under gdb in lockstep: before
//! each source statement both must stand at the same statement with the same
//! state. At the end, exit status and output must equal the native program's.
//! Where the interpreter stops a program because it does what C does not allow
//! (reading a freed node, say), the real program may go on, and only what came
//! before is compared.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use execute::gdb::GdbExecutor;
use execute::interpreter::{Interpreter, is_address};
use execute::{ExecuteError, Executor, FaultKind, Input, RunOptions, Stop, Until};
use indicatif::{ProgressBar, ProgressStyle};
use ir::Program;
use memory::agreement;
use serde_json::json;

use crate::BenchError;
use crate::native::{Finished, Native};
use crate::programs::{Case, find};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders or files.
    pub paths: Vec<PathBuf>,
    /// Only paths that contain this.
    pub filter: Option<String>,
    /// Inputs of each program, at most.
    pub inputs: usize,
    /// States of each run, at most.
    pub states: u64,
    /// Runs at the same time.
    pub jobs: usize,
    /// A folder for `agree.jsonl`.
    pub output: Option<PathBuf>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs compared.
    pub programs: usize,
    /// States compared.
    pub states: u64,
    /// Differences found.
    pub differences: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { programs, states, differences } = self;
        write!(f, "{programs} programs, {states} states compared, {differences} differences")
    }
}

/// What came of one program.
#[derive(Clone, Debug, Default)]
struct Verdict {
    states: u64,
    /// Why a run was not compared to its end, in words.
    notes: Vec<String>,
    differences: Vec<String>,
}

/// Compares all programs; differences are printed as they are found.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let cases = find(&options.paths, options.filter.as_deref())?;
    let bar = progress(cases.len() as u64);
    let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(vec![Verdict::default(); cases.len()]));
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let index = cases.iter().position(|other| std::ptr::eq(other, case)).expect("it is one of them");
                    let verdict = compare(case, options);
                    bar.suspend(|| show(case, &verdict));
                    verdicts.lock().expect("nobody panics with the lock")[index] = verdict;
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let verdicts = verdicts.into_inner().expect("nobody panics with the lock");
    save(options, &cases, &verdicts)?;
    summarise_notes(&verdicts);
    Ok(Summary {
        programs: cases.len(),
        states: verdicts.iter().map(|v| v.states).sum(),
        differences: verdicts.iter().map(|v| v.differences.len()).sum(),
    })
}

fn progress(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} programs, {per_sec}, {eta} left");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(case: &Case, verdict: &Verdict) {
    for difference in &verdict.differences {
        println!("{}: {difference}", case.path.display());
    }
}

/// How many runs were cut short, by reason.
fn summarise_notes(verdicts: &[Verdict]) {
    let mut counts = std::collections::BTreeMap::new();
    for note in verdicts.iter().flat_map(|v| &v.notes) {
        *counts.entry(note.split(':').next().unwrap_or_default()).or_insert(0) += 1;
    }
    for (note, count) in counts {
        println!("{count} runs: {note}");
    }
}

fn save(options: &Options, cases: &[Case], verdicts: &[Verdict]) -> Result<(), BenchError> {
    let Some(folder) = &options.output else { return Ok(()) };
    let path = folder.join("agree.jsonl");
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = std::fs::File::create(&path).map_err(failed)?;
    for (case, verdict) in cases.iter().zip(verdicts) {
        let row = json!({
            "schema": 1, "program": case.path.display().to_string(), "states": verdict.states,
            "notes": verdict.notes, "differences": verdict.differences,
        });
        writeln!(file, "{row}").map_err(failed)?;
    }
    Ok(())
}

fn compare(case: &Case, options: &Options) -> Verdict {
    let mut verdict = Verdict::default();
    let program = match ir::load(&case.path) {
        Ok(program) => Arc::new(program),
        Err(error) => {
            verdict.notes.push(format!("not read by the front end: {error}"));
            return verdict;
        }
    };
    let native = match Native::compile(&case.path) {
        Ok(Some(native)) => native,
        Ok(None) => {
            verdict.notes.push("not compiled by gcc".into());
            return verdict;
        }
        Err(error) => {
            verdict.notes.push(format!("not compiled by gcc: {error}"));
            return verdict;
        }
    };
    for arguments in case.inputs.iter().take(options.inputs) {
        let mut run = Run { case, program: &program, arguments, limit: options.states, verdict: &mut verdict };
        let mut result = run.compare(&native);
        // That gdb died says nothing about the program; a second death is told as a difference.
        if let Err(BenchError::Execute(ExecuteError::Died(_))) = result {
            run.note("gdb died and was started again");
            result = run.compare(&native);
        }
        if let Err(error) = result {
            verdict.differences.push(format!("[{}] {error}", arguments.join(" ")));
        }
    }
    verdict
}

/// One run of one program.
struct Run<'a> {
    case: &'a Case,
    program: &'a Arc<Program>,
    arguments: &'a [String],
    limit: u64,
    verdict: &'a mut Verdict,
}

/// Statements that a run makes at most: an endless program must end.
const MOST_STEPS: u64 = 20_000_000;

impl Run<'_> {
    fn compare(&mut self, native: &Native) -> Result<(), BenchError> {
        let options = RunOptions {
            arguments: self.arguments.to_vec(),
            input: Input::Bytes(self.case.stdin.clone()),
            max_steps: MOST_STEPS,
            max_seconds: 20.0,
            ..RunOptions::default()
        };
        let native = native.run(self.arguments, &self.case.stdin, Duration::from_secs(5))?;
        let mut interpreter = Interpreter::start(self.program.clone(), &options)?;
        let mut gdb = GdbExecutor::start(self.program.clone(), &options)?;
        let together = self.lockstep(&mut interpreter, &mut gdb)?;
        // An endless program would only be run to its limit once more.
        if native.late {
            self.note("endless natively, compared up to the limit");
            return Ok(());
        }
        run_to_end(&mut interpreter)?;
        if together {
            run_to_end(&mut gdb)?;
            let stopped = matches!(interpreter.position(), Stop::Fault(_));
            self.compare_ends(&interpreter.position().clone(), &gdb.position().clone());
            // What a program does after its mistake depends on where its memory happens to be.
            if !stopped {
                self.compare_native("gdb", &mut gdb, &native)?;
            }
        }
        self.compare_native("interpreter", &mut interpreter, &native)
    }

    /// Notes why a run was cut short, once per run.
    fn note(&mut self, note: &str) {
        let note = format!("{note}: [{}]", self.arguments.join(" "));
        if !self.verdict.notes.contains(&note) {
            self.verdict.notes.push(note);
        }
    }

    fn differ(&mut self, what: String) {
        self.verdict.differences.push(format!("[{}] {what}", self.arguments.join(" ")));
    }

    /// Steps both as far as states are compared; whether they are still together.
    fn lockstep(&mut self, interpreter: &mut Interpreter, gdb: &mut GdbExecutor) -> Result<bool, BenchError> {
        let silent = gdb.steps_without_code();
        let mut compared = 0;
        while compared < self.limit {
            // The compiler made no code for this statement: only the interpreter stops there.
            while matches!(interpreter.position(), Stop::Step(step) if silent.contains(step)) {
                interpreter.resume(&Until::Into, &BTreeSet::new())?;
            }
            let (Stop::Step(a), Stop::Step(b)) = (interpreter.position().clone(), gdb.position().clone()) else {
                break;
            };
            if a != b {
                let (a, b) = (self.describe(a), self.describe(b));
                self.differ(format!("after {compared} states the interpreter is before {a}, gdb before {b}"));
                return Ok(false);
            }
            let (exact, other) = (interpreter.state()?, gdb.state()?);
            let address = |n: i128| u64::try_from(n).is_ok_and(is_address);
            let changes = agreement(&exact, &other, address);
            compared += 1;
            self.verdict.states += 1;
            if let Some(first) = changes.first() {
                let at = self.describe(a);
                self.differ(format!(
                    "state {compared} before {at}: {first} (interpreter -> gdb), {} in all",
                    changes.len()
                ));
                return Ok(false);
            }
            interpreter.resume(&Until::Into, &BTreeSet::new())?;
            gdb.resume(&Until::Into, &BTreeSet::new())?;
        }
        if let (Stop::Fault(_), Stop::Step(step)) = (gdb.position(), interpreter.position()) {
            let (fault, at) = (format!("{:?}", gdb.position()), self.describe(*step));
            self.differ(format!("gdb has {fault}, the interpreter is before {at}"));
        }
        Ok(true)
    }

    fn describe(&self, step: ir::StepId) -> String {
        let step = self.program.step(step);
        format!("line {} `{}`", step.line, self.program.source.text(step.span))
    }

    fn compare_ends(&mut self, interpreter: &Stop, gdb: &Stop) {
        match (interpreter, gdb) {
            (Stop::Exited(a), Stop::Exited(b)) if a == b || self.status_is_chance() => {}
            (Stop::Interrupted, _) | (_, Stop::Interrupted) => self.note("not run to its end: it takes too long"),
            (Stop::Fault(fault), _) if self.stops_early(fault.kind) => {}
            (Stop::Fault(a), Stop::Fault(b)) if a.kind == b.kind || a.kind == FaultKind::StackOverflow => {}
            // A null pointer that is followed with an offset is a plain SIGSEGV.
            (Stop::Fault(a), Stop::Fault(b)) if a.kind == FaultKind::Null && b.kind == FaultKind::Signal => {}
            (a, b) => self.differ(format!("the interpreter ends with {a:?}, gdb with {b:?}")),
        }
    }

    /// Whether the interpreter alone notices this mistake; the real program may go on for a while.
    fn stops_early(&mut self, kind: FaultKind) -> bool {
        let note = match kind {
            FaultKind::Dangling => "stopped by the interpreter for using what is gone",
            FaultKind::OutOfBounds => "stopped by the interpreter for an access out of bounds",
            FaultKind::Uninitialised => "stopped by the interpreter for using a value that was never written",
            FaultKind::UnknownFunction => "stopped by the interpreter at a library function that it does not have",
            FaultKind::Unsupported => "stopped by the interpreter at something that it cannot run",
            _ => return false,
        };
        self.note(note);
        true
    }

    /// A `void main` leaves whatever is in a register as its status.
    fn status_is_chance(&self) -> bool {
        let main = self.program.function_named("main").map(|id| self.program.function(id));
        main.is_some_and(|main| self.program.types.size_of(main.result) == 0)
    }

    fn compare_native(&mut self, who: &str, executor: &mut dyn Executor, native: &Finished) -> Result<(), BenchError> {
        let output = executor.output()?;
        match (executor.position().clone(), native.status) {
            (Stop::Exited(status), Some(expected)) => {
                if status != expected && !self.status_is_chance() {
                    self.differ(format!("{who} ends with status {status}, the native program with {expected}"));
                }
                if output != native.output {
                    self.differ(output_difference(who, &output, &native.output));
                }
            }
            (Stop::Exited(status), None) => {
                self.differ(format!("{who} ends with status {status}, the native program by a signal"))
            }
            (Stop::Fault(fault), None) if !native.output.starts_with(&output) => {
                let what = output_difference(who, &output, &native.output);
                self.differ(format!("up to {:?}: {what}", fault.kind));
            }
            (Stop::Fault(fault), Some(status)) if who == "gdb" || !self.stops_early(fault.kind) => {
                self.differ(format!("{who} ends with {}, the native program with status {status}", fault.message));
            }
            _ => {}
        }
        Ok(())
    }
}

fn run_to_end(executor: &mut dyn Executor) -> Result<(), BenchError> {
    while matches!(executor.position(), Stop::Step(_)) {
        match executor.resume(&Until::End, &BTreeSet::new()) {
            Ok(_) => {}
            Err(ExecuteError::Over) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The first place where two outputs differ.
fn output_difference(who: &str, output: &[u8], native: &[u8]) -> String {
    let at = output.iter().zip(native).position(|(a, b)| a != b).unwrap_or(output.len().min(native.len()));
    let around = |bytes: &[u8]| {
        let shown = &bytes[at.saturating_sub(20).min(bytes.len())..(at + 20).min(bytes.len())];
        shown.escape_ascii().to_string()
    };
    format!("output differs at byte {at}: {who} …{}… native …{}…", around(output), around(native))
}
