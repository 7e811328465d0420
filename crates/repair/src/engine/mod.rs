//! From recorded runs to checked repairs: localize, search, widen, check.
//!
//! The order is that of a person in a hurry: first only the suspicious places,
//! then all places of the functions that ran; first by replay, then by SAT;
//! candidates are shown only after the patched text was run.

mod alone;
mod answer;
mod runs;
mod safer;
mod search;
mod shown;
mod stretches;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encode::{Model, Place, Prepared, SlotId, Trace, Verdict};
use ir::{FunctionId, StepId};

pub use alone::{Alone, each_alone};
pub use answer::*;
pub use runs::{check_modelled, open_guards};
pub use stretches::{Kind, Level, Search, searches};

use crate::candidates::Candidate;
use crate::check::{Failure, RunAs};
use runs::{at_odds, still_open};

/// Looks for repairs.
pub fn repair(problem: &Problem, options: &Options, progress: &mut dyn FnMut(Progress)) -> Answer {
    let model = Model::new(problem.program.clone());
    Request::new(&model, problem, options, progress).run()
}

struct Request<'a> {
    model: &'a Model,
    problem: &'a Problem,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
    times: Times,
    begun: Instant,
    /// The suspicious places, the most suspicious first.
    order: Vec<Place>,
    /// Patched texts that the check refused.
    refused: BTreeSet<Vec<u8>>,
    /// Runs that were tried so far.
    runs: u64,
    /// Statements that they came to.
    work: u64,
}

/// The repairs that pass the check and how many do not, or why none does.
type Shown = Result<(Vec<Checked>, usize), Failure>;

/// What a search found.
struct Found {
    /// The closest first.
    list: Vec<Candidate>,
    cost: u32,
    widened: bool,
    /// The places that were tried.
    places: usize,
    /// Whether it is known that nothing is cheaper.
    proved: bool,
    widenings: u32,
    engine: Engine,
    search: Option<Search>,
}

impl<'a> Request<'a> {
    fn new(
        model: &'a Model,
        problem: &'a Problem,
        options: &'a Options,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Request<'a> {
        Request {
            model,
            problem,
            options,
            progress,
            times: Times::default(),
            begun: Instant::now(),
            order: Vec::new(),
            refused: BTreeSet::new(),
            runs: 0,
            work: 0,
        }
    }
}

impl Request<'_> {
    fn run(&mut self) -> Answer {
        let open = if self.options.guards { BTreeSet::new() } else { open_guards(self.model, &self.problem.runs) };
        let prepared = match self.prepare(&open) {
            Ok(prepared) => prepared,
            Err(sentence) => return Answer::NotModelled(sentence),
        };
        let odds = at_odds(&prepared);
        if !odds.is_empty() {
            return Answer::SpecContradicts(odds);
        }
        if let Err(sentence) = check_modelled(self.model, &prepared) {
            return Answer::NotModelled(sentence);
        }
        let meets = |trace: &Prepared| trace.follow(self.model, &[], 10_000_000) == Verdict::Meets;
        if prepared.iter().all(meets) {
            return Answer::Meets(still_open(self.model, &prepared, &open));
        }
        let everything = self.everything(&prepared);
        let (found, shown) = match self.search_until_shown(&prepared, &everything) {
            Ok(found) => found,
            Err(answer) => return answer,
        };
        match shown {
            Ok((candidates, refused)) if !candidates.is_empty() => {
                let (places, all) = (found.places, everything.len());
                let mut repaired = Repaired {
                    candidates,
                    cost: found.cost,
                    widened: found.widened,
                    widenings: found.widenings,
                    engine: found.engine,
                    search: found.search,
                    proved: found.proved,
                    places: (places, all),
                    open: still_open(self.model, &prepared, &open),
                    refused,
                    times: self.times,
                    variations: Vec::new(),
                    difference: None,
                };
                if self.options.vary {
                    self.vary(&prepared, &everything, &mut repaired);
                }
                repaired.times = Times { runs: self.runs, ..self.times };
                Answer::Repaired(Box::new(repaired))
            }
            Ok(_) => Answer::SpaceExhausted { cost: found.cost, refused: None },
            Err(failure) => Answer::SpaceExhausted { cost: found.cost, refused: Some(failure) },
        }
    }

    /// If all repairs of a kind are refused by the check, those of the next kind are looked for.
    fn search_until_shown(
        &mut self,
        prepared: &[Prepared],
        everything: &BTreeSet<Place>,
    ) -> Result<(Found, Shown), Answer> {
        let mut refused: Option<(u32, Failure)> = None;
        loop {
            let mut found = match (self.search(prepared, everything), &refused) {
                (Ok(found), _) if self.has_new(&found) => found,
                (Ok(_) | Err(_), Some((cost, failure))) => {
                    return Err(Answer::SpaceExhausted { cost: *cost, refused: Some(failure.clone()) });
                }
                (Ok(found), None) => return Err(Answer::SpaceExhausted { cost: found.cost, refused: None }),
                (Err(answer), None) => return Err(answer),
            };
            if self.options.vary {
                self.put_losing_last(prepared, &mut found);
            }
            match self.check_all(&found, prepared) {
                Err(failure) if refused.is_none() && !self.left().is_zero() => {
                    self.refused.extend(found.list.iter().map(|candidate| candidate.patched.text.clone()));
                    refused.get_or_insert((found.cost, failure));
                }
                shown => return Ok((found, shown)),
            }
        }
    }

    fn prepare(&self, open: &BTreeSet<StepId>) -> Result<Vec<Prepared>, String> {
        let one = |(trace, _): &(Arc<Trace>, RunAs)| {
            let trace = Arc::new(Trace { open: open.clone(), ..(**trace).clone() });
            Prepared::new(self.model, trace, &|step| self.problem.trusted.contains(&step))
        };
        self.problem.runs.iter().map(one).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// All places of the functions that ran, but for what the user trusts and open guards.
    fn everything(&self, prepared: &[Prepared]) -> BTreeSet<Place> {
        let model = self.model;
        let ran: BTreeSet<FunctionId> = prepared
            .iter()
            .flat_map(|trace| trace.trace.run.iter().map(|arrival| model.program.step(arrival.step).function))
            .collect();
        let open = |step: &StepId| prepared.iter().any(|trace| trace.trace.open.contains(step));
        let steps = (0..model.program.steps.len() as u32).map(StepId);
        let steps = steps.filter(|step| ran.contains(&model.program.step(*step).function));
        let steps = steps.filter(|step| !self.problem.trusted.contains(step) && !open(step)).map(Place::Step);
        let slots = (0..model.code.slots.len() as u32).map(SlotId);
        let slots = slots.filter(|slot| ran.contains(&model.code.slots[slot.0 as usize].function)).map(Place::Slot);
        let within = |place: &Place| self.options.within.as_ref().is_none_or(|within| within.contains(place));
        steps.chain(slots).filter(within).collect()
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        self.options.limits.time.saturating_sub(self.begun.elapsed())
    }
}
