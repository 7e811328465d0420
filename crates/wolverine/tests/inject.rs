//! `wolverine inject`: files, notes, what it prints, and its errors.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn programs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(name)
}

fn inject(folder: &TempDir, program: &Path, more: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
    command.arg("inject").arg(program).args(more).arg("-o").arg(folder.path().join("faults")).stdin(Stdio::null());
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let status = output.status.code().expect("it was not killed");
    Ran { status, out: text(output.stdout), err: text(output.stderr) }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path().join("faults")).expect("the folder was made");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn versions_and_notes_are_written() {
    let (folder, program) = (folder(), programs("small/b05_sorted_insert_singly.c"));
    let ran = inject(&folder, &program, &["--change", "1", "--delete", "1", "--count", "2", "--seed", "3"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let stem = "b05_sorted_insert_singly";
    let files = [1, 2].map(|n| [format!("{stem}_0{n}.c"), format!("{stem}_0{n}.json")]).concat();
    assert_eq!(names(&folder), files);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("faults").join(name)).expect("it is readable");
    let note: Value = serde_json::from_str(&read(&files[1])).expect("a note is JSON");
    assert_eq!((&note["schema"], &note["seed"], &note["class"]), (&1.into(), &3.into(), &vec![1, 1].into()));
    let faults = note["faults"].as_array().expect("faults");
    assert_eq!(faults.len(), 2);
    for fault in faults {
        let place = |i: usize| fault["faulty"][i].as_u64().expect("a number") as usize;
        assert_eq!(read(&files[0])[place(0)..place(1)], *fault["after"].as_str().expect("text"));
    }
    assert!(note["observed"]["sentence"].as_str().is_some_and(|sentence| sentence.contains(" it ")));
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    assert!(ran.out.contains("2 versions of the class ⟨1, 1⟩ in "), "{}", ran.out);
}

#[test]
fn fewer_versions_than_asked_for_are_a_limit() {
    let (folder, program) = (folder(), programs("small/b10_length_singly.c"));
    let ran = inject(&folder, &program, &["--delete", "1", "--count", "100"]);
    assert_eq!(ran.status, 3, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("of the 100 that were asked for could be found"), "{}", ran.err);
}

#[test]
fn inputs_can_be_given() {
    let (folder, program) = (folder(), programs("small/b05_sorted_insert_singly.c"));
    let ran = inject(&folder, &program, &["--change", "1", "--input", "-1 4", "--input", ""]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let note = std::fs::read_to_string(folder.path().join("faults/b05_sorted_insert_singly_01.json"));
    let note: Value = serde_json::from_str(&note.expect("a note")).expect("a note is JSON");
    let input = &note["observed"]["input"];
    assert!(*input == Value::from(vec!["-1", "4"]) || *input == Value::Array(Vec::new()), "{note}");
}

#[test]
fn errors_are_sentences() {
    let (folder, program) = (folder(), programs("small/b05_sorted_insert_singly.c"));
    let error = |more: &[&str]| {
        let ran = inject(&folder, &program, more);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    assert!(error(&["--change", "1", "--function", "insert"]).contains("there are sorted_insert, print_list, main"));
    assert!(error(&[]).contains("has no fault"));
    assert!(error(&["--change", "1", "--stdin", "/no/such/file"]).contains("cannot read /no/such/file"));
    assert!(!folder.path().join("faults").exists(), "nothing is written after an error");
}
