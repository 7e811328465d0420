//! The programs of `programs/integers`: every case can be read, the right
//! program passes all inputs, and the faulty one fails on one at least.

use std::path::{Path, PathBuf};

use bench::integers::{Case, Driver, Judge, Observed, find};

/// Inputs that a case has at most, so that all can be tried for many programs.
const MOST: usize = 300;

fn cases() -> Vec<Case> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/integers");
    find(&folder).expect("every case can be read")
}

#[test]
fn there_are_cases_of_all_levels() {
    let cases = cases();
    let of_level = |wanted: &[Option<u8>]| cases.iter().filter(|case| wanted.contains(&case.level)).count();
    assert!(cases.len() >= 36, "{} cases", cases.len());
    assert!(of_level(&[Some(1), Some(2)]) >= 24);
    assert!(of_level(&[Some(3)]) >= 5);
    assert_eq!(of_level(&[None]), 3);
}

#[test]
fn right_programs_pass_and_faulty_ones_fail() {
    let problems: Vec<String> = cases().iter().filter_map(|case| check(case).err()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether a case is as it should be, or a sentence that says what is not.
fn check(case: &Case) -> Result<(), String> {
    let name = case.name();
    let told = |error: bench::BenchError| format!("{name}: {error}");
    let judge = Judge::new(case).map_err(told)?;
    let count = judge.inputs().len();
    if count == 0 || count > MOST {
        return Err(format!("{name}: {count} inputs"));
    }
    let repaired = case.repaired().map_err(told)?;
    let right = repaired.or(case.reference().map_err(told)?).ok_or(format!("{name}: no right program"))?;
    let [right, faulty] = two(Driver::several(case, &[right, case.faulty().map_err(told)?])).map_err(told)?;
    for (number, input) in judge.inputs().iter().enumerate() {
        let (seen, expected) = (right.run(input).map_err(told)?, judge.right(number));
        if !seen.is_as(expected) || matches!(expected, Some(Observed::Wrong { .. } | Observed::Endless)) {
            return Err(format!("{name}: on {input:?} the right program does {seen:?}, the reference {expected:?}"));
        }
    }
    let wrong = judge.wrong(&faulty).map_err(told)?;
    let first = judge.first_wrong(&faulty).map_err(told)?.map(|(number, _)| number);
    match wrong.first().copied() {
        None => Err(format!("{name}: the faulty program passes all {count} inputs")),
        found if found != first => Err(format!("{name}: {found:?} or {first:?} is the first wrong input")),
        _ => Ok(()),
    }
}

fn two(drivers: Vec<Result<Driver, bench::BenchError>>) -> Result<[Driver; 2], bench::BenchError> {
    let drivers = drivers.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(drivers.try_into().ok().expect("as many drivers as texts"))
}
