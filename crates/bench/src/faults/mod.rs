//! The main experiment of the Wolverine paper (section 7.1): faults are put into
//! right programs, an automatic user debugs them, and the repairs are judged on
//! inputs that nobody asserted anything of.
//!
//! Each faulty version is one row of `DIR/faults.jsonl`; the versions themselves
//! are in `DIR/versions`. What is there already is not done again, so a run
//! that was stopped goes on where it was.

mod attempt;
mod judge;
mod options;
mod place;
mod row;
mod store;
mod summary;
mod versions;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use c_syntax::{ParseError, Source};
use indicatif::ProgressBar;
use ir::Program;

use crate::BenchError;
use crate::parallel::{bar, in_parallel};
use crate::programs::find;
use crate::study::Study;
pub use attempt::{Attempt, Debugging, debug};
pub use judge::Judge;
pub use options::{Class, Expected, Mode, Options, Search};
pub use row::{Milliseconds, Row, Suspects};
use store::Store;
pub use summary::Summary;
pub use versions::{Faulty, versions};

/// Some versions of a program.
struct Unit<'a> {
    study: &'a Study,
    class: Class,
}

/// Makes the experiment, or what is left of it.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let store = Store::open(options)?;
    let studies = in_parallel(options.jobs, &find(&options.paths, options.filter.as_deref())?, Study::load);
    let studies: Vec<Study> = studies.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let units: Vec<Unit<'_>> =
        (studies.iter()).flat_map(|study| options.classes.iter().map(move |&class| Unit { study, class })).collect();
    let bar = bar(units.len() * options.versions, "versions");
    let failed = AtomicBool::new(false);
    let done = in_parallel(options.jobs, &units, |unit| {
        let done = if failed.load(Ordering::Relaxed) { Ok(()) } else { work(unit, options, &store, &bar) };
        failed.fetch_or(done.is_err(), Ordering::Relaxed);
        done
    });
    bar.finish_and_clear();
    done.into_iter().collect::<Result<Vec<()>, BenchError>>()?;
    let names: Vec<String> = studies.iter().map(Study::name).collect();
    Ok(Summary::new(&store.rows(), &names, options))
}

/// All versions of one class of a program.
fn work(unit: &Unit<'_>, options: &Options, store: &Store, bar: &ProgressBar) -> Result<(), BenchError> {
    let name = unit.study.name();
    let done: BTreeSet<usize> = store.done(&name, unit.class, options);
    if done.len() >= options.versions {
        bar.inc(options.versions as u64);
        return Ok(());
    }
    let versions = versions(unit.study, unit.class, options)?;
    let judge = Judge::new(unit.study)?;
    let is_left = |(number, _): &(usize, &Faulty)| !done.contains(number);
    let left: Vec<(usize, &Faulty)> = versions.iter().enumerate().filter(is_left).collect();
    for ((number, version), faulty) in left.iter().zip(load(unit.study, &left)) {
        store.add(row::measure(unit.study, &judge, unit.class, *number, version, faulty?, options)?)?;
        bar.inc(1);
    }
    bar.inc((options.versions - left.len().min(options.versions)) as u64);
    Ok(())
}

/// The programs of versions, which are read together.
pub(crate) fn load(study: &Study, versions: &[(usize, &Faulty)]) -> Vec<Result<Arc<Program>, ParseError>> {
    let source = |(_, version): &(usize, &Faulty)| Source::new(study.case.path.clone(), version.text.clone());
    let sources: Vec<Arc<Source>> = versions.iter().map(source).map(Arc::new).collect();
    ir::load_texts(&sources).into_iter().map(|program| program.map(Arc::new)).collect()
}
