//! The automatic user at work on one submission: debug, repair, try the other inputs, and go on.
//!
//! It debugs the first input that goes wrong. If the repaired program still goes
//! wrong on another input that it may look at, it asserts what should happen
//! there too, and asks again. Of the candidates that are shown it takes the first
//! that is right on all these inputs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encode::{Model, Trace};
use repair::check::RunAs;
use repair::{Answer, Checked, Repaired};

use super::assert::{Identity, assert_call};
use super::problem::{Problem, Submission};
use crate::BenchError;

/// More often the user does not ask.
const ROUNDS: usize = 8;

/// What came of it.
#[derive(Default)]
pub struct Attempt {
    /// The calls that were debugged.
    pub runs: Vec<(Arc<Trace>, RunAs)>,
    /// The last repairs, and the number of the one that the user takes.
    pub repaired: Option<(Box<Repaired>, usize)>,
    /// Whether that one is right on all inputs that may be looked at.
    pub is_right: bool,
    /// Why there is no repair that is right on all inputs that were looked at.
    pub reason: Option<String>,
    /// How long all searches took.
    pub searching: Duration,
    /// Calls that were debugged: the input and the number of the call.
    known: BTreeSet<(usize, usize)>,
}

impl Attempt {
    /// The repair that the user takes.
    pub fn taken(&self) -> Option<&Checked> {
        self.repaired.as_ref().map(|(repaired, number)| &repaired.candidates[*number])
    }
}

/// Debugs a submission; if nothing comes of it, once more with other nodes in the same places.
pub fn debug(problem: &Problem, submission: &Submission, limit: Duration) -> Result<Attempt, BenchError> {
    let first = debug_with(problem, submission, limit, Identity::Right)?;
    if first.is_right || is_same_with_places(problem, submission, &first)? {
        return Ok(first);
    }
    let second = debug_with(problem, submission, limit, Identity::Place)?;
    let searching = first.searching + second.searching;
    Ok(Attempt { searching, ..if second.is_right { second } else { first } })
}

/// Whether the first thing that was asserted is the same with the nodes that the submission has in these places.
fn is_same_with_places(problem: &Problem, submission: &Submission, first: &Attempt) -> Result<bool, BenchError> {
    let other = next_run(problem, submission, &mut Attempt::default(), Identity::Place)?;
    Ok(match (first.runs.first(), other) {
        (Some((one, _)), Ok((other, _))) => one.demands[0].facts == other.demands[0].facts,
        _ => true,
    })
}

fn debug_with(
    problem: &Problem,
    submission: &Submission,
    limit: Duration,
    identity: Identity,
) -> Result<Attempt, BenchError> {
    let mut attempt = Attempt::default();
    let seen = problem.study.case.seen;
    for _ in 0..ROUNDS {
        match next_run(problem, submission, &mut attempt, identity)? {
            Ok(run) => attempt.runs.push(run),
            Err(sentence) => {
                attempt.reason = Some(sentence);
                break;
            }
        }
        let begun = Instant::now();
        let answer = ask(submission, &attempt.runs, limit);
        attempt.searching += begun.elapsed();
        match answer {
            Answer::Repaired(repaired) => attempt.repaired = Some((repaired, 0)),
            answer => {
                attempt.reason = Some(why(&answer));
                attempt.repaired = None;
                break;
            }
        }
        attempt.is_right = attempt.take_right(problem, seen)?;
        if attempt.is_right {
            break;
        }
    }
    Ok(attempt)
}

impl Attempt {
    /// Takes the first candidate that is right on all inputs that may be looked at; whether there is one.
    fn take_right(&mut self, problem: &Problem, seen: usize) -> Result<bool, BenchError> {
        let Some((repaired, number)) = &mut self.repaired else { return Ok(false) };
        for (at, candidate) in repaired.candidates.iter().enumerate() {
            if problem.first_wrong(&candidate.program.model, 0..seen)?.is_none() {
                *number = at;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Asks for repairs of the student's functions.
fn ask(submission: &Submission, runs: &[(Arc<Trace>, RunAs)], limit: Duration) -> Answer {
    let mut options = repair::Options { guards: true, within: Some(submission.places.clone()), ..Default::default() };
    (options.limits.time, options.limits.cost) = (limit, 4);
    let program = submission.model.program.clone();
    let problem = repair::Problem { program, runs: runs.to_vec(), trusted: BTreeSet::new() };
    repair::repair(&problem, &options, &mut |_| {})
}

/// A call that goes wrong in the program as it is now, with what is right; or why there is none.
#[allow(clippy::type_complexity)]
fn next_run(
    problem: &Problem,
    submission: &Submission,
    attempt: &mut Attempt,
    identity: Identity,
) -> Result<Result<(Arc<Trace>, RunAs), String>, BenchError> {
    let model: &Model = attempt.taken().map_or(&submission.model, |taken| &taken.program.model);
    let mut reason = "nothing goes wrong on the inputs that may be looked at".to_string();
    for input in 0..problem.study.case.seen {
        let (right, now) = (&problem.right[input], problem.behave(model, input)?);
        if right.looks_like(&now) {
            continue;
        }
        let own = problem.behave(&submission.model, input)?;
        let arguments = problem.study.case.inputs[input].clone();
        let differs = right.calls.iter().zip(&now.calls).position(|(right, now)| !problem.is_like(right, now));
        reason = format!("still wrong on [{}], which was debugged", arguments.join(" "));
        let Some(number) = differs.filter(|number| !attempt.known.contains(&(input, *number))) else { continue };
        // If the submission itself does not come so far, its first call shows which variables there are.
        let Some(own) = own.calls.get(number).or(own.calls.first()) else { continue };
        let calls = (&right.calls[number], &now.calls[number], own);
        let trace = assert_call(problem, submission, calls, identity);
        if let Some(trace) = trace {
            attempt.known.insert((input, number));
            return Ok(Ok((Arc::new(trace), RunAs { arguments, input: problem.study.case.stdin.clone() })));
        }
    }
    Ok(Err(reason))
}

/// Why there is no repair.
fn why(answer: &Answer) -> String {
    match answer {
        Answer::Repaired(_) => "there are repairs".into(),
        Answer::Meets(_) => "the model meets what is asserted although the program does not".into(),
        Answer::SpecContradicts(facts) => format!("what is asserted contradicts itself: {}", facts.join(", ")),
        Answer::SpaceExhausted { cost, refused: None } => format!("no repair up to cost {cost}"),
        Answer::SpaceExhausted { refused: Some(failure), .. } => format!("all repairs were refused: {failure}"),
        Answer::OutOfTime(cost) => format!("out of time at cost {cost}"),
        Answer::NotModelled(sentence) => format!("not modelled: {sentence}"),
    }
}
