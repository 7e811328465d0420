//! The command line: one file per command.
//!
//! Exit codes: 0 done, 1 the answer is no (the program crashed, a difference
//! was found, there is no repair), 2 usage or unreadable input, 3 a limit was
//! reached.

mod bench;
mod bounded;
mod check;
mod debug;
mod diagnosis;
mod engine;
mod evidence;
mod inject;
mod ir;
mod localize;
mod must;
mod picture;
mod repair;
pub(in crate::doors) mod report;
mod run;
mod script;
mod serve;
mod trace;
pub(in crate::doors) mod waiting;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// Debugs, localizes and repairs C programs.
#[derive(Parser)]
#[command(version, about, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  wolverine debug list.c                 walk through a program, with pictures of its memory
  wolverine serve list.c                 the same in the browser
  wolverine run list.c -- 3 1 4          run a program and find wrong memory accesses
  wolverine trace list.c --function push show every state while push runs
  wolverine picture list.c --at 24#3     draw the memory at the third visit of line 24
  wolverine ir list.c                    show the guarded statements of a program
  wolverine localize list.c --script s   rank where the fault can be, after the session s
  wolverine repair list.c --script s     find a repair that meets what the session s asserts
  wolverine check sum.c --entry sum --reference right.c    compare two functions for all inputs
  wolverine repair sum.c --entry sum --reference right.c   all smallest mutations that make them equal
  wolverine check max.c --function max                     check a function against its contract (/*@ … */)
  wolverine repair max.c --function max --method auto      repair it so that it meets its contract
  wolverine repair list.c --script s --format diff | git apply

Exit codes: 0 done, 1 the answer is no (it crashed, it differs, there is no repair),
2 usage or unreadable input, 3 a limit was reached.";

#[derive(Subcommand)]
enum Command {
    /// Walks through a program statement by statement, forward and back
    Debug(debug::DebugArguments),
    /// The same in the browser: look at the memory, and pull its arrows to where they should point
    Serve(serve::ServeArguments),
    /// Shows the page with a small buggy program and a guided tour
    Demo(serve::DemoArguments),
    /// Checks a program for all inputs up to a bound, by its assertions or against a reference
    Check(check::CheckArguments),
    /// Ranks the places where the fault can be, after a debug session or for assertions and references
    Localize(localize::LocalizeArguments),
    /// Finds the smallest repairs that meet what a debug session asserts, or assertions or a reference
    Repair(repair::RepairArguments),
    /// Runs a program and reports crashes, wrong accesses and leaks
    Run(run::RunArguments),
    /// Shows the state before every statement
    Trace(trace::TraceArguments),
    /// Prints a program as guarded statements
    Ir(ir::IrArguments),
    /// Draws the memory at a line
    Picture(picture::PictureArguments),
    /// Makes faulty versions of a right program, for experiments
    Inject(inject::InjectArguments),
    /// Runs an experiment
    #[command(subcommand)]
    Bench(bench::BenchCommand),
}

/// What every command that runs a program takes.
#[derive(clap::Args, Clone)]
struct Target {
    /// The C file
    file: PathBuf,
    /// What runs it: the embedded interpreter, or the real binary under gdb
    #[arg(long, value_enum, default_value = "interpreter")]
    engine: Engine,
    /// A file that the program reads as its standard input
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Statements to run at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    max_steps: u64,
    /// Memory to use at most, in MiB (interpreter)
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    max_memory: u64,
    /// Seconds to run at most
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Needs nothing installed and notices every wrong access
    Interpreter,
    /// The real binary under gdb
    Gdb,
}

impl Engine {
    /// The same for a session.
    fn kind(self) -> session::EngineKind {
        match self {
            Engine::Gdb => session::EngineKind::Gdb,
            Engine::Interpreter => session::EngineKind::Interpreter,
        }
    }
}

/// How a command ended.
enum Answer {
    Yes,
    No,
    Limit,
}

/// Why a command could not be carried out: a sentence for people.
struct Failure(String);

/// Errors of other crates are sentences already.
macro_rules! failures {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure(error.to_string())
            }
        })*
    };
}

failures!(execute::ExecuteError, ::bench::BenchError, ::picture::PngError);

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        // Whoever reads our output has seen enough, as in `wolverine trace … | head`.
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        Failure(error.to_string())
    }
}

type Outcome = Result<Answer, Failure>;

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    reset_broken_pipe();
    let command = Arguments::parse().command;
    // Programs that nest deeply need room at every stage.
    let outcome = c_syntax::with_deep_stack(|| match &command {
        Command::Debug(arguments) => debug::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Demo(arguments) => serve::demo(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Localize(arguments) => localize::run(arguments),
        Command::Repair(arguments) => repair::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Trace(arguments) => trace::run(arguments),
        Command::Ir(arguments) => ir::run(arguments),
        Command::Picture(arguments) => picture::run(arguments),
        Command::Inject(arguments) => inject::run(arguments),
        Command::Bench(command) => bench::run(command),
    });
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Limit) => ExitCode::from(3),
        Err(Failure(message)) => {
            eprintln!("wolverine: {message}");
            ExitCode::from(2)
        }
    }
}

/// `wolverine trace … | head` ends quietly when `head` has seen enough.
fn reset_broken_pipe() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let message = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
        if message.contains("Broken pipe") {
            std::process::exit(0);
        }
        eprintln!("wolverine: this is a bug in Wolverine, please report it: {info}");
    }));
}

/// How many of something are wanted, if not none.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("it must be a number from 1 on".into()),
        Ok(count) => Ok(count),
    }
}
