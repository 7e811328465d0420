//! Statements, conditions and slots that may be edited, on states.
//!
//! At `p = q` everything that may be assigned is evaluated, the source that is
//! chosen is one value, and each cell that may be the target takes it where it
//! is the one that is chosen.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use c_types::TypeId;
use ir::{ActionKind, BinaryOp, StepId};
use solver::Term;

use super::arithmetic::{self, Eval};
use super::choice::{Choice, ComparePick, Mode, Pick};
use super::number::Number;
use super::places::Spots;
use super::run::Run;
use super::state::State;
use super::value::{Parts, Value};
use crate::cell::{Address, Cell, Scalar, Stuck};
use crate::code::{Instruction, SlotId};
use crate::edit::{self, Member, Place, TypedTerm, Variable};
use crate::layout::Cells;
use crate::trace::Visit;

/// What terms are at one moment.
#[derive(Default)]
pub(super) struct Lookup {
    spots: HashMap<edit::Term, Rc<Spots>>,
    values: HashMap<edit::Term, Rc<Eval>>,
}

/// An assignment as it is written.
struct Written {
    spots: Spots,
    value: Eval,
    ty: TypeId,
}

impl Run<'_> {
    fn variable(&mut self, state: &State, variable: Variable) -> Spots {
        match variable {
            Variable::Local(local) => {
                let function = &self.model.program.functions[state.frame().function as usize];
                let at = state.local(local);
                if !function.locals[local.index()].in_memory {
                    return self.only(at);
                }
                let pointer = state.cell(at);
                let addresses = self.pointed(&pointer, Stuck::Fault);
                let list =
                    addresses.list.iter().map(|&(guard, address)| (guard, self.objects[address.object as usize].base));
                Spots { list: list.collect(), fault: addresses.fault, odd: addresses.odd }
            }
            Variable::Global(global) => match self.prepared.start.globals[global.index()] {
                u32::MAX => self.nowhere(Stuck::Unmodelled),
                object => {
                    let object = &self.objects[object as usize];
                    let (known, base) = (!object.cells.leaves.is_empty(), object.base);
                    if known { self.only(base) } else { self.nowhere(Stuck::Unmodelled) }
                }
            },
        }
    }

    fn member(&mut self, state: &State, pointer: &Spots, member: &Member) -> Spots {
        let value = self.raw(state, pointer);
        let mut addresses = self.pointed(&value, Stuck::Fault);
        addresses.list.iter_mut().for_each(|place| place.1.offset += member.offset as i32);
        let mut spots = self.cells_at(state, &addresses, member.size);
        spots.fault = self.terms.or(spots.fault, pointer.fault);
        spots.odd = self.terms.or(spots.odd, pointer.odd);
        spots
    }

    /// The cells that a term stands for.
    fn term_spots(&mut self, state: &State, term: edit::Term, size: u8, lookup: &mut Lookup) -> Rc<Spots> {
        if let Some(known) = lookup.spots.get(&term) {
            return known.clone();
        }
        let spots = match term {
            edit::Term::Variable(variable) => self.variable(state, variable),
            edit::Term::Field(variable, member) => {
                let pointer = self.term_spots(state, edit::Term::Variable(variable), 8, lookup);
                self.member(state, &pointer, &member)
            }
            edit::Term::Chain(variable, first, second) => {
                let pointer = self.term_spots(state, edit::Term::Field(variable, first), first.size, lookup);
                self.member(state, &pointer, &second)
            }
            edit::Term::Deref(variable) => {
                let pointer = self.term_spots(state, edit::Term::Variable(variable), 8, lookup);
                let value = self.raw(state, &pointer);
                let addresses = self.pointed(&value, Stuck::Fault);
                let mut spots = self.cells_at(state, &addresses, size);
                spots.fault = self.terms.or(spots.fault, pointer.fault);
                spots.odd = self.terms.or(spots.odd, pointer.odd);
                spots
            }
            edit::Term::AddressOf(_) | edit::Term::Number(_) => self.nowhere(Stuck::Unmodelled),
        };
        let spots = Rc::new(spots);
        lookup.spots.insert(term, spots.clone());
        spots
    }

    /// The value of a term.
    fn term_value(&mut self, state: &State, term: &TypedTerm, lookup: &mut Lookup) -> Rc<Eval> {
        if let Some(known) = lookup.values.get(&term.term) {
            return known.clone();
        }
        let eval = match term.term {
            edit::Term::Number(value) => Eval::new(&mut self.terms, Value::int(value)),
            edit::Term::AddressOf(Variable::Global(global)) => match self.prepared.start.globals[global.index()] {
                u32::MAX => Eval::stuck(&mut self.terms, Stuck::Unmodelled),
                object => Eval::new(&mut self.terms, Value::cell(Cell::Pointer(Address { object, offset: 0 }))),
            },
            edit::Term::AddressOf(Variable::Local(local)) => {
                let value = state.cell(state.local(local));
                let addresses = self.pointed(&value, Stuck::Fault);
                self.pointers(&addresses)
            }
            _ => {
                let spots = self.term_spots(state, term.term, term.scalar.size(), lookup);
                self.read(state, &spots)
            }
        };
        let eval = Rc::new(eval);
        lookup.values.insert(term.term, eval.clone());
        eval
    }

    /// The value of the term that is picked, where `used`; what is written has no value here.
    pub(super) fn picked(&mut self, state: &State, used: Term, pick: &Pick, lookup: &mut Lookup) -> Value {
        let items = self.pick_values(state, used, pick, lookup);
        pick.number.value(&mut self.terms, &items)
    }

    fn pick_values(&mut self, state: &State, used: Term, pick: &Pick, lookup: &mut Lookup) -> Vec<Option<Value>> {
        let mut items = Vec::with_capacity(pick.items.len());
        for (i, item) in pick.items.iter().enumerate() {
            let Some(term) = item else {
                items.push(None);
                continue;
            };
            let eval = self.term_value(state, term, lookup);
            let none = eval.none(&mut self.terms);
            self.forbid_pick(state, used, pick, i, none);
            items.push(Some(eval.value.clone()));
        }
        items
    }

    fn forbid_pick(&mut self, state: &State, used: Term, pick: &Pick, item: usize, condition: Term) {
        if self.terms.value(condition) != Some(0) {
            let all = self.terms.all(&[used, pick.number.is(item), condition]);
            self.forbid(state, all, Stuck::Fault);
        }
    }

    /// Whether the comparison that is picked holds, where `used`.
    fn compared(&mut self, state: &State, used: Term, compare: &ComparePick, lookup: &mut Lookup) -> Term {
        if self.terms.value(used) == Some(0) {
            return used;
        }
        let [left, right] = [&compare.left, &compare.right].map(|pick| self.pick_values(state, used, pick, lookup));
        let mut scalars: Vec<(TypeId, Scalar)> =
            compare.left.items.iter().flatten().map(|term| (term.ty, term.scalar)).collect();
        scalars.sort_by_key(|known| known.0);
        scalars.dedup_by_key(|known| known.0);
        let mut holds = Vec::new();
        for (ty, scalar) in scalars {
            let of_type = |pick: &Pick, i: usize| pick.items[i].is_some_and(|term| term.ty == ty);
            let mut side = |pick: &Pick, values: &[Option<Value>]| {
                let items: Vec<_> =
                    values.iter().enumerate().map(|(i, value)| value.clone().filter(|_| of_type(pick, i))).collect();
                pick.number.value(&mut self.terms, &items)
            };
            let (a, b) = (side(&compare.left, &left), side(&compare.right, &right));
            let chosen: Vec<Term> = (0..compare.left.items.len())
                .filter(|&i| of_type(&compare.left, i))
                .map(|i| compare.left.number.is(i))
                .collect();
            let chosen = self.terms.any(&chosen);
            let equal = arithmetic::binary(&mut self.terms, BinaryOp::Equal, scalar, &a, &b);
            let is_ordered = scalar != Scalar::Pointer;
            let less = is_ordered.then(|| arithmetic::binary(&mut self.terms, BinaryOp::Less, scalar, &a, &b));
            let (equal_holds, _, odd) = arithmetic::truth(&mut self.terms, &equal.value);
            let odd = self.terms.all(&[used, chosen, odd]);
            self.forbid(state, odd, Stuck::Fault);
            let less_holds = match &less {
                Some(less) => {
                    let (holds, _, odd) = arithmetic::truth(&mut self.terms, &less.value);
                    let odd = self.terms.all(&[used, chosen, odd]);
                    self.forbid(state, odd, Stuck::Fault);
                    holds
                }
                None => self.terms.constant(false),
            };
            for (i, op) in compare.ops.iter().enumerate() {
                let truth = match op {
                    BinaryOp::Equal => equal_holds,
                    BinaryOp::NotEqual => self.terms.not(equal_holds),
                    _ if !is_ordered => continue,
                    BinaryOp::Less => less_holds,
                    BinaryOp::LessEqual => self.terms.or(less_holds, equal_holds),
                    BinaryOp::GreaterEqual => self.terms.not(less_holds),
                    _ => {
                        let most = self.terms.or(less_holds, equal_holds);
                        self.terms.not(most)
                    }
                };
                holds.push(self.terms.all(&[chosen, compare.op.is(i), truth]));
            }
        }
        self.terms.any(&holds)
    }

    /// A condition that may be edited.
    pub(super) fn condition(&mut self, mut state: State, visit: Visit, pin: Option<bool>, out: &mut Vec<State>) {
        let step = visit.step;
        let forced = self.prepared.trace.forced.contains_key(&visit);
        let choice = self.choice(Place::Step(step));
        let ways = self.ways(step);
        match choice {
            None if forced => {
                if let Some(truth) = self.as_written(&state, step, None) {
                    self.decide(state, Some(step), truth, pin, ways, out);
                }
            }
            None => {
                state.frame_mut().pin = pin;
                out.push(state);
            }
            Some(choice) if forced || self.is_pure(step) => {
                let truth = self.new_condition(&state, step, &choice);
                self.decide(state, Some(step), truth, pin, ways, out);
            }
            Some(choice) => {
                let kept = choice.mode(&mut self.terms, |mode| *mode == Mode::Keep);
                let changed = self.terms.not(kept);
                if let Some(mut kept) = state.narrowed(&self.terms, kept) {
                    kept.frame_mut().pin = pin;
                    out.push(kept);
                }
                if let Some(changed) = state.narrowed(&self.terms, changed) {
                    let truth = self.new_condition(&changed, step, &choice);
                    self.decide(changed, Some(step), truth, pin, ways, out);
                }
            }
        }
    }

    /// Whether computing a condition changes nothing but temporaries.
    fn is_pure(&self, step: StepId) -> bool {
        let place = &self.model.code.steps[step.index()];
        let named = self.model.program.functions[place.function as usize].named;
        let code = &self.model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
        code.iter().all(|instruction| match instruction {
            Instruction::Act(action) => {
                matches!(&action.kind, ActionKind::Assign { to, .. } if to.index() >= named)
            }
            Instruction::Step(_) | Instruction::Branch { .. } | Instruction::Jump(_) => true,
            _ => false,
        })
    }

    /// Where a condition holds as it is written, but for its comparisons that may be others.
    fn as_written(&mut self, state: &State, step: StepId, choice: Option<&Rc<Choice>>) -> Option<Term> {
        let place = &self.model.code.steps[step.index()];
        let before = std::mem::replace(&mut self.comparing, choice.cloned());
        let state = self.inside(state.clone(), place.end);
        self.comparing = before;
        let state = state?;
        let code = &self.model.code.functions[place.function as usize].code;
        let Instruction::Branch { test, .. } = &code[place.end as usize] else { return None };
        let value = self.value(&state, test);
        let (truth, fault, odd) = arithmetic::truth(&mut self.terms, &value);
        self.forbid(&state, odd, Stuck::Unmodelled)?;
        self.forbid(&state, fault, Stuck::Fault)?;
        Some(truth)
    }

    fn new_condition(&mut self, state: &State, step: StepId, choice: &Rc<Choice>) -> Term {
        let whole = choice.mode(&mut self.terms, |mode| *mode == Mode::Whole);
        let not_whole = self.terms.not(whole);
        let parts = state.narrowed(&self.terms, not_whole);
        let written = parts.and_then(|state| self.as_written(&state, step, Some(choice)));
        let written = written.unwrap_or_else(|| self.terms.constant(false));
        let new = match &choice.compare {
            Some(compare) => self.compared(state, whole, compare, &mut Lookup::default()),
            None => self.terms.constant(false),
        };
        self.terms.ite(whole, new, written)
    }

    /// The result of a comparison in a condition that may be another.
    pub(super) fn atom(&mut self, state: &State, action: ir::ActionId, written: &Eval) -> Option<Eval> {
        let choice = self.comparing.clone()?;
        let other = choice.mode(&mut self.terms, |mode| *mode == Mode::Atom(action));
        let without =
            [true, false].map(|truth| choice.mode(&mut self.terms, |mode| *mode == Mode::Without(action, truth)));
        let any = self.terms.any(&[other, without[0], without[1]]);
        if self.terms.value(any) == Some(0) {
            return None;
        }
        let holds = match &choice.compare {
            Some(compare) => self.compared(state, other, compare, &mut Lookup::default()),
            None => self.terms.constant(false),
        };
        let truth = self.terms.and(other, holds);
        let truth = self.terms.or(truth, without[0]);
        let new = Value::truth(&mut self.terms, truth);
        let kept = self.terms.not(any);
        let value = Value::ite(&mut self.terms, any, &new, &written.value);
        let (fault, odd) = (self.terms.and(kept, written.fault), self.terms.and(kept, written.odd));
        Some(Eval { value, fault, odd })
    }

    /// A statement that may be edited.
    pub(super) fn statement(&mut self, state: State, step: StepId, out: &mut Vec<State>) {
        let Some(choice) = self.choice(Place::Step(step)) else { return out.push(state) };
        let end = self.model.code.steps[step.index()].end;
        let mut lookup = Lookup::default();
        let deleted = choice.mode(&mut self.terms, |mode| *mode == Mode::Delete);
        let guarded = choice.mode(&mut self.terms, |mode| *mode == Mode::Guard);
        let refused = match &choice.compare {
            Some(compare) if self.terms.value(guarded) != Some(0) => {
                let holds = self.compared(&state, guarded, compare, &mut lookup);
                let not = self.terms.not(holds);
                self.terms.and(guarded, not)
            }
            _ => self.terms.constant(false),
        };
        let skipped = self.terms.or(deleted, refused);
        let runs = self.terms.not(skipped);
        let Some(mut state) = self.declare_first(state) else { return };
        match choice.ty {
            Some(ty) if !self.calls(step) => {
                self.assignment(&mut state, step, &choice, ty, runs, &mut lookup);
                out.push(state.at(end));
            }
            Some(ty) => self.split_assignment(state, step, &choice, ty, skipped, out),
            None => {
                out.extend(state.narrowed(&self.terms, skipped).and_then(|state| self.skip(state, step)));
                let Some(state) = state.narrowed(&self.terms, runs) else { return };
                let Some(pick) = &choice.result else { return out.push(state) };
                let other = choice.mode(&mut self.terms, |mode| *mode == Mode::Return);
                let kept = self.terms.not(other);
                out.extend(state.narrowed(&self.terms, kept));
                if let Some(mut state) = state.narrowed(&self.terms, other) {
                    let yes = self.terms.constant(true);
                    state.frame_mut().result = self.picked(&state, yes, pick, &mut lookup);
                    let exit = self.model.code.functions[state.frame().function as usize].code.len() as u32 - 2;
                    out.push(state.at(exit));
                }
            }
        }
    }

    /// Declares what a statement declares before anything else.
    fn declare_first(&mut self, mut state: State) -> Option<State> {
        let code = &self.model.code.functions[state.frame().function as usize].code;
        while let Instruction::Declare(local) = &code[state.frame().pc as usize] {
            self.declare(&mut state, *local)?;
            state.frame_mut().pc += 1;
        }
        Some(state)
    }

    /// Whether a statement calls something.
    fn calls(&self, step: StepId) -> bool {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
        code.iter().any(|instruction| match instruction {
            Instruction::Act(action) => matches!(action.kind, ActionKind::Call { .. }),
            _ => false,
        })
    }

    fn assignment(
        &mut self,
        state: &mut State,
        step: StepId,
        choice: &Choice,
        ty: TypeId,
        runs: Term,
        lookup: &mut Lookup,
    ) {
        let (Some(target), Some(source)) = (&choice.target, &choice.source) else { return };
        let either = self.terms.or(target.number.is(0), source.number.is(0));
        let used = self.terms.and(runs, either);
        let scratch = state.narrowed(&self.terms, used);
        let written = scratch.map(|scratch| self.written(scratch, step, ty, true));
        self.choose(state, target, source, written, runs, lookup);
    }

    /// What an assignment does as it is written, in the parts of a state where
    /// that matters. Without `calls`, library functions are not called.
    fn written(&mut self, state: State, step: StepId, ty: TypeId, calls: bool) -> Written {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        let before = std::mem::replace(&mut self.leave_out_calls, !calls);
        let reached = self.inside(state, place.end - 1);
        self.leave_out_calls = before;
        match (reached, &code[place.end as usize - 1]) {
            (Some(state), Instruction::Act(action)) => match &action.kind {
                ActionKind::Assign { to, value, .. } => {
                    let at = state.local(*to);
                    Written { spots: self.only(at), value: self.compute(&state, value), ty }
                }
                ActionKind::Store { to, value } => {
                    let value = self.value(&state, value);
                    Written { spots: self.spots(&state, to), value: self.used(&value), ty }
                }
                _ => self.no_assignment(ty),
            },
            _ => self.no_assignment(ty),
        }
    }

    fn no_assignment(&mut self, ty: TypeId) -> Written {
        Written { spots: self.nowhere(Stuck::Fault), value: Eval::stuck(&mut self.terms, Stuck::Fault), ty }
    }

    /// An assignment that calls a library function: it runs by itself, writes
    /// somewhere else, or does not call at all.
    fn split_assignment(
        &mut self,
        state: State,
        step: StepId,
        choice: &Choice,
        ty: TypeId,
        skipped: Term,
        out: &mut Vec<State>,
    ) {
        let (Some(target), Some(source)) = (&choice.target, &choice.source) else { return };
        let end = self.model.code.steps[step.index()].end;
        let runs = self.terms.not(skipped);
        out.extend(state.narrowed(&self.terms, skipped).and_then(|state| self.skip(state, step)));
        let Some(state) = state.narrowed(&self.terms, runs) else { return };
        let assigns = choice.mode(&mut self.terms, |mode| *mode == Mode::Assign);
        let keeps = self.terms.not(assigns);
        out.extend(state.narrowed(&self.terms, keeps));
        let Some(state) = state.narrowed(&self.terms, assigns) else { return };
        let same_source = source.number.is(0);
        let other_source = self.terms.not(same_source);
        let yes = self.terms.constant(true);
        if let Some(state) = state.narrowed(&self.terms, same_source)
            && let Some(mut called) = self.inside(state, end - 1)
        {
            let written = self.written(called.clone(), step, ty, true);
            self.choose(&mut called, target, source, Some(written), yes, &mut Lookup::default());
            out.push(called.at(end));
        }
        if let Some(mut state) = state.narrowed(&self.terms, other_source) {
            let written = self.written(state.clone(), step, ty, false);
            self.choose(&mut state, target, source, Some(written), yes, &mut Lookup::default());
            out.push(state.at(end));
        }
    }

    /// The assignment of the chosen source to the chosen target, where `runs`.
    fn choose(
        &mut self,
        state: &mut State,
        target: &Pick,
        source: &Pick,
        written: Option<Written>,
        runs: Term,
        lookup: &mut Lookup,
    ) {
        let mut values = self.pick_values(state, runs, source, lookup);
        let mut spots: Vec<Option<Rc<Spots>>> = Vec::with_capacity(target.items.len());
        for (i, item) in target.items.iter().enumerate() {
            let known = item.map(|term| self.term_spots(state, term.term, term.scalar.size(), lookup));
            if let Some(known) = &known {
                let none = self.none(known);
                self.forbid_pick(state, runs, target, i, none);
            }
            spots.push(known);
        }
        let kept = written.as_ref().map(|written| written.ty);
        if let Some(written) = written {
            let (no_spots, no_value) = (self.none(&written.spots), written.value.none(&mut self.terms));
            self.forbid_pick(state, runs, target, 0, no_spots);
            self.forbid_pick(state, runs, source, 0, no_value);
            spots[0] = Some(Rc::new(written.spots));
            values[0] = Some(written.value.value);
        }
        let ty = |item: &Option<TypedTerm>| item.map(|term| term.ty).or(kept);
        let mut types: Vec<TypeId> = target.items.iter().filter_map(ty).collect();
        types.sort();
        types.dedup();
        let mut writes: Vec<(Term, u32, Value)> = Vec::new();
        for one in types {
            let of_type = |pick: &Pick, i: usize| ty(&pick.items[i]) == Some(one);
            let items: Vec<_> =
                values.iter().enumerate().map(|(i, value)| value.clone().filter(|_| of_type(source, i))).collect();
            let value = source.number.value(&mut self.terms, &items);
            let mut cells: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
            for (i, spots) in spots.iter().enumerate().filter(|(i, _)| of_type(target, *i)) {
                let chosen = target.number.is(i);
                for &(guard, at) in spots.iter().flat_map(|spots| &spots.list) {
                    let both = self.terms.and(chosen, guard);
                    cells.entry(at).or_default().push(both);
                }
            }
            for (at, guards) in cells {
                let any = self.terms.any(&guards);
                writes.push((self.terms.and(runs, any), at, value.clone()));
            }
        }
        for (condition, at, value) in writes {
            state.set_where(&mut self.terms, condition, at, &value);
        }
    }

    /// A place where statements may be inserted.
    pub(super) fn slot(&mut self, mut state: State, slot: SlotId) -> Option<State> {
        let Some(choice) = self.choice(Place::Slot(slot)) else { return Some(state) };
        let mut lookup = Lookup::default();
        let guarded = choice.mode(&mut self.terms, |mode| matches!(mode, Mode::Insert(true) | Mode::Allocate(true)));
        let refused = match &choice.compare {
            Some(compare) => {
                let holds = self.compared(&state, guarded, compare, &mut lookup);
                let not = self.terms.not(holds);
                self.terms.and(guarded, not)
            }
            None => self.terms.constant(false),
        };
        let goes = self.terms.not(refused);
        let inserts = choice.mode(&mut self.terms, |mode| matches!(mode, Mode::Insert(_)));
        let allocates = choice.mode(&mut self.terms, |mode| matches!(mode, Mode::Allocate(_)));
        if let (Some(target), Some(source)) = (&choice.target, &choice.source) {
            let runs = self.terms.and(inserts, goes);
            self.choose(&mut state, target, source, None, runs, &mut lookup);
        }
        if let Some(target) = &choice.allocated {
            let runs = self.terms.and(allocates, goes);
            // Where this is chosen, the memory is still as it was.
            self.allocate(&mut state, target, runs, &mut Lookup::default());
        }
        Some(state)
    }

    /// A new node for the chosen pointer, where `runs`.
    fn allocate(&mut self, state: &mut State, target: &Pick, runs: Term, lookup: &mut Lookup) {
        let types = &self.model.program.types;
        let mut pointees: Vec<(TypeId, Vec<usize>)> = Vec::new();
        let mut spots = Vec::new();
        for (i, term) in target.items.iter().enumerate() {
            let Some(term) = term else { continue };
            let found = self.term_spots(state, term.term, term.scalar.size(), lookup);
            let none = self.none(&found);
            self.forbid_pick(state, runs, target, i, none);
            spots.push(found);
            let Some(ty) = types.target(term.ty) else { continue };
            match pointees.iter_mut().find(|known| known.0 == ty) {
                Some(known) => known.1.push(i),
                None => pointees.push((ty, vec![i])),
            }
        }
        for (ty, items) in pointees {
            let picked: Vec<Term> = items.iter().map(|&i| target.number.is(i)).collect();
            let any = self.terms.any(&picked);
            let exists = self.terms.and(runs, any);
            let Some(cells) = Cells::of(types, ty, 1) else {
                self.forbid(state, exists, Stuck::Unmodelled);
                continue;
            };
            let address = self.add_node(state, Arc::new(cells), exists);
            let value = Value::cell(Cell::Pointer(address));
            for (&i, picked) in items.iter().zip(picked) {
                let here = self.terms.and(runs, picked);
                self.write(state, here, &spots[i].clone(), &value);
            }
        }
    }

    /// A statement that may do anything: what it writes, or how it decides, is any value.
    pub(super) fn angelic(&mut self, mut state: State, step: StepId, out: &mut Vec<State>) {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        if place.is_condition {
            let truth = self.terms.fresh("angel", solver::Sort::Bool);
            let ways = self.ways(step);
            return self.decide(state, Some(step), truth, None, ways, out);
        }
        let function = &self.model.program.functions[place.function as usize];
        let end = place.end;
        let last = &code[end as usize - 1];
        match last {
            Instruction::Return(Some(operand)) => {
                state.frame_mut().result = self.anything(&state, operand.ty);
                out.push(state.at(code.len() as u32 - 2));
            }
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { to, .. } | ActionKind::Call { to: Some(to), .. } => {
                    let value = self.anything(&state, function.locals[to.index()].ty);
                    state.set(state.local(*to), value);
                    out.push(state.at(end));
                }
                ActionKind::Store { to, .. } => {
                    let Some(scratch) = self.inside(state.clone(), end - 1) else { return };
                    let spots = self.spots(&scratch, to);
                    let none = self.none(&spots);
                    if self.forbid(&state, none, Stuck::Fault).is_none() {
                        return;
                    }
                    let value = self.anything(&state, to.ty);
                    let yes = self.terms.constant(true);
                    self.write(&mut state, yes, &spots, &value);
                    out.push(state.at(end));
                }
                _ => out.push(state),
            },
            _ => out.push(state),
        }
    }

    /// Any value of a type: any integer, null or the address of anything that fits.
    fn anything(&mut self, state: &State, ty: TypeId) -> Value {
        let types = &self.model.program.types;
        match Scalar::of(types, ty) {
            Some(Scalar::Pointer) => {
                let cells = types.target(ty).and_then(|target| Cells::of(types, target, 1));
                let fits = |object: &crate::machine::Object| match &cells {
                    Some(cells) => object.cells.leaves.starts_with(&cells.leaves),
                    None => true,
                };
                let mut places = vec![Cell::Int(0)];
                for object in (0..self.objects.len() as u32).filter(|&object| fits(&self.objects[object as usize])) {
                    let live = state.live(&mut self.terms, object);
                    if self.terms.value(live) != Some(0) {
                        places.push(Cell::Pointer(Address { object, offset: 0 }));
                    }
                }
                let items: Vec<_> = places.into_iter().map(|cell| Some(Value::cell(cell))).collect();
                let mut rules = Vec::new();
                self.angels += 1;
                let name = format!("angel{}", self.angels);
                let angel = Number::new(&mut self.terms, &name, items.len(), self.options.one_hot, &mut rules);
                self.constraints.extend(rules.into_iter().map(|rule| (None, rule)));
                angel.value(&mut self.terms, &items)
            }
            Some(scalar @ (Scalar::Int { .. } | Scalar::Bool)) => {
                let bits = self.terms.fresh("angel", solver::Sort::Bits(64));
                let wrapped = arithmetic::wrap(&mut self.terms, scalar, bits);
                Value::One(super::value::Atom::Bits(wrapped))
            }
            _ => {
                let mut parts = Parts::default();
                let yes = self.terms.constant(true);
                parts.add(yes, super::value::Atom::Cell(Cell::Unknown));
                parts.finish(&mut self.terms)
            }
        }
    }
}
