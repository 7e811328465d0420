//! The program formula against the interpreter, on random programs and inputs.
//!
//! Every input is put into the formula, which then must say what the
//! interpreter does: the same violation at the same place, or the same output
//! and exit status. `WOLVERINE_PROGRAMS=20000` makes a longer run of it,
//! `WOLVERINE_SEED=7` another one.

mod cbmc;
mod compare;
mod generate;
mod shrink;

use std::collections::BTreeMap;

use compare::{Compared, Subject};
use generate::{Random, Wish};

/// Inputs for each program.
const RUNS: u64 = 6;
/// Texts that are read at once, and programs in each.
const BATCH: usize = 20;
const MAINS: usize = 12;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// One of the programs of a text, and how it is unfolded.
#[derive(Clone, Debug)]
struct Case {
    text: String,
    main: String,
    seed: u64,
    unwind: u32,
    define: bool,
}

impl Case {
    fn new(text: &str, seed: u64, number: usize) -> Case {
        let unwind = [4, 4, 6, 2, 1][number % 5];
        Case { text: text.into(), main: format!("main{number}"), seed, unwind, define: number % 4 == 3 }
    }

    /// `None` if it is too large.
    fn subject(&self, unit: &c_syntax::Unit, program: &ir::Program) -> Option<Subject> {
        Subject::new(compare::side(unit, program, &self.main)?, self.unwind, self.define)
    }

    /// What a few runs are like; it stops at a disagreement.
    fn compare(&self, subject: &Subject) -> Vec<(check::Example, Compared)> {
        let mut random = Random::new(self.seed + 1);
        let mut found = vec![];
        for _ in 0..RUNS {
            let (model, example) = subject.inputs(&mut random);
            let compared = subject.compare(&model, &example);
            let over = matches!(compared, Compared::Disagree(_));
            found.push((example, compared));
            if over {
                break;
            }
        }
        found
    }

    fn disagreement(&self, unit: &c_syntax::Unit, program: &ir::Program) -> Option<(check::Example, String)> {
        match self.compare(&self.subject(unit, program)?).pop()? {
            (example, Compared::Disagree(why)) => Some((example, why)),
            _ => None,
        }
    }

    /// A smaller program with a disagreement, for people.
    fn explain(&self) -> String {
        let alone = shrink::alone(&self.text, &self.main);
        let small = shrink::shrink(&alone, |unit, program| self.disagreement(unit, program).is_some());
        let read = compare::read(std::slice::from_ref(&small)).remove(0).expect("it was read before");
        let (example, why) = self.disagreement(&read.0, &read.1).expect("it still disagrees");
        let Case { seed, main, unwind, define, .. } = self;
        let inputs = &example.nondet[..8];
        format!("seed {seed}, {main}, unwind {unwind}, define {define}: {why}\ninputs {inputs:?} …\n{small}")
    }
}

/// All programs of some seeds, with what was read of their texts.
fn each_case(texts: u64, wish: Wish, mut take: impl FnMut(Case, &c_syntax::Unit, &ir::Program)) {
    let first = number("WOLVERINE_SEED", 1) * 1_000_000;
    let seeds: Vec<u64> = (first..first + texts).collect();
    for some in seeds.chunks(BATCH) {
        let texts: Vec<String> = some.iter().map(|seed| generate::programs(*seed, wish, MAINS)).collect();
        for ((read, seed), text) in compare::read(&texts).into_iter().zip(some).zip(&texts) {
            let (unit, program) = read.unwrap_or_else(|| panic!("this is no C:\n{text}"));
            (0..MAINS).for_each(|main| take(Case::new(text, *seed, main), &unit, &program));
        }
    }
}

#[test]
fn the_formula_says_what_the_interpreter_does() {
    let texts = number("WOLVERINE_PROGRAMS", 480).div_ceil(MAINS as u64);
    let wish = Wish { undefined: true, shifts: true };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut failures = vec![];
    each_case(texts, wish, |case, unit, program| {
        let Some(subject) = case.subject(unit, program) else {
            *counts.entry("too large".into()).or_default() += 1;
            return;
        };
        for (_, compared) in case.compare(&subject) {
            match compared {
                Compared::Disagree(_) => failures.push(case.clone()),
                other => *counts.entry(format!("{other:?}")).or_default() += 1,
            }
        }
    });
    println!("{counts:#?}");
    failures.iter().take(3).for_each(|case| println!("{}", case.explain()));
    let names: Vec<String> = failures.iter().map(|case| format!("{} {}", case.seed, case.main)).collect();
    assert!(failures.is_empty(), "{} programs disagree: {names:?}", failures.len());
}

/// The question whether anything goes wrong, by the embedded solver and by one that is installed.
#[test]
fn an_smt_solver_gives_the_same_verdicts() {
    use solver::{Answer, Backend, Limits, Solver};
    if solver::Program::first_installed().is_err() {
        println!("no SMT solver is installed: nothing is compared");
        return;
    }
    let texts = number("WOLVERINE_PROGRAMS", 24).div_ceil(MAINS as u64);
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    each_case(texts, Wish { undefined: true, shifts: true }, |case, unit, program| {
        let Some(mut subject) = case.subject(unit, program) else { return };
        let whens: Vec<solver::Term> = subject.unfolded.violations.iter().map(|violation| violation.when).collect();
        for when in whens.into_iter().step_by(7).take(3) {
            let definitions = subject.unfolded.definitions.iter();
            let mut facts = vec![when];
            for one in definitions {
                facts.push(subject.terms.eq(one.variable, one.value));
            }
            let fact = subject.terms.all(&facts);
            let limits = Limits::within(std::time::Duration::from_secs(5));
            let answers = [Backend::Embedded, Backend::Smtlib].map(|backend| {
                let mut solver: Solver<()> = Solver::new(backend).expect("it is there");
                solver.assert(&subject.terms, fact);
                match solver.check(&subject.terms, &[], &limits) {
                    Answer::Sat(model) => {
                        assert!(model.holds(&subject.terms, fact), "{} {}: no model", case.seed, case.main);
                        Some(true)
                    }
                    Answer::Unsat(_) => Some(false),
                    Answer::Unknown(_) => None,
                }
            });
            match answers {
                [Some(a), Some(b)] if a != b => panic!("{} {}: {a} and {b}\n{}", case.seed, case.main, case.text),
                [Some(true), Some(_)] => sat += 1,
                [Some(false), Some(_)] => unsat += 1,
                _ => open += 1,
            }
        }
    });
    println!("{sat} can be met, {unsat} cannot, {open} were not decided in time");
    assert!(sat > 5, "{sat} {unsat} {open}");
}
