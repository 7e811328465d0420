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
use repair::{Answer, Checked, Repaired, Wider};

use super::assert::{Identity, assert_call};
use super::problem::{Problem, Submission};
use crate::BenchError;

/// More often the user does not ask.
const ROUNDS: usize = 12;

/// What was asserted about a call, and how the program was started.
type Run = (Arc<Trace>, RunAs);

/// What came of it.
#[derive(Default)]
pub struct Attempt {
    /// The calls that were debugged.
    pub runs: Vec<Run>,
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
    let mut is_told = false;
    for _ in 0..ROUNDS {
        if !is_told {
            match next_run(problem, submission, &mut attempt, identity)? {
                Ok(run) => attempt.runs.push(run),
                Err(sentence) => {
                    attempt.reason = Some(sentence);
                    break;
                }
            }
        }
        let begun = Instant::now();
        let answer = ask(submission, &attempt.runs, limit);
        attempt.searching += begun.elapsed();
        is_told = is_refused(&answer) && attempt.tell_earlier(problem, submission, identity)?;
        if is_told {
            continue;
        }
        let Answer::Repaired(repaired) = answer else {
            (attempt.reason, attempt.repaired) = (Some(why(&answer)), None);
            break;
        };
        attempt.repaired = Some((repaired, 0));
        attempt.is_right = attempt.take_right(problem, seen)?;
        if attempt.is_right {
            break;
        }
    }
    Ok(attempt)
}

/// Whether repairs were found, and the patched programs did something else than the model says.
fn is_refused(answer: &Answer) -> bool {
    matches!(answer, Answer::SpaceExhausted { refused: Some(_), .. })
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

impl Attempt {
    /// Repairs may break the calls that came before the one that goes wrong, of
    /// which nothing was asserted yet; whether there are any to tell of.
    fn tell_earlier(
        &mut self,
        problem: &Problem,
        submission: &Submission,
        identity: Identity,
    ) -> Result<bool, BenchError> {
        let mut is_new = false;
        for (input, last) in self.known.clone() {
            let own = problem.behave(&submission.model, input)?;
            for number in 0..last {
                // Only calls that the submission gets right, with all calls before them.
                let (right, Some(own)) = (&problem.right[input].calls[number], own.calls.get(number)) else { break };
                if !problem.is_like(right, own) {
                    break;
                }
                let trace = assert_call(problem, submission, (right, own, own), identity);
                if let Some(trace) = trace.filter(|_| self.known.insert((input, number))) {
                    self.runs.push((Arc::new(trace), run_as(problem, input)));
                    is_new = true;
                }
            }
        }
        Ok(is_new)
    }
}

/// How a program is started on an input.
fn run_as(problem: &Problem, input: usize) -> RunAs {
    let case = &problem.study.case;
    RunAs { arguments: case.inputs[input].clone(), input: case.stdin.clone() }
}

/// Asks for repairs of the student's functions.
fn ask(submission: &Submission, runs: &[Run], limit: Duration) -> Answer {
    let within = Some(submission.places.clone());
    let mut options = repair::Options { guards: true, wider: Wider::Early, within, ..Default::default() };
    (options.limits.time, options.limits.cost) = (limit, 4);
    let program = submission.model.program.clone();
    let problem = repair::Problem { program, runs: runs.to_vec(), trusted: BTreeSet::new() };
    repair::repair(&problem, &options, &mut |_| {})
}

/// A call that goes wrong in the program as it is now, with what is right; or why there is none.
fn next_run(
    problem: &Problem,
    submission: &Submission,
    attempt: &mut Attempt,
    identity: Identity,
) -> Result<Result<Run, String>, BenchError> {
    let model: &Model = attempt.taken().map_or(&submission.model, |taken| &taken.program.model);
    let mut reason = "nothing goes wrong on the inputs that may be looked at".to_string();
    for input in 0..problem.study.case.seen {
        let (right, now) = (&problem.right[input], problem.behave(model, input)?);
        if right.looks_like(&now) {
            continue;
        }
        let own = problem.behave(&submission.model, input)?;
        let differs = right.calls.iter().zip(&now.calls).position(|(right, now)| !problem.is_like(right, now));
        reason = format!("still wrong on [{}], which was debugged", problem.study.case.inputs[input].join(" "));
        let Some(number) = differs.filter(|number| !attempt.known.contains(&(input, *number))) else { continue };
        // If the submission itself does not come so far, its first call shows which variables there are.
        let Some(own) = own.calls.get(number).or(own.calls.first()) else { continue };
        let calls = (&right.calls[number], &now.calls[number], own);
        let trace = assert_call(problem, submission, calls, identity);
        if let Some(trace) = trace {
            attempt.known.insert((input, number));
            return Ok(Ok((Arc::new(trace), run_as(problem, input))));
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
