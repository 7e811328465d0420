//! The cells of a machine, and which of them a run depends on.
//!
//! A search often wants to know what would come of writing one cell. If the run
//! that goes on without that never reads the cell, nothing comes of it but the
//! new value: with `q` never read from here on, `q = p` is not worth a run. So
//! the first use of each cell can be written down ([`Store::watch`]).

use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::cell::Cell;

/// All cells of a machine: those of objects, and those of calls.
#[derive(Clone, Debug, Default)]
pub struct Store {
    cells: Vec<Cell>,
    watch: Option<Arc<Watch>>,
}

/// How each cell was used first since the watch began; shared by all copies of the machine.
#[derive(Debug)]
pub struct Watch(Vec<AtomicU8>);

/// How a cell was used first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstUse {
    /// Not at all.
    Nothing,
    /// It was read.
    Read,
    /// It was written, or is gone.
    Write,
}

const NOTHING: u8 = 0;
const READ: u8 = 1;
const WRITE: u8 = 2;

impl Watch {
    fn note(&self, at: usize, what: u8) {
        if let Some(first) = self.0.get(at)
            && first.load(Ordering::Relaxed) == NOTHING
        {
            first.store(what, Ordering::Relaxed);
        }
    }

    /// How a cell was used first.
    pub fn first_use(&self, at: u32) -> FirstUse {
        match self.0.get(at as usize).map(|first| first.load(Ordering::Relaxed)) {
            Some(READ) => FirstUse::Read,
            Some(NOTHING) => FirstUse::Nothing,
            _ => FirstUse::Write,
        }
    }
}

impl Store {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells. To look at them is no use that a watch writes down.
    pub fn all(&self) -> &[Cell] {
        &self.cells
    }

    /// Makes the number of cells larger; new ones were never written.
    pub fn extend_to(&mut self, length: usize) {
        self.cells.resize(length, Cell::Unset);
    }

    /// Takes away the cells behind the first so many.
    pub fn truncate(&mut self, length: usize) {
        if let Some(watch) = &self.watch {
            (length..self.cells.len()).for_each(|at| watch.note(at, WRITE));
        }
        self.cells.truncate(length);
    }

    /// Cells that are filled in before a run begins.
    pub fn range_mut(&mut self, range: Range<usize>) -> &mut [Cell] {
        &mut self.cells[range]
    }

    /// From now on the first use of each cell is written down, in this machine and its copies.
    pub fn watch(&mut self) -> Arc<Watch> {
        let watch = Arc::new(Watch(self.cells.iter().map(|_| AtomicU8::new(NOTHING)).collect()));
        self.watch = Some(watch.clone());
        watch
    }

    /// Whether uses are written down.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }
}

impl From<Vec<Cell>> for Store {
    fn from(cells: Vec<Cell>) -> Store {
        Store { cells, watch: None }
    }
}

impl PartialEq for Store {
    fn eq(&self, other: &Store) -> bool {
        self.cells == other.cells
    }
}

impl Index<usize> for Store {
    type Output = Cell;

    fn index(&self, at: usize) -> &Cell {
        if let Some(watch) = &self.watch {
            watch.note(at, READ);
        }
        &self.cells[at]
    }
}

impl IndexMut<usize> for Store {
    fn index_mut(&mut self, at: usize) -> &mut Cell {
        if let Some(watch) = &self.watch {
            watch.note(at, WRITE);
        }
        &mut self.cells[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_use_counts() {
        let mut store = Store::from(vec![Cell::Int(0); 5]);
        let watch = store.watch();
        store[1] = store[0];
        let _ = store[1];
        store[0] = Cell::Int(2);
        let _ = store.all()[2];
        store.truncate(4);
        store.extend_to(5);
        let _ = store[4];
        let uses: Vec<FirstUse> = (0..6).map(|at| watch.first_use(at)).collect();
        use FirstUse::{Nothing, Read, Write};
        assert_eq!(uses, [Read, Write, Nothing, Nothing, Write, Write]);
    }
}
