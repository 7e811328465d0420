//! What stands between the session and the page: the last of all that the page
//! has to know, and the page that is connected, if there is one.
//!
//! All that is shown is in *sections* (the picture, the source, the time line,
//! …), each kept as the JSON text that was sent last. The session publishes
//! sections when a command is done; only what is different is sent. A page that
//! connects gets all of them, also while a command is running.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use session::Interrupt;
use tokio::sync::mpsc::UnboundedSender;

use super::host::Ask;

/// Lines of the console that a page that is loaded again shows.
const LONGEST_LOG: usize = 400;
/// Commands that may wait for one that is running.
const LONGEST_QUEUE: u64 = 64;

/// What stands between the session and the page.
pub(super) struct Hub {
    asks: Mutex<Sender<Ask>>,
    interrupt: Interrupt,
    known: Mutex<Known>,
    /// Commands that were asked for before the last `stop` are not run any more.
    stops: AtomicU64,
    waiting: AtomicU64,
}

#[derive(Default)]
struct Known {
    sections: BTreeMap<&'static str, String>,
    log: Vec<String>,
    files: Files,
    page: Option<Page>,
    pages: u64,
    is_over: bool,
}

/// A connected page.
struct Page {
    number: u64,
    messages: UnboundedSender<String>,
}

/// What can be downloaded.
#[derive(Clone, Default)]
pub(super) struct Files {
    /// What the names of the files begin with.
    pub stem: String,
    /// The repaired program and the diff.
    pub repaired: Option<(Vec<u8>, Vec<u8>)>,
    /// The commands so far.
    pub script: String,
}

/// A command with the number of stops before it.
pub(super) type Turn = u64;

impl Hub {
    pub(super) fn new(asks: Sender<Ask>, interrupt: Interrupt) -> Hub {
        Hub {
            asks: Mutex::new(asks),
            interrupt,
            known: Mutex::default(),
            stops: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
        }
    }

    /// Asks the session for something; false if too much is waiting already.
    pub(super) fn ask(&self, ask: impl FnOnce(Turn) -> Ask) -> bool {
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= LONGEST_QUEUE {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return false;
        }
        let turn = self.stops.load(Ordering::SeqCst);
        self.asks.lock().is_ok_and(|asks| asks.send(ask(turn)).is_ok())
    }

    /// The session has taken up what was asked first; whether it should still do it.
    pub(super) fn take_up(&self, turn: Turn) -> bool {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        turn == self.stops.load(Ordering::SeqCst)
    }

    /// Stops what is running, and all that waits.
    pub(super) fn stop(&self) {
        self.stops.fetch_add(1, Ordering::SeqCst);
        self.interrupt.interrupt();
    }

    /// Ends the session.
    pub(super) fn end(&self) {
        self.stop();
        if let Ok(asks) = self.asks.lock() {
            // A session that is over already needs no telling.
            let _ = asks.send(Ask::End);
        }
    }

    /// Makes sections and lines of the console known, and sends what is new.
    pub(super) fn publish(&self, sections: Vec<(&'static str, String)>, log: Vec<String>) {
        let Ok(mut known) = self.known.lock() else { return };
        let is_new = |(name, text): &(&'static str, String)| known.sections.get(name) != Some(text);
        let new: Vec<_> = sections.into_iter().filter(is_new).collect();
        let message = message("update", &new, &log);
        if let Some(page) = known.page.as_ref().filter(|_| !new.is_empty() || !log.is_empty()) {
            // A page that has gone away comes back for all of it.
            let _ = page.messages.send(message);
        }
        known.sections.extend(new);
        known.log.extend(log);
        let too_many = known.log.len().saturating_sub(LONGEST_LOG);
        known.log.drain(..too_many);
    }

    /// Sends something that is not remembered.
    pub(super) fn tell(&self, text: String) {
        if let Ok(known) = self.known.lock()
            && let Some(page) = &known.page
        {
            let _ = page.messages.send(text);
        }
    }

    /// A page has connected; its number. The one before it is told to rest.
    pub(super) fn connect(&self, messages: UnboundedSender<String>) -> u64 {
        let Ok(mut known) = self.known.lock() else { return 0 };
        if let Some(before) = known.page.take() {
            let _ = before.messages.send(r#"{"type":"replaced"}"#.into());
        }
        let sections: Vec<_> = known.sections.iter().map(|(name, text)| (*name, text.clone())).collect();
        let _ = messages.send(message("all", &sections, &known.log));
        if known.is_over {
            let _ = messages.send(OVER.into());
        }
        known.pages += 1;
        known.page = Some(Page { number: known.pages, messages });
        known.pages
    }

    /// A page has gone.
    pub(super) fn disconnect(&self, number: u64) {
        if let Ok(mut known) = self.known.lock()
            && known.page.as_ref().is_some_and(|page| page.number == number)
        {
            known.page = None;
        }
    }

    pub(super) fn set_files(&self, files: Files) {
        if let Ok(mut known) = self.known.lock() {
            known.files = files;
        }
    }

    pub(super) fn files(&self) -> Files {
        self.known.lock().map(|known| known.files.clone()).unwrap_or_default()
    }

    /// The session is over; the page says so.
    pub(super) fn say_goodbye(&self) {
        if let Ok(mut known) = self.known.lock() {
            known.is_over = true;
        }
        self.tell(OVER.into());
        // The message has to leave before the process ends.
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

const OVER: &str = r#"{"type":"over"}"#;

/// A message of sections that are JSON already.
fn message(kind: &str, sections: &[(&'static str, String)], log: &[String]) -> String {
    let mut text = format!(r#"{{"type":"{kind}","log":[{}]"#, log.join(","));
    for (name, json) in sections {
        text.push_str(&format!(r#","{name}":{json}"#));
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    fn hub() -> (Hub, std::sync::mpsc::Receiver<Ask>) {
        let (asks, inbox) = channel();
        (Hub::new(asks, Interrupt::default()), inbox)
    }

    #[test]
    fn only_what_is_new_is_sent() {
        let (hub, _inbox) = hub();
        let (messages, mut page) = unbounded_channel();
        hub.publish(vec![("a", "1".into())], vec![r#""x""#.into()]);
        hub.connect(messages);
        assert_eq!(page.try_recv().as_deref(), Ok(r#"{"type":"all","log":["x"],"a":1}"#));
        hub.publish(vec![("a", "1".into()), ("b", "2".into())], vec![]);
        assert_eq!(page.try_recv().as_deref(), Ok(r#"{"type":"update","log":[],"b":2}"#));
        hub.publish(vec![("b", "2".into())], vec![]);
        assert!(page.try_recv().is_err());
    }

    #[test]
    fn a_second_page_takes_over() {
        let (hub, _inbox) = hub();
        let ((first, mut one), (second, mut two)) = (unbounded_channel(), unbounded_channel());
        let number = hub.connect(first);
        hub.connect(second);
        assert_eq!(one.try_recv().as_deref(), Ok(r#"{"type":"all","log":[]}"#));
        assert_eq!(one.try_recv().as_deref(), Ok(r#"{"type":"replaced"}"#));
        hub.disconnect(number);
        hub.publish(vec![("a", "1".into())], vec![]);
        assert!(one.try_recv().is_err());
        assert_eq!(two.try_recv().as_deref(), Ok(r#"{"type":"all","log":[]}"#));
        assert_eq!(two.try_recv().as_deref(), Ok(r#"{"type":"update","log":[],"a":1}"#));
    }

    #[test]
    fn a_stop_takes_back_what_waits_and_a_queue_has_an_end() {
        let (hub, inbox) = hub();
        assert!(hub.ask(|turn| Ask::Run { turn, line: "next".into() }));
        hub.stop();
        assert!(hub.ask(|turn| Ask::Run { turn, line: "back".into() }));
        let turns: Vec<bool> =
            inbox.try_iter().map(|ask| matches!(ask, Ask::Run { turn, .. } if hub.take_up(turn))).collect();
        assert_eq!(turns, [false, true]);
        let taken = (0..2 * LONGEST_QUEUE).filter(|_| hub.ask(|turn| Ask::Run { turn, line: "next".into() })).count();
        assert_eq!(taken as u64, LONGEST_QUEUE);
    }
}
