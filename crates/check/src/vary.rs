//! Counterexamples that have little in common.
//!
//! Two failing inputs that differ in one value say hardly more than one. Large
//! values that have nothing to do with each other say more (K §III-G).

use std::time::Instant;

use encode::program::{Inputs, Open};
use solver::{Answer, Limits, Model, Solver, Term, Terms};

use crate::confirm::{Example, confirm};
use crate::formula::formula;
use crate::task::Task;
use crate::verdict::Counterexample;

/// Ranges from which random values are drawn.
const SIZES: [i64; 4] = [4, 1000, 100_000, i32::MAX as i64];
/// So many models are asked for, for each counterexample that is wanted.
const MODELS: usize = 3;

/// An example in which as many values as possible are random, and `wrong` still holds.
pub fn randomize(terms: &Terms, inputs: &Inputs, wrong: Term, example: &Example, seed: u64) -> Example {
    let mut random = Random(seed);
    let mut model = example.model(terms, inputs);
    for input in &inputs.all {
        for _ in 0..2 {
            let size = SIZES[random.below(SIZES.len() as u64) as usize];
            let value = random.below(2 * size as u64 + 1) as i64 - size;
            let old: Vec<(Term, u64)> =
                terms.variables(&[input.term]).into_iter().map(|one| (one, model.get(one).unwrap_or(0))).collect();
            let mask = u64::MAX >> (64 - input.width);
            old.iter().for_each(|(variable, _)| model.set(*variable, value as u64 & mask));
            if model.holds(terms, wrong) {
                break;
            }
            old.into_iter().for_each(|(variable, value)| model.set(variable, value));
        }
    }
    Example::of(terms, inputs, &model)
}

/// Up to `most` confirmed counterexamples that differ in many values, after a first one.
pub fn varied_counterexamples(task: &Task, first: &Counterexample, most: usize) -> Vec<Example> {
    let mut found = vec![first.example.clone()];
    let Ok(mut formula) = formula(task, &task.program.program, Terms::new(), Open::default(), false) else {
        return found;
    };
    let limits = Limits::none().and_until(Instant::now() + task.options.timeout);
    let wrong = formula.wrong();
    let terms = &mut formula.terms;
    let mut solver: Solver<()> = Solver::embedded();
    solver.assert(terms, wrong);
    for round in 0..most * MODELS {
        if found.len() >= most {
            break;
        }
        let last = found.last().expect("there is a first").model(terms, &formula.inputs);
        let other: Vec<Term> = formula.inputs.all.iter().map(|input| differs(terms, input.term, &last)).collect();
        // As many other values as possible; at least one.
        let model = match (solver.check(terms, &other, &limits), terms.any(&other)) {
            (Answer::Sat(model), _) => model,
            (_, one) => match solver.check(terms, &[one], &limits) {
                Answer::Sat(model) => model,
                _ => break,
            },
        };
        let example = Example::of(terms, &formula.inputs, &model);
        let example = randomize(terms, &formula.inputs, wrong, &example, round as u64);
        if !found.contains(&example) && matches!(confirm(task, &task.program, &example), Ok(Some(_))) {
            found.push(example);
        } else {
            let again: Vec<Term> = formula.inputs.all.iter().map(|input| differs(terms, input.term, &model)).collect();
            let again = terms.any(&again);
            solver.assert(terms, again);
        }
    }
    found
}

fn differs(terms: &mut Terms, input: Term, model: &Model) -> Term {
    let value = terms.evaluate(input, model);
    let value = terms.bits(value, 64);
    terms.ne(input, value)
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}
