//! All minimal mutation repairs of programs that come with a right one: the
//! 41 versions of TCAS, and programs of contests (Codeflaws).
//!
//! Each program is repaired so that it does the same as its reference for all
//! inputs up to a bound, and every repair is checked once more from its text.
//! [`tcas`] and [`codeflaws`] know where the files are, [`row`] measures one
//! program, [`summary`] and [`compare`] are the tables.

pub mod codeflaws;
mod compare;
mod options;
mod published;
mod row;
mod summary;
pub mod tcas;
mod tests_of;

use std::path::PathBuf;

pub use compare::Compared;
pub use options::{Options, level_number, way_name};
pub use row::{Row, Times};
pub use summary::Summary;
pub(crate) use summary::{median, time};
pub use tests_of::{Passed, Test};

use crate::BenchError;
use crate::parallel::{bar, in_parallel};
use crate::store::Store;
use repair::strategy::minimal::Way;

/// A faulty program with its reference.
#[derive(Clone, Debug)]
pub struct Version {
    /// What it is called.
    pub name: String,
    /// The faulty program.
    pub program: PathBuf,
    /// The right one.
    pub reference: PathBuf,
    /// Inputs with what should be printed; none are needed.
    pub tests: Vec<Test>,
}

/// Repairs all versions in all ways that are asked for; what is in `file` of the output folder is not done again.
fn run(versions: &[Version], file: &str, options: &Options) -> Result<Vec<Row>, BenchError> {
    let open = |folder| Store::open(folder, file)?.with_limit(options.timeout.as_secs_f64(), |row: &Row| row.limit);
    let store = options.output.as_deref().map(open).transpose()?;
    let done: Vec<Row> = store.as_ref().map(Store::rows).unwrap_or_default();
    let work: Vec<(&Version, Way)> =
        versions.iter().flat_map(|version| options.ways.iter().map(move |way| (version, *way))).collect();
    let bar = bar(work.len(), "versions");
    let rows = in_parallel(options.jobs, &work, |(version, way)| {
        let known = done.iter().find(|row| row.version == version.name && row.is_of(*way, options));
        let row = match known {
            Some(row) => Ok(row.clone()),
            None => {
                let row = row::measure(version, *way, options);
                store.as_ref().map_or(Ok(()), |store| store.add(row.clone())).map(|()| row)
            }
        };
        bar.inc(1);
        row
    });
    bar.finish_and_clear();
    rows.into_iter().collect()
}
