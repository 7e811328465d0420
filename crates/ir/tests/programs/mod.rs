//! The programs of the project, for tests over all of them.

use std::path::{Path, PathBuf};

use ir::Program;

/// The folders of the project's programs.
pub fn folders() -> Vec<PathBuf> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    ["small", "large", "features"].map(|name| programs.join(name)).into()
}

/// The C files of a folder.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    files
}

/// Loads the files on two threads, as most of the time goes to clang.
pub fn load(paths: &[PathBuf]) -> Vec<Option<Program>> {
    let (first, second) = paths.split_at(paths.len() / 2);
    let load = |paths: &[PathBuf]| paths.iter().map(|path| ir::load(path).ok()).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| load(first));
        let second = load(second);
        let mut all = thread.join().expect("loading does not panic");
        all.extend(second);
        all
    })
}
