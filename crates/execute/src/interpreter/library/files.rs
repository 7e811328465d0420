//! Files that the program opens itself.
//!
//! The contents are kept in memory, so that a checkpoint can hold them, and
//! are written back when the program flushes or closes the file or ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Files do not grow beyond this.
const LARGEST: usize = 1 << 30;
/// Of a device, which may have no end, this much is read.
const MOST_OF_DEVICE: u64 = 1 << 16;

/// An open file.
#[derive(Clone, Debug)]
pub(super) struct Document {
    path: PathBuf,
    mode: Mode,
    contents: Arc<Vec<u8>>,
    position: usize,
    changed: bool,
    /// It is a file on disk, not a device.
    regular: bool,
}

/// What `fopen`'s second argument says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    kind: u8,
    update: bool,
    exclusive: bool,
}

impl Mode {
    /// Reads `r`, `w` or `a`, and what follows it.
    pub fn parse(text: &[u8]) -> Option<Mode> {
        let (&kind, rest) = text.split_first()?;
        matches!(kind, b'r' | b'w' | b'a').then(|| Mode {
            kind,
            update: rest.contains(&b'+'),
            exclusive: kind == b'w' && rest.contains(&b'x'),
        })
    }

    fn options(self) -> OpenOptions {
        let mut options = File::options();
        options.read(self.update || self.kind == b'r');
        match self.kind {
            b'r' => options.write(self.update),
            b'a' => options.append(true).create(true),
            _ if self.exclusive => options.write(true).create_new(true),
            _ => options.write(true).create(true).truncate(true),
        };
        options
    }
}

impl Document {
    /// Opens a file.
    pub fn open(path: PathBuf, mode: Mode) -> io::Result<Document> {
        let file = mode.options().open(&path)?;
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let regular = data.is_file();
        let contents = match mode.kind {
            b'w' => Vec::new(),
            // A file opened for appending cannot always be read through the same handle.
            _ if regular => fs::read(&path).unwrap_or_default(),
            b'r' => {
                let mut bytes = Vec::new();
                file.take(MOST_OF_DEVICE).read_to_end(&mut bytes)?;
                bytes
            }
            _ => Vec::new(),
        };
        Ok(Document { path, mode, contents: Arc::new(contents), position: 0, changed: false, regular })
    }

    /// Whether it may be read.
    pub fn readable(&self) -> bool {
        self.mode.kind == b'r' || self.mode.update
    }

    /// The next byte.
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.contents.get(self.position).copied()?;
        self.position += 1;
        Some(byte)
    }

    /// Writes; false if it is not open for writing, or grows too large.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        if self.mode.kind == b'r' && !self.mode.update {
            return false;
        }
        let start = if self.mode.kind == b'a' { self.contents.len() } else { self.position };
        let end = start.saturating_add(bytes.len());
        if end > LARGEST {
            return false;
        }
        let contents = Arc::make_mut(&mut self.contents);
        contents.resize(contents.len().max(end), 0);
        contents[start..end].copy_from_slice(bytes);
        self.position = end;
        self.changed = true;
        true
    }

    /// Where the next byte is read or written.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes to a position.
    pub fn go(&mut self, position: usize) {
        self.position = position;
    }

    /// The length of the contents.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// Writes the contents to disk, if they changed.
    pub fn flush(&mut self) -> bool {
        if !self.changed {
            return true;
        }
        self.changed = false;
        if self.regular {
            return fs::write(&self.path, &*self.contents).is_ok();
        }
        // What a device got it has got: it is not written there again.
        let bytes = std::mem::take(&mut self.contents);
        self.position = 0;
        File::options().write(true).open(&self.path).and_then(|mut file| file.write_all(&bytes)).is_ok()
    }
}
