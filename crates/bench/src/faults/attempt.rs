//! The automatic user at work on one version: debug, repair, try the other inputs, and go on.
//!
//! As a person would, it debugs the first input that goes wrong and asks for a
//! repair. If the repaired program still goes wrong on another of the inputs
//! that it may look at, it asserts what should happen there too and asks again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encode::{Edit, Model, Prepared, Trace, Verdict};
use memory::State;
use repair::check::{PatchedProgram, RunAs};
use repair::vary::{Ending, ending};
use repair::{Answer, Problem, Repaired, Times};

use super::judge::Judge;
use crate::BenchError;
use crate::user::right::{INSTRUCTIONS, record};
use crate::user::{CallAt, Detail, Twin, assert_along};

/// A version that is to be debugged.
pub struct Debugging<'a> {
    /// The right program's behaviour.
    pub judge: &'a Judge<'a>,
    /// The faulty program.
    pub twin: &'a Twin,
    /// How much is asserted.
    pub detail: Detail,
    /// How repairs are searched for.
    pub options: repair::Options,
}

/// What came of it.
#[derive(Default)]
pub struct Attempt {
    /// The runs that were debugged.
    pub runs: Vec<(Arc<Trace>, RunAs)>,
    /// The last answer.
    pub answer: Option<Answer>,
    /// How often a repair was asked for.
    pub rounds: u32,
    /// The candidate that the user picked when asked which of two pictures is right.
    pub answered: Option<usize>,
    /// How long it took to run the programs and to write down what is asserted.
    pub tracing: Duration,
    /// Where the time of all searches went.
    pub times: Times,
    /// How long all searches took.
    pub all: Duration,
}

/// More often the user does not ask.
const ROUNDS: u32 = 8;

/// Debugs a version.
pub fn debug(debugging: &Debugging<'_>) -> Result<Attempt, BenchError> {
    let mut attempt = Attempt::default();
    let mut known = BTreeSet::new();
    while attempt.rounds < ROUNDS {
        let begun = Instant::now();
        let next = debugging.next_run(&attempt, &mut known)?;
        attempt.tracing += begun.elapsed();
        let Some(run) = next else { break };
        attempt.runs.push(run);
        attempt.rounds += 1;
        let begun = Instant::now();
        let program = debugging.twin.model.program.clone();
        let problem = Problem { program, runs: attempt.runs.clone(), trusted: BTreeSet::new() };
        let answer = repair::repair(&problem, &debugging.options, &mut |_| {});
        attempt.all += begun.elapsed();
        if let Answer::Repaired(repaired) = &answer {
            attempt.times = added(attempt.times, repaired.times);
        }
        let goes_on = matches!(answer, Answer::Repaired(_));
        attempt.answer = Some(answer);
        if !goes_on {
            break;
        }
    }
    if let Some(repaired) = attempt.repaired() {
        attempt.answered = debugging.answer(repaired, &attempt.runs[0].1);
    }
    Ok(attempt)
}

impl Attempt {
    /// The repairs, if there are any.
    pub fn repaired(&self) -> Option<&Repaired> {
        match &self.answer {
            Some(Answer::Repaired(repaired)) => Some(repaired),
            _ => None,
        }
    }

    fn edits(&self) -> &[Edit] {
        self.repaired().map_or(&[], |repaired| &repaired.candidates[0].candidate.edits)
    }
}

fn added(one: Times, other: Times) -> Times {
    Times {
        localize: one.localize + other.localize,
        search: one.search + other.search,
        prove: one.prove + other.prove,
        check: one.check + other.check,
        vary: one.vary + other.vary,
    }
}

impl Debugging<'_> {
    /// A call that goes wrong in the program as it is now, with what is right.
    fn next_run(
        &self,
        attempt: &Attempt,
        known: &mut BTreeSet<(usize, String)>,
    ) -> Result<Option<(Arc<Trace>, RunAs)>, BenchError> {
        let model: &Model = attempt.repaired().map_or(&self.twin.model, |repaired| &repaired.candidates[0].program.model);
        let study = self.judge.study;
        for input in 0..study.case.seen {
            let (right, watched) = (&self.judge.right[input], self.judge.watch(model, input)?);
            if right.ends_like(&watched) {
                continue;
            }
            let Some(call) = right.first_difference(&watched) else { continue };
            for call in call.outwards(&study.functions) {
                let trace = self.trace(&call, input)?.map(Arc::new);
                let name = (input, format!("{:?}", call.chain));
                if let Some(trace) = trace.filter(|trace| self.fails(trace, attempt.edits()))
                    && known.insert(name)
                {
                    let arguments = study.case.inputs[input].clone();
                    return Ok(Some((trace, RunAs { arguments, input: study.case.stdin.clone() })));
                }
            }
        }
        Ok(None)
    }

    /// What the user asserts along a call.
    fn trace(&self, call: &CallAt, input: usize) -> Result<Option<Trace>, BenchError> {
        let right = record(&self.judge.study.model, call, &self.judge.start(input), self.detail)?;
        Ok(right.and_then(|right| assert_along(&right, self.twin)))
    }

    /// Whether the faulty program with these edits does not do what is asserted.
    fn fails(&self, trace: &Arc<Trace>, edits: &[Edit]) -> bool {
        let prepared = Prepared::new(&self.twin.model, trace.clone(), &|_| false);
        prepared.is_ok_and(|ready| ready.follow(&self.twin.model, edits, INSTRUCTIONS) != Verdict::Meets)
    }

    /// Which of the two candidates that differ does what the right program does.
    fn answer(&self, repaired: &Repaired, run_as: &RunAs) -> Option<usize> {
        let difference = repaired.difference.as_ref()?;
        let variation = &repaired.variations[difference.variation];
        let right = PatchedProgram { model: Model::new(self.judge.study.model.program.clone()), steps: self.twin.back() };
        let place = repaired.candidates[0].candidate.edits.first()?.place();
        let function = match place {
            encode::Place::Step(step) => self.twin.model.program.step(step).function,
            encode::Place::Slot(slot) => self.twin.model.code.slots[slot.0 as usize].function,
        };
        let name = &self.twin.model.program.function(function).name;
        let Some(Ending::Ends(state)) = ending(&right, variation, run_as, name) else { return None };
        let found = difference.states.iter().position(|shown| is_same_picture(shown, &state))?;
        Some(difference.candidates[found])
    }
}

/// Whether the heap and the globals are the same.
fn is_same_picture(one: &State, other: &State) -> bool {
    one.globals == other.globals && one.nodes == other.nodes
}
