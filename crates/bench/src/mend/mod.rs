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

use indicatif::ProgressBar;

use crate::BenchError;
pub use instances::random_instances;
pub use sessions::paper_sessions;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Random functions besides the sessions of the paper.
    pub instances: usize,
    /// How often each search is repeated.
    pub repeats: usize,
    /// How long one search may take.
    pub limit: Duration,
    /// Decides what is random.
    pub seed: u64,
    /// Only ways whose name contains this.
    pub way: Option<String>,
}

/// Measures everything; the answer is a table.
pub fn run(options: &Options) -> Result<String, BenchError> {
    let sessions = paper_sessions()?;
    let random = random_instances(options.instances, 10, 8, options.seed)?;
    let wanted = |way: &Way| options.way.as_ref().is_none_or(|text| way.name().contains(text.as_str()));
    let ways: Vec<Way> = Way::ALL.into_iter().filter(wanted).collect();
    let mut rows: Vec<(String, Vec<Vec<Measured>>)> = Vec::new();
    let bar = ProgressBar::new(((sessions.len() + random.len()) * 2 * ways.len()) as u64);
    for localized in [true, false] {
        let place = if localized { "localized" } else { "all places" };
        for question in &sessions {
            let row = ways.iter().map(|way| repeated(question, *way, localized, options, &bar));
            rows.push((format!("{}, {place}", question.name), row.collect::<Result<_, _>>()?));
        }
        let mut columns = Vec::new();
        for way in &ways {
            let one = |question| repeated(question, *way, localized, options, &bar);
            let all: Vec<Vec<Measured>> = random.iter().map(one).collect::<Result<_, _>>()?;
            columns.push(all.iter().map(|times| median(times)).collect());
        }
        rows.push((format!("{} random functions, {place}", random.len()), columns));
    }
    bar.finish_and_clear();
    Ok(table(&ways, &rows, options.limit))
}

fn repeated(
    question: &Question,
    way: Way,
    localized: bool,
    options: &Options,
    bar: &ProgressBar,
) -> Result<Vec<Measured>, BenchError> {
    let mut times = Vec::new();
    for _ in 0..options.repeats {
        let measured = measure(question, way, localized, options.limit)?;
        times.push(measured);
        // What takes seconds is measured once.
        if measured.time > Duration::from_secs(2) {
            break;
        }
    }
    bar.inc(1);
    Ok(times)
}

fn median(times: &[Measured]) -> Measured {
    let mut sorted = times.to_vec();
    sorted.sort_by_key(|measured| measured.time);
    sorted[sorted.len() / 2]
}

/// Times in milliseconds with the cost of what was found, and how many times the first column's each is.
fn table(ways: &[Way], rows: &[(String, Vec<Vec<Measured>>)], limit: Duration) -> String {
    let mut text = format!("{:38}", "milliseconds (cost), median");
    ways.iter().for_each(|way| text += &format!("{:>20}", way.name()));
    text.push('\n');
    for (name, columns) in rows {
        text += &format!("{name:38}");
        let first = columns.first().map(|times| median(times).time.as_secs_f64());
        for times in columns {
            let middle = median(times);
            let ratio = first.map_or(1.0, |first| middle.time.as_secs_f64() / first);
            let solved = times.iter().filter(|measured| measured.cost.is_some()).count();
            let cell = match middle.cost {
                _ if middle.time == Duration::MAX => "not installed".to_string(),
                None if middle.time > limit.mul_f64(0.9) => "out of time".to_string(),
                None => format!("none {:.1}", middle.time.as_secs_f64() * 1e3),
                Some(cost) => format!("{:.1} ({cost}) {ratio:.0}x", middle.time.as_secs_f64() * 1e3),
            };
            let part = if solved < times.len() && middle.cost.is_some() { "*" } else { "" };
            text += &format!("{:>20}", cell + part);
        }
        text.push('\n');
    }
    text + "`12x` is the ratio to the first column; * marks rows where some had no answer in time\n"
}

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
            let places = ranking.within(localize::Reach::Part).map(|found| found.place);
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
