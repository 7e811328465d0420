//! Library functions that call the program back: `qsort`, `bsearch`, `atexit`.
//!
//! They call in the same order as glibc's, so that a comparison function sees
//! the same sequence of elements in every executor.

use super::memory::{Memory, Trouble};

/// A library function in the middle of its work.
#[derive(Clone, Debug)]
pub enum Callback {
    /// `qsort`
    Sort(Sort),
    /// `bsearch`
    Search(Search),
    /// What `exit` calls at the end.
    Exit {
        /// The exit status.
        status: i32,
    },
}

/// What a library function does next.
pub enum Next {
    /// Calls a function of the program with these arguments.
    Call(u64, Vec<u64>),
    /// Returns this.
    Done(u64),
    /// Goes on with the end of the program.
    Exit(i32),
}

impl Callback {
    /// Goes on, given the result of the last call back (anything before the first).
    pub fn next(&mut self, memory: &mut Memory, result: u64) -> Result<Next, Trouble> {
        match self {
            Callback::Sort(sort) => sort.next(memory, result),
            Callback::Search(search) => Ok(search.next(result)),
            Callback::Exit { status } => Ok(Next::Exit(*status)),
        }
    }
}

/// `qsort(base, count, size, compare)`
pub fn sort(base: u64, count: u64, size: u64, compare: u64) -> Callback {
    let mut merges = Vec::new();
    if count < 1 << 32 {
        plan(0, count as usize, &mut merges);
    }
    let items = (0..if count < 1 << 32 { count } else { 0 }).map(|i| base + i * size).collect();
    Callback::Sort(Sort {
        base,
        size,
        compare,
        merges,
        at: 0,
        left: 0,
        right: 0,
        merged: Vec::new(),
        items,
        waiting: false,
    })
}

/// The merges of glibc's merge sort, in order: start, middle, end.
fn plan(start: usize, count: usize, merges: &mut Vec<(usize, usize, usize)>) {
    if count > 1 {
        plan(start, count / 2, merges);
        plan(start + count / 2, count - count / 2, merges);
        merges.push((start, start + count / 2, start + count));
    }
}

/// glibc's merge sort. Elements of more than 32 bytes are sorted by their
/// addresses first and moved at the end.
#[derive(Clone, Debug)]
pub struct Sort {
    base: u64,
    size: u64,
    compare: u64,
    merges: Vec<(usize, usize, usize)>,
    /// The merge under way.
    at: usize,
    left: usize,
    right: usize,
    /// Where the merged elements come from.
    merged: Vec<usize>,
    /// The address of each element to be compared.
    items: Vec<u64>,
    waiting: bool,
}

impl Sort {
    fn next(&mut self, memory: &mut Memory, result: u64) -> Result<Next, Trouble> {
        if self.waiting {
            self.take((result as i32) <= 0);
            self.waiting = false;
        }
        while let Some(&(start, middle, end)) = self.merges.get(self.at) {
            if self.merged.is_empty() && self.left == self.right {
                (self.left, self.right) = (start, middle);
            }
            if self.left < middle && self.right < end {
                self.waiting = true;
                return Ok(Next::Call(self.compare, vec![self.items[self.left], self.items[self.right]]));
            }
            self.merged.extend(self.left..middle);
            self.apply(memory, start)?;
            (self.left, self.right) = (0, 0);
            self.at += 1;
        }
        if self.size > 32 {
            self.move_all(memory)?;
        }
        Ok(Next::Done(0))
    }

    fn take(&mut self, left: bool) {
        let from = if left { &mut self.left } else { &mut self.right };
        self.merged.push(*from);
        *from += 1;
    }

    /// Puts the merged elements in their places; what is left on the right is there already.
    fn apply(&mut self, memory: &mut Memory, start: usize) -> Result<(), Trouble> {
        let merged = std::mem::take(&mut self.merged);
        if self.size > 32 {
            let addresses: Vec<u64> = merged.iter().map(|&i| self.items[i]).collect();
            self.items[start..start + addresses.len()].copy_from_slice(&addresses);
            return Ok(());
        }
        let sources: Vec<u64> = merged.iter().map(|&i| self.items[i]).collect();
        permute(memory, &sources, self.base + start as u64 * self.size, self.size)
    }

    fn move_all(&mut self, memory: &mut Memory) -> Result<(), Trouble> {
        permute(memory, &self.items, self.base, self.size)
    }
}

/// Writes the elements at `sources` one after another from `to` on.
fn permute(memory: &mut Memory, sources: &[u64], to: u64, size: u64) -> Result<(), Trouble> {
    let mut elements = Vec::new();
    for &source in sources {
        let (bytes, written) = memory.raw(source, size as usize)?;
        elements.push((bytes.to_vec(), written.to_vec()));
    }
    for (i, (bytes, written)) in elements.iter().enumerate() {
        memory.write_partly(to + i as u64 * size, bytes, written)?;
    }
    Ok(())
}

/// `bsearch(key, base, count, size, compare)`
pub fn search(key: u64, base: u64, count: u64, size: u64, compare: u64) -> Callback {
    Callback::Search(Search { key, base, size, compare, low: 0, high: count, waiting: false })
}

/// glibc's binary search.
#[derive(Clone, Debug)]
pub struct Search {
    key: u64,
    base: u64,
    size: u64,
    compare: u64,
    low: u64,
    high: u64,
    waiting: bool,
}

impl Search {
    fn next(&mut self, result: u64) -> Next {
        let middle = self.low + (self.high - self.low) / 2;
        let element = self.base.wrapping_add(middle.wrapping_mul(self.size));
        if self.waiting {
            match (result as i32).signum() {
                -1 => self.high = middle,
                1 => self.low = middle + 1,
                _ => return Next::Done(element),
            }
        }
        if self.low >= self.high {
            return Next::Done(0);
        }
        self.waiting = true;
        let middle = self.low + (self.high - self.low) / 2;
        Next::Call(self.compare, vec![self.key, self.base.wrapping_add(middle.wrapping_mul(self.size))])
    }
}
