//! `wolverine debug`: the debug session in a terminal, from a script or a pipe.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use execute::gdb::Compiler;
use session::{EngineKind, Options, Session};

use super::{Answer, Engine, Failure, Outcome, engine, report};
use crate::doors::repl::{self, Commands, Ending};

#[derive(clap::Args)]
pub(super) struct DebugArguments {
    /// The C file
    file: PathBuf,
    /// What runs it: the real binary under gdb where gdb is installed, else the embedded interpreter
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// A file of commands to run instead of asking for them; `-` is standard input
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// A file that the program reads as its standard input; without it, the command `input` gives it lines
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

pub(super) fn run(arguments: &DebugArguments) -> Outcome {
    let from = commands(arguments.script.as_deref())?;
    engine::check_readable(arguments.input.as_deref())?;
    let program = report::load(&arguments.file)?;
    let options = Options {
        arguments: arguments.arguments.clone(),
        input: arguments.input.clone(),
        ..Options::new(choose(arguments.engine))
    };
    match repl::run(Session::new(program, options), from) {
        Ending::Done => Ok(Answer::Yes),
        Ending::Failed(sentence) => {
            eprintln!("{sentence}");
            Ok(Answer::No)
        }
        // As a shell tells of a process that a signal has ended.
        Ending::Signal(number) => std::process::exit(128 + number),
    }
}

/// Where the commands come from.
fn commands(script: Option<&Path>) -> Result<Commands, Failure> {
    match script {
        Some(path) if path.as_os_str() == "-" => Ok(Commands::Pipe { is_script: true }),
        Some(path) => match std::fs::read(path) {
            Ok(bytes) => Ok(Commands::Script { name: path.display().to_string(), bytes }),
            Err(error) => Err(Failure(format!("cannot read {}: {error}", path.display()))),
        },
        None if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => Ok(Commands::Terminal),
        None => Ok(Commands::Pipe { is_script: false }),
    }
}

/// The engine that was asked for, or the best one that there is.
pub(super) fn choose(asked: Option<Engine>) -> EngineKind {
    match asked {
        Some(engine) => engine.kind(),
        None => match missing_tool() {
            None => EngineKind::Gdb,
            Some(what) => {
                eprintln!("note: {what}, so the interpreter runs the program; `apt install gdb gcc` gets both");
                EngineKind::Interpreter
            }
        },
    }
}

/// What the gdb engine lacks.
fn missing_tool() -> Option<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::split_paths(&path).any(|folder| folder.join("gdb").is_file()) {
        false => Some("gdb is not installed"),
        true => {
            Compiler::find().is_err().then_some("no C compiler is installed that gdb's programs could be built with")
        }
    }
}
