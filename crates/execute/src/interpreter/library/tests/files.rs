//! Files and standard streams.

use super::{Lab, Outcome};
use crate::FaultKind;

#[test]
fn a_file_is_written_and_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("numbers.txt");
    let mut lab = Lab::new(b"");
    let (name, write, read) = (lab.text(path.as_os_str().as_encoded_bytes()), lab.text(b"w"), lab.text(b"r"));
    let (format, pattern, place) = (lab.text(b"%d %s\n"), lab.text(b"%d"), lab.room(4));
    let word = lab.text(b"apples");
    let file = lab.value("fopen", &[name, write]);
    lab.int("fprintf", &[file, format, 12, word]);
    assert_eq!(lab.int("fclose", &[file]), 0);
    assert_eq!(std::fs::read_to_string(&path).expect("written"), "12 apples\n");

    let file = lab.value("fopen", &[name, read]);
    assert_eq!(lab.int("fscanf", &[file, pattern, place]), 1);
    assert_eq!(lab.value("ftell", &[file]), 2);
    let line = lab.room(32);
    assert_eq!(lab.value("fgets", &[line, 32, file]), line);
    assert_eq!(lab.read(line), " apples\n");
    assert_eq!(lab.int("feof", &[file]), 0);
    assert_eq!(lab.int("fgetc", &[file]), -1);
    assert_eq!(lab.int("feof", &[file]), 1);
    lab.value("rewind", &[file]);
    assert_eq!(lab.int("fgetc", &[file]), i32::from(b'1'));
    assert_eq!(lab.int("fseek", &[file, (-2i64) as u64, 2]), 0);
    assert_eq!(lab.int("fgetc", &[file]), i32::from(b's'));
    lab.int("fclose", &[file]);
    assert_eq!(lab.call("fgetc", &[file]).map_err(|t| t.kind), Err(FaultKind::Dangling));
}

#[test]
fn appending_and_updating_keep_what_is_there() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log");
    std::fs::write(&path, "one\n").expect("writable");
    let mut lab = Lab::new(b"");
    let (name, append, update) = (lab.text(path.as_os_str().as_encoded_bytes()), lab.text(b"a"), lab.text(b"r+b"));
    let two = lab.text(b"two\n");
    let file = lab.value("fopen", &[name, append]);
    assert_eq!(lab.int("fputs", &[two, file]), 1);
    lab.state.close_all();
    assert_eq!(std::fs::read_to_string(&path).expect("written"), "one\ntwo\n");
    let file = lab.value("fopen", &[name, update]);
    assert_eq!(lab.int("fputc", &[u64::from(b'O'), file]), i32::from(b'O'));
    assert_eq!(lab.int("fgetc", &[file]), i32::from(b'n'));
    lab.int("fflush", &[file]);
    assert_eq!(std::fs::read_to_string(&path).expect("written"), "One\ntwo\n");
}

#[test]
fn structures_go_through_files_with_their_padding() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("records");
    let mut lab = Lab::new(b"");
    let (name, mode) = (lab.text(path.as_os_str().as_encoded_bytes()), lab.text(b"w+b"));
    let (record, copy) = (lab.room(16), lab.room(16));
    lab.memory.store(record, 1, 5).expect("inside");
    lab.memory.store(record + 8, 8, 77).expect("inside");
    let file = lab.value("fopen", &[name, mode]);
    assert_eq!(lab.value("fwrite", &[record, 16, 1, file]), 1);
    lab.value("rewind", &[file]);
    assert_eq!(lab.value("fread", &[copy, 16, 3, file]), 1);
    assert_eq!(lab.memory.load(copy + 8, 8), Ok(77));
}

#[test]
fn a_file_that_is_not_there_sets_errno() {
    let mut lab = Lab::new(b"");
    let (name, mode) = (lab.text(b"/no/such/file"), lab.text(b"r"));
    assert_eq!(lab.value("fopen", &[name, mode]), 0);
    let place = lab.value("__errno_location", &[]);
    assert_eq!(lab.memory.load(place, 4), Ok(2));
    let prefix = lab.text(b"open");
    lab.value("perror", &[prefix]);
    assert_eq!(lab.state.errors(), b"open: No such file or directory\n");
    let text = lab.value("strerror", &[2]);
    assert_eq!(lab.read(text), "No such file or directory");
    assert_eq!(lab.call("fgetc", &[0]).map_err(|t| t.kind), Err(FaultKind::Null));
}

#[test]
fn lines_are_read_from_standard_input() {
    let mut lab = Lab::new(b"first\nsecond line\nx");
    let (buffer, stdin) = (lab.room(64), lab.stdin);
    assert_eq!(lab.value("fgets", &[buffer, 4, stdin]), buffer);
    assert_eq!(lab.read(buffer), "fir");
    assert_eq!(lab.value("gets", &[buffer]), buffer);
    assert_eq!(lab.read(buffer), "st");
    assert_eq!(lab.int("ungetc", &[u64::from(b'S'), stdin]), i32::from(b'S'));
    let (place, size) = (lab.room(8), lab.room(8));
    lab.memory.store(place, 8, 0).expect("inside");
    lab.memory.store(size, 8, 0).expect("inside");
    assert_eq!(lab.value("getline", &[place, size, stdin]), 13);
    let line = lab.memory.load(place, 8).expect("stored");
    assert_eq!(lab.read(line), "Ssecond line\n");
    assert_eq!(lab.value("fgets", &[buffer, 64, stdin]), buffer);
    assert_eq!(lab.value("fgets", &[buffer, 64, stdin]), 0);
    assert_eq!(lab.read(buffer), "x");
}

#[test]
fn a_copy_of_the_state_reads_and_writes_on_its_own() {
    let mut lab = Lab::new(b"ab");
    lab.int("putchar", &[u64::from(b'1')]);
    assert_eq!(lab.int("getchar", &[]), i32::from(b'a'));
    let saved = lab.state.clone();
    assert_eq!(lab.int("getchar", &[]), i32::from(b'b'));
    lab.int("putchar", &[u64::from(b'2')]);
    lab.state = saved;
    assert_eq!(lab.int("getchar", &[]), i32::from(b'b'));
    assert_eq!(lab.output(), "1");
}

#[test]
fn files_as_input_are_read_too() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("input");
    std::fs::write(&path, "7 8").expect("writable");
    let mut lab = Lab::new(b"");
    lab.state = super::State::new(&crate::Input::File(path), crate::Output::Capture).expect("it exists");
    let (format, place) = (lab.text(b"%d"), lab.room(4));
    assert_eq!(lab.int("scanf", &[format, place]), 1);
    assert_eq!(lab.call("scanf", &[format, place]), Ok(Outcome::Value(1)));
    assert_eq!(lab.memory.load(place, 4), Ok(8));
    assert!(super::State::new(&crate::Input::File("/no/such".into()), crate::Output::Capture).is_err());
}
