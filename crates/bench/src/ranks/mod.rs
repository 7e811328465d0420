//! How far down each localizer ranks a fault (Wolverine paper, section 7, RQ4: Figure 19 and Table 6).
//!
//! A few programs are chosen at random, and a few faulty versions of each, with
//! one change. Tests are made by running the right program; a version fails one
//! if it prints something else, ends otherwise, crashes or does not end.
//! The methods of [`localize::spectrum`] rank the statements by these tests, the
//! gradient localizer by a single call. If the fault of a version with 40
//! statements has rank 4, finding it takes an effort of 10 percent.
//!
//! ```text
//! observe.rs   runs a program and watches it
//! draw.rs      random arguments        suite.rs     tests of a right program
//! versions.rs  faulty versions         gradient.rs  the gradient localizer's rank
//! measure.rs   one version             report.rs    tables and rows
//! ```

mod draw;
mod gradient;
mod measure;
mod observe;
mod report;
mod suite;
mod versions;

use std::path::PathBuf;

use fastrand::Rng;

use crate::BenchError;
use crate::parallel::{bar, in_parallel};
use crate::programs::{Case, find};
use crate::study::Study;
pub use measure::Row;
use measure::measure;
pub use report::{Ranker, Summary, THRESHOLDS};
use suite::{Maker, Sample};
use versions::Version;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders or files.
    pub paths: Vec<PathBuf>,
    /// Only paths that contain this.
    pub filter: Option<String>,
    /// Programs, at most.
    pub programs: usize,
    /// Faulty versions of each, at most.
    pub versions: usize,
    /// Decides what is random.
    pub seed: u64,
    /// Versions at the same time.
    pub jobs: usize,
    /// A folder for `ranks.jsonl`.
    pub output: Option<PathBuf>,
}

impl Default for Options {
    /// As in the paper: 10 of the large programs, 20 versions of each.
    fn default() -> Options {
        Options {
            paths: vec!["programs/large".into()],
            filter: None,
            programs: 10,
            versions: 20,
            seed: 1,
            jobs: 1,
            output: None,
        }
    }
}

/// A program with its tests and faulty versions.
struct Subject {
    study: Study,
    suite: Vec<Sample>,
    versions: Vec<inject::Version>,
}

/// Measures everything.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let cases = chosen(options)?;
    let progress = bar(cases.len(), "programs prepared");
    let subjects = in_parallel(options.jobs, &cases, |case| {
        let subject = subject(case, options);
        progress.inc(1);
        subject
    });
    progress.finish_and_clear();
    let subjects: Vec<Subject> = subjects.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let work: Vec<(&Subject, usize)> =
        subjects.iter().flat_map(|subject| (0..subject.versions.len()).map(move |number| (subject, number))).collect();
    let progress = bar(work.len(), "versions");
    let rows = in_parallel(options.jobs, &work, |(subject, number)| {
        let row = row(subject, *number, options.seed);
        progress.inc(1);
        row
    });
    progress.finish_and_clear();
    let asked = rows.len();
    let rows: Vec<Row> = rows.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    report::save(options.output.as_deref(), &rows)?;
    Ok(Summary { unread: asked - rows.len(), rows })
}

/// Some of the programs, in order of their paths.
fn chosen(options: &Options) -> Result<Vec<Case>, BenchError> {
    let mut cases = find(&options.paths, options.filter.as_deref())?;
    Rng::with_seed(options.seed).shuffle(&mut cases);
    cases.truncate(options.programs);
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(cases)
}

/// `None` if the program has no function under study.
fn subject(case: &Case, options: &Options) -> Result<Option<Subject>, BenchError> {
    let Some(study) = Study::load(case)? else { return Ok(None) };
    let seed = seed_of(&study, options.seed);
    let suite = Maker::new(&study).suite(&mut Rng::with_seed(seed))?;
    let versions = versions::draw(&study, options.versions, seed)?;
    Ok(Some(Subject { study, suite, versions }))
}

fn row(subject: &Subject, number: usize, seed: u64) -> Result<Option<Row>, BenchError> {
    let Subject { study, suite, versions } = subject;
    let Some(version) = Version::read(&study.model.program, &versions[number]) else { return Ok(None) };
    let mut random = Rng::with_seed(seed_of(study, seed).wrapping_add(number as u64));
    Ok(Some(measure(study, suite, number, &version, &mut random)?))
}

/// Every program has its own tests and faults, whichever others are chosen.
fn seed_of(study: &Study, seed: u64) -> u64 {
    study.name().bytes().fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()))
}

#[cfg(test)]
mod testing {
    use super::*;

    /// A large program.
    pub(super) fn study(name: &str) -> Study {
        let path = format!("{}/../../programs/large/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let cases = find(&[path.into()], None).expect("it is there");
        Study::load(&cases[0]).expect("it is C").expect("it has a function under study")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_experiment_says_the_same_twice() {
        let folder = format!("{}/../../programs/large", env!("CARGO_MANIFEST_DIR"));
        let options =
            |jobs| Options { paths: vec![(&folder).into()], programs: 2, versions: 3, jobs, ..Options::default() };
        let (first, second) = (run(&options(1)).expect("it works"), run(&options(2)).expect("it works"));
        let rows = |summary: &Summary| summary.rows.iter().map(Row::json).collect::<Vec<_>>();
        assert_eq!(rows(&first), rows(&second));
        assert_eq!(first.rows.len() + first.unread, 6);
        for row in &first.rows {
            assert_eq!(row.ranks.len(), localize::Method::ALL.len());
            assert!(row.ranks.values().all(|rank| (1.0..=row.statements as f64).contains(rank)), "{row:?}");
            assert!(row.failing <= row.tests && row.broken_off <= row.failing, "{row:?}");
        }
    }
}
