//! The rows of an experiment, written as they come.

use std::collections::BTreeSet;

use super::options::{Class, Options};
use super::row::Row;
use crate::BenchError;

/// `DIR/faults.jsonl`, and what was in it.
pub(super) struct Store(crate::store::Store<Row>);

impl Store {
    /// Opens the rows of an experiment.
    pub fn open(options: &Options) -> Result<Store, BenchError> {
        let store = crate::store::Store::open(&options.output, "faults.jsonl")?;
        Ok(Store(store.with_limit(options.limit.as_secs_f64(), |row: &Row| row.limit)?))
    }

    /// The versions of a class that are done already.
    pub fn done(&self, program: &str, class: Class, options: &Options) -> BTreeSet<usize> {
        let class = class.to_string();
        let same = |row: &&Row| row.program == program && row.class == class && is_of(row, options);
        let rows = self.rows();
        rows.iter().filter(same).map(|row| row.version).filter(|&version| version < options.versions).collect()
    }

    /// Adds a row.
    pub fn add(&self, row: Row) -> Result<(), BenchError> {
        self.0.add(row)
    }

    /// All rows.
    pub fn rows(&self) -> Vec<Row> {
        self.0.rows()
    }
}

/// Whether a row is of this experiment.
pub(super) fn is_of(row: &Row, options: &Options) -> bool {
    row.seed == options.seed
        && row.mode == options.mode.name()
        && row.search == options.search.name()
        && row.detail == options.detail.name()
}
