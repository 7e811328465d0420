//! Where `scanf` reads from: a stream or a text.

use super::super::memory::Trouble;
use super::streams::Stream;

/// Where characters come from.
pub(super) trait Source {
    /// The next character.
    fn next(&mut self) -> Option<u8>;
    /// Gives the last character back.
    fn back(&mut self, byte: u8);
}

impl Source for Stream {
    fn next(&mut self) -> Option<u8> {
        Stream::next(self)
    }

    fn back(&mut self, byte: u8) {
        self.push_back(byte);
    }
}

/// A text in memory.
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    /// At the start of the text.
    pub fn new(bytes: &'a [u8]) -> Self {
        Text { bytes, at: 0 }
    }
}

impl Source for Text<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn back(&mut self, _: u8) {
        self.at -= 1;
    }
}

/// A source that counts.
pub(super) struct Reader<'a> {
    source: &'a mut dyn Source,
    count: u64,
}

impl<'a> Reader<'a> {
    /// Nothing is read yet.
    pub fn new(source: &'a mut dyn Source) -> Self {
        Reader { source, count: 0 }
    }

    /// How many characters were read.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The next character.
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.source.next();
        self.count += u64::from(byte.is_some());
        byte
    }

    /// Gives the last character back, if there was one.
    pub fn back(&mut self, byte: Option<u8>) {
        if let Some(byte) = byte {
            self.source.back(byte);
            self.count -= 1;
        }
    }
}

/// Why a scan ends before its format.
pub(super) enum Halt {
    /// The input is over.
    End,
    /// The input does not fit.
    Mismatch,
    /// The program is wrong.
    Trouble(Trouble),
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Self {
        Halt::Trouble(trouble)
    }
}
