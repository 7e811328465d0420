//! What the user asserts about a call that goes wrong.
//!
//! The run begins at the first statement of the call, with the memory that it
//! finds there, and what is asserted is everything that `main` can come to when
//! it goes on: of `head = reverse(head);` that is `head` and each node of the list.

use encode::{Arrival, Demand, Machine, Pause, Trace, Visit};
use memory::{Entity, State};
use spec::{Fact, Relation};

use super::behave::Call;
use super::names::{Names, by_place, name_new, pair, reachable, renamed_entity, renamed_value};
use super::problem::{Problem, Submission};
use crate::study::{facts, first_step};
use crate::user::session::is_asserted;

/// Which nodes the list or tree is to be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The nodes that the right program makes it of.
    Right,
    /// The nodes that the submission has at the same places: some students copy
    /// what a node holds where others link it elsewhere.
    Place,
}

/// A run that does not come back is cut off after so many times the statements
/// of the right program: a person sees soon enough that it goes round in circles,
/// and the search follows each edited run in proportion to what was recorded.
const TIMES: usize = 2;

impl Problem {
    /// Whether a call leaves behind what it should, whatever its nodes are called.
    pub fn is_like(&self, right: &Call, other: &Call) -> bool {
        let Some(goes_on) = right.goes_on else { return true };
        let counts = |entity: &Entity| is_asserted(&self.study.model, &self.live, &[goes_on], entity);
        other.goes_on.is_some() && pair(&right.left, &other.left, &counts, &mut Names::new())
    }
}

/// What is asserted about a call: the right program's, the one of the program
/// as it is now, and the submission's own, of which the run is told.
/// `None` if the right program itself does not come back.
pub fn assert_call(
    problem: &Problem,
    submission: &Submission,
    (right, now, own): (&Call, &Call, &Call),
    identity: Identity,
) -> Option<Trace> {
    let map = |step: ir::StepId| submission.steps.get(&step).copied();
    let goes_on = map(right.goes_on?)?;
    let calls = vec![map(right.caller)?, first_step(&submission.model, submission.function)?];
    let start = entry(submission, &now.entry, &own.entry);
    let passed = right.passed.iter().filter_map(|(step, count)| Some((map(*step)?, *count))).collect();
    let mut run = run_on(submission, &start, &calls, 20 + TIMES * right.steps);
    if run.last().is_none_or(|last| last.step != goes_on) {
        run.push(Arrival { step: goes_on, depth: 1 });
    }
    let (facts, state) = expected(problem, right, &start, &own.left, identity)?;
    let at = Visit { step: goes_on, count: 1 };
    let demand = Demand { at, index: run.len() - 1, facts, state, calls: vec![goes_on] };
    Some(Trace { start, calls, at_entry: true, passed, run, demands: vec![demand], ..Trace::default() })
}

/// The memory at the start of the call. The variables of the function are the
/// submission's: a repaired program may have others.
fn entry(submission: &Submission, now: &State, own: &State) -> State {
    let mut state = now.clone();
    let function = &submission.model.program.function(submission.function).name;
    let known =
        |name: &str| own.frames.last().is_some_and(|frame| frame.variables.iter().any(|one| *one.name == *name));
    for frame in state.frames.iter_mut().filter(|frame| *frame.function == **function) {
        frame.variables.retain(|variable| known(&variable.name));
    }
    state
}

/// The facts about the moment when `main` goes on, in the names of the submission, and the memory with these names.
fn expected(
    problem: &Problem,
    right: &Call,
    start: &State,
    own: &State,
    identity: Identity,
) -> Option<(Vec<Fact>, State)> {
    let goes_on = right.goes_on?;
    let counts = |entity: &Entity| is_asserted(&problem.study.model, &problem.live, &[goes_on], entity);
    let shown = reachable(&right.left, &counts);
    let mut names = Names::new();
    pair(&right.entry, start, &|_| true, &mut names);
    names.retain(|id, _| shown.contains_key(id));
    name_new(&right.left, &shown, start, own, &mut names);
    if identity == Identity::Place {
        names = by_place(&right.left, own, &counts, &names);
    }
    let known = facts(&right.left, |entity, _| counts(entity));
    let rename = |fact: &Fact| {
        let (entity, value) = (renamed_entity(&fact.entity, &names)?, renamed_value(&fact.value, &names)?);
        Some(Fact { entity, relation: Relation::Equal, value })
    };
    Some((known.iter().filter_map(rename).collect(), renamed_state(&right.left, &names)))
}

/// A memory with other names for its nodes.
fn renamed_state(state: &State, names: &Names) -> State {
    let mut nodes: Vec<memory::Node> = (state.nodes.iter())
        .filter_map(|node| {
            Some(memory::Node { id: *names.get(&node.id)?, value: renamed_all(&node.value, names), ..node.clone() })
        })
        .collect();
    nodes.sort_by_key(|node| node.id);
    let mut state = State { nodes, ..state.clone() };
    let locals = state.frames.iter_mut().flat_map(|frame| frame.variables.iter_mut());
    for variable in locals.chain(state.globals.iter_mut()) {
        variable.value = renamed_all(&variable.value, names);
    }
    state
}

fn renamed_all(value: &memory::Value, names: &Names) -> memory::Value {
    use memory::Value;
    match value {
        Value::Record(members) => {
            Value::Record(members.iter().map(|(name, value)| (name.clone(), renamed_all(value, names))).collect())
        }
        Value::Array(elements, more) => {
            Value::Array(elements.iter().map(|value| renamed_all(value, names)).collect(), *more)
        }
        value => renamed_value(value, names).unwrap_or(Value::Unknown),
    }
}

/// The statements that the submission comes to from the start of the call on,
/// until `main` goes on or it is clear that it does not.
fn run_on(submission: &Submission, state: &State, calls: &[ir::StepId], most: usize) -> Vec<Arrival> {
    let Ok(mut machine) = Machine::load(&submission.model, state, calls) else { return Vec::new() };
    machine.set_pc(0);
    let mut run = Vec::new();
    while run.len() < most {
        match machine.advance(&submission.model) {
            Pause::Step(step) => {
                run.push(Arrival { step, depth: machine.frames.len() as u32 });
                if machine.frames.len() < calls.len() {
                    break;
                }
            }
            Pause::Slot(_) => {}
            Pause::Over | Pause::Fault | Pause::Unmodelled => break,
        }
    }
    run
}
