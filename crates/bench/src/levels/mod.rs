//! What each kind of search does alone, on versions of `wolverine bench faults`.
//!
//! The list of searches that a repair goes through, and what each may cost
//! (`repair/src/engine/stretches.rs`), is chosen from this: versions are
//! debugged again as in that experiment, and each search is made for what is
//! asserted in the end. Each version is one row of `DIR/levels.jsonl`; from all
//! of them [`choose`] makes a list.

mod choose;
mod row;

use std::collections::BTreeMap;

use indicatif::ProgressBar;

use crate::BenchError;
use crate::faults::{self, Class, Judge, versions};
use crate::parallel::{bar, in_parallel};
use crate::programs::find;
use crate::store::Store;
use crate::study::Study;
pub use choose::{Chosen, choose};
pub use row::{Row, Searched};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// The versions, and how long one search may take.
    pub faults: faults::Options,
    /// Only versions whose repair took longer than so many milliseconds, and …
    pub slower: f64,
    /// … of the others every so manyth.
    pub every: usize,
}

/// Makes the experiment for what is in the folder, or what is left of it.
pub fn run(options: &Options) -> Result<Vec<Row>, BenchError> {
    let faults = &options.faults;
    let measured: Vec<faults::Row> = Store::open(&faults.output, "faults.jsonl")?.rows();
    if !measured.iter().any(|row| row.seed == faults.seed) {
        return Err(BenchError::NoFaults(faults.output.display().to_string()));
    }
    let store: Store<Row> = Store::open(&faults.output, "levels.jsonl")?;
    let store = store.with_limit(faults.limit.as_secs_f64(), |row| row.limit)?;
    let studies = in_parallel(faults.jobs, &find(&faults.paths, faults.filter.as_deref())?, Study::load);
    let studies: Vec<Study> = studies.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let versions = measured.iter().map(|row| row.version + 1).max().unwrap_or(1);
    let faults = &faults::Options { versions, ..faults.clone() };
    let units: Vec<(&Study, Class, Versions)> = studies
        .iter()
        .flat_map(|study| faults.classes.iter().map(move |&class| (study, class)))
        .map(|(study, class)| (study, class, chosen(&measured, &store.rows(), study, class, options)))
        .collect();
    let bar = bar(units.iter().map(|(.., chosen)| chosen.len()).sum(), "versions");
    let done = in_parallel(faults.jobs, &units, |(study, class, chosen)| {
        work(study, *class, chosen, (faults, options.every), (&store, &bar))
    });
    bar.finish_and_clear();
    done.into_iter().collect::<Result<Vec<()>, BenchError>>()?;
    Ok(store.rows())
}

/// Versions that are tried, and whether they are slow.
type Versions = BTreeMap<usize, bool>;

/// The versions of a program and class that are slow, or that have their turn.
fn chosen(measured: &[faults::Row], done: &[Row], study: &Study, class: Class, options: &Options) -> Versions {
    let (name, class) = (study.name(), class.to_string());
    let is_of = |row: &&faults::Row| row.program == name && row.class == class && row.seed == options.faults.seed;
    let is_slow = |row: &faults::Row| row.outcome != "repaired" || row.milliseconds.repair > options.slower;
    let has_turn = |row: &faults::Row| options.every > 0 && row.version.is_multiple_of(options.every);
    let is_new = |row: &&faults::Row| {
        let key = (&row.program, &row.class, row.version, row.seed);
        !done.iter().any(|old| (&old.program, &old.class, old.version, old.seed) == key)
    };
    let rows = measured.iter().filter(is_of).filter(|row| is_slow(row) || has_turn(row)).filter(is_new);
    rows.map(|row| (row.version, is_slow(row))).collect()
}

fn work(
    study: &Study,
    class: Class,
    chosen: &Versions,
    (options, every): (&faults::Options, usize),
    (store, bar): (&Store<Row>, &ProgressBar),
) -> Result<(), BenchError> {
    if chosen.is_empty() {
        return Ok(());
    }
    let versions = versions(study, class, options)?;
    let judge = Judge::new(study)?;
    let left: Vec<(usize, &faults::Faulty)> =
        versions.iter().enumerate().filter(|(number, _)| chosen.contains_key(number)).collect();
    for ((number, version), faulty) in left.iter().zip(faults::load(study, &left)) {
        if let Some(mut row) = row::measure(&judge, (class, *number), version, faulty?, options)? {
            row.weight = if chosen[number] { 1 } else { every.max(1) };
            store.add(row)?;
        }
        bar.inc(1);
    }
    Ok(())
}
