//! A line for each version, and what they come to.

use std::collections::BTreeMap;
use std::fmt;

use super::published;
use super::row::Row;

/// The rows of one way to search, as a table.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// One for each version.
    pub rows: Vec<Row>,
    /// Whether the versions are those of TCAS, whose published figures are known.
    pub is_tcas: bool,
}

/// The value in the middle.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Milliseconds, or nothing.
pub(crate) fn time(milliseconds: Option<f64>) -> String {
    match milliseconds {
        None => "-".into(),
        Some(value) if value < 1000.0 => format!("{value:.0} ms"),
        Some(value) => format!("{:.1} s", value / 1000.0),
    }
}

impl Summary {
    fn repaired(&self) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.is_repaired()).collect()
    }

    fn of_outcome(&self, outcome: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.outcome == outcome).collect()
    }

    fn published(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), true) = (self.rows.first(), self.is_tcas) else { return Ok(()) };
        let Some(published) = published::tcas(first.level) else { return Ok(()) };
        let covered = match published.covered {
            Some(time_taken) => format!("the space covered after {}", time(Some(time_taken))),
            None => "most searches end at 60 s".into(),
        };
        let (count, sooner) = (published.versions.len(), time(Some(published.first)));
        writeln!(f, "AllRepair with fault localization: {count} of 41 repaired, first repair {sooner}, {covered}")?;
        let missed = published.missed(&self.rows);
        let missed = if missed.is_empty() { "none".into() } else { missed.join(", ") };
        writeln!(f, "repaired there and not here: {missed}")
    }

    fn reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in ["not modelled", "not read", "too large", "crashed"] {
            let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
            for row in self.of_outcome(outcome) {
                let reason = row.reason.as_deref().unwrap_or("unknown");
                *reasons.entry(reason.lines().next().unwrap_or(reason)).or_default() += 1;
            }
            let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
            reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
            for (reason, count) in reasons {
                writeln!(f, "{count:4} {outcome}: {reason}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.version.len()).max().unwrap_or(0).max(7);
        writeln!(
            f,
            "{:width$}  {:13} proved size repairs    first  covered  formula    check    mutants  tested  valid.  best repair",
            "version", "outcome"
        )?;
        for row in &self.rows {
            let covered = time(row.covered.then_some(row.milliseconds.search));
            writeln!(
                f,
                "{:width$}  {:13} {:6} {:>4} {:7} {:>8} {covered:>8} {:>8} {:>8} {:10} {:7} {:7}  {}",
                row.version,
                row.outcome,
                if row.proved { "yes" } else { "-" },
                row.size.map_or("-".into(), |size| size.to_string()),
                row.repairs,
                time(row.milliseconds.first),
                time(Some(row.milliseconds.formula)),
                time(Some(row.milliseconds.check)),
                row.space,
                row.tested,
                row.validated,
                if row.is_repaired() { row.what.join("; ") } else { row.reason.clone().unwrap_or_default() },
            )?;
        }
        let repaired = self.repaired();
        let proved = repaired.iter().filter(|row| row.proved).count();
        let covered: Vec<&Row> = self.rows.iter().filter(|row| row.covered).collect();
        let all = self.rows.len();
        writeln!(f, "{} of {all} repaired, {proved} of them proved", repaired.len())?;
        writeln!(
            f,
            "medians: first repair {}; space covered {} ({} of {all}); formula {}; check {}",
            time(median(repaired.iter().filter_map(|row| row.milliseconds.first))),
            time(median(covered.iter().map(|row| row.milliseconds.search))),
            covered.len(),
            time(median(repaired.iter().map(|row| row.milliseconds.formula))),
            time(median(repaired.iter().map(|row| row.milliseconds.check))),
        )?;
        let ruled_out: u64 = covered.iter().filter_map(|row| row.ruled_out).sum();
        let space: u64 = covered.iter().map(|row| row.space).sum();
        writeln!(f, "{ruled_out} of {space} mutants ruled out without asking the solver, where the space was covered")?;
        let tested: Vec<_> = repaired.iter().filter_map(|row| row.tests).collect();
        if !tested.is_empty() {
            let all_passed = tested.iter().filter(|tests| tests.passed == tests.all).count();
            writeln!(f, "{all_passed} of {} repaired programs pass all of their tests", tested.len())?;
        }
        let same: Vec<&str> = self.of_outcome("no difference").iter().map(|row| &*row.version).collect();
        if !same.is_empty() {
            writeln!(f, "no difference from the reference: {}", same.join(", "))?;
        }
        self.published(f)?;
        self.reasons(f)
    }
}
