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
    /// The candidate that is left after the user was asked which pictures are right.
    pub answered: Option<usize>,
    /// How many questions that took.
    pub questions: usize,
    /// How long it took to run the programs and to write down what is asserted.
    pub tracing: Duration,
    /// Where the time of the last search went.
    pub times: Times,
    /// How long the last search took, with its checks.
    pub all: Duration,
    /// How long it took to localize and to search in all rounds together.
    pub session: Duration,
}

/// More often the user does not ask.
const ROUNDS: u32 = 10;
/// So many inputs that go wrong are debugged before the first repair is asked for.
const INPUTS_AT_FIRST: usize = 3;

/// Debugs a version.
pub fn debug(debugging: &Debugging<'_>) -> Result<Attempt, BenchError> {
    let mut attempt = Attempt::default();
    let mut known = BTreeSet::new();
    while attempt.rounds < ROUNDS {
        let begun = Instant::now();
        let next = debugging.next_runs(&attempt, &mut known)?;
        attempt.tracing += begun.elapsed();
        if next.is_empty() {
            break;
        }
        attempt.runs.extend(next);
        attempt.rounds += 1;
        debugging.ask(&mut attempt);
        let refused = matches!(attempt.answer, Some(Answer::SpaceExhausted { refused: Some(_), .. }));
        if attempt.repaired().is_none() && !refused {
            break;
        }
    }
    if let Some(repaired) = attempt.repaired() {
        (attempt.answered, attempt.questions) = debugging.answer(repaired, &attempt.runs[0].1);
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

/// The calls of which something is asserted: the input, and how it was come to.
type Known = BTreeSet<(usize, String)>;

impl Debugging<'_> {
    /// The first call that goes wrong, with what is right there.
    pub fn first_run(&self) -> Result<Option<(Arc<Trace>, RunAs)>, BenchError> {
        Ok(self.next_runs(&Attempt::default(), &mut Known::new())?.into_iter().next())
    }

    /// Asks for a repair of everything that is asserted so far.
    fn ask(&self, attempt: &mut Attempt) {
        let begun = Instant::now();
        let program = self.twin.model.program.clone();
        let problem = Problem { program, runs: attempt.runs.clone(), trusted: BTreeSet::new() };
        // As a session does, the search begins with what had success before.
        let begin = attempt.repaired().and_then(|repaired| repaired.search);
        let options = repair::Options { begin, ..self.options.clone() };
        let answer = repair::repair(&problem, &options, &mut |_| {});
        attempt.all = begun.elapsed();
        attempt.session += match &answer {
            Answer::Repaired(found) => found.times.localize + found.times.search + found.times.prove,
            _ => attempt.all,
        };
        if let Answer::Repaired(repaired) = &answer {
            attempt.times = repaired.times;
        }
        attempt.answer = Some(answer);
    }

    /// Calls that go wrong in the program as it is now, with what is right
    /// there: on a few inputs at first, then one more each time.
    fn next_runs(&self, attempt: &Attempt, known: &mut Known) -> Result<Vec<(Arc<Trace>, RunAs)>, BenchError> {
        let repaired = attempt.repaired();
        let model: &Model = repaired.map_or(&self.twin.model, |repaired| &repaired.candidates[0].program.model);
        let most = if attempt.runs.is_empty() { INPUTS_AT_FIRST } else { 1 };
        let mut found = Vec::new();
        for input in 0..self.judge.seen {
            if found.len() >= most {
                break;
            }
            let (right, watched) = (&self.judge.right[input], self.judge.watch(model, input)?);
            if right.ends_like(&watched) {
                continue;
            }
            // If all repairs were refused, or each call leaves behind what it should,
            // something else than the first difference is to blame.
            let is_refused = repaired.is_none() && !attempt.runs.is_empty();
            let calls = match right.first_difference(&watched).filter(|_| !is_refused) {
                Some(call) => vec![call],
                None => right.left.iter().map(|left| &left.call).collect(),
            };
            for call in calls {
                let some = self.runs_of(call, input, attempt, known)?;
                let is_found = !some.is_empty();
                found.extend(some);
                if is_found {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// What is asserted of a call that goes wrong, or of one that it was made
    /// in; and of the next call of the same function, as a person would look at both.
    fn runs_of(
        &self,
        call: &CallAt,
        input: usize,
        attempt: &Attempt,
        known: &mut Known,
    ) -> Result<Vec<(Arc<Trace>, RunAs)>, BenchError> {
        let study = self.judge.study;
        let arguments = self.judge.inputs[input].clone();
        let run_as = RunAs { arguments, input: study.case.stdin.clone() };
        for call in call.outwards(&study.functions) {
            let name = (input, format!("{:?}", call.chain));
            // If all repairs were refused, calls that are right as they are have to be asserted too; and what they
            // make other calls with, since what is asserted of a call tells nothing of how it is come to.
            let refused = attempt.repaired().is_none() && !attempt.runs.is_empty();
            let detail = if refused && self.detail == Detail::Loops { Detail::Calls } else { self.detail };
            let trace = self.trace(&call, input, detail)?.map(Arc::new);
            let of_use = |trace: &Arc<Trace>| refused || self.fails(trace, attempt.edits());
            let Some(trace) = trace.filter(|trace| !known.contains(&name) && of_use(trace)) else { continue };
            known.insert(name);
            let mut found = vec![(trace, run_as.clone())];
            let calls = || self.judge.right[input].left.iter().map(|left| &left.call);
            let later = calls().skip_while(|other| **other != call).skip(1);
            if let Some(next) = later.clone().find(|other| other.functions == call.functions)
                && known.insert((input, format!("{:?}", next.chain)))
            {
                found.extend(self.trace(next, input, detail)?.map(|trace| (Arc::new(trace), run_as)));
            }
            return Ok(found);
        }
        Ok(Vec::new())
    }

    /// What the user asserts along a call.
    fn trace(&self, call: &CallAt, input: usize, detail: Detail) -> Result<Option<Trace>, BenchError> {
        let right =
            record(&self.judge.study.model, &self.judge.study.functions, call, &self.judge.start(input), detail)?;
        Ok(right.and_then(|right| assert_along(&right, self.twin)))
    }

    /// Whether the faulty program with these edits does not do what is asserted.
    fn fails(&self, trace: &Arc<Trace>, edits: &[Edit]) -> bool {
        let prepared = Prepared::new(&self.twin.model, trace.clone(), &|_| false);
        prepared.is_ok_and(|ready| ready.follow(&self.twin.model, edits, INSTRUCTIONS) != Verdict::Meets)
    }

    /// The user is shown what candidates do on a variation of the run wherever
    /// they differ, and says which pictures are right, until no two that are
    /// left differ: the first of these, and how many questions that took.
    fn answer(&self, repaired: &Repaired, run_as: &RunAs) -> (Option<usize>, usize) {
        let right =
            PatchedProgram { model: Model::new(self.judge.study.model.program.clone()), steps: self.twin.back() };
        let Some(name) = self.repaired_function(repaired) else { return (None, 0) };
        let mut left: Vec<usize> = (0..repaired.candidates.len()).collect();
        let mut questions = 0;
        for variation in &repaired.variations {
            let shown =
                |number: &usize| picture(ending(&repaired.candidates[*number].program, variation, run_as, &name));
            let pictures: Vec<Option<State>> = left.iter().map(shown).collect();
            let differ = pictures.windows(2).any(|pair| !is_same_picture(&pair[0], &pair[1]));
            // Where the right program crashes, or is never asked, nobody knows.
            let Some(wanted) = picture(ending(&right, variation, run_as, &name)).filter(|_| differ) else { continue };
            questions += 1;
            let fits: Vec<bool> = pictures.iter().map(|shown| is_same_picture(shown, &Some(wanted.clone()))).collect();
            if fits.contains(&true) {
                let mut fits = fits.into_iter();
                left.retain(|_| fits.next() == Some(true));
            }
        }
        (left.first().copied().filter(|_| questions > 0), questions)
    }

    /// The function that the first repair changes.
    fn repaired_function(&self, repaired: &Repaired) -> Option<String> {
        let model = &self.twin.model;
        let function = match repaired.candidates[0].candidate.edits.first()?.place() {
            encode::Place::Step(step) => model.program.step(step).function,
            encode::Place::Slot(slot) => model.code.slots[slot.0 as usize].function,
        };
        Some(model.program.function(function).name.to_string())
    }
}

fn picture(ending: Option<Ending>) -> Option<State> {
    match ending? {
        Ending::Ends(state) => Some(*state),
        Ending::Crashes(_) => None,
    }
}

/// Whether the heap and the globals are the same.
fn is_same_picture(one: &Option<State>, other: &Option<State>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.globals == other.globals && one.nodes == other.nodes,
        (one, other) => one.is_none() == other.is_none(),
    }
}
