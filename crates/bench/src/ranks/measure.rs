//! One faulty version: its tests, and the rank of its fault by each method.

use std::collections::{BTreeMap, BTreeSet};

use execute::ExecuteError;
use fastrand::Rng;
use ir::StepId;
use localize::spectrum::{control, rank};
use localize::{Method, Spectrum, Test};
use serde_json::json;

use super::gradient::gradient_rank;
use super::observe::{End, Watched};
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
    /// Failing tests that crash or do not end.
    pub broken_off: usize,
    /// The rank of the fault by the gradient localizer, if it names its place.
    pub gradient: Option<f64>,
    /// Its rank by the others.
    pub ranks: BTreeMap<Method, f64>,
    /// Their ranks if nothing is known of the way of a run that crashes or does
    /// not end: so it is with gcov, which writes down what was covered at the end.
    pub lost: BTreeMap<Method, f64>,
}

impl Row {
    /// As JSON.
    pub fn json(&self) -> serde_json::Value {
        let names = |ranks: &BTreeMap<Method, f64>| {
            ranks
                .iter()
                .map(|(method, rank)| (method.name().to_string(), json!(rank)))
                .collect::<serde_json::Map<_, _>>()
        };
        let mut ranks = names(&self.ranks);
        ranks.insert("gradient".into(), json!(self.gradient));
        json!({
            "schema": 1, "program": self.program, "version": self.version, "statements": self.statements,
            "tests": self.tests, "failing": self.failing, "broken_off": self.broken_off,
            "statement_coverage": self.statement_coverage, "branch_coverage": self.branch_coverage,
            "fault": self.fault, "ranks": ranks, "ranks_if_lost": names(&self.lost),
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
    let runs = run_all(study, suite, version, random)?;
    let seen = spectrum(version, runs.iter().map(|(test, _)| test.clone()).collect());
    let lost = spectrum(version, runs.iter().map(|(test, end)| without_way(test, *end)).collect());
    let (statement_coverage, branch_coverage) = coverage(&seen, &Watched::new(&version.model));
    Ok(Row {
        program: study.name(),
        version: number,
        statements: seen.steps.len(),
        tests: runs.len(),
        failing: runs.iter().filter(|(test, _)| test.failed).count(),
        broken_off: runs.iter().filter(|(_, end)| end.is_broken_off()).count(),
        statement_coverage,
        branch_coverage,
        fault: version.fault.clone(),
        gradient: gradient_rank(study, version),
        ranks: ranks(&seen, version.place),
        lost: ranks(&lost, version.place),
    })
}

fn ranks(spectrum: &Spectrum, place: StepId) -> BTreeMap<Method, f64> {
    let of = |method| rank(method, spectrum).into_iter().find(|scored| scored.step == place);
    Method::ALL.into_iter().filter_map(|method| Some((method, of(method)?.rank))).collect()
}

/// Runs all tests; if all of them pass or all fail, one more is looked for that does not.
fn run_all(
    study: &Study,
    suite: &[Sample],
    version: &Version,
    random: &mut Rng,
) -> Result<Vec<(Test, End)>, ExecuteError> {
    let watched = Watched::new(&version.model);
    let run = |sample: &Sample| {
        let run = watched.run(&sample.given, sample.max_steps())?;
        let end = run.behaviour.end;
        Ok((run.test(&sample.right), end))
    };
    let mut runs: Vec<(Test, End)> = suite.iter().map(run).collect::<Result<_, ExecuteError>>()?;
    let failing = runs.iter().filter(|(test, _)| test.failed).count();
    if failing == 0 || failing == runs.len() {
        for sample in Maker::new(study).more(random).take(MORE) {
            let another = run(&sample?)?;
            if another.0.failed == (failing == 0) {
                runs.push(another);
                break;
            }
        }
    }
    Ok(runs)
}

fn without_way(test: &Test, end: End) -> Test {
    match end.is_broken_off() {
        true => Test { failed: test.failed, ..Test::default() },
        false => test.clone(),
    }
}

fn spectrum(version: &Version, tests: Vec<Test>) -> Spectrum {
    let steps = statements(&version.model).collect();
    Spectrum { tests, steps, guards: control::guards(&version.model.program) }
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
