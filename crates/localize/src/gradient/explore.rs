//! Whether some change at a place could make a segment meet what is asserted.
//!
//! A change is run with a value that may be anything where it writes. Control
//! splits where the program decides on such a value, and a pointer that may be
//! anything becomes each address that fits once it is followed. So all runs
//! that any change of this kind could have are covered: if none of them meets
//! the facts, no such change is a repair. When that takes too long, or the
//! model cannot follow, the answer is that a change could be one.

use c_types::TypeId;
use encode::{Cell, Edit, Instruction, Machine, Model, Pause, Place, Prepared, Stuck, TypedTerm, Visit, last_action};
use ir::{ActionKind, LocalId, StepId, StepKind};
use spec::Relation;

use super::segment::{Entrance, Passed, Segment, pass_seen, rewound};
use super::target::Target;

/// A kind of change at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// A statement is left out, each time or now and then.
    Either,
    /// A condition goes either way; a `switch` goes anywhere.
    Decide,
    /// An assignment writes anything to its own target; a `return` returns anything.
    Value,
    /// Something else is assigned anything, instead of the statement or in a slot.
    Write(Target, Option<TypeId>),
    /// Something else is assigned a new node for values of this type.
    Fresh(Target, TypeId),
    /// The call in the statement gets anything for this argument.
    Argument(usize),
    /// The statement is run, then the variables that it assigns have any value.
    Result,
    /// What the call in the statement returns is assigned to something else.
    Redirect(TypedTerm),
}

/// How much a change could do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Found {
    /// No asserted fact that differs can be made to hold.
    Nothing,
    /// Some could.
    Part,
    /// All could.
    All,
}

/// Explores changes in a segment.
pub(crate) struct Explorer<'a> {
    pub model: &'a Model,
    pub prepared: &'a Prepared,
    pub segment: &'a Segment,
    /// The checks that do not hold at the end, if the run as it is gets there.
    pub broken: Option<&'a [usize]>,
    /// How many statements may still be run.
    pub left: u64,
    /// Whether a place that should be come to once was come to again.
    pub again: bool,
    /// Whether a pointer that may be anything is each of its values right away.
    pub exact: bool,
    /// The demand and its check that did not hold last: where all must hold, it is asked first.
    doubtful: Option<(usize, usize)>,
    /// A machine that is no longer needed, whose memory the next run uses.
    spare: Option<Machine>,
}

/// One run among many.
#[derive(Clone)]
pub(crate) struct Path {
    pub machine: Machine,
    next: usize,
    applied: u32,
    pending: Option<Pending>,
}

/// What is to be changed when a call begins or ends.
#[derive(Clone, Copy)]
enum Pending {
    Argument(usize, usize),
    Result(usize, StepId),
    Return(usize),
}

/// What comes next of a path.
pub(crate) enum Turn {
    On,
    Dead,
    Split(Vec<Path>),
    End(Found),
    GiveUp,
}

impl<'a> Explorer<'a> {
    /// An explorer that may run so many statements.
    pub fn new(
        model: &'a Model,
        prepared: &'a Prepared,
        segment: &'a Segment,
        broken: Option<&'a [usize]>,
        left: u64,
    ) -> Explorer<'a> {
        Explorer { model, prepared, segment, broken, left, again: false, exact: false, doubtful: None, spare: None }
    }

    /// How much this change could do, from where it first takes hold.
    ///
    /// A value that may be anything is first taken as one unknown value, which
    /// is quick but forgets that its copies are equal. Only if that way all
    /// facts could hold, each value is tried on its own.
    pub fn explore(&mut self, place: Place, change: Change, from: &Entrance) -> Found {
        self.exact = false;
        let found = self.explore_all(place, change, from);
        if found < Found::All || !matches!(change, Change::Value | Change::Write(..)) {
            return found;
        }
        self.exact = true;
        self.explore_all(place, change, from)
    }

    fn explore_all(&mut self, place: Place, change: Change, from: &Entrance) -> Found {
        let mut best = Found::Nothing;
        let machine = match self.spare.take() {
            Some(mut spare) => {
                spare.clone_from(&from.machine);
                spare
            }
            None => from.machine.clone(),
        };
        let mut paths = vec![Path { machine, next: from.next, applied: 0, pending: None }];
        while let Some(mut path) = paths.pop() {
            loop {
                if self.left == 0 {
                    return Found::All;
                }
                self.left -= 1;
                match self.turn(&mut path, place, change) {
                    Turn::On => continue,
                    Turn::Dead => {}
                    Turn::Split(more) => paths.extend(more),
                    Turn::End(found) => best = best.max(found),
                    Turn::GiveUp => return Found::All,
                }
                break;
            }
            if best == Found::All || paths.len() > 5_000 {
                return Found::All;
            }
            self.spare = Some(path.machine);
        }
        best
    }

    fn turn(&mut self, path: &mut Path, place: Place, change: Change) -> Turn {
        match path.machine.advance(self.model) {
            Pause::Step(step) => {
                self.settle(path, step);
                let visit = Visit { step, count: path.machine.visits[step.index()] };
                if let Some(end) = self.ask(path, visit, change) {
                    return end;
                }
                if self.has_missed(path) {
                    return Turn::Dead;
                }
                let is_place = place == Place::Step(step);
                match self.prepared.pass_unseen(self.model, &mut path.machine, visit) {
                    Ok(true) => return Turn::On,
                    Ok(false) if is_place => return self.at_step(path, visit, change),
                    Ok(false) => {}
                    Err(Stuck::Fault) => return Turn::Dead,
                    Err(Stuck::Unmodelled) => return Turn::GiveUp,
                }
                match pass_seen(self.model, self.prepared, self.segment.strict, &mut path.machine, visit) {
                    Ok(Passed::On) => Turn::On,
                    Ok(Passed::Against) if self.segment.strict => Turn::Dead,
                    Ok(Passed::Against) => Turn::On,
                    Err(Stuck::Fault) => Turn::Dead,
                    Err(Stuck::Unmodelled) => Turn::GiveUp,
                }
            }
            Pause::Slot(slot) if place == Place::Slot(slot) => self.write(path, place, change, false),
            Pause::Slot(_) => Turn::On,
            Pause::Over | Pause::Fault => Turn::Dead,
            Pause::Unmodelled => self.unstick(path),
        }
    }

    /// Whether control came too often to where the next demand is to be asked.
    fn has_missed(&self, path: &Path) -> bool {
        let next = self.prepared.trace.demands.get(path.next);
        next.is_some_and(|next| path.machine.visits[next.at.step.index()] > next.at.count)
    }

    /// Asks what is expected at a visit. What may be anything may be as
    /// expected, and is so from then on.
    fn ask(&mut self, path: &mut Path, visit: Visit, change: Change) -> Option<Turn> {
        let demands = &self.prepared.trace.demands;
        while path.next < self.segment.demands.end && demands[path.next].at == visit {
            if self.is_still_doubtful(path) {
                return Some(Turn::End(Found::Nothing));
            }
            let mut still = Vec::new();
            for (number, check) in self.prepared.checks[path.next].iter().enumerate() {
                let machine = &mut path.machine;
                let cell = machine.cell_of_spot(self.model, &check.spot);
                match (cell, machine.expected_cell(&check.expected)) {
                    _ if check.relation == Relation::Gone && machine.holds(self.model, check) => {}
                    (Some(at), Some(expected)) if machine.cells[at as usize] == Cell::Unknown => {
                        if check.relation == Relation::Equal {
                            machine.cells[at as usize] = expected;
                        }
                    }
                    (Some(_), Some(_)) if machine.holds(self.model, check) => {}
                    _ if self.segment.strict => {
                        self.doubtful = Some((path.next, number));
                        return Some(Turn::End(Found::Nothing));
                    }
                    _ => still.push(number),
                }
            }
            if still.is_empty() && !self.prepared.has_printed(&path.machine, path.next) {
                return Some(Turn::Dead);
            }
            path.next += 1;
            match still.is_empty() {
                true if path.next == self.segment.demands.end => return Some(Turn::End(Found::All)),
                true => {}
                false => return Some(Turn::End(self.part(&still, change))),
            }
        }
        None
    }

    /// Whether the check that did not hold last is one of this demand, and does not hold again.
    fn is_still_doubtful(&self, path: &Path) -> bool {
        let Some((_, number)) = self.doubtful.filter(|(demand, _)| *demand == path.next) else { return false };
        let check = &self.prepared.checks[path.next][number];
        let cell = path.machine.cell_of_spot(self.model, &check.spot);
        let is_unknown = cell.is_some_and(|at| path.machine.cells.all()[at as usize] == Cell::Unknown);
        !is_unknown && !path.machine.holds(self.model, check)
    }

    /// Whether a run that leaves these checks broken is better than the run as
    /// it is. A new write somewhere else must not break others: almost any
    /// statement could be sacrificed for one that sets a single fact right.
    pub fn part(&self, still: &[usize], change: Change) -> Found {
        let better = self.broken.is_none_or(|broken| {
            let elsewhere = matches!(change, Change::Write(..) | Change::Fresh(..));
            let breaks = elsewhere && still.iter().any(|number| !broken.contains(number));
            !breaks && broken.iter().any(|number| !still.contains(number))
        });
        if better && !self.segment.strict { Found::Part } else { Found::Nothing }
    }

    fn at_step(&mut self, path: &mut Path, visit: Visit, change: Change) -> Turn {
        let (model, step) = (self.model, visit.step);
        let depth = path.machine.frames.len();
        match change {
            Change::Decide => self.decide(path, visit),
            Change::Either => {
                let kept = path.clone();
                path.machine.skip(model, step);
                Turn::Split(vec![kept, path.clone()])
            }
            Change::Value if model.program.step(step).kind == StepKind::Return => {
                // Another result need not crash where this one does.
                let mut other = path.clone();
                other.machine.return_with(model, Cell::Unknown);
                path.pending = Some(Pending::Return(depth));
                let calls = model.code.steps[step.index()].calls;
                Turn::Split(if calls { vec![path.clone(), other] } else { vec![other] })
            }
            Change::Value => self.value(path, step),
            Change::Argument(number) => {
                path.pending = Some(Pending::Argument(depth, number));
                Turn::On
            }
            Change::Result => {
                path.pending = Some(Pending::Result(depth, step));
                Turn::On
            }
            Change::Redirect(target) => {
                path.machine.set_edits(model, &[Edit::Assign { step, target: Some(target), source: None }]);
                Turn::On
            }
            Change::Write(..) | Change::Fresh(..) => {
                path.machine.skip(model, step);
                self.write(path, Place::Step(step), change, true)
            }
        }
    }

    /// Both ways of a condition, or all of a `switch`; a forced one goes as forced.
    fn decide(&self, path: &Path, visit: Visit) -> Turn {
        let place = &self.model.code.steps[visit.step.index()];
        let code = &self.model.code.functions[place.function as usize].code;
        let ways: Vec<u32> = match &code[place.end as usize] {
            Instruction::Branch { otherwise, .. } => match self.prepared.trace.forced.get(&visit) {
                Some(true) => vec![place.end + 1],
                Some(false) => vec![*otherwise],
                None => vec![place.end + 1, *otherwise],
            },
            Instruction::Switch { arms, default, .. } => {
                arms.iter().map(|arm| arm.2).chain(std::iter::once(*default)).collect()
            }
            _ => return Turn::GiveUp,
        };
        Turn::Split(ways.into_iter().map(|pc| path.at(pc)).collect())
    }

    /// The assignment writes anything to its own target. That covers leaving it
    /// out and guarding it too, so where it crashes it is left out.
    fn value(&self, path: &mut Path, step: StepId) -> Turn {
        let model = self.model;
        if let Some(at) = own_target(model, &mut path.machine, step) {
            path.machine.skip(model, step);
            return self.set_any(path, at, own_type(model, step));
        }
        // The target cannot be computed: it crashes, or a pointer may be anything.
        let mut scratch = path.machine.clone();
        let Some(ActionKind::Store { to, .. }) = last_action(model, step).map(|action| &action.kind) else {
            return Turn::GiveUp;
        };
        match scratch.run_inside(model, step, false).and_then(|()| scratch.place(model, to)) {
            Err(Stuck::Fault) => {
                path.machine.skip(model, step);
                return Turn::On;
            }
            Ok(_) => return Turn::GiveUp,
            Err(Stuck::Unmodelled) => {}
        }
        path.machine.skip(model, step);
        let Some(cells) = self.cells_behind(&scratch, to) else { return Turn::GiveUp };
        let split = |at: u32| {
            let mut path = path.clone();
            path.machine.cells[at as usize] = Cell::Unknown;
            path
        };
        Turn::Split(cells.into_iter().map(split).collect())
    }

    /// A write in a slot or instead of a statement. A write that crashes ends
    /// the run, except in a slot, where a guard may prevent it.
    fn write(&mut self, path: &mut Path, place: Place, change: Change, crashes: bool) -> Turn {
        let (model, machine) = (self.model, &mut path.machine);
        let target = match change {
            Change::Write(target, _) | Change::Fresh(target, _) => target,
            _ => return Turn::On,
        };
        path.applied += 1;
        if matches!(target, Target::Once(_)) && path.applied > 1 {
            self.again = true;
            return Turn::Dead;
        }
        let at = match target.cell(model, machine) {
            Ok(at) => at as usize,
            Err(Stuck::Fault) if crashes => return Turn::Dead,
            Err(Stuck::Fault) => return Turn::On,
            Err(Stuck::Unmodelled) => return self.follow_target(path, place, target),
        };
        match change {
            Change::Fresh(_, ty) => {
                let mut without = path.clone();
                without.machine.cells[at] = Cell::Unknown;
                let size = model.program.types.size_of(ty) as i64;
                match path.machine.allocate_typed(model, ty, size, false) {
                    Ok(address) => path.machine.cells[at] = Cell::Pointer(address),
                    Err(_) => return Turn::GiveUp,
                }
                Turn::Split(vec![path.clone(), without])
            }
            Change::Write(_, ty) => self.set_any(path, at as u32, ty),
            _ => Turn::On,
        }
    }

    /// A target behind a pointer that may be anything: the pointer is each thing that fits.
    fn follow_target(&self, path: &Path, place: Place, target: Target) -> Turn {
        let Target::Term(term) = target else { return Turn::GiveUp };
        let (variable, ty) = match term.term {
            encode::Term::Field(variable, _) | encode::Term::Chain(variable, ..) | encode::Term::Deref(variable) => {
                (variable, self.variable_type(&path.machine, variable))
            }
            _ => return Turn::GiveUp,
        };
        let Ok(at) = path.machine.variable_cell(self.model, variable) else { return Turn::GiveUp };
        if path.machine.cells[at as usize] != Cell::Unknown {
            return Turn::GiveUp;
        }
        let mut before = path.clone();
        before.machine = rewound(self.model, &path.machine, place);
        before.applied -= 1;
        self.each_address(&before, at, ty)
    }

    fn variable_type(&self, machine: &Machine, variable: encode::Variable) -> TypeId {
        match variable {
            encode::Variable::Local(local) => {
                self.model.program.functions[machine.frame().function as usize].locals[local.index()].ty
            }
            encode::Variable::Global(global) => self.model.program.globals[global.index()].ty,
        }
    }

    /// Does what waits for a call to begin or to end.
    fn settle(&self, path: &mut Path, step: StepId) {
        let depth = path.machine.frames.len();
        match path.pending {
            Some(Pending::Argument(from, number)) => {
                path.pending = None;
                if depth != from + 1 {
                    return;
                }
                let function = &self.model.program.functions[path.machine.frame().function as usize];
                let at = path.machine.frame().base as usize + number;
                match (path.machine.cells[at], function.locals[number].in_memory) {
                    (Cell::Pointer(address), true) => {
                        let first = path.machine.objects[address.object as usize].base as usize;
                        path.machine.cells[first] = Cell::Unknown;
                    }
                    _ => path.machine.cells[at] = Cell::Unknown,
                }
            }
            Some(Pending::Result(from, step)) if depth <= from => {
                path.pending = None;
                for local in assigned_locals(self.model, step).filter(|_| depth == from) {
                    let at = path.machine.local(local) as usize;
                    path.machine.cells[at] = Cell::Unknown;
                }
            }
            Some(Pending::Return(from)) if depth == from => {
                path.pending = None;
                if self.model.program.step(step).kind == StepKind::Exit
                    && let Some(frame) = path.machine.frames.last_mut()
                {
                    frame.result = Cell::Unknown;
                }
            }
            _ => {}
        }
    }
}

impl Path {
    /// The same, going on at another instruction.
    pub fn at(&self, pc: u32) -> Path {
        let mut path = self.clone();
        path.machine.set_pc(pc);
        path
    }
}

/// The cell that a statement assigns to, if that can be computed.
fn own_target(model: &Model, machine: &mut Machine, step: StepId) -> Option<u32> {
    match &last_action(model, step)?.kind {
        ActionKind::Call { to, .. } => to.map(|to| machine.local(to)),
        _ => machine.assignment(model, step, false).ok()?.0,
    }
}

/// The type of what a statement assigns.
fn own_type(model: &Model, step: StepId) -> Option<TypeId> {
    let locals = &model.program.functions[model.code.steps[step.index()].function as usize].locals;
    Some(match &last_action(model, step)?.kind {
        ActionKind::Assign { to, .. } | ActionKind::Call { to: Some(to), .. } => locals[to.index()].ty,
        ActionKind::Store { to, .. } => to.ty,
        _ => return None,
    })
}

/// The variables that a statement assigns.
fn assigned_locals(model: &Model, step: StepId) -> impl Iterator<Item = LocalId> {
    let place = &model.code.steps[step.index()];
    let named = model.program.functions[place.function as usize].named;
    let inside = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    let assigned = inside.iter().filter_map(|instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Assign { to, .. } | ActionKind::Call { to: Some(to), .. } => Some(*to),
            _ => None,
        },
        _ => None,
    });
    assigned.filter(move |local| local.index() < named)
}
