//! The independent check of what a search found: patched texts are read and run.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use encode::Prepared;
use ir::Program;
use memory::State;

use super::answer::{Checked, Problem, Progress};
use super::{Found, Request, Shown};
use crate::candidates::Candidate;
use crate::check::{Failure, PatchedProgram};
use crate::read::read;

impl Request<'_> {
    /// The repairs that pass the independent check, and how many did not.
    pub(super) fn check_all(&mut self, found: &Found, prepared: &[Prepared]) -> Shown {
        let known = |candidate: &&Candidate| !self.refused.contains(&candidate.patched.text);
        let list = found.list.iter().filter(known).cloned().collect();
        self.check_list(list, prepared, self.options.candidates)
    }

    pub(super) fn check_list(&mut self, list: Vec<Candidate>, prepared: &[Prepared], most: usize) -> Shown {
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
                        let (count, last) = (states.len(), states.into_iter().next_back().map(Arc::new));
                        shown.push(Checked { candidate, program, states: count, last, risks, safer: false });
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

/// A repaired program with its memory at each asserted state; or why it is none.
type CheckEnd = Result<(PatchedProgram, Vec<State>), Failure>;

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
        let mut states = Vec::new();
        for (prepared, (_, run_as)) in self.prepared.iter().zip(&self.problem.runs) {
            states.extend(program.check(&prepared.trace, &|step| self.problem.trusted.contains(&step), run_as)?);
        }
        Ok((program, states))
    }
}
