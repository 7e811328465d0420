//! One version: its diagnoses, its repairs, and what they took.

use std::time::{Duration, Instant};

use localize::diagnosis::Diagnoses;
use repair::strategy::refine::{End, Heuristics, Repairs, Wanted, repairs};
use serde::{Deserialize, Serialize};

use super::Options;
use super::places::Places;
use crate::minimal::Version;

/// What came of a version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The version of this format.
    pub schema: u32,
    /// Which version.
    pub version: String,
    /// Whether repairs were looked for.
    pub repair: bool,
    /// Failing inputs that were asked for.
    pub inputs: usize,
    /// The most expressions at once.
    pub max_size: usize,
    /// Repairs of each diagnosis that were asked for.
    pub most_repairs: usize,
    /// Whether the heuristics were on.
    pub heuristics: bool,
    /// Whether the first repair was enough.
    pub first_only: bool,
    /// The time limit, in seconds.
    pub limit: f64,
    /// `repaired`, `diagnosed`, `no repair`, `out of time`, `no diagnosis`, `no difference`, `not read`, or a reason.
    pub outcome: String,
    /// Expressions that may be wrong.
    pub components: usize,
    /// Minimal diagnoses.
    pub diagnoses: usize,
    /// Whether all up to the size were found.
    pub complete: bool,
    /// Whether a place of the fault is in a diagnosis.
    pub has_place: bool,
    /// How many repairs were found.
    pub repairs: usize,
    /// Whether the check of the best repair's text holds for all inputs.
    pub proved: bool,
    /// Whether the best repair changes a place of the fault.
    pub at_place: bool,
    /// The best repair, in words.
    pub what: Vec<String>,
    /// The best repair, as a unified diff.
    pub diff: String,
    /// Proposals.
    pub proposals: usize,
    /// Where the time went.
    pub milliseconds: Times,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Reading both programs.
    pub read: f64,
    /// Failing inputs and diagnoses.
    pub diagnosis: f64,
    /// From the start until the first repair was proposed that holds.
    pub first: Option<f64>,
    /// After the diagnoses.
    pub repair: f64,
}

impl Row {
    /// Whether a repair was found.
    pub fn is_repaired(&self) -> bool {
        self.outcome == "repaired"
    }

    /// Whether it is of a version, with these options.
    pub(super) fn is_of(&self, version: &str, heuristics: bool, options: &Options) -> bool {
        let wanted = (self.repair, self.inputs, self.max_size, self.most_repairs, self.first_only);
        let same = wanted == (options.repair, options.inputs, options.max_size, options.repairs, options.first);
        same && self.version == version && self.heuristics == heuristics
    }
}

/// Measures a version. If that panics, it is a bug, which is counted.
pub(super) fn measure(version: &Version, heuristics: bool, options: &Options) -> Row {
    let row = Row {
        schema: 1,
        version: version.name.clone(),
        repair: options.repair,
        inputs: options.inputs,
        max_size: options.max_size,
        most_repairs: options.repairs,
        heuristics,
        first_only: options.first,
        limit: options.timeout.as_secs_f64(),
        ..Row::default()
    };
    let work = || c_syntax::with_deep_stack(|| work(row.clone(), version, options));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(row) => row,
        Err(_) => Row { outcome: "crashed: a bug of Wolverine".into(), ..row },
    }
}

fn work(mut row: Row, version: &Version, options: &Options) -> Row {
    let start = Instant::now();
    let check = check::Options { timeout: options.timeout, ..check::Options::default() };
    let task = match check::load(&version.program, Some(&version.reference), &check) {
        Ok(task) => task,
        Err(error) => return Row { outcome: format!("not read: {error}"), ..row },
    };
    row.milliseconds.read = milliseconds(start.elapsed());
    let mut wanted = Wanted {
        inputs: options.inputs,
        repairs: if options.repair { options.repairs } else { 0 },
        heuristics: Heuristics { simple: row.heuristics, nasty: row.heuristics },
        first: options.first,
        timeout: options.timeout,
        ..Wanted::default()
    };
    wanted.diagnosis.max_size = options.max_size;
    // Diagnoses alone are of whole expressions, as the paper's are.
    wanted.diagnosis.components.atoms = options.repair;
    let found = repairs(&task, &wanted, &mut |_, _| {});
    let original = task.reference.as_ref().map_or(&[][..], |reference| reference.text());
    let places = Places::of(original, task.program.text());
    row.note(&found);
    if let Some(diagnoses) = &found.diagnoses {
        let source = task.program.source();
        let is_place = |number: &usize| places.has(source, diagnoses.components[*number].span);
        row.has_place = diagnoses.found.iter().any(|one| one.components.iter().any(is_place));
        row.at_place = found.found.first().is_some_and(|best| best.components.iter().any(is_place));
    }
    if let Some(best) = found.found.first() {
        row.what = best.what.clone();
        row.diff = best.patched.diff(&version.name);
        row.proved = best.proof.is_whole();
    }
    row
}

impl Row {
    fn note(&mut self, found: &Repairs) {
        if let Some(Diagnoses { components, found, is_complete, .. }) = &found.diagnoses {
            (self.components, self.diagnoses, self.complete) = (components.len(), found.len(), *is_complete);
        }
        self.repairs = found.found.len();
        self.proposals = found.counts.proposed;
        self.milliseconds.diagnosis = milliseconds(found.diagnosing);
        self.milliseconds.first = found.found.iter().map(|repair| repair.after).min().map(milliseconds);
        self.milliseconds.repair = milliseconds(found.time.saturating_sub(found.diagnosing));
        self.outcome = match &found.end {
            _ if !found.found.is_empty() => "repaired".into(),
            End::NoDiagnosis => "no diagnosis".into(),
            End::AlreadyRight | End::Nothing => "no difference".into(),
            End::NotAnalysed(why) => why.lines().next().unwrap_or_default().into(),
            End::BoundTooSmall => "the bound is too small".into(),
            _ if !self.repair && self.diagnoses > 0 => "diagnosed".into(),
            End::OutOfTime => "out of time".into(),
            End::Covered | End::Enough | End::First => "no repair".into(),
        };
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
