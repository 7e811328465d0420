//! From recorded runs to checked repairs: localize, search, widen, check.
//!
//! The order is that of a person in a hurry: first only the suspicious places,
//! then all places of the functions that ran; first by replay, then by SAT;
//! candidates are shown only after the patched text was run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use encode::{AssertedFact, Model, Place, Prepared, SlotId, Space, Trace, Verdict, decisions};
use ir::{FunctionId, Program, StepId};
use localize::Reach;
use memory::State;

use crate::candidates::{Candidate, candidates};
use crate::check::{Failure, PatchedProgram, RunAs};
use crate::read::read;
use crate::scheme::heap::{HeapScheme, SchemeOptions};
use crate::strategy::proof::{Guidance, prove};
use crate::strategy::replay::{Effort, End, Limits, Replay, Solution};
use crate::strategy::solve::{Outcome, SolveOptions, solve};
use crate::vary::{self, Ending, Variation};

/// What is to be repaired.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The program.
    pub program: Arc<Program>,
    /// Its recorded runs, each with how the program was started.
    pub runs: Vec<(Arc<Trace>, RunAs)>,
    /// Statements that the user trusts.
    pub trusted: BTreeSet<StepId>,
}

/// How the search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Replay, then SAT with one bound for the total cost.
    #[default]
    Default,
    /// The paper's Algorithm 3: bounds for guards, statements and insertions.
    Algorithm3,
    /// The paper's variant that relaxes constraints at random; the seed.
    AlgVar(u64),
}

/// When edits are tried that are more than another statement or condition:
/// early exits, further comparisons, moved statements (see [`crate::scheme::wide`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wider {
    /// Not at all.
    Never,
    /// Where up to three single statements do not suffice.
    #[default]
    Late,
    /// At each cost after single statements, as for programs of beginners.
    Early,
}

/// How to look for repairs.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the search goes.
    pub preset: Preset,
    /// Bounds of the search.
    pub limits: Limits,
    /// Whether only suspicious places are tried first.
    pub localize: bool,
    /// Whether guards are repaired that were forced in one direction only.
    pub guards: bool,
    /// How many candidates to show.
    pub candidates: usize,
    /// Whether to try further small inputs.
    pub vary: bool,
    /// Only places among these are changed.
    pub within: Option<BTreeSet<Place>>,
    /// How large the space of edits is.
    pub scheme: SchemeOptions,
    /// When other kinds of edits are tried.
    pub wider: Wider,
    /// Set from elsewhere to stop.
    pub stop: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            preset: Preset::Default,
            limits: Limits::default(),
            localize: true,
            guards: false,
            candidates: 6,
            vary: true,
            within: None,
            scheme: SchemeOptions::default(),
            wider: Wider::default(),
            stop: Arc::default(),
        }
    }
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Looking for suspicious places.
    Localizing,
    /// Trying edits of this many places.
    Searching(usize),
    /// Running patched programs: this one of so many.
    Checking(usize, usize),
    /// Trying the repair on further small inputs.
    Varying,
}

/// How a request ended.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There are repairs.
    Repaired(Box<Repaired>),
    /// Everything asserted holds already; these guards are open.
    Meets(Vec<StepId>),
    /// Nothing that was asserted differs from what the program must do in any case: these facts cannot hold together.
    SpecContradicts(Vec<String>),
    /// No repair up to this cost, in all places that ran.
    SpaceExhausted {
        /// The largest cost that was tried.
        cost: u32,
        /// Why the repairs that were found are none, if there were any.
        refused: Option<Failure>,
    },
    /// Time was up while repairs of this cost were tried.
    OutOfTime(u32),
    /// The run cannot be modelled; why.
    NotModelled(String),
}

/// Repairs, checked.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The closest first.
    pub candidates: Vec<Checked>,
    /// Their cost.
    pub cost: u32,
    /// Whether the suspicious places did not suffice.
    pub widened: bool,
    /// How often the search had to be widened: by more places, or by a higher cost.
    pub widenings: u32,
    /// What found them.
    pub engine: Engine,
    /// Whether it is known that nothing is cheaper.
    pub proved: bool,
    /// The places that were tried, and all that ran.
    pub places: (usize, usize),
    /// Guards that stay forced.
    pub open: Vec<StepId>,
    /// Repairs that the check refused.
    pub refused: usize,
    /// Where the time went.
    pub times: Times,
    /// Variations of the run that were tried.
    pub variations: Vec<Variation>,
    /// A variation on which the first two candidates that do not crash differ.
    pub difference: Option<Difference>,
}

/// What finds repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Version-space replay.
    Replay,
    /// SAT with one bound for the total cost.
    Sat,
    /// Algorithm 3 of the paper.
    Algorithm3,
    /// Its random variant.
    AlgVar,
}

impl Engine {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Replay => "replay",
            Engine::Sat => "sat",
            Engine::Algorithm3 => "algorithm3",
            Engine::AlgVar => "algvar",
        }
    }
}

/// Two repairs that fit what is asserted, but do different things elsewhere.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Their numbers, from 0.
    pub candidates: [usize; 2],
    /// The number of the variation.
    pub variation: usize,
    /// The memory at the end of the function, for each.
    pub states: [State; 2],
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Finding suspicious places.
    pub localize: Duration,
    /// Searching for the first repair.
    pub search: Duration,
    /// Making sure that nothing is cheaper.
    pub prove: Duration,
    /// Running patched texts.
    pub check: Duration,
    /// Trying further inputs.
    pub vary: Duration,
}

/// A repair that was run.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The repair.
    pub candidate: Candidate,
    /// The patched program.
    pub program: Arc<PatchedProgram>,
    /// Asserted states that it meets.
    pub states: usize,
    /// Variations on which it crashes.
    pub risks: Vec<Risk>,
    /// Whether it was made to be safe on variations, at a higher cost.
    pub safer: bool,
}

/// A variation on which a repaired program crashes.
#[derive(Clone, Debug)]
pub struct Risk {
    /// The number of the variation.
    pub variation: usize,
    /// What happens, with its line.
    pub message: String,
}

/// Looks for repairs.
pub fn repair(problem: &Problem, options: &Options, progress: &mut dyn FnMut(Progress)) -> Answer {
    let model = Model::new(problem.program.clone());
    Request {
        model: &model,
        problem,
        options,
        progress,
        times: Times::default(),
        begun: Instant::now(),
        order: Vec::new(),
        refused: BTreeSet::new(),
    }
    .run()
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
}

/// So many repairs are kept at least, since the check may refuse the first.
const FEWEST: usize = 18;

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
                repaired.times = self.times;
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
            let found = match (self.search(prepared, everything), &refused) {
                (Ok(found), _) if self.has_new(&found) => found,
                (Ok(_) | Err(_), Some((cost, failure))) => {
                    return Err(Answer::SpaceExhausted { cost: *cost, refused: Some(failure.clone()) });
                }
                (Ok(found), None) => return Err(Answer::SpaceExhausted { cost: found.cost, refused: None }),
                (Err(answer), None) => return Err(answer),
            };
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

    /// First, cost by cost, repairs whose edits make steady progress: in the
    /// suspicious places, then in all that ran. Then all others that would be
    /// cheaper than what was found.
    fn search(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>) -> Result<Found, Answer> {
        let begun = Instant::now();
        let mut scheme = HeapScheme::new(self.model, self.options.scheme);
        let mut spaces: Vec<(Space, Space, bool)> = Vec::new();
        if self.options.localize {
            (self.progress)(Progress::Localizing);
            let ranking = localize::gradient(self.model, prepared);
            self.order = ranking.places.iter().map(|suspicious| suspicious.place).collect();
            let suspicious = |reach: Reach| -> BTreeSet<Place> {
                let places = ranking.within(reach).map(|found| found.place);
                places.filter(|place| everything.contains(place)).collect()
            };
            // A single change that repairs everything is in the smaller set.
            let single = scheme.space(&suspicious(Reach::Trace));
            // With several, one may lead to where no run has come yet.
            let mut several = suspicious(Reach::Part);
            several.extend(everything.difference(&ranking.visited));
            spaces.push((single, scheme.space(&several), false));
            self.times.localize = begun.elapsed();
        }
        let begun = Instant::now();
        let all = scheme.space(everything);
        if self.options.preset != Preset::Default {
            let suspicious = spaces.pop().map_or(all.clone(), |(_, several, _)| several);
            let first = self.search_by_sat(prepared, &suspicious, self.options.preset);
            let answer = match first {
                Some(Ok(found)) => Some(Ok(Found { widened: false, ..found })),
                _ => self.search_by_sat(prepared, &all, self.options.preset),
            };
            self.times.search = begun.elapsed();
            return answer.unwrap_or(Err(Answer::NotModelled("the solver does not follow this run".into())));
        }
        spaces.push((all.clone(), all.clone(), self.options.localize));
        (self.progress)(Progress::Searching(all.places.len()));
        let ordered = self.simplest_first(prepared);
        let found = self.search_steadily(&ordered, &spaces, everything);
        self.times.search = begun.elapsed();
        let begun = Instant::now();
        let cheaper = self.search_exhaustively(&ordered, &all, found.as_ref().map(|found| found.cost));
        self.times.prove = begun.elapsed();
        match (cheaper, found) {
            (Ok((Some(cheaper), _)), _) => Ok(cheaper),
            (Ok((None, proved)), Some(found)) => Ok(Found { proved, ..found }),
            (Err(_), Some(found)) => Ok(found),
            (exhausted, None) => {
                let otherwise = match exhausted {
                    Err(cost) => Answer::OutOfTime(cost),
                    Ok(_) => Answer::SpaceExhausted { cost: self.options.limits.cost, refused: None },
                };
                match self.search_by_sat(prepared, &all, Preset::Default) {
                    Some(Ok(found)) => Ok(found),
                    Some(Err(contradiction @ Answer::SpecContradicts(_))) => Err(contradiction),
                    _ => Err(otherwise),
                }
            }
        }
    }

    /// The runs with the fewest differences first: one edit may do for them.
    fn simplest_first(&self, prepared: &[Prepared]) -> Vec<Prepared> {
        let mut ordered = prepared.to_vec();
        ordered.sort_by_cached_key(|trace| match trace.follow(self.model, &[], 1_000_000) {
            Verdict::Differs { facts, .. } => facts.len(),
            Verdict::Meets => usize::MAX,
            _ => usize::MAX - 1,
        });
        ordered
    }

    fn found(&self, space: &Space, solutions: &[Solution], cost: u32, widened: bool, proved: bool) -> Found {
        let list = candidates(self.model, space, solutions, (self.options.candidates * 3).max(FEWEST));
        let (places, engine) = (space.places.len(), Engine::Replay);
        Found { list, cost, widened, places, proved, widenings: 0, engine }
    }

    /// By SAT: what replay did not find in its time, and which facts are at odds.
    fn search_by_sat(&self, prepared: &[Prepared], space: &Space, preset: Preset) -> Option<Result<Found, Answer>> {
        let limits = self.options.limits.clone();
        let left = self.left();
        // Larger formulas take gigabytes, and the solver does not get through them in time.
        let most_terms = 1_000_000;
        let formula = encode::FormulaOptions { until: Some(Instant::now() + left), most_terms, ..Default::default() };
        let options = SolveOptions {
            formula,
            limits: solver::Limits::within(left).and_stop(self.options.stop.clone()),
            most_cost: limits.cost,
            most_repairs: self.options.candidates * 2,
            ..SolveOptions::default()
        };
        /// As often as Algorithm 3 may widen its bounds.
        const TRIES: u32 = 40;
        let solved = match preset {
            Preset::Default => solve(self.model, prepared, space, &options),
            Preset::Algorithm3 => prove(self.model, prepared, space, &options, Guidance::Bounds, TRIES),
            Preset::AlgVar(seed) => prove(self.model, prepared, space, &options, Guidance::Random(seed), TRIES),
        };
        let solved = solved.ok()?;
        Some(match solved.outcome {
            Outcome::Repaired { repairs, cost, .. } => {
                let list = repairs.iter().filter_map(|edits| Candidate::of(self.model, edits)).collect();
                let (places, widened, proved) = (space.places.len(), self.options.localize, preset == Preset::Default);
                let engine = match preset {
                    Preset::Default => Engine::Sat,
                    Preset::Algorithm3 => Engine::Algorithm3,
                    Preset::AlgVar(_) => Engine::AlgVar,
                };
                Ok(Found { list, cost, widened, places, proved, widenings: solved.widenings, engine })
            }
            Outcome::Contradiction(facts) => {
                let name = |fact: &AssertedFact| {
                    let demand = &prepared[fact.trace].trace.demands[fact.demand];
                    let line = self.model.program.step(demand.at.step).line;
                    format!("{}, asserted on line {line}", demand.facts[fact.fact])
                };
                // What cannot be written as a formula is no contradiction.
                match facts.is_empty() {
                    true => Err(Answer::SpaceExhausted { cost: limits.cost, refused: None }),
                    false => Err(Answer::SpecContradicts(facts.iter().map(name).collect())),
                }
            }
            Outcome::Exhausted { cost } => Err(Answer::SpaceExhausted { cost, refused: None }),
            Outcome::OutOfTime => Err(Answer::OutOfTime(limits.cost)),
        })
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        self.options.limits.time.saturating_sub(self.begun.elapsed())
    }

    fn replay<'s>(&self, prepared: &'s [Prepared], space: &'s Space) -> Replay<'s>
    where
        Self: 's,
    {
        let mut replay = Replay::new(self.model, prepared, space, self.options.limits.clone());
        replay.stop_when(self.options.stop.clone());
        replay.prefer(&self.order);
        replay
    }

    fn search_steadily(
        &self,
        prepared: &[Prepared],
        spaces: &[(Space, Space, bool)],
        everything: &BTreeSet<Place>,
    ) -> Option<Found> {
        // Other kinds of edits are tried only where single statements do not suffice.
        let mut wider: Option<[(Space, Space, bool); 1]> = None;
        let mut widenings = 0;
        for Try { effort, cost, wide, runs } in tries(self.options.limits.cost, self.options.wider) {
            let spaces = match wide {
                true => &wider.get_or_insert_with(|| self.wide_space(everything))[..],
                false => spaces,
            };
            for (single, several, widened) in spaces {
                // The wider search at the same cost has all of these.
                if *widened && !wide && cost > 1 && self.options.wider == Wider::Early {
                    continue;
                }
                let space = if cost == 1 { single } else { several };
                let level = self.replay(prepared, space).level(cost, effort, (self.left(), runs));
                let found = self.found(space, &level.solutions, cost, *widened, cost == 1);
                if self.has_new(&found) {
                    return Some(Found { widenings, ..found });
                }
                widenings += 1;
            }
        }
        None
    }

    /// Whether there is a repair that can be written as text and was not refused yet.
    fn has_new(&self, found: &Found) -> bool {
        found.list.iter().any(|candidate| !self.refused.contains(&candidate.patched.text))
    }

    /// All edits, those of the wider search too.
    fn wide_space(&self, everything: &BTreeSet<Place>) -> [(Space, Space, bool); 1] {
        let options = SchemeOptions { wide: true, ..self.options.scheme };
        let space = HeapScheme::new(self.model, options).space(everything);
        [(space.clone(), space, true)]
    }

    /// Everything cheaper than `cost`, or up to the limit; whether that was
    /// looked at to the end, or the cost at which time was up.
    fn search_exhaustively(
        &self,
        prepared: &[Prepared],
        space: &Space,
        cost: Option<u32>,
    ) -> Result<(Option<Found>, bool), u32> {
        let most = cost.map_or(self.options.limits.cost, |cost| cost.saturating_sub(1));
        let runs = if cost.is_some() { self.options.limits.prove } else { u64::MAX };
        for cost in 2..=most {
            // Half of the time that is left, if nothing was found, is for SAT.
            let left = if runs == u64::MAX { self.left() / 2 } else { self.left() };
            let level = self.replay(prepared, space).level(cost, Effort::Exhaustive, (left, runs));
            let found = self.found(space, &level.solutions, cost, true, true);
            if self.has_new(&found) {
                return Ok((Some(found), true));
            }
            if !level.complete {
                return Err(cost);
            }
        }
        Ok((None, true))
    }

    /// The repairs that pass the independent check, and how many did not.
    fn check_all(&mut self, found: &Found, prepared: &[Prepared]) -> Shown {
        let known = |candidate: &&Candidate| !self.refused.contains(&candidate.patched.text);
        let list = found.list.iter().filter(known).cloned().collect();
        self.check_list(list, prepared, self.options.candidates)
    }

    fn check_list(&mut self, list: Vec<Candidate>, prepared: &[Prepared], most: usize) -> Shown {
        let begun = Instant::now();
        let (mut shown, mut refused, mut reason) = (Vec::new(), 0, None);
        let total = list.len().min(most);
        let mut list = list.into_iter().peekable();
        while list.peek().is_some() {
            if shown.len() >= most || self.options.stop.load(Ordering::Relaxed) {
                break;
            }
            (self.progress)(Progress::Checking(shown.len() + 1, total));
            let some: Vec<Candidate> = list.by_ref().take(AT_ONCE.min(most - shown.len())).collect();
            let verdicts = Checker { problem: self.problem, prepared }.check_all(&some);
            for (candidate, verdict) in some.into_iter().zip(verdicts) {
                match verdict {
                    Some(Ok((program, states))) => {
                        let (program, risks) = (Arc::new(program), Vec::new());
                        shown.push(Checked { candidate, program, states, risks, safer: false });
                    }
                    Some(Err(failure)) => {
                        refused += 1;
                        reason.get_or_insert(failure);
                    }
                    None => refused += 1,
                }
            }
        }
        self.times.check += begun.elapsed();
        match (shown.is_empty(), reason) {
            (true, Some(reason)) => Err(reason),
            _ => Ok((shown, refused)),
        }
    }
}

/// Repairs whose texts are read together.
const AT_ONCE: usize = 8;

/// Checks repairs, several at once.
struct Checker<'a> {
    problem: &'a Problem,
    prepared: &'a [Prepared],
}

/// A repaired program, with how many asserted states it meets; or why it is none.
type CheckEnd = Result<(PatchedProgram, usize), Failure>;

impl Checker<'_> {
    /// Reads the texts together, then runs them side by side. Nothing is known of one that brings us down.
    fn check_all(&self, candidates: &[Candidate]) -> Vec<Option<CheckEnd>> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get()).min(4);
        let programs = self.read(candidates);
        let mut verdicts = Vec::new();
        for some in candidates.iter().zip(programs).collect::<Vec<_>>().chunks(threads) {
            verdicts.extend(std::thread::scope(|scope| {
                let check = |(candidate, program)| scope.spawn(move || self.check(candidate, program));
                let threads: Vec<_> = some.iter().cloned().map(check).collect();
                threads.into_iter().map(|thread| thread.join().ok()).collect::<Vec<_>>()
            }));
        }
        verdicts
    }

    /// The programs of the patched texts; none if reading one of them brings us down.
    fn read(&self, candidates: &[Candidate]) -> Vec<Option<Result<Arc<Program>, Failure>>> {
        let texts: Vec<&[u8]> = candidates.iter().map(|candidate| &candidate.patched.text[..]).collect();
        let read = std::thread::scope(|scope| scope.spawn(|| read(&self.problem.program, &texts)).join());
        match read {
            Ok(programs) => programs.into_iter().map(Some).collect(),
            Err(_) => candidates.iter().map(|_| None).collect(),
        }
    }

    fn check(&self, candidate: &Candidate, program: Option<Result<Arc<Program>, Failure>>) -> CheckEnd {
        let (original, patched) = (&self.problem.program, &candidate.patched);
        let program = match program {
            Some(program) => PatchedProgram::of(original, patched, program?),
            None => PatchedProgram::new(original, patched)?,
        };
        let mut states = 0;
        for (prepared, (_, run_as)) in self.prepared.iter().zip(&self.problem.runs) {
            states += program.check(&prepared.trace, &|step| self.problem.trusted.contains(&step), run_as)?.len();
        }
        Ok((program, states))
    }
}

impl Request<'_> {
    /// Tries the repairs on further small inputs, and looks for safer ones if the best crashes there.
    fn vary(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>, repaired: &mut Repaired) {
        (self.progress)(Progress::Varying);
        let begun = Instant::now();
        let function = match repaired.candidates[0].candidate.edits.first().map(|edit| edit.place()) {
            Some(Place::Step(step)) => self.model.program.step(step).function,
            Some(Place::Slot(slot)) => self.model.code.slots[slot.0 as usize].function,
            None => return,
        };
        let variations = vary::variations(self.model, &self.problem.runs[0].1, function);
        let ready: Vec<Option<Prepared>> = variations
            .iter()
            .map(|variation| vary::prepare(self.model, variation))
            // Where the program itself crashes, the repair may too.
            .map(|ready| ready.filter(|ready| !crashes(self.model, ready, &[])))
            .collect();
        for checked in &mut repaired.candidates {
            for (number, ready) in ready.iter().enumerate() {
                let Some(ready) = ready else { continue };
                if !crashes(self.model, ready, &checked.candidate.edits) {
                    continue;
                }
                // The model says so; what the patched text really does is what is told.
                let name = &self.model.program.function(function).name;
                let run_as = &self.problem.runs[0].1;
                if let Some(Ending::Crashes(message)) =
                    vary::ending(&checked.program, &variations[number], run_as, name)
                {
                    checked.risks.push(Risk { variation: number, message });
                }
            }
        }
        // Of those that change as many tokens, what does not crash comes first.
        repaired.candidates.sort_by_key(|checked| (checked.candidate.tokens, !checked.risks.is_empty()));
        if repaired.candidates.iter().all(|checked| !checked.risks.is_empty()) {
            self.look_for_safer(prepared, everything, ready.into_iter().flatten(), repaired);
        }
        repaired.variations = variations;
        if repaired.open.is_empty() {
            repaired.difference = self.difference(function, repaired);
        }
        self.times.vary = begun.elapsed();
    }

    /// Where the best repair and another one that does not crash do different things.
    fn difference(&self, function: FunctionId, repaired: &Repaired) -> Option<Difference> {
        let name = &self.model.program.function(function).name;
        let run_as = &self.problem.runs[0].1;
        let safe = |checked: &Checked| checked.risks.is_empty();
        let first = repaired.candidates.iter().position(safe)?;
        let ends = |number: usize, variation: &Variation| match vary::ending(
            &repaired.candidates[number].program,
            variation,
            run_as,
            name,
        )? {
            Ending::Ends(state) => Some(*state),
            Ending::Crashes(_) => None,
        };
        for second in first + 1..repaired.candidates.len() {
            if !safe(&repaired.candidates[second]) {
                continue;
            }
            for (variation, varied) in repaired.variations.iter().enumerate() {
                let (Some(one), Some(other)) = (ends(first, varied), ends(second, varied)) else { continue };
                let is_shared = |change: &memory::Change| !matches!(change.entity.root, memory::Root::Local { .. });
                if memory::changes(&one, &other).iter().any(is_shared) {
                    return Some(Difference { candidates: [first, second], variation, states: [one, other] });
                }
            }
        }
        None
    }

    /// Repairs that do not crash on the variations either, a little dearer.
    fn look_for_safer(
        &mut self,
        prepared: &[Prepared],
        everything: &BTreeSet<Place>,
        variations: impl Iterator<Item = Prepared>,
        repaired: &mut Repaired,
    ) {
        let all: Vec<Prepared> = prepared.iter().cloned().chain(variations).collect();
        // A guard for what is inserted is what is missing most often.
        let guarded: Vec<Candidate> =
            repaired.candidates.iter().flat_map(|checked| self.guarded(&checked.candidate, &all)).take(2).collect();
        if !guarded.is_empty()
            && let Ok((safer, _)) = self.check_list(guarded, prepared, 1)
        {
            repaired.candidates.extend(safer.into_iter().map(|checked| Checked { safer: true, ..checked }));
            return;
        }
        let edited =
            repaired.candidates.iter().flat_map(|checked| checked.candidate.edits.iter().map(|edit| edit.place()));
        let places: BTreeSet<Place> = edited.filter(|place| everything.contains(place)).collect();
        let space = HeapScheme::new(self.model, self.options.scheme).space(&places);
        let limits = Limits { cost: repaired.cost + 1, time: Duration::from_secs(3), ..self.options.limits.clone() };
        let End::Repaired { solutions, .. } = Replay::new(self.model, &all, &space, limits).search() else { return };
        let list = candidates(self.model, &space, &solutions, 4);
        if let Ok((safer, _)) = self.check_list(list, prepared, 1) {
            repaired.candidates.extend(safer.into_iter().map(|checked| Checked { safer: true, ..checked }));
        }
    }
}

impl Request<'_> {
    /// The same repair with a guard for one of its insertions, such that all runs are met.
    fn guarded(&self, candidate: &Candidate, all: &[Prepared]) -> Option<Candidate> {
        let mut scheme = HeapScheme::new(self.model, self.options.scheme);
        for (i, edit) in candidate.edits.iter().enumerate() {
            let encode::Edit::Insert { slot, guard: None, statement } = *edit else { continue };
            let scope = scheme.place(Place::Slot(slot))?.scope;
            let mut guards = scope.comparisons.clone();
            // The variable that is followed, compared with null, is what a programmer would write.
            guards.sort_by_key(|guard| !is_null_check(guard, &statement));
            let fits = guards.into_iter().find_map(|guard| {
                let mut edits = candidate.edits.clone();
                edits[i] = encode::Edit::Insert { slot, guard: Some(guard), statement };
                let meets = |trace: &Prepared| trace.follow(self.model, &edits, 1_000_000) == Verdict::Meets;
                all.iter().all(meets).then_some(edits)
            });
            if let Some(edits) = fits {
                return Candidate::of(self.model, &edits);
            }
        }
        None
    }
}

/// One of the searches that are made in turn.
struct Try {
    effort: Effort,
    cost: u32,
    /// Whether it is of the wider search.
    wide: bool,
    /// After so many runs the next one has its turn.
    runs: u64,
}

/// The searches in their order. What is quick comes first; what costs more than
/// three edits is rare. Those that may take for ever get a little at first.
fn tries(most: u32, wider: Wider) -> Vec<Try> {
    use Effort::{Climb, Steady, Wander};
    const LITTLE: u64 = 40_000;
    const ALL: u64 = u64::MAX;
    let first = match wider {
        Wider::Never | Wider::Late => vec![
            (Steady(1), 1..=1, false, ALL),
            (Steady(1), 2..=2, false, LITTLE),
            (Climb(24), 2..=2, false, ALL),
            (Steady(1), 3..=3, false, LITTLE),
            (Steady(1), 1..=1, true, LITTLE),
        ],
        Wider::Early => {
            (1..=3).flat_map(|cost| [false, true].map(|wide| (Steady(1), cost..=cost, wide, ALL))).collect()
        }
    };
    let rest = [
        (Climb(24), 2..=3, false, ALL),
        (Climb(120), 3..=3, false, ALL),
        (Steady(1), 2..=3, false, 10 * LITTLE),
        (Steady(1), 1..=2, true, ALL),
        (Steady(2), 2..=2, false, ALL),
        (Wander(400), 2..=3, false, ALL),
        (Steady(1), 3..=3, true, ALL),
        (Climb(24), 2..=3, true, ALL),
        (Steady(1), 4..=most, false, ALL),
        (Climb(24), 4..=most, false, ALL),
        (Climb(120), 4..=most, false, ALL),
        (Steady(2), 3..=most, false, ALL),
        (Steady(1), 4..=most, true, ALL),
    ];
    let mut tries: Vec<Try> = Vec::new();
    for (effort, costs, wide, runs) in first.into_iter().chain(rest) {
        for cost in costs.filter(|cost| *cost <= most && (!wide || wider != Wider::Never)) {
            let same = |old: &Try| (old.effort, old.cost, old.wide) == (effort, cost, wide) && old.runs == ALL;
            if !tries.iter().any(same) {
                tries.push(Try { effort, cost, wide, runs });
            }
        }
    }
    tries
}

/// Whether a guard is `x != NULL` for the `x` that a statement follows.
fn is_null_check(guard: &encode::Comparison, statement: &encode::NewStatement) -> bool {
    let base = |term: &encode::TypedTerm| match term.term {
        encode::Term::Field(variable, _) | encode::Term::Chain(variable, ..) => Some(variable),
        _ => None,
    };
    let encode::NewStatement::Assign(target, source) = statement else { return false };
    let is_null = guard.right.term == encode::Term::Number(0) && guard.op == ir::BinaryOp::NotEqual;
    let encode::Term::Variable(variable) = guard.left.term else { return false };
    is_null && [base(target), base(source)].contains(&Some(variable))
}

/// Whether the edited program crashes on a variation.
fn crashes(model: &Model, variation: &Prepared, edits: &[encode::Edit]) -> bool {
    matches!(variation.follow(model, edits, 1_000_000), Verdict::Fault(_))
}

/// Whether the runs can be followed as they are; if not, where they cannot.
pub fn check_modelled(model: &Model, prepared: &[Prepared]) -> Result<(), String> {
    for trace in prepared {
        // What only a run comes to that went astray need not be followed.
        if let (Verdict::Unmodelled(_), last) = trace.follow_to_crash(model, &[], 10_000_000)
            && !last.astray
        {
            let line =
                last.step.map_or(String::new(), |step| format!(" at or after line {}", model.program.step(step).line));
            return Err(format!(
                "what the program does{line} is not modelled (a union, a bit-field, an array of variable length, memory \
                 without a known type); assert states after it only"
            ));
        }
    }
    Ok(())
}

/// Facts about the same moment that give one thing two values.
fn at_odds(prepared: &[Prepared]) -> Vec<String> {
    for trace in prepared {
        let demands = &trace.trace.demands;
        for (i, demand) in demands.iter().enumerate() {
            let same = demands[i + 1..].iter().filter(|other| other.at == demand.at);
            for (one, other) in same.flat_map(|other| demand.facts.iter().map(move |fact| (fact, &other.facts))) {
                let differs = |fact: &&spec::Fact| {
                    let equal = fact.relation == spec::Relation::Equal && one.relation == spec::Relation::Equal;
                    fact.entity == one.entity && equal && fact.value != one.value
                };
                if let Some(other) = other.iter().find(differs) {
                    return vec![one.to_string(), other.to_string()];
                }
            }
        }
    }
    Vec::new()
}

/// Guards that the user forced, and that went only one way in all runs.
pub fn open_guards(model: &Model, runs: &[(Arc<Trace>, RunAs)]) -> BTreeSet<StepId> {
    let mut seen: BTreeMap<StepId, (bool, bool, bool)> = BTreeMap::new();
    for (trace, _) in runs {
        for (visit, taken) in decisions(model, trace) {
            let entry = seen.entry(visit.step).or_default();
            entry.0 |= taken;
            entry.1 |= !taken;
            entry.2 |= trace.forced.contains_key(&visit);
        }
    }
    seen.into_iter().filter(|(_, (yes, no, forced))| *forced && yes != no).map(|(step, _)| step).collect()
}

/// Those open guards that would not go by themselves the way they were forced.
fn still_open(model: &Model, prepared: &[Prepared], open: &BTreeSet<StepId>) -> Vec<StepId> {
    let agrees = |step: &StepId| {
        prepared.iter().all(|trace| {
            let open = trace.trace.open.iter().copied().filter(|other| other != step).collect();
            let closed = Prepared { trace: Arc::new(Trace { open, ..(*trace.trace).clone() }), ..trace.clone() };
            !matches!(closed.follow(model, &[], 1_000_000), Verdict::Decided(visit) if visit.step == *step)
        })
    };
    open.iter().copied().filter(|step| !agrees(step)).collect()
}
