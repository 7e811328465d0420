//! How long repairs take, by each way to search for them, side by side in one run.
//!
//! The problems are the two repairs of the paper's Figure 1, that of Figure 8,
//! and random straight-line functions of ten statements over eight nodes with
//! two changed statements and a missing one. Only the search is timed: the
//! recorded run is given, and the check of what was found is not part of it.

mod instances;
mod sessions;

use std::time::{Duration, Instant};

use encode::{Model, Place, Prepared, Space};
use repair::scheme::heap::{HeapScheme, SchemeOptions};
use repair::strategy::proof::{Guidance, prove};
use repair::strategy::replay::{End, Limits, Replay};
use repair::strategy::solve::{Outcome, SolveOptions, solve};
use solver::{Backend, Program};

use crate::BenchError;
pub use instances::random_instances;
pub use sessions::paper_sessions;

/// A question for the engines.
pub struct Question {
    /// Its name.
    pub name: String,
    /// The program.
    pub model: Model,
    /// The recorded run.
    pub trace: Prepared,
    /// All places that may be edited.
    pub places: std::collections::BTreeSet<Place>,
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Version-space replay, the default.
    Replay,
    /// SAT with one cost bound, by batsat.
    Batsat,
    /// The same by CaDiCaL.
    Cadical,
    /// Algorithm 3 of the paper, by batsat.
    Algorithm3,
    /// AlgVar of the paper, by batsat.
    AlgVar,
    /// Algorithm 3 as published: an SMT solver through a pipe.
    Algorithm3Smt,
}

impl Way {
    /// All of them, in the order of the columns.
    pub const ALL: [Way; 6] =
        [Way::Replay, Way::Batsat, Way::Cadical, Way::Algorithm3, Way::AlgVar, Way::Algorithm3Smt];

    /// The heading of its column.
    pub fn name(self) -> &'static str {
        match self {
            Way::Replay => "replay",
            Way::Batsat => "SAT batsat",
            Way::Cadical => "SAT CaDiCaL",
            Way::Algorithm3 => "Alg. 3 batsat",
            Way::AlgVar => "AlgVar batsat",
            Way::Algorithm3Smt => "Alg. 3 z3",
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// How long it took.
    pub time: Duration,
    /// The cost of the repair, if there is one.
    pub cost: Option<u32>,
}

/// Searches one way, in the suspicious places or in all.
pub fn measure(question: &Question, way: Way, localized: bool, limit: Duration) -> Result<Measured, BenchError> {
    let model = &question.model;
    let traces = std::slice::from_ref(&question.trace);
    let begun = Instant::now();
    let mut scheme = HeapScheme::new(model, SchemeOptions::default());
    let space = match localized {
        false => scheme.space(&question.places),
        true => {
            let ranking = localize::gradient(model, traces);
            let places = ranking.places.iter().map(|found| found.place);
            scheme.space(&places.filter(|place| question.places.contains(place)).collect())
        }
    };
    let cost = match way {
        Way::Replay => replay(model, traces, &space, limit),
        Way::Batsat => sat(model, traces, &space, Backend::Batsat, limit)?,
        Way::Cadical => sat(model, traces, &space, Backend::Cadical, limit)?,
        Way::Algorithm3 => paper(model, traces, &space, Backend::Batsat, Guidance::Bounds, limit)?,
        Way::AlgVar => paper(model, traces, &space, Backend::Batsat, Guidance::Random(1), limit)?,
        Way::Algorithm3Smt => {
            let Some(program) = Program::installed().into_iter().find(|program| program.name() == "z3") else {
                return Ok(Measured { time: Duration::MAX, cost: None });
            };
            paper(model, traces, &space, Backend::Program(program), Guidance::Bounds, limit)?
        }
    };
    Ok(Measured { time: begun.elapsed(), cost })
}

fn replay(model: &Model, traces: &[Prepared], space: &Space, time: Duration) -> Option<u32> {
    let limits = Limits { time, more: 0, ..Limits::default() };
    match Replay::new(model, traces, space, limits).search() {
        End::Repaired { cost, .. } => Some(cost),
        _ => None,
    }
}

fn options(backend: Backend, time: Duration) -> SolveOptions {
    SolveOptions { backend, limits: solver::Limits::within(time), ..SolveOptions::default() }
}

fn sat(
    model: &Model,
    traces: &[Prepared],
    space: &Space,
    backend: Backend,
    time: Duration,
) -> Result<Option<u32>, BenchError> {
    let solved = solve(model, traces, space, &options(backend, time));
    Ok(cost_of(solved.map_err(|error| BenchError::Repair(error.to_string()))?.outcome))
}

fn paper(
    model: &Model,
    traces: &[Prepared],
    space: &Space,
    backend: Backend,
    guidance: Guidance,
    time: Duration,
) -> Result<Option<u32>, BenchError> {
    let solved = prove(model, traces, space, &options(backend, time), guidance, 40);
    Ok(cost_of(solved.map_err(|error| BenchError::Repair(error.to_string()))?.outcome))
}

fn cost_of(outcome: Outcome) -> Option<u32> {
    match outcome {
        Outcome::Repaired { cost, .. } => Some(cost),
        _ => None,
    }
}
