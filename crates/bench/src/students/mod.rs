//! The paper's experiment with students (Table 8): faulty submissions for
//! textbook problems, debugged by an automatic user and repaired.
//!
//! The user knows only what a right program does. A submission of `reverse`
//! that returns the old first node prints `3` instead of `5 2 4 1 3`: the user
//! goes to the call of `reverse`, asserts at `print_list(head);` in `main` what
//! the list should look like there, and asks for a repair.
//!
//! All programs of a problem have the same `main` and the same functions around
//! the student's own, so what is left behind by calls from `main` can be compared
//! although the statements of the student's functions cannot.

mod assert;
mod attempt;
mod behave;
mod inputs;
mod names;
mod problem;
mod row;
mod summary;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use crate::BenchError;
use crate::parallel::{bar, in_parallel};
use crate::programs::filtered;
use crate::store::Store;
use problem::{Note, Problem};
pub use row::Row;
pub use summary::{Summary, Tally};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders of problems, or folders of such folders.
    pub paths: Vec<PathBuf>,
    /// Only submissions whose paths contain this.
    pub filter: Option<String>,
    /// Submissions at the same time.
    pub jobs: usize,
    /// How long one search may take.
    pub limit: Duration,
    /// The folder for the rows, as `students.jsonl`; what is there already is not done again.
    pub output: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            paths: vec![PathBuf::from("programs/students")],
            filter: None,
            jobs: 1,
            limit: Duration::from_secs(10),
            output: None,
        }
    }
}

/// Debugs, repairs and judges all submissions.
pub fn run(options: &Options) -> Result<Summary, BenchError> {
    let problems = problem::find(&options.paths)?;
    let wanted = |problem: &Problem, note: &Note| {
        let path = problem.folder.join(&note.file);
        options.filter.as_ref().is_none_or(|text| path.to_string_lossy().contains(text))
    };
    let submissions: Vec<(&Problem, &Note)> = (problems.iter())
        .flat_map(|problem| problem.notes.iter().map(move |note| (problem, note)))
        .filter(|(problem, note)| wanted(problem, note))
        .collect();
    if let Some(filter) = options.filter.as_ref().filter(|_| submissions.is_empty()) {
        return Err(filtered(&options.paths, filter));
    }
    let open =
        |folder| Store::open(folder, "students.jsonl")?.with_limit(options.limit.as_secs_f64(), |row: &Row| row.limit);
    let store = options.output.as_deref().map(open).transpose()?;
    let done: Vec<Row> = store.as_ref().map(Store::rows).unwrap_or_default();
    let bar = bar(submissions.len(), "submissions");
    let rows = in_parallel(options.jobs, &submissions, |(problem, note)| {
        let is_same = |row: &&Row| row.problem == problem.name() && row.file == note.file;
        let row = match done.iter().find(is_same) {
            Some(row) => Ok(row.clone()),
            None => with_deep_stack(|| row::measure(problem, note, options.limit)).and_then(|row| {
                store.as_ref().map_or(Ok(()), |store| store.add(row.clone()))?;
                Ok(row)
            }),
        };
        bar.inc(1);
        row
    });
    bar.finish_and_clear();
    Ok(Summary::new(rows.into_iter().collect::<Result<_, _>>()?))
}

/// Does something on a thread with much stack: the search goes one level deeper
/// each time control comes to an edited statement, and an edit can make a loop endless.
fn with_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    const BYTES: usize = 1 << 28;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, work);
        match thread.expect("the memory is only reserved").join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
