//! What the right program does on all its inputs, and whether another program does the same.

use encode::Model;

use crate::BenchError;
use crate::study::Study;
use crate::user::watch::Start;
use crate::user::{Watched, watch};

/// The right program's behaviour, on each input.
pub struct Judge<'a> {
    /// The right program.
    pub study: &'a Study,
    /// What it does on each input.
    pub right: Vec<Watched>,
}

/// Statements that a right program may run.
const LONGEST: u64 = 1_000_000;

impl<'a> Judge<'a> {
    /// Runs the right program on all its inputs.
    pub fn new(study: &'a Study) -> Result<Judge<'a>, BenchError> {
        let one = |arguments: &Vec<String>| {
            let start = Start { arguments, stdin: &study.case.stdin, most: LONGEST };
            watch(&study.model, &study.functions, &start)
        };
        let right = study.case.inputs.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Judge { study, right })
    }

    /// How a program that may be wrong is started on an input.
    pub fn start(&self, input: usize) -> Start<'_> {
        let case = &self.study.case;
        Start { arguments: &case.inputs[input], stdin: &case.stdin, most: 10_000 + 20 * self.right[input].steps }
    }

    /// What another program does on an input.
    pub fn watch(&self, model: &Model, input: usize) -> Result<Watched, BenchError> {
        Ok(watch(model, &self.study.functions, &self.start(input))?)
    }

    /// The first of these inputs on which another program ends differently.
    pub fn first_wrong(&self, model: &Model, mut inputs: std::ops::Range<usize>) -> Result<Option<usize>, BenchError> {
        inputs.find_map(|input| match self.watch(model, input) {
            Ok(watched) => (!self.right[input].ends_like(&watched)).then_some(Ok(input)),
            Err(error) => Some(Err(error)),
        })
        .transpose()
    }
}
