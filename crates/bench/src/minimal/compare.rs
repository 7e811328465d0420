//! The ways to search side by side: what localizing the fault saves.
//!
//! `tree` is Wolverine's, `must` is FL-AllRepair as published, and `itself` is
//! AllRepair, which learns nothing from a mutant but that it is wrong.

use std::collections::BTreeMap;
use std::fmt;

use super::row::Row;
use super::summary::{median, time};

/// The rows of several ways.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// All rows.
    pub rows: Vec<Row>,
}

impl Compared {
    fn ways(&self) -> Vec<&str> {
        let mut ways: Vec<&str> = vec![];
        for row in &self.rows {
            if !ways.contains(&&*row.way) {
                ways.push(&row.way);
            }
        }
        ways
    }

    /// The versions that are not repaired alike by two ways that both cover the space.
    pub fn differences(&self) -> Vec<String> {
        let (mut known, mut found) = (BTreeMap::new(), vec![]);
        for row in self.rows.iter().filter(|row| row.covered) {
            if *known.entry(&row.version).or_insert(row.repairs) != row.repairs {
                found.push(format!("{} ({})", row.version, row.way));
            }
        }
        found
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ways, width) = (self.ways(), self.rows.iter().map(|row| row.version.len()).max().unwrap_or(0).max(7));
        write!(f, "{:width$} {:>10}", "", "")?;
        ways.iter().try_for_each(|way| write!(f, "  {way:>40}"))?;
        write!(f, "\n{:width$} {:>10}", "version", "mutants")?;
        ways.iter()
            .try_for_each(|_| write!(f, "  {:>8} {:>11} {:>9} {:>9}", "repairs", "validated", "first", "covered"))?;
        writeln!(f)?;
        let mut versions: Vec<&str> = vec![];
        for row in &self.rows {
            if !versions.contains(&&*row.version) {
                versions.push(&row.version);
            }
        }
        for version in versions {
            let of = |way: &str| self.rows.iter().find(|row| row.version == version && row.way == way);
            write!(f, "{version:width$} {:>10}", ways.iter().find_map(|way| of(way)).map_or(0, |row| row.space))?;
            for row in ways.iter().filter_map(|way| of(way)) {
                let covered = time(row.covered.then_some(row.milliseconds.search));
                let first = time(row.milliseconds.first);
                write!(f, "  {:>8} {:>11} {first:>9} {covered:>9}", row.repairs, row.validated)?;
            }
            writeln!(f)?;
        }
        write!(f, "{:width$} {:>10}", "median", "")?;
        for way in &ways {
            let rows = || self.rows.iter().filter(move |row| row.way == *way);
            let validated = median(rows().map(|row| row.validated as f64)).unwrap_or(0.0);
            let first = time(median(rows().filter_map(|row| row.milliseconds.first)));
            let covered = time(median(rows().filter(|row| row.covered).map(|row| row.milliseconds.search)));
            let repaired = rows().filter(|row| row.is_repaired()).count();
            write!(f, "  {:>8} {validated:>11.0} {first:>9} {covered:>9}", format!("in {repaired}"))?;
        }
        writeln!(f)?;
        match self.differences() {
            none if none.is_empty() => writeln!(f, "all ways that cover the space find as many repairs"),
            some => writeln!(f, "covered, but with another number of repairs: {}", some.join(", ")),
        }
    }
}
