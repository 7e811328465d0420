//! Two sessions with the same program, and what they must have in common.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use execute::FaultKind;
use execute::interpreter::is_address;
use ir::Program;
use memory::{State, Value, agreement, changes, leaves};
use session::{Command, Effect, EngineKind, Interrupt, Options, Outcome, Position, Session, Status};

use crate::programs::Case;

/// A command runs at most this long; changed programs loop for ever.
const LONGEST: Duration = Duration::from_secs(3);

/// What the comparison after a command says.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Both are the same.
    Same,
    /// From here on they may differ.
    Cut,
    /// They differ.
    Different(String),
}

/// A place and the memory there.
type Snapshot = (Option<Position>, Option<Arc<State>>);

/// The two sessions.
pub struct Pair {
    program: Arc<Program>,
    stdin: Option<PathBuf>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    gdb: Session,
    interpreter: Session,
    last: [Outcome; 2],
    /// What was there before each command that can be undone, on each engine.
    undo: Vec<[Snapshot; 2]>,
    /// What was there before each move, where that is known.
    moves: Vec<Option<[Snapshot; 2]>>,
    /// How often a return was compared with what was there before.
    pub returns: u64,
}

impl Pair {
    /// Two sessions that are not started yet.
    pub fn new(program: &Arc<Program>, case: &Case, arguments: Vec<String>) -> Pair {
        let stdin = case.path.with_extension("stdin");
        Pair::with(program.clone(), stdin.exists().then_some(stdin), arguments)
    }

    /// The same from the beginning.
    pub fn again(&self) -> Pair {
        Pair::with(self.program.clone(), self.stdin.clone(), self.arguments.clone())
    }

    fn with(program: Arc<Program>, stdin: Option<PathBuf>, arguments: Vec<String>) -> Pair {
        let session = |engine| {
            let options = Options { arguments: arguments.clone(), input: stdin.clone(), ..Options::new(engine) };
            Session::new(program.clone(), options)
        };
        let (gdb, interpreter) = (session(EngineKind::Gdb), session(EngineKind::Interpreter));
        let (last, undo, moves, returns) = (Default::default(), Vec::new(), Vec::new(), 0);
        Pair { program, stdin, arguments, gdb, interpreter, last, undo, moves, returns }
    }

    /// The memory now, as the interpreter sees it.
    pub fn state(&self) -> Option<&State> {
        self.last[1].state.as_deref()
    }

    /// Whether the program was started.
    pub fn is_started(&self) -> bool {
        self.last[1].position.is_some()
    }

    /// Gives a command to both and compares.
    pub fn run(&mut self, command: &str) -> Verdict {
        let before = [snapshot(&self.last[0]), snapshot(&self.last[1])];
        let now = [watched(&mut self.gdb, command), watched(&mut self.interpreter, command)];
        let mut verdict = compare(command, &now[0], &now[1]);
        if matches!(verdict, Verdict::Different(_)) && self.stops_elsewhere() {
            verdict = Verdict::Cut;
        }
        self.last = now;
        match verdict {
            Verdict::Same => self.check_returns(command, before),
            other => other,
        }
    }

    /// After `undo` and `back`: is everything as it was?
    fn check_returns(&mut self, text: &str, before: [Snapshot; 2]) -> Verdict {
        let (Ok(command), None) = (session::parse(text), &self.last[0].error) else { return Verdict::Same };
        let expected = match command {
            Command::Undo => {
                self.moves.clear();
                self.undo.pop()
            }
            Command::Back(count) => {
                let expected = self.moves_back(count);
                self.note_change(before);
                expected
            }
            Command::Next(1) | Command::Step(1) | Command::Force(_) => {
                self.moves.push(self.is_single(&command, &before[0]).then(|| before.clone()));
                self.note_change(before);
                None
            }
            // Changes and rules do not move the program.
            Command::Change(_) | Command::Spec(_) | Command::Track(_) | Command::Input(_) => {
                self.note_change(before);
                None
            }
            _ => {
                if self.last[0].effect == Effect::Position {
                    self.moves.clear();
                }
                self.note_change(before);
                None
            }
        };
        expected.map_or(Verdict::Same, |expected| self.compare_return(text, &expected))
    }

    /// Whether the compiler made no instructions for some statements (`va_end`,
    /// `x;`), so that the real program makes fewer steps than the interpreter.
    fn stops_elsewhere(&self) -> bool {
        let is_visible = |step: &ir::StepId| self.program.step(*step).line > 0;
        self.gdb.steps_without_code().iter().any(is_visible)
    }

    /// What was there before the last `count` moves, if all of them are known
    /// to be single ones.
    fn moves_back(&mut self, count: u32) -> Option<[Snapshot; 2]> {
        let first = self.moves.len().checked_sub(count as usize);
        let undone = self.moves.split_off(first.unwrap_or(0));
        match first.is_some() && undone.iter().all(Option::is_some) {
            true => undone.into_iter().next().flatten(),
            false => {
                self.moves.clear();
                None
            }
        }
    }

    /// Whether `back` leads to the moment before this command: forcing may run
    /// to a condition first, and a crash or breakpoint inside of a call has
    /// statements of that call before it.
    fn is_single(&self, command: &Command, before: &Snapshot) -> bool {
        let (Some(now), Some(before)) = (&self.last[0].position, &before.0) else { return false };
        match command {
            Command::Next(_) => now.status == Status::Stopped && now.depth <= before.depth,
            Command::Step(_) => now.status == Status::Stopped,
            _ => false,
        }
    }

    fn note_change(&mut self, before: [Snapshot; 2]) {
        if self.last[0].changed {
            self.undo.push(before);
        }
    }

    fn compare_return(&mut self, command: &str, expected: &[Snapshot; 2]) -> Verdict {
        self.returns += 1;
        for (outcome, (position, state)) in self.last.iter().zip(expected) {
            // Before the start there was nothing to compare with.
            let (Some(position), Some(state)) = (position, state) else { continue };
            if outcome.position.as_ref() != Some(position) {
                return different(command, "it leads elsewhere", &outcome.position, position);
            }
            let there = outcome.state.as_deref().map(|now| changes(state, now)).unwrap_or_default();
            if let Some(change) = there.first() {
                return Verdict::Different(format!("`{command}` does not restore the memory: {change}"));
            }
        }
        Verdict::Same
    }
}

fn snapshot(outcome: &Outcome) -> Snapshot {
    (outcome.position.clone(), outcome.state.clone())
}

/// Runs a command and interrupts it if it takes too long.
fn watched(session: &mut Session, command: &str) -> Outcome {
    let interrupt: Interrupt = session.interrupt();
    let (done, waiting) = channel::<()>();
    let watch = std::thread::spawn(move || {
        while waiting.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
            interrupt.interrupt();
        }
    });
    let outcome = session.run(command);
    drop(done);
    watch.join().expect("the watch only waits");
    outcome
}

fn compare(command: &str, gdb: &Outcome, interpreter: &Outcome) -> Verdict {
    let crashed = |outcome: &Outcome| outcome.error.as_ref().is_some_and(|error| error.contains("has crashed"));
    if is_interrupted(gdb) || is_interrupted(interpreter) || is_undefined(gdb, interpreter) {
        return Verdict::Cut;
    }
    // `enter` ran into it on the way to a condition, and went back.
    if crashed(interpreter) && !crashed(gdb) {
        return Verdict::Cut;
    }
    let place = |outcome: &Outcome| outcome.position.as_ref().map(place_of);
    if place(gdb) != place(interpreter) {
        return different(command, "places differ", &gdb.position, &interpreter.position);
    }
    if !alike(&gdb.error, &interpreter.error) {
        return different(command, "errors differ", &gdb.error, &interpreter.error);
    }
    if gdb.error.is_some() != interpreter.error.is_some() {
        return Verdict::Cut;
    }
    if !shows_tracking(command, interpreter) && !messages_alike(gdb, interpreter) {
        return different(command, "messages differ", &gdb.messages, &interpreter.messages);
    }
    if shows_address(&interpreter.output) {
        return Verdict::Cut;
    }
    if (&gdb.output, gdb.effect, gdb.changed) != (&interpreter.output, interpreter.effect, interpreter.changed) {
        return different(command, "output or effect differs", &text(&gdb.output), &text(&interpreter.output));
    }
    let (Some(a), Some(b)) = (&interpreter.state, &gdb.state) else { return Verdict::Same };
    match agreement(a, b, is_made_of_addresses).first() {
        Some(change) => Verdict::Different(format!("after `{command}`, interpreter -> gdb: {change}")),
        None => Verdict::Same,
    }
}

/// Whether a number is an address or a distance of objects, which no two engines share.
fn is_made_of_addresses(number: i128) -> bool {
    u64::try_from(number).is_ok_and(is_address) || number.unsigned_abs() >> 40 != 0
}

fn different(command: &str, what: &str, gdb: &dyn std::fmt::Debug, interpreter: &dyn std::fmt::Debug) -> Verdict {
    Verdict::Different(format!("after `{command}` {what}:\ngdb:         {gdb:?}\ninterpreter: {interpreter:?}"))
}

/// Whether a number was printed that is an address or a distance of objects.
fn shows_address(output: &[u8]) -> bool {
    let text = String::from_utf8_lossy(output);
    text.split(|c: char| !c.is_ascii_digit()).any(|number| number.parse().is_ok_and(is_made_of_addresses))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_interrupted(outcome: &Outcome) -> bool {
    let by_message = outcome.messages.iter().any(|message| message == "interrupted");
    let by_error = outcome.error.as_ref().is_some_and(|error| error.contains("interrupted"));
    by_message || by_error
}

/// Whether the interpreter saw what C does not allow, where the real program
/// may do anything; or a limit of the interpreter was reached.
fn is_undefined(gdb: &Outcome, interpreter: &Outcome) -> bool {
    let crash = |outcome: &Outcome| match outcome.position.as_ref().map(|position| &position.status) {
        Some(Status::Crashed(fault)) => Some(fault.kind),
        _ => None,
    };
    match (crash(gdb), crash(interpreter)) {
        (_, Some(FaultKind::StackOverflow | FaultKind::Unsupported | FaultKind::UnknownFunction)) => true,
        (Some(FaultKind::StackOverflow), _) => true,
        (None, Some(_)) => true,
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

/// What both engines must say of a place: faults have different words.
fn place_of(position: &Position) -> (Option<u32>, String, usize, String) {
    let status = match &position.status {
        Status::Crashed(fault) => format!("crashed {:?}", fault.kind),
        other => format!("{other:?}"),
    };
    // Inside of a crash the calls of the library are counted differently.
    (position.line, position.text.clone(), position.depth, status)
}

/// Where something was never written the interpreter says so, and gdb may say
/// anything.
fn alike(gdb: &Option<String>, interpreter: &Option<String>) -> bool {
    let is_unknown = |error: &String| {
        ["has no value yet", "is not known", "nothing here is tracked", "?"].iter().any(|part| error.contains(part))
    };
    gdb == interpreter || interpreter.as_ref().is_some_and(is_unknown)
}

fn messages_alike(gdb: &Outcome, interpreter: &Outcome) -> bool {
    let pairs = gdb.messages.iter().zip(&interpreter.messages);
    gdb.messages.len() == interpreter.messages.len()
        && pairs.into_iter().all(|(gdb, interpreter)| {
            // gdb does not see variables that live in registers.
            let is_unknown = interpreter.contains("? -> ") || gdb.contains('…');
            is_unknown || fits(&comparable(interpreter), &comparable(gdb))
        })
}

/// A message without what the engines may say differently: in a tree of
/// checkpoints what is asserted at each (members of nodes that were never
/// written have a value only under gdb), and places in variables (just past
/// the end of one may be the next).
fn comparable(message: &str) -> String {
    let cut = |line: &str| match line.contains("  line ") {
        true => line.split("  (").next().unwrap_or(line).to_string(),
        false => line.to_string(),
    };
    let lines: Vec<String> = message.lines().map(cut).collect();
    let words = |line: &String| {
        let word = |word: &str| word.split('&').next().unwrap_or(word).to_string();
        line.split(' ').map(word).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(words).collect::<Vec<_>>().join("\n")
}

/// Whether what is not known decides what a command says.
fn shows_tracking(command: &str, interpreter: &Outcome) -> bool {
    let speaks = ["track", "info track", "spec", "checkpoints"].iter().any(|name| command.starts_with(name));
    let unknown = |value: &Value| matches!(value, Value::Uninitialised | Value::Unknown);
    speaks && interpreter.state.as_deref().is_some_and(|state| leaves(state).iter().any(|leaf| unknown(leaf.1)))
}

/// Whether a text is another one in which each `?` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    let mut parts = pattern.split('?');
    let Some(first) = parts.next() else { return false };
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    let mut open = false;
    for part in parts {
        open = part.is_empty();
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    open || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn question_marks_stand_for_anything() {
        assert!(fits("x = ?, y = 3", "x = 17, y = 3"));
        assert!(fits("x = ?", "x = 17"));
        assert!(!fits("x = ?, y = 3", "x = 17, y = 4"));
        assert!(fits("same", "same") && !fits("same", "same and more"));
    }
}
