//! The program's standard input.
//!
//! The C library reads ahead, so that the position of the file alone does not
//! tell what the program has read: the library's own pointers into what it has
//! read ahead are looked at, too.

use super::GdbExecutor;
use super::heap::Header;
use crate::ExecuteError;

/// Where glibc's `FILE` has what is used here.
const FLAGS: u64 = 0;
const READ_POINTER: u64 = 8;
const READ_END: u64 = 16;
const SAVED_START: u64 = 72;
const SAVED_END: u64 = 88;
const OFFSET: u64 = 144;
/// The flag of a stream that reads characters which were given back.
const IN_BACKUP: u32 = 0x100;

/// What the C library has read ahead of the program.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    /// Where the `FILE` has the end of it, and what that must be for none.
    end: (u64, u64),
    /// How many bytes of the file.
    bytes: u64,
    /// How many characters the program gave back that are not in the file.
    given_back: u64,
}

impl GdbExecutor {
    /// Makes `bytes` the whole input.
    pub(super) fn change_input(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        self.files.write_input(bytes)?;
        self.input_changes += 1;
        self.drop_ahead()
    }

    /// How much of its input the program has not read.
    pub(super) fn count_input_left(&self) -> Option<usize> {
        let (position, size) = self.input_position()?;
        let ahead = self.ahead();
        let read = position.saturating_sub(ahead.bytes);
        Some((size.saturating_sub(read) + ahead.given_back) as usize)
    }

    /// Position and size of the file, if the program still reads from it.
    fn input_position(&self) -> Option<(u64, u64)> {
        let path = self.files.input.as_ref()?;
        let target = std::fs::read_link(format!("/proc/{}/fd/0", self.process.pid)).ok()?;
        if target != *path {
            return None;
        }
        Some((self.process.file_position(0)?, std::fs::metadata(path).ok()?.len()))
    }

    fn ahead(&self) -> Ahead {
        let header = Header::read(&self.process, self.heap_address).unwrap_or_default();
        let file = header.input;
        let word = |offset: u64| self.process.read_words(file + offset, 1).first().copied().unwrap_or(0);
        if file == 0 {
            return Ahead::default();
        }
        let between = |start: u64, end: u64| word(end).saturating_sub(word(start));
        match word(FLAGS) as u32 & IN_BACKUP {
            0 => Ahead {
                end: (file + READ_END, word(READ_POINTER)),
                bytes: between(READ_POINTER, READ_END),
                given_back: 0,
            },
            _ => Ahead {
                end: (file + SAVED_END, word(SAVED_START)),
                bytes: between(SAVED_START, SAVED_END),
                given_back: between(READ_POINTER, READ_END),
            },
        }
    }

    /// Makes the C library read again what it has read ahead.
    pub(super) fn drop_ahead(&mut self) -> Result<(), ExecuteError> {
        let Some((position, _)) = self.input_position() else { return Ok(()) };
        let ahead = self.ahead();
        if ahead.bytes == 0 {
            return Ok(());
        }
        let (end, start) = ahead.end;
        self.process.write(end, &start.to_le_bytes())?;
        // The library must not trust the position it remembers.
        let file = Header::read(&self.process, self.heap_address).unwrap_or_default().input;
        self.process.write(file + OFFSET, &u64::MAX.to_le_bytes())?;
        self.call_shim("wolverine_seek", &[0, position.saturating_sub(ahead.bytes)])
    }
}
