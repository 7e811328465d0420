//! The results as one page: tables and plots, each next to the figures of the paper.
//!
//! [`run`] reads the rows of a folder (`faults.jsonl`, `ranks.jsonl`, `students.jsonl`; any may be absent) and
//! writes `report.html` there, which needs nothing but itself. One file for each section; it knows the rows and
//! the page, and nothing of how the rows were made.

mod by_class;
mod chart;
mod command;
mod confinement;
mod format;
mod localizer;
mod missed;
mod page;
mod paper;
mod plot;
mod ranking;
mod rows;
mod scaling;
mod searches;
mod statistics;
mod students;
mod summary;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::BenchError;
use page::Section;
use rows::Rows;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page.
    pub path: PathBuf,
    /// The rows it shows.
    pub rows: usize,
    /// The lines that could not be read.
    pub broken: usize,
    /// What is left out, one sentence each.
    pub missing: Vec<String>,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} rows", self.path.display(), self.rows)?;
        if self.broken > 0 {
            write!(f, ", {} broken lines skipped", self.broken)?;
        }
        self.missing.iter().try_for_each(|sentence| write!(f, "\n{sentence}"))
    }
}

/// Reads the rows of a folder and writes `report.html` there.
pub fn run(folder: &Path) -> Result<Written, BenchError> {
    if !folder.is_dir() {
        return Err(BenchError::NoFolder(folder.display().to_string()));
    }
    let rows = Rows::read(folder)?;
    let sections = sections(&rows);
    let path = folder.join("report.html");
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    std::fs::write(&path, page::page(&introduction(&rows), &sections)).map_err(failed)?;
    let missing = sections.into_iter().flat_map(|section| section.missing).collect();
    Ok(Written { rows: rows.count(), broken: rows.broken.values().sum(), missing, path })
}

/// Everything that the page shows, in its order.
fn sections(rows: &Rows) -> Vec<Section> {
    let all: [fn(&Rows) -> Section; 9] = [
        summary::section,
        by_class::section,
        searches::section,
        scaling::section,
        ranking::section,
        confinement::section,
        students::section,
        localizer::section,
        missed::section,
    ];
    all.iter().map(|section| section(rows)).collect()
}

/// What the page is made of, and what of it could not be read.
fn introduction(rows: &Rows) -> Vec<String> {
    let counts = [(rows.faults.len(), "repairs"), (rows.ranks.len(), "rankings"), (rows.students.len(), "submissions")];
    let counts = counts.map(|(count, of)| format!("{} {of}", format::count(count))).join(", ");
    let of = "Figures of the paper are those of “Debug-Localize-Repair: A Symbiotic Construction for Heap Manipulations”, §7, and are set in italics; its times \
              come from another machine, so only ratios of one run can be compared.";
    let mut sentences = vec![format!("Made of {counts}. {of}")];
    for (file, lines) in &rows.broken {
        let (lines, were) =
            if *lines == 1 { ("One line".to_string(), "was") } else { (format!("{lines} lines"), "were") };
        sentences
            .push(format!("{lines} of `{file}` could not be read and {were} skipped, as after a run that was killed."));
    }
    sentences
}

#[cfg(test)]
mod tests;
