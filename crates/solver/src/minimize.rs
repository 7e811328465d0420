//! Smaller cores: leaving out parts as long as the rest stays contradictory.

use std::hash::Hash;

use crate::engine::{Outcome, Query, Switch};
use crate::sat::Limits;
use crate::solver::{Core, Solver};
use crate::term::{Term, Terms};

/// How to look for a minimal core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimize {
    /// Leave out one part after the other; best when most parts are needed.
    Deletion,
    /// Divide and conquer (QuickXplain, Junker 2004); best when few are.
    QuickXplain,
}

/// A part of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    On(Switch),
    Assumed(Term),
}

impl<T: Clone + Eq + Hash> Solver<T> {
    /// A minimal part of `core`, or the smallest one that was found within the limits.
    pub fn minimize(&mut self, terms: &Terms, core: &Core<T>, how: Minimize, limits: &Limits) -> Core<T> {
        let query = self.query_of(core);
        let on = query.on.iter().map(|&switch| Part::On(switch));
        let parts: Vec<Part> = on.chain(query.assumptions.iter().map(|&term| Part::Assumed(term))).collect();
        let mut search = Search { solver: self, terms, limits, is_complete: true };
        let smallest = match how {
            Minimize::Deletion => search.delete(parts),
            Minimize::QuickXplain if search.contradicts(&[]).is_some() => vec![],
            Minimize::QuickXplain => search.quick_xplain(&[], false, &parts),
        };
        let is_minimal = search.is_complete;
        self.name_core(&query_of(&smallest), is_minimal)
    }
}

struct Search<'a, T> {
    solver: &'a mut Solver<T>,
    terms: &'a Terms,
    limits: &'a Limits,
    is_complete: bool,
}

impl<T: Clone + Eq + Hash> Search<'_, T> {
    fn delete(&mut self, mut parts: Vec<Part>) -> Vec<Part> {
        let mut needed = 0;
        while needed < parts.len() {
            let mut rest = parts.clone();
            rest.remove(needed);
            match self.contradicts(&rest) {
                // What is known to be needed is in every core of the rest, in the same order.
                Some(core) => parts.retain(|part| core.contains(part)),
                None => needed += 1,
            }
        }
        parts
    }

    /// The parts of `candidates` that are needed next to `base`.
    fn quick_xplain(&mut self, base: &[Part], base_has_grown: bool, candidates: &[Part]) -> Vec<Part> {
        if base_has_grown && self.contradicts(base).is_some() {
            return vec![];
        }
        if candidates.len() <= 1 {
            return candidates.to_vec();
        }
        let (first, second) = candidates.split_at(candidates.len() / 2);
        let needed_second = self.quick_xplain(&[base, first].concat(), true, second);
        let grown = !needed_second.is_empty();
        let needed_first = self.quick_xplain(&[base, &needed_second].concat(), grown, first);
        [needed_first, needed_second].concat()
    }

    /// A core of `parts` if they contradict each other.
    fn contradicts(&mut self, parts: &[Part]) -> Option<Vec<Part>> {
        match self.solver.ask(self.terms, &query_of(parts), self.limits) {
            Outcome::Unsat(core) => {
                let is_in_core = |part: &Part| match part {
                    Part::On(switch) => core.on.contains(switch),
                    Part::Assumed(term) => core.assumptions.contains(term),
                };
                Some(parts.iter().copied().filter(is_in_core).collect())
            }
            Outcome::Sat(_) => None,
            Outcome::Unknown(_) => {
                self.is_complete = false;
                None
            }
        }
    }
}

fn query_of(parts: &[Part]) -> Query {
    let mut query = Query::default();
    for part in parts {
        match part {
            Part::On(switch) => query.on.push(*switch),
            Part::Assumed(term) => query.assumptions.push(*term),
        }
    }
    query
}
