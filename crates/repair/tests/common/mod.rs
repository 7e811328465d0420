//! Sessions with programs, recorded for tests.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use encode::{Arrival, Demand, Model, Pause, Place, Prepared, Recorder, SlotId, Trace, Visit};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Until};
use ir::{StepId, StepKind};
use memory::{Entity, NodeId, Object, Place as MemoryPlace, Root, Value, leaves};
use spec::{Fact, Relation};

/// A file of the repository.
pub fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A recorded session on the interpreter.
pub struct Session<'m> {
    pub executor: Interpreter,
    pub recorder: Recorder<'m>,
}

impl<'m> Session<'m> {
    pub fn start(model: &'m Model, arguments: &[&str]) -> Session<'m> {
        let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        let options = RunOptions { arguments, ..RunOptions::default() };
        let executor = Interpreter::start(model.program.clone(), &options).expect("it starts");
        let recorder = Recorder::new(model, &|_| false, &executor);
        Session { executor, recorder }
    }

    pub fn next(&mut self, times: usize) {
        for _ in 0..times {
            self.recorder.run(&mut self.executor, &Until::Over, &BTreeSet::new()).expect("it runs");
        }
    }

    pub fn step(&mut self) {
        self.recorder.run(&mut self.executor, &Until::Into, &BTreeSet::new()).expect("it runs");
    }

    pub fn begin(&mut self) {
        self.recorder.begin(&mut self.executor).expect("it can be read");
    }

    pub fn decide(&mut self, taken: bool) {
        self.recorder.decide(&mut self.executor, taken).expect("it can be forced");
    }

    pub fn change(&mut self, entity: Entity, value: Value) {
        self.executor.write(&entity, &value).expect("it can be written");
    }

    /// Asserts all values but those of the given locals.
    pub fn spec(&mut self, without: &[&str]) {
        let state = self.executor.state().expect("it can be read");
        let counts = |entity: &Entity| match &entity.root {
            Root::Local { name, .. } => !without.contains(&&**name),
            _ => true,
        };
        let known = |value: &Value| !matches!(value, Value::Uninitialised | Value::Unknown);
        let facts = leaves(&state)
            .into_iter()
            .filter(|(entity, value)| counts(entity) && known(value))
            .map(|(entity, value)| Fact { entity, relation: Relation::Equal, value: value.clone() })
            .collect();
        self.recorder.demand(&mut self.executor, facts).expect("it can be read");
    }

    pub fn finish(self) -> Trace {
        self.recorder.finish()
    }
}

pub fn local(frame: usize, function: &str, name: &str) -> Entity {
    Entity { root: Root::Local { frame, function: function.into(), name: name.into() }, path: String::new() }
}

pub fn global(name: &str) -> Entity {
    Entity { root: Root::Global(name.into()), path: String::new() }
}

pub fn member(node: u32, path: &str) -> Entity {
    Entity { root: Root::Node(NodeId(node)), path: path.into() }
}

pub fn node(id: u32) -> Value {
    Value::Pointer(MemoryPlace { object: Object::Node(NodeId(id)), offset: 0, path: String::new(), inside: true })
}

/// All statements and slots of a function.
pub fn places(model: &Model, function: &str) -> BTreeSet<Place> {
    let id = model.program.function_named(function).expect("it is there");
    let steps =
        (0..model.program.steps.len() as u32).map(StepId).filter(|&step| model.program.step(step).function == id);
    let slots = (0..model.code.slots.len() as u32).map(SlotId);
    let slots = slots.filter(|slot| model.code.slots[slot.0 as usize].function == id);
    steps.map(Place::Step).chain(slots.map(Place::Slot)).collect()
}

/// The session of W §2.1 up to its first repair.
pub fn figure_1<'m>(model: &'m Model) -> Session<'m> {
    let mut session = Session::start(model, &[]);
    session.next(4);
    session.step();
    session.next(2);
    session.begin();
    session.spec(&["temp2"]);
    for (node_name, next_name) in [(4, 3), (3, 2)] {
        session.decide(true);
        session.next(5);
        session.change(local(1, "reverse", "current"), node(next_name));
        session.change(member(node_name, ".prev"), node(next_name));
        session.spec(&["temp2"]);
    }
    session
}

pub fn model(path: &str) -> Model {
    Model::new(Arc::new(ir::load(&file(path)).expect("it is C")))
}

/// The whole session of W §2.1: the first patch is live in its third and fourth round.
pub fn figure_1_whole<'m>(model: &'m Model) -> Session<'m> {
    let mut session = figure_1(model);
    for (node_name, next) in [(2, Some(1)), (1, None)] {
        let next = next.map_or(Value::Null, node);
        session.decide(true);
        session.next(5);
        session.change(local(1, "reverse", "current"), next.clone());
        session.change(member(node_name, ".prev"), next);
    }
    session.decide(false);
    session.change(global("head"), node(1));
    session.spec(&["temp2", "temp1", "current"]);
    session
}

/// The run of `main` as the model sees it, with values of globals at its `return`.
pub fn run_of_main(model: &Model, facts: &[(&str, Value)]) -> Trace {
    let mut session = Session::start(model, &[]);
    session.begin();
    let mut trace = session.finish();
    let main = model.program.function_named("main").expect("there is one");
    let is_end = |step: &StepId| {
        let step = model.program.step(*step);
        step.function == main && step.kind == StepKind::Return
    };
    let end = (0..model.program.steps.len() as u32).map(StepId).find(is_end).expect("main returns");
    let mut machine = Prepared::new(model, Arc::new(trace.clone()), &|_| false).expect("it is modelled").start;
    while machine.spent < 500 {
        match machine.advance(model) {
            Pause::Step(step) if step == end => break,
            Pause::Step(step) => trace.run.push(Arrival { step, depth: machine.frames.len() as u32 }),
            Pause::Slot(_) => {}
            _ => break,
        }
    }
    trace.run.push(Arrival { step: end, depth: 1 });
    let fact = |(name, value): &(&str, Value)| {
        let (entity, value) = (global(name), value.clone());
        Fact { entity, relation: Relation::Equal, value }
    };
    trace.demands = vec![Demand {
        at: Visit { step: end, count: 1 },
        index: trace.run.len() - 1,
        facts: facts.iter().map(fact).collect(),
        state: trace.start.clone(),
        calls: vec![end],
    }];
    trace
}
