//! One faulty version: its tests, and the rank of its fault by each method.

use std::collections::{BTreeMap, BTreeSet};

use execute::ExecuteError;
use fastrand::Rng;
use ir::StepId;
use localize::spectrum::{control, rank};
use localize::{Method, Spectrum, Test};
use serde_json::json;

use super::gradient::gradient_rank;
use super::observe::Watched;
use super::suite::{Maker, Sample};
use super::versions::Version;
use crate::study::{Study, statements};

/// What was found out about a version.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program.
    pub program: String,
    /// The number of the version, from 0.
    pub version: usize,
    /// Statements of the whole program.
    pub statements: usize,
    /// Tests.
    pub tests: usize,
    /// Those that fail.
    pub failing: usize,
    /// The share of the statements that a test comes to.
    pub statement_coverage: f64,
    /// The share of the outcomes of conditions that a test takes.
    pub branch_coverage: f64,
    /// What is wrong.
    pub fault: String,
    /// The rank of the fault by the gradient localizer, if it names its place.
    pub gradient: Option<f64>,
    /// Its rank by the others.
    pub ranks: BTreeMap<Method, f64>,
}

impl Row {
    /// As JSON.
    pub fn json(&self) -> serde_json::Value {
        let mut ranks = serde_json::Map::from_iter([("gradient".to_string(), json!(self.gradient))]);
        ranks.extend(self.ranks.iter().map(|(method, rank)| (method.name().to_string(), json!(rank))));
        json!({
            "schema": 1, "program": self.program, "version": self.version, "statements": self.statements,
            "tests": self.tests, "failing": self.failing, "statement_coverage": self.statement_coverage,
            "branch_coverage": self.branch_coverage, "fault": self.fault, "ranks": ranks,
        })
    }
}

/// Random tests that are tried for a version that all tests, or none, can tell from the right program.
const MORE: usize = 2_000;

/// Tests a version and ranks its statements.
pub(super) fn measure(
    study: &Study,
    suite: &[Sample],
    number: usize,
    version: &Version,
    random: &mut Rng,
) -> Result<Row, ExecuteError> {
    let spectrum = spectrum(study, suite, version, random)?;
    let place_in = |method| {
        let ranked = rank(method, &spectrum);
        ranked.iter().find(|scored| scored.step == version.place).map(|scored| (method, scored.rank))
    };
    let (statement_coverage, branch_coverage) = coverage(&spectrum, &Watched::new(&version.model));
    Ok(Row {
        program: study.name(),
        version: number,
        statements: spectrum.steps.len(),
        tests: spectrum.tests.len(),
        failing: spectrum.tests.iter().filter(|test| test.failed).count(),
        statement_coverage,
        branch_coverage,
        fault: version.fault.clone(),
        gradient: gradient_rank(study, version),
        ranks: Method::ALL.into_iter().filter_map(place_in).collect(),
    })
}

/// The table of the program's tests, with more of them if all agree.
fn spectrum(study: &Study, suite: &[Sample], version: &Version, random: &mut Rng) -> Result<Spectrum, ExecuteError> {
    let watched = Watched::new(&version.model);
    let run = |sample: &Sample| Ok(watched.run(&sample.given, sample.max_steps())?.test(&sample.right));
    let mut tests: Vec<Test> = suite.iter().map(run).collect::<Result<_, ExecuteError>>()?;
    let both = |tests: &[Test]| tests.iter().any(|test| test.failed) && tests.iter().any(|test| !test.failed);
    if !both(&tests) {
        for sample in Maker::new(study).more(random).take(MORE) {
            let test = run(&sample?)?;
            if tests.iter().all(|other| other.failed != test.failed) {
                tests.push(test);
                break;
            }
        }
    }
    let steps: Vec<StepId> = statements(&version.model).collect();
    Ok(Spectrum { tests, steps, guards: control::guards(&version.model.program) })
}

/// The shares of statements and of outcomes.
fn coverage(spectrum: &Spectrum, watched: &Watched<'_>) -> (f64, f64) {
    let come_to: BTreeSet<StepId> = spectrum.tests.iter().flat_map(|test| test.covered.keys().copied()).collect();
    let taken = spectrum.tests.iter().flat_map(|test| &test.branches);
    let taken: BTreeSet<(StepId, bool)> = taken
        .flat_map(|(step, (yes, no))| [(*step, true, *yes), (*step, false, *no)])
        .filter(|(_, _, times)| *times > 0)
        .map(|(step, outcome, _)| (step, outcome))
        .collect();
    let statements = spectrum.steps.iter().filter(|step| come_to.contains(step)).count();
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    (share(statements, spectrum.steps.len()), share(taken.len(), 2 * watched.conditions().count()))
}
