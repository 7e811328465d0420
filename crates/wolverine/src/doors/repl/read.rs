//! Where lines come from when nobody types them.

use std::io::BufRead;

/// What the user is asked with.
pub(super) const PROMPT: &str = "(Wolverine) ";

/// Gives one line after the other.
pub(super) trait Reader {
    /// The next line without its end; `None` after the last.
    fn read(&mut self) -> Option<String>;
}

/// Standard input.
pub(super) struct Pipe;

impl Reader for Pipe {
    fn read(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let count = std::io::stdin().lock().read_until(b'\n', &mut bytes).ok()?;
        (count > 0).then(|| String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string())
    }
}

/// A file of commands.
pub(super) struct Script(std::vec::IntoIter<String>);

impl Script {
    pub(super) fn new(bytes: &[u8]) -> Script {
        let lines: Vec<String> = String::from_utf8_lossy(bytes).lines().map(String::from).collect();
        Script(lines.into_iter())
    }
}

impl Reader for Script {
    fn read(&mut self) -> Option<String> {
        self.0.next()
    }
}
