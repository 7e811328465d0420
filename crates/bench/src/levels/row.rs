//! One version, one row: what each search does.

use std::collections::BTreeSet;
use std::sync::Arc;

use encode::Model;
use ir::Program;
use repair::Problem;
use repair::engine::{Alone, each_alone};
use serde::{Deserialize, Serialize};

use crate::BenchError;
use crate::faults::{Class, Debugging, Faulty, Judge, Options, debug};
use crate::user::Twin;

/// What each search does on a version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The program.
    pub program: String,
    /// The class of its faults.
    pub class: String,
    /// The number of the version.
    pub version: usize,
    /// What decided what is random.
    pub seed: u64,
    /// The time limit of a search, in seconds.
    pub limit: f64,
    /// So many versions it stands for, as not all are measured.
    pub weight: usize,
    /// Whether only the beginning and the end of calls are asserted.
    pub straight: bool,
    /// None if one change is enough.
    pub searches: Vec<Searched>,
}

/// What a search does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// Which, as [`repair::engine::Search`] is written.
    pub search: String,
    /// Whether it found a repair.
    pub found: bool,
    /// Whether it came to its end.
    pub complete: bool,
    /// To the first repair, or to the end.
    pub milliseconds: f64,
    /// The same in work.
    pub work: u64,
    /// Runs to the end.
    pub runs: u64,
}

impl From<Alone> for Searched {
    fn from(alone: Alone) -> Searched {
        let Alone { search, found, complete, time, work, runs } = alone;
        let milliseconds = time.as_secs_f64() * 1e3;
        Searched { search: search.to_string(), found, complete, milliseconds, work, runs }
    }
}

/// Debugs a version and makes all searches.
pub(super) fn measure(
    judge: &Judge<'_>,
    (class, number): (Class, usize),
    version: &Faulty,
    faulty: Arc<Program>,
    options: &Options,
) -> Result<Option<Row>, BenchError> {
    let study = judge.study;
    let Some(twin) = Twin::new(&study.model, Model::new(faulty), &version.faults) else { return Ok(None) };
    let mut search = repair::Options { guards: true, ..repair::Options::default() };
    search.limits.time = options.limit;
    let debugging = Debugging { judge, twin: &twin, detail: options.detail, options: search };
    let attempt = debug(&debugging)?;
    let program = twin.model.program.clone();
    let problem = Problem { program, runs: attempt.runs, trusted: BTreeSet::new() };
    let searches = match problem.runs.is_empty() {
        true => Vec::new(),
        false => each_alone(&problem, &debugging.options).into_iter().map(Searched::from).collect(),
    };
    Ok(Some(Row {
        program: study.name(),
        class: class.to_string(),
        version: number,
        seed: options.seed,
        limit: options.limit.as_secs_f64(),
        weight: 1,
        straight: problem.runs.iter().all(|(trace, _)| trace.demands.len() <= 2),
        searches,
    }))
}
