//! The fault experiment on one program: what comes of it, and that it goes on where it was.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::faults::{Class, Mode, Options, Search, run};
use bench::user::Detail;

fn options(output: PathBuf) -> Options {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/small");
    Options {
        paths: vec![programs],
        filter: Some("b01".into()),
        classes: vec![Class::PAPER[0]],
        versions: 2,
        mode: Mode::Localized,
        search: Search::Default,
        detail: Detail::Loops,
        jobs: 1,
        seed: 1,
        limit: Duration::from_secs(20),
        output,
    }
}

#[test]
fn faults_are_repaired_and_nothing_is_done_twice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = options(folder.path().to_path_buf());
    let summary = run(&options).expect("the program is right");
    assert_eq!((summary.total.versions, summary.total.repaired, summary.total.correct), (2, 2, 2));
    let rows = || std::fs::read_to_string(folder.path().join("faults.jsonl")).expect("there are rows");
    let whole = rows();
    assert_eq!(run(&options).expect("again").total.versions, 2);
    assert_eq!(rows(), whole, "what is done is not done again");
    // A run that was killed in the middle of a row.
    let first = whole.find('\n').expect("a line") + 1;
    std::fs::write(folder.path().join("faults.jsonl"), &whole[..first + 20]).expect("it can be written");
    assert_eq!(run(&options).expect("it goes on").total.versions, 2);
    assert_eq!(rows().lines().count(), 3);
}
