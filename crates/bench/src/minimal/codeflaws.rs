//! Programs of contests with the version that was accepted later (Codeflaws).
//!
//! A folder `71-A-bug-18-19` has `71-A-18.c`, which is faulty, `71-A-19.c`,
//! and perhaps tests (`input-neg1` with `output-neg1`, `heldout-input-pos1`,
//! …). These are not given to the search; a repair is run on them afterwards.

use std::path::Path;

use super::{Options, Row, Version, tests_of};
use crate::BenchError;

/// Repairs all programs.
pub fn run(options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut versions = find(&options.folder)?;
    if let Some(filter) = &options.filter {
        versions.retain(|version| version.name.contains(filter));
        if versions.is_empty() {
            return Err(crate::programs::filtered(std::slice::from_ref(&options.folder), filter));
        }
    }
    super::run(&versions, "codeflaws.jsonl", options)
}

/// All programs of a folder, in order of their names.
pub fn find(folder: &Path) -> Result<Vec<Version>, BenchError> {
    let entries = std::fs::read_dir(folder).map_err(|_| BenchError::NoFolder(folder.display().to_string()))?;
    let mut found: Vec<Version> = entries.filter_map(|entry| version(&entry.ok()?.path())).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() {
        return Err(BenchError::NoPrograms(folder.display().to_string()));
    }
    Ok(found)
}

fn version(folder: &Path) -> Option<Version> {
    let name = folder.file_name()?.to_str()?.to_string();
    let (problem, numbers) = name.split_once("-bug-")?;
    let (faulty, accepted) = numbers.split_once('-')?;
    let [program, reference] = [faulty, accepted].map(|number| folder.join(format!("{problem}-{number}.c")));
    if !program.is_file() || !reference.is_file() {
        return None;
    }
    Some(Version { name, program, reference, tests: tests_of::find(folder) })
}
