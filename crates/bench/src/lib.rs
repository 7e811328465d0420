//! Experiments that anyone can repeat, one file each.

pub mod agree;
pub mod contracts;
pub mod debug;
pub mod edits;
pub mod faults;
pub mod integers;
pub mod levels;
pub mod lockstep;
pub mod mend;
pub mod minimal;
pub mod native;
pub mod parallel;
pub mod programs;
pub mod ranks;
pub mod report;
pub mod soundness;
pub mod speed;
pub mod store;
pub mod students;
pub mod study;
pub mod template;
pub mod user;

use thiserror::Error;

/// Why an experiment could not be made.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// There is nothing to do.
    #[error("no C files with a `main` in {0}")]
    NoPrograms(String),
    /// The filter leaves nothing.
    #[error("no file in {folders} has `{filter}` in its path; leave out `--filter` to see all")]
    Filtered {
        /// Where was looked.
        folders: String,
        /// What for.
        filter: String,
    },
    /// The rows of a folder were made with another time limit.
    #[error("the rows in {folder} were made with `--limit {limit}`; go on with that, or name another folder")]
    OtherLimit {
        /// The folder.
        folder: String,
        /// Its limit, in seconds.
        limit: f64,
    },
    /// A folder has no rows to go on with.
    #[error(
        "there are no results of `wolverine bench faults` with this seed in {0}; make them first, or name another folder"
    )]
    NoFaults(String),
    /// A folder is not there.
    #[error("there is no {0} here; run this in the folder of the project, or name the folder that you mean")]
    NoFolder(String),
    /// An executor failed.
    #[error("{0}")]
    Execute(#[from] execute::ExecuteError),
    /// The front end failed.
    #[error("{0}")]
    Parse(#[from] c_syntax::ParseError),
    /// No faults can be put into a program.
    #[error("{0}")]
    Inject(#[from] inject::InjectError),
    /// A search for repairs, or the session before it, failed.
    #[error("{0}")]
    Repair(String),
}
