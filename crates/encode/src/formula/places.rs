//! Places in memory that are one of several: addresses, cells, loads, stores.
//!
//! If `p` is n1 or n2, `p->next` is the second cell of n1 under the first
//! condition and that of n2 under the second; where `p` is null the run is
//! ruled out.

use ir::{Access, AccessRoot, Operand, OperandKind, Projection};
use solver::Term;

use super::arithmetic::{Eval, Outcomes};
use super::run::Run;
use super::state::State;
use super::value::{Atom, Parts, Value};
use crate::cell::{Address, Cell, Scalar, Stuck};

/// Some places, and where there is none.
#[derive(Clone, Debug)]
pub(super) struct Several<P> {
    /// With the conditions.
    pub(super) list: Vec<(Term, P)>,
    /// Where the program would crash.
    pub(super) fault: Term,
    /// Where the model does not follow.
    pub(super) odd: Term,
}

/// Cells.
pub(super) type Spots = Several<u32>;

impl Run<'_> {
    pub(super) fn only<P>(&mut self, place: P) -> Several<P> {
        let (yes, no) = (self.terms.constant(true), self.terms.constant(false));
        Several { list: vec![(yes, place)], fault: no, odd: no }
    }

    pub(super) fn nowhere<P>(&mut self, stuck: Stuck) -> Several<P> {
        let (fault, odd) =
            (self.terms.constant(stuck == Stuck::Fault), self.terms.constant(stuck == Stuck::Unmodelled));
        Several { list: Vec::new(), fault, odd }
    }

    /// Where there is no place at all.
    pub(super) fn none<P>(&mut self, places: &Several<P>) -> Term {
        self.terms.or(places.fault, places.odd)
    }

    /// The value of an operand.
    pub(super) fn value(&mut self, state: &State, operand: &Operand) -> Value {
        match &operand.kind {
            OperandKind::Local(local) => state.cell(state.local(*local)),
            OperandKind::Int(value) => Value::int(*value as i64),
            OperandKind::Float(value) => Value::cell(Cell::Float(*value)),
            OperandKind::Text(text) => {
                Value::cell(Cell::Pointer(Address { object: self.prepared.start.texts[text.index()], offset: 0 }))
            }
            OperandKind::Function(ir::FunctionRef::Own(id)) => Value::cell(Cell::Function(id.0)),
            OperandKind::Function(ir::FunctionRef::Library(_)) => Value::cell(Cell::Unknown),
        }
    }

    /// What a pointer points to; `wrong` is what it means where it is no pointer.
    pub(super) fn pointed(&mut self, pointer: &Value, wrong: Stuck) -> Several<Address> {
        let (mut list, mut fault, mut odd) = (Vec::new(), Vec::new(), Vec::new());
        for (guard, atom) in pointer.parts(&mut self.terms) {
            match (atom, wrong) {
                (Atom::Cell(Cell::Pointer(address)), _) => list.push((guard, address)),
                (Atom::Cell(Cell::Unknown), _) | (_, Stuck::Unmodelled) => odd.push(guard),
                _ => fault.push(guard),
            }
        }
        Several { list, fault: self.terms.any(&fault), odd: self.terms.any(&odd) }
    }

    /// The cells of `size` bytes at some addresses.
    pub(super) fn cells_at(&mut self, state: &State, addresses: &Several<Address>, size: u8) -> Spots {
        let mut spots = Several { list: Vec::new(), fault: addresses.fault, odd: addresses.odd };
        for &(guard, address) in &addresses.list {
            let live = state.live(&mut self.terms, address.object);
            if self.terms.value(live) != Some(1) {
                let dead = self.terms.not(live);
                let dead = self.terms.and(guard, dead);
                spots.fault = self.terms.or(spots.fault, dead);
            }
            let object = &self.objects[address.object as usize];
            let outside = address.offset < 0 || address.offset as usize + usize::from(size) > object.cells.size();
            match object.cells.find(address.offset, size) {
                Some(index) => spots.list.push((guard, object.base + index)),
                None if outside => spots.fault = self.terms.or(spots.fault, guard),
                None => spots.odd = self.terms.or(spots.odd, guard),
            }
        }
        spots
    }

    /// The addresses of a place in memory.
    pub(super) fn addresses(&mut self, state: &State, access: &Access) -> Several<Address> {
        let mut found = match &access.root {
            AccessRoot::Local(local) => {
                let value = state.cell(state.local(*local));
                self.pointed(&value, Stuck::Unmodelled)
            }
            AccessRoot::Global(global) => match self.prepared.start.globals[global.index()] {
                u32::MAX => self.nowhere(Stuck::Unmodelled),
                object => self.only(Address { object, offset: 0 }),
            },
            AccessRoot::Text(text) => {
                let object = self.prepared.start.texts[text.index()];
                self.only(Address { object, offset: 0 })
            }
            AccessRoot::Deref(pointer) => {
                let value = self.value(state, pointer);
                self.pointed(&value, Stuck::Fault)
            }
        };
        for projection in &access.path {
            match projection {
                Projection::Field { offset, .. } => {
                    found.list.iter_mut().for_each(|place| place.1.offset += *offset as i32);
                }
                Projection::Index { index, scale, .. } => {
                    let (index, scale) = (self.value(state, index), self.value(state, scale));
                    found = self.moved(found, &index, &scale, false);
                }
            }
        }
        found
    }

    /// Addresses moved by so many elements.
    pub(super) fn moved(
        &mut self,
        from: Several<Address>,
        index: &Value,
        scale: &Value,
        backward: bool,
    ) -> Several<Address> {
        let Some(Cell::Int(scale)) = scale.known() else { return self.nowhere(Stuck::Unmodelled) };
        let indices = index.parts(&mut self.terms);
        let mut moved: Several<Address> = Several { list: Vec::new(), ..from };
        for &(guard, address) in &from.list {
            for &(inner, atom) in &indices {
                let both = self.terms.and(guard, inner);
                match atom {
                    Atom::Cell(Cell::Int(index)) => match distance(address, index, scale, backward) {
                        Some(address) => moved.list.push((both, address)),
                        None => moved.odd = self.terms.or(moved.odd, both),
                    },
                    Atom::Cell(Cell::Unset) => moved.fault = self.terms.or(moved.fault, both),
                    Atom::Cell(_) => moved.odd = self.terms.or(moved.odd, both),
                    Atom::Bits(bits) => self.moved_by_any(&mut moved, both, address, bits, scale, backward),
                }
            }
        }
        moved
    }

    /// An address moved by an integer that is not known: one of the elements of
    /// the object; nothing else is followed.
    fn moved_by_any(
        &mut self,
        moved: &mut Several<Address>,
        guard: Term,
        address: Address,
        bits: Term,
        scale: i64,
        backward: bool,
    ) {
        const MOST: i64 = 256;
        let size = self.objects[address.object as usize].cells.size() as i64;
        let (first, last) = match scale {
            1.. => (-i64::from(address.offset) / scale, (size - i64::from(address.offset)) / scale),
            _ => (0, -1),
        };
        let mut inside = Vec::new();
        for index in (first..=last).take(MOST as usize) {
            let number = self.terms.bits((if backward { -index } else { index }) as u64, 64);
            let is_it = self.terms.eq(bits, number);
            inside.push(is_it);
            let offset = address.offset + (index * scale) as i32;
            moved.list.push((self.terms.and(guard, is_it), Address { offset, ..address }));
        }
        let inside = self.terms.any(&inside);
        let outside = self.terms.not(inside);
        let outside = self.terms.and(guard, outside);
        moved.odd = self.terms.or(moved.odd, outside);
    }

    /// The cells of a scalar place.
    pub(super) fn spots(&mut self, state: &State, access: &Access) -> Spots {
        match Scalar::of(&self.model.program.types, access.ty) {
            Some(scalar) if access.bits.is_none() => {
                let addresses = self.addresses(state, access);
                self.cells_at(state, &addresses, scalar.size())
            }
            _ => self.nowhere(Stuck::Unmodelled),
        }
    }

    /// What some cells hold, "never written" included.
    pub(super) fn raw(&mut self, state: &State, spots: &Spots) -> Value {
        let mut parts = Parts::default();
        for &(guard, at) in &spots.list {
            parts.add_value(&mut self.terms, guard, &state.cell(at));
        }
        parts.finish(&mut self.terms)
    }

    /// What is read from some cells; "never written" is a crash.
    pub(super) fn read(&mut self, state: &State, spots: &Spots) -> Eval {
        let mut outcomes = Outcomes::default();
        for &(guard, at) in &spots.list {
            outcomes.add_read(&mut self.terms, guard, &state.cell(at));
        }
        outcomes.stuck(spots.fault, Stuck::Fault);
        outcomes.stuck(spots.odd, Stuck::Unmodelled);
        outcomes.finish(&mut self.terms)
    }

    /// A value that is read: "never written" is a crash.
    pub(super) fn used(&mut self, value: &Value) -> Eval {
        if let Some(cell) = value.known()
            && cell != Cell::Unset
        {
            return Eval::new(&mut self.terms, value.clone());
        }
        let (fault, odd) = (value.unset(&mut self.terms), self.terms.constant(false));
        Eval { value: value.without_unset(&mut self.terms), fault, odd }
    }

    /// Writes to some cells where a condition holds.
    pub(super) fn write(&mut self, state: &mut State, condition: Term, spots: &Spots, value: &Value) {
        for &(guard, at) in &spots.list {
            let both = self.terms.and(condition, guard);
            state.set_where(&mut self.terms, both, at, value);
        }
    }

    /// Some addresses as a value.
    pub(super) fn pointers(&mut self, addresses: &Several<Address>) -> Eval {
        let mut parts = Parts::default();
        addresses.list.iter().for_each(|&(guard, address)| parts.add(guard, Atom::Cell(Cell::Pointer(address))));
        Eval { value: parts.finish(&mut self.terms), fault: addresses.fault, odd: addresses.odd }
    }
}

/// An address moved by so many elements, if that can be followed.
fn distance(address: Address, index: i64, scale: i64, backward: bool) -> Option<Address> {
    let bytes = i32::try_from(index.checked_mul(scale)?).ok()?;
    let offset = address.offset.checked_add(if backward { -bytes } else { bytes })?;
    Some(Address { offset, ..address })
}
