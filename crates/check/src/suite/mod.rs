//! Tests of a function: inputs that its contract allows, perhaps with what it
//! must return, and how the program does on them.
//!
//! A run that crashes, breaks the contract, returns something else than a test
//! expects, or takes too many statements is a failing test.

mod coverage;
mod expected;
mod generate;
mod table;
mod whole;

pub use coverage::{Coverage, coverage};
pub use expected::Expected;
pub use generate::generate;
pub use table::{TestError, folder_tests};
pub use whole::{Calls, calls};

use execute::interpreter::Interpreter;

use crate::confirm::{Example, Ran, finish, start_within};
use crate::task::{Side, Task};

/// Statements that a run may take; one that takes more does not end, for all we know.
pub const MOST_STEPS: u64 = 2_000_000;
/// The same for a changed text: there are many of them, and few runs that are right take so long.
const MOST_STEPS_CHANGED: u64 = 200_000;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What it is called, for people.
    pub name: String,
    /// Its inputs.
    pub example: Example,
    /// What must come of it.
    pub expected: Expected,
}

impl Test {
    /// Whether it runs `main` instead of the function.
    pub fn is_whole(&self) -> bool {
        matches!(self.expected, Expected::Output(_))
    }
}

/// How a test went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is as it should be.
    Passes,
    /// It is not, because of this.
    Fails(Failing),
    /// The inputs are none that the contract allows.
    NotAllowed,
    /// The program cannot be run.
    Impossible(String),
}

/// Why a test fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Failing {
    /// A clause of the contract does not hold, or the program crashes.
    Fault(execute::Fault),
    /// It takes too many statements.
    Endless,
    /// Something else came out: what was expected, and what there is.
    Different(String, String),
}

impl Outcome {
    /// Whether the test fails.
    pub fn is_failing(&self) -> bool {
        matches!(self, Outcome::Fails(_))
    }
}

/// Runs one test.
pub fn run_test(side: &Side, test: &Test) -> Outcome {
    run_within(side, test, MOST_STEPS)
}

/// An interpreter at the start of a test.
fn start(side: &Side, test: &Test, steps: u64) -> Result<Interpreter, String> {
    start_within(&side.program, side.is_driven() && !test.is_whole(), &test.example, steps)
}

fn run_within(side: &Side, test: &Test, steps: u64) -> Outcome {
    let ran = match start(side, test, steps) {
        Ok(mut interpreter) => finish(&mut interpreter),
        Err(why) => Ran::Impossible(why),
    };
    match ran {
        Ran::Ended { output, .. } => match test.expected.first_difference(&output) {
            Some((expected, found)) => Outcome::Fails(Failing::Different(expected, found)),
            None => Outcome::Passes,
        },
        Ran::Wrong(fault) => Outcome::Fails(Failing::Fault(fault)),
        Ran::Endless => Outcome::Fails(Failing::Endless),
        Ran::Ignored => Outcome::NotAllowed,
        Ran::Impossible(why) => Outcome::Impossible(why),
    }
}

/// Whether a changed text passes all tests; the number of the first that it does not pass.
pub fn first_failing(side: &Side, tests: &[Test]) -> Option<usize> {
    tests.iter().position(|test| run_within(side, test, MOST_STEPS_CHANGED) != Outcome::Passes)
}

/// Tests whose own expectations the contract contradicts: whatever the function did, one of both would be wrong.
///
/// Only what can be told without the function is: an expected result is put in
/// the place of the call.
pub fn at_odds(task: &Task, tests: &[Test]) -> Vec<usize> {
    table::at_odds(task, tests)
}
