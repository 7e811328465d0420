//! Tests of whole programs: `main` runs with a given input and must print what
//! is expected.
//!
//! They say that something is wrong, not where a function breaks its contract.
//! So the calls that the function gets in such a run become tests of their own,
//! with the contract as what is expected: from `3 7 1 5` in `sort.in` comes
//! `sort([7, 1, 5], 3)`.

use std::collections::BTreeSet;

use execute::interpreter::Interpreter;
use execute::{Executor, Stop, Until};
use memory::{Object, State, Value};

use crate::confirm::Example;
use crate::task::Task;

use super::{Expected, MOST_STEPS, Outcome, Test, run_test, start};

/// Calls of one run that become tests, at most.
const MOST_CALLS: usize = 200;

/// The calls of the function in runs of whole programs.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Those that are tests now, without two that are the same.
    pub tests: Vec<Test>,
    /// How many have longer arrays than inputs may have.
    pub too_long: usize,
    /// The tests in which the contract does not allow a call.
    pub not_allowed: Vec<String>,
}

/// The calls of the task's function in the tests of the whole program.
pub fn calls(task: &Task, tests: &[Test]) -> Calls {
    let mut found = Calls::default();
    for test in tests.iter().filter(|test| test.is_whole()) {
        for (number, (example, fits)) in calls_of(task, test).into_iter().enumerate() {
            let name = format!("{}, call {}", test.name, number + 1);
            if found.tests.iter().any(|known| known.example == example) {
                continue;
            }
            let call = Test { name, example, expected: Expected::nothing() };
            match (run_test(&task.program, &call), fits) {
                (Outcome::NotAllowed, true) => found.not_allowed.push(call.name),
                (Outcome::NotAllowed, false) => found.too_long += 1,
                _ => found.tests.push(call),
            }
        }
    }
    found
}

/// The calls in one run: the driver's inputs for each, and whether all that its pointers point to fits into them.
fn calls_of(task: &Task, test: &Test) -> Vec<(Example, bool)> {
    let (side, mut found) = (&task.program, vec![]);
    let entry = task.options.entry.as_deref().unwrap_or_default();
    let Some(function) = side.program.function_named(entry) else { return found };
    let Ok(mut interpreter) = start(side, test, MOST_STEPS) else { return found };
    let (firsts, exit) = (ir::entry_steps(&side.program, function), side.program.function(function).exit);
    let breakpoints: BTreeSet<_> = firsts.iter().copied().chain([exit]).collect();
    let mut open: Vec<usize> = vec![];
    let mut stop = interpreter.position().clone();
    while let Stop::Step(step) = stop {
        let depth = interpreter.calls().map_or(0, |calls| calls.len());
        open.retain(|known| *known <= depth);
        if step == exit {
            open.retain(|known| *known < depth);
        } else if firsts.contains(&step) && open.last() != Some(&depth) && found.len() < MOST_CALLS {
            // A loop at the start of the function comes here again; that is no new call.
            open.push(depth);
            found.extend(inputs(task, &mut interpreter));
        }
        let Ok(next) = interpreter.resume(&Until::End, &breakpoints) else { break };
        stop = next;
    }
    found
}

/// The arguments of the call that has just begun as inputs of the driver.
fn inputs(task: &Task, interpreter: &mut Interpreter) -> Option<(Example, bool)> {
    let state = interpreter.state().ok()?;
    let frame = state.frames.last()?;
    let mut known: Vec<(String, i128)> = vec![];
    for variable in &frame.variables {
        let name = &variable.name;
        match &variable.value {
            Value::Int(number) => known.push((name.to_string(), *number)),
            Value::Pointer(place) => {
                known.push((format!("{name} is there"), 1));
                let cells = cells(&state, &place.object, &place.path).unwrap_or_default();
                let cells = cells.into_iter().enumerate();
                known.extend(cells.filter_map(|(i, cell)| Some((format!("{name}[{i}]"), cell?))));
            }
            _ => {}
        }
    }
    let given = &task.program.given;
    let value = |name: &String| known.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value);
    let fits = known.iter().all(|(name, _)| !name.ends_with(']') || given.iter().any(|given| given.name == *name));
    let nondet = given.iter().map(|given| value(&given.name)).collect();
    Some((Example { nondet, ..Example::default() }, fits))
}

/// The numbers from a place in an object on; none where nothing was written.
fn cells(state: &State, object: &Object, path: &str) -> Option<Vec<Option<i128>>> {
    let value = match object {
        Object::Node(id) => &state.node(*id)?.value,
        Object::Global(name) => &state.globals.iter().find(|global| global.name == *name)?.value,
        Object::Local { frame: Some(frame), name, .. } => {
            let variables = &state.frames.get(*frame)?.variables;
            &variables.iter().find(|variable| variable.name == *name)?.value
        }
        _ => return None,
    };
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let from = if path.is_empty() { 0 } else { path.strip_prefix('[')?.strip_suffix(']')?.parse().ok()? };
    Some(match value {
        Value::Array(elements, _) => elements.iter().skip(from).map(number).collect(),
        Value::Chars(bytes) => bytes.iter().skip(from).map(|byte| byte.map(|byte| i128::from(byte as i8))).collect(),
        other => vec![number(other)],
    })
}
