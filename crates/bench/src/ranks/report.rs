//! What was measured: Table 6 and Figure 19 of the Wolverine paper, and JSON lines.

use std::fmt;
use std::io::Write;
use std::path::Path;

use localize::Method;

use super::measure::Row;
use crate::BenchError;

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// One for each version.
    pub rows: Vec<Row>,
    /// Versions that could not be read, or whose fault is in no statement.
    pub unread: usize,
}

/// Efforts in percent of the program that are counted up to.
pub const THRESHOLDS: [f64; 7] = [5.0, 10.0, 15.0, 20.0, 25.0, 50.0, 100.0];

const PAPER: &str =
    "paper, of 200: gradient 150 within 10%, 200 within 25%; tarantula, the best of the others, 33 within 25%";

/// Who ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranker {
    /// The gradient localizer, by one call.
    Gradient,
    /// A method over all tests.
    Tests(Method),
    /// The same, with nothing known of the ways of runs that crash or do not end.
    Lost(Method),
}

impl Row {
    /// The rank of the fault; `None` if it is not found at all.
    pub fn rank(&self, ranker: Ranker) -> Option<f64> {
        match ranker {
            Ranker::Gradient => self.gradient,
            Ranker::Tests(method) => self.ranks.get(&method).copied(),
            Ranker::Lost(method) => self.lost.get(&method).copied(),
        }
    }

    /// The share of the program in percent that is looked at until the fault is come to.
    pub fn effort(&self, ranker: Ranker) -> Option<f64> {
        Some(100.0 * self.rank(ranker)? / self.statements.max(1) as f64)
    }
}

impl Summary {
    /// How many versions have their fault within so many percent of the program.
    pub fn within(&self, ranker: Ranker, percent: f64) -> usize {
        self.rows.iter().filter(|row| row.effort(ranker).is_some_and(|effort| effort <= percent + 1e-9)).count()
    }

    fn by_program(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.program == b.program)
    }

    fn write_tests(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:30} versions  tests failing  crash  statements%  branches%", "program (table 6)")?;
        for rows in self.by_program() {
            let mean = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
            writeln!(
                f,
                "{:30} {:8} {:6.1} {:7.1} {:6.1} {:12.1} {:10.1}",
                rows[0].program,
                rows.len(),
                mean(&|row| row.tests as f64),
                mean(&|row| row.failing as f64),
                mean(&|row| row.broken_off as f64),
                mean(&|row| 100.0 * row.statement_coverage),
                mean(&|row| 100.0 * row.branch_coverage),
            )?;
        }
        Ok(())
    }

    fn write_efforts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:30}", "versions within (figure 19)")?;
        THRESHOLDS.iter().try_for_each(|percent| write!(f, "{percent:5.0}%"))?;
        writeln!(f, "  median")?;
        self.write_effort(f, Ranker::Gradient)?;
        Method::ALL.iter().try_for_each(|method| self.write_effort(f, Ranker::Tests(*method)))?;
        writeln!(f, "with nothing known of the ways of runs that crash or do not end:")?;
        Method::ALL.iter().try_for_each(|method| self.write_effort(f, Ranker::Lost(*method)))
    }

    fn write_effort(&self, f: &mut fmt::Formatter<'_>, ranker: Ranker) -> fmt::Result {
        let name = match ranker {
            Ranker::Gradient => "gradient",
            Ranker::Tests(method) | Ranker::Lost(method) => method.name(),
        };
        write!(f, "{name:30}")?;
        THRESHOLDS.iter().try_for_each(|percent| write!(f, "{:6}", self.within(ranker, *percent)))?;
        writeln!(f, "  {:5.1}%", self.median(ranker))
    }

    /// The effort in percent; faults that are not found count as the whole program.
    fn median(&self, ranker: Ranker) -> f64 {
        let mut efforts: Vec<f64> = self.rows.iter().map(|row| row.effort(ranker).unwrap_or(100.0)).collect();
        efforts.sort_by(f64::total_cmp);
        efforts.get(efforts.len() / 2).copied().unwrap_or(0.0)
    }

    fn count(&self, is_meant: impl Fn(&Row) -> bool) -> usize {
        self.rows.iter().filter(|row| is_meant(row)).count()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tests(f)?;
        writeln!(f)?;
        self.write_efforts(f)?;
        writeln!(f, "{PAPER}")?;
        write!(
            f,
            "{} versions, {} more not read; {} without a gradient rank, {} without a failing test, \
             {} without a passing one",
            self.rows.len(),
            self.unread,
            self.count(|row| row.gradient.is_none()),
            self.count(|row| row.failing == 0),
            self.count(|row| row.failing == row.tests),
        )
    }
}

/// Writes one row for each version.
pub(super) fn save(folder: Option<&Path>, rows: &[Row]) -> Result<(), BenchError> {
    let Some(folder) = folder else { return Ok(()) };
    let path = folder.join("ranks.jsonl");
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = std::fs::File::create(&path).map_err(failed)?;
    rows.iter().try_for_each(|row| writeln!(file, "{}", row.json()).map_err(failed))
}
