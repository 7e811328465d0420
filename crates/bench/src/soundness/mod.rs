//! Is the place of a fault always among the suspicious ones? (Wolverine paper, theorem 5.7)
//!
//! Every program here is right. Each single edit of its function makes a faulty
//! copy of it, and the states of the right run are what a user would assert
//! while debugging that copy: at the start of the function, whenever it comes
//! to a loop, and at its end. Where the copy does not meet them, the localizer
//! must name the edited place.

mod expect;
mod fault;
mod measure;
mod report;

use std::path::PathBuf;

use fastrand::Rng;

use crate::BenchError;
use crate::parallel::{bar, in_parallel};
use crate::programs::{Case, find};
use crate::study::Study;
use expect::{Expectation, expectations};
use fault::{Fault, faults};
use measure::{Measured, measure};
pub use report::Summary;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders or files.
    pub paths: Vec<PathBuf>,
    /// Only paths that contain this.
    pub filter: Option<String>,
    /// Inputs of each program, at most.
    pub inputs: usize,
    /// Faults of each program, at most; 0 means all.
    pub limit: usize,
    /// Whether only the state at the end is asserted.
    pub sparse: bool,
    /// Decides what is random.
    pub seed: u64,
    /// Faults at the same time.
    pub jobs: usize,
    /// A folder for `soundness.jsonl`.
    pub output: Option<PathBuf>,
}

/// A program with what is expected of it, and its faulty copies.
struct Subject {
    study: Study,
    expectations: Vec<Expectation>,
    faults: Vec<Fault>,
}

/// Measures all programs; what is missed is printed as it is found.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let cases = find(&options.paths, options.filter.as_deref())?;
    let subjects = in_parallel(options.jobs, &cases, |case| subject(case, options));
    let subjects: Vec<Subject> = subjects.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let work: Vec<(usize, &Fault)> = subjects
        .iter()
        .enumerate()
        .flat_map(|(i, subject)| subject.faults.iter().map(move |fault| (i, fault)))
        .collect();
    let bar = bar(work.len(), "faults");
    let measured = in_parallel(options.jobs, &work, |(number, fault)| {
        let subject = &subjects[*number];
        let found = measure(&subject.study, &subject.expectations, fault);
        found.iter().filter(|measured| measured.is_bug()).for_each(|bug| bar.suspend(|| println!("{bug}")));
        bar.inc(1);
        (*number, found)
    });
    bar.finish_and_clear();
    let mut by_subject: Vec<Vec<Measured>> = subjects.iter().map(|_| Vec::new()).collect();
    measured.into_iter().for_each(|(number, found)| by_subject[number].extend(found));
    let studies: Vec<&Study> = subjects.iter().map(|subject| &subject.study).collect();
    report::save(options.output.as_deref(), &studies, &by_subject)?;
    Ok(Summary::new(&studies, &by_subject))
}

fn subject(case: &Case, options: &Options) -> Result<Option<Subject>, BenchError> {
    let Some(study) = Study::load(case)? else { return Ok(None) };
    let expectations = expectations(&study, options.inputs, options.sparse)?;
    let seed = study.name().bytes().fold(options.seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let faults = faults(&study, options.limit, &mut Rng::with_seed(seed));
    Ok(Some(Subject { study, expectations, faults }))
}
