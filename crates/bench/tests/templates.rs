//! Diagnoses and template repairs of the programs of `programs/integers`, as
//! data, and the diagnoses once more by brute force.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::integers::template::{Options, failing, run, wanted};
use bench::integers::{Case, find};
use check::{Example, Task};
use expect_test::expect_file;
use localize::diagnosis::{Component, Diagnoses, diagnose, goes_well};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/integers")
}

/// Their formulas are large: `wolverine bench integers --method template` has them too.
const SLOW: [&str; 10] = ["09-", "10-", "11-", "12-", "15-", "18-", "27-", "33-", "34-", "36-"];

/// Every set was confirmed by the interpreter, and every repair was tried on all inputs.
#[test]
fn diagnoses_and_repairs() {
    let options = Options { folder: folder(), filter: None, max_size: 2, timeout: Duration::from_secs(60), jobs: 2 };
    let summary = run(&options, &|name| !SLOW.iter().any(|slow| name.starts_with(slow)));
    let summary = summary.expect("all programs can be read");
    expect_file!["golden/templates.txt"].assert_eq(&summary.to_string());
    assert!(summary.cases.iter().all(|case| case.refused == 0 && case.is_complete));
    assert!(summary.cases.iter().all(|case| case.repair.is_none() || case.is_right));
    let ((one, ones), (two, twos)) = (summary.repaired(1), summary.repaired(2));
    assert!(one >= 35 && two >= 9, "{one} of {ones}, {two} of {twos}");
}

/// Values that brute force tries in the place of an expression.
const VALUES: [i128; 7] = [-1, 0, 1, 2, 3, 4, 60];
/// An expression that is evaluated more often than this is not explained by brute force.
const MOST: usize = 24;

/// Whatever brute force explains has a reported set inside of it.
#[test]
fn no_set_is_missed() {
    let mut explained = 0;
    for case in find(&folder()).expect("all cases can be read") {
        if ["01-", "02-", "28-", "40-", "46-", "60-", "63-", "67-"].iter().any(|name| case.name().starts_with(name)) {
            explained += c_syntax::with_deep_stack(|| compare(&case));
        }
    }
    assert!(explained > 40, "brute force explains something: {explained}");
}

fn compare(case: &Case) -> usize {
    let (task, examples) = failing(case).expect("the program goes wrong");
    let found = diagnose(&task, &examples, &wanted(2)).expect("the program is small");
    let all: Vec<&Component> = found.components.iter().collect();
    let mut explained = 0;
    for (first, one) in all.iter().enumerate() {
        for (second, other) in all.iter().enumerate().skip(first) {
            let (set, numbers) =
                if first == second { (vec![*one], vec![first]) } else { (vec![*one, *other], vec![first, second]) };
            if examples.iter().all(|example| some_values_do(&task, &set, example)) {
                explained += 1;
                assert!(has_part(&found, &numbers), "{}: {numbers:?} of {:?}", case.name(), found.found);
            }
        }
    }
    explained
}

/// Whether some reported set is a part of this one.
fn has_part(found: &Diagnoses, set: &[usize]) -> bool {
    found.found.iter().any(|known| known.components.iter().all(|number| set.contains(number)))
}

/// Whether an input goes well with some value of each expression, the same each time or another one the first time.
fn some_values_do(task: &Task, set: &[&Component], example: &Example) -> bool {
    let rows: Vec<Vec<i128>> = VALUES.iter().flat_map(|first| VALUES.map(|rest| row(*first, rest))).collect();
    match set {
        [one] => rows.iter().any(|row| goes_well(task, &[one], std::slice::from_ref(row), example)),
        pair => {
            let constant: Vec<Vec<i128>> = VALUES.iter().map(|value| row(*value, *value)).collect();
            constant.iter().any(|a| constant.iter().any(|b| goes_well(task, pair, &[a.clone(), b.clone()], example)))
        }
    }
}

fn row(first: i128, rest: i128) -> Vec<i128> {
    std::iter::once(first).chain(std::iter::repeat_n(rest, MOST - 1)).collect()
}
