//! Tries a program on all inputs: right, or wrong on which of them.
//!
//! Where there is a reference, a program is right if it does the same on every
//! input that is assumed. Otherwise it is right if no assertion fails and
//! nothing crashes.

use super::case::{Case, Input};
use super::driver::{Driver, Observed};
use crate::BenchError;

/// Knows what is right on each input of a case.
pub struct Judge {
    inputs: Vec<Input>,
    /// What the reference does, if there is one.
    right: Option<Vec<Observed>>,
}

impl Judge {
    /// Runs the reference on all inputs.
    pub fn new(case: &Case) -> Result<Judge, BenchError> {
        Judge::of(case, case.inputs())
    }

    /// Runs the reference on these inputs.
    pub fn of(case: &Case, inputs: Vec<Input>) -> Result<Judge, BenchError> {
        let reference = case.reference()?.map(|text| Driver::new(case, &text)).transpose()?;
        let right = reference.map(|driver| inputs.iter().map(|input| driver.run(input)).collect()).transpose()?;
        Ok(Judge { inputs, right })
    }

    /// All inputs of the case.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What the reference does on the input with this number.
    pub fn right(&self, input: usize) -> Option<&Observed> {
        self.right.as_ref().and_then(|right| right.get(input))
    }

    /// The first input on which a program is wrong, by its number, and what it does there.
    pub fn first_wrong(&self, program: &Driver) -> Result<Option<(usize, Observed)>, BenchError> {
        for (number, input) in self.inputs.iter().enumerate() {
            let seen = program.run(input)?;
            if !seen.is_as(self.right(number)) {
                return Ok(Some((number, seen)));
            }
        }
        Ok(None)
    }

    /// All inputs on which a program is wrong, by their numbers.
    pub fn wrong(&self, program: &Driver) -> Result<Vec<usize>, BenchError> {
        let is_wrong = |number: usize| Ok(!program.run(&self.inputs[number])?.is_as(self.right(number)));
        let verdicts = (0..self.inputs.len()).map(|number| is_wrong(number).map(|wrong| wrong.then_some(number)));
        verdicts.filter_map(Result::transpose).collect()
    }
}
