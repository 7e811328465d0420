//! `check` against an independent bounded model checker.
//!
//! `WOLVERINE_CBMC` is the program; without it nothing is compared. Overflow of
//! signed numbers is no violation for either: it wraps.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use check::{Options, Task, Verdict, check};

use crate::generate::Wish;
use crate::{compare, each_case, number};

/// Rounds and calls that neither reaches in the programs that are compared.
const UNWIND: u32 = 8;

/// The text with cbmc's own assumptions: a function around them has no effect where it has no prototype.
fn for_cbmc(text: &str) -> String {
    let declares = |line: &&str| line.starts_with("extern void __VERIFIER_assume");
    let lines = text.lines().filter(|line| !declares(line));
    lines
        .map(|line| line.replace("__VERIFIER_assume(", "__CPROVER_assume(") + "\n")
        .chain([ASSERT.to_string()])
        .collect()
}

/// cbmc does not know the function that asserts.
const ASSERT: &str = "void __VERIFIER_assert(int holds) { __CPROVER_assert(holds, \"asserted\"); }\n";

/// Whether cbmc finds that nothing goes wrong; an error is what it says otherwise.
fn holds(cbmc: &str, text: &str, entry: &str, unwind: u32) -> Result<bool, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, for_cbmc(text)).expect("the folder is writable");
    let unwind = (unwind + 1).to_string();
    let output = Command::new("timeout")
        .args(["10", cbmc])
        .arg(&path)
        .args(["--function", entry, "--unwind", &unwind, "--unwinding-assertions", "--no-standard-checks"])
        .args(["--bounds-check", "--pointer-check", "--div-by-zero-check", "--undefined-shift-check"])
        .args(["--no-malloc-may-fail", "--slice-formula"])
        .output()
        .expect("cbmc starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0) => Ok(true),
        Some(10) => Ok(false),
        code => Err(format!("{code:?} {said} {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The same of `check`; `None` where it does not say.
fn ours(task: &Task) -> Option<bool> {
    match c_syntax::with_deep_stack(|| check(task)) {
        Verdict::Holds(proof) => proof.is_whole().then_some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::Nothing => Some(true),
        Verdict::BoundTooSmall(_) => Some(false),
        Verdict::OutOfTime(_) => None,
    }
}

#[test]
fn random_programs() {
    let Ok(cbmc) = std::env::var("WOLVERINE_CBMC") else {
        println!("WOLVERINE_CBMC is not set: nothing is compared");
        return;
    };
    let texts = number("WOLVERINE_PROGRAMS", 24).div_ceil(crate::MAINS as u64);
    let (mut same, mut wrong, mut open, mut different) = (0, 0, 0, vec![]);
    each_case(texts, Wish { undefined: false, shifts: false }, |case, unit, program| {
        let Some(side) = compare::side(unit, program, &case.main) else { return };
        let mut options = Options { timeout: std::time::Duration::from_secs(10), ..Options::default() };
        options.bounds.unwind = UNWIND;
        options.bounds.terms = 60_000;
        let task = Task { program: side, reference: None, options, contract: None, notices: vec![] };
        let Some(ours) = ours(&task) else {
            open += 1;
            return;
        };
        match holds(&cbmc, &case.text, &case.main, UNWIND) {
            Ok(theirs) if theirs == ours => {
                same += 1;
                wrong += u32::from(!ours);
            }
            Ok(theirs) => different.push(format!("{} {}: ours {ours}, cbmc {theirs}", case.seed, case.main)),
            Err(why) => {
                println!("{} {}: {}", case.seed, case.main, why.lines().last().unwrap_or_default());
                open += 1;
            }
        }
    });
    println!("{same} verdicts are the same, {wrong} of them fail; {open} are open");
    assert!(different.is_empty(), "{different:#?}");
}

/// Programs of `programs/integers`, faulty and repaired, without their references. cbmc does not know what programs read.
#[test]
fn integer_programs() {
    let Ok(cbmc) = std::env::var("WOLVERINE_CBMC") else {
        println!("WOLVERINE_CBMC is not set: nothing is compared");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/integers");
    let mut folders: Vec<_> = std::fs::read_dir(root).expect("they are there").flatten().map(|e| e.path()).collect();
    folders.sort();
    let (mut same, mut wrong, mut open, mut different) = (0, 0, 0, vec![]);
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join("case.json")) else { continue };
        let case: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        if ["stdin", "arguments"].iter().any(|reads| !case[*reads].is_null()) {
            continue;
        }
        let Ok(faulty) = std::fs::read_to_string(folder.join("faulty.c")) else { continue };
        for (kind, text) in [("faulty", faulty.clone()), ("repaired", repaired(&faulty, &case))] {
            let name = format!("{} {kind}", folder.file_name().unwrap_or_default().to_string_lossy());
            let source = Arc::new(c_syntax::Source::new(folder.join("faulty.c"), text.into_bytes()));
            let Some(task) = task(source, &case) else {
                println!("{name}: no driver");
                open += 1;
                continue;
            };
            let entry = if task.program.is_driven() { "wolverine_driver" } else { "main" };
            let text = String::from_utf8_lossy(&task.program.source().bytes).into_owned();
            let unwind = task.options.bounds.unwind;
            match (ours(&task), holds(&cbmc, &text, entry, unwind)) {
                (Some(ours), Ok(theirs)) if ours == theirs => {
                    same += 1;
                    wrong += u32::from(!ours);
                }
                (Some(ours), Ok(theirs)) => different.push(format!("{name}: ours {ours}, cbmc {theirs}")),
                (ours, theirs) => {
                    let theirs = theirs.map_err(|why| why.lines().last().unwrap_or_default().to_string());
                    println!("{name}: ours {ours:?}, cbmc {theirs:?}");
                    open += 1;
                }
            }
        }
    }
    println!("{same} verdicts are the same, {wrong} of them fail; {open} are open");
    assert!(different.is_empty(), "{different:#?}");
}

/// The text with the changes that the case tells.
fn repaired(text: &str, case: &serde_json::Value) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    for change in case["changes"].as_array().into_iter().flatten() {
        let (Some(line), Some(is), Some(should_be)) =
            (change["line"].as_u64(), change["is"].as_str(), change["should_be"].as_str())
        else {
            continue;
        };
        lines[line as usize - 1] = lines[line as usize - 1].replacen(is, should_be, 1);
    }
    lines.join("\n") + "\n"
}

/// The task of a case, with the inputs that it assumes.
fn task(source: Arc<c_syntax::Source>, case: &serde_json::Value) -> Option<Task> {
    let entry = case["entry"].as_str()?;
    let strings = |key: &str| -> Vec<String> {
        let items = case[key].as_array().into_iter().flatten();
        items.filter_map(|item| item.as_str().map(String::from)).collect()
    };
    let dimensions = case["parameters"].as_array().into_iter().flatten();
    let length = dimensions.filter_map(|parameter| parameter["dimensions"][0].as_u64()).max().unwrap_or(3);
    let mut options = Options { length, timeout: std::time::Duration::from_secs(20), ..Options::default() };
    options.entry = (entry != "main").then(|| entry.to_string());
    options.assume = strings("assume");
    options.bounds.unwind = case["unwind"].as_u64().unwrap_or(8) as u32 + 2;
    check::load_sources(&[source], &options).ok()
}
