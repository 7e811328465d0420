//! What holds of every version, over programs of `programs/`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use c_syntax::Source;
use inject::{Fault, FaultKind, Injected, Options, inject};

fn load(name: &str) -> Arc<ir::Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    let path: PathBuf = folder.join(name);
    Arc::new(ir::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn make(program: &Arc<ir::Program>, options: &Options) -> Injected {
    inject(program, options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn options(change: usize, delete: usize, count: usize, operators: bool) -> Options {
    Options { change, delete, count, seed: 7, operators, ..Options::default() }
}

/// The faulty text with every replacement taken back; there must be no deletion.
fn undo(text: &[u8], faults: &[Fault]) -> Vec<u8> {
    let mut text = text.to_vec();
    for fault in faults.iter().rev() {
        text.splice(fault.faulty.0 as usize..fault.faulty.1 as usize, fault.before.bytes());
    }
    text
}

fn check(program: &Arc<ir::Program>, options: &Options) -> Injected {
    let injected = make(program, options);
    let original = &program.source.bytes;
    let mut texts = HashSet::from([original.clone()]);
    for version in &injected.versions {
        assert!(texts.insert(version.text.clone()), "the text differs from the original and all others");
        let source = Source::new(program.source.path.clone(), version.text.clone());
        ir::load_text(Arc::new(source)).expect("every version is C");
        let deleted = version.faults.iter().filter(|fault| fault.kind == FaultKind::Deletion).count();
        assert_eq!((version.faults.len() - deleted, deleted), (options.change, options.delete));
        version.faults.iter().for_each(|fault| check_fault(original, &version.text, fault));
        if options.delete == 0 {
            assert_eq!(undo(&version.text, &version.faults), *original, "{:?}", version.faults);
        }
        assert!(!version.observed.sentence.is_empty());
    }
    injected
}

fn check_fault(original: &[u8], text: &[u8], fault: &Fault) {
    let part = |text: &[u8], range: (u32, u32)| {
        String::from_utf8_lossy(&text[range.0 as usize..range.1 as usize]).into_owned()
    };
    assert_eq!(part(text, fault.faulty), fault.after, "{fault:?}");
    assert!(fault.before.starts_with(&part(original, fault.original)), "{fault:?}");
    assert!(fault.statement.contains(&fault.before), "{fault:?}");
    let lines = original[..fault.original.0 as usize].iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(fault.line as usize, lines + 1);
}

#[test]
fn versions_are_what_was_asked_for() {
    for name in ["small/b05_sorted_insert_singly.c", "small/b17_rb_left_rotate.c", "large/l16_quicksort_list.c"] {
        let program = load(name);
        for (change, delete, operators) in [(1, 0, false), (0, 1, false), (1, 1, true), (2, 1, false)] {
            let injected = check(&program, &options(change, delete, 4, operators));
            assert!(injected.versions.len() > 1, "{name} has faults of the class ({change}, {delete})");
            assert_eq!(injected.exhausted, injected.versions.len() < 4);
            let rejected = injected.not_c + injected.unobservable;
            assert_eq!(injected.drawn, injected.versions.len() + rejected);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_first_versions() {
    let program = load("small/b01_reverse_singly.c");
    let texts = |options: &Options| -> Vec<Vec<u8>> {
        make(&program, options).versions.into_iter().map(|version| version.text).collect()
    };
    for (change, delete) in [(1, 0), (1, 1)] {
        let (few, more) = (options(change, delete, 3, false), options(change, delete, 6, false));
        let all = texts(&more);
        assert_eq!(texts(&few), all[..3]);
        assert_ne!(texts(&Options { seed: 8, ..few }), all[..3]);
    }
}

#[test]
fn all_single_changes_are_found() {
    let program = load("small/b10_length_singly.c");
    let texts = |seed: u64| -> HashSet<Vec<u8>> {
        let injected = make(&program, &Options { seed, ..options(1, 0, 1000, false) });
        assert!(injected.exhausted);
        injected.versions.into_iter().map(|version| version.text).collect()
    };
    assert_eq!(texts(1), texts(2));
}

#[test]
fn notes_are_json_and_back() {
    let program = load("small/b05_sorted_insert_singly.c");
    let options = options(1, 1, 1, false);
    let version = make(&program, &options).versions.remove(0);
    let note = inject::Note::new(&program, &options, 1, &version.faults, &version.observed);
    let json = serde_json::to_string(&note).expect("a note is JSON");
    assert!(json.contains("\"schema\":1") && json.contains("\"kind\":\"deletion\""), "{json}");
    assert_eq!(serde_json::from_str::<inject::Note>(&json).expect("and back"), note);
}
