//! Ctrl-C, and being told to end.

use std::sync::mpsc::Sender;
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use session::Interrupt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::Event;

/// Ctrl-C interrupts the program that is debugged, or ends a script; the other
/// signals end the session, whatever it is doing.
pub(super) fn watch(events: Sender<Event>, interrupt: Interrupt, is_terminal: bool) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGINT if is_terminal => interrupt.interrupt(),
                _ => return leave(signal, &events, &interrupt),
            }
        }
    });
    Ok(())
}

/// A command forgets earlier interrupts when it begins, so one that begins
/// just now must be stopped again.
fn leave(signal: i32, events: &Sender<Event>, interrupt: &Interrupt) {
    while events.send(Event::Signal(signal)).is_ok() {
        interrupt.interrupt();
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// How the terminal is set, if there is one.
pub(super) fn terminal_mode() -> Option<Termios> {
    tcgetattr(std::io::stdin()).ok()
}

/// Sets the terminal as it was. Where it is gone there is nothing to do.
pub(super) fn restore(mode: Option<Termios>) {
    if let Some(mode) = mode {
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &mode);
        let _ = super::render::put("\n");
    }
}
