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
    /// By cell: when its spells began, and their numbers if anything was computed from them.
    spells: Vec<Vec<Spell>>,
    /// What influences each of the things that went wrong.
    of: Vec<Spells>,
}

/// When a spell began (0 if that was before the run), and its number.
type Spell = (Moment, Number);

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
        let spells = self.spells.get(cell as usize).map_or(&[][..], Vec::as_slice);
        let mut found = Spells::default();
        if let Some((_, Number::Some(number))) = spells[..spells.partition_point(|(begun, _)| *begun <= moment)].last()
        {
            found.insert(*number);
        }
        found
    }

    /// The spells that began between two moments.
    pub fn of_stretch(&self, from: Moment, to: Moment) -> Spells {
        let mut found = Spells::default();
        for spells in &self.spells {
            let first = spells.partition_point(|(begun, _)| *begun <= from);
            let inside = spells[first..].iter().take_while(|(begun, _)| *begun <= to);
            for (_, number) in inside {
                if let Number::Some(number) = number {
                    found.insert(*number);
                }
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
    spells: Vec<Vec<Spell>>,
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
            spells: vec![vec![(0, Number::None)]; class.len()],
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
            Event::Temporary(cell) => {
                if let Some(last) = self.spells[cell as usize].last_mut() {
                    last.1 = Number::Temporary;
                }
            }
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
            self.spells.resize(cell + 1, vec![(0, Number::None)]);
            self.from.resize(cell + 1, Spells::default());
            self.class.resize(cell + 1, None);
        }
        cell
    }

    fn write(&mut self, moment: Moment, cell: u32) {
        let cell = self.grow(cell);
        self.from[cell] = self.read.or(self.address);
        self.spells[cell].push((moment + 1, Number::None));
        if let Some(class) = self.class[cell] {
            let led = &mut self.led[class as usize];
            *led = led.or(self.address);
        }
    }

    /// What the value of a cell comes from, its present spell included.
    fn origins(&mut self, cell: u32) -> Spells {
        let cell = self.grow(cell);
        let mut from = self.from[cell];
        let (_, number) = self.spells[cell].last_mut().expect("every cell has a first spell");
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
