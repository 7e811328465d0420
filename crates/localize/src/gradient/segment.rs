//! The program as it is, run over a stretch of a trace.
//!
//! A trace with demands at the third and sixth arrival has two segments: from
//! the start to the third arrival, and from the memory that the user saw there
//! to the sixth. Each is run forward on its own, so that what went wrong in one
//! does not spoil the next. The whole trace is one more stretch, on which
//! forced decisions must come out by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use encode::{Cell, Instruction, Machine, Model, Pause, Place, Prepared, Stuck, Visit};
use ir::{ActionKind, StepId, StepKind};

/// A stretch of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// The machine at its start.
    pub start: Machine,
    /// The demands that are asked.
    pub demands: Range<usize>,
    /// Whether forced decisions must come out by themselves.
    pub strict: bool,
}

/// The whole trace as one segment.
pub(crate) fn whole(prepared: &Prepared) -> Segment {
    Segment { start: prepared.start.clone(), demands: 0..prepared.checks.len(), strict: true }
}

/// The segment that ends at a demand; `None` if the model cannot start where it does.
pub(crate) fn segment(model: &Model, prepared: &Prepared, demand: usize) -> Option<Segment> {
    let demands = demand..demand + 1;
    let Some(before) = demand.checked_sub(1).map(|before| &prepared.trace.demands[before]) else {
        return Some(Segment { start: prepared.start.clone(), demands, strict: false });
    };
    let mut start = Machine::load(model, &before.state, &before.calls).ok()?;
    // The statement it stands before is counted when the machine comes to it.
    for arrival in &prepared.trace.run[..before.index] {
        start.visits[arrival.step.index()] += 1;
    }
    prepared.go_on_printing(&mut start, demand - 1);
    Some(Segment { start, demands, strict: false })
}

/// A statement that was run.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The statement.
    pub step: StepId,
    /// The cells it wrote, with what was there before and after.
    pub writes: Vec<(u32, Cell, Cell)>,
}

/// Where a change can take hold for the first time.
#[derive(Clone, Debug)]
pub(crate) struct Entrance {
    /// The machine just before it comes there.
    pub machine: Machine,
    /// The next demand then.
    pub next: usize,
    /// How often the run comes there.
    pub visits: u32,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At a demand of which these checks do not hold, by their numbers; none if all demands hold.
    Asked(usize, Vec<usize>),
    /// It crashed, ended or went on for too long before the next demand.
    Lost,
    /// A forced decision did not come out by itself.
    Decided,
    /// The model does not follow it.
    Unfollowed,
}

/// A run of the program as it is.
#[derive(Clone, Debug)]
pub(crate) struct Forward {
    /// What was run, in order.
    pub instances: Vec<Instance>,
    /// Where it came to.
    pub places: BTreeMap<Place, Entrance>,
    /// Conditions that were forced against what they say.
    pub against: BTreeSet<StepId>,
    /// How it ended.
    pub end: End,
    /// The machine where it ended.
    pub last: Machine,
}

impl Forward {
    /// Whether everything that was asked holds.
    pub fn meets(&self) -> bool {
        matches!(&self.end, End::Asked(_, broken) if broken.is_empty())
    }
}

/// Runs longer than this count as endless.
const LONGEST: u64 = 200_000;
/// So many statements are remembered one by one.
const REMEMBERED: usize = 2_000;

/// Runs the program as it is.
pub(crate) fn forward(model: &Model, prepared: &Prepared, segment: &Segment) -> Forward {
    let mut machine = segment.start.clone();
    let mut forward = Forward {
        instances: Vec::new(),
        places: BTreeMap::new(),
        against: BTreeSet::new(),
        end: End::Lost,
        last: machine.clone(),
    };
    let limit = machine.spent + LONGEST;
    let mut next = segment.demands.start;
    let mut open: Option<(StepId, Vec<Cell>, Option<u32>)> = None;
    forward.end = loop {
        if machine.spent > limit {
            break End::Lost;
        }
        let pause = machine.advance(model);
        if let Some((step, before, target)) = open.take() {
            forward.instances.push(Instance { step, writes: writes(model, &machine, &before, target) });
        }
        match pause {
            Pause::Step(step) => {
                let visit = Visit { step, count: machine.visits[step.index()] };
                match ask(model, prepared, segment, &machine, visit, &mut next) {
                    Some(end) => break end,
                    None => forward.enter(model, &machine, Place::Step(step), next),
                }
                open = owner(model, &machine, step)
                    .filter(|_| forward.instances.len() < REMEMBERED)
                    .map(|step| (step, machine.cells.all().to_vec(), target(model, &mut machine, step)));
                match pass(model, prepared, segment.strict, &mut machine, visit) {
                    Ok(Passed::On) => {}
                    Ok(Passed::Against) if !segment.strict => drop(forward.against.insert(step)),
                    Ok(Passed::Against) => break End::Decided,
                    Err(Stuck::Fault) => break End::Lost,
                    Err(Stuck::Unmodelled) => break End::Unfollowed,
                }
            }
            Pause::Slot(slot) => forward.enter(model, &machine, Place::Slot(slot), next),
            Pause::Over | Pause::Fault => break End::Lost,
            Pause::Unmodelled => break End::Unfollowed,
        }
    };
    forward.last = machine;
    forward
}

impl Forward {
    fn enter(&mut self, model: &Model, machine: &Machine, place: Place, next: usize) {
        if is_exit(model, place) {
            return;
        }
        let new = || Entrance { machine: rewound(model, machine, place), next, visits: 0 };
        self.places.entry(place).or_insert_with(new).visits += 1;
    }
}

/// The closing brace of a function is not a place.
fn is_exit(model: &Model, place: Place) -> bool {
    matches!(place, Place::Step(step) if model.program.step(step).kind == StepKind::Exit)
}

/// The machine before it came to where it paused.
pub(crate) fn rewound(model: &Model, machine: &Machine, place: Place) -> Machine {
    let mut machine = machine.clone();
    match place {
        Place::Step(step) => {
            machine.visits[step.index()] -= 1;
            machine.set_pc(model.code.steps[step.index()].start);
        }
        Place::Slot(slot) => machine.set_pc(model.code.slots[slot.0 as usize].pc),
    }
    machine
}

fn ask(
    model: &Model,
    prepared: &Prepared,
    segment: &Segment,
    machine: &Machine,
    visit: Visit,
    next: &mut usize,
) -> Option<End> {
    while *next < segment.demands.end && prepared.trace.demands[*next].at == visit {
        let checks = prepared.checks[*next].iter().enumerate();
        let broken: Vec<usize> =
            checks.filter(|(_, check)| !machine.holds(model, check)).map(|(number, _)| number).collect();
        if broken.is_empty() && !prepared.has_printed(machine, *next) {
            return Some(End::Lost);
        }
        if !broken.is_empty() || *next + 1 == segment.demands.end {
            return Some(End::Asked(*next, broken));
        }
        *next += 1;
    }
    None
}

/// How a statement was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// It is run, or what it did was done.
    On,
    /// It is a condition that was forced against what it says.
    Against,
}

/// Passes the statement that the machine paused before as the trace says.
/// With `strict`, a forced condition that cannot be evaluated goes as forced
/// only if that is because a value is not known.
pub(crate) fn pass(
    model: &Model,
    prepared: &Prepared,
    strict: bool,
    machine: &mut Machine,
    visit: Visit,
) -> Result<Passed, Stuck> {
    match prepared.pass_unseen(model, machine, visit)? {
        true => Ok(Passed::On),
        false => pass_seen(model, prepared, strict, machine, visit),
    }
}

/// The same for a statement that [`Prepared::pass_unseen`] did not pass.
pub(crate) fn pass_seen(
    model: &Model,
    prepared: &Prepared,
    strict: bool,
    machine: &mut Machine,
    visit: Visit,
) -> Result<Passed, Stuck> {
    if !prepared.is_handled(visit.step) {
        return Ok(Passed::On);
    }
    let Some(&forced) = prepared.trace.forced.get(&visit) else { return Ok(Passed::On) };
    if !model.code.steps[visit.step.index()].is_condition {
        return Ok(Passed::On);
    }
    let said = machine.condition(model, visit.step);
    machine.decide(model, visit.step, forced);
    match said {
        Ok(taken) if taken != forced => Ok(Passed::Against),
        Err(Stuck::Fault) if strict => Err(Stuck::Fault),
        Err(Stuck::Fault) => Ok(Passed::Against),
        _ => Ok(Passed::On),
    }
}

/// The statement that runs on from where the machine paused: at the end of a
/// function that is the one that called it.
fn owner(model: &Model, machine: &Machine, step: StepId) -> Option<StepId> {
    if model.program.step(step).kind != StepKind::Exit {
        return Some(step);
    }
    let caller = machine.frames.len().checked_sub(2).map(|index| &machine.frames[index])?;
    let calls = |code: &&encode::code::StepCode| {
        code.exists && code.function == caller.function && code.start < caller.pc && caller.pc <= code.end
    };
    let found = model.code.steps.iter().position(|code| calls(&code))?;
    Some(StepId(found as u32))
}

/// The cell that an assignment will write, even if its value stays.
fn target(model: &Model, machine: &mut Machine, step: StepId) -> Option<u32> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    let here = machine.frame().function == place.function && !place.is_condition && place.end > place.start + 1;
    let Some(Instruction::Act(action)) = code.get(place.end as usize - 1).filter(|_| here) else { return None };
    match &action.kind {
        ActionKind::Assign { .. } | ActionKind::Store { .. } => machine.assignment(model, step, false).ok()?.0,
        _ => None,
    }
}

/// What changed, and the cell that was certainly written.
fn writes(model: &Model, machine: &Machine, before: &[Cell], target: Option<u32>) -> Vec<(u32, Cell, Cell)> {
    let is_temporary = |at: u32| {
        machine.frames.iter().any(|frame| {
            let function = &model.program.functions[frame.function as usize];
            let temporaries =
                frame.base + function.named as u32..frame.base + (function.locals.len() + encode::SPARE) as u32;
            temporaries.contains(&at)
        })
    };
    let both = before.iter().zip(machine.cells.all()).enumerate();
    both.map(|(at, (old, new))| (at as u32, *old, *new))
        .filter(|&(at, old, new)| (old != new || target == Some(at)) && !is_temporary(at))
        .collect()
}
