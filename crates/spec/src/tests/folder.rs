//! A folder of tests: `NAME.in` with `NAME.out` beside it, and tables of calls
//! in `*.calls` and `*.json`.

use std::path::{Path, PathBuf};

/// A whole program's input, and what it must print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOutput {
    /// The name of the test.
    pub name: String,
    /// Standard input.
    pub input: Vec<u8>,
    /// Standard output.
    pub output: Vec<u8>,
}

/// What a folder has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Inputs and outputs of whole programs.
    pub programs: Vec<InputOutput>,
    /// Tables of calls.
    pub tables: Vec<PathBuf>,
    /// Inputs without an output beside them.
    pub alone: Vec<PathBuf>,
}

/// The tests of a folder in the order of their names, or one table.
pub fn read_folder(path: &Path) -> std::io::Result<TestFiles> {
    let mut found = TestFiles::default();
    if path.is_file() {
        found.tables.push(path.into());
        return Ok(found);
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    for file in files {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("calls" | "json") => found.tables.push(file),
            Some("in") => {
                let beside = ["out", "expected"].map(|extension| file.with_extension(extension));
                let Some(output) = beside.iter().find(|output| output.exists()) else {
                    found.alone.push(file);
                    continue;
                };
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.programs.push(InputOutput { name, input: std::fs::read(&file)?, output: std::fs::read(output)? });
            }
            _ => {}
        }
    }
    Ok(found)
}
