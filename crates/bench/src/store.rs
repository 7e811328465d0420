//! The rows of an experiment as JSON lines, written as they come, so that it
//! can be stopped at any time and goes on where it was.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::BenchError;

/// A file of rows, and what is in it.
pub struct Store<R> {
    path: PathBuf,
    inner: Mutex<(File, Vec<R>)>,
}

impl<R: Serialize + DeserializeOwned + Clone> Store<R> {
    /// Opens `folder/name`; a row that was cut short is left out.
    pub fn open(folder: &Path, name: &str) -> Result<Store<R>, BenchError> {
        let path = folder.join(name);
        let failed = |error| BenchError::Io { path: path.display().to_string(), error };
        std::fs::create_dir_all(folder).map_err(failed)?;
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

    /// Rows that were made with another time limit do not go together with new ones.
    pub fn with_limit(self, seconds: f64, limit: impl Fn(&R) -> f64) -> Result<Store<R>, BenchError> {
        match self.rows().iter().map(limit).find(|other| *other != seconds) {
            Some(limit) => {
                let folder = self.path.parent().unwrap_or(&self.path).display().to_string();
                Err(BenchError::OtherLimit { folder, limit })
            }
            None => Ok(self),
        }
    }

    /// Adds a row.
    pub fn add(&self, row: R) -> Result<(), BenchError> {
        let (file, rows) = &mut *self.inner.lock().expect("nobody panics with the lock");
        let line = serde_json::to_string(&row).expect("it is plain data");
        rows.push(row);
        writeln!(file, "{line}").map_err(|error| BenchError::Io { path: self.path.display().to_string(), error })
    }

    /// All rows.
    pub fn rows(&self) -> Vec<R> {
        self.inner.lock().expect("nobody panics with the lock").1.clone()
    }
}
