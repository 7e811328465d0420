//! Remembers a moment of the program and goes back to it.
//!
//! A checkpoint is a copy of everything the program can write, its registers,
//! the positions of its files and its output. A program that is
//! over still stands before its very end, so it can be taken back too. Pages
//! that did not change since the last checkpoint are shared with it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::GdbExecutor;
use super::evaluate::Pending;
use super::frames::Registers;
use super::heap::Header;
use super::mi::Values;
use super::process::Process;
use crate::{CheckpointId, ExecuteError, Stop};

const PAGE: u64 = 4096;
/// So much of what calls have left below the end of the stack is remembered:
/// a program that uses variables it never wrote does the same again.
const STACK_BELOW: u64 = 256 << 10;
/// More writable memory than this is not remembered.
const LARGEST: u64 = 4 << 30;

/// A remembered moment.
#[derive(Debug)]
pub struct Checkpoint {
    position: Stop,
    registers: Registers,
    pending: Vec<Pending>,
    all_registers: Values,
    pages: BTreeMap<u64, Arc<[u8]>>,
    header: Header,
    file_positions: Vec<(u32, u64)>,
    output: Arc<[u8]>,
    errors: Arc<[u8]>,
    /// How often the input had been changed.
    input_changes: u32,
}

impl GdbExecutor {
    /// Remembers this moment.
    pub(super) fn take_checkpoint(&mut self) -> Result<CheckpointId, ExecuteError> {
        if self.position == Stop::Interrupted {
            // In the middle of a statement also the registers of floating values are in use.
            self.call_shim("wolverine_save_vectors", &[])?;
        }
        let all_registers = self.client.command("-wolverine-save")?;
        let header = Header::read(&self.process, self.heap_address).unwrap_or_default();
        let ranges = self.writable(&header);
        if ranges.iter().map(|range| range.end - range.start).sum::<u64>() > LARGEST {
            let sentence = "the program uses more than 4 GiB of memory, too much to remember";
            return Err(ExecuteError::NotHere(sentence.into()));
        }
        let before = self.checkpoints.iter().rev().flatten().next();
        let pages = read_pages(&self.process, &ranges, before.map(|before| &before.pages));
        let output = share(self.files.output()?, before.map(|before| &before.output));
        let errors = share(self.files.errors()?, before.map(|before| &before.errors));
        let checkpoint = Checkpoint {
            position: self.position.clone(),
            registers: self.registers,
            pending: self.pending.clone(),
            all_registers,
            pages,
            header,
            file_positions: self.process.file_positions(),
            output,
            errors,
            input_changes: self.input_changes,
        };
        self.checkpoints.push(Some(checkpoint));
        Ok(CheckpointId(self.checkpoints.len() as u32 - 1))
    }

    /// Before the user changes a constant: remembers the page it is in, which
    /// no checkpoint has.
    pub(super) fn keep_constants(&mut self, address: u64, length: u64) {
        let mappings = self.process.mappings();
        let is_constant = |page: u64| mappings.iter().any(|m| m.range.contains(&page) && !m.writable);
        for page in pages_of(address..address + length).step_by(PAGE as usize) {
            if is_constant(page) && !self.constants.contains_key(&page) {
                self.constants.insert(page, self.process.read(page, PAGE as usize).into());
            }
        }
    }

    /// What the program can write, in whole pages: of the heap's reservations
    /// only what is used, of the stack little of what is below its end.
    fn writable(&self, header: &Header) -> Vec<Range<u64>> {
        let reserved = [
            (header.arena, header.end, header.next),
            (header.blocks, header.blocks + header.limit * 24, header.blocks + header.count * 24),
            (header.freed, header.freed + header.limit, header.freed + header.count),
        ];
        let mut ranges: Vec<Range<u64>> = reserved.iter().map(|&(start, _, used)| pages_of(start..used)).collect();
        ranges.extend(self.constants.keys().map(|&page| page..page + PAGE));
        for mapping in self.process.mappings() {
            if !mapping.writable || !mapping.readable || mapping.shared {
                continue;
            }
            let range = mapping.range;
            if range.end == self.stack_end {
                ranges.push(stack_part(range, self.registers.sp));
                continue;
            }
            // The kernel may show neighbouring reservations as one mapping.
            ranges.extend(without(range, reserved.map(|(start, end, _)| start..end)));
        }
        ranges
    }

    /// The part of the stack that was not there at a moment.
    fn stack_since(&self, checkpoint: &Checkpoint) -> Range<u64> {
        let mappings = self.process.mappings();
        let stack = mappings.into_iter().find(|mapping| mapping.range.end == self.stack_end);
        let now = stack.map_or(0..0, |stack| stack_part(stack.range, checkpoint.registers.sp));
        let known = checkpoint.pages.range(now.clone()).next().map_or(now.start, |(&page, _)| page);
        now.start..known
    }

    /// Goes back to a remembered moment.
    pub(super) fn go_back_to(&mut self, id: CheckpointId) -> Result<(), ExecuteError> {
        let kept = self.checkpoints.get(id.0 as usize).and_then(Option::as_ref);
        let checkpoint = kept.ok_or_else(|| id.missing())?;
        let now = Header::read(&self.process, self.heap_address).unwrap_or_default();
        clear(&self.process, checkpoint.header.next..now.next)?;
        clear(&self.process, self.stack_since(checkpoint))?;
        let lost = write_pages(&self.process, &checkpoint.pages);
        for (page, bytes) in self.constants.iter().filter(|(page, _)| !checkpoint.pages.contains_key(page)) {
            self.process.write(*page, bytes)?;
        }
        let changed_input = checkpoint.input_changes != self.input_changes;
        let load = load_command(&checkpoint.all_registers);
        let (position, registers) = (checkpoint.position.clone(), checkpoint.registers);
        let pending = checkpoint.pending.clone();
        let file_positions = checkpoint.file_positions.clone();
        let (output, errors) = (checkpoint.output.clone(), checkpoint.errors.clone());
        self.heap.forget_after(checkpoint.header.count as usize);
        self.leave_position();
        self.client.command(&load)?;
        self.bring_back(id, &lost)?;
        self.seek(&file_positions)?;
        self.files.rewrite(&output, &errors)?;
        (self.position, self.registers, self.pending) = (position, registers, pending);
        if changed_input {
            self.drop_ahead()?;
        }
        if self.position == Stop::Interrupted {
            self.call_shim("wolverine_load_vectors", &[])?;
        }
        Ok(())
    }

    /// Maps memory again that the program gave back since, and fills it.
    fn bring_back(&mut self, id: CheckpointId, lost: &[u64]) -> Result<(), ExecuteError> {
        for &page in lost {
            self.call_shim("wolverine_map", &[page, PAGE])?;
            let Some(checkpoint) = &self.checkpoints[id.0 as usize] else { return Err(id.missing()) };
            let bytes = checkpoint.pages[&page].clone();
            self.process.write(page, &bytes)?;
        }
        Ok(())
    }

    /// Sets the positions of the program's files, the captured output left out:
    /// that is always appended to.
    fn seek(&mut self, wanted: &[(u32, u64)]) -> Result<(), ExecuteError> {
        let now = self.process.file_positions();
        for &(file, position) in wanted {
            let is_output = matches!(file, 1 | 2);
            if !is_output && now.iter().any(|&(other, at)| other == file && at != position) {
                self.call_shim("wolverine_seek", &[file.into(), position])?;
            }
        }
        Ok(())
    }

    pub(super) fn call_shim(&mut self, name: &str, arguments: &[u64]) -> Result<(), ExecuteError> {
        let function = self.image.elf.function_named(name);
        let function = function.ok_or_else(|| ExecuteError::Died(format!("the function {name} is not there")))?;
        let arguments: Vec<String> = arguments.iter().map(u64::to_string).collect();
        let command = format!("-wolverine-call {function} {}", arguments.join(" "));
        let values = self.client.run_shortly(&command)?;
        match values.get("reason").and_then(|reason| reason.text()) {
            Some("called") => Ok(()),
            _ => Err(ExecuteError::Died("the program cannot be taken back; start it again".into())),
        }
    }
}

/// Bytes, shared with the last checkpoint if they are the same.
fn share(bytes: Vec<u8>, before: Option<&Arc<[u8]>>) -> Arc<[u8]> {
    before.filter(|before| ***before == *bytes).cloned().unwrap_or_else(|| bytes.into())
}

fn load_command(registers: &Values) -> String {
    let mut command = String::from("-wolverine-load");
    for (name, value) in registers {
        command.push_str(&format!(" {name}={}", value.text().unwrap_or("0")));
    }
    command
}

/// What is remembered of a stack with its end at `sp`.
fn stack_part(stack: Range<u64>, sp: u64) -> Range<u64> {
    pages_of(sp.saturating_sub(STACK_BELOW).clamp(stack.start, stack.end)..stack.end)
}

/// The pages that a range touches.
fn pages_of(range: Range<u64>) -> Range<u64> {
    let start = range.start / PAGE * PAGE;
    start..range.end.max(range.start).div_ceil(PAGE) * PAGE
}

/// A range without others.
fn without(range: Range<u64>, others: [Range<u64>; 3]) -> Vec<Range<u64>> {
    let mut parts = vec![range];
    for other in others.map(pages_of).iter().filter(|other| other.start < other.end) {
        let cut = |part: Range<u64>| {
            let before = part.start..part.end.min(other.start);
            let after = part.start.max(other.end)..part.end;
            [before, after].into_iter().filter(|part| part.start < part.end)
        };
        parts = parts.into_iter().flat_map(cut).collect();
    }
    parts
}

fn read_pages(
    process: &Process,
    ranges: &[Range<u64>],
    before: Option<&BTreeMap<u64, Arc<[u8]>>>,
) -> BTreeMap<u64, Arc<[u8]>> {
    let mut pages = BTreeMap::new();
    for range in ranges {
        let bytes = process.read(range.start, (range.end - range.start) as usize);
        for (i, page) in bytes.chunks_exact(PAGE as usize).enumerate() {
            let address = range.start + i as u64 * PAGE;
            let same = before.and_then(|before| before.get(&address)).filter(|old| ***old == *page);
            pages.insert(address, same.cloned().unwrap_or_else(|| page.into()));
        }
    }
    pages
}

/// Writes the pages that differ from what is there; the answer is the pages that are not there.
fn write_pages(process: &Process, pages: &BTreeMap<u64, Arc<[u8]>>) -> Vec<u64> {
    let mut lost = Vec::new();
    for (start, count) in runs(pages) {
        let now = process.read(start, (count * PAGE) as usize);
        for (&address, page) in pages.range(start..start + count * PAGE) {
            let at = (address - start) as usize;
            let is_same = now.get(at..at + PAGE as usize).is_some_and(|now| *now == **page);
            if !is_same && process.write(address, page).is_err() {
                lost.push(address);
            }
        }
    }
    lost
}

/// Neighbouring pages, as first address and number.
fn runs(pages: &BTreeMap<u64, Arc<[u8]>>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &address in pages.keys() {
        match runs.last_mut() {
            Some((start, count)) if *start + *count * PAGE == address => *count += 1,
            _ => runs.push((address, 1)),
        }
    }
    runs
}

/// What was allocated since was zero before.
fn clear(process: &Process, range: Range<u64>) -> Result<(), ExecuteError> {
    const CHUNK: u64 = 1 << 20;
    let mut at = range.start;
    while at < range.end {
        let length = CHUNK.min(range.end - at);
        process.write(at, &vec![0; length as usize])?;
        at += length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservations_are_cut_out() {
        let parts = without(0..0x10000, [0x2000..0x4000, 0x8000..0x9000, 0..0]);
        assert_eq!(parts, [0..0x2000, 0x4000..0x8000, 0x9000..0x10000]);
        assert_eq!(without(0x2000..0x3000, [0x2000..0x4000, 0..0, 0..0]), Vec::<Range<u64>>::new());
    }

    #[test]
    fn neighbouring_pages_are_read_together() {
        let page: Arc<[u8]> = vec![0; PAGE as usize].into();
        let pages = BTreeMap::from([(0, page.clone()), (PAGE, page.clone()), (3 * PAGE, page)]);
        assert_eq!(runs(&pages), [(0, 2), (3 * PAGE, 1)]);
    }
}
