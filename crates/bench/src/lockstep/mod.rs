//! Do sessions behave the same on both engines?
//!
//! Random commands go to two sessions with the same program, one under gdb and
//! one on the interpreter. After each command both must have said the same and
//! stand at the same place with the same memory; `undo` and `back` must lead
//! to exactly the memory that was there before. A sequence that fails is made
//! as short as possible and printed as a script.

mod generate;
mod pair;
mod shrink;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};

use crate::BenchError;
use crate::programs::{Case, find};
use generate::Generator;
use pair::{Pair, Verdict};
use shrink::shrink;

/// What to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders or files.
    pub paths: Vec<PathBuf>,
    /// Only paths that contain this.
    pub filter: Option<String>,
    /// Commands in all.
    pub commands: u64,
    /// Commands of each session at most.
    pub length: u64,
    /// Decides everything that is random.
    pub seed: u64,
    /// Sessions at the same time.
    pub jobs: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Commands that were compared.
    pub commands: u64,
    /// Pairs of sessions.
    pub sessions: u64,
    /// Sessions that ended early, as the program did what C does not allow.
    pub cut: u64,
    /// `back` and `undo` that were compared with the memory before.
    pub returns: u64,
    /// Sessions that differed.
    pub differences: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { commands, sessions, cut, returns, differences } = self;
        write!(
            f,
            "{commands} commands in {sessions} sessions, {returns} returns compared, {cut} sessions cut short, \
             {differences} differences"
        )
    }
}

/// Runs random sessions; those that differ are printed.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let cases = find(&options.paths, options.filter.as_deref())?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} commands, {per_sec}, {eta} left");
    let bar = ProgressBar::new(options.commands).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let (next, summary) = (AtomicU64::new(0), Mutex::new(Summary::default()));
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while summary.lock().expect("nobody panics with the lock").commands < options.commands {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let part = c_syntax::with_deep_stack(|| session(options, &cases, number, &bar));
                    summary.lock().expect("nobody panics with the lock").add(&part);
                    bar.inc(part.commands);
                }
            });
        }
    });
    bar.finish_and_clear();
    Ok(summary.into_inner().expect("nobody panics with the lock"))
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.commands += other.commands;
        self.sessions += other.sessions;
        self.cut += other.cut;
        self.returns += other.returns;
        self.differences += other.differences;
    }
}

/// One pair of sessions.
fn session(options: &Options, cases: &[Case], number: u64, bar: &ProgressBar) -> Summary {
    let mut random = fastrand::Rng::with_seed(options.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number));
    let case = &cases[random.usize(..cases.len())];
    let mut summary = Summary { sessions: 1, ..Summary::default() };
    let Ok(program) = ir::load(&case.path).map(Arc::new) else { return summary };
    let mut pair = Pair::new(&program, case, random.choice(&case.inputs).cloned().unwrap_or_default());
    let mut generator = Generator::new(random, &program);
    let mut commands = Vec::new();
    for _ in 0..options.length {
        let command = generator.command(pair.state(), pair.is_started());
        commands.push(command.clone());
        let verdict = pair.run(&command);
        summary.commands += 1;
        match verdict {
            Verdict::Same => {}
            Verdict::Cut => {
                summary.cut += 1;
                break;
            }
            Verdict::Different(what) => {
                summary.differences += 1;
                bar.suspend(|| report(case, &pair, commands, &what));
                break;
            }
        }
    }
    summary.returns = pair.returns;
    summary
}

/// Makes a failing sequence short and prints it.
fn report(case: &Case, pair: &Pair, commands: Vec<String>, first: &str) {
    let fails = |commands: &[String]| {
        let mut fresh = pair.again();
        commands.iter().find_map(|command| match fresh.run(command) {
            Verdict::Same => None,
            Verdict::Cut => Some(None),
            Verdict::Different(what) => Some(Some(what)),
        })
    };
    let (short, what) = shrink(commands, |commands| fails(commands).flatten());
    println!("# {} {}", case.path.display(), pair.arguments.join(" "));
    for line in what.unwrap_or_else(|| format!("{first}\nit does not fail every time")).lines() {
        println!("# {line}");
    }
    println!("{}\n", short.join("\n"));
}
