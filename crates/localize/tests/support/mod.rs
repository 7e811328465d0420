//! Records sessions for the tests.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use encode::record::Recorder;
use encode::{Model, Place, Prepared, Trace};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Until};
use ir::StepId;
use localize::Ranking;
use memory::{Entity, Root, Value, leaves};
use spec::{Fact, Relation};

/// A file of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The model of a file.
pub fn model(path: &Path) -> Model {
    Model::new(Arc::new(ir::load(path).expect("the program is read")))
}

/// The model of a text.
pub fn model_of(name: &str, text: &str) -> Model {
    let path = std::env::temp_dir().join(format!("localize-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).expect("the program is written");
    let model = model(&path);
    let _ = std::fs::remove_file(&path);
    model
}

/// A session in which everything that is seen is asserted.
pub struct Session<'m> {
    pub executor: Interpreter,
    pub recorder: Recorder<'m>,
}

impl<'m> Session<'m> {
    /// Stands before the first statement of `function`, where the trace begins.
    pub fn new(model: &'m Model, function: &str, arguments: &[&str]) -> Session<'m> {
        let options = RunOptions {
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
            ..RunOptions::default()
        };
        let mut executor = Interpreter::start(model.program.clone(), &options).expect("the program starts");
        let mut recorder = Recorder::new(model, &|_| false, &executor);
        let wanted = model.program.function_named(function).expect("the function exists");
        loop {
            let step = executor.position().step().unwrap_or_else(|| panic!("{function} is not called"));
            if model.program.step(step).function == wanted {
                break;
            }
            recorder.step(&mut executor).expect("it runs");
        }
        recorder.begin(&mut executor).expect("it is recorded");
        Session { executor, recorder }
    }

    pub fn next(&mut self, count: usize) {
        for _ in 0..count {
            self.recorder.run(&mut self.executor, &Until::Over, &Default::default()).expect("it runs");
        }
    }

    pub fn enter(&mut self) {
        self.recorder.decide(&mut self.executor, true).expect("it is forced");
    }

    /// Changes a global or local, or a member of a node.
    pub fn change(&mut self, name: &str, value: &str) {
        let state = self.executor.state().expect("there is a state");
        let is_it = |entity: &Entity| match &entity.root {
            Root::Local { frame, name: own, .. } => {
                *frame + 1 == state.frames.len() && format!("{own}{}", entity.path) == name
            }
            _ => entity.to_string() == name,
        };
        let all = leaves(&state);
        let entity = all.iter().map(|(entity, _)| entity).find(|entity| is_it(entity)).expect("it exists").clone();
        let value = match value {
            "null" => Value::Null,
            _ => all
                .iter()
                .map(|(_, value)| *value)
                .find(|found| found.to_string() == value)
                .cloned()
                .unwrap_or_else(|| Value::Int(value.parse().expect("a number or a node"))),
        };
        self.executor.write(&entity, &value).expect("it is written");
    }

    /// Asserts everything but these.
    pub fn spec(&mut self, without: &[&str]) {
        let state = self.executor.state().expect("there is a state");
        let untracked = |entity: &Entity| match &entity.root {
            Root::Local { frame, name, .. } => *frame + 1 != state.frames.len() || without.contains(&&**name),
            _ => false,
        };
        let known = |value: &Value| !matches!(value, Value::Uninitialised | Value::Unknown);
        let facts = leaves(&state).into_iter().filter(|(entity, value)| !untracked(entity) && known(value));
        let facts = facts.map(|(entity, value)| Fact { entity, relation: Relation::Equal, value: value.clone() });
        self.recorder.demand(&mut self.executor, facts.collect()).expect("it is recorded");
    }

    pub fn finish(self) -> Trace {
        self.recorder.finish()
    }
}

/// A trace that is ready.
pub fn prepare(model: &Model, trace: Trace) -> Prepared {
    Prepared::new(model, Arc::new(trace), &|_| false).expect("the trace can be replayed")
}

/// The text of a statement.
pub fn text(model: &Model, step: StepId) -> String {
    let span = model.program.step(step).span;
    String::from_utf8_lossy(&model.program.source.bytes[span.start as usize..span.end as usize]).into_owned()
}

/// A ranking as text.
pub fn show(model: &Model, ranking: &Ranking) -> String {
    let mut out = format!("{} considered\n", ranking.considered);
    for suspicious in &ranking.places {
        let place = match suspicious.place {
            Place::Step(step) => format!("{} {}", model.program.step(step).line, text(model, step)),
            Place::Slot(slot) => {
                let place = match model.code.slots[slot.0 as usize].place {
                    encode::SlotPlace::Before(span) => format!("before line {}", model.program.source.line(span.start)),
                    encode::SlotPlace::AtEnd(brace) => format!("at the end, line {}", model.program.source.line(brace)),
                    encode::SlotPlace::Instead(span) => {
                        format!("in an empty branch, line {}", model.program.source.line(span.start))
                    }
                };
                format!("  slot {place}")
            }
        };
        out += &format!("{:.2} {:?} {place}\n", suspicious.score, suspicious.reach);
        suspicious.reasons.iter().for_each(|reason| out += &format!("       {reason}\n"));
    }
    out
}
