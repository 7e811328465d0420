//! Tests of a function: inputs that its contract allows, perhaps with what it
//! must return, and how the program does on them.
//!
//! A run that crashes, breaks the contract, returns something else than a test
//! expects, or takes too many statements is a failing test.

mod coverage;
mod generate;
mod table;

pub use coverage::{Coverage, coverage};
pub use generate::generate;
pub use table::{TestError, folder_tests};

use crate::confirm::{Example, Ran, run};
use crate::task::{Side, Task};

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What it is called, for people.
    pub name: String,
    /// Its inputs.
    pub example: Example,
    /// Lines of what can be seen afterwards that must be as here: `result = 3`.
    pub expected: Vec<String>,
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
    match run(side, &test.example) {
        Ran::Ended { output, .. } => compare(&output, &test.expected),
        Ran::Wrong(fault) => Outcome::Fails(Failing::Fault(fault)),
        Ran::Endless => Outcome::Fails(Failing::Endless),
        Ran::Ignored => Outcome::NotAllowed,
        Ran::Impossible(why) => Outcome::Impossible(why),
    }
}

fn compare(output: &[u8], expected: &[String]) -> Outcome {
    let output = String::from_utf8_lossy(output).into_owned();
    for line in expected {
        if output.lines().any(|found| found == line) {
            continue;
        }
        let name = line.split(" = ").next().unwrap_or_default();
        let found = output.lines().find(|found| found.split(" = ").next() == Some(name)).unwrap_or("nothing");
        return Outcome::Fails(Failing::Different(line.clone(), found.into()));
    }
    Outcome::Passes
}

/// Whether a text passes all tests; the number of the first that does not.
pub fn first_failing(side: &Side, tests: &[Test]) -> Option<usize> {
    tests.iter().position(|test| run_test(side, test) != Outcome::Passes)
}

/// Tests whose own expectations the contract contradicts: whatever the function did, one of both would be wrong.
///
/// Only what can be told without the function is: an expected result is put in
/// the place of the call.
pub fn at_odds(task: &Task, tests: &[Test]) -> Vec<usize> {
    table::at_odds(task, tests)
}
