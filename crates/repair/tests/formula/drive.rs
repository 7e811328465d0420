//! Traces of generated functions, edited runs of them, and what those show.

use std::sync::Arc;

use encode::machine::ObjectKind;
use encode::{
    Arrival, Cell, Check, Demand, Edit, Expected, Home, Machine, Model, Pause, Place, Prepared, Spot, Trace, Visit,
};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};
use ir::{FunctionId, LocalId, StepId, StepKind};
use spec::Relation;

/// The program of a text.
pub fn model(text: &str) -> Model {
    let source = c_syntax::Source::new(std::path::Path::new("random.c"), text.as_bytes().to_vec());
    Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("generated text is C")))
}

/// A run of a function that has no demands yet, with what it came to.
pub struct Recorded {
    pub trace: Trace,
    pub function: FunctionId,
}

/// Runs function `f{number}` up to its end or a crash.
pub fn record(model: &Model, number: usize) -> Recorded {
    let program = &model.program;
    let function = program.function_named(&format!("f{number}")).expect("the function is there");
    let arguments = vec!["x".to_string(); number];
    let options = RunOptions { arguments, ..RunOptions::default() };
    let mut executor = Interpreter::start(program.clone(), &options).expect("it runs");
    let first = (0..program.steps.len() as u32).map(StepId).find(|step| program.step(*step).function == function);
    let stop = executor.resume(&Until::End, &first.into_iter().collect()).expect("it runs");
    assert!(matches!(stop, Stop::Step(_)), "{stop:?}");
    let start = executor.state().expect("it stands");
    let calls: Vec<StepId> = executor.calls().expect("it stands").into_iter().flatten().collect();
    let mut trace = Trace { start, calls, ..Trace::default() };
    let prepared = Prepared::new(model, Arc::new(trace.clone()), &|_| false).expect("it can be loaded");
    let mut machine = prepared.start.clone();
    let depth = machine.frames.len();
    loop {
        match machine.advance(model) {
            Pause::Step(step) => {
                trace.run.push(Arrival { step, depth: machine.frames.len() as u32 });
                if step == program.function(function).exit && machine.frames.len() == depth {
                    break;
                }
            }
            Pause::Slot(_) => {}
            _ => break,
        }
        if machine.spent > 10_000 {
            break;
        }
    }
    let is_loop = |visit: &Visit| program.step(visit.step).kind == StepKind::Loop;
    trace.forced = encode::decisions(model, &trace).into_iter().filter(|(visit, _)| is_loop(visit)).collect();
    Recorded { trace, function }
}

/// So many calls are followed inside of each other.
const CALLS: usize = 4;

/// The edited run: the machine at each visit, as far as it gets.
pub fn edited(model: &Model, prepared: &Prepared, edits: &[Edit]) -> Vec<(Visit, Machine)> {
    let mut machine = prepared.start.clone();
    let mut found = Vec::new();
    let depth = machine.frames.len();
    machine.set_edits(model, edits);
    while machine.spent < 2_000 {
        match machine.advance(model) {
            Pause::Step(step) => {
                let visit = Visit { step, count: machine.visits[step.index()] };
                // The formula follows only few calls more than were recorded.
                if !(depth..depth + CALLS).contains(&machine.frames.len()) {
                    break;
                }
                found.push((visit, machine.clone()));
                let edit = edits.iter().find(|edit| edit.place() == Place::Step(step));
                let forced = prepared.trace.forced.get(&visit).copied();
                if model.code.steps[step.index()].is_condition {
                    let taken = match edit {
                        Some(Edit::Condition { new, .. }) => machine.new_condition(model, step, new),
                        _ => machine.condition(model, step),
                    };
                    let Ok(taken) = taken else { break };
                    if forced.is_some_and(|forced| forced != taken) {
                        break;
                    }
                    machine.decide(model, step, taken);
                } else if let Some(edit) = edit
                    && machine.apply(model, edit).is_err()
                {
                    break;
                }
            }
            Pause::Slot(slot) => {
                let here = |edit: &&Edit| edit.place() == Place::Slot(slot);
                if edits.iter().filter(here).any(|edit| machine.insert(model, edit).is_err()) {
                    break;
                }
            }
            _ => break,
        }
    }
    found
}

/// Everything that a machine holds in the innermost call, the globals and the nodes.
pub fn checks(model: &Model, machine: &Machine) -> Vec<Check> {
    let mut found: Vec<(Spot, Cell)> = Vec::new();
    let frame = machine.frames.len() as u32 - 1;
    let function = &model.program.functions[machine.frame().function as usize];
    for (i, local) in function.locals.iter().enumerate().take(function.named) {
        let size = encode::Scalar::of(&model.program.types, local.ty).map_or(0, encode::Scalar::size);
        let home = Home::Local { frame, local: LocalId(i as u32) };
        let spot = Spot { home, offset: 0, size };
        if let Some(at) = machine.cell_of_spot(model, &spot) {
            found.push((spot, machine.cells[at as usize]));
        }
    }
    for object in machine.objects.iter().filter(|object| object.live) {
        let home = match object.kind {
            ObjectKind::Node(id) => Home::Node(id),
            ObjectKind::Global(id) => Home::Global(id.0),
            _ => continue,
        };
        for (i, leaf) in object.cells.leaves.iter().enumerate() {
            let spot = Spot { home, offset: leaf.offset, size: leaf.scalar.size() };
            found.push((spot, machine.cells[object.base as usize + i]));
        }
    }
    let check = |(fact, (spot, cell)): (usize, (Spot, Cell))| {
        let expected = match cell {
            Cell::Unset | Cell::Unknown => return None,
            Cell::Pointer(address) => match machine.objects[address.object as usize].kind {
                ObjectKind::Node(id) => Expected::Address(Home::Node(id), address.offset),
                ObjectKind::Global(id) => Expected::Address(Home::Global(id.0), address.offset),
                ObjectKind::Local { frame, local } => Expected::Address(Home::Local { frame, local }, address.offset),
                ObjectKind::Text => return None,
            },
            cell => Expected::Cell(cell),
        };
        Some(Check { spot, relation: Relation::Equal, expected, fact })
    };
    found.into_iter().enumerate().filter_map(check).collect()
}

/// A trace with these things expected.
pub fn prepared(model: &Model, recorded: &Recorded, demands: Vec<(Visit, Vec<Check>)>) -> Prepared {
    let mut trace = recorded.trace.clone();
    trace.demands = demands
        .iter()
        .map(|(at, _)| Demand { at: *at, index: 0, facts: Vec::new(), state: Default::default(), calls: Vec::new() })
        .collect();
    let mut prepared = Prepared::new(model, Arc::new(trace), &|_| false).expect("it can be loaded");
    prepared.checks = demands.into_iter().map(|demand| demand.1).collect();
    prepared
}
