//! The versions of TCAS (Siemens suite), each compared with the original for
//! all arguments of the command line.
//!
//! The folder is laid out as it was published: `source.alt/source.orig/tcas.c`
//! and `versions.alt/versions.orig/vN/tcas.c`, or `source/tcas.c` and
//! `versions/vN/tcas.c`.

use std::path::{Path, PathBuf};

use super::{Options, Row, Version};
use crate::BenchError;

const LAYOUTS: [(&str, &str); 2] = [("source.alt/source.orig", "versions.alt/versions.orig"), ("source", "versions")];

/// Repairs all versions.
pub fn run(options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut versions = find(&options.folder)?;
    if let Some(filter) = &options.filter {
        versions.retain(|version| version.name == *filter);
        if versions.is_empty() {
            return Err(crate::programs::filtered(std::slice::from_ref(&options.folder), filter));
        }
    }
    super::run(&versions, "tcas.jsonl", options)
}

/// All versions, in the order of their numbers.
pub fn find(folder: &Path) -> Result<Vec<Version>, BenchError> {
    let there = |(source, versions): (&str, &str)| {
        let reference = folder.join(source).join("tcas.c");
        reference.is_file().then(|| (reference, folder.join(versions)))
    };
    let Some((reference, versions)) = LAYOUTS.into_iter().find_map(there) else {
        return Err(BenchError::NoFolder(folder.join("source.alt/source.orig/tcas.c").display().to_string()));
    };
    let entries =
        std::fs::read_dir(&versions).map_err(|error| BenchError::Io { path: versions.display().to_string(), error })?;
    let mut found: Vec<(u32, PathBuf)> = entries.filter_map(|entry| numbered(&entry.ok()?.path())).collect();
    found.sort();
    let version = |(number, program): (u32, PathBuf)| Version {
        name: format!("v{number}"),
        program,
        reference: reference.clone(),
        tests: vec![],
    };
    Ok(found.into_iter().map(version).collect())
}

fn numbered(folder: &Path) -> Option<(u32, PathBuf)> {
    let number = folder.file_name()?.to_str()?.strip_prefix('v')?.parse().ok()?;
    let program = folder.join("tcas.c");
    program.is_file().then_some((number, program))
}
