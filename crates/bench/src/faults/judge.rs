//! What the right program does on all inputs, and whether another program does the same.
//!
//! The user may look at the inputs that the program's comments name, and can
//! make up others from them, with fewer, more or reordered numbers; what is
//! right there the right program tells. The inputs that are held out come last.

use encode::Model;
use repair::vary::other_arguments;

use crate::BenchError;
use crate::study::Study;
use crate::user::watch::Start;
use crate::user::{Ended, Watched, watch};

/// The right program's behaviour, on each input.
pub struct Judge<'a> {
    /// The right program.
    pub study: &'a Study,
    /// All inputs.
    pub inputs: Vec<Vec<String>>,
    /// So many of them the user looks at; the others are held out.
    pub seen: usize,
    /// What it does on each input.
    pub right: Vec<Watched>,
}

/// Statements that a right program may run.
const LONGEST: u64 = 1_000_000;

/// The same numbers and one more that falls between two of them: it comes to
/// the middle of a sorted list, and under the inner nodes of a tree.
fn between(given: &[String]) -> Vec<Vec<String>> {
    const MOST: usize = 4;
    let numbers: Option<Vec<i64>> = given.iter().map(|text| text.parse().ok()).collect();
    let mut sorted = numbers.unwrap_or_default();
    sorted.sort();
    let inside = |pair: &[i64]| pair[0].checked_add(1).filter(|&next| next < pair[1]);
    let one_more = |number: i64| given.iter().cloned().chain([number.to_string()]).collect();
    sorted.windows(2).filter_map(inside).take(MOST).map(one_more).collect()
}

impl<'a> Judge<'a> {
    /// Runs the right program on all its inputs.
    pub fn new(study: &'a Study) -> Result<Judge<'a>, BenchError> {
        let one = |arguments: &Vec<String>| -> Result<Watched, BenchError> {
            let start = Start { arguments, stdin: &study.case.stdin, most: LONGEST };
            Ok(watch(&study.model, &study.functions, &start)?)
        };
        let (given, held_out) = study.case.inputs.split_at(study.case.seen);
        let mut inputs: Vec<Vec<String>> = given.to_vec();
        let mut right = given.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let others = |arguments: &Vec<String>| {
            other_arguments(arguments).into_iter().chain(between(arguments)).collect::<Vec<_>>()
        };
        for made_up in given.iter().flat_map(others) {
            if inputs.contains(&made_up) || held_out.contains(&made_up) {
                continue;
            }
            // What the right program cannot take is no input.
            if let Ok(watched @ Watched { ended: Ended::Exited(_), .. }) = one(&made_up) {
                inputs.push(made_up);
                right.push(watched);
            }
        }
        let seen = inputs.len();
        inputs.extend_from_slice(held_out);
        right.extend(held_out.iter().map(one).collect::<Result<Vec<_>, _>>()?);
        Ok(Judge { study, inputs, seen, right })
    }

    /// How a program that may be wrong is started on an input.
    pub fn start(&self, input: usize) -> Start<'_> {
        let stdin = &self.study.case.stdin;
        Start { arguments: &self.inputs[input], stdin, most: 10_000 + 20 * self.right[input].steps }
    }

    /// What another program does on an input.
    pub fn watch(&self, model: &Model, input: usize) -> Result<Watched, BenchError> {
        Ok(watch(model, &self.study.functions, &self.start(input))?)
    }

    /// The first of these inputs on which another program ends differently.
    pub fn first_wrong(&self, model: &Model, mut inputs: std::ops::Range<usize>) -> Result<Option<usize>, BenchError> {
        inputs
            .find_map(|input| match self.watch(model, input) {
                Ok(watched) => (!self.right[input].ends_like(&watched)).then_some(Ok(input)),
                Err(error) => Some(Err(error)),
            })
            .transpose()
    }
}
