//! Programs with the inputs that their comments name.
//!
//! ```text
//! //~ INPUT: 3 1 4        arguments of a run; nothing after the colon means none
//! //~ UNSEEN: 9 8 7       arguments that a specification never uses
//! //~ STDIN: 5\n6\n       what the program reads
//! ```
//!
//! A file `x.stdin` next to `x.c` is what it reads, too.

use std::path::{Path, PathBuf};

use crate::BenchError;

/// A program with its inputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The C file.
    pub path: PathBuf,
    /// Arguments of each run: those that a specification may use, then the others.
    pub inputs: Vec<Vec<String>>,
    /// How many of them a specification may use.
    pub seen: usize,
    /// What it reads.
    pub stdin: Vec<u8>,
}

/// All programs below these folders, in order of their paths.
pub fn find(paths: &[PathBuf], filter: Option<&str>) -> Result<Vec<Case>, BenchError> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    let wanted = |path: &&PathBuf| filter.is_none_or(|text| path.to_string_lossy().contains(text));
    let cases: Result<Vec<Case>, BenchError> = files.iter().filter(wanted).map(|path| read(path)).collect();
    let cases = cases?;
    match (cases.is_empty(), filter) {
        (true, Some(filter)) => Err(filtered(paths, filter)),
        (true, None) => Err(BenchError::NoPrograms(names(paths))),
        (false, _) => Ok(cases),
    }
}

/// The filter leaves nothing of these folders.
pub(crate) fn filtered(paths: &[PathBuf], filter: &str) -> BenchError {
    BenchError::Filtered { folders: names(paths), filter: filter.into() }
}

fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), BenchError> {
    let failed = |error| BenchError::Io { path: path.display().to_string(), error };
    if path.join("case.json").exists() {
        // A case of `integers`: its programs are faulty, or have no `main`.
    } else if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(failed)? {
            collect(&entry.map_err(failed)?.path(), files)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "c") {
        files.push(path.to_path_buf());
    } else if !path.exists() {
        return Err(BenchError::NoFolder(path.display().to_string()));
    }
    Ok(())
}

fn read(path: &Path) -> Result<Case, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| BenchError::Io { path: path.display().to_string(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let mut inputs: Vec<Vec<String>> = marks(&text, "INPUT").map(words).collect();
    let seen = inputs.len().max(1);
    inputs.extend(marks(&text, "UNSEEN").map(words));
    if inputs.is_empty() {
        inputs.push(Vec::new());
    }
    let beside = std::fs::read(path.with_extension("stdin")).ok();
    let stdin = marks(&text, "STDIN").next().map(unescape);
    Ok(Case { path: path.to_path_buf(), inputs, seen, stdin: stdin.or(beside).unwrap_or_default() })
}

/// What stands after each `//~ NAME:`.
pub fn marks<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let (_, mark) = line.split_once("//~ ")?;
        mark.strip_prefix(name)?.strip_prefix(':').map(|value| value.strip_prefix(' ').unwrap_or(value))
    })
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.trim_end().chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some(other) => bytes.extend(other.to_string().bytes()),
                None => bytes.push(b'\\'),
            },
            c => bytes.extend(c.to_string().bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_integers_are_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/integers");
        assert!(matches!(find(&[folder], None), Err(BenchError::NoPrograms(_))));
    }

    #[test]
    fn marks_are_read() {
        let text = "//~ INPUT: 1 2\n//~ INPUT:\nx(); //~ FAULT: null\n//~ STDIN: a\\nb\\n";
        assert_eq!(marks(text, "INPUT").collect::<Vec<_>>(), ["1 2", ""]);
        assert_eq!(marks(text, "FAULT").collect::<Vec<_>>(), ["null"]);
        assert_eq!(unescape(marks(text, "STDIN").next().expect("a mark")), b"a\nb\n");
    }
}
