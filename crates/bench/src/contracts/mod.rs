//! He and Gupta's Table 1: faults in functions with contracts, repaired by
//! evidence with and without dices, and by `auto`, next to the paper's outcome.
//!
//! `programs/contracts/table1.txt` says what is wrong in each row ([`row`]).

mod row;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use c_syntax::Source;
use check::suite::{Test, generate};
use check::{Options as CheckOptions, Task, load_sources};
use repair::strategy::{auto, evidence};

use crate::BenchError;
pub use row::{Row, read_rows};

/// How the experiment is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the programs and the table.
    pub folder: PathBuf,
    /// Only rows whose names begin with one of these.
    pub only: Vec<String>,
    /// Length of arrays in proofs.
    pub length: u64,
    /// Tests that are made up.
    pub tests: usize,
    /// Time for each method.
    pub limit: Duration,
    /// Whether dices and `auto` are tried too.
    pub all: bool,
}

/// What one method did.
#[derive(Clone, Debug)]
pub struct Done {
    /// What was changed, and how far it is proved; none if nothing was found.
    pub repair: Option<(String, bool)>,
    /// Who found it.
    pub by: &'static str,
    /// Corrections that were tried.
    pub tried: usize,
    /// Time.
    pub time: Duration,
}

/// What became of one row.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The row.
    pub row: Row,
    /// How many tests fail, of how many.
    pub failing: (usize, usize),
    /// Evidence alone.
    pub evidence: Done,
    /// Evidence in the statements of the largest dice: how many, and what was found.
    pub dice: Option<(usize, Done)>,
    /// Evidence, then mutations and templates.
    pub auto: Option<Done>,
}

/// Makes the experiment; tells of each row as it is done.
pub fn run(options: &Options, told: &mut dyn FnMut(&Outcome)) -> Result<Summary, BenchError> {
    let rows = read_rows(&options.folder)?;
    let is_wanted = |row: &Row| options.only.is_empty() || options.only.iter().any(|name| row.name.starts_with(name));
    let mut outcomes = vec![];
    for row in rows.into_iter().filter(is_wanted) {
        let outcome = one(options, row)?;
        told(&outcome);
        outcomes.push(outcome);
    }
    Ok(Summary { outcomes, length: options.length })
}

/// The task that is run, and the one that is proved: with the contract instead of recursive calls.
fn tasks(options: &Options, row: &Row) -> Result<(Task, Option<Task>), BenchError> {
    let path = options.folder.join(&row.file);
    let text = row.faulty(&path)?;
    let source = Arc::new(Source::new(path, text.into_bytes()));
    let check = CheckOptions {
        entry: Some(row.function.clone()),
        contract_length: options.length,
        timeout: options.limit,
        ..CheckOptions::default()
    };
    let load = |check: &CheckOptions| {
        load_sources(std::slice::from_ref(&source), check)
            .map_err(|error| BenchError::Io { path: row.name.clone(), error: std::io::Error::other(error.to_string()) })
    };
    let is_recursive = String::from_utf8_lossy(&source.bytes).matches(&format!("{}(", row.function)).count() > 1;
    let proving = match is_recursive {
        true => Some(load(&CheckOptions { instead: vec![row.function.clone()], ..check.clone() })?),
        false => None,
    };
    Ok((load(&check)?, proving))
}

fn one(options: &Options, row: Row) -> Result<Outcome, BenchError> {
    let (task, proving) = tasks(options, &row)?;
    let tests: Vec<Test> = generate(&task, options.tests, 1);
    let wanted = evidence::Wanted { tests, proving, dices: false, most: 4000, timeout: options.limit };
    if !options.all {
        let found = evidence::repairs(&task, &wanted, &mut |_| {});
        return Ok(Outcome { row, failing: found.failing, evidence: done(&found), dice: None, auto: None });
    }
    let found = auto::repairs(&task, &wanted, &mut |_, _| {});
    let with_dices = evidence::repairs(&task, &evidence::Wanted { dices: true, ..wanted }, &mut |_| {});
    let dice = with_dices.dice.map(|statements| (statements, done(&with_dices)));
    let auto = Done {
        repair: found.found.as_ref().map(|repair| (repair.what.clone(), repair.proof.is_whole())),
        by: found.found.as_ref().map_or("", |repair| repair.method.name()),
        tried: found.evidence.tried,
        time: found.found.as_ref().map_or(found.evidence.time, |repair| repair.after),
    };
    Ok(Outcome { row, failing: found.evidence.failing, evidence: done(&found.evidence), dice, auto: Some(auto) })
}

fn done(found: &evidence::Repairs) -> Done {
    let repair = found.found.as_ref().map(|repair| (repair.what.clone(), repair.proof.is_some()));
    Done { repair, by: "evidence", tried: found.tried, time: found.time }
}

/// All rows.
#[derive(Clone, Debug)]
pub struct Summary {
    /// They.
    pub outcomes: Vec<Outcome>,
    length: u64,
}

impl Summary {
    /// How many rows evidence alone repairs and proves, how many `auto` does, and how many the paper repaired.
    pub fn counts(&self) -> (usize, usize, usize) {
        let proved = |done: &Done| done.repair.as_ref().is_some_and(|(_, proved)| *proved);
        let evidence = self.outcomes.iter().filter(|outcome| proved(&outcome.evidence)).count();
        let auto = self.outcomes.iter().filter(|outcome| outcome.auto.as_ref().is_some_and(proved)).count();
        let paper = self.outcomes.iter().filter(|outcome| !outcome.row.paper.starts_with('-')).count();
        (evidence, auto, paper)
    }
}

fn shown(done: &Done) -> String {
    match &done.repair {
        Some((what, true)) => format!("{what} (proved, {:.1} s)", done.time.as_secs_f64()),
        Some((what, false)) => format!("{what} (tests only)"),
        None => "none".into(),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { row, failing, evidence, dice, auto } = self;
        write!(f, "{:<7} {}: `{}` to `{}`; paper: {}", row.name, row.line, row.right, row.wrong, row.paper)?;
        write!(f, "\n        {} of {} tests fail; evidence: {}", failing.0, failing.1, shown(evidence))?;
        match dice {
            Some((statements, done)) => write!(f, "\n        dice of {statements} statements: {}", shown(done))?,
            None if auto.is_some() => write!(f, "\n        dice: none")?,
            None => {}
        }
        if let Some(auto) = auto.as_ref().filter(|auto| auto.by != "evidence") {
            let by = if auto.by.is_empty() { String::new() } else { format!(" by {}", auto.by) };
            write!(f, "\n        auto{by}: {}", shown(auto))?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (evidence, auto, paper) = self.counts();
        let all = self.outcomes.len();
        let dices = self.outcomes.iter().filter_map(|outcome| outcome.dice.as_ref());
        let (mut some, mut enough) = (0, 0);
        for (_, done) in dices {
            some += 1;
            enough += usize::from(done.repair.as_ref().is_some_and(|(_, proved)| *proved));
        }
        writeln!(
            f,
            "{all} rows: repaired by the paper's tool {paper}; by evidence and proved up to length {} {evidence}",
            self.length
        )?;
        write!(f, "by auto and proved {auto}; a dice in {some} rows, enough for a repair in {enough}")
    }
}
