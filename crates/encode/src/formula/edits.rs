//! Statements, conditions and slots that may be edited, on states.
//!
//! At `p = q` everything that may be assigned is evaluated, the source that is
//! chosen is one value, and each cell that may be the target takes it where it
//! is the one that is chosen.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use c_types::TypeId;
use ir::{Action, ActionKind, StepId};
use solver::Term;

use super::arithmetic::{self, Eval};
use super::choice::{Choice, Mode, Pick};
use super::places::Spots;
use super::run::Run;
use super::state::State;
use super::terms::Lookup;
use super::value::Value;
use crate::cell::{Cell, Stuck};
use crate::code::{Instruction, SlotId};
use crate::edit::{Place, TypedTerm};
use crate::layout::Cells;
use crate::trace::Visit;

/// An assignment as it is written.
struct Written {
    spots: Spots,
    value: Eval,
    ty: TypeId,
}

impl Run<'_> {
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
                // What is called last is not called here, see `called`.
                ActionKind::Call { to: Some(to), .. } => {
                    let at = state.local(*to);
                    Written { spots: self.only(at), value: Eval::stuck(&mut self.terms, Stuck::Fault), ty }
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
            && let Some((mut called, written)) = self.called(state, step, ty)
        {
            self.choose(&mut called, target, source, Some(written), yes, &mut Lookup::default());
            out.push(called.at(end));
        }
        if let Some(mut state) = state.narrowed(&self.terms, other_source) {
            let written = self.written(state.clone(), step, ty, false);
            self.choose(&mut state, target, source, Some(written), yes, &mut Lookup::default());
            out.push(state.at(end));
        }
    }

    /// The state behind what an assignment calls, and what it then does.
    fn called(&mut self, state: State, step: StepId, ty: TypeId) -> Option<(State, Written)> {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        // `x = malloc(n)`: what it returns is taken out of `x` again.
        if let Instruction::Act(Action { kind: ActionKind::Call { to: Some(to), .. }, .. }) =
            &code[place.end as usize - 1]
        {
            let at = state.local(*to);
            let before = state.cell(at);
            let mut called = self.inside(state, place.end)?;
            let value = self.used(&called.cell(at));
            called.set(at, before);
            return Some((called, Written { spots: self.only(at), value, ty }));
        }
        let called = self.inside(state, place.end - 1)?;
        let written = self.written(called.clone(), step, ty, true);
        Some((called, written))
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
}
