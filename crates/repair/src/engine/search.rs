//! The search: in the suspicious places first, then in all that ran; by replay, then by SAT.

use std::collections::BTreeSet;
use std::time::Instant;

use encode::{AssertedFact, Place, Prepared, Space, Verdict};
use localize::{Gradient, Reach};

use super::answer::{Answer, Engine, Preset, Progress, Wider};
use super::{Found, Request};
use crate::candidates::{Candidate, candidates};
use crate::scheme::heap::{HeapScheme, SchemeOptions};
use crate::strategy::proof::{Guidance, prove};
use crate::strategy::replay::{Effort, Replay, Solution};
use crate::strategy::solve::{Outcome, SolveOptions, solve};

/// So many repairs are kept at least, since the check may refuse the first.
const FEWEST: usize = 40;

/// Where to look.
struct Spaces {
    /// The suspicious places, where those that are enough alone were tried already; none if nothing is localized.
    suspicious: Option<Space>,
    /// All places that ran.
    all: Space,
    /// The same with other kinds of edits, once they are needed.
    wide: Option<Space>,
    /// The suspicious ones, where two things of a statement can be others, once that is needed.
    pairs: Option<Space>,
    /// Searches of the suspicious places that were made to their end.
    complete: Vec<(Effort, u32)>,
}

impl Request<'_> {
    /// First single changes where the first run fails, then where the localizer
    /// says that one could be enough; then changes that get the runs over the
    /// stretches where they fail, one after the other. If that does not suffice,
    /// cost by cost, repairs whose edits make steady progress: in the suspicious
    /// places, then in all that ran. Then all others that would be cheaper than
    /// what was found.
    pub(super) fn search(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>) -> Result<Found, Answer> {
        let begun = Instant::now();
        let mut scheme = HeapScheme::new(self.model, self.options.scheme);
        let ordered = self.simplest_first(prepared);
        let all = scheme.space(everything);
        let mut spaces = Spaces { suspicious: None, all, wide: None, pairs: None, complete: Vec::new() };
        // The paper's searches are there to compare, so nothing of ours comes before them.
        let is_ours = self.options.preset == Preset::Default;
        let mut quick = self.is_quick().then(|| self.replay(&ordered, &spaces.all));
        let single = quick.as_mut().and_then(|replay| self.search_single(replay, &spaces.all));
        self.times.search = begun.elapsed();
        if let (Some(found), Some(replay)) = (single, &quick) {
            self.count(replay);
            return Ok(found);
        }
        let mut localizer = None;
        if self.options.localize {
            let settled = quick.as_ref().map(|replay| replay.settled().clone()).unwrap_or_default();
            let (alone, known) = self.enough_alone(&ordered, everything, (&mut scheme, settled));
            localizer = Some(known);
            if is_ours {
                let begun = Instant::now();
                let level = self.level(&ordered, (&alone, None), (Effort::Steady(1), 1, u64::MAX));
                self.times.search += begun.elapsed();
                if let (Some(found), _) = level {
                    return Ok(found);
                }
            }
        }
        let begun = Instant::now();
        let found = quick.and_then(|replay| self.search_stretches(&ordered, &spaces.all, replay));
        if let Some(found) = found {
            self.times.search += begun.elapsed();
            return Ok(self.or_cheaper(&ordered, &mut spaces, found));
        }
        self.times.search += begun.elapsed();
        spaces.suspicious = localizer.map(|localizer| self.suspicious(localizer, everything, &mut scheme));
        let begun = Instant::now();
        if self.options.preset != Preset::Default {
            let all = &spaces.all;
            let first = self.search_by_sat(prepared, spaces.suspicious.as_ref().unwrap_or(all), self.options.preset);
            let answer = match first {
                Some(Ok(found)) => Some(Ok(Found { widened: false, ..found })),
                _ => self.search_by_sat(prepared, all, self.options.preset),
            };
            self.times.search = begun.elapsed();
            let otherwise = match self.left().is_zero() {
                true => Answer::OutOfTime(self.options.limits.cost),
                false => Answer::NotModelled("the solver does not follow this run".into()),
            };
            return answer.unwrap_or(Err(otherwise));
        }
        (self.progress)(Progress::Searching(spaces.all.places.len()));
        let found = self.search_steadily(&ordered, &mut spaces, everything);
        self.times.search += begun.elapsed();
        if let Some(found) = found {
            return Ok(self.or_cheaper(&ordered, &mut spaces, found));
        }
        let begun = Instant::now();
        let rest = self.search_cheaper(&ordered, &mut spaces, None);
        self.times.prove = begun.elapsed();
        let otherwise = match rest {
            Ok((Some(found), _)) => return Ok(found),
            Err(cost) => Answer::OutOfTime(cost),
            Ok(_) => Answer::SpaceExhausted { cost: self.options.limits.cost, refused: None },
        };
        match self.search_by_sat(prepared, &spaces.all, Preset::Default) {
            Some(Ok(found)) => Ok(found),
            Some(Err(contradiction @ Answer::SpecContradicts(_))) => Err(contradiction),
            _ => Err(otherwise),
        }
    }

    /// Something cheaper than what was found, if there is any.
    fn or_cheaper(&mut self, prepared: &[Prepared], spaces: &mut Spaces, found: Found) -> Found {
        let begun = Instant::now();
        let cheaper = self.search_cheaper(prepared, spaces, Some(found.cost));
        self.times.prove = begun.elapsed();
        match cheaper {
            Ok((Some(cheaper), _)) => cheaper,
            Ok((None, proved)) => Found { proved, ..found },
            Err(_) => found,
        }
    }

    /// Where a single change could repair everything, but for places of which it is known that none does; and the
    /// localizer, which can tell more.
    pub(super) fn enough_alone<'t>(
        &mut self,
        prepared: &'t [Prepared],
        everything: &BTreeSet<Place>,
        (scheme, settled): (&mut HeapScheme<'_>, BTreeSet<Place>),
    ) -> (Space, Gradient<'t>)
    where
        Self: 't,
    {
        let begun = Instant::now();
        (self.progress)(Progress::Localizing);
        let mut localizer = Gradient::new(self.model, prepared).without(settled);
        let space = scheme.space(&localizer.alone().intersection(everything).copied().collect());
        self.times.localize = begun.elapsed();
        (space, localizer)
    }

    /// Where one of several changes could be. It may also lead to where no run has come yet.
    fn suspicious(
        &mut self,
        localizer: Gradient<'_>,
        everything: &BTreeSet<Place>,
        scheme: &mut HeapScheme<'_>,
    ) -> Space {
        let begun = Instant::now();
        let ranking = localizer.ranking();
        self.order = ranking.within(Reach::Part).map(|suspicious| suspicious.place).collect();
        let places = self.order.iter().chain(everything.difference(&ranking.visited));
        let space = scheme.space(&places.filter(|place| everything.contains(place)).copied().collect());
        self.times.localize += begun.elapsed();
        space
    }

    /// The runs with the fewest differences first: one edit may do for them.
    pub(super) fn simplest_first(&self, prepared: &[Prepared]) -> Vec<Prepared> {
        let mut ordered = prepared.to_vec();
        ordered.sort_by_cached_key(|trace| match trace.follow(self.model, &[], 1_000_000) {
            Verdict::Differs { facts, .. } => facts.len(),
            Verdict::Meets => usize::MAX,
            _ => usize::MAX - 1,
        });
        ordered
    }

    /// The same runs in other orders: an edit may repair one of them and make
    /// others only different. Of those that fail in other ways than the first,
    /// the shortest come first in turn.
    fn turned(&self, ordered: &[Prepared]) -> Vec<Vec<Prepared>> {
        const MOST: usize = 3;
        let verdicts: Vec<Verdict> = ordered.iter().map(|trace| trace.follow(self.model, &[], 1_000_000)).collect();
        let mut firsts: Vec<usize> = Vec::new();
        for (number, verdict) in verdicts.iter().enumerate() {
            let is_known = firsts.iter().any(|&first| verdicts[first] == *verdict);
            if *verdict != Verdict::Meets && *verdict != verdicts[0] && !is_known {
                firsts.push(number);
            }
        }
        firsts.sort_by_key(|&first| ordered[first].trace.run.len());
        let turn = |first: usize| {
            let mut order = ordered.to_vec();
            order[..=first].rotate_right(1);
            order
        };
        firsts.into_iter().take(MOST).map(turn).collect()
    }

    pub(super) fn found(&self, space: &Space, solutions: &[Solution], cost: u32, widened: bool, proved: bool) -> Found {
        let mut list = candidates(self.model, space, solutions, (self.options.candidates * 3).max(FEWEST));
        let idle = list.iter().map(|candidate| candidate.idle).max().unwrap_or(0);
        list.retain(|candidate| candidate.idle == idle);
        let cost = cost.saturating_sub(idle);
        let (places, engine) = (space.places.len(), Engine::Replay);
        Found { list, cost, widened, places, proved, widenings: 0, engine, search: None }
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
                let widenings = solved.widenings;
                Ok(Found { list, cost, widened, places, proved, widenings, engine, search: None })
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

    /// Counts what a search did.
    pub(super) fn count(&mut self, replay: &Replay<'_>) {
        self.runs += replay.runs;
        self.work += replay.work;
    }

    pub(super) fn replay<'s>(&self, prepared: &'s [Prepared], space: &'s Space) -> Replay<'s>
    where
        Self: 's,
    {
        let mut replay = Replay::new(self.model, prepared, space, self.options.limits.clone());
        replay.stop_when(self.options.stop.clone());
        replay.prefer(&self.order);
        replay
    }

    /// One of the searches that are made in turn; whether it was made to its
    /// end. What changes only `known` places is left out.
    pub(super) fn level(
        &mut self,
        prepared: &[Prepared],
        (space, known): (&Space, Option<&Space>),
        (effort, cost, work): (Effort, u32, u64),
    ) -> (Option<Found>, bool) {
        let mut replay = self.replay(prepared, space);
        replay.leave_out(known);
        let level = replay.level(cost, effort, (self.left(), work));
        self.count(&replay);
        let found = self.found(space, &level.solutions, cost, false, cost == 1);
        (Some(found).filter(|found| self.has_new(found)), level.complete)
    }

    fn search_steadily(
        &mut self,
        prepared: &[Prepared],
        spaces: &mut Spaces,
        everything: &BTreeSet<Place>,
    ) -> Option<Found> {
        let mut widenings = 0;
        let mut turned: Option<Vec<Vec<Prepared>>> = None;
        for next in tries(self.options.limits.cost, self.options.wider) {
            for widened in next.places.widened() {
                let level = match next.places {
                    Where::Wide => {
                        let wide = spaces.wide.get_or_insert_with(|| self.wide_space(everything));
                        self.level(prepared, (wide, None), (next.effort, next.cost, next.work))
                    }
                    Where::Pairs => {
                        let places = spaces.suspicious.as_ref().unwrap_or(&spaces.all).places.keys().copied();
                        let pairs = spaces.pairs.get_or_insert_with(|| self.pairs_space(&places.collect()));
                        (self.two_of_one(prepared, pairs, &next), false)
                    }
                    Where::Turned => {
                        let turned = turned.get_or_insert_with(|| self.turned(prepared));
                        let space = spaces.suspicious.as_ref().unwrap_or(&spaces.all);
                        let one = |order: &Vec<Prepared>| {
                            self.level(order, (space, None), (next.effort, next.cost, next.work)).0
                        };
                        (turned.iter().find_map(one), false)
                    }
                    _ => match self.search_in(prepared, spaces, *widened, &next) {
                        Some(level) => level,
                        None => continue,
                    },
                };
                if let (Some(found), _) = level {
                    return Some(Found { widenings, widened: *widened && spaces.suspicious.is_some(), ..found });
                }
                widenings += 1;
            }
        }
        None
    }

    /// In the suspicious places, or in all of them what is not among the
    /// suspicious ones; nothing if that is done already.
    fn search_in(
        &mut self,
        prepared: &[Prepared],
        spaces: &mut Spaces,
        widened: bool,
        &Try { effort, cost, work, .. }: &Try,
    ) -> Option<(Option<Found>, bool)> {
        let suspicious = match (widened, &spaces.suspicious) {
            // Places that are enough alone were tried first; without a localizer all places are.
            (false, _) if cost == 1 && self.options.localize => return None,
            (false, None) => return None,
            (false, Some(suspicious)) => {
                let level = self.level(prepared, (suspicious, None), (effort, cost, work));
                if level.1 {
                    spaces.complete.push((effort, cost));
                }
                return Some(level);
            }
            (true, suspicious) => suspicious.as_ref(),
        };
        let is_known = spaces.complete.contains(&(effort, cost));
        Some(self.level(prepared, (&spaces.all, suspicious.filter(|_| is_known)), (effort, cost, work)))
    }

    /// Whether there is a repair that can be written as text and was not refused yet.
    pub(super) fn has_new(&self, found: &Found) -> bool {
        found.list.iter().any(|candidate| !self.refused.contains(&candidate.patched.text))
    }

    /// All edits, those of the wider search too.
    fn wide_space(&self, everything: &BTreeSet<Place>) -> Space {
        let options = SchemeOptions { wide: true, ..self.options.scheme };
        HeapScheme::new(self.model, options).space(everything)
    }

    /// All edits, and two of them inside of one statement or condition.
    pub(super) fn pairs_space(&self, places: &BTreeSet<Place>) -> Space {
        let options = SchemeOptions { pairs: true, ..self.options.scheme };
        HeapScheme::new(self.model, options).space(places)
    }

    /// Repairs that change two things of one statement or condition.
    fn two_of_one(&mut self, prepared: &[Prepared], space: &Space, next: &Try) -> Option<Found> {
        let mut replay = self.replay(prepared, space);
        replay.ask_for_pairs(true);
        let level = replay.level(next.cost, next.effort, (self.left(), next.work));
        self.count(&replay);
        let found = self.found(space, &level.solutions, next.cost, false, false);
        Some(found).filter(|found| self.has_new(found))
    }

    /// Everything cheaper than `cost`, or up to the limit; whether that was
    /// looked at to the end, or the cost at which time was up. To look for what
    /// is cheaper takes an eighth of the work that it took to find what there is. That no
    /// single change is enough is known from the localizer.
    fn search_cheaper(
        &mut self,
        prepared: &[Prepared],
        spaces: &mut Spaces,
        cost: Option<u32>,
    ) -> Result<(Option<Found>, bool), u32> {
        /// So much is always done.
        const ALWAYS: u64 = 20_000;
        let most = cost.map_or(self.options.limits.cost, |cost| cost.saturating_sub(1));
        let work = match cost {
            Some(_) => self.options.limits.prove.min((self.work / 8).max(ALWAYS)),
            None => u64::MAX,
        };
        for cost in 2..=most {
            // Half of the time that is left, if nothing was found, is for SAT.
            let left = if work == u64::MAX { self.left() / 2 } else { self.left() };
            let level = self.replay(prepared, &spaces.all).level(cost, Effort::Exhaustive, (left, work));
            let found = self.found(&spaces.all, &level.solutions, cost, true, true);
            if self.has_new(&found) {
                return Ok((Some(found), true));
            }
            if !level.complete {
                return Err(cost);
            }
        }
        Ok((None, true))
    }
}

/// One of the searches that are made in turn.
struct Try {
    effort: Effort,
    cost: u32,
    places: Where,
    /// After so much work the next one has its turn.
    work: u64,
}

/// Which places a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Those that are suspicious.
    Suspicious,
    /// All that ran.
    All,
    /// Those that are suspicious, then all.
    Both,
    /// Those that are suspicious, but other runs have to be met first.
    Turned,
    /// All, with other kinds of edits.
    Wide,
    /// Those that are suspicious, for two changes in one statement or condition.
    Pairs,
}

impl Where {
    /// Whether more than the suspicious places are tried, for each time.
    fn widened(self) -> &'static [bool] {
        match self {
            Where::Suspicious | Where::Turned | Where::Pairs => &[false],
            Where::All | Where::Wide => &[true],
            Where::Both => &[false, true],
        }
    }
}

/// The searches in their order. What is quick comes first; what costs more than
/// three edits is rare. Those that may take for ever get a little at first.
fn tries(most: u32, wider: Wider) -> Vec<Try> {
    use Effort::{Climb, Steady, Together, Wander};
    use Where::{All, Both, Pairs, Suspicious, Turned, Wide};
    const LITTLE: u64 = 800_000;
    const NO_LIMIT: u64 = u64::MAX;
    let first = match wider {
        Wider::Never | Wider::Late => vec![
            (Steady(1), 2..=2, Suspicious, LITTLE / 4),
            (Climb(24), 2..=2, Suspicious, NO_LIMIT),
            (Climb(120), 3..=3, Suspicious, 2 * LITTLE),
            (Together(8), 3..=3, Suspicious, 2 * LITTLE),
            (Steady(1), 2..=2, Turned, LITTLE / 4),
            (Steady(1), 3..=3, Suspicious, LITTLE / 4),
            (Steady(1), 3..=3, Turned, LITTLE / 4),
            (Steady(1), 1..=1, All, NO_LIMIT),
            (Steady(1), 2..=2, All, LITTLE / 4),
            (Steady(1), 1..=1, Wide, LITTLE),
            (Steady(1), 2..=2, Pairs, LITTLE),
            (Climb(120), 3..=3, Suspicious, 10 * LITTLE),
            (Steady(1), 2..=2, Turned, LITTLE),
            (Steady(1), 3..=3, Both, LITTLE),
            (Steady(1), 3..=3, Pairs, LITTLE),
        ],
        Wider::Early => vec![
            (Steady(1), 1..=1, All, NO_LIMIT),
            (Steady(1), 1..=1, Wide, NO_LIMIT),
            (Steady(1), 2..=2, Suspicious, NO_LIMIT),
            (Steady(1), 2..=2, Wide, NO_LIMIT),
            (Steady(1), 3..=3, Suspicious, NO_LIMIT),
            (Steady(1), 3..=3, Wide, NO_LIMIT),
        ],
    };
    let rest = [
        (Steady(1), 2..=2, Pairs, LITTLE),
        (Climb(24), 2..=2, Both, NO_LIMIT),
        (Climb(24), 2..=2, Turned, NO_LIMIT),
        (Climb(120), 3..=3, Both, NO_LIMIT),
        (Climb(120), 3..=3, Turned, 10 * LITTLE),
        (Steady(1), 2..=3, Both, 10 * LITTLE),
        (Steady(1), 2..=2, Turned, 10 * LITTLE),
        (Steady(1), 1..=2, Wide, NO_LIMIT),
        (Steady(2), 2..=2, Both, NO_LIMIT),
        (Wander(400), 2..=3, Both, NO_LIMIT),
        (Steady(1), 3..=3, Wide, NO_LIMIT),
        (Climb(24), 2..=3, Wide, NO_LIMIT),
        (Steady(1), 4..=most, Both, NO_LIMIT),
        (Climb(120), 4..=most, Both, NO_LIMIT),
        (Steady(2), 3..=most, Both, NO_LIMIT),
        (Together(8), 3..=3, Pairs, LITTLE),
        (Together(24), 2..=3, Both, NO_LIMIT),
        (Steady(1), 4..=most, Wide, NO_LIMIT),
    ];
    let mut tries: Vec<Try> = Vec::new();
    for (effort, costs, places, work) in first.into_iter().chain(rest) {
        for cost in costs.filter(|cost| *cost <= most && (places != Wide || wider != Wider::Never)) {
            let covers = |old: &Try| old.places == places || places == Both && old.places == All;
            let same = |old: &Try| (old.effort, old.cost) == (effort, cost) && old.work == NO_LIMIT && covers(old);
            if !tries.iter().any(same) {
                tries.push(Try { effort, cost, places, work });
            }
        }
    }
    tries
}
