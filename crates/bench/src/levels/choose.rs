//! An order of searches, each with what it may cost, under which the most versions are repaired soon.
//!
//! What a list of searches would do on a version is known from what each does
//! alone: `(2 Narrow, 100)` and `(3 All, 500)` on a version for which the first
//! needs 300 and the second 200 take 100 + 200. So a list can be judged without
//! running anything. The present one is changed at one place at a time (a search
//! more or less, another budget, another place): first at random, where what is
//! worse is taken over less and less often (simulated annealing, with a fixed
//! seed), in the end for as long as there is a better one.

use std::fmt;

use fastrand::Rng;
use repair::engine::{Level, Search, searches};

use super::row::{Row, Searched};

/// Searches in their order, each with the work that it may take.
type List = Vec<(usize, u64)>;

/// A list of searches, and what comes of it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Whether it is for versions of which only the beginning and the end are asserted.
    pub straight: bool,
    /// The present list, and the chosen one.
    pub lists: [Vec<Level>; 2],
    /// Versions that would take too long with each, of so many.
    pub late: [usize; 2],
    /// How many versions stand for.
    pub of: usize,
}

/// Work that is done in a millisecond where nothing else runs. The times of the rows are not used: what else ran when
/// they were made must not decide.
const RATE: f64 = 5_000.0;
/// What a version costs that no search of the list repairs.
const NEVER: f64 = 3_000.0;
const BUDGETS: [u64; 15] = [
    10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000, 150_000, 200_000, 300_000, 400_000, 600_000, 800_000,
    1_200_000, 1_600_000,
];
/// Random changes of a list, over and over from the best one, …
const ROUNDS: usize = 4;
const CHANGES: usize = 60_000;
/// … where what is worse by this is taken over at first, then less and less.
const WORSE: f64 = 1.0;

/// What is known of a version: each search by its number.
struct Known {
    weight: usize,
    searches: Vec<Option<Searched>>,
}

/// The best list that is found for versions of one kind, where a search is late after so many milliseconds; none if
/// there are no such versions.
pub fn choose(rows: &[Row], straight: bool, late: f64) -> Option<Chosen> {
    let all = Search::all();
    let number = |search: &Search| all.iter().position(|one| one == search);
    let rows: Vec<&Row> = rows.iter().filter(|row| row.straight == straight && !row.searches.is_empty()).collect();
    let known: Vec<Known> = rows.iter().map(|row| Known::new(row, &all)).collect();
    if known.is_empty() {
        return None;
    }
    let present: List = searches(straight).iter().filter_map(|(search, work)| Some((number(search)?, *work))).collect();
    let score = |list: &List| score(list, &known, &all, late);
    let mut best = (score(&present), present.clone());
    let mut random = Rng::with_seed(1);
    for _ in 0..ROUNDS {
        anneal(&mut best, all.len(), &mut random, score);
    }
    while let Some(better) = neighbours(&best.1, all.len())
        .map(|list| (score(&list), list))
        .filter(|(score, _)| *score < best.0 - 1e-9)
        .min_by(|a, b| a.0.total_cmp(&b.0))
    {
        best = better;
    }
    let too_late = |list: &List| {
        known.iter().filter(|known| known.time(list, &all) > late).map(|known| known.weight).sum::<usize>()
    };
    let named = |list: &List| list.iter().map(|&(search, work)| (all[search], work)).collect();
    Some(Chosen {
        straight,
        late: [too_late(&present), too_late(&best.1)],
        lists: [named(&present), named(&best.1)],
        of: known.iter().map(|known| known.weight).sum(),
    })
}

impl Known {
    fn new(row: &Row, all: &[Search]) -> Known {
        let find = |search: &Search| row.searches.iter().find(|known| known.search == search.to_string()).cloned();
        Known { weight: row.weight, searches: all.iter().map(find).collect() }
    }

    /// How long a list of searches takes, in milliseconds.
    fn time(&self, list: &List, all: &[Search]) -> f64 {
        let (mut time, mut two_are_done) = (0.0, false);
        for &(search, budget) in list {
            let Some(known) = &self.searches[search] else { continue };
            let milliseconds = known.work.min(budget) as f64 / RATE;
            time += milliseconds;
            if known.work > budget {
                continue;
            }
            if known.found {
                // Others are looked for, and after three changes two are, for half of the work.
                time += (2.0 * milliseconds).clamp(4.0, 20.0);
                return if all[search].cost == 3 && !two_are_done { time * 1.35 } else { time };
            }
            two_are_done |= known.complete && all[search].is_all_of_two();
        }
        time + NEVER
    }
}

/// The smaller the better: what is late counts by far the most.
fn score(list: &List, known: &[Known], all: &[Search], late: f64) -> f64 {
    let one = |known: &Known| {
        let time = known.time(list, all);
        let cost = match time > late {
            true => 1.0 + time.min(NEVER) / (2.0 * NEVER),
            false => 0.03 * time / late + 0.15 * (time / late - 0.5).max(0.0),
        };
        cost * known.weight as f64
    };
    known.iter().map(one).sum::<f64>() + 0.05 * list.len() as f64
}

/// Changes a list at random; the best that was come to stays.
fn anneal(best: &mut (f64, List), searches: usize, random: &mut Rng, score: impl Fn(&List) -> f64) {
    let mut present = best.clone();
    for change in 0..CHANGES {
        let list = changed(&present.1, searches, random);
        let next = (score(&list), list);
        let warmth = WORSE * (1.0 - change as f64 / CHANGES as f64).powi(3);
        if next.0 <= present.0 || random.f64() < ((present.0 - next.0) / warmth.max(1e-9)).exp() {
            present = next;
            if present.0 < best.0 {
                *best = present.clone();
            }
        }
    }
}

/// A list that differs from another at one place, at random.
fn changed(list: &List, searches: usize, random: &mut Rng) -> List {
    let mut list = list.clone();
    let budget = BUDGETS[random.usize(..BUDGETS.len())];
    let (from, to) = (random.usize(..list.len().max(1)), random.usize(..=list.len()));
    match random.u8(..5) {
        1 if !list.is_empty() => list[from].1 = budget,
        2 if !list.is_empty() => list[from].0 = random.usize(..searches),
        3 if !list.is_empty() => drop(list.remove(from)),
        4 if !list.is_empty() => {
            let one = list.remove(from);
            list.insert(to.min(list.len()), one);
        }
        _ => list.insert(to, (random.usize(..searches), budget)),
    }
    list
}

/// All lists that differ from one at one place.
fn neighbours(list: &List, searches: usize) -> impl Iterator<Item = List> {
    let length = list.len();
    let without = (0..length).map(|at| {
        let mut list = list.clone();
        list.remove(at);
        list
    });
    let others = (0..length).flat_map(move |at| {
        BUDGETS.map(|budget| {
            let mut list = list.clone();
            list[at].1 = budget;
            list
        })
    });
    let moved = (0..length).flat_map(move |from| {
        (0..length).map(move |to| {
            let mut list = list.clone();
            let one = list.remove(from);
            list.insert(to, one);
            list
        })
    });
    let more = (0..=length).flat_map(move |at| {
        (0..searches).flat_map(move |search| {
            BUDGETS.map(|budget| {
                let mut list = list.clone();
                list.insert(at, (search, budget));
                list
            })
        })
    });
    without.chain(others).chain(moved).chain(more)
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.straight { "only beginning and end asserted" } else { "with loops" };
        let [before, after] = self.late;
        writeln!(f, "{kind}: of {} versions {before} are late with the present list, {after} with this one:", self.of)?;
        self.lists[1].iter().try_for_each(|(search, work)| writeln!(f, "  {work:>9}  {search}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(search: Search, found: bool, work: u64) -> Searched {
        Searched { search: search.to_string(), found, complete: !found, milliseconds: 0.0, work, runs: 0 }
    }

    #[test]
    fn what_finds_all_soon_comes_to_the_front() {
        let all = Search::all();
        let (slow, quick) = (all[0], all[all.len() - 1]);
        let searches = vec![searched(slow, false, 4_500_000), searched(quick, true, 15_000)];
        let row = Row { weight: 1, straight: true, searches, ..Row::default() };
        let chosen = choose(&[row], true, 150.0).expect("there is a version");
        assert_eq!(chosen.late[1], 0);
        assert_eq!(chosen.lists[1], [(quick, chosen.lists[1][0].1)]);
        assert!(choose(&[], true, 150.0).is_none());
    }

    #[test]
    fn a_search_takes_no_longer_than_its_budget() {
        let all = Search::all();
        let searches = vec![searched(all[0], true, 500_000), searched(all[1], true, 50_000)];
        let known = Known::new(&Row { weight: 1, searches, ..Row::default() }, &all);
        assert_eq!(known.time(&vec![(0, 50_000)], &all), 10.0 + NEVER);
        assert_eq!(known.time(&vec![(0, 50_000), (1, 50_000)], &all), 10.0 + 10.0 + 20.0);
    }
}
