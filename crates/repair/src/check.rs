//! The independent check: runs the patched text and looks at every asserted
//! state and forced decision.
//!
//! Nothing of the model is used here but its counting of visits: the text is
//! read by the compiler's front end again and run by the interpreter from its
//! first statement.

use std::collections::BTreeMap;
use std::sync::Arc;

use c_syntax::Source;
use encode::{Model, Trace, Visit, Walker};
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Input, RunOptions, Stop};
use ir::{Program, StepId};
use memory::State;
use patch::Patched;
use spec::violations;

/// How the checked program is run.
#[derive(Clone, Debug, Default)]
pub struct RunAs {
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// What it reads.
    pub input: Vec<u8>,
}

/// Why a patched program is not right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// It is not C.
    #[error("the patched text does not compile: {0}")]
    NotC(String),
    /// It cannot be run here.
    #[error("the patched program cannot be run: {0}")]
    CannotRun(String),
    /// A fact does not hold.
    #[error("{fact} does not hold on line {line}, it is {there}")]
    Differs {
        /// The fact.
        fact: String,
        /// Where.
        line: u32,
        /// What is there.
        there: String,
    },
    /// It prints something else.
    #[error("on line {line} it has printed {there:?}, which is not what was asserted")]
    Prints {
        /// Where.
        line: u32,
        /// What it printed.
        there: String,
    },
    /// A forced condition goes the other way.
    #[error("the condition on line {0} goes the other way")]
    Decided(u32),
    /// It crashes or ends before everything was asked.
    #[error("the patched program stops early: {0}")]
    Stopped(String),
}

/// A patched program that was read again.
#[derive(Debug)]
pub struct PatchedProgram {
    /// Its model.
    pub model: Model,
    /// The statement that each statement of the original became.
    pub steps: BTreeMap<StepId, StepId>,
}

impl PatchedProgram {
    /// Reads the patched text of a program.
    pub fn new(original: &Program, patched: &Patched) -> Result<PatchedProgram, Failure> {
        let source = Source::new(original.source.path.clone(), patched.text.clone());
        let program = ir::load_text(Arc::new(source)).map_err(|error| Failure::NotC(error.to_string()))?;
        Ok(PatchedProgram::of(original, patched, Arc::new(program)))
    }

    /// The patched text of a program, which was read before.
    pub fn of(original: &Program, patched: &Patched, program: Arc<Program>) -> PatchedProgram {
        let by_start: BTreeMap<(u32, bool), StepId> = (program.steps.iter().enumerate())
            .map(|(i, step)| ((step.span.start, step.kind == ir::StepKind::Exit), StepId(i as u32)))
            .collect();
        let find = |(i, step): (usize, &ir::Step)| {
            let start = patched.map(step.span.start)?;
            Some((StepId(i as u32), *by_start.get(&(start, step.kind == ir::StepKind::Exit))?))
        };
        let steps = original.steps.iter().enumerate().filter_map(find).collect();
        PatchedProgram { model: Model::new(program), steps }
    }

    /// Starts it on the interpreter.
    pub fn start(&self, run_as: &RunAs, max_steps: u64) -> Result<Interpreter, Failure> {
        let options = RunOptions {
            arguments: run_as.arguments.clone(),
            input: Input::Bytes(run_as.input.clone()),
            max_steps,
            ..RunOptions::default()
        };
        Interpreter::start(self.model.program.clone(), &options).map_err(cannot_run)
    }

    fn map_visit(&self, trace: &Trace, visit: Visit) -> Option<Visit> {
        let before = trace.passed.get(&visit.step).copied().unwrap_or(0);
        Some(Visit { step: *self.steps.get(&visit.step)?, count: visit.count + before })
    }

    /// Runs along a trace. The states at its demands, if everything holds.
    pub fn check(
        &self,
        trace: &Trace,
        trusted: &dyn Fn(StepId) -> bool,
        run_as: &RunAs,
    ) -> Result<Vec<State>, Failure> {
        let map = |visit: Visit| self.map_visit(trace, visit);
        let forced: BTreeMap<Visit, (bool, bool)> = (trace.forced.iter())
            .filter_map(|(visit, taken)| Some((map(*visit)?, (*taken, trace.open.contains(&visit.step)))))
            .collect();
        let before = |visit: &Visit| Some(Visit { step: *self.steps.get(&visit.step)?, ..*visit });
        let skipped = trace.skipped.iter().filter_map(|visit| map(*visit));
        let skipped: Vec<Visit> = skipped.chain(trace.skipped_before.iter().filter_map(before)).collect();
        let trusted_now: Vec<StepId> =
            self.steps.iter().filter(|(original, _)| trusted(**original)).map(|(_, now)| *now).collect();
        // The calls that the trace is in at its start, and those it goes into later.
        let outer = trace.calls.split_last().map_or(&[][..], |(_, outer)| outer);
        let entered = outer.iter().filter_map(|step| {
            Some(Visit { step: *self.steps.get(step)?, count: trace.passed.get(step).copied().unwrap_or(0) })
        });
        let entered: Vec<Visit> = entered.collect();
        let known: Vec<Visit> = trace.effects.keys().filter_map(|visit| map(*visit)).collect();
        let starts: BTreeMap<StepId, u32> =
            self.steps.iter().map(|(old, new)| (*new, trace.passed.get(old).copied().unwrap_or(0))).collect();
        let goes_in = |visit: Visit| {
            let later = starts.get(&visit.step).is_some_and(|passed| visit.count > *passed);
            entered.contains(&visit)
                || later && !known.contains(&visit) && self.model.code.steps[visit.step.index()].calls
        };
        let mut executor = self.start(run_as, longest(trace))?;
        let mut walker = Walker::new(&self.model, &|step| trusted_now.contains(&step), &executor);
        let mut again = trace.repeated_before.and_then(|(visit, times)| Some((before(&visit)?, times)));
        let mut demands = trace.demands.iter().peekable();
        let mut states = Vec::new();
        while let Some(demand) = demands.peek() {
            let Some(expected) = map(demand.at) else {
                return Err(Failure::Stopped("an asserted statement is gone".into()));
            };
            let Some(visit) = walker.visit(&executor) else {
                return Err(Failure::Stopped(how_it_ended(executor.position())));
            };
            if visit == expected {
                let state = executor.state().map_err(cannot_run)?;
                let line = self.model.program.step(visit.step).line;
                if let Some((fact, there)) = violations(&demand.facts, &state).first() {
                    let there = there.as_ref().map_or("gone".into(), ToString::to_string);
                    return Err(Failure::Differs { fact: fact.to_string(), line, there });
                }
                let printed = executor.output().map_err(cannot_run)?;
                if let Some(expected) = trace.output.as_ref().and_then(|output| output.until(states.len()))
                    && printed != expected
                {
                    return Err(Failure::Prints { line, there: String::from_utf8_lossy(&printed).into_owned() });
                }
                states.push(state);
                demands.next();
                continue;
            }
            match again.filter(|(at, _)| *at == visit) {
                Some((at, times)) => {
                    for _ in 0..times {
                        walker.step_over(&mut executor).map_err(cannot_run)?;
                        executor.go_to(at.step).map_err(cannot_run)?;
                    }
                    walker.step_over(&mut executor).map_err(cannot_run)?;
                    again = None;
                }
                None if goes_in(visit) && !skipped.contains(&visit) && !forced.contains_key(&visit) => {
                    walker.step_into(&mut executor).map_err(cannot_run)?;
                }
                None => self.pass(&mut walker, &mut executor, visit, &forced, &skipped)?,
            }
        }
        Ok(states)
    }

    /// Goes on by one statement.
    fn pass(
        &self,
        walker: &mut Walker<'_>,
        executor: &mut Interpreter,
        visit: Visit,
        forced: &BTreeMap<Visit, (bool, bool)>,
        skipped: &[Visit],
    ) -> Result<(), Failure> {
        if skipped.contains(&visit) {
            walker.skip(executor).map_err(cannot_run)?;
            return Ok(());
        }
        match forced.get(&visit) {
            Some((taken, true)) => {
                walker.decide(executor, *taken).map_err(cannot_run)?;
            }
            Some((taken, false)) => {
                let depth = executor.calls().map_err(cannot_run)?.len();
                let mut stop = walker.step(executor).map_err(cannot_run)?;
                // A condition may call functions before it is decided.
                while matches!(stop, Stop::Step(_)) && executor.calls().map_err(cannot_run)?.len() > depth {
                    stop = walker.step(executor).map_err(cannot_run)?;
                }
                let program = &self.model.program;
                let wanted = ir::successor(program, visit.step, Some(*taken), &|_| true);
                let other = ir::successor(program, visit.step, Some(!*taken), &|_| true);
                if stop.step() != wanted && stop.step() == other {
                    return Err(Failure::Decided(program.step(visit.step).line));
                }
            }
            None => {
                walker.step(executor).map_err(cannot_run)?;
            }
        }
        Ok(())
    }
}

/// Statements that a patched run may take.
fn longest(trace: &Trace) -> u64 {
    let passed: u64 = trace.passed.values().map(|&count| u64::from(count)).sum();
    10_000 + 4 * (passed + trace.run.len() as u64) * 16
}

fn cannot_run(error: ExecuteError) -> Failure {
    Failure::CannotRun(error.to_string())
}

fn how_it_ended(stop: &Stop) -> String {
    match stop {
        Stop::Fault(fault) => fault.message.clone(),
        Stop::Exited(status) => format!("it ends with status {status}"),
        _ => "it runs for too long".into(),
    }
}
