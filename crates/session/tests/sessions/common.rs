//! Runs sessions and writes down what came of them.

use std::fmt::Write;
use std::sync::Arc;

use ir::Program;
use session::{EngineKind, Options, Outcome, Session, Status, split_line};

/// A session with a C text.
pub fn session(text: &str, engine: EngineKind) -> Session {
    session_with(text, Options { max_seconds: Some(20.0), ..Options::new(engine) })
}

/// The same with chosen options.
pub fn session_with(text: &str, options: Options) -> Session {
    Session::new(program(text), options)
}

pub fn program(text: &str) -> Arc<Program> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("program.c");
    std::fs::write(&path, text).expect("a file");
    Arc::new(ir::load(&path).expect("a C program"))
}

/// Runs lines of commands on both engines, which must say the same.
pub fn transcript(text: &str, lines: &[&str]) -> String {
    transcript_after(text, "", lines)
}

/// The same after commands of which nothing is written down.
pub fn transcript_after(text: &str, before: &str, lines: &[&str]) -> String {
    let [gdb, interpreter] = [EngineKind::Gdb, EngineKind::Interpreter].map(|engine| {
        let mut session = session(text, engine);
        split_line(before).into_iter().for_each(|command| assert_eq!(session.run(command).error, None, "{command}"));
        lines
            .iter()
            .flat_map(|line| split_line(line))
            .map(|command| tell(command, &session.run(command)))
            .collect::<String>()
    });
    assert_eq!(gdb, interpreter, "gdb (left) and the interpreter (right) differ");
    gdb
}

/// A command and what it came to.
pub fn tell(command: &str, outcome: &Outcome) -> String {
    let mut text = format!("({command})\n");
    let mut line = |what: &str| writeln!(text, "  {}", what.replace('\n', "\n  ")).expect("a String takes all");
    outcome.messages.iter().for_each(|message| line(message));
    if let Some(error) = &outcome.error {
        line(&format!("error: {error}"));
    }
    for (mark, bytes) in [(">", &outcome.output), ("2>", &outcome.errors)] {
        String::from_utf8_lossy(bytes).lines().for_each(|output| line(&format!("{mark} {output}")));
    }
    outcome.changes.iter().for_each(|change| line(&format!("· {change}")));
    if let Some(position) = &outcome.position {
        let function = position.function.as_deref().unwrap_or("");
        match &position.status {
            Status::Ended(status) => line(&format!("ended with {status}")),
            Status::Crashed(fault) => line(&format!("crashed: {:?} at {}", fault.kind, position.text)),
            Status::Interrupted => line("interrupted"),
            Status::Stopped => line(&format!("{} {}: {}", position.line.unwrap_or(0), function, position.text)),
        }
    }
    text
}
