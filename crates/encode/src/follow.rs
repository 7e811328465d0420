//! Runs an edited program along a trace and asks everything that is expected.
//!
//! The edited program is run from the trace's start. Conditions that the user
//! forced must come out as forced, unless they are open: those are forced again.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{ActionKind, BinaryOp, StepId, StepKind};

use crate::cell::{self, Cell, Stuck};
use crate::check::{Check, Home, checks, spot};
use crate::code::Instruction;
use crate::decisions::decisions;
use crate::edit::{Edit, NewCondition, NewStatement, TypedTerm};
use crate::library::is_concrete;
use crate::load::LoadError;
use crate::machine::{Machine, Model, Pause, SPARE, Swap};
use crate::print::{Output, Printed};
use crate::result::last_action;
use crate::store::Event;
use crate::trace::{Effect, Trace, Visit};

/// A trace that is ready to be run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The trace.
    pub trace: Arc<Trace>,
    /// The machine at its start.
    pub start: Machine,
    /// What each demand asks.
    pub checks: Vec<Vec<Check>>,
    /// Statements whose effects are taken from the run, by [`StepId`].
    pub concrete: Vec<bool>,
    /// Statements that are concrete, or that the user forced or skipped now or then, by [`StepId`].
    handled: Vec<bool>,
    /// Which way conditions went whose effects are taken from the run.
    pub decided: BTreeMap<Visit, bool>,
}

/// What came of following a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything expected holds.
    Meets,
    /// At a demand some facts do not hold.
    Differs {
        /// The number of the demand.
        demand: usize,
        /// The numbers of the facts.
        facts: Vec<usize>,
    },
    /// A condition did not go the way the user forced it.
    Decided(Visit),
    /// The program would crash, before this demand.
    Fault(usize),
    /// The program ended, or ran for too long, before this demand.
    Missed(usize),
    /// The model does not follow the run, before this demand.
    Unmodelled(usize),
}

/// Where a run came to last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Last {
    /// The statement.
    pub step: Option<StepId>,
    /// Whether it came to something else before than the recorded run.
    pub astray: bool,
    arrivals: usize,
}

impl Last {
    fn come_to(&mut self, step: StepId, trace: &Trace) {
        self.astray |= trace.run.get(self.arrivals).is_none_or(|arrival| arrival.step != step);
        self.arrivals += 1;
        self.step = Some(step);
    }
}

impl Prepared {
    /// Makes a trace ready; `concrete` are statements that the user trusts.
    pub fn new(model: &Model, trace: Arc<Trace>, concrete: &dyn Fn(StepId) -> bool) -> Result<Prepared, LoadError> {
        let mut start = Machine::load(model, &trace.start, &trace.calls)?;
        if trace.at_entry {
            start.set_pc(0);
            start.compute_before_call(model, &trace.calls);
        }
        start.output = trace.output.as_ref().map(Output::new);
        // A repaired run takes about as many statements as the recorded one, and each call takes some.
        start.deepest = start.frames.len() + 256 + trace.run.len();
        let checks =
            trace.demands.iter().map(|demand| checks(model, &demand.facts, &demand.state, &demand.calls)).collect();
        let steps = (0..model.program.steps.len() as u32).map(StepId);
        let is_concrete = |step: StepId| is_concrete(model, step, concrete);
        let concrete: Vec<bool> =
            steps.map(|step| model.code.steps[step.index()].exists && is_concrete(step)).collect();
        let mut decided = decisions(model, &trace);
        decided.retain(|visit, _| concrete[visit.step.index()]);
        let handled = handled(&trace, &concrete);
        Ok(Prepared { trace, start, checks, concrete, handled, decided })
    }

    /// The same program along another trace that begins at the same moment, with what its demands ask.
    pub fn along(&self, trace: Trace, checks: Vec<Vec<Check>>) -> Prepared {
        let handled = handled(&trace, &self.concrete);
        Prepared { trace: Arc::new(trace), checks, handled, ..self.clone() }
    }

    /// Whether a statement is concrete, or the user forced or skipped it now or then.
    pub fn is_handled(&self, step: StepId) -> bool {
        self.handled[step.index()]
    }

    /// Runs the program with these edits, for at most so many instructions.
    pub fn follow(&self, model: &Model, edits: &[Edit], limit: u64) -> Verdict {
        self.follow_to_crash(model, edits, limit).0
    }

    /// The same, with where the run came to last.
    pub fn follow_to_crash(&self, model: &Model, edits: &[Edit], limit: u64) -> (Verdict, Last) {
        let mut machine = self.start.clone();
        let mut last = Last::default();
        let verdict = self.follow_with(model, edits, limit, &mut machine, &mut last);
        (verdict, last)
    }

    /// Where the program with these edits comes to at the last demand, if it meets everything.
    pub fn end_of(&self, model: &Model, edits: &[Edit], limit: u64) -> Option<Machine> {
        let mut machine = self.start.clone();
        let verdict = self.follow_with(model, edits, limit, &mut machine, &mut Last::default());
        (verdict == Verdict::Meets).then_some(machine)
    }

    fn follow_with(
        &self,
        model: &Model,
        edits: &[Edit],
        limit: u64,
        machine: &mut Machine,
        last: &mut Last,
    ) -> Verdict {
        let mut demand = 0;
        machine.set_edits(model, edits);
        while demand < self.checks.len() {
            match machine.advance(model) {
                Pause::Step(step) => {
                    last.come_to(step, &self.trace);
                    let visit = Visit { step, count: machine.visits[step.index()] };
                    if let Err(facts) = self.ask(model, machine, visit, &mut demand) {
                        let unknown = |check: &Check| {
                            let at = machine.cell_of_spot(model, &check.spot);
                            at.is_some_and(|at| machine.cells[at as usize] == Cell::Unknown)
                        };
                        let mut broken = self.checks[demand].iter().filter(|check| facts.contains(&check.fact));
                        return match !facts.is_empty() && broken.all(unknown) {
                            true => Verdict::Unmodelled(demand),
                            false => Verdict::Differs { demand, facts },
                        };
                    }
                    if demand == self.checks.len() {
                        break;
                    }
                    match self.pass(model, machine, visit, edits) {
                        Ok(true) => {}
                        Ok(false) => return Verdict::Decided(visit),
                        Err(Stuck::Fault) => return Verdict::Fault(demand),
                        Err(Stuck::Unmodelled) => return Verdict::Unmodelled(demand),
                    }
                }
                Pause::Slot(slot) => {
                    let here = |edit: &&Edit| edit.is_at_slot(slot);
                    for edit in edits.iter().filter(here) {
                        match machine.insert(model, edit) {
                            Ok(()) => {}
                            Err(Stuck::Fault) => return Verdict::Fault(demand),
                            Err(Stuck::Unmodelled) => return Verdict::Unmodelled(demand),
                        }
                    }
                }
                Pause::Over => return Verdict::Missed(demand),
                Pause::Fault => return Verdict::Fault(demand),
                Pause::Unmodelled => return Verdict::Unmodelled(demand),
            }
            if machine.spent > limit {
                return Verdict::Missed(demand);
            }
        }
        Verdict::Meets
    }

    /// Asks what is expected at a visit; the demand that comes next moves on.
    /// Otherwise the facts that do not hold: none if only what was printed is wrong.
    pub fn ask(&self, model: &Model, machine: &Machine, visit: Visit, demand: &mut usize) -> Result<(), Vec<usize>> {
        self.count_broken(model, machine, visit, demand, usize::MAX, &mut 0).map_err(|_| {
            let broken = self.checks[*demand].iter().filter(|check| !machine.holds(model, check));
            broken.map(|check| check.fact).collect()
        })
    }

    /// The same for those who only want to know how many facts do not hold, and not if they are more than so many.
    /// Who asks whether any does not is answered sooner by the one that did not hold last: it is `doubtful`.
    pub fn count_broken(
        &self,
        model: &Model,
        machine: &Machine,
        visit: Visit,
        demand: &mut usize,
        most: usize,
        doubtful: &mut usize,
    ) -> Result<(), usize> {
        while self.trace.demands.get(*demand).is_some_and(|next| next.at == visit) {
            let checks = &self.checks[*demand];
            let is_broken = |check: &&Check| !machine.holds(model, check);
            let broken = match most {
                1 if checks.get(*doubtful).as_ref().is_some_and(is_broken) => 1,
                1 => checks.iter().position(|check| is_broken(&check)).map_or(0, |number| {
                    *doubtful = number;
                    1
                }),
                _ => checks.iter().filter(is_broken).take(most).count(),
            };
            if broken > 0 || !self.has_printed(machine, *demand) {
                return Err(broken);
            }
            *demand += 1;
        }
        Ok(())
    }

    /// Lets a machine go on where a demand was met, so that what it prints is compared.
    pub fn go_on_printing(&self, machine: &mut Machine, demand: usize) {
        let output = self.trace.output.as_ref();
        machine.output = output.and_then(|output| {
            Some(Output::new(&Printed {
                text: output.text.clone(),
                before: (*output.at.get(demand)?)?,
                at: Vec::new(),
            }))
        });
    }

    /// Whether as much was printed as should be at a demand.
    pub fn has_printed(&self, machine: &Machine, demand: usize) -> bool {
        let expected = self.trace.output.as_ref().and_then(|output| *output.at.get(demand)?);
        expected.zip(machine.output.as_ref()).is_none_or(|(count, output)| output.is_at(count))
    }

    /// Runs the statement that the machine paused before, as edited; whether a
    /// forced decision came out as it must.
    fn pass(&self, model: &Model, machine: &mut Machine, visit: Visit, edits: &[Edit]) -> Result<bool, Stuck> {
        if self.pass_unseen(model, machine, visit)? {
            return Ok(true);
        }
        let step = visit.step;
        let mut here = edits.iter().filter(|edit| edit.place() == crate::edit::Place::Step(step));
        // Other operands are taken by the machine itself.
        let edit = here.find(|edit| !matches!(edit, Edit::Operand { .. }));
        if model.code.steps[step.index()].is_condition {
            let taken = match edit {
                Some(Edit::Condition { new, .. }) => machine.new_condition(model, step, new)?,
                _ if !self.trace.forced.contains_key(&visit) => return Ok(true),
                _ => machine.condition(model, step)?,
            };
            if self.trace.forced.get(&visit).is_some_and(|&forced| forced != taken) {
                return Ok(false);
            }
            machine.decide(model, step, taken);
            return Ok(true);
        }
        if let Some(edit) = edit {
            machine.apply(model, edit)?;
        }
        Ok(true)
    }

    /// What needs no look at edits: statements that are left out, statements
    /// whose effect is known, and open conditions. Whether it was such a one.
    pub fn pass_unseen(&self, model: &Model, machine: &mut Machine, visit: Visit) -> Result<bool, Stuck> {
        if !self.is_handled(visit.step) {
            return Ok(false);
        }
        let trace = &self.trace;
        if let Some(&taken) = trace.forced.get(&visit).filter(|_| trace.open.contains(&visit.step)) {
            machine.decide(model, visit.step, taken);
            return Ok(true);
        }
        if trace.skipped.contains(&visit) {
            machine.skip(model, visit.step);
            return Ok(true);
        }
        if !self.concrete[visit.step.index()] {
            return Ok(false);
        }
        let effect = match trace.effects.get(&visit) {
            Some(effect) => effect,
            // The user went into the functions that are called here, so they are run as they are.
            None if model.code.steps[visit.step.index()].calls => return Ok(false),
            None => return Err(Stuck::Unmodelled),
        };
        if model.code.steps[visit.step.index()].is_condition {
            machine.decide(model, visit.step, *self.decided.get(&visit).ok_or(Stuck::Unmodelled)?);
        } else if model.program.step(visit.step).kind == StepKind::Return {
            machine.return_with(model, Cell::Unknown);
        } else {
            machine.skip(model, visit.step);
        }
        machine.take_effect(model, effect)?;
        machine.output.iter_mut().for_each(Output::lose);
        Ok(true)
    }
}

/// The statements that are concrete, or that the user forced or skipped now or then.
fn handled(trace: &Trace, concrete: &[bool]) -> Vec<bool> {
    let mut handled = concrete.to_vec();
    trace.forced.keys().chain(&trace.skipped).for_each(|visit| handled[visit.step.index()] = true);
    handled
}

impl Machine {
    /// Does to memory what a concrete statement did.
    fn take_effect(&mut self, model: &Model, effect: &Effect) -> Result<(), Stuck> {
        let is_new = |node: &&memory::Node| node.id.0 >= self.next_node;
        let fresh: Vec<&memory::Node> = effect.state.nodes.iter().filter(is_new).collect();
        self.make_nodes(model, &fresh);
        self.fill_nodes(model, &fresh);
        for id in &effect.freed {
            let object = self.object_at(Home::Node(*id)).ok_or(Stuck::Unmodelled)?;
            Arc::make_mut(&mut self.objects)[object as usize].live = false;
        }
        for (entity, value) in &effect.writes {
            let spot = spot(model, &effect.state, &effect.calls, entity).ok_or(Stuck::Unmodelled)?;
            let at = self.cell_of_spot(model, &spot).ok_or(Stuck::Unmodelled)?;
            self.cells[at as usize] = self.cell_of(model, value);
        }
        Ok(())
    }

    /// Prepares the edits that change single actions.
    pub fn set_edits(&mut self, model: &Model, edits: &[Edit]) {
        let swap = |edit: &Edit| match edit {
            Edit::Assign { step, target: Some(target), source: None } if model.code.steps[step.index()].calls => {
                Some((last_action(model, *step)?.id, Swap::Target(*target)))
            }
            Edit::Operand { action, operand, with, .. } => Some((*action, Swap::Operand(*operand, *with))),
            _ => None,
        };
        let swaps: Vec<_> = edits.iter().filter_map(swap).collect();
        if !swaps.is_empty() || !self.swaps.is_empty() {
            self.swaps = Arc::new(swaps);
        }
    }

    /// Whether the condition it paused before holds, as it is written.
    pub fn condition(&mut self, model: &Model, step: StepId) -> Result<bool, Stuck> {
        self.aside(model, step, |machine| machine.evaluate_condition(model, step))
    }

    fn evaluate_condition(&mut self, model: &Model, step: StepId) -> Result<bool, Stuck> {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        self.run_inside(model, step, true)?;
        let Instruction::Branch { test, .. } = &code[place.end as usize] else { return Err(Stuck::Unmodelled) };
        let value = self.value(test);
        self.cells.note(Event::Decide);
        match value {
            Cell::Unset => Err(Stuck::Fault),
            value => cell::truth_of(value).ok_or(Stuck::Unmodelled),
        }
    }

    /// Whether a new condition holds.
    pub fn new_condition(&mut self, model: &Model, step: StepId, new: &NewCondition) -> Result<bool, Stuck> {
        let swap = match new {
            NewCondition::Whole(comparison) => return self.comparison(model, comparison),
            NewCondition::Atom(action, comparison) => (*action, Swap::Compare(*comparison)),
            NewCondition::Without(action, truth) => (*action, Swap::Truth(*truth)),
            NewCondition::Operand(action, operand, with) => (*action, Swap::Operand(*operand, *with)),
            NewCondition::Operator(action, op) => (*action, Swap::Operator(*op)),
            _ => return self.wide_condition(model, step, new),
        };
        self.aside(model, step, |machine| {
            machine.swaps = Arc::new(vec![swap]);
            machine.evaluate_condition(model, step)
        })
    }

    /// Computes something of the statement it paused before, and stands there again as if nothing had been.
    pub(crate) fn aside<T>(&mut self, model: &Model, step: StepId, compute: impl FnOnce(&mut Machine) -> T) -> T {
        if !model.code.steps[step.index()].is_simple {
            return compute(&mut self.clone());
        }
        let frame = self.frame();
        let (pc, first) = (frame.pc, frame.base as usize);
        let own = first..first + model.program.functions[frame.function as usize].locals.len() + SPARE;
        let cells = self.cells.all()[own.clone()].to_vec();
        let (spent, swaps) = (self.spent, self.swaps.clone());
        let computed = compute(self);
        self.cells.range_mut(own).copy_from_slice(&cells);
        (self.spent, self.swaps) = (spent, swaps);
        self.set_pc(pc);
        computed
    }

    /// What an assignment does as it is written. Without `source` its value is not computed.
    pub fn assignment(&mut self, model: &Model, step: StepId, source: bool) -> Result<Assignment, Stuck> {
        let next_node = self.next_node;
        self.aside(model, step, |machine| {
            machine.run_inside(model, step, source)?;
            // What a function allocates cannot be taken over from the copy.
            let source = source && machine.next_node == next_node;
            let place = &model.code.steps[step.index()];
            let code = &model.code.functions[place.function as usize].code;
            let Instruction::Act(action) = &code[place.end as usize - 1] else { return Err(Stuck::Unmodelled) };
            match &action.kind {
                ActionKind::Assign { to, value, .. } => {
                    let value = Some(()).filter(|()| source).and_then(|()| machine.compute(model, value).ok());
                    Ok((Some(machine.local(*to)), value))
                }
                ActionKind::Store { to, value } => {
                    let value = Some(machine.value(value)).filter(|value| source && *value != Cell::Unset);
                    Ok((machine.place(model, to).ok(), value))
                }
                // What is called last is not called.
                ActionKind::Call { to: Some(to), .. } => Ok((Some(machine.local(*to)), None)),
                _ => Err(Stuck::Unmodelled),
            }
        })
    }

    /// Runs the edited statement that it paused before.
    pub fn apply(&mut self, model: &Model, edit: &Edit) -> Result<(), Stuck> {
        match edit {
            Edit::Assign { step, target: Some(target), source: None } if allocates(model, *step) => {
                return self.allocate_into(model, *step, target);
            }
            // The call is made as it is, see `set_edits`.
            Edit::Assign { step, source: None, .. } if model.code.steps[step.index()].calls => {}
            Edit::Assign { step, target, source } => {
                let (original_cell, original_value) = match (target, source) {
                    (Some(_), Some(_)) => (None, None),
                    _ => self.assignment(model, *step, source.is_none())?,
                };
                let at = match target {
                    Some(term) => self.term_cell(model, term)?,
                    None => original_cell.ok_or(Stuck::Fault)?,
                };
                let value = match source {
                    Some(term) => self.term_value(model, term)?,
                    None => original_value.ok_or(Stuck::Fault)?,
                };
                // What is declared has no value before it is assigned.
                self.skip(model, *step);
                self.cells[at as usize] = value;
            }
            Edit::Return { with, .. } => {
                let result = self.term_value(model, with)?;
                self.return_with(model, result);
            }
            Edit::Delete { step } => self.skip(model, *step),
            Edit::Guard { step, condition } => {
                if !self.comparison(model, condition)? {
                    self.skip(model, *step);
                }
            }
            Edit::Move { step, .. } => self.skip(model, *step),
            Edit::Choose { .. } => self.choose(model, edit)?,
            Edit::Operand { .. } | Edit::Condition { .. } | Edit::Insert { .. } => {}
        }
        Ok(())
    }

    /// Runs `x = malloc(…)` with another target.
    fn allocate_into(&mut self, model: &Model, step: StepId, target: &TypedTerm) -> Result<(), Stuck> {
        let at = self.term_cell(model, target)?;
        let mut after = self.clone();
        after.run_inside(model, step, true)?;
        let place = &model.code.steps[step.index()];
        let Instruction::Act(last) = &model.code.functions[place.function as usize].code[place.end as usize - 1] else {
            return Err(Stuck::Unmodelled);
        };
        let value = match &last.kind {
            ActionKind::Assign { value, .. } => after.compute(model, value)?,
            ActionKind::Store { value, .. } => after.value(value),
            ActionKind::Call { to: Some(_), .. } => after.call_aside(model, last)?,
            _ => return Err(Stuck::Unmodelled),
        };
        *self = after;
        self.skip(model, step);
        self.cells[at as usize] = value;
        Ok(())
    }

    /// Runs an inserted statement.
    pub fn insert(&mut self, model: &Model, edit: &Edit) -> Result<(), Stuck> {
        if let Edit::Move { step, .. } = edit {
            return self.run_moved(model, *step);
        }
        let Edit::Insert { guard, statement, .. } = edit else { return Ok(()) };
        match guard {
            Some(guard) if !self.comparison(model, guard)? => Ok(()),
            _ => self.new_statement(model, statement),
        }
    }

    /// Runs a new statement.
    pub fn new_statement(&mut self, model: &Model, statement: &NewStatement) -> Result<(), Stuck> {
        match statement {
            NewStatement::Assign(target, source) => {
                let (at, value) = (self.term_cell(model, target)?, self.term_value(model, source)?);
                self.cells[at as usize] = value;
            }
            NewStatement::Allocate(target) => {
                let ty = model.program.types.target(target.ty).ok_or(Stuck::Unmodelled)?;
                let at = self.term_cell(model, target)?;
                let size = model.program.types.size_of(ty) as i64;
                let address = self.allocate_typed(model, ty, size, false)?;
                self.cells[at as usize] = Cell::Pointer(address);
            }
            NewStatement::Free(pointer) => {
                let pointer = self.term_value(model, pointer)?;
                self.free(pointer)?;
            }
            NewStatement::Return(_) | NewStatement::Break | NewStatement::Continue => self.exit(model, statement)?,
        }
        Ok(())
    }
}

/// Where an assignment writes to and what; each is missing if computing it would crash.
pub type Assignment = (Option<u32>, Option<Cell>);

/// Whether a statement makes a node.
pub fn allocates(model: &Model, step: StepId) -> bool {
    model.program.step(step).allocates.is_some()
}

/// The comparison operators.
pub const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];
