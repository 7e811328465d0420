//! What was measured, as a table and as JSON lines.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use localize::Reach;
use serde_json::json;

use super::measure::{Asked, Measured, Outcome};
use crate::BenchError;
use crate::study::{Kind, Study, statements};

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By program.
    pub programs: Vec<(String, Line)>,
    /// By kind of fault.
    pub kinds: BTreeMap<Kind, Line>,
    /// Everything.
    pub total: Line,
}

/// What came of some faulty copies.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Copies and inputs.
    pub faults: usize,
    /// Copies that are no C.
    pub not_c: usize,
    /// Where everything asserted holds.
    pub unseen: usize,
    /// Where the copy has no place for a repair by one edit, or its run cannot be followed.
    pub aside: usize,
    /// Where the fault shows and the localizer was asked.
    pub observable: usize,
    /// Where the faulty place is suspicious.
    pub found: usize,
    /// Where a change there counts as enough alone.
    pub enough: usize,
    /// Where the interpreter and the model disagree.
    pub disagreements: usize,
    sizes: Sizes,
    ranks: Vec<usize>,
    near: usize,
    time: Duration,
    slowest: Duration,
}

/// Sums of shares.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    of_function: f64,
    of_program: f64,
    enough_of_function: f64,
    enough_of_program: f64,
    slots: f64,
}

impl Line {
    /// Whether something is missed or disagrees.
    pub fn has_bugs(&self) -> bool {
        self.enough < self.observable || self.disagreements > 0
    }

    /// `function` and `program` are the numbers of statements.
    fn add(&mut self, measured: &Measured, function: usize, program: usize) {
        self.faults += 1;
        self.disagreements += usize::from(measured.disagreement.is_some());
        match &measured.outcome {
            Outcome::NotC => self.not_c += 1,
            Outcome::Unseen => self.unseen += 1,
            Outcome::NoPlace | Outcome::NotFollowed => self.aside += 1,
            Outcome::Asked(asked) => self.add_asked(asked, function as f64, program as f64),
        }
    }

    fn add_asked(&mut self, asked: &Asked, function: f64, program: f64) {
        self.observable += 1;
        self.sizes.of_function += asked.statements as f64 / function;
        self.sizes.of_program += asked.statements as f64 / program;
        self.sizes.enough_of_function += asked.enough as f64 / function;
        self.sizes.enough_of_program += asked.enough as f64 / program;
        self.sizes.slots += asked.slots as f64;
        self.time += asked.time;
        self.slowest = self.slowest.max(asked.time);
        if let Some((reach, rank)) = asked.found {
            self.found += 1;
            self.enough += usize::from(reach == Reach::Trace);
            self.ranks.push(rank);
            self.near += usize::from(rank == 1 || rank as f64 <= program / 10.0);
        }
    }

    fn median(&self) -> usize {
        let mut ranks = self.ranks.clone();
        ranks.sort_unstable();
        ranks.get(ranks.len() / 2).copied().unwrap_or(0)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = self.observable.max(1) as f64;
        let percent = |sum: f64| 100.0 * sum / asked;
        write!(
            f,
            "{:6} {:6} {:6} {:6} {:6} {:6} {:7.1} {:7.1} {:7.1} {:7.1} {:6.1} {:5} {:6.0}% {:8.2} {:8.2}",
            self.faults,
            self.unseen,
            self.not_c + self.aside,
            self.observable,
            self.found,
            self.enough,
            percent(self.sizes.of_function),
            percent(self.sizes.of_program),
            percent(self.sizes.enough_of_function),
            percent(self.sizes.enough_of_program),
            self.sizes.slots / asked,
            self.median(),
            percent(self.near as f64),
            1e3 * self.time.as_secs_f64() / asked,
            1e3 * self.slowest.as_secs_f64(),
        )
    }
}

impl Summary {
    /// Adds everything up.
    pub(super) fn new(studies: &[&Study], measured: &[Vec<Measured>]) -> Summary {
        let mut summary = Summary::default();
        for (study, measured) in studies.iter().zip(measured) {
            let (function, program) = (study.steps().len(), statements(&study.model).count());
            let mut line = Line::default();
            for one in measured {
                line.add(one, function, program);
                summary.total.add(one, function, program);
                summary.kinds.entry(one.kind).or_default().add(one, function, program);
            }
            summary.programs.push((study.name(), line));
        }
        summary
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:26} faults unseen  aside  shown  found enough %of fun %of all enough% %of all  slots  rank <=10%     ms   slowest",
            ""
        )?;
        for (name, line) in &self.programs {
            writeln!(f, "{name:26} {line}")?;
        }
        for (kind, line) in &self.kinds {
            writeln!(f, "{:26} {line}", kind.name())?;
        }
        writeln!(f, "{:26} {}", "all", self.total)?;
        let Line { faults, unseen, not_c, aside, observable, found, enough, disagreements, .. } = &self.total;
        write!(
            f,
            "{faults} faulty runs: {unseen} with nothing to see, {not_c} not C, {aside} with no place for a repair, \
             {observable} observable; {found} found ({} missed), {enough} of them enough alone, \
             {disagreements} where the interpreter and the model disagree",
            observable - found
        )
    }
}

/// Writes one row for each faulty copy and input.
pub(super) fn save(folder: Option<&Path>, studies: &[&Study], measured: &[Vec<Measured>]) -> Result<(), BenchError> {
    let Some(folder) = folder else { return Ok(()) };
    let path = folder.join("soundness.jsonl");
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = std::fs::File::create(&path).map_err(failed)?;
    for (study, measured) in studies.iter().zip(measured) {
        let (function, program) = (study.steps().len(), statements(&study.model).count());
        for one in measured {
            writeln!(file, "{}", row(one, function, program)).map_err(failed)?;
        }
    }
    Ok(())
}

fn row(measured: &Measured, function: usize, program: usize) -> serde_json::Value {
    let asked = match &measured.outcome {
        Outcome::Asked(asked) => json!({
            "reach": asked.found.map(|(reach, _)| format!("{reach:?}")), "rank": asked.found.map(|(_, rank)| rank),
            "statements": asked.statements, "enough": asked.enough, "slots": asked.slots,
            "microseconds": asked.time.as_micros() as u64,
        }),
        _ => serde_json::Value::Null,
    };
    let outcome = match &measured.outcome {
        Outcome::NotC => "not C",
        Outcome::Unseen => "unseen",
        Outcome::NoPlace => "no place",
        Outcome::NotFollowed => "not followed",
        Outcome::Asked(asked) if asked.found.is_some() => "found",
        Outcome::Asked(_) => "missed",
    };
    json!({
        "schema": 1, "program": measured.program, "arguments": measured.arguments, "kind": measured.kind.name(),
        "outcome": outcome, "localizer": asked, "disagreement": measured.disagreement, "diff": measured.diff,
        "function_statements": function, "program_statements": program,
    })
}
