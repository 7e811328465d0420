//! The sessions of the paper, as scripts under `examples/`: both engines must
//! give the transcript and the pictures that are kept next to them.

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("the examples")
}

fn check(name: &str) {
    for engine in ["gdb", "interpreter"] {
        let directory = tempfile::tempdir().expect("a directory");
        let file = |ending: &str| examples().join(format!("{name}.{ending}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
        command.arg("debug").arg(file("c")).args(["--engine", engine, "--script"]).arg(file("script"));
        let output = command.current_dir(directory.path()).output().expect("it runs");
        assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
        expect_file![file("transcript")].assert_eq(&String::from_utf8_lossy(&output.stdout));
        for program in written(directory.path(), "c") {
            runs_through(&program);
        }
        for picture in pictures(directory.path()) {
            let name = picture.file_name().expect("a file").to_owned();
            let drawn = std::fs::read_to_string(&picture).expect("a picture");
            expect_file![examples().join("pictures").join(name)].assert_eq(&drawn);
        }
    }
}

fn written(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

fn pictures(directory: &Path) -> Vec<PathBuf> {
    written(directory, "svg")
}

/// What `rewrite` wrote compiles without warnings and runs to its end.
fn runs_through(program: &Path) {
    let binary = program.with_extension("");
    let compiled = Command::new("gcc").args(["-Wall", "-Werror", "-o"]).arg(&binary).arg(program).output();
    let compiled = compiled.expect("gcc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new("timeout").arg("10").arg(&binary).output().expect("it runs");
    assert!(run.status.success(), "{run:?}");
}

/// Section 2.1: two repairs, and the guard that the paper's own repair lacks.
#[test]
fn reversing_a_list() {
    check("reverse");
}

/// The repaired file of the first figure reverses lists of any length, empty ones too.
#[test]
fn the_repaired_reversal_works_for_other_lists() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
    command.arg("debug").arg(examples().join("reverse.c")).args(["--engine", "interpreter", "--script"]);
    let output = command.arg(examples().join("reverse.script")).current_dir(directory.path()).output();
    assert!(output.expect("it runs").status.success());
    let fixed = std::fs::read_to_string(directory.path().join("reverse_fixed.c")).expect("it was written");
    let calls = "    push(2);\n    push(4);\n    push(8);\n    push(10);\n";
    assert!(fixed.contains(calls));
    for length in 0..=10 {
        let pushes: String = (1..=length).map(|number| format!("    push({number});\n")).collect();
        let program = directory.path().join(format!("list{length}.c"));
        std::fs::write(&program, fixed.replace(calls, &pushes)).expect("it can be written");
        runs_through(&program);
        let run = Command::new(program.with_extension("")).output().expect("it runs");
        let expected: String = (1..=length).map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim_end(), expected.trim_end());
    }
}

/// Section 5.3.
#[test]
fn deleting_the_middle() {
    check("delete_middle");
}

/// Section 6.2.
#[test]
fn hopping_between_checkpoints() {
    check("hopping");
}

/// Section 6.1.
#[test]
fn concrete_statements() {
    check("concrete_calls");
}

/// Specification slicing, of the first paper.
#[test]
fn slicing_the_specification() {
    check("slicing");
}
