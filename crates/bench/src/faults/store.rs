//! The rows of an experiment, written as they come.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use super::options::{Class, Options};
use super::row::Row;
use crate::BenchError;

/// `DIR/faults.jsonl`, and what was in it.
pub(super) struct Store {
    path: PathBuf,
    inner: Mutex<(File, Vec<Row>)>,
}

impl Store {
    /// Opens the rows of an experiment; a row that was cut short is left out.
    pub fn open(options: &Options) -> Result<Store, BenchError> {
        let path = options.output.join("faults.jsonl");
        let failed = |error| BenchError::Io { path: path.display().to_string(), error };
        std::fs::create_dir_all(&options.output).map_err(failed)?;
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let rows = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).map_err(failed)?;
        }
        Ok(Store { path, inner: Mutex::new((file, rows)) })
    }

    /// The versions of a class that are done already.
    pub fn done(&self, program: &str, class: Class, options: &Options) -> BTreeSet<usize> {
        let (_, rows) = &*self.inner.lock().expect("nobody panics with the lock");
        let class = class.to_string();
        let same = |row: &&Row| row.program == program && row.class == class && is_of(row, options);
        rows.iter().filter(same).map(|row| row.version).filter(|&version| version < options.versions).collect()
    }

    /// Adds a row.
    pub fn add(&self, row: Row) -> Result<(), BenchError> {
        let (file, rows) = &mut *self.inner.lock().expect("nobody panics with the lock");
        let line = serde_json::to_string(&row).expect("it is plain data");
        rows.push(row);
        writeln!(file, "{line}").map_err(|error| BenchError::Io { path: self.path.display().to_string(), error })
    }

    /// All rows.
    pub fn rows(&self) -> Vec<Row> {
        self.inner.lock().expect("nobody panics with the lock").1.clone()
    }
}

/// Whether a row is of this experiment.
pub(super) fn is_of(row: &Row, options: &Options) -> bool {
    row.seed == options.seed
        && row.mode == options.mode.name()
        && row.search == options.search.name()
        && row.detail == options.detail.name()
}
