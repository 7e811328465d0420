//! A spinner while something takes long: on a terminal only, and gone afterwards.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use repair::Progress;
use session::{Command, Session};

/// What takes less time than this needs no spinner.
const PATIENCE: Duration = Duration::from_millis(300);
const TICK: Duration = Duration::from_millis(100);

/// Shows what a session is doing.
pub(in crate::doors) struct Waiting {
    doing: Arc<Mutex<String>>,
}

impl Waiting {
    /// Asks the session to tell what it does.
    pub(in crate::doors) fn on(session: &mut Session) -> Waiting {
        let doing = Arc::new(Mutex::new(String::new()));
        let shared = doing.clone();
        session.set_progress(Box::new(move |now| set(&shared, describe(now))));
        Waiting { doing }
    }

    /// Does the work of a command, with a spinner if the command can take long and does.
    pub(in crate::doors) fn during<T>(&self, command: &str, work: impl FnOnce() -> T) -> T {
        let is_long = matches!(session::parse(command), Ok(Command::Repair(_) | Command::Localize));
        if !is_long || !io::stderr().is_terminal() {
            return work();
        }
        set(&self.doing, "following the run".into());
        std::thread::scope(|scope| {
            // However the work ends, the channel closes with it.
            let (working, over) = channel::<()>();
            scope.spawn(move || spin(&over, &self.doing));
            let done = work();
            drop(working);
            done
        })
    }
}

fn spin(over: &Receiver<()>, doing: &Mutex<String>) {
    if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let target = ProgressDrawTarget::term_like(Box::new(Narrow));
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    loop {
        let words = doing.lock().map(|words| words.clone()).unwrap_or_default();
        bar.set_message(format!("{words} ({} s; Ctrl-C stops)", bar.elapsed().as_secs()));
        bar.tick();
        if over.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn set(shared: &Mutex<String>, words: String) {
    if let Ok(mut doing) = shared.lock() {
        *doing = words;
    }
}

/// What a search is doing, in words.
pub(in crate::doors) fn describe(now: Progress) -> String {
    match now {
        Progress::Localizing => "looking for suspicious places".into(),
        Progress::Searching(1) => "trying changes at 1 place".into(),
        Progress::Searching(places) => format!("trying changes at {places} places"),
        Progress::Checking(number, count) => format!("running repair {number} of {count}"),
        Progress::Varying => "trying the repairs on further small inputs".into(),
    }
}

/// Standard error, a little narrower than it is: spinners fill their line, and
/// the `^C` that a terminal writes must not begin a new one.
#[derive(Debug)]
struct Narrow;

impl Narrow {
    fn move_by(&self, count: usize, direction: char) -> io::Result<()> {
        if count == 0 { Ok(()) } else { self.write_str(&format!("\x1b[{count}{direction}")) }
    }
}

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        let columns = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0);
        columns.saturating_sub(4).max(1)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_by(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_by(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_by(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_by(n, 'D')
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        self.write_str(&format!("{s}\n"))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        io::stderr().write_all(s.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
