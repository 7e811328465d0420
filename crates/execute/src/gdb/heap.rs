//! The heap as the shim's table tells it.

use ir::StepId;

use super::lines::StepMap;
use super::process::{Process, words};

/// The fields of the shim's `struct wolverine_heap`, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// First byte of the reservation.
    pub arena: u64,
    /// First byte that was not handed out yet.
    pub next: u64,
    /// End of the reservation.
    pub end: u64,
    /// Address of the table of blocks.
    pub blocks: u64,
    /// Address of the marks of freed blocks.
    pub freed: u64,
    /// Number of blocks.
    pub count: u64,
    /// Room in the table.
    pub limit: u64,
    /// Why the shim ended the program: 1 freed twice, 2 freed what is no block, 3 assertion.
    pub reason: u64,
    /// What was freed, or the text of the assertion.
    pub culprit: u64,
    /// Address of `_exit`.
    pub exit_function: u64,
    /// The arguments of `main`.
    pub argument_count: u64,
    /// The array of arguments.
    pub arguments: u64,
    /// Standard input's `FILE`, or 0 where its parts are not known.
    pub input: u64,
}

const FIELDS: usize = 13;

impl Header {
    /// A program that writes where it should not may write here too. Every
    /// block takes 16 bytes at least.
    fn is_sound(&self) -> bool {
        let in_order = self.arena <= self.next && self.next <= self.end;
        in_order && self.count <= self.limit && self.count <= (self.next - self.arena) / 16
    }

    /// Reads the table's head at `address`.
    pub fn read(process: &Process, address: u64) -> Option<Header> {
        let words: [u64; FIELDS] = process.read_words(address, FIELDS).try_into().ok()?;
        let [arena, next, end, blocks, freed, count, limit, reason, culprit, ..] = words;
        let [.., exit_function, argument_count, arguments, input] = words;
        Some(Header {
            arena,
            next,
            end,
            blocks,
            freed,
            count,
            limit,
            reason,
            culprit,
            exit_function,
            argument_count,
            arguments,
            input,
        })
    }
}

/// A block as it was allocated; this never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Its address.
    pub address: u64,
    /// Its size.
    pub size: u64,
    /// The statement that asked for it.
    pub step: Option<StepId>,
}

/// All blocks that were ever allocated. Only new ones are read again.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// The table's head.
    pub header: Header,
    /// The blocks; block number n is at n - 1.
    pub allocations: Vec<Allocation>,
    /// For each block: not 0 if it was freed.
    pub freed: Vec<u8>,
}

impl Heap {
    /// Brings it up to date.
    pub fn refresh(&mut self, process: &Process, address: u64, steps: &StepMap) {
        let header = Header::read(process, address);
        self.header = header.filter(Header::is_sound).unwrap_or_default();
        let count = self.header.count as usize;
        self.allocations.truncate(count);
        let known = self.allocations.len();
        let fresh = process.read(self.header.blocks + known as u64 * 24, (count - known) * 24);
        let fresh: Vec<u64> = words(&fresh).collect();
        self.allocations.extend(fresh.chunks_exact(3).map(|entry| {
            let step = steps.step_at(entry[2].wrapping_sub(1));
            Allocation { address: entry[0], size: entry[1], step }
        }));
        self.freed = process.read(self.header.freed, self.allocations.len());
    }

    /// After going back in time newer blocks never were.
    pub fn forget_after(&mut self, count: usize) {
        self.allocations.truncate(count);
    }

    /// Whether an address is in the reservation.
    pub fn contains(&self, address: u64) -> bool {
        (self.header.arena..self.header.end).contains(&address)
    }

    /// The last block that begins at or before an address, from 0.
    pub fn index_before(&self, address: u64) -> Option<usize> {
        self.allocations.partition_point(|block| block.address <= address).checked_sub(1)
    }

    /// Whether a block, counted from 0, was not freed.
    pub fn is_live(&self, index: usize) -> bool {
        self.freed.get(index) == Some(&0)
    }

    /// The stretches of memory that hold the live blocks up to `largest`
    /// bytes; close ones are taken together, as one read is faster than two.
    pub fn live_ranges(&self, largest: u64) -> Vec<(u64, u64)> {
        const GAP: u64 = 4096;
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (i, block) in self.allocations.iter().enumerate() {
            if !self.is_live(i) || block.size > largest {
                continue;
            }
            let end = block.address + block.size;
            match ranges.last_mut() {
                Some(last) if block.address <= last.1 + GAP => last.1 = end,
                _ => ranges.push((block.address, end)),
            }
        }
        ranges
    }
}
