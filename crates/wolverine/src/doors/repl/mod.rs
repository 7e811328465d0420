//! The REPL: the session in a terminal, from a script or from a pipe.
//!
//! This door only translates: lines become commands of [`Session`], outcomes
//! become text. Lines are read on a thread of their own, so that a signal can
//! end the session in an orderly way also while nobody types.

mod line;
mod read;
mod render;
mod signals;
mod terminal;

use std::sync::mpsc::{Receiver, Sender, channel};

use session::{EngineKind, Session};

use line::{Repl, Verdict};
use read::{PROMPT, Pipe, Reader, Script};
use terminal::Terminal;

/// Where commands come from.
pub enum Commands {
    /// A person types them.
    Terminal,
    /// Standard input, which is no terminal.
    Pipe {
        /// Whether the first command that fails ends it.
        is_script: bool,
    },
    /// A file.
    Script {
        /// Its name.
        name: String,
        /// What is in it.
        bytes: Vec<u8>,
    },
}

/// How a session ended.
pub enum Ending {
    /// All was done, or nobody reads the answers any more.
    Done,
    /// A command of a script failed; says where.
    Failed(String),
    /// Wolverine was told to end.
    Signal(i32),
}

/// What the session's thread waits for.
enum Event {
    /// A line was read.
    Line(String),
    /// There are no more lines.
    End,
    /// Which words could stand at a place of a line?
    Complete { line: String, at: usize, answer: Sender<(usize, Vec<String>)> },
    /// Wolverine should end.
    Signal(i32),
}

/// Runs a session to its end. gdb and the program end with it.
pub fn run(session: Session, from: Commands) -> Ending {
    let (events, inbox) = channel();
    let before = signals::terminal_mode();
    let is_terminal = matches!(from, Commands::Terminal);
    if let Err(error) = signals::watch(events.clone(), session.interrupt(), is_terminal) {
        return Ending::Failed(format!("wolverine: cannot watch for Ctrl-C: {error}"));
    }
    let greeting = greeting(&session);
    let mut repl = Repl::new(session, is_terminal);
    let strict = match &from {
        Commands::Terminal | Commands::Pipe { is_script: false } => None,
        Commands::Pipe { is_script: true } => Some("standard input".to_string()),
        Commands::Script { name, .. } => Some(name.clone()),
    };
    if is_terminal && render::put(&greeting).is_err() {
        return Ending::Done;
    }
    let ending = serve(&mut repl, &inbox, &turns(from, events), strict.as_deref());
    if let (true, Ending::Signal(_)) = (is_terminal, &ending) {
        // The line editor was not asked; the shell wants its terminal back.
        signals::restore(before);
    }
    ending
}

/// Starts the thread that reads lines; it reads one for each turn it is given.
fn turns(from: Commands, events: Sender<Event>) -> Sender<()> {
    let (turns, given) = channel();
    std::thread::spawn(move || {
        let mut reader: Box<dyn Reader> = match from {
            Commands::Terminal => match Terminal::new(events.clone()) {
                Some(terminal) => Box::new(terminal),
                None => Box::new(Pipe),
            },
            Commands::Pipe { .. } => Box::new(Pipe),
            Commands::Script { bytes, .. } => Box::new(Script::new(&bytes)),
        };
        for () in given {
            let event = reader.read().map_or(Event::End, Event::Line);
            if events.send(event).is_err() {
                break;
            }
        }
    });
    turns
}

/// Answers events until something ends the session.
fn serve(repl: &mut Repl, inbox: &Receiver<Event>, turns: &Sender<()>, strict: Option<&str>) -> Ending {
    let mut number = 0;
    let mut is_open = turns.send(()).is_ok();
    while is_open && let Ok(event) = inbox.recv() {
        match event {
            Event::End => break,
            Event::Signal(signal) => return Ending::Signal(signal),
            Event::Complete { line, at, answer } => _ = answer.send(repl.complete(&line, at)),
            Event::Line(line) => {
                number += 1;
                match (repl.line(&line), strict) {
                    (Verdict::Quit, _) => break,
                    (Verdict::Failed(command), Some(name)) => return failed(name, number, &command, inbox),
                    _ => is_open = turns.send(()).is_ok(),
                }
            }
        }
    }
    Ending::Done
}

/// A command that failed because Wolverine should end is no failure of the script.
fn failed(name: &str, number: usize, command: &str, inbox: &Receiver<Event>) -> Ending {
    match inbox.try_recv() {
        Ok(Event::Signal(signal)) => Ending::Signal(signal),
        _ => Ending::Failed(format!("{name}:{number}: `{command}` could not be done, so the script ends here")),
    }
}

fn greeting(session: &Session) -> String {
    let engine = match session.engine() {
        EngineKind::Gdb => "gdb",
        EngineKind::Interpreter => "the interpreter",
    };
    let file = session.program().source.path.display();
    format!("Wolverine debugs {file} with {engine}.\nType `start` to run the program, `help` for the commands.\n")
}
