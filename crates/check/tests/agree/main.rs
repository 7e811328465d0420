//! The program formula against the interpreter, on random programs and inputs.
//!
//! Every input is put into the formula, which then must say what the
//! interpreter does: the same violation at the same place, or the same output
//! and exit status. `WOLVERINE_PROGRAMS=20000` makes a longer run of it,
//! `WOLVERINE_SEED=7` another one.

mod compare;
mod generate;
mod shrink;

use std::collections::BTreeMap;

use compare::{Compared, Subject};
use generate::{Random, Wish};

/// Inputs for each program.
const RUNS: u64 = 6;
/// Programs that are read at once.
const BATCH: u64 = 50;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The first run of a program on which formula and interpreter disagree.
fn disagreement(subject: &Subject, seed: u64) -> Option<(check::Example, String)> {
    let mut random = Random::new(seed + 1);
    for _ in 0..RUNS {
        let (model, example) = subject.inputs(&mut random);
        if let Compared::Disagree(why) = subject.compare(&model, &example) {
            return Some((example, why));
        }
    }
    None
}

fn unwind_of(seed: u64) -> u32 {
    [4, 4, 6, 2, 1][seed as usize % 5]
}

#[test]
fn the_formula_says_what_the_interpreter_does() {
    let (programs, first) = (number("WOLVERINE_PROGRAMS", 400), number("WOLVERINE_SEED", 1) * 1_000_000);
    let wish = Wish { undefined: true, shifts: true };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut failures = vec![];
    for batch in (first..first + programs).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (batch..(batch + BATCH).min(first + programs)).collect();
        let texts: Vec<String> = seeds.iter().map(|seed| generate::program(*seed, wish)).collect();
        for ((side, seed), text) in compare::read(&texts).into_iter().zip(seeds).zip(texts) {
            let (unwind, define) = (unwind_of(seed), seed % 4 == 0);
            let started = std::time::Instant::now();
            let Some(subject) = Subject::new(side, unwind, define) else {
                *counts.entry("too large".into()).or_default() += 1;
                continue;
            };
            if started.elapsed().as_millis() > 200 { eprintln!("{seed} {:?} {}", started.elapsed(), subject.terms.len()); }
            let mut random = Random::new(seed + 1);
            for _ in 0..RUNS {
                let (model, example) = subject.inputs(&mut random);
                let compared = subject.compare(&model, &example);
                let what = match &compared {
                    Compared::Disagree(_) => "disagree".to_string(),
                    other => format!("{other:?}"),
                };
                *counts.entry(what).or_default() += 1;
                if let Compared::Disagree(_) = compared {
                    failures.push((seed, text, unwind, define));
                    break;
                }
            }
        }
        if failures.len() > 20 {
            break;
        }
    }
    println!("{counts:#?}");
    for (seed, text, unwind, define) in failures.iter().take(3) {
        let still = |side| {
            let subject = Subject::new(side, *unwind, *define);
            subject.is_some_and(|subject| disagreement(&subject, *seed).is_some())
        };
        let small = shrink::shrink(text, still);
        let side = compare::read(std::slice::from_ref(&small)).remove(0);
        let subject = Subject::new(side, *unwind, *define).expect("it was not too large");
        let (example, why) = disagreement(&subject, *seed).expect("it still disagrees");
        println!("seed {seed}, unwind {unwind}: {why}\n{:?}\n{small}", &example.nondet[..8]);
    }
    let seeds: Vec<u64> = failures.iter().map(|failure| failure.0).collect();
    assert!(failures.is_empty(), "{} of {programs} programs disagree: {seeds:?}", failures.len());
}
