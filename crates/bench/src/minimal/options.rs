//! What is asked of an experiment with minimal repairs.

use std::path::PathBuf;
use std::time::Duration;

use encode::program::Bounds;
use repair::scheme::mutation::Level;
use repair::strategy::minimal::{Blocking, Wanted, Way};

/// Larger programs are not unrolled: that takes some seconds.
const MOST_ACTIONS: u64 = 500_000;
/// The same for terms.
const MOST_TERMS: usize = 1_000_000;

/// How versions are repaired.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with the versions.
    pub folder: PathBuf,
    /// Only versions whose names contain this.
    pub filter: Option<String>,
    /// Which mutations.
    pub level: Level,
    /// So many at once, at most.
    pub max_size: usize,
    /// How the sets are gone through; with several, each version is repaired in each way.
    pub ways: Vec<Way>,
    /// Time for a search.
    pub timeout: Duration,
    /// Whether the first repair is enough.
    pub first: bool,
    /// How often loops are unrolled.
    pub unwind: u32,
    /// What is assumed of the numbers of standard input and of the command line.
    pub range: Option<(i64, i64)>,
    /// Versions at the same time.
    pub jobs: usize,
    /// The folder for the rows; what is there already is not done again.
    pub output: Option<PathBuf>,
}

impl Options {
    /// What is asked of the search.
    pub(super) fn wanted(&self, way: Way) -> Wanted {
        Wanted {
            level: self.level,
            max_size: self.max_size,
            first: self.first,
            way,
            timeout: self.timeout,
            ..Wanted::default()
        }
    }

    /// What is asked of the check.
    pub(super) fn check(&self) -> check::Options {
        let mut options = check::Options {
            input_ranges: self.range.into_iter().collect(),
            timeout: self.timeout,
            ..check::Options::default()
        };
        options.bounds = Bounds { unwind: self.unwind, actions: MOST_ACTIONS, terms: MOST_TERMS };
        options
    }
}

/// A way as rows and commands name it.
pub fn way_name(way: Way) -> &'static str {
    match way {
        Way::Tree => "tree",
        Way::Enumerate(Blocking::Must) => "must",
        Way::Enumerate(Blocking::Itself) => "itself",
    }
}

/// A level as rows and commands name it.
pub fn level_number(level: Level) -> u8 {
    match level {
        Level::One => 1,
        Level::Two => 2,
        Level::Three => 3,
    }
}
