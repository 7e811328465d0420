//! What came of all submissions, as in Table 8 of the paper.
//!
//! ```text
//!                 total  fixed  limitation  out of scope  vacuous
//! reverse            25     20           2             2        1
//! ```

use std::collections::BTreeMap;
use std::fmt;

use super::row::Row;

/// Submissions by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All.
    pub total: usize,
    /// The repaired program does what it should on all inputs.
    pub fixed: usize,
    /// There should be a repair, and there is none or a wrong one.
    pub limitation: usize,
    /// Not to be expected from a few changes of simple statements.
    pub out_of_scope: usize,
    /// Nothing that could be repaired.
    pub vacuous: usize,
}

impl Tally {
    fn add(&mut self, row: &Row) {
        self.total += 1;
        *match row.outcome.as_str() {
            "fixed" => &mut self.fixed,
            "limitation" => &mut self.limitation,
            "vacuous" => &mut self.vacuous,
            _ => &mut self.out_of_scope,
        } += 1;
    }

    /// Submissions that are fixed or should be.
    pub fn attempted(&self) -> usize {
        self.fixed + self.limitation
    }
}

/// The rows of an experiment, added up.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By problem.
    pub problems: BTreeMap<String, Tally>,
    /// Everything.
    pub total: Tally,
    /// All rows.
    pub rows: Vec<Row>,
}

impl Summary {
    /// Adds up some rows.
    pub fn new(rows: Vec<Row>) -> Summary {
        let mut summary = Summary::default();
        for row in &rows {
            summary.problems.entry(row.problem.clone()).or_default().add(row);
            summary.total.add(row);
        }
        Summary { rows, ..summary }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { total, fixed, limitation, out_of_scope, vacuous } = self;
        write!(f, "{total:6} {fixed:6} {limitation:11} {out_of_scope:13} {vacuous:8}")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:14}  total  fixed  limitation  out of scope  vacuous", "")?;
        for (name, tally) in &self.problems {
            writeln!(f, "{name:14} {tally}")?;
        }
        writeln!(f, "{:14} {}", "all", self.total)?;
        let (fixed, attempted) = (self.total.fixed, self.total.attempted());
        let share = 100.0 * fixed as f64 / attempted.max(1) as f64;
        writeln!(f, "{fixed} fixed of {attempted} attempted, {share:.0}% (paper: 166 of 202, 82%)")?;
        for row in self.rows.iter().filter(|row| row.outcome == "limitation") {
            let reason = row.reason.as_deref().unwrap_or("unknown");
            writeln!(f, "{}/{} ({}): {reason}", row.problem, row.file, row.kind)?;
        }
        Ok(())
    }
}
