//! A line for each version, next to the published figures.

use std::fmt;

use super::row::Row;
use crate::minimal::{median, time};

/// What the paper's Table I has of a version: seconds for diagnosis and diagnoses, seconds for repair and repairs,
/// and both of the repair without heuristics.
const PUBLISHED: [(&str, [f64; 6]); 8] = [
    ("v2", [70.0, 2.0, 271.0, 2.0, 355.0, 1.0]),
    ("v7", [123.0, 2.0, 42.0, 5.0, 444.0, 0.0]),
    ("v8", [122.0, 2.0, 37.0, 5.0, 465.0, 0.0]),
    ("v16", [123.0, 2.0, 43.0, 5.0, 1027.0, 0.0]),
    ("v17", [125.0, 2.0, 41.0, 5.0, 234.0, 0.0]),
    ("v18", [124.0, 2.0, 38.0, 5.0, 35.0, 0.0]),
    ("v19", [123.0, 2.0, 40.0, 5.0, 691.0, 0.0]),
    ("v36", [3.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
];

/// The rows as a table.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// One or two for each version.
    pub rows: Vec<Row>,
}

impl Summary {
    /// The versions of the paper's Table I.
    pub fn published() -> Vec<String> {
        PUBLISHED.iter().map(|(version, _)| version.to_string()).collect()
    }

    fn totals(&self, f: &mut fmt::Formatter<'_>, heuristics: bool) -> fmt::Result {
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.heuristics == heuristics).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let repaired: Vec<&&Row> = rows.iter().filter(|row| row.is_repaired()).collect();
        let all = rows.len();
        let sum = |part: fn(&Row) -> f64| time(Some(rows.iter().map(|row| part(row)).sum()));
        if !heuristics {
            write!(f, "without heuristics: ")?;
        }
        writeln!(
            f,
            "{} of {all} have diagnoses, {} with the place of the fault in one; diagnosis {} (median), {} in all",
            rows.iter().filter(|row| row.diagnoses > 0).count(),
            rows.iter().filter(|row| row.has_place).count(),
            time(median(rows.iter().map(|row| row.milliseconds.diagnosis))),
            sum(|row| row.milliseconds.diagnosis),
        )?;
        if rows.iter().any(|row| row.repair) {
            writeln!(
                f,
                "{} of {all} repaired, {} proved, {} in the place of the fault; first repair after {} (median), repair {} in all",
                repaired.len(),
                repaired.iter().filter(|row| row.proved).count(),
                repaired.iter().filter(|row| row.at_place).count(),
                time(median(repaired.iter().filter_map(|row| row.milliseconds.first))),
                sum(|row| row.milliseconds.repair),
            )?;
        }
        Ok(())
    }

    fn published_figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |version: &str, heuristics: bool| {
            self.rows.iter().find(|row| row.version == version && row.heuristics == heuristics)
        };
        let here: Vec<_> = PUBLISHED.iter().filter(|(version, _)| of(version, true).is_some()).collect();
        if here.is_empty() || self.rows.iter().any(|row| !row.repair) {
            return Ok(());
        }
        writeln!(f, "\nKönighofer and Bloem's Table I (their machine), and here:")?;
        writeln!(
            f,
            "version     diagnosis         sets            repair           found   without heuristics           found"
        )?;
        for (version, [diagnosis, sets, repair, found, plain, plain_found]) in here {
            let (Some(row), without) = (of(version, true), of(version, false)) else { continue };
            let seconds = |milliseconds: f64| format!("{:.1} s", milliseconds / 1000.0);
            writeln!(
                f,
                "{version:7} {diagnosis:>6} s {:>7} {sets:>5} {:>4} {repair:>9} s {:>7} {found:>7} {:>4} {plain:>12} s {:>7} {plain_found:>7} {:>4}",
                seconds(row.milliseconds.diagnosis),
                row.diagnoses,
                seconds(row.milliseconds.repair),
                row.repairs,
                without.map_or("-".into(), |row| seconds(row.milliseconds.repair)),
                without.map_or("-".into(), |row| row.repairs.to_string()),
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.version.len()).max().unwrap_or(0).max(7);
        writeln!(
            f,
            "{:width$}  heur. outcome       sets place diagnosis    first   repair repairs proved  best repair",
            "version"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:width$}  {:5} {:12} {:5} {:5} {:>9} {:>8} {:>8} {:7} {:6}  {}",
                row.version,
                if row.heuristics { "on" } else { "off" },
                row.outcome,
                row.diagnoses,
                if row.has_place { "yes" } else { "-" },
                time(Some(row.milliseconds.diagnosis)),
                time(row.milliseconds.first),
                time(Some(row.milliseconds.repair)),
                row.repairs,
                if row.proved { "yes" } else { "-" },
                row.what.join("; "),
            )?;
        }
        self.totals(f, true)?;
        self.totals(f, false)?;
        if self.rows.iter().any(|row| !row.repair) {
            writeln!(f, "CFaults (published): 41 of 41 localized, median 61 s, 5 diagnoses each")?;
        }
        self.published_figures(f)
    }
}
