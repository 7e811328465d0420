//! The memory of the program as the operating system shows it.
//!
//! gdb holds the program; while it stands still its memory can be read and
//! written directly, which is much faster than asking gdb for it.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use crate::ExecuteError;

/// A process that gdb has stopped.
#[derive(Debug)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    memory: File,
}

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// Whether the program can read it.
    pub readable: bool,
    /// Whether the program can write it.
    pub writable: bool,
    /// Whether the program can execute it.
    pub executable: bool,
    /// Whether other processes see what is written.
    pub shared: bool,
    /// Offset in the file it comes from.
    pub offset: u64,
    /// The file it comes from, `[stack]`, or nothing.
    pub name: String,
}

impl Process {
    /// Opens the memory of a process.
    pub fn open(pid: i32) -> Result<Process, ExecuteError> {
        let path = format!("/proc/{pid}/mem");
        let memory = File::options().read(true).write(true).open(&path);
        let memory = memory.map_err(|error| ExecuteError::Io { what: format!("opening {path}"), error })?;
        Ok(Process { pid, memory })
    }

    /// Reads up to `length` bytes; fewer where memory ends.
    pub fn read(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while filled < length {
            match self.memory.read_at(&mut bytes[filled..], address.wrapping_add(filled as u64)) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        bytes.truncate(filled);
        bytes
    }

    /// Reads consecutive 64-bit numbers, as many as there are.
    pub fn read_words(&self, address: u64, count: usize) -> Vec<u64> {
        words(&self.read(address, count * 8)).collect()
    }

    /// Writes bytes.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), ExecuteError> {
        let what = || format!("writing the program's memory at {address:#x}");
        self.memory.write_all_at(bytes, address).map_err(|error| ExecuteError::Io { what: what(), error })
    }

    /// All its memory.
    pub fn mappings(&self) -> Vec<Mapping> {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap_or_default();
        text.lines().filter_map(parse_mapping).collect()
    }

    /// Its open regular files with their positions.
    pub fn file_positions(&self) -> Vec<(u32, u64)> {
        let Ok(files) = std::fs::read_dir(format!("/proc/{}/fd", self.pid)) else { return Vec::new() };
        let number = |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
        let mut positions: Vec<(u32, u64)> =
            files.filter_map(number).filter_map(|file| Some((file, self.file_position(file)?))).collect();
        positions.sort_unstable();
        positions
    }

    /// The position in an open regular file.
    pub fn file_position(&self, file: u32) -> Option<u64> {
        let is_file = std::fs::metadata(format!("/proc/{}/fd/{file}", self.pid)).ok()?.is_file();
        let info = std::fs::read_to_string(format!("/proc/{}/fdinfo/{file}", self.pid)).ok()?;
        let position = info.lines().find_map(|line| line.strip_prefix("pos:"))?;
        position.trim().parse().ok().filter(|_| is_file)
    }

    /// Whether it still exists, so that it has memory at an address where it always had.
    pub fn has_memory(&self, address: u64) -> bool {
        !self.read(address, 1).is_empty()
    }
}

/// Bytes as 64-bit numbers.
pub fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes")))
}

/// `7ffff7fc9000-7ffff7fcb000 r-xp 00000000 00:00 0    [vdso]`
fn parse_mapping(line: &str) -> Option<Mapping> {
    let mut parts = line.splitn(6, ' ');
    let (range, flags, offset) = (parts.next()?, parts.next()?, parts.next()?);
    let name = parts.nth(2).unwrap_or("").trim_start().to_string();
    let (start, end) = range.split_once('-')?;
    let hex = |text| u64::from_str_radix(text, 16).ok();
    Some(Mapping {
        range: hex(start)?..hex(end)?,
        readable: flags.starts_with('r'),
        writable: flags.as_bytes().get(1) == Some(&b'w'),
        executable: flags.as_bytes().get(2) == Some(&b'x'),
        shared: flags.ends_with('s'),
        offset: hex(offset)?,
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_maps_is_read() {
        let line = "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]";
        let mapping = parse_mapping(line).expect("a mapping");
        assert_eq!(mapping.range, 0x7ffffffde000..0x7ffffffff000);
        assert!(mapping.readable && mapping.writable && !mapping.executable && !mapping.shared);
        assert_eq!(mapping.name, "[stack]");
        assert_eq!(parse_mapping("nonsense"), None);
    }

    #[test]
    fn a_process_reads_itself() {
        let here = Process::open(std::process::id() as i32).expect("own memory");
        let bytes = *b"wolverine";
        assert_eq!(here.read(bytes.as_ptr() as u64, bytes.len()), bytes);
        assert!(here.read(0, 8).is_empty());
        assert!(here.has_memory(bytes.as_ptr() as u64) && !here.has_memory(0));
    }
}
