//! One version, one way to search: what was found, and what it took.

use std::time::{Duration, Instant};

use check::{Proof, Task, Verdict};
use repair::strategy::minimal::{End, Repairs, Way, repairs};
use serde::{Deserialize, Serialize};

use super::Version;
use super::options::{Options, level_number, way_name};
use super::tests_of::{self, Passed};

/// What came of a version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The version of this format.
    pub schema: u32,
    /// Which version.
    pub version: String,
    /// The level of mutations.
    pub level: u8,
    /// The most mutations at once.
    pub max_size: usize,
    /// `tree`, `must` or `itself`.
    pub way: String,
    /// Whether the first repair was enough.
    pub first_only: bool,
    /// How often loops were unrolled.
    pub unwind: u32,
    /// What was assumed of numbers that are read.
    pub range: Option<(i64, i64)>,
    /// The time limit, in seconds.
    pub limit: f64,
    /// `repaired`, `exhausted`, `out of time`, `no difference`, `not modelled`, `too large`, `not read` or `crashed`.
    pub outcome: String,
    /// More about it.
    pub reason: Option<String>,
    /// Whether the independent check of the best repair's text holds for all inputs up to the bound.
    pub proved: bool,
    /// The number of mutations of the best repair.
    pub size: Option<usize>,
    /// How many minimal repairs there are.
    pub repairs: usize,
    /// The best repair, in words.
    pub what: Vec<String>,
    /// The best repair, as a unified diff.
    pub diff: String,
    /// Where the time went.
    pub milliseconds: Times,
    /// Mutations.
    pub mutations: usize,
    /// Mutants: sets of mutations up to the size.
    pub space: u64,
    /// Mutants that were run with known inputs.
    pub tested: usize,
    /// Mutants that the solver was asked about.
    pub validated: usize,
    /// Mutants that it was not asked about, if the space was covered.
    pub ruled_out: Option<u64>,
    /// Inputs that go wrong with some mutant.
    pub inputs: usize,
    /// Whether all mutants are covered.
    pub covered: bool,
    /// Tests that the best repair passes.
    pub tests: Option<Passed>,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Reading both programs.
    pub read: f64,
    /// Making mutations and formula.
    pub formula: f64,
    /// From the start of the search, formula included, to the first repair.
    pub first: Option<f64>,
    /// From there until the search ended.
    pub search: f64,
    /// Writing and checking the texts of the repairs.
    pub check: f64,
    /// Everything.
    pub all: f64,
}

impl Row {
    /// Whether a repair was found.
    pub fn is_repaired(&self) -> bool {
        self.outcome == "repaired"
    }

    /// Whether it was made with these options.
    pub(super) fn is_of(&self, way: Way, options: &Options) -> bool {
        let row = (self.level, self.max_size, &*self.way, self.first_only, self.unwind, self.range);
        let level = level_number(options.level);
        row == (level, options.max_size, way_name(way), options.first, options.unwind, options.range)
    }
}

/// Repairs a version. If that panics, it is a bug, which is counted.
pub(super) fn measure(version: &Version, way: Way, options: &Options) -> Row {
    let row = Row {
        schema: 1,
        version: version.name.clone(),
        level: level_number(options.level),
        max_size: options.max_size,
        way: way_name(way).into(),
        first_only: options.first,
        unwind: options.unwind,
        range: options.range,
        limit: options.timeout.as_secs_f64(),
        ..Row::default()
    };
    let work = || c_syntax::with_deep_stack(|| mend(row.clone(), version, way, options));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(row) => row,
        Err(_) => Row { outcome: "crashed".into(), reason: Some("a bug of Wolverine".into()), ..row },
    }
}

fn mend(mut row: Row, version: &Version, way: Way, options: &Options) -> Row {
    let start = Instant::now();
    let task = match check::load(&version.program, Some(&version.reference), &options.check()) {
        Ok(task) => task,
        Err(error) => return Row { outcome: "not read".into(), reason: Some(error.to_string()), ..row },
    };
    row.milliseconds.read = milliseconds(start.elapsed());
    let found = repairs(&task, &options.wanted(way), &mut |_, _| {});
    row.note(&found);
    row.milliseconds.all = milliseconds(start.elapsed());
    (row.outcome, row.reason) = outcome(&task, &found);
    if let Some(best) = found.found.first() {
        row.what = best.what.clone();
        row.diff = best.patched.diff(&version.name);
        row.tests = tests_of::run(&version.program, &best.patched.text, &version.tests);
    }
    row
}

impl Row {
    fn note(&mut self, found: &Repairs) {
        let best = found.found.first();
        self.proved = best.and_then(|best| best.proof.as_ref()).is_some_and(Proof::is_whole);
        self.size = best.map(|best| best.on.len());
        self.repairs = found.found.len();
        self.milliseconds.formula = milliseconds(found.times.formula);
        self.milliseconds.first = found.times.first.map(milliseconds);
        self.milliseconds.search = milliseconds(found.times.search);
        self.milliseconds.check = milliseconds(found.times.check);
        self.mutations = found.counts.mutations;
        self.space = u64::try_from(found.counts.space).unwrap_or(u64::MAX);
        self.tested = found.counts.tested;
        self.validated = found.counts.validated;
        self.inputs = found.counts.inputs;
        self.covered = found.end == End::Covered;
        self.ruled_out = self.covered.then(|| self.space.saturating_sub(self.validated as u64));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// What came of a search in a word, and why.
fn outcome(task: &Task, found: &Repairs) -> (String, Option<String>) {
    if let Some(best) = found.found.first() {
        let proof = best.proof.as_ref().filter(|proof| !proof.is_whole());
        return ("repaired".into(), proof.and_then(not_modelled));
    }
    match &found.end {
        End::Covered | End::First => ("exhausted".into(), None),
        End::OutOfTime => ("out of time".into(), None),
        // How far it came is of no interest here.
        End::TooLarge(why) => ("too large".into(), why.split(':').next().map(String::from)),
        End::NotModelled | End::AlreadyRight => no_difference(task),
    }
}

/// Nothing goes wrong: because both programs do the same, or because what they do is not modelled.
fn no_difference(task: &Task) -> (String, Option<String>) {
    match check::check(task) {
        Verdict::Holds(proof) => match not_modelled(&proof) {
            Some(why) => ("not modelled".into(), Some(why)),
            None if proof.reference_beyond => {
                let why = format!("none within {} rounds; the reference goes on", proof.unwind);
                ("no difference".into(), Some(why))
            }
            None => ("no difference".into(), None),
        },
        Verdict::OutOfTime(why) => ("out of time".into(), Some(why)),
        // The program itself is modelled, and it fails.
        Verdict::Fails(_) | Verdict::BoundTooSmall(_) => {
            ("not modelled".into(), Some("something that depends on the mutations".into()))
        }
        Verdict::Nothing => ("no difference".into(), None),
    }
}

/// The first thing that a proof says nothing about.
fn not_modelled(proof: &Proof) -> Option<String> {
    let first = proof.unmodelled.iter().chain(&proof.reference_unmodelled).next();
    first.map(|one| one.what.clone()).or_else(|| proof.unconfirmed.clone())
}
