//! Runs a line of commands and prints what it came to.

use session::{Command, Effect, Outcome, Session, split_line};

use super::PROMPT;
use super::render::{self, Look, put};
use crate::doors::command_line::waiting::Waiting;

/// What a line came to.
pub(super) enum Verdict {
    /// The session goes on.
    Done,
    /// This command was not done, or was interrupted.
    Failed(String),
    /// The session is over.
    Quit,
}

/// A session and how it is shown.
pub(super) struct Repl {
    session: Session,
    waiting: Waiting,
    look: Look,
    is_terminal: bool,
    /// Whether the program was started.
    is_running: bool,
    /// The function of the position that was shown last.
    function: Option<String>,
}

impl Repl {
    pub(super) fn new(mut session: Session, is_terminal: bool) -> Repl {
        let waiting = Waiting::on(&mut session);
        Repl { session, waiting, look: Look::of_output(), is_terminal, is_running: false, function: None }
    }

    /// The words that could stand at a place of a line.
    pub(super) fn complete(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        self.session.complete(line, at)
    }

    /// Does what a line says; pasted text can be several lines.
    pub(super) fn line(&mut self, text: &str) -> Verdict {
        // The window may have another size than for the last line.
        self.look = Look::of_output();
        if text.trim().is_empty() {
            return if self.is_terminal { self.repeat() } else { Verdict::Done };
        }
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match self.one_line(line) {
                Verdict::Done => {}
                other => return other,
            }
        }
        Verdict::Done
    }

    /// An empty line runs the next statement.
    fn repeat(&mut self) -> Verdict {
        match self.is_running {
            true => self.one_line("next"),
            false => told(put("the program is not running; type `start`\n")),
        }
    }

    fn one_line(&mut self, line: &str) -> Verdict {
        let is_comment = line.trim_start().starts_with('#');
        if !self.is_terminal {
            let echo = if is_comment { format!("{line}\n") } else { format!("{PROMPT}{}\n", line.trim()) };
            if put(&echo).is_err() {
                return Verdict::Quit;
            }
        }
        if is_comment { Verdict::Done } else { self.commands(&split_line(line)) }
    }

    fn commands(&mut self, commands: &[&str]) -> Verdict {
        // A Ctrl-C that stopped the last line is no matter of this one.
        self.session.interrupt().reset();
        for (i, command) in commands.iter().enumerate() {
            let rest = &commands[i + 1..];
            let outcome = self.waiting.during(command, || self.session.run(command));
            self.is_running = outcome.position.is_some();
            let is_interrupted = self.session.interrupt().is_asked();
            let is_over = outcome.error.is_some() || is_interrupted;
            let mut text = self.describe(command, &outcome, rest.is_empty() || is_over);
            if is_interrupted && self.is_terminal {
                // The terminal has written ^C.
                text.insert(0, '\n');
            }
            if is_over && !rest.is_empty() {
                text.push_str(&format!("not run: {}\n", rest.join("; ")));
            }
            match put(&text) {
                Err(_) => return Verdict::Quit,
                Ok(()) if outcome.quit => return Verdict::Quit,
                Ok(()) if is_over => return Verdict::Failed(command.to_string()),
                Ok(()) => {}
            }
        }
        Verdict::Done
    }

    /// What a command came to: all of it, or for a command that others follow
    /// on its line, in short.
    fn describe(&mut self, command: &str, outcome: &Outcome, is_last: bool) -> String {
        let mut text = render::told(outcome, &self.look);
        if outcome.effect == Effect::Position
            && let Some(position) = &outcome.position
        {
            if is_last {
                text.push_str(&render::position(
                    self.session.program(),
                    position,
                    self.function.as_deref(),
                    &self.look,
                ));
                self.function = position.function.as_deref().map(String::from);
            } else {
                text.push_str(&render::brief(self.session.program(), position));
            }
        }
        if is_last && outcome.effect >= Effect::Picture {
            let picture = self.picture(command);
            // A line apart from what is said above it.
            let gap = if text.is_empty() || picture.is_empty() { "" } else { "\n" };
            text = format!("{text}{gap}{picture}");
        }
        text
    }

    fn picture(&mut self, command: &str) -> String {
        let asked = session::parse(command) == Ok(Command::Show(None));
        let drawn = self.session.picture(self.look.color).map(|picture| picture.to_terminal(self.look.width));
        render::picture(&drawn.unwrap_or_default(), asked)
    }
}

/// Output that nobody reads any more ends the session.
fn told(written: std::io::Result<()>) -> Verdict {
    if written.is_ok() { Verdict::Done } else { Verdict::Quit }
}
