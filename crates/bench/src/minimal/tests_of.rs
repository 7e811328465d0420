//! Tests that lie next to a program: what is read and what should be printed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use c_syntax::Source;
use execute::interpreter::Interpreter;
use execute::{Executor, Input, RunOptions, Stop, Until};
use serde::{Deserialize, Serialize};

/// Statements that a run may take.
const LONGEST: u64 = 20_000_000;

/// An input and what should be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The file that is read as standard input.
    pub input: PathBuf,
    /// The file with what should be printed.
    pub output: PathBuf,
}

/// How many tests a program passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// Those that it passes.
    pub passed: usize,
    /// All.
    pub all: usize,
}

/// The tests of a folder: `input-pos1` belongs to `output-pos1`, and so on.
pub(super) fn find(folder: &Path) -> Vec<Test> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut tests: Vec<Test> = entries.filter_map(|entry| test(&entry.ok()?.path())).collect();
    tests.sort_by(|a, b| a.input.cmp(&b.input));
    tests
}

fn test(input: &Path) -> Option<Test> {
    let name = input.file_name()?.to_str()?;
    let is_input = name.starts_with("input-") || name.starts_with("heldout-input-");
    let output = input.with_file_name(name.replacen("input-", "output-", 1));
    (is_input && output.is_file()).then(|| Test { input: input.into(), output })
}

/// Runs a text on all tests; words are compared, not the blanks between them.
pub(super) fn run(path: &Path, text: &[u8], tests: &[Test]) -> Option<Passed> {
    let program = ir::load_text(Arc::new(Source::new(path, text.to_vec()))).ok().filter(|_| !tests.is_empty())?;
    let program = Arc::new(program);
    let passes = |test: &&Test| {
        let input = std::fs::read(&test.input).ok()?;
        let expected = std::fs::read(&test.output).ok()?;
        let options = RunOptions { input: Input::Bytes(input), max_steps: LONGEST, ..RunOptions::default() };
        let mut interpreter = Interpreter::start(program.clone(), &options).ok()?;
        if interpreter.position().step().is_some() {
            interpreter.resume(&Until::End, &Default::default()).ok()?;
        }
        let ended = matches!(interpreter.position(), Stop::Exited(_));
        Some(ended && words(&interpreter.output().ok()?) == words(&expected))
    };
    let passed = tests.iter().filter(|test| passes(test) == Some(true)).count();
    Some(Passed { passed, all: tests.len() })
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}
