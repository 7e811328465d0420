//! What could have made a run end otherwise.
//!
//! After `t = p->next; q = t; p->next = NULL;` the value of `q` comes from what
//! `t`, `p` and `p->next` held when they were read. Another value of `t` could
//! mend a broken fact about `q`, but none about `p->next`; so if both are
//! broken, no write of `t` between the first and the second statement is enough.
//!
//! The time between two writes of a cell is one of its *spells*. A spell
//! influences what is computed from it, where pointers that were computed from
//! it lead a write to, and everything after a condition that was.

use crate::machine::Machine;
use crate::store::{Event, Log, Moment};

/// Which spells of cells could have made a run end otherwise.
#[derive(Debug)]
pub struct Influence {
    spells: History,
    /// What influences each of the things that went wrong.
    of: Vec<Spells>,
}

/// The spells of all cells.
#[derive(Debug)]
struct History {
    /// In the order in which they began, but for those that began before the run.
    spells: Vec<Spell>,
    /// By cell: the one that began before the run.
    first: Vec<Number>,
    /// By cell: the last one in `spells`, or [`NO_OTHER`].
    last: Vec<u32>,
}

/// A spell that began in the run.
#[derive(Clone, Copy, Debug)]
struct Spell {
    begun: Moment,
    number: Number,
    /// The one before it of the same cell, or [`NO_OTHER`].
    before: u32,
}

/// There is only the spell that began before the run.
const NO_OTHER: u32 = u32::MAX;

impl History {
    fn new(cells: usize) -> History {
        History { spells: Vec::new(), first: vec![Number::None; cells], last: vec![NO_OTHER; cells] }
    }

    fn grow(&mut self, cells: usize) {
        self.first.resize(cells, Number::None);
        self.last.resize(cells, NO_OTHER);
    }

    /// A cell was written.
    fn begin(&mut self, cell: usize, begun: Moment) {
        let before = std::mem::replace(&mut self.last[cell], self.spells.len() as u32);
        self.spells.push(Spell { begun, number: Number::None, before });
    }

    /// The present spell of a cell.
    fn present(&mut self, cell: usize) -> &mut Number {
        match self.last[cell] {
            NO_OTHER => &mut self.first[cell],
            last => &mut self.spells[last as usize].number,
        }
    }

    /// The spell of a cell at a moment.
    fn at(&self, cell: usize, moment: Moment) -> Option<Number> {
        let mut last = *self.last.get(cell)?;
        while last != NO_OTHER && self.spells[last as usize].begun > moment {
            last = self.spells[last as usize].before;
        }
        Some(if last == NO_OTHER { self.first[cell] } else { self.spells[last as usize].number })
    }

    /// The spells that began after a moment, and not after another.
    fn between(&self, from: Moment, to: Moment) -> &[Spell] {
        let [first, end] = [from, to].map(|moment| self.spells.partition_point(|spell| spell.begun <= moment));
        &self.spells[first..end.max(first)]
    }
}

/// The number of a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// Nothing was computed from it so far.
    None,
    /// Nobody can write a temporary, so it has none.
    Temporary,
    Some(u8),
}

/// A set of spells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spells([u64; 4]);

impl Spells {
    fn insert(&mut self, number: u8) {
        self.0[usize::from(number / 64)] |= 1 << (number % 64);
    }

    /// Those of both.
    pub fn or(self, other: Spells) -> Spells {
        Spells(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn meets(self, other: Spells) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }
}

impl Influence {
    /// Of a run that is over: what influences each of these cells, or, if there are none, the
    /// crash or wrong turn that it ended with. Nothing if it was too long.
    pub fn new(log: &Log, machine: &Machine, broken: &[u32]) -> Option<Influence> {
        Influence::of(log, offsets(machine), broken)
    }

    fn of(log: &Log, class: Vec<Option<u32>>, broken: &[u32]) -> Option<Influence> {
        let mut flow = Flow::new(class);
        log.each(|moment, event| flow.take(moment, event));
        let crash = flow.computed();
        let of = match broken {
            [] => vec![crash],
            _ => broken.iter().map(|&cell| flow.end_of(cell)).collect(),
        };
        (flow.next < usize::from(u8::MAX)).then_some(Influence { spells: flow.spells, of })
    }

    /// The spell of a cell at a moment.
    pub fn of_cell(&self, cell: u32, moment: Moment) -> Spells {
        let mut found = Spells::default();
        if let Some(Number::Some(number)) = self.spells.at(cell as usize, moment) {
            found.insert(number);
        }
        found
    }

    /// The spells that began between two moments.
    pub fn of_stretch(&self, from: Moment, to: Moment) -> Spells {
        let mut found = Spells::default();
        for spell in self.spells.between(from, to) {
            if let Number::Some(number) = spell.number {
                found.insert(number);
            }
        }
        found
    }

    /// How many of the things that went wrong these spells do not influence.
    pub fn left(&self, spells: Spells) -> usize {
        self.of.iter().filter(|of| !of.meets(spells)).count()
    }
}

/// Where the cells of objects lie in them.
fn offsets(machine: &Machine) -> Vec<Option<u32>> {
    let mut offsets = vec![None; machine.cells.len()];
    for object in machine.objects.iter() {
        for (at, leaf) in object.cells.leaves.iter().enumerate() {
            offsets[object.base as usize + at] = Some(leaf.offset);
        }
    }
    offsets
}

/// What came from where, up to a moment of a run.
struct Flow {
    spells: History,
    /// What the value of each cell comes from.
    from: Vec<Spells>,
    /// For cells that have an address: where they lie in their object; others are nowhere.
    class: Vec<Option<u32>>,
    /// What led writes to places that lie so in their objects.
    led: Vec<Spells>,
    /// What the present instruction has read, and which of it to know where to write.
    read: Spells,
    address: Spells,
    is_address: bool,
    /// What was returned.
    returned: Spells,
    /// What decided where control went.
    decided: Spells,
    /// The calls under way: what had decided before, if they change nothing but their own variables.
    calls: Vec<Option<Spells>>,
    /// The number of the next spell.
    next: usize,
}

impl Flow {
    fn new(class: Vec<Option<u32>>) -> Flow {
        let widest = class.iter().flatten().max().map_or(0, |offset| *offset as usize + 1);
        Flow {
            spells: History::new(class.len()),
            from: vec![Spells::default(); class.len()],
            led: vec![Spells::default(); widest],
            class,
            read: Spells::default(),
            address: Spells::default(),
            is_address: false,
            returned: Spells::default(),
            decided: Spells::default(),
            calls: Vec::new(),
            next: 0,
        }
    }

    fn take(&mut self, moment: Moment, event: Event) {
        match event {
            Event::Begin => {
                (self.read, self.address, self.is_address) = (Spells::default(), Spells::default(), false);
            }
            Event::Address => self.is_address = true,
            Event::Read(cell) => {
                let from = self.origins(cell);
                let read = if self.is_address { &mut self.address } else { &mut self.read };
                *read = read.or(from);
            }
            Event::Write(cell) => self.write(moment, cell),
            Event::Temporary(cell) => *self.spells.present(cell as usize) = Number::Temporary,
            Event::Return => self.returned = self.returned.or(self.read),
            Event::Call(is_pure) => self.calls.push(is_pure.then_some(self.decided)),
            Event::Returned => {
                self.read = self.read.or(self.returned);
                // Which way such a call took matters only for its result.
                if let Some(before) = self.calls.pop().flatten() {
                    self.read = self.read.or(std::mem::replace(&mut self.decided, before));
                }
            }
            Event::Decide => self.decided = self.decided.or(self.read),
        }
    }

    fn grow(&mut self, cell: u32) -> usize {
        let cell = cell as usize;
        if cell >= self.from.len() {
            self.spells.grow(cell + 1);
            self.from.resize(cell + 1, Spells::default());
            self.class.resize(cell + 1, None);
        }
        cell
    }

    fn write(&mut self, moment: Moment, cell: u32) {
        let cell = self.grow(cell);
        self.from[cell] = self.read.or(self.address);
        self.spells.begin(cell, moment + 1);
        if let Some(class) = self.class[cell] {
            let led = &mut self.led[class as usize];
            *led = led.or(self.address);
        }
    }

    /// What the value of a cell comes from, its present spell included.
    fn origins(&mut self, cell: u32) -> Spells {
        let cell = self.grow(cell);
        let mut from = self.from[cell];
        let number = self.spells.present(cell);
        if *number == Number::None {
            *number = Number::Some(self.next.min(usize::from(u8::MAX)) as u8);
            self.next += 1;
        }
        if let Number::Some(number) = number {
            from.insert(*number);
        }
        self.class[cell].map_or(from, |class| from.or(self.led[class as usize]))
    }

    /// What influences the value that a cell has in the end.
    fn end_of(&mut self, cell: u32) -> Spells {
        let from = self.origins(cell);
        from.or(self.decided)
    }

    /// What influences where the run stands.
    fn computed(&self) -> Spells {
        self.read.or(self.address).or(self.decided).or(self.returned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::cell::Cell;
    use crate::store::Store;

    /// The variables `p`, `q`, `t`, and `p->next`, which has an address.
    const CELLS: [u32; 4] = [0, 1, 2, 3];

    /// Logs `t = p->next; q = t; p->next = NULL;` and the moments before each statement and at the end.
    fn run() -> (Store, [Moment; 4]) {
        let [p, q, t, next] = CELLS.map(|cell| cell as usize);
        let mut store = Store::from(vec![Cell::Int(7); 4]);
        let log = store.log();
        let mut moments = [0; 4];
        store.note(Event::Begin);
        let _ = store[p];
        store[t] = store[next];
        moments[1] = log.now();
        store.note(Event::Begin);
        store[q] = store[t];
        moments[2] = log.now();
        store.note(Event::Begin);
        store.note(Event::Address);
        let _ = store[p];
        store[next] = Cell::Int(0);
        moments[3] = log.now();
        (store, moments)
    }

    fn influence(store: &Store, broken: &[u32]) -> Influence {
        let log = store.logged().expect("it is logged");
        Influence::of(log, vec![None, None, None, Some(8)], broken).expect("it is short")
    }

    #[test]
    fn a_value_comes_from_what_was_read() {
        let [p, q, t, next] = CELLS;
        let (store, [first, second, third, end]) = run();
        let of_q = influence(&store, &[q]);
        assert_eq!(of_q.left(of_q.of_cell(t, second)), 0, "`t` is read after the first statement");
        assert_eq!(of_q.left(of_q.of_cell(t, first)), 1, "but what it held before is overwritten");
        assert_eq!(of_q.left(of_q.of_cell(p, first)), 0, "`p` said where to read");
        assert_eq!(of_q.left(of_q.of_cell(next, first)), 0);
        assert_eq!(of_q.left(of_q.of_cell(next, end)), 1);
        assert_eq!(of_q.left(of_q.of_stretch(first, second)), 0, "the first statement writes `t`");
        assert_eq!(of_q.left(of_q.of_stretch(third, end)), 1);
    }

    #[test]
    fn a_pointer_leads_writes_to_other_places() {
        let [p, q, t, next] = CELLS;
        let (store, [first, second, third, _]) = run();
        let both = influence(&store, &[q, next]);
        assert_eq!(both.left(both.of_cell(p, first)), 0, "`p` is read for both");
        assert_eq!(both.left(both.of_cell(t, second)), 1, "another `t` does not mend `p->next`");
        assert_eq!(both.left(both.of_cell(p, third)), 0, "a variable is in one spell until it is written");
        let crash = influence(&store, &[]);
        assert_eq!(crash.left(crash.of_cell(t, second)), 1, "the last statement does not read it");
        assert_eq!(crash.left(crash.of_cell(p, first)), 0);
    }
}
