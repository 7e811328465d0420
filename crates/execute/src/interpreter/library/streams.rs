//! Streams: where the program's characters come from and where they go.
//!
//! A stream is found by the address of its `FILE`, an object that the program
//! can compare and pass on, but not look into.

use std::fs::File;
use std::io::Write;

use super::super::memory::{Address, Trouble};
use super::feed::Feed;
use super::files::Document;
use crate::{FaultKind, Input, Output};

/// The numbers of the standard streams.
pub(super) const STDIN: usize = 0;
pub(super) const STDOUT: usize = 1;
pub(super) const STDERR: usize = 2;

/// All open streams; the standard ones are the first three.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    open: Vec<(Address, Stream)>,
    /// What was written to standard output and error, if it is captured.
    captured: [Vec<u8>; 2],
    target: Output,
}

/// One stream.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    device: Device,
    /// Bytes given back, the next one last.
    pushed: Vec<u8>,
    /// A read came to the end.
    pub ended: bool,
    /// A read or write failed.
    pub failed: bool,
}

/// What is behind a stream.
#[derive(Clone, Debug)]
pub(super) enum Device {
    /// Standard input.
    Feed(Feed),
    /// Standard output or error.
    Standard(usize),
    /// A file.
    Document(Document),
    /// It was closed.
    Closed,
}

impl Default for Streams {
    fn default() -> Self {
        Streams::with(Feed::of_bytes(Vec::new()), Output::Capture)
    }
}

impl Streams {
    /// The standard streams.
    pub fn new(input: &Input, output: Output) -> std::io::Result<Self> {
        let feed = match input {
            Input::Bytes(bytes) => Feed::of_bytes(bytes.clone()),
            Input::File(path) => Feed::of_file(File::open(path)?),
            Input::Inherit => Feed::inherited(),
        };
        Ok(Streams::with(feed, output))
    }

    fn with(feed: Feed, target: Output) -> Self {
        let devices = [Device::Feed(feed), Device::Standard(STDOUT), Device::Standard(STDERR)];
        let open = devices.map(|device| (0, Stream::new(device))).into();
        Streams { open, captured: Default::default(), target }
    }

    /// Says where the `FILE`s of the standard streams are.
    pub fn place(&mut self, addresses: [Address; 3]) {
        for (number, address) in addresses.into_iter().enumerate() {
            self.open[number].0 = address;
        }
    }

    /// What was captured of standard output or error.
    pub fn captured(&self, number: usize) -> &[u8] {
        &self.captured[number - STDOUT]
    }

    /// The number of the stream whose `FILE` is at `address`.
    pub fn find(&self, address: Address) -> Result<usize, Trouble> {
        if address == 0 {
            return Err(Trouble::new(FaultKind::Null, "is null, not an open file"));
        }
        let found = self.open.iter().position(|(place, _)| *place == address);
        found.ok_or_else(|| Trouble::new(FaultKind::Dangling, "is not an open file"))
    }

    /// The stream with a number that [`Streams::find`] gave.
    pub fn stream(&mut self, number: usize) -> &mut Stream {
        &mut self.open[number].1
    }

    /// Adds a stream.
    pub fn add(&mut self, address: Address, document: Document) {
        self.open.push((address, Stream::new(Device::Document(document))));
    }

    /// Closes a stream; returns whether everything was written.
    pub fn close(&mut self, number: usize) -> bool {
        let done = self.flush(number);
        match number {
            STDIN | STDOUT | STDERR => self.open[number].1.device = Device::Closed,
            _ => drop(self.open.remove(number)),
        }
        done
    }

    /// Writes; false if the stream does not take it.
    pub fn write(&mut self, number: usize, bytes: &[u8]) -> bool {
        let stream = &mut self.open[number].1;
        let done = match &mut stream.device {
            Device::Standard(which) => {
                let which = *which;
                self.emit(which, bytes);
                return true;
            }
            Device::Document(document) => document.write(bytes),
            Device::Feed(_) | Device::Closed => false,
        };
        stream.failed |= !done;
        done
    }

    fn emit(&mut self, number: usize, bytes: &[u8]) {
        // When our own output is gone, nobody is left to be told.
        match (self.target, number) {
            (Output::Capture, _) => self.captured[number - STDOUT].extend_from_slice(bytes),
            (Output::Inherit, STDOUT) => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(bytes).and_then(|()| out.flush());
            }
            (Output::Inherit, _) => {
                let _ = std::io::stderr().lock().write_all(bytes);
            }
        }
    }

    /// Brings a file up to date on disk.
    pub fn flush(&mut self, number: usize) -> bool {
        match &mut self.open[number].1.device {
            Device::Document(document) => document.flush(),
            _ => true,
        }
    }

    /// Brings all files up to date on disk.
    pub fn flush_all(&mut self) -> bool {
        let failures = (0..self.open.len()).filter(|&number| !self.flush(number)).count();
        failures == 0
    }
}

impl Stream {
    fn new(device: Device) -> Self {
        Stream { device, pushed: Vec::new(), ended: false, failed: false }
    }

    /// Puts another file behind the stream.
    pub fn reopen(&mut self, document: Document) {
        *self = Stream::new(Device::Document(document));
    }

    /// The next byte.
    pub fn next(&mut self) -> Option<u8> {
        if let Some(byte) = self.pushed.pop() {
            return Some(byte);
        }
        // glibc does not look again for more input after the end.
        if self.ended {
            return None;
        }
        let byte = match &mut self.device {
            Device::Feed(feed) => feed.next(),
            Device::Document(document) if document.readable() => document.next(),
            _ => {
                self.failed = true;
                return None;
            }
        };
        self.ended = byte.is_none();
        byte
    }

    /// Makes `bytes` all that standard input has; what was read stays read.
    pub fn set_input(&mut self, bytes: &[u8]) {
        if let Device::Feed(feed) = &self.device {
            feed.set(bytes);
        }
    }

    /// How much of standard input is left, if that can be told.
    pub fn left(&self) -> Option<usize> {
        match &self.device {
            Device::Feed(feed) => Some(feed.end()?.saturating_sub(feed.tell()?) + self.pushed.len()),
            _ => None,
        }
    }

    /// Gives a byte back.
    pub fn push_back(&mut self, byte: u8) {
        self.ended = false;
        // The byte that was read last is simply read again, as in glibc.
        if let (Device::Feed(feed), true) = (&mut self.device, self.pushed.is_empty())
            && feed.step_back(byte)
        {
            return;
        }
        self.pushed.push(byte);
    }

    /// Where the next byte is read or written; `None` if it cannot be told.
    pub fn tell(&mut self) -> Option<u64> {
        let position = match &mut self.device {
            Device::Feed(feed) => feed.tell()?,
            Device::Document(document) => document.position(),
            _ => return None,
        };
        Some((position as u64).saturating_sub(self.pushed.len() as u64))
    }

    /// Goes to a place counted from the start (0), from here (1) or from the end (2).
    pub fn seek(&mut self, offset: i64, whence: u64) -> bool {
        let here = self.tell();
        let moved = match &mut self.device {
            Device::Feed(feed) => target(offset, whence, here, feed.end()).map(|to| feed.go(to)),
            Device::Document(document) => target(offset, whence, here, Some(document.len())).map(|to| document.go(to)),
            _ => None,
        };
        if moved.is_some() {
            self.pushed.clear();
            self.ended = false;
        }
        moved.is_some()
    }
}

fn target(offset: i64, whence: u64, here: Option<u64>, end: Option<usize>) -> Option<usize> {
    let base = match whence {
        0 => end.map(|_| 0)?,
        1 => here? as i64,
        2 => end? as i64,
        _ => return None,
    };
    usize::try_from(base.checked_add(offset)?).ok()
}
