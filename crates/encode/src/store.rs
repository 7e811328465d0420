//! The cells of a machine, and which of them a run depends on.
//!
//! A search often wants to know what would come of writing one cell. If the run
//! that goes on without that never reads the cell, nothing comes of it but the
//! new value: with `q` never read from here on, `q = p` is not worth a run. So
//! the first use of each cell can be written down ([`Store::watch`]), or all
//! uses in their order ([`Store::log`]), which tells it from every moment on.

use std::ops::{Index, IndexMut, Range};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::cell::Cell;

/// All cells of a machine: those of objects, and those of calls.
#[derive(Debug, Default)]
pub struct Store {
    cells: Vec<Cell>,
    notes: Notes,
}

impl Clone for Store {
    fn clone(&self) -> Store {
        Store { cells: self.cells.clone(), notes: self.notes.clone() }
    }

    fn clone_from(&mut self, other: &Store) {
        self.cells.clone_from(&other.cells);
        self.notes.clone_from(&other.notes);
    }
}

/// Where uses are written down; shared by all copies of the machine.
#[derive(Clone, Debug, Default)]
enum Notes {
    #[default]
    Nowhere,
    First(Arc<Watch>),
    All(Arc<Log>),
}

/// How each cell was used first since the watch began.
#[derive(Debug)]
pub struct Watch(Vec<AtomicU8>);

/// All uses of cells since the log began, in their order.
///
/// One machine at a time writes it, but its copies share it: so it is made of
/// atomics, which cost nothing, and not behind a lock, which would take longer
/// than the instruction that is logged.
#[derive(Debug, Default)]
pub struct Log {
    length: AtomicUsize,
    /// The events; each chunk is twice as long as the one before.
    chunks: [OnceLock<Box<[AtomicU64]>>; CHUNKS],
    /// Uses cell by cell, once the run is over.
    by_cell: OnceLock<ByCell>,
}

const CHUNKS: usize = 24;
/// So many events are in the first chunk.
const FIRST_CHUNK: usize = 256;

/// The uses of each cell, in their order.
#[derive(Debug)]
struct ByCell {
    /// Where the uses of each cell begin, and where those of the last one end.
    begin: Vec<u32>,
    uses: Vec<(Moment, FirstUse)>,
}

/// So many events come before it.
pub type Moment = u32;

/// What happens in a run that is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An instruction begins.
    Begin,
    /// A cell is read.
    Read(u32),
    /// A cell is written, or is gone.
    Write(u32),
    /// What was written to this cell is only for the rest of the statement.
    Temporary(u32),
    /// What is read from now on says where the instruction writes to.
    Address,
    /// A call begins, and whether it changes nothing but its own variables.
    Call(bool),
    /// What was read is the result of a call.
    Return,
    /// The result of a call is about to be written.
    Returned,
    /// What was read decides where control goes, what exists, or what is printed.
    Decide,
}

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

impl Event {
    /// As one number: what happens, and to which cell.
    fn pack(self) -> u64 {
        let (what, of) = match self {
            Event::Begin => (0, 0),
            Event::Read(at) => (1, at),
            Event::Write(at) => (2, at),
            Event::Temporary(at) => (3, at),
            Event::Address => (4, 0),
            Event::Call(pure) => (5, u32::from(pure)),
            Event::Return => (6, 0),
            Event::Returned => (7, 0),
            Event::Decide => (8, 0),
        };
        what << 32 | u64::from(of)
    }

    fn unpack(packed: u64) -> Event {
        let of = packed as u32;
        match packed >> 32 {
            0 => Event::Begin,
            1 => Event::Read(of),
            2 => Event::Write(of),
            3 => Event::Temporary(of),
            4 => Event::Address,
            5 => Event::Call(of != 0),
            6 => Event::Return,
            7 => Event::Returned,
            _ => Event::Decide,
        }
    }
}

impl Log {
    /// The chunk that an event is in, and its number there.
    fn find(&self, number: usize) -> Option<(&[AtomicU64], usize)> {
        let chunk = (number / FIRST_CHUNK + 1).ilog2() as usize;
        let length = FIRST_CHUNK << chunk;
        let new = || (0..length).map(|_| AtomicU64::new(0)).collect();
        Some((self.chunks.get(chunk)?.get_or_init(new), number + FIRST_CHUNK - length))
    }

    /// What is too long to be written down is not; such a run tells nothing.
    fn push(&self, event: Event) {
        let length = self.length.load(Ordering::Relaxed);
        if let Some((chunk, at)) = self.find(length) {
            chunk[at].store(event.pack(), Ordering::Relaxed);
            self.length.store(length + 1, Ordering::Relaxed);
        }
    }

    /// The present moment of a run that is logged.
    pub fn now(&self) -> Moment {
        self.length.load(Ordering::Relaxed) as Moment
    }

    /// All that happened, in its order.
    pub fn each(&self, mut take: impl FnMut(Moment, Event)) {
        let chunks = self.chunks.iter().map_while(OnceLock::get).flatten();
        for (moment, event) in chunks.take(self.now() as usize).enumerate() {
            take(moment as Moment, Event::unpack(event.load(Ordering::Relaxed)));
        }
    }

    /// How a cell was used first from a moment on, and when. It is to be asked only when the run is over.
    pub fn first_use(&self, at: u32, from: Moment) -> (FirstUse, Moment) {
        let uses = self.by_cell.get_or_init(|| self.sorted()).of(at);
        let next = uses.partition_point(|(moment, _)| *moment < from);
        uses.get(next).map_or((FirstUse::Nothing, Moment::MAX), |&(moment, first)| (first, moment))
    }

    fn sorted(&self) -> ByCell {
        let mut begin: Vec<u32> = Vec::new();
        let used = |event| match event {
            Event::Read(at) => Some((at as usize, FirstUse::Read)),
            Event::Write(at) => Some((at as usize, FirstUse::Write)),
            _ => None,
        };
        self.each(|_, event| {
            if let Some((at, _)) = used(event) {
                begin.resize(begin.len().max(at + 2), 0);
                begin[at + 1] += 1;
            }
        });
        (1..begin.len()).for_each(|at| begin[at] += begin[at - 1]);
        let mut next = begin.clone();
        let mut uses = vec![(0, FirstUse::Nothing); begin.last().map_or(0, |&all| all as usize)];
        self.each(|moment, event| {
            if let Some((at, first)) = used(event) {
                uses[next[at] as usize] = (moment, first);
                next[at] += 1;
            }
        });
        ByCell { begin, uses }
    }
}

impl ByCell {
    fn of(&self, at: u32) -> &[(Moment, FirstUse)] {
        match self.begin.get(at as usize..at as usize + 2) {
            Some(&[from, to]) => &self.uses[from as usize..to as usize],
            _ => &[],
        }
    }
}

impl Notes {
    fn note(&self, at: usize, what: u8) {
        match self {
            Notes::Nowhere => {}
            Notes::First(watch) => watch.note(at, what),
            Notes::All(log) => log.push(if what == READ { Event::Read(at as u32) } else { Event::Write(at as u32) }),
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
        if self.is_watched() {
            (length..self.cells.len()).for_each(|at| self.notes.note(at, WRITE));
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
        self.notes = Notes::First(watch.clone());
        watch
    }

    /// From now on all uses of cells are written down, in this machine and its copies.
    pub fn log(&mut self) -> Arc<Log> {
        let log = Arc::new(Log::default());
        self.notes = Notes::All(log.clone());
        log
    }

    /// Where all uses are written down, if they are.
    pub fn logged(&self) -> Option<&Arc<Log>> {
        match &self.notes {
            Notes::All(log) => Some(log),
            _ => None,
        }
    }

    /// Writes down what is no use of a cell.
    pub(crate) fn note(&self, event: Event) {
        if let Notes::All(log) = &self.notes {
            log.push(event);
        }
    }

    /// From now on nothing is written down.
    pub fn forget(&mut self) {
        self.notes = Notes::Nowhere;
    }

    /// Whether uses are written down.
    pub fn is_watched(&self) -> bool {
        !matches!(self.notes, Notes::Nowhere)
    }
}

impl From<Vec<Cell>> for Store {
    fn from(cells: Vec<Cell>) -> Store {
        Store { cells, notes: Notes::Nowhere }
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
        self.notes.note(at, READ);
        &self.cells[at]
    }
}

impl IndexMut<usize> for Store {
    fn index_mut(&mut self, at: usize) -> &mut Cell {
        self.notes.note(at, WRITE);
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

    #[test]
    fn a_log_knows_the_first_use_from_every_moment_on() {
        let mut store = Store::from(vec![Cell::Int(0); 3]);
        let log = store.log();
        let _ = store[0];
        store[0] = store[1];
        let moment = log.now();
        store[0] = Cell::Int(2);
        let _ = store[0];
        use FirstUse::{Nothing, Read, Write};
        assert_eq!(log.first_use(0, 0), (Read, 0));
        assert_eq!(log.first_use(0, 1), (Write, 2));
        assert_eq!(log.first_use(0, moment), (Write, 3));
        assert_eq!(log.first_use(0, moment + 1), (Read, 4));
        assert_eq!(log.first_use(1, moment).0, Nothing);
        assert_eq!(log.first_use(2, 0).0, Nothing);
    }

    #[test]
    fn a_long_log_has_all_events_in_their_order() {
        let log = Log::default();
        let kinds = [
            Event::Begin,
            Event::Temporary(7),
            Event::Address,
            Event::Call(true),
            Event::Call(false),
            Event::Return,
            Event::Returned,
            Event::Decide,
        ];
        let event = |number: u32| match number % 10 {
            8 => Event::Read(number),
            9 => Event::Write(number),
            kind => kinds[kind as usize],
        };
        let last = 4 * FIRST_CHUNK as u32 + 3;
        (0..last).for_each(|number| log.push(event(number)));
        let mut next = 0;
        log.each(|moment, found| {
            assert_eq!((moment, found), (next, event(next)));
            next += 1;
        });
        assert_eq!((next, log.now()), (last, last));
        assert_eq!(log.first_use(508, 0), (FirstUse::Read, 508));
        assert_eq!(log.first_use(508, 509).0, FirstUse::Nothing);
    }
}
