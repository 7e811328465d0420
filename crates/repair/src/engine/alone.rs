//! What each kind of search comes to alone, for those who choose their order.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use encode::{Model, Verdict};

use super::Request;
use super::answer::{Options, Problem};
use super::stretches::Search;
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::Effort;

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Alone {
    /// Which.
    pub search: Search,
    /// Whether it found repairs.
    pub found: bool,
    /// Whether it came to its end.
    pub complete: bool,
    /// How long it took to the first repair, or to the end.
    pub time: Duration,
    /// The same in work, which does not depend on the machine.
    pub work: u64,
    /// Runs that it tried.
    pub runs: u64,
}

/// Makes every search alone, each for as long as the options say; nothing if one change is enough, or if there is
/// nothing to repair.
pub fn each_alone(problem: &Problem, options: &Options) -> Vec<Alone> {
    let model = Model::new(problem.program.clone());
    let mut ignored = |_| {};
    let mut request = Request::new(&model, problem, options, &mut ignored);
    let Ok(prepared) = request.prepare(&BTreeSet::new()) else { return Vec::new() };
    if prepared.iter().all(|trace| trace.follow(&model, &[], 10_000_000) == Verdict::Meets) {
        return Vec::new();
    }
    let everything = request.everything(&prepared);
    let prepared = request.simplest_first(&prepared);
    let mut scheme = HeapScheme::new(&model, options.scheme);
    let (alone, _) = request.enough_alone(&prepared, &everything, (&mut scheme, BTreeSet::new()));
    if request.level(&prepared, (&alone, None), (Effort::Steady(1), 1, u64::MAX)).0.is_some() {
        return Vec::new();
    }
    let mut results = Vec::new();
    for search in Search::all() {
        let Some(space) = request.space_for(search.kind, &prepared, &everything) else { continue };
        let mut replay = request.replay(&prepared, &space);
        request.begun = Instant::now();
        let (found, complete) = request.stretches(&mut replay, &space, (search, u64::MAX));
        let (time, work) = if found.is_some() { replay.first } else { (request.begun.elapsed(), replay.work) };
        results.push(Alone { search, found: found.is_some(), complete, time, work, runs: replay.runs });
    }
    results
}
