//! What a program does with an input: its output, its end, and its way there.
//!
//! Of `while (p) p = p->next;` with a list of two nodes, the condition is come
//! to three times, twice true and once false, and the body twice.

use std::collections::BTreeMap;

use encode::Model;
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Input, RunOptions, Stop, Until};
use ir::{StepId, StepKind};
use localize::Test;

/// What a program takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Given {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What it reads.
    pub stdin: Vec<u8>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With this status.
    Exited(i32),
    /// By something that C does not allow, or by a failed assertion.
    Crashed,
    /// It does not, within the statements that it may run.
    Endless,
}

impl End {
    /// Whether the run did not come to its own end.
    pub fn is_broken_off(self) -> bool {
        !matches!(self, End::Exited(_))
    }
}

/// What is seen of a run from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Behaviour {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub output: Vec<u8>,
}

/// What a run did.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Seen from outside.
    pub behaviour: Behaviour,
    /// How often it came to each statement.
    pub covered: BTreeMap<StepId, u32>,
    /// How often each condition was true, and how often false.
    pub branches: BTreeMap<StepId, (u32, u32)>,
    /// The first decisions.
    pub path: Vec<(StepId, bool)>,
    /// Statements run.
    pub steps: u64,
}

impl Run {
    /// As a test that passes if it behaves as the right program does.
    pub fn test(self, right: &Behaviour) -> Test {
        Test { failed: self.behaviour != *right, covered: self.covered, branches: self.branches }
    }
}

/// Decisions that are remembered in their order, at most.
const PATH: usize = 1_000;
/// Bytes that a run may use: enough for any list here, and an endless one is stopped soon.
const MEMORY: u64 = 64 << 20;

/// A program whose runs are watched.
#[derive(Debug)]
pub(super) struct Watched<'m> {
    model: &'m Model,
    /// Where each condition leads if it is true, and if it is false.
    ways: BTreeMap<StepId, (StepId, StepId)>,
}

impl<'m> Watched<'m> {
    pub fn new(model: &'m Model) -> Watched<'m> {
        let steps = (0..model.program.steps.len() as u32).map(StepId);
        Watched { model, ways: steps.filter_map(|step| Some((step, ways(model, step)?))).collect() }
    }

    /// The conditions whose outcomes are seen.
    pub fn conditions(&self) -> impl Iterator<Item = StepId> {
        self.ways.keys().copied()
    }

    /// Runs the program.
    pub fn run(&self, given: &Given, max_steps: u64) -> Result<Run, ExecuteError> {
        let input = Input::Bytes(given.stdin.clone());
        let arguments = given.arguments.clone();
        let options = RunOptions { arguments, input, max_steps, max_memory: MEMORY, ..RunOptions::default() };
        let mut executor = Interpreter::start(self.model.program.clone(), &options)?;
        let mut watch = Watch::default();
        while let Some(step) = executor.position().step() {
            watch.arrive(self, step, &mut executor)?;
            executor.resume(&Until::Into, &Default::default())?;
        }
        let behaviour = Behaviour { end: end(executor.position()), output: executor.output()? };
        let Watch { covered, branches, path, .. } = watch;
        Ok(Run { behaviour, covered, branches, path, steps: executor.steps() })
    }
}

/// The ways from a condition; `None` if it is none, or if both lead to the same place.
fn ways(model: &Model, step: StepId) -> Option<(StepId, StepId)> {
    let (program, is_condition) = (&model.program, [StepKind::If, StepKind::Loop]);
    if !model.code.steps[step.index()].exists || !is_condition.contains(&program.step(step).kind) {
        return None;
    }
    let next = |taken: bool| ir::successor(program, step, Some(taken), &|_| true);
    Some((next(true)?, next(false)?)).filter(|(yes, no)| yes != no)
}

fn end(stop: &Stop) -> End {
    match stop {
        Stop::Exited(status) => End::Exited(*status),
        Stop::Fault(_) => End::Crashed,
        Stop::Interrupted | Stop::Step(_) => End::Endless,
    }
}

/// What was seen so far.
#[derive(Default)]
struct Watch {
    covered: BTreeMap<StepId, u32>,
    branches: BTreeMap<StepId, (u32, u32)>,
    path: Vec<(StepId, bool)>,
    /// Conditions that are being evaluated, with the depth of their calls; the innermost is last.
    open: Vec<(StepId, usize)>,
}

impl Watch {
    fn arrive(&mut self, watched: &Watched<'_>, step: StepId, executor: &mut Interpreter) -> Result<(), ExecuteError> {
        *self.covered.entry(step).or_default() += 1;
        self.settle(watched, step, executor)?;
        if watched.ways.contains_key(&step) {
            let calls = watched.model.code.steps[step.index()].calls;
            // Most conditions call nothing, so what comes next decides, however deep it is.
            self.open.push((step, if calls { executor.depth()? } else { usize::MAX }));
        }
        Ok(())
    }

    /// Sees how the condition ended that is being evaluated, if it has.
    fn settle(&mut self, watched: &Watched<'_>, step: StepId, executor: &mut Interpreter) -> Result<(), ExecuteError> {
        while let Some(&(condition, depth)) = self.open.last() {
            if depth != usize::MAX && executor.depth()? > depth {
                break;
            }
            self.open.pop();
            let (yes, no) = watched.ways[&condition];
            if step == yes || step == no {
                self.decided(condition, step == yes);
                break;
            }
        }
        Ok(())
    }

    fn decided(&mut self, condition: StepId, taken: bool) {
        let (yes, no) = self.branches.entry(condition).or_default();
        *(if taken { yes } else { no }) += 1;
        if self.path.len() < PATH {
            self.path.push((condition, taken));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const TEXT: &str = "#include <stdlib.h>
int is_odd(int n) { if (n == 0) return 0; return !is_odd(n - 1); }
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    while (n < 3)
        n++;
    if (is_odd(n))
        return 1;
    for (;;)
        n++;
}
";

    fn run(argument: &str) -> (Run, Model) {
        let source = c_syntax::Source::new("observe.c", TEXT.as_bytes().to_vec());
        let model = Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")));
        let given = Given { arguments: vec![argument.into()], stdin: Vec::new() };
        (Watched::new(&model).run(&given, 1_000).expect("it runs"), model)
    }

    /// By line, true and false.
    fn branches(argument: &str) -> Vec<(u32, (u32, u32))> {
        let (run, model) = run(argument);
        run.branches.iter().map(|(step, times)| (model.program.step(*step).line, *times)).collect()
    }

    #[test]
    fn outcomes_of_conditions_that_call_themselves() {
        assert_eq!(branches("1"), [(2, (1, 3)), (5, (2, 1)), (7, (1, 0))]);
        assert_eq!(branches("4"), [(2, (1, 4)), (5, (0, 1)), (7, (0, 1))]);
    }

    #[test]
    fn ends() {
        assert_eq!(run("1").0.behaviour.end, End::Exited(1));
        assert_eq!(run("4").0.behaviour.end, End::Endless);
    }

    #[test]
    fn statements_are_counted() {
        let (run, model) = run("1");
        let on = |line: u32| -> Vec<u32> {
            let here = run.covered.iter().filter(|(step, _)| model.program.step(**step).line == line);
            here.map(|(_, times)| *times).collect()
        };
        assert_eq!((on(6), on(10)), (vec![2], vec![]));
    }
}
