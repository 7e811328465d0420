//! The function that a program is about, with everything that one edit could make of it.
//!
//! `//~ FUNCTION: reverse` names it. At `temp2 = current->prev;` an edit could
//! write `temp2 = current->next;`, `temp2 = NULL;` or nothing.

use std::collections::{BTreeMap, BTreeSet};

use encode::{Edit, Instruction, Model, Place, Recorder, SlotId, Space, Trace};
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Input, RunOptions};
use ir::{FunctionId, StepId, StepKind};
use memory::{State, Value, leaves};
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use spec::{Fact, Relation};

use crate::BenchError;
use crate::programs::{Case, marks};

/// A program and its function under study.
#[derive(Debug)]
pub struct Study {
    /// The file and its inputs.
    pub case: Case,
    /// Its model.
    pub model: Model,
    /// The function.
    pub function: FunctionId,
    /// All functions under study, the main one first.
    pub functions: Vec<FunctionId>,
}

impl Study {
    /// Reads a program; `None` if it has no function under study.
    pub fn load(case: &Case) -> Result<Option<Study>, BenchError> {
        let model = Model::new(std::sync::Arc::new(ir::load(&case.path)?));
        let text = String::from_utf8_lossy(&model.program.source.bytes).into_owned();
        let names = marks(&text, "FUNCTION").next().unwrap_or_default();
        let functions = names.split(',').filter_map(|name| model.program.function_named(name.trim()));
        let functions: Vec<FunctionId> = functions.collect();
        let function = functions.first().copied();
        Ok(function.map(|function| Study { case: case.clone(), model, function, functions }))
    }

    /// What the program is called.
    pub fn name(&self) -> String {
        self.case.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The statements and conditions of the function.
    pub fn steps(&self) -> Vec<StepId> {
        statements(&self.model).filter(|&step| self.model.program.step(step).function == self.function).collect()
    }

    /// The edits that are possible in the function; `insertions` too if they are wanted.
    pub fn space(&self, insertions: bool) -> Space {
        self.space_with(insertions, SchemeOptions::default())
    }

    /// The same, as large as is wanted.
    pub fn space_with(&self, insertions: bool, options: SchemeOptions) -> Space {
        let slots = (0..self.model.code.slots.len() as u32).map(SlotId).filter(|_| insertions);
        let slots = slots.filter(|slot| self.model.code.slots[slot.0 as usize].function == self.function);
        let places: BTreeSet<Place> = self.steps().into_iter().map(Place::Step).chain(slots.map(Place::Slot)).collect();
        HeapScheme::new(&self.model, options).space(&places)
    }

    /// Starts a program that has the same inputs.
    pub fn start(&self, model: &Model, arguments: &[String]) -> Result<Interpreter, ExecuteError> {
        let input = Input::Bytes(self.case.stdin.clone());
        let options =
            RunOptions { arguments: arguments.to_vec(), input, max_steps: 1_000_000, ..RunOptions::default() };
        Interpreter::start(model.program.clone(), &options)
    }
}

/// All statements and conditions of a program.
pub fn statements(model: &Model) -> impl Iterator<Item = StepId> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    steps.filter(|step| model.code.steps[step.index()].exists && model.program.step(*step).kind != StepKind::Exit)
}

/// The first statement of a function.
pub fn first_step(model: &Model, function: FunctionId) -> Option<StepId> {
    model.code.functions[function.index()].code.iter().find_map(|instruction| match instruction {
        Instruction::Step(step) => Some(*step),
        _ => None,
    })
}

/// Goes to the first statement of a function and records from there on; whether it is called at all.
pub fn begin(
    recorder: &mut Recorder<'_>,
    executor: &mut Interpreter,
    function: FunctionId,
) -> Result<bool, ExecuteError> {
    loop {
        let Some(step) = executor.position().step() else { return Ok(false) };
        if recorder.model().program.step(step).function == function {
            recorder.begin(executor)?;
            return Ok(true);
        }
        recorder.step(executor)?;
    }
}

/// Everything that is known in a state and wanted, as facts.
pub fn facts(state: &State, wanted: impl Fn(&memory::Entity, &Value) -> bool) -> Vec<Fact> {
    let known = |value: &Value| !matches!(value, Value::Uninitialised | Value::Unknown);
    let found = leaves(state).into_iter().filter(|(entity, value)| known(value) && wanted(entity, value));
    found.map(|(entity, value)| Fact { entity, relation: Relation::Equal, value: value.clone() }).collect()
}

/// A trace with the names that another version of the program has for its
/// statements. What speaks of statements that are not there is left out; `first`
/// stands for the statement that the run began with. `None` if a statement that
/// called the function is gone.
pub fn renamed(trace: &Trace, steps: &BTreeMap<StepId, StepId>, first: StepId) -> Option<Trace> {
    let map = |step: &StepId| steps.get(step).copied();
    let visit = |visit: &encode::Visit| Some(encode::Visit { step: map(&visit.step)?, ..*visit });
    let all = |calls: &[StepId]| calls.iter().map(map).collect::<Option<Vec<StepId>>>();
    let (_, callers) = trace.calls.split_last()?;
    let mut calls = all(callers)?;
    calls.push(first);
    let mut run = Vec::new();
    // How many arrivals are left up to each one.
    let mut until = Vec::new();
    for arrival in &trace.run {
        run.extend(map(&arrival.step).map(|step| encode::Arrival { step, ..*arrival }));
        until.push(run.len());
    }
    let effects = trace.effects.iter().filter_map(|(at, effect)| {
        let calls = all(&effect.calls)?;
        Some((visit(at)?, encode::Effect { calls, ..effect.clone() }))
    });
    let demands = trace.demands.iter().filter_map(|demand| {
        let (at, calls) = (visit(&demand.at)?, all(&demand.calls)?);
        Some(encode::Demand { at, calls, index: until[demand.index].checked_sub(1)?, ..demand.clone() })
    });
    Some(Trace {
        start: trace.start.clone(),
        passed: trace.passed.iter().filter_map(|(step, count)| Some((map(step)?, *count))).collect(),
        forced: trace.forced.iter().filter_map(|(at, taken)| Some((visit(at)?, *taken))).collect(),
        effects: effects.collect(),
        demands: demands.collect(),
        calls,
        run,
        ..Trace::default()
    })
}

/// The kinds of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Another target.
    Target,
    /// Another source.
    Source,
    /// Both.
    Both,
    /// Another operand.
    Operand,
    /// Another condition.
    Condition,
    /// Another result.
    Result,
    /// A statement is gone.
    Deletion,
    /// A statement runs only under a condition.
    Guard,
    /// A statement is new.
    Insertion,
    /// A loop or function is left early.
    Exit,
    /// A statement stands elsewhere.
    Move,
    /// An assignment has two cases.
    Cases,
}

impl Kind {
    /// The kind of an edit.
    pub fn of(edit: &Edit) -> Kind {
        match edit {
            Edit::Assign { target: Some(_), source: Some(_), .. } => Kind::Both,
            Edit::Assign { target: Some(_), .. } => Kind::Target,
            Edit::Assign { .. } => Kind::Source,
            Edit::Operand { .. } => Kind::Operand,
            Edit::Condition { .. } => Kind::Condition,
            Edit::Return { .. } => Kind::Result,
            Edit::Delete { .. } => Kind::Deletion,
            Edit::Guard { .. } => Kind::Guard,
            Edit::Insert { statement, .. } if statement.is_exit() => Kind::Exit,
            Edit::Insert { .. } => Kind::Insertion,
            Edit::Move { .. } => Kind::Move,
            Edit::Choose { .. } => Kind::Cases,
        }
    }

    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Target => "target",
            Kind::Source => "source",
            Kind::Both => "target and source",
            Kind::Operand => "operand",
            Kind::Condition => "condition",
            Kind::Result => "result",
            Kind::Deletion => "deletion",
            Kind::Guard => "guard",
            Kind::Insertion => "insertion",
            Kind::Exit => "exit",
            Kind::Move => "move",
            Kind::Cases => "cases",
        }
    }
}
