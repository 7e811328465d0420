//! A few submissions whose outcome is known.

use std::path::PathBuf;

use super::{Options, run};

fn outcome(filter: &str) -> (String, u32) {
    let paths = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs/students")];
    let summary = run(&Options { paths, filter: Some(filter.into()), ..Options::default() }).expect("it runs");
    let [row] = summary.rows.as_slice() else { panic!("{filter} is one submission") };
    (row.outcome.clone(), row.cost)
}

#[test]
fn a_wrong_result_is_fixed() {
    assert_eq!(outcome("reverse/s02.c"), ("fixed".to_string(), 1));
}

#[test]
fn a_crash_is_fixed() {
    assert_eq!(outcome("reverse/s03.c"), ("fixed".to_string(), 1));
}

#[test]
fn what_says_nothing_is_vacuous() {
    assert_eq!(outcome("reverse/s25.c"), ("vacuous".to_string(), 0));
}
