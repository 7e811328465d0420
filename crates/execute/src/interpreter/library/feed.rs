//! What the program reads from its standard input.
//!
//! What has been read is kept and shared by all copies of a state, each with
//! its own position: a program that goes back to a checkpoint reads the same
//! again, even what a user typed.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Going to the end of the input reads at most this much.
const MOST_AHEAD: usize = 1 << 30;

/// Standard input, read up to some position.
#[derive(Clone)]
pub(super) struct Feed {
    shared: Arc<Mutex<Buffer>>,
    position: usize,
    seekable: bool,
}

struct Buffer {
    bytes: Vec<u8>,
    source: Source,
}

enum Source {
    Nothing,
    File(BufReader<File>),
    Inherited,
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Buffer {
    /// Reads on, at most to the end of the line; false at the end.
    fn more(&mut self) -> bool {
        match &mut self.source {
            Source::Nothing => false,
            Source::File(file) => append(file, &mut self.bytes),
            Source::Inherited => append(&mut std::io::stdin().lock(), &mut self.bytes),
        }
    }
}

fn append(reader: &mut dyn BufRead, bytes: &mut Vec<u8>) -> bool {
    let Ok(ready) = reader.fill_buf() else { return false };
    let length = ready.iter().position(|&byte| byte == b'\n').map_or(ready.len(), |end| end + 1);
    bytes.extend_from_slice(&ready[..length]);
    reader.consume(length);
    length > 0
}

impl Feed {
    /// These bytes.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        Feed::new(bytes, Source::Nothing, true)
    }

    /// The contents of a file, which is read as far as the program reads.
    pub fn of_file(file: File) -> Self {
        let seekable = file.metadata().is_ok_and(|data| data.is_file());
        Feed::new(Vec::new(), Source::File(BufReader::new(file)), seekable)
    }

    /// What this process reads, line by line, so that a user can answer.
    pub fn inherited() -> Self {
        Feed::new(Vec::new(), Source::Inherited, false)
    }

    fn new(bytes: Vec<u8>, source: Source, seekable: bool) -> Self {
        Feed { shared: Arc::new(Mutex::new(Buffer { bytes, source })), position: 0, seekable }
    }

    fn buffer(&self) -> MutexGuard<'_, Buffer> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next byte.
    pub fn next(&mut self) -> Option<u8> {
        let mut buffer = self.buffer();
        while self.position >= buffer.bytes.len() {
            if !buffer.more() {
                return None;
            }
        }
        let byte = buffer.bytes.get(self.position).copied();
        drop(buffer);
        self.position += 1;
        byte
    }

    /// Goes back over `byte`, if that was the last one.
    pub fn step_back(&mut self, byte: u8) -> bool {
        let before = self.position.checked_sub(1);
        let last = before.and_then(|before| self.buffer().bytes.get(before).copied());
        if last == Some(byte) {
            self.position -= 1;
        }
        last == Some(byte)
    }

    /// The position, if this input has any.
    pub fn tell(&self) -> Option<usize> {
        self.seekable.then_some(self.position)
    }

    /// The length, if this input has any.
    pub fn end(&self) -> Option<usize> {
        if !self.seekable {
            return None;
        }
        let mut buffer = self.buffer();
        while buffer.bytes.len() < MOST_AHEAD && buffer.more() {}
        Some(buffer.bytes.len())
    }

    /// Makes `bytes` the whole input, for all copies.
    pub fn set(&self, bytes: &[u8]) {
        self.buffer().bytes = bytes.to_vec();
    }

    /// Goes to a position.
    pub fn go(&mut self, position: usize) {
        self.position = position;
    }
}
