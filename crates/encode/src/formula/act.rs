//! Actions on states: the counterpart of what [`crate::Machine`] does to cells.
//!
//! `t1 := p.next`, where `p` is n1 or n2, gives `t1` what either of them has.

use std::sync::Arc;

use ir::{Access, Action, ActionKind, Callee, FunctionRef, LocalId, Operand, OperandKind, Rvalue, StepId};
use memory::NodeId;
use solver::Term;

use super::arithmetic::{self, Eval, Outcomes};
use super::places::Several;
use super::run::{Run, SPARE};
use super::state::{Frame, State};
use super::value::{Atom, Parts, Value};
use crate::cell::{Address, Cell, Scalar, Stuck};
use crate::layout::Cells;
use crate::library::{Library, library};
use crate::machine::{Object, ObjectKind};

impl Run<'_> {
    /// The value of a computation.
    pub(super) fn compute(&mut self, state: &State, value: &Rvalue) -> Eval {
        let types = &self.model.program.types;
        let scalar = |ty| Scalar::of(types, ty);
        match value {
            Rvalue::Use(operand) => {
                let value = self.value(state, operand);
                self.used(&value)
            }
            Rvalue::Unary(op, operand, ty) => match scalar(*ty) {
                Some(scalar) => {
                    let value = self.value(state, operand);
                    arithmetic::unary(&mut self.terms, *op, scalar, &value)
                }
                None => Eval::stuck(&mut self.terms, Stuck::Unmodelled),
            },
            Rvalue::Binary(op, left, right, ty) => match scalar(*ty) {
                Some(scalar) => {
                    let (left, right) = (self.value(state, left), self.value(state, right));
                    arithmetic::binary(&mut self.terms, *op, scalar, &left, &right)
                }
                None => Eval::stuck(&mut self.terms, Stuck::Unmodelled),
            },
            Rvalue::Convert { value, from, to } => {
                let value = self.value(state, value);
                match (scalar(*from), scalar(*to)) {
                    (Some(from), Some(to)) => arithmetic::convert(&mut self.terms, &value, from, to),
                    _ => Eval::new(&mut self.terms, value),
                }
            }
            Rvalue::Offset { pointer, index, scale, backward } => {
                self.offset(state, [pointer, index, scale], *backward)
            }
            Rvalue::Distance { left, right, scale } => self.distance(state, [left, right, scale]),
            Rvalue::Load(access) if scalar(access.ty).is_some() => {
                let spots = self.spots(state, access);
                self.read(state, &spots)
            }
            // A struct as a value is the address of it, an array that of its first element.
            Rvalue::Load(access) | Rvalue::AddressOf(access) => {
                let addresses = self.addresses(state, access);
                self.pointers(&addresses)
            }
        }
    }

    fn offset(&mut self, state: &State, operands: [&Operand; 3], backward: bool) -> Eval {
        let [pointer, index, scale] = operands.map(|operand| self.value(state, operand));
        let unset = [pointer.unset(&mut self.terms), index.unset(&mut self.terms)];
        let (mut list, mut rest) = (Vec::new(), Parts::default());
        for (guard, atom) in pointer.parts(&mut self.terms) {
            match atom {
                Atom::Cell(Cell::Pointer(address)) => list.push((guard, address)),
                Atom::Cell(Cell::Unset) => {}
                _ => rest.add(guard, Atom::Cell(Cell::Unknown)),
            }
        }
        let no = self.terms.constant(false);
        let moved = self.moved(Several { list, fault: no, odd: no }, &index, &scale, backward);
        moved.list.iter().for_each(|&(guard, address)| rest.add(guard, Atom::Cell(Cell::Pointer(address))));
        let value = rest.finish(&mut self.terms);
        let fault = self.terms.any(&[unset[0], unset[1], moved.fault]);
        Eval { value, fault, odd: moved.odd }
    }

    fn distance(&mut self, state: &State, operands: [&Operand; 3]) -> Eval {
        let [left, right, scale] = operands.map(|operand| self.value(state, operand));
        let (left, right) = (left.parts(&mut self.terms), right.parts(&mut self.terms));
        let mut outcomes = Outcomes::default();
        for &(g, a) in &left {
            for &(h, b) in &right {
                let both = self.terms.and(g, h);
                let result = match (a, b, scale.known()) {
                    (Atom::Cell(Cell::Pointer(a)), Atom::Cell(Cell::Pointer(b)), Some(Cell::Int(scale)))
                        if a.object == b.object && scale != 0 =>
                    {
                        Ok(Cell::Int(i64::from(a.offset - b.offset) / scale))
                    }
                    (Atom::Cell(Cell::Unset), ..) | (_, Atom::Cell(Cell::Unset), _) => Err(Stuck::Fault),
                    _ => Ok(Cell::Unknown),
                };
                outcomes.add(both, result.map(Atom::Cell));
            }
        }
        outcomes.finish(&mut self.terms)
    }

    /// Does an action. With `inside`, what would crash has no value instead.
    /// `None` if no run gets past it.
    pub(super) fn act(&mut self, mut state: State, action: &Action, inside: bool) -> Option<State> {
        let pc = state.frame().pc;
        let replaced = self.replaced(&mut state, action);
        let action = replaced.as_ref().unwrap_or(action);
        match &action.kind {
            ActionKind::Assign { to, value, .. } => {
                let written = self.compute(&state, value);
                let eval = self.atom(&state, action.id, &written).unwrap_or(written);
                let at = state.local(*to);
                self.take(&mut state, at, &eval, inside)?;
            }
            ActionKind::Store { to, value } => {
                let value = self.value(&state, value);
                let used = self.used(&value);
                self.forbid(&state, used.fault, Stuck::Fault)?;
                self.store(&mut state, to, &used.value)?;
            }
            ActionKind::Clear { to } => self.clear(&mut state, to)?,
            ActionKind::Call { .. } if inside && self.leave_out_calls => {}
            ActionKind::Call { to, callee, arguments, step, .. } => {
                return self.call(state, *to, callee, arguments, *step, inside);
            }
            ActionKind::Concrete { .. } => self.forbid_all(&state, Stuck::Unmodelled)?,
        }
        Some(state.at(pc + 1))
    }

    /// A local takes a value.
    pub(super) fn take(&mut self, state: &mut State, at: u32, eval: &Eval, inside: bool) -> Option<()> {
        self.forbid(state, eval.odd, Stuck::Unmodelled)?;
        let value = if inside {
            eval.or_unset(&mut self.terms)
        } else {
            self.forbid(state, eval.fault, Stuck::Fault)?;
            eval.value.clone()
        };
        state.set(at, value);
        Some(())
    }

    /// The action with operands that may be others.
    fn replaced(&mut self, state: &mut State, action: &Action) -> Option<Action> {
        let choice = self.replacing.get(&action.id)?.clone();
        let mut changed = action.clone();
        let locals = self.model.program.functions[state.frame().function as usize].locals.len() as u32;
        let mut lookup = super::terms::Lookup::default();
        for (which, (id, number, pick)) in choice.operands.iter().enumerate() {
            if *id != action.id || u32::from(*number) >= SPARE {
                continue;
            }
            let chosen = choice.mode(&mut self.terms, |mode| *mode == super::choice::Mode::Operand(which));
            let value = self.picked(state, chosen, pick, &mut lookup);
            let spare = LocalId(locals + 1 + u32::from(*number));
            if let Some(operand) = crate::operands(&mut changed).into_iter().nth(usize::from(*number)) {
                let kept = self.value(state, operand);
                let value = Value::ite(&mut self.terms, chosen, &value, &kept);
                state.set(state.local(spare), value);
                operand.kind = OperandKind::Local(spare);
            }
        }
        Some(changed)
    }

    fn store(&mut self, state: &mut State, to: &Access, value: &Value) -> Option<()> {
        if Scalar::of(&self.model.program.types, to.ty).is_none() {
            return self.store_whole(state, to, value);
        }
        let spots = self.spots(state, to);
        self.forbid(state, spots.odd, Stuck::Unmodelled)?;
        self.forbid(state, spots.fault, Stuck::Fault)?;
        let yes = self.terms.constant(true);
        self.write(state, yes, &spots, value);
        Some(())
    }

    /// A struct that is assigned: its value is the address of another.
    fn store_whole(&mut self, state: &mut State, to: &Access, value: &Value) -> Option<()> {
        let Some(cells) = Cells::of(&self.model.program.types, to.ty, 1) else {
            return self.forbid_all(state, Stuck::Unmodelled);
        };
        let (from, target) = (self.pointed(value, Stuck::Unmodelled), self.addresses(state, to));
        let mut writes = Vec::new();
        for leaf in &cells.leaves {
            let [from, target] = [&from, &target].map(|places| {
                let mut moved = places.clone();
                moved.list.iter_mut().for_each(|place| place.1.offset += leaf.offset as i32);
                self.cells_at(state, &moved, leaf.scalar.size())
            });
            for spots in [&from, &target] {
                self.forbid(state, spots.odd, Stuck::Unmodelled)?;
                self.forbid(state, spots.fault, Stuck::Fault)?;
            }
            writes.push((target, self.raw(state, &from)));
        }
        let yes = self.terms.constant(true);
        writes.iter().for_each(|(target, value)| self.write(state, yes, target, value));
        Some(())
    }

    fn clear(&mut self, state: &mut State, to: &Access) -> Option<()> {
        let addresses = self.addresses(state, to);
        self.forbid(state, addresses.odd, Stuck::Unmodelled)?;
        self.forbid(state, addresses.fault, Stuck::Fault)?;
        let size = self.model.program.types.size_of(to.ty) as i32;
        for (guard, address) in addresses.list {
            let object = self.objects[address.object as usize].clone();
            let inside = |offset: u32| (address.offset..address.offset + size).contains(&(offset as i32));
            for (i, leaf) in object.cells.leaves.iter().enumerate().filter(|(_, leaf)| inside(leaf.offset)) {
                let zero = zero(leaf.scalar);
                state.set_where(&mut self.terms, guard, object.base + i as u32, &zero);
            }
        }
        Some(())
    }

    fn call(
        &mut self,
        state: State,
        to: Option<LocalId>,
        callee: &Callee,
        arguments: &[Operand],
        step: StepId,
        inside: bool,
    ) -> Option<State> {
        for argument in arguments.iter().filter(|_| !inside) {
            let unset = self.value(&state, argument).unset(&mut self.terms);
            self.forbid(&state, unset, Stuck::Fault)?;
        }
        let function = match callee {
            Callee::Direct(FunctionRef::Own(id)) => id.0,
            Callee::Direct(FunctionRef::Library(name)) => {
                return self.call_library(state, to, name, arguments, step);
            }
            Callee::Pointer(pointer) => match self.value(&state, pointer).known() {
                Some(Cell::Function(id)) => id,
                Some(Cell::Int(0) | Cell::Unset) => {
                    self.forbid_all(&state, Stuck::Fault)?;
                    return None;
                }
                _ => {
                    self.forbid_all(&state, Stuck::Unmodelled)?;
                    return None;
                }
            },
        };
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(&state, argument)).collect();
        let too_deep = state.frames.len() >= self.deepest;
        if inside || too_deep || self.model.program.functions[function as usize].variadic {
            self.forbid_all(&state, Stuck::Unmodelled)?;
            return None;
        }
        self.enter(state, function, &values, to)
    }

    fn enter(&mut self, mut state: State, function: u32, values: &[Value], to: Option<LocalId>) -> Option<State> {
        let called = &self.model.program.functions[function as usize];
        state.frame_mut().pc += 1;
        let base = self.new_cells(called.locals.len() as u32 + 1 + SPARE);
        let frame = Frame { function, pc: 0, base, result_to: to, result: Value::UNSET, pin: None, rounds: Vec::new() };
        state.frames.push(frame);
        for (i, value) in values.iter().enumerate().take(called.parameters) {
            let parameter = &called.locals[i];
            if !parameter.in_memory {
                state.set(base + i as u32, value.clone());
                continue;
            }
            let address = self.declare(&mut state, LocalId(i as u32))?;
            let scalar = Scalar::of(&self.model.program.types, parameter.ty);
            let object = &self.objects[address?.object as usize];
            match scalar.and_then(|scalar| object.cells.find(0, scalar.size())) {
                Some(index) => state.set(object.base + index, value.clone()),
                None => self.forbid_all(&state, Stuck::Unmodelled)?,
            }
        }
        Some(state)
    }

    /// A local comes into being; its address if it has one.
    pub(super) fn declare(&mut self, state: &mut State, local: LocalId) -> Option<Option<Address>> {
        let declared = &self.model.program.functions[state.frame().function as usize].locals[local.index()];
        let at = state.local(local);
        if !declared.in_memory {
            state.set(at, Value::UNSET);
            return Some(None);
        }
        let Some(cells) = Cells::of(&self.model.program.types, declared.ty, 1) else {
            self.forbid_all(state, Stuck::Unmodelled)?;
            return None;
        };
        let frame = state.frames.len() as u32 - 1;
        let yes = self.terms.constant(true);
        let address = self.add_object(state, Arc::new(cells), ObjectKind::Local { frame, local }, yes);
        state.set(at, Value::cell(Cell::Pointer(address)));
        Some(Some(address))
    }

    /// A new object, which exists where a condition holds.
    pub(super) fn add_object(&mut self, state: &mut State, cells: Arc<Cells>, kind: ObjectKind, live: Term) -> Address {
        let base = self.new_cells(cells.leaves.len() as u32);
        let object = self.objects.len() as u32;
        self.objects.push(Object { base, cells, live: true, kind });
        state.set_live(&mut self.terms, object, live);
        Address { object, offset: 0 }
    }

    /// A new node where a condition holds, with the next name.
    pub(super) fn add_node(&mut self, state: &mut State, cells: Arc<Cells>, exists: Term) -> Address {
        // Its own name is found through the state, as it may differ from path to path.
        let kind = ObjectKind::Node(NodeId(0));
        let address = self.add_object(state, cells, kind, exists);
        let pointer = Value::cell(Cell::Pointer(address));
        let mut next = Parts::default();
        for (guard, atom) in state.next_node.parts(&mut self.terms) {
            let Atom::Cell(Cell::Int(name)) = atom else { continue };
            let named = self.terms.and(guard, exists);
            let node = Value::ite(&mut self.terms, named, &pointer, &state.node(name as u32));
            state.set_node(name as u32, node);
            next.add(named, Atom::Cell(Cell::Int(name + 1)));
            let not = self.terms.not(exists);
            next.add(self.terms.and(guard, not), atom);
        }
        state.next_node = next.finish(&mut self.terms);
        address
    }

    fn call_library(
        &mut self,
        mut state: State,
        to: Option<LocalId>,
        name: &str,
        arguments: &[Operand],
        step: StepId,
    ) -> Option<State> {
        let pc = state.frame().pc;
        let mut argument = |number: usize| arguments.get(number).map(|argument| self.value(&state, argument));
        let first = argument(0).unwrap_or(Value::cell(Cell::Unknown));
        let second = argument(1);
        let result = match library(name) {
            Library::Allocate { cleared } => {
                let size = match (first.known(), second.filter(|_| cleared).map(|value| value.known())) {
                    (Some(Cell::Int(count)), Some(Some(Cell::Int(size)))) => Some(count.saturating_mul(size)),
                    (Some(Cell::Int(size)), None) => Some(size),
                    _ => None,
                };
                let cells = size.and_then(|size| self.node_cells(step, size));
                let Some(cells) = cells else {
                    self.forbid_all(&state, Stuck::Unmodelled)?;
                    return None;
                };
                let yes = self.terms.constant(true);
                let address = self.add_node(&mut state, Arc::new(cells), yes);
                if cleared {
                    let object = self.objects[address.object as usize].clone();
                    for (i, leaf) in object.cells.leaves.iter().enumerate() {
                        state.set(object.base + i as u32, zero(leaf.scalar));
                    }
                }
                Value::cell(Cell::Pointer(address))
            }
            Library::Free => {
                self.free(&mut state, &first)?;
                Value::UNSET
            }
            Library::Print => Value::cell(Cell::Unknown),
            Library::Absolute => self.absolute(&first),
            Library::End | Library::Other => {
                self.forbid_all(&state, Stuck::Unmodelled)?;
                return None;
            }
            Library::Fail => {
                self.forbid_all(&state, Stuck::Fault)?;
                return None;
            }
        };
        if let Some(to) = to {
            state.set(state.local(to), result);
        }
        Some(state.at(pc + 1))
    }

    fn node_cells(&self, step: StepId, size: i64) -> Option<Cells> {
        let types = &self.model.program.types;
        let ty = self.model.program.step(step).allocates?;
        let each = types.size_of(ty).max(1) as i64;
        let fits = size > 0 && size % each == 0 && size <= 1 << 24;
        fits.then(|| Cells::of(types, ty, (size / each) as u64)).flatten()
    }

    fn absolute(&mut self, value: &Value) -> Value {
        let mut parts = Parts::default();
        for (guard, atom) in value.parts(&mut self.terms) {
            let atom = match atom {
                Atom::Cell(Cell::Int(value)) => Atom::Cell(Cell::Int(value.wrapping_abs())),
                Atom::Bits(bits) => {
                    let (zero, minus) = (self.terms.bits(0, 64), self.terms.neg(bits));
                    let negative = self.terms.slt(bits, zero);
                    Atom::Bits(self.terms.ite(negative, minus, bits))
                }
                other => other,
            };
            parts.add(guard, atom);
        }
        parts.finish(&mut self.terms)
    }

    /// Frees a node.
    fn free(&mut self, state: &mut State, pointer: &Value) -> Option<()> {
        let (mut fault, mut odd) = (Vec::new(), Vec::new());
        for (guard, atom) in pointer.parts(&mut self.terms) {
            match atom {
                Atom::Cell(Cell::Int(0)) => {}
                Atom::Cell(Cell::Pointer(Address { object, offset: 0 }))
                    if matches!(self.objects[object as usize].kind, ObjectKind::Node(_)) =>
                {
                    let live = state.live(&mut self.terms, object);
                    let dead = self.terms.not(live);
                    fault.push(self.terms.and(guard, dead));
                    let not = self.terms.not(guard);
                    let live = self.terms.and(live, not);
                    state.set_live(&mut self.terms, object, live);
                }
                Atom::Cell(Cell::Unknown) => odd.push(guard),
                _ => fault.push(guard),
            }
        }
        let (fault, odd) = (self.terms.any(&fault), self.terms.any(&odd));
        self.forbid(state, odd, Stuck::Unmodelled)?;
        self.forbid(state, fault, Stuck::Fault)
    }
}

pub(super) fn zero(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Float { .. } => Value::cell(Cell::Float(0.0)),
        _ => Value::int(0),
    }
}
