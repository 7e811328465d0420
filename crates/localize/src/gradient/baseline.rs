//! The run without a statement, as a measure for writes in its place.
//!
//! If `c = …` stands in the place of a statement, and nothing after it reads
//! `c`, the run is the one without the statement, but for `c`. So most writes
//! need not be run to know that they repair nothing.

use std::collections::BTreeSet;

use encode::{Cell, Instruction, Machine, Pause, Place, Term, Variable, Visit};
use ir::{Access, AccessRoot, ActionKind, Operand, OperandKind, Projection, Rvalue, StepId, StepKind};

use super::explore::{Change, Explorer, Found};
use super::segment::{Entrance, Passed, pass_seen};
use super::target::{Target, Typed};

/// The run without a statement, or without anything in a slot.
pub(crate) struct Baseline {
    /// The cells that are read after the place is come to first; `None` if that is not known.
    read: Option<BTreeSet<u32>>,
    /// The checks that do not hold in the end, with their cells; `None` if the run does not get there.
    still: Option<Vec<(usize, Option<u32>)>>,
    /// For each target what it is in this run.
    touched: Vec<Touched>,
}

/// What a target is in the run.
#[derive(Clone, Default)]
struct Touched {
    cells: BTreeSet<u32>,
    /// The cells that its text reads.
    bases: BTreeSet<u32>,
    /// Whether writing to it would crash.
    crashes: bool,
    /// Whether what it is could not be told.
    unclear: bool,
}

/// So many statements at most.
const LONGEST: usize = 5_000;

/// Runs without the statement; `None` if that run cannot be followed.
pub(crate) fn baseline(explorer: &Explorer, place: Place, from: &Entrance, targets: &[Typed]) -> Option<Baseline> {
    let (model, prepared) = (explorer.model, explorer.prepared);
    let mut machine = from.machine.clone();
    let mut next = from.next;
    let mut base =
        Baseline { read: Some(BTreeSet::new()), still: None, touched: vec![Touched::default(); targets.len()] };
    for _ in 0..LONGEST {
        match machine.advance(model) {
            Pause::Step(step) => {
                let visit = Visit { step, count: machine.visits[step.index()] };
                while next < explorer.segment.demands.end && prepared.trace.demands[next].at == visit {
                    let checks = prepared.checks[next].iter().enumerate();
                    let broken = checks.filter(|(_, check)| !machine.holds(model, check));
                    let still: Vec<(usize, Option<u32>)> =
                        broken.map(|(number, check)| (number, machine.cell_of_spot(model, &check.spot))).collect();
                    next += 1;
                    if !still.is_empty() || next == explorer.segment.demands.end {
                        base.still = Some(still);
                        return Some(base);
                    }
                }
                if prepared.pass_unseen(model, &mut machine, visit).ok()? {
                    continue;
                }
                if place == Place::Step(step) {
                    base.touch(explorer, &machine, targets, true);
                    machine.skip(model, step);
                    continue;
                }
                base.note_reads(explorer, &machine, step);
                match pass_seen(model, prepared, explorer.segment.strict, &mut machine, visit).ok()? {
                    Passed::Against if explorer.segment.strict => return Some(base),
                    _ => {}
                }
            }
            Pause::Slot(slot) if place == Place::Slot(slot) => base.touch(explorer, &machine, targets, false),
            Pause::Slot(_) => {}
            Pause::Over | Pause::Fault => return Some(base),
            Pause::Unmodelled => return None,
        }
    }
    None
}

impl Baseline {
    /// How much writing to a target could do, where that needs no run.
    pub fn judge(&self, explorer: &Explorer, number: usize, change: Change) -> Option<Found> {
        let (read, touched) = (self.read.as_ref()?, &self.touched[number]);
        if touched.unclear || !touched.cells.is_disjoint(read) || !touched.cells.is_disjoint(&touched.bases) {
            return None;
        }
        let Some(still) = self.still.as_ref().filter(|_| !touched.crashes) else { return Some(Found::Nothing) };
        let left = still.iter().filter(|(_, cell)| cell.is_none_or(|cell| !touched.cells.contains(&cell)));
        let left: Vec<usize> = left.map(|(number, _)| *number).collect();
        (!left.is_empty()).then(|| explorer.part(&left, change))
    }

    fn touch(&mut self, explorer: &Explorer, machine: &Machine, targets: &[Typed], crashes: bool) {
        for (touched, (target, _)) in self.touched.iter_mut().zip(targets) {
            // A single cell that is come to twice is a matter for the repeated targets.
            let twice = matches!(target, Target::Once(_)) && !touched.cells.is_empty();
            match target.cell(explorer.model, machine) {
                Ok(cell) => drop(touched.cells.insert(cell)),
                Err(encode::Stuck::Fault) => touched.crashes |= crashes,
                Err(encode::Stuck::Unmodelled) => touched.unclear = true,
            }
            touched.unclear |= twice;
            touched.bases.extend(bases(explorer, machine, target));
        }
    }

    fn note_reads(&mut self, explorer: &Explorer, machine: &Machine, step: StepId) {
        if let Some(read) = &mut self.read
            && reads(explorer, machine, step, read).is_none()
        {
            self.read = None;
        }
    }
}

/// The cells that the text of a target reads.
fn bases(explorer: &Explorer, machine: &Machine, target: &Target) -> Vec<u32> {
    let model = explorer.model;
    let variable = |variable: Variable| machine.variable_cell(model, variable).ok();
    let term = match target {
        Target::Once(_) | Target::Always(_) => return Vec::new(),
        Target::Term(term) => term,
        Target::Through(term, ..) => {
            let own = machine.term_cell(model, term).ok();
            return own.into_iter().chain(bases(explorer, machine, &Target::Term(*term))).collect();
        }
    };
    match term.term {
        Term::Field(base, _) | Term::Deref(base) => variable(base).into_iter().collect(),
        Term::Chain(base, first, _) => {
            let middle = encode::TypedTerm { term: Term::Field(base, first), ..*term };
            variable(base).into_iter().chain(machine.term_cell(model, &middle).ok()).collect()
        }
        _ => Vec::new(),
    }
}

/// The cells that the statement before which the machine stands reads, as it
/// is; `None` if that cannot be told.
fn reads(explorer: &Explorer, machine: &Machine, step: StepId, into: &mut BTreeSet<u32>) -> Option<()> {
    let model = explorer.model;
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    if model.program.step(step).kind == StepKind::Exit {
        return returns_to_end(explorer, machine).then_some(());
    }
    let mut machine = machine.clone();
    // The instruction after the last is looked at too: it is the branch or the `switch`.
    for _ in 0..1_000 {
        let pc = machine.frame().pc;
        match code.get(pc as usize)? {
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { to, value, .. } => {
                    of_value(explorer, &machine, value, into);
                    let at = machine.local(*to) as usize;
                    machine.cells[at] = machine.compute(model, value).unwrap_or(Cell::Unset);
                    machine.set_pc(pc + 1);
                }
                ActionKind::Store { to, value } => {
                    operand(&machine, value, into);
                    of_access(&machine, to, into);
                    let scalar = encode::Scalar::of(&model.program.types, to.ty);
                    scalar?;
                    if let Ok(at) = machine.place(model, to) {
                        machine.cells[at as usize] = machine.value(value);
                    }
                    machine.set_pc(pc + 1);
                }
                ActionKind::Call { arguments, callee, .. } => {
                    arguments.iter().for_each(|argument| operand(&machine, argument, into));
                    let at_end = pc + 1 >= place.end && !place.is_condition;
                    let direct = matches!(callee, ir::Callee::Direct(_));
                    return (at_end && direct).then_some(());
                }
                _ => return None,
            },
            Instruction::Declare(local) => {
                let function = &model.program.functions[place.function as usize];
                (!function.locals[local.index()].in_memory).then_some(())?;
                let at = machine.local(*local) as usize;
                machine.cells[at] = Cell::Unset;
                machine.set_pc(pc + 1);
            }
            Instruction::Branch { test, otherwise, .. } => {
                operand(&machine, test, into);
                if pc >= place.end {
                    return Some(());
                }
                let taken = encode::cell::truth_of(machine.value(test))?;
                machine.set_pc(if taken { pc + 1 } else { *otherwise });
            }
            Instruction::Switch { value, .. } => {
                operand(&machine, value, into);
                return Some(());
            }
            Instruction::Return(value) => {
                value.iter().for_each(|value| operand(&machine, value, into));
                return Some(());
            }
            Instruction::Jump(to) if pc < place.end => machine.set_pc(*to),
            _ => return Some(()),
        }
        if machine.frame().pc > place.end {
            return Some(());
        }
    }
    None
}

/// Whether nothing is left to do in the statement that called this function.
fn returns_to_end(explorer: &Explorer, machine: &Machine) -> bool {
    let Some(caller) = machine.frames.len().checked_sub(2).map(|index| &machine.frames[index]) else { return true };
    let code = &explorer.model.code.functions[caller.function as usize].code;
    matches!(code[caller.pc as usize], Instruction::Step(_) | Instruction::Slot(_) | Instruction::Jump(_))
}

fn operand(machine: &Machine, operand: &Operand, into: &mut BTreeSet<u32>) {
    if let OperandKind::Local(local) = &operand.kind {
        into.insert(machine.local(*local));
    }
}

fn of_access(machine: &Machine, access: &Access, into: &mut BTreeSet<u32>) {
    if let AccessRoot::Deref(pointer) = &access.root {
        operand(machine, pointer, into);
    }
    for projection in &access.path {
        if let Projection::Index { index, scale, .. } = projection {
            operand(machine, index, into);
            operand(machine, scale, into);
        }
    }
}

fn of_value(explorer: &Explorer, machine: &Machine, value: &Rvalue, into: &mut BTreeSet<u32>) {
    let mut all = |operands: &[&Operand]| operands.iter().for_each(|one| operand(machine, one, into));
    match value {
        Rvalue::Use(a) | Rvalue::Unary(_, a, _) | Rvalue::Convert { value: a, .. } => all(&[a]),
        Rvalue::Binary(_, a, b, _) => all(&[a, b]),
        Rvalue::Offset { pointer, index, scale, .. } => all(&[pointer, index, scale]),
        Rvalue::Distance { left, right, scale } => all(&[left, right, scale]),
        Rvalue::AddressOf(access) => of_access(machine, access, into),
        Rvalue::Load(access) => {
            of_access(machine, access, into);
            into.extend(machine.place(explorer.model, access).ok());
        }
    }
}
