//! Runs the flat code over states along a trace and writes down constraints.
//!
//! The state that is furthest behind goes on first, and states that come to
//! the same instruction become one. A branch on something that edits may
//! change makes two states; a loop condition goes the way it went in the
//! recorded run, and a constraint says that it does.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use ir::{ActionId, Operand, StepId, StepKind};
use solver::{Term, Terms};

use super::arithmetic;
use super::choice::Choice;
use super::state::{Frame, State};
use super::value::{Atom, Value};
use super::{AssertedFact, FormulaError, FormulaOptions};
use crate::cell::{Address, Cell, Scalar, Stuck};
use crate::code::Instruction;
use crate::decisions::decisions;
use crate::edit::Place;
use crate::follow::Prepared;
use crate::machine::{Model, Object, ObjectKind};
use crate::space::Space;
use crate::trace::Visit;

/// How many operands of an action can be others.
pub(super) const SPARE: u32 = 8;

/// The making of a formula.
pub(super) struct Run<'a> {
    pub(super) model: &'a Model,
    pub(super) space: &'a Space,
    pub(super) options: &'a FormulaOptions,
    pub(super) terms: Terms,
    pub(super) constraints: Vec<(Option<AssertedFact>, Term)>,
    pub(super) choices: BTreeMap<Place, Rc<Choice>>,
    /// The choices that replace operands, by action.
    pub(super) replacing: HashMap<ActionId, Rc<Choice>>,
    /// The condition whose comparisons may be others.
    pub(super) comparing: Option<Rc<Choice>>,
    /// Whether library functions are not called now.
    pub(super) leave_out_calls: bool,
    /// The trace that is being run, and its number.
    pub(super) prepared: &'a Prepared,
    pub(super) number: usize,
    /// Everything that has an address on some path.
    pub(super) objects: Vec<Object>,
    cells: u32,
    pins: BTreeMap<Visit, bool>,
    /// The statements whose visits matter, with their places in [`State::visits`].
    counted: BTreeMap<StepId, usize>,
    pub(super) deepest: usize,
    /// How many values of free statements there are.
    pub(super) angels: u32,
    spent: u64,
    /// The statement that is being run.
    current: StepId,
    stuck: Option<FormulaError>,
}

impl<'a> Run<'a> {
    pub(super) fn new(model: &'a Model, space: &'a Space, options: &'a FormulaOptions, first: &'a Prepared) -> Run<'a> {
        Run {
            model,
            space,
            options,
            terms: Terms::new(),
            constraints: Vec::new(),
            choices: BTreeMap::new(),
            replacing: HashMap::new(),
            comparing: None,
            leave_out_calls: false,
            prepared: first,
            number: 0,
            objects: Vec::new(),
            cells: 0,
            pins: BTreeMap::new(),
            counted: BTreeMap::new(),
            deepest: 0,
            angels: 0,
            spent: 0,
            current: StepId(0),
            stuck: None,
        }
    }

    /// Adds the constraints of a trace.
    pub(super) fn trace(&mut self, number: usize, prepared: &'a Prepared) -> Result<(), FormulaError> {
        (self.number, self.prepared) = (number, prepared);
        if prepared.checks.is_empty() {
            return Ok(());
        }
        let trace = &prepared.trace;
        self.pins = trace.forced.clone();
        if self.options.pin_loops {
            let is_loop = |visit: &Visit| self.model.program.step(visit.step).kind == StepKind::Loop;
            self.pins.extend(decisions(self.model, trace).into_iter().filter(|(visit, _)| is_loop(visit)));
        }
        let visits = (self.pins.keys().chain(trace.effects.keys()).chain(&trace.skipped))
            .chain(trace.demands.iter().map(|demand| &demand.at));
        let steps: std::collections::BTreeSet<StepId> = visits.map(|visit| visit.step).collect();
        self.counted = steps.into_iter().enumerate().map(|(i, step)| (step, i)).collect();
        let deepest = trace.run.iter().map(|arrival| arrival.depth as usize).max().unwrap_or(0);
        self.deepest = deepest.max(prepared.start.frames.len()) + self.options.calls as usize;
        let start = self.start();
        self.run(start)
    }

    /// Where the trace starts.
    fn start(&mut self) -> State {
        let machine = &self.prepared.start;
        self.objects = machine.objects.to_vec();
        self.cells = machine.cells.len() as u32;
        let cells = machine.cells.all().iter().map(|&cell| Value::cell(cell)).collect();
        let live = machine.objects.iter().map(|object| self.terms.constant(object.live)).collect();
        let node = |&object: &u32| match object {
            u32::MAX => Value::UNSET,
            object => Value::cell(Cell::Pointer(Address { object, offset: 0 })),
        };
        let nodes = machine.nodes.iter().map(node).collect();
        let next = Value::int(i64::from(machine.next_node));
        let mut state = State::new(cells, live, nodes, next, self.counted.len());
        for frame in &machine.frames {
            let locals = self.model.program.functions[frame.function as usize].locals.len() as u32;
            let base = self.new_cells(locals + 1 + SPARE);
            for i in 0..locals {
                state.set(base + i, Value::cell(machine.cells[(frame.base + i) as usize]));
            }
            state.frames.push(Frame {
                function: frame.function,
                pc: frame.pc,
                base,
                result_to: frame.result_to,
                result: Value::cell(frame.result),
                pin: None,
                rounds: Vec::new(),
            });
        }
        state
    }

    /// How many cells there are.
    pub(super) fn next_cell(&self) -> u32 {
        self.cells
    }

    pub(super) fn new_cells(&mut self, count: u32) -> u32 {
        self.cells += count;
        self.cells - count
    }

    /// Demands that a condition does not hold in a state; `None` if no run is left.
    pub(super) fn forbid(&mut self, state: &State, condition: Term, stuck: Stuck) -> Option<()> {
        if self.terms.value(condition) == Some(0) {
            return Some(());
        }
        let everywhere = self.terms.value(condition) == Some(1);
        if everywhere && state.path.is_empty() && stuck == Stuck::Unmodelled {
            self.stuck.get_or_insert(FormulaError::Unmodelled { trace: self.number, step: self.current });
        }
        let path = state.path(&mut self.terms);
        let both = self.terms.and(path, condition);
        let never = self.terms.not(both);
        self.constraints.push((None, never));
        (!everywhere).then_some(())
    }

    /// Demands that no run gets here.
    pub(super) fn forbid_all(&mut self, state: &State, stuck: Stuck) -> Option<()> {
        let yes = self.terms.constant(true);
        self.forbid(state, yes, stuck)
    }

    /// Runs until everything that is asked was asked on every path.
    fn run(&mut self, start: State) -> Result<(), FormulaError> {
        let mut waiting = vec![start];
        while let Some(state) = self.next(&mut waiting) {
            self.instruction(state, false, &mut waiting);
            if let Some(stuck) = self.stuck.take() {
                return Err(stuck);
            }
        }
        Ok(())
    }

    /// The state that is furthest behind, joined with all that stand there too.
    fn next(&mut self, waiting: &mut Vec<State>) -> Option<State> {
        self.spent += 1;
        let late = self.options.until.is_some_and(|until| std::time::Instant::now() > until);
        if late || self.spent > self.options.most_instructions || self.terms.len() > self.options.most_terms {
            self.stuck.get_or_insert(FormulaError::TooLarge);
        }
        let first = match waiting.len() {
            0 | 1 => return waiting.pop(),
            count => (1..count).fold(0, |first, i| match waiting[i].order(&waiting[first]).is_lt() {
                true => i,
                false => first,
            }),
        };
        let state = waiting.swap_remove(first);
        let mut together = vec![];
        let mut i = 0;
        while i < waiting.len() {
            match waiting[i].meets(&state) {
                true => together.push(waiting.swap_remove(i)),
                false => i += 1,
            }
        }
        together.push(state);
        self.joined(together)
    }

    /// All of these as one; those with most of their paths in common first.
    fn joined(&mut self, mut states: Vec<State>) -> Option<State> {
        while states.len() > 1 {
            let pairs = (0..states.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let (i, j) = pairs.max_by_key(|&(i, j)| states[i].common(&states[j])).unwrap_or((1, 0));
            let (a, b) = (states.swap_remove(i), states.swap_remove(j));
            let merged = a.merge(&mut self.terms, b);
            states.push(merged);
        }
        states.pop()
    }

    /// Runs a state up to an instruction of the same call; what would crash has
    /// no value instead. `None` if no run gets there.
    pub(super) fn inside(&mut self, state: State, last: u32) -> Option<State> {
        let mut waiting = vec![state];
        let mut done = Vec::new();
        while let Some(state) = self.next(&mut waiting) {
            match state.frame().pc >= last {
                true => done.push(state.at(last)),
                false => self.instruction(state, true, &mut waiting),
            }
        }
        self.joined(done)
    }

    fn instruction(&mut self, mut state: State, inside: bool, out: &mut Vec<State>) {
        let (pc, model) = (state.frame().pc, self.model);
        let code = &model.code.functions[state.frame().function as usize].code;
        match &code[pc as usize] {
            Instruction::Step(step) => self.step(state.at(pc + 1), *step, out),
            Instruction::Slot(slot) => out.extend(self.slot(state.at(pc + 1), *slot)),
            Instruction::Act(action) => out.extend(self.act(state, action, inside)),
            Instruction::Declare(local) => {
                if self.declare(&mut state, *local).is_some() {
                    out.push(state.at(pc + 1));
                }
            }
            Instruction::Branch { test, step, otherwise } => self.branch(state, test, *step, *otherwise, out),
            Instruction::Jump(to) => out.push(state.at(*to)),
            Instruction::Switch { value, arms, default } => self.switch(state, value, arms, *default, out),
            Instruction::Return(value) => {
                let result = value.as_ref().map_or(Value::UNSET, |value| self.value(&state, value));
                let unset = result.unset(&mut self.terms);
                if value.is_some() && self.forbid(&state, unset, Stuck::Fault).is_none() {
                    return;
                }
                state.frame_mut().result = result;
                out.push(state.at(code.len() as u32 - 2));
            }
            Instruction::Leave => out.extend(self.leave(state)),
            Instruction::Unmodelled => drop(self.forbid_all(&state, Stuck::Unmodelled)),
        }
    }

    fn branch(&mut self, mut state: State, test: &Operand, step: Option<StepId>, otherwise: u32, out: &mut Vec<State>) {
        let value = self.value(&state, test);
        let (truth, fault, odd) = arithmetic::truth(&mut self.terms, &value);
        let fine = self.forbid(&state, odd, Stuck::Unmodelled).and_then(|()| self.forbid(&state, fault, Stuck::Fault));
        if fine.is_none() {
            return;
        }
        let pin = step.and_then(|_| state.frame_mut().pin.take());
        let pc = state.frame().pc;
        self.decide(state, step, truth, pin, [pc + 1, otherwise], out);
    }

    /// Sends a state both ways, or the way it must go.
    pub(super) fn decide(
        &mut self,
        mut state: State,
        step: Option<StepId>,
        truth: Term,
        pin: Option<bool>,
        to: [u32; 2],
        out: &mut Vec<State>,
    ) {
        let not = self.terms.not(truth);
        let is_loop = |step: &StepId| self.model.program.step(*step).kind == StepKind::Loop;
        let round = step.filter(is_loop);
        if let Some(pin) = pin {
            state.frame_mut().rounds.retain(|known| Some(known.0) != round);
            let wrong = if pin { not } else { truth };
            if self.forbid(&state, wrong, Stuck::Fault).is_some() {
                out.push(state.at(if pin { to[0] } else { to[1] }));
            }
            return;
        }
        let mut taken = state.narrowed(&self.terms, truth);
        if let (Some(step), Some(state)) = (round, &mut taken) {
            let known = self.terms.value(truth).is_some();
            let most = if known && state.path.is_empty() {
                u32::MAX
            } else if known {
                200
            } else {
                self.options.rounds
            };
            let rounds = &mut state.frame_mut().rounds;
            match rounds.iter_mut().find(|known| known.0 == step) {
                Some(known) => known.1 += 1,
                None => rounds.push((step, 1)),
            }
            if rounds.iter().any(|known| known.0 == step && known.1 > most) {
                let state = state.clone();
                self.forbid_all(&state, Stuck::Unmodelled);
                taken = None;
            }
        }
        out.extend(taken.map(|taken| taken.at(to[0])));
        if let Some(mut left) = state.narrowed(&self.terms, not) {
            left.frame_mut().rounds.retain(|known| Some(known.0) != round);
            out.push(left.at(to[1]));
        }
    }

    fn switch(
        &mut self,
        state: State,
        value: &Operand,
        arms: &[(i128, i128, u32)],
        default: u32,
        out: &mut Vec<State>,
    ) {
        let value = self.value(&state, value);
        let mut odd = Vec::new();
        let mut ways: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
        for (guard, atom) in value.parts(&mut self.terms) {
            match atom {
                Atom::Cell(Cell::Int(value)) => {
                    let fits = |arm: &&(i128, i128, u32)| (arm.0..=arm.1).contains(&i128::from(value));
                    ways.entry(arms.iter().find(fits).map_or(default, |arm| arm.2)).or_default().push(guard);
                }
                _ => odd.push(guard),
            }
        }
        let odd = self.terms.any(&odd);
        if self.forbid(&state, odd, Stuck::Unmodelled).is_none() {
            return;
        }
        let mut rest = Some(state);
        for (to, guards) in ways {
            let Some(state) = rest.take() else { return };
            let goes = self.terms.any(&guards);
            let not = self.terms.not(goes);
            out.extend(state.narrowed(&self.terms, goes).map(|state| state.at(to)));
            rest = state.narrowed(&self.terms, not);
        }
    }

    fn leave(&mut self, mut state: State) -> Option<State> {
        let frame = state.frames.pop()?;
        let depth = state.frames.len() as u32;
        for (i, object) in self.objects.iter().enumerate() {
            if matches!(object.kind, ObjectKind::Local { frame, .. } if frame == depth) {
                let no = self.terms.constant(false);
                state.set_live(&mut self.terms, i as u32, no);
            }
        }
        if state.frames.is_empty() {
            // The program ends before everything was asked.
            self.forbid_all(&state, Stuck::Fault);
            return None;
        }
        if let Some(to) = frame.result_to {
            let caller = &self.model.program.functions[state.frame().function as usize];
            let scalar = Scalar::of(&self.model.program.types, caller.locals[to.index()].ty);
            let result = self.wrapped(&frame.result, scalar);
            state.set(state.local(to), result);
        }
        Some(state)
    }

    fn wrapped(&mut self, value: &Value, scalar: Option<Scalar>) -> Value {
        // A struct is the address of it, and the one that was returned is gone.
        let Some(scalar) = scalar else { return Value::cell(Cell::Unknown) };
        let mut parts = super::value::Parts::default();
        for (guard, atom) in value.parts(&mut self.terms) {
            let atom = match atom {
                Atom::Cell(Cell::Int(value)) => Atom::Cell(Cell::Int(scalar.wrap(value))),
                Atom::Bits(bits) => Atom::Bits(arithmetic::wrap(&mut self.terms, scalar, bits)),
                other => other,
            };
            parts.add(guard, atom);
        }
        parts.finish(&mut self.terms)
    }

    /// A statement begins.
    fn step(&mut self, mut state: State, step: StepId, out: &mut Vec<State>) {
        self.current = step;
        let Some(&index) = self.counted.get(&step) else { return self.visit(state, Visit { step, count: 0 }, out) };
        let mut counts = super::value::Parts::default();
        for (guard, atom) in state.visits[index].parts(&mut self.terms) {
            let Atom::Cell(Cell::Int(count)) = atom else { continue };
            counts.add(guard, Atom::Cell(Cell::Int(count + 1)));
        }
        let count = counts.finish(&mut self.terms);
        let mut rest = Some(state.clone());
        for (guard, atom) in count.parts(&mut self.terms) {
            let Atom::Cell(Cell::Int(known)) = atom else { continue };
            state = match rest.take() {
                Some(state) => state,
                None => return,
            };
            let not = self.terms.not(guard);
            rest = state.narrowed(&self.terms, not);
            if let Some(mut state) = state.narrowed(&self.terms, guard) {
                state.visits[index] = Value::int(known);
                self.visit(state, Visit { step, count: known as u32 }, out);
            }
        }
    }

    /// A statement begins, for the time that is told.
    fn visit(&mut self, mut state: State, visit: Visit, out: &mut Vec<State>) {
        let (prepared, model, step) = (self.prepared, self.model, visit.step);
        let trace = &prepared.trace;
        while trace.demands.get(state.demand).is_some_and(|demand| demand.at == visit) {
            self.ask(&state);
            state.demand += 1;
        }
        if state.demand == trace.demands.len() {
            return;
        }
        let place = &model.code.steps[step.index()];
        if let Some(&taken) = trace.forced.get(&visit).filter(|_| trace.open.contains(&step)) {
            let to = self.ways(step)[usize::from(!taken)];
            out.push(state.at(to));
        } else if trace.skipped.contains(&visit) {
            out.extend(self.skip(state, step));
        } else if prepared.concrete[step.index()] {
            let passed = match (place.is_condition, prepared.decided.get(&visit)) {
                (true, Some(&taken)) => Some(state.at(self.ways(step)[usize::from(!taken)])),
                (true, None) => {
                    let _ = self.forbid_all(&state, Stuck::Unmodelled);
                    return;
                }
                (false, _) if model.program.step(step).kind == StepKind::Return => {
                    let mut state = state;
                    state.frame_mut().result = Value::cell(Cell::Unknown);
                    let code = &model.code.functions[place.function as usize].code;
                    Some(state.at(code.len() as u32 - 2))
                }
                (false, _) => self.skip(state, step),
            };
            let Some(mut state) = passed else { return };
            let effect = trace.effects.get(&visit);
            let done = match effect {
                Some(effect) => self.effect(&mut state, effect),
                None => self.forbid_all(&state, Stuck::Unmodelled),
            };
            if done.is_some() {
                out.push(state);
            }
        } else if self.options.free.contains(&step) {
            self.angelic(state, step, out);
        } else if place.is_condition {
            self.condition(state, visit, self.pins.get(&visit).copied(), out);
        } else {
            self.statement(state, step, out);
        }
    }

    /// Passes over a statement; what it declares is declared.
    pub(super) fn skip(&mut self, mut state: State, step: StepId) -> Option<State> {
        let place = &self.model.code.steps[step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        if self.model.program.step(step).kind == StepKind::Declaration {
            // What comes first may have been declared already.
            for instruction in &code[state.frame().pc as usize..place.end as usize] {
                if let Instruction::Declare(local) = instruction {
                    self.declare(&mut state, *local)?;
                }
            }
        }
        Some(state.at(place.end))
    }

    /// Where a condition leads if it holds, and if not.
    pub(super) fn ways(&self, step: StepId) -> [u32; 2] {
        let place = &self.model.code.steps[step.index()];
        match &self.model.code.functions[place.function as usize].code[place.end as usize] {
            Instruction::Branch { otherwise, .. } => [place.end + 1, *otherwise],
            _ => [place.end, place.end],
        }
    }

    /// The choice at a place, if it is edited.
    pub(super) fn choice(&mut self, place: Place) -> Option<Rc<Choice>> {
        if let Some(choice) = self.choices.get(&place) {
            return Some(choice.clone());
        }
        let space = self.space.places.get(&place)?;
        let types = &self.model.program.types;
        let (choice, rules) = Choice::new(&mut self.terms, place, space, types, self.options);
        let choice = Rc::new(choice);
        self.constraints.extend(rules.into_iter().map(|rule| (None, rule)));
        self.replacing.extend(choice.operands.iter().map(|operand| (operand.0, choice.clone())));
        self.choices.insert(place, choice.clone());
        Some(choice)
    }
}
