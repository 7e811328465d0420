//! Diagnoses and template repairs of the versions of TCAS (K §V, Table I).
//!
//! Each version is diagnosed with some failing inputs, and its smallest
//! diagnoses are repaired by templates so that it does the same as the
//! original for all inputs. [`places`] tells from the two texts where the fault
//! really is, which the search never sees; [`row`] measures one version,
//! [`summary`] has the tables, next to the published figures.

mod places;
mod row;
mod summary;

use std::path::PathBuf;
use std::time::Duration;

pub use row::{Row, Times};
pub use summary::Summary;

use crate::BenchError;
use crate::minimal::tcas;
use crate::parallel::{bar, in_parallel};
use crate::store::Store;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with the versions.
    pub folder: PathBuf,
    /// Only these versions; all if none is named.
    pub versions: Vec<String>,
    /// Whether repairs are looked for, or only diagnoses.
    pub repair: bool,
    /// With how many failing inputs.
    pub inputs: usize,
    /// So many expressions at once, at most.
    pub max_size: usize,
    /// So many repairs for each diagnosis, at most.
    pub repairs: usize,
    /// With the heuristics of the paper, without them, or both ways.
    pub heuristics: Vec<bool>,
    /// Whether the first repair is enough.
    pub first: bool,
    /// Time for a version.
    pub timeout: Duration,
    /// Versions at the same time.
    pub jobs: usize,
    /// The folder for the rows; what is there already is not done again.
    pub output: Option<PathBuf>,
}

/// Measures all versions.
pub fn run(options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut versions = tcas::find(&options.folder)?;
    if !options.versions.is_empty() {
        versions.retain(|version| options.versions.contains(&version.name));
        if versions.is_empty() {
            let filter = options.versions.join(",");
            return Err(crate::programs::filtered(std::slice::from_ref(&options.folder), &filter));
        }
    }
    let limit = options.timeout.as_secs_f64();
    let open = |folder| Store::open(folder, "templates.jsonl")?.with_limit(limit, |row: &Row| row.limit);
    let store = options.output.as_deref().map(open).transpose()?;
    let done: Vec<Row> = store.as_ref().map(Store::rows).unwrap_or_default();
    let work: Vec<_> = versions
        .iter()
        .flat_map(|version| options.heuristics.iter().map(move |heuristics| (version, *heuristics)))
        .collect();
    let bar = bar(work.len(), "versions");
    let rows = in_parallel(options.jobs, &work, |(version, heuristics)| {
        let known = done.iter().find(|row| row.is_of(&version.name, *heuristics, options));
        let row = match known {
            Some(row) => Ok(row.clone()),
            None => {
                let row = row::measure(version, *heuristics, options);
                store.as_ref().map_or(Ok(()), |store| store.add(row.clone())).map(|()| row)
            }
        };
        bar.inc(1);
        row
    });
    bar.finish_and_clear();
    rows.into_iter().collect()
}
