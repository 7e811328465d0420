//! The changes, by the statements that they speak of.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Program, StepId, StepKind};

use super::LiveChange;
use crate::ExecuteError;

/// All live changes.
#[derive(Clone, Debug, Default)]
pub struct Live {
    runs: BTreeMap<StepId, Run>,
    inserts: BTreeMap<StepId, Vec<Insert>>,
    /// Where it must stop.
    stops: BTreeSet<StepId>,
    follows: bool,
}

/// How a statement runs.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What it runs as, if that is changed.
    pub text: Option<String>,
    /// It runs only if these hold.
    pub guards: Vec<String>,
}

/// A statement that is run before another.
#[derive(Clone, Debug)]
pub struct Insert {
    /// The statements that control must come from.
    pub from: Option<BTreeSet<StepId>>,
    /// It runs only if this holds.
    pub guard: Option<String>,
    /// What is run.
    pub statement: String,
}

impl Live {
    /// The changes of a program that has no instructions for some of its statements.
    pub fn new(
        program: &Program,
        changes: &[LiveChange],
        without_code: &BTreeSet<StepId>,
    ) -> Result<Live, ExecuteError> {
        let mut live = Live::default();
        for change in changes {
            live.add(program, change)?;
        }
        let from = live.inserts.values().flatten().filter_map(|insert| insert.from.as_ref()).flatten();
        let all: BTreeSet<StepId> = live.stops.iter().chain(from).copied().collect();
        if let Some(step) = all.intersection(without_code).next() {
            let text = program.source.text(program.step(*step).span);
            let sentence = format!("the compiler made no instructions for `{text}`, so nothing can be changed there");
            return Err(ExecuteError::NotHere(sentence));
        }
        let follows = |to: &StepId| live.inserts[to].iter().any(|insert| insert.from.is_some());
        let functions: BTreeSet<_> =
            live.inserts.keys().filter(|to| follows(to)).map(|to| program.step(*to).function).collect();
        let steps = (0..program.steps.len() as u32).map(StepId).filter(|step| !without_code.contains(step));
        live.stops.extend(steps.filter(|step| functions.contains(&program.step(*step).function)));
        live.follows = !functions.is_empty();
        Ok(live)
    }

    fn add(&mut self, program: &Program, change: &LiveChange) -> Result<(), ExecuteError> {
        match change {
            LiveChange::Replace { step, text } => {
                check_kind(program, *step, text.trim().is_empty())?;
                let run = self.runs.entry(*step).or_default();
                if run.text.replace(text.clone()).is_some() {
                    return Err(not_possible(program, *step, "is replaced twice"));
                }
                self.stops.insert(*step);
            }
            LiveChange::Insert { to, from, guard, statement } => {
                let insert = Insert { from: from.clone(), guard: guard.clone(), statement: statement.clone() };
                self.inserts.entry(*to).or_default().push(insert);
                self.stops.insert(*to);
            }
            LiveChange::Guard { step, condition } => {
                if program.step(*step).kind == StepKind::Switch {
                    return Err(not_possible(program, *step, "has more than two ways to go and cannot be guarded"));
                }
                check_kind(program, *step, false)?;
                self.runs.entry(*step).or_default().guards.push(condition.clone());
                self.stops.insert(*step);
            }
        }
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stops.is_empty()
    }

    /// Whether it must be known which statement of a call came before.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// The statements where the program must stop.
    pub fn stops(&self) -> &BTreeSet<StepId> {
        &self.stops
    }

    /// How a statement runs, if that is changed.
    pub fn run(&self, step: StepId) -> Option<&Run> {
        self.runs.get(&step)
    }

    /// What is run before a statement.
    pub fn inserts(&self, to: StepId) -> &[Insert] {
        self.inserts.get(&to).map_or(&[], Vec::as_slice)
    }
}

fn check_kind(program: &Program, step: StepId, is_deleted: bool) -> Result<(), ExecuteError> {
    match program.step(step).kind {
        StepKind::Exit => Err(not_possible(program, step, "is the end of a function and cannot be changed")),
        StepKind::If | StepKind::Loop | StepKind::Switch if is_deleted => {
            Err(not_possible(program, step, "is a condition and cannot be deleted"))
        }
        _ => Ok(()),
    }
}

fn not_possible(program: &Program, step: StepId, why: &str) -> ExecuteError {
    ExecuteError::NotHere(format!("`{}` {why}", program.source.text(program.step(step).span)))
}
