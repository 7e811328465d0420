//! Random functions with faults: ten statements over eight nodes, and a repair
//! of two changes and an insertion that is known to exist.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use c_syntax::Source;
use encode::{
    Cell, Check, Demand, Edit, Expected, Home, Machine, Model, NewStatement, Pause, Place, PlaceKind, Prepared,
};
use encode::{Recorder, Spot, Trace, Visit};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Until};
use fastrand::Rng;
use ir::LocalId;
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use spec::Relation;

use super::Question;
use super::sessions::places;
use crate::BenchError;

const VARIABLES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// So many random questions.
pub fn random_instances(count: usize, statements: usize, nodes: usize, seed: u64) -> Result<Vec<Question>, BenchError> {
    let mut rng = Rng::with_seed(seed);
    // More than are needed: not every function has a run without a crash.
    let functions = count * 4;
    let text = program(&mut rng, functions, statements, nodes);
    let program = Arc::new(ir::load_text(Arc::new(Source::new("random.c", text.into_bytes())))?);
    let mut questions = Vec::new();
    for function in 0..functions {
        if questions.len() == count {
            break;
        }
        questions.extend(question(&mut rng, &Model::new(program.clone()), function)?);
    }
    Ok(questions)
}

fn program(rng: &mut Rng, functions: usize, statements: usize, nodes: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\nstruct node { int data; struct node *next, *prev; };\nstruct node *n[64];\n",
    );
    for function in 0..functions {
        let parameters = VARIABLES.map(|name| format!("struct node *{name}")).join(", ");
        let _ = writeln!(text, "void f{function}({parameters}) {{");
        for _ in 0..statements {
            let _ = writeln!(text, "    {};", statement(rng));
        }
        text.push_str("}\n");
    }
    text.push_str("int main(int argc, char **argv) {\n    int i;\n");
    let _ = writeln!(text, "    for (i = 0; i < {nodes}; i++) n[i] = (struct node *)malloc(sizeof(struct node));");
    let _ = writeln!(
        text,
        "    for (i = 0; i < {nodes}; i++) {{ n[i]->data = i; n[i]->next = n[(i + 1) % {nodes}]; n[i]->prev = \
         n[(i + {}) % {nodes}]; }}",
        nodes - 1
    );
    let _ = writeln!(text, "    switch (atoi(argv[1])) {{");
    for function in 0..functions {
        let arguments = VARIABLES.map(|_| format!("n[{}]", rng.usize(..nodes))).join(", ");
        let _ = writeln!(text, "    case {function}: f{function}({arguments}); break;");
    }
    text.push_str("    }\n    return 0;\n}\n");
    text
}

fn statement(rng: &mut Rng) -> String {
    let variable = |rng: &mut Rng| VARIABLES[rng.usize(..VARIABLES.len())];
    let member = |rng: &mut Rng| if rng.bool() { "next" } else { "prev" };
    let (x, y, f) = (variable(rng), variable(rng), member(rng));
    match rng.u8(..3) {
        0 => format!("{x} = {y}"),
        1 => format!("{x} = {y}->{f}"),
        _ => format!("{x}->{f} = {y}"),
    }
}

fn question(rng: &mut Rng, model: &Model, number: usize) -> Result<Option<Question>, BenchError> {
    let name = format!("f{number}");
    let trace = entry(model, &name, number)?;
    let places = places(model, &name);
    let space = HeapScheme::new(model, SchemeOptions::default()).space(&places);
    let start = Prepared::new(model, Arc::new(trace), &|_| false);
    let Ok(start) = start else { return Ok(None) };
    for _ in 0..200 {
        let fix = fix(rng, &space);
        let Some(prepared) = demands(model, &start, &fix) else { continue };
        if prepared.follow(model, &[], 100_000) != encode::Verdict::Meets {
            let model = Model::new(model.program.clone());
            return Ok(Some(Question { name, model, trace: prepared, places }));
        }
    }
    Ok(None)
}

/// The trace of a call, from its first statement.
fn entry(model: &Model, function: &str, number: usize) -> Result<Trace, BenchError> {
    let options = RunOptions { arguments: vec![number.to_string()], ..RunOptions::default() };
    let mut executor = Interpreter::start(model.program.clone(), &options)?;
    let mut recorder = Recorder::new(model, &|_| false, &executor);
    let id = model.program.function_named(function);
    let steps = (0..model.program.steps.len() as u32).map(ir::StepId);
    let inside = steps.filter(|&step| Some(model.program.step(step).function) == id).collect();
    recorder.run(&mut executor, &Until::End, &inside)?;
    recorder.begin(&mut executor)?;
    while executor.calls()?.len() > 1 {
        recorder.step(&mut executor)?;
    }
    Ok(recorder.finish())
}

/// Two changed statements and an insertion.
fn fix(rng: &mut Rng, space: &encode::Space) -> Vec<Edit> {
    let steps: Vec<_> =
        space.places.iter().filter(|(_, known)| matches!(known.kind, PlaceKind::Assignment { .. })).collect();
    let slots: Vec<_> = space.places.iter().filter(|(_, known)| matches!(known.kind, PlaceKind::Slot)).collect();
    let mut edits: BTreeMap<Place, Edit> = BTreeMap::new();
    while edits.len() < 2 {
        let (place, known) = steps[rng.usize(..steps.len())];
        let Place::Step(step) = *place else { break };
        let terms = &known.scope.terms;
        let pointers: Vec<_> = terms.iter().filter(|term| term.scalar == encode::Scalar::Pointer).copied().collect();
        let source = pointers[rng.usize(..pointers.len())];
        edits.insert(*place, Edit::Assign { step, target: None, source: Some(source) });
    }
    if let Some((Place::Slot(slot), known)) = slots.get(rng.usize(..slots.len())) {
        let pointers: Vec<_> =
            known.scope.terms.iter().filter(|term| term.scalar == encode::Scalar::Pointer).copied().collect();
        let target = pointers.iter().filter(|term| term.is_place()).nth(rng.usize(..pointers.len() / 2));
        let source = pointers[rng.usize(..pointers.len())];
        if let Some(target) = target.filter(|target| target.ty == source.ty) {
            let statement = NewStatement::Assign(*target, source);
            edits.insert(Place::Slot(*slot), Edit::Insert { slot: *slot, guard: None, statement });
        }
    }
    edits.into_values().collect()
}

/// The states that the fixed function comes through are what is demanded: after every third statement and at its end.
fn demands(model: &Model, start: &Prepared, fix: &[Edit]) -> Option<Prepared> {
    let mut machine = start.start.clone();
    let (mut trace, mut checks, mut count) = ((*start.trace).clone(), Vec::new(), 0);
    trace.demands.clear();
    let exit = model.program.functions[machine.frame().function as usize].exit;
    loop {
        match machine.advance(model) {
            Pause::Slot(slot) => {
                for edit in fix.iter().filter(|edit| edit.place() == Place::Slot(slot)) {
                    machine.insert(model, edit).ok()?;
                }
            }
            Pause::Step(step) => {
                if step == exit || (count % 3 == 0 && count > 0) {
                    let at = Visit { step, count: machine.visits[step.index()] };
                    let (state, calls) = (trace.start.clone(), trace.calls.clone());
                    trace.demands.push(Demand { at, index: count, facts: Vec::new(), state, calls });
                    checks.push(everything(model, &machine));
                }
                if step == exit {
                    break;
                }
                count += 1;
                if let Some(edit) = fix.iter().find(|edit| edit.place() == Place::Step(step)) {
                    machine.apply(model, edit).ok()?;
                }
            }
            _ => return None,
        }
    }
    Some(start.along(trace, checks))
}

/// All variables of the call and all nodes.
fn everything(model: &Model, machine: &Machine) -> Vec<Check> {
    let frame = machine.frames.len() as u32 - 1;
    let function = &model.program.functions[machine.frame().function as usize];
    let locals = (0..function.named as u32).map(LocalId);
    let locals = locals.map(|local| Spot { home: Home::Local { frame, local }, offset: 0, size: 8 });
    let nodes = machine.objects.iter().filter_map(|object| match object.kind {
        encode::machine::ObjectKind::Node(id) => Some((id, object.cells.clone())),
        _ => None,
    });
    let members = nodes.flat_map(|(id, cells)| {
        let spot = move |leaf: &encode::layout::Leaf| Spot {
            home: Home::Node(id),
            offset: leaf.offset,
            size: leaf.scalar.size(),
        };
        cells.leaves.iter().map(spot).collect::<Vec<_>>()
    });
    let check = |spot: Spot| {
        let expected = match machine.cells[machine.cell_of_spot(model, &spot)? as usize] {
            Cell::Pointer(address) => match machine.objects[address.object as usize].kind {
                encode::machine::ObjectKind::Node(id) => Expected::Address(Home::Node(id), address.offset),
                _ => return None,
            },
            Cell::Int(value) => Expected::Cell(Cell::Int(value)),
            _ => return None,
        };
        Some(Check { spot, relation: Relation::Equal, expected, fact: 0 })
    };
    locals.chain(members).filter_map(check).collect()
}
