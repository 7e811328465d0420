//! The line editor: history and completion.

use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::Event;
use super::read::{PROMPT, Reader};

/// A person at a terminal.
pub(super) struct Terminal {
    editor: Editor<Words, FileHistory>,
    history: Option<PathBuf>,
}

impl Terminal {
    /// The terminal of this process, unless it cannot be used.
    pub(super) fn new(events: Sender<Event>) -> Option<Terminal> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Words(events)));
        let history = history_file();
        if let Some(file) = &history {
            // Without a history all else works.
            let _ = editor.load_history(file);
        }
        Some(Terminal { editor, history })
    }

    fn remember(&mut self, line: &str) {
        let is_new = self.editor.add_history_entry(line).unwrap_or(false);
        if let Some(file) = self.history.as_ref().filter(|_| is_new) {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = self.editor.append_history(file);
        }
    }
}

impl Reader for Terminal {
    fn read(&mut self) -> Option<String> {
        loop {
            match self.editor.readline(PROMPT) {
                Ok(line) => {
                    self.remember(&line);
                    return Some(line);
                }
                // Ctrl-C takes back what was typed; a new size only redraws.
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {}
                Err(_) => return None,
            }
        }
    }
}

/// `$XDG_STATE_HOME/wolverine/history`
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("wolverine/history"))
}

/// Asks the session which words fit.
struct Words(Sender<Event>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let (answer, words) = channel();
        let nothing = (at, Vec::new());
        match self.0.send(Event::Complete { line: line.into(), at, answer }) {
            Ok(()) => Ok(words.recv().unwrap_or(nothing)),
            Err(_) => Ok(nothing),
        }
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
