//! One faulty copy: whether its fault shows, and what the localizer says.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encode::{Model, Place, Prepared, Trace, Verdict};
use localize::{Reach, Suspicious, gradient};
use repair::check::{PatchedProgram, RunAs};

use super::expect::Expectation;
use super::fault::{Fault, places};
use crate::study::{Kind, Study, first_step, renamed};
use crate::user::right::INSTRUCTIONS;

/// What came of a faulty copy on one input.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The program.
    pub program: String,
    /// The arguments of the run.
    pub arguments: Vec<String>,
    /// What kind of fault it is.
    pub kind: Kind,
    /// What is wrong with the copy.
    pub diff: String,
    /// What came of it.
    pub outcome: Outcome,
    /// How the interpreter and the model disagree about the faulty copy, if they do.
    pub disagreement: Option<String>,
}

/// What came of a faulty copy.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The copy is no C.
    NotC,
    /// It meets everything that is asserted.
    Unseen,
    /// It has no place where the fault could be set right by one edit.
    NoPlace,
    /// The run cannot be followed from its start.
    NotFollowed,
    /// The localizer was asked.
    Asked(Asked),
}

/// What the localizer says.
#[derive(Clone, Debug)]
pub struct Asked {
    /// How much it says a change at the faulty place could do, and the place's rank from 1.
    pub found: Option<(Reach, usize)>,
    /// The suspicious statements.
    pub statements: usize,
    /// Those that it says are alone enough.
    pub enough: usize,
    /// Suspicious places for insertions.
    pub slots: usize,
    /// How long it took.
    pub time: Duration,
}

impl Measured {
    /// Whether this must not be: the place is not suspicious, or not enough
    /// although it is; or the interpreter and the model disagree.
    pub fn is_bug(&self) -> bool {
        let missed = matches!(&self.outcome, Outcome::Asked(asked) if asked.found.is_none_or(|at| at.0 < Reach::Trace));
        missed || self.disagreement.is_some()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}], {}: ", self.program, self.arguments.join(" "), self.kind.name())?;
        match (&self.disagreement, &self.outcome) {
            (Some(text), _) => writeln!(f, "{text}")?,
            (None, Outcome::Asked(Asked { found: None, .. })) => writeln!(f, "the fault is missed")?,
            (None, Outcome::Asked(Asked { found: Some((reach, rank)), .. })) => {
                writeln!(f, "the fault is suspicious ({reach:?}, rank {rank}), but not enough alone")?;
            }
            (None, other) => writeln!(f, "{other:?}")?,
        }
        f.write_str(&self.diff)
    }
}

/// Looks at a faulty copy on all inputs.
pub(super) fn measure(study: &Study, expectations: &[Expectation], fault: &Fault) -> Vec<Measured> {
    let faulty = PatchedProgram::new(&study.model.program, &fault.candidate.patched);
    let diff = fault.candidate.patched.diff(&study.name());
    let one = |expectation: &Expectation| {
        let (outcome, disagreement) = match &faulty {
            Err(_) => (Outcome::NotC, None),
            Ok(faulty) => judge(study, expectation, fault, faulty),
        };
        let (program, arguments) = (study.name(), expectation.arguments.clone());
        Measured { program, arguments, kind: Kind::of(&fault.edit), diff: diff.clone(), outcome, disagreement }
    };
    expectations.iter().map(one).collect()
}

fn judge(
    study: &Study,
    expectation: &Expectation,
    fault: &Fault,
    faulty: &PatchedProgram,
) -> (Outcome, Option<String>) {
    let name = &study.model.program.function(study.function).name;
    let function = faulty.model.program.function_named(name);
    let Some(first) = function.and_then(|function| first_step(&faulty.model, function)) else {
        return (Outcome::NoPlace, None);
    };
    let trace = renamed(&expectation.trace, &faulty.steps, first);
    let prepared = trace.and_then(|trace| Prepared::new(&faulty.model, Arc::new(trace), &|_| false).ok());
    let Some(mut prepared) = prepared else { return (Outcome::NotFollowed, None) };
    // What is before the first statement is part of the run too.
    prepared.start.set_pc(0);
    let verdict = prepared.follow(&faulty.model, &[], INSTRUCTIONS);
    let disagreement = disagreement(study, expectation, faulty, &verdict);
    if verdict == Verdict::Meets {
        return (Outcome::Unseen, disagreement);
    }
    let places = places(study, fault, faulty);
    if places.is_empty() {
        return (Outcome::NoPlace, disagreement);
    }
    (Outcome::Asked(ask(&faulty.model, &prepared, &places)), disagreement)
}

/// Whether the text on the interpreter and the model say the same of the faulty copy.
fn disagreement(
    study: &Study,
    expectation: &Expectation,
    faulty: &PatchedProgram,
    verdict: &Verdict,
) -> Option<String> {
    let mut trace: Trace = expectation.trace.clone();
    trace.demands.retain(|demand| faulty.steps.contains_key(&demand.at.step));
    let run_as = RunAs { arguments: expectation.arguments.clone(), input: study.case.stdin.clone() };
    let checked = faulty.check(&trace, &|_| false, &run_as);
    match (checked, verdict) {
        (_, Verdict::Unmodelled(_)) | (Ok(_), Verdict::Meets) => None,
        (Err(_), verdict) if *verdict != Verdict::Meets => None,
        (Ok(_), verdict) => Some(format!("the interpreter finds all asserted states, the model {verdict:?}")),
        (Err(failure), _) => Some(format!("the model finds all asserted states, on the interpreter {failure}")),
    }
}

fn ask(model: &Model, prepared: &Prepared, places: &BTreeSet<Place>) -> Asked {
    let start = Instant::now();
    let ranking = gradient(model, std::slice::from_ref(prepared));
    let time = start.elapsed();
    let is_step = |suspicious: &&Suspicious| matches!(suspicious.place, Place::Step(_));
    let at = ranking.places.iter().position(|suspicious| places.contains(&suspicious.place));
    let statements = ranking.places.iter().filter(is_step).count();
    Asked {
        found: at.map(|at| (ranking.places[at].reach, at + 1)),
        statements,
        enough: ranking.within(Reach::Trace).filter(is_step).count(),
        slots: ranking.places.len() - statements,
        time,
    }
}
