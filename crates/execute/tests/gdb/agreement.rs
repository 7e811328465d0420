//! The interpreter and the binary show the same, statement by statement.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{Executor, Stop, Until};
use memory::agreement;

use super::options;

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(folder);
    let files = std::fs::read_dir(&folder).expect("the programs");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// Numbers this large are addresses that a program took for numbers.
fn is_address(number: i128) -> bool {
    number.unsigned_abs() > 1 << 32
}

/// Runs both to the end, or for `limit` statements, and compares every state.
fn compare(path: &Path, limit: usize) {
    let name = path.file_name().expect("a name").to_string_lossy();
    let program = Arc::new(ir::load(path).expect("a C program"));
    let mut gdb = GdbExecutor::start(program.clone(), &options()).expect("a running program");
    let mut interpreter = Interpreter::start(program.clone(), &options()).expect("a running program");
    let without_code = gdb.steps_without_code();
    for _ in 0..limit {
        while interpreter.position().step().is_some_and(|step| without_code.contains(&step)) {
            interpreter.resume(&Until::Into, &BTreeSet::new()).expect("it runs on");
        }
        if matches!(interpreter.position(), Stop::Fault(_)) {
            // Only the interpreter notices every mistake.
            return;
        }
        assert_eq!(interpreter.position(), gdb.position(), "{name}");
        let exact = interpreter.state().expect("a state");
        let differences = agreement(&exact, &gdb.state().expect("a state"), is_address);
        assert!(differences.is_empty(), "{name}: {}", differences[0]);
        if gdb.position().step().is_none() {
            break;
        }
        interpreter.resume(&Until::Into, &BTreeSet::new()).expect("it runs on");
        gdb.resume(&Until::Into, &BTreeSet::new()).expect("it runs on");
    }
    let (expected, found) = (interpreter.output().expect("output"), gdb.output().expect("output"));
    assert_eq!(String::from_utf8_lossy(&expected), String::from_utf8_lossy(&found), "{name}");
}

#[test]
fn small_programs_look_the_same() {
    for path in programs("small") {
        compare(&path, 400);
    }
}
