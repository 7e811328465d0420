//! The commands of a debug session, run without a word.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use encode::Model;
use localize::Ranking;
use session::{Command, Interrupt, Options, Session, split_line};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::waiting::Waiting;
use super::{Answer, Engine, Failure, Outcome, engine, report};

/// What every command takes that runs a debug session first.
#[derive(clap::Args)]
pub(super) struct ScriptArguments {
    /// The C file
    pub(super) file: PathBuf,
    /// A file with the commands of a debug session; `-` is standard input
    #[arg(long, value_name = "SESSION")]
    pub(super) script: Option<PathBuf>,
    /// What runs the program: the embedded interpreter, or the real binary under gdb
    #[arg(long, value_enum, default_value = "interpreter")]
    engine: Engine,
    /// A file that the program reads as its standard input; without it, the command `input` gives it lines
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Seconds to work at most, the session included
    #[arg(long, value_name = "S")]
    pub(super) timeout: Option<f64>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

/// A command of a script.
pub(super) struct Line {
    number: usize,
    pub(super) text: String,
    pub(super) command: Command,
}

/// Why there is no answer.
pub(super) enum Trouble {
    /// Usage, unreadable input, or a command that failed.
    Failure(Failure),
    /// Time was up; says where.
    TimeUp(String),
    /// Wolverine was told to end.
    Signal(i32),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Failure(failure)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::Failure(error.into())
    }
}

/// How a command ends that came to this. The session is over by now.
pub(super) fn conclude(came_to: Result<Answer, Trouble>) -> Outcome {
    match came_to {
        Ok(answer) => Ok(answer),
        Err(Trouble::Failure(failure)) => Err(failure),
        Err(Trouble::TimeUp(sentence)) => {
            eprintln!("wolverine: {sentence}");
            Ok(Answer::Limit)
        }
        // As a shell tells of a process that a signal has ended.
        Err(Trouble::Signal(number)) => std::process::exit(128 + number),
    }
}

/// A session, and what stops it.
pub(super) struct Runner {
    pub(super) session: Session,
    /// The script's name.
    name: String,
    seconds: f64,
    stop: Arc<Stop>,
    waiting: Waiting,
}

/// What has stopped a session, or that it is over.
#[derive(Default)]
struct Stop {
    signal: AtomicI32,
    time_up: AtomicBool,
    over: AtomicBool,
}

impl Runner {
    /// A session with a program that is not started yet, and the commands for it.
    pub(super) fn new(arguments: &ScriptArguments) -> Result<(Runner, Vec<Line>), Trouble> {
        let script = arguments.script.as_deref().ok_or_else(no_script)?;
        let lines = read(script)?;
        engine::check_readable(arguments.stdin.as_deref())?;
        let program = report::load(&arguments.file)?;
        let options = Options {
            arguments: arguments.arguments.clone(),
            input: arguments.stdin.clone(),
            ..Options::new(arguments.engine.kind())
        };
        let mut session = Session::new(program, options);
        let waiting = Waiting::on(&mut session);
        let stop = Arc::new(Stop::default());
        watch_signals(session.interrupt(), stop.clone())?;
        if let Some(seconds) = arguments.timeout {
            watch_time(seconds, session.interrupt(), stop.clone());
        }
        let (name, seconds) = (name(script), arguments.timeout.unwrap_or_default());
        Ok((Runner { session, name, seconds, stop, waiting }, lines))
    }

    /// Runs a command to which any answer is fine.
    pub(super) fn ask(&mut self, text: &str) -> Result<session::Outcome, Trouble> {
        let outcome = self.waiting.during(text, || self.session.run(text));
        match self.stop.signal.load(Ordering::SeqCst) {
            0 => Ok(outcome),
            signal => Err(Trouble::Signal(signal)),
        }
    }

    /// Runs a command that must not fail.
    pub(super) fn run(&mut self, line: &Line) -> Result<session::Outcome, Trouble> {
        let outcome = self.ask(&line.text)?;
        if self.is_time_up() {
            let Line { number, text, .. } = line;
            let (name, seconds) = (&self.name, self.seconds);
            return Err(Trouble::TimeUp(format!("{name}:{number}: `{text}`: time is up, after {seconds} seconds")));
        }
        match &outcome.error {
            None => Ok(outcome),
            Some(error) => Err(self.failed(line, error).into()),
        }
    }

    /// The suspicious places on the way to where the script ends.
    pub(super) fn suspicious(&mut self) -> Result<(Model, Ranking), Trouble> {
        let found = self.waiting.during("localize", || self.session.suspicious());
        match self.stop.signal.load(Ordering::SeqCst) {
            0 => found.map_err(|sentence| Failure(sentence).into()),
            signal => Err(Trouble::Signal(signal)),
        }
    }

    /// Whether the time is up that the user gave.
    pub(super) fn is_time_up(&self) -> bool {
        self.stop.time_up.load(Ordering::SeqCst)
    }

    /// Nothing is to be stopped any more: only the answer has to be told.
    pub(super) fn rest(&self) {
        self.stop.over.store(true, Ordering::SeqCst);
    }

    /// The sentence for a command of the script that failed.
    pub(super) fn failed(&self, line: &Line, error: &str) -> Failure {
        Failure(format!("{}:{}: `{}`: {error}", self.name, line.number, line.text))
    }

    /// Says that a command of the script is not run.
    pub(super) fn note(&self, line: &Line, why: &str) {
        eprintln!("note: {}:{}: `{}` {why}", self.name, line.number, line.text);
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.rest();
    }
}

fn no_script() -> Failure {
    Failure(
        "what is right? Give the commands of a debug session with --script, a right program with --reference, or for \
         a program with assertions --method mutation (repair) or --method must (localize)"
            .into(),
    )
}

fn name(script: &Path) -> String {
    if script.as_os_str() == "-" { "standard input".into() } else { script.display().to_string() }
}

/// All commands of a script, up to `quit`.
fn read(script: &Path) -> Result<Vec<Line>, Failure> {
    let bytes = match script.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()).map(String::into_bytes),
        false => std::fs::read(script),
    };
    let bytes = bytes.map_err(|error| Failure(format!("cannot read {}: {error}", name(script))))?;
    let mut lines = Vec::new();
    for (i, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
        if line.trim_start().starts_with('#') {
            continue;
        }
        for text in split_line(line) {
            let number = i + 1;
            let wrong = |sentence| Failure(format!("{}:{number}: `{text}`: {sentence}", name(script)));
            match session::parse(text).map_err(wrong)? {
                Command::Quit => return Ok(lines),
                command => lines.push(Line { number, text: text.into(), command }),
            }
        }
    }
    Ok(lines)
}

/// Ctrl-C and other wishes to end stop the session in an orderly way, so that
/// gdb and the program end with it.
fn watch_signals(interrupt: Interrupt, stop: Arc<Stop>) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            stop.signal.store(signal, Ordering::SeqCst);
            if stop.over.load(Ordering::SeqCst) {
                std::process::exit(128 + signal);
            }
            if does_not_stop(&interrupt, &stop) {
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(())
}

fn watch_time(seconds: f64, interrupt: Interrupt, stop: Arc<Stop>) {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        stop.time_up.store(true, Ordering::SeqCst);
        if does_not_stop(&interrupt, &stop) {
            eprintln!("wolverine: time is up, after {seconds} seconds");
            std::process::exit(3);
        }
    });
}

/// What does not stop by then is not waited for.
const GRACE: Duration = Duration::from_secs(5);

/// Whether a session has to be left to itself. A command forgets earlier
/// interrupts when it begins, so one that begins just now must be stopped again.
fn does_not_stop(interrupt: &Interrupt, stop: &Stop) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if stop.over.load(Ordering::SeqCst) {
            return false;
        }
        interrupt.interrupt();
        std::thread::sleep(Duration::from_millis(50));
    }
    true
}
