//! Random terms: the normaliser keeps the meaning, and models of the solvers
//! mean what they say.

mod common;

use common::{Random, World, embedded};
use proptest::prelude::*;
use solver::{Answer, Limits, Solver, Sort, Terms};

fn sort_of(pick: u64, world: &World) -> Sort {
    [Sort::Bool, Sort::Bits(world.width), Sort::Domain(world.size)][(pick % 3) as usize]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The tree by plain arithmetic and the normalised term by `evaluate`.
    #[test]
    fn normalisation_keeps_the_value(seed: u64, width in 1u32..=32, size in 1u32..=5, depth in 1u32..=5) {
        let mut random = Random(seed);
        let world = World::new(width, size);
        let sort = sort_of(seed, &world);
        let tree = world.tree(&mut random, sort, depth);
        let mut terms = Terms::new();
        let variables = world.variables(&mut terms);
        let term = tree.build(&mut terms, &variables);
        prop_assert_eq!(terms.sort(term), tree.sort);
        for _ in 0..8 {
            let values = world.values(&mut random);
            let model = World::model(&variables, &values);
            prop_assert_eq!(terms.evaluate(term, &model), tree.value(&values), "{}", terms.display(term));
        }
    }
}

/// A random constraint holds in the model that the solver finds, by plain
/// arithmetic on the tree; where there is none, random values find none either.
#[test]
fn models_satisfy_the_trees() {
    let mut sat = 0;
    for backend in embedded() {
        for seed in 0..500 {
            let mut random = Random(seed);
            let world = World::new(1 + random.below(8) as u32, 1 + random.below(4) as u32);
            let depth = 2 + random.below(4) as u32;
            let tree = world.tree(&mut random, Sort::Bool, depth);
            let mut terms = Terms::new();
            let variables = world.variables(&mut terms);
            let term = tree.build(&mut terms, &variables);
            let mut solver: Solver<()> = Solver::new(backend.clone()).expect("it is embedded");
            solver.assert(&terms, term);
            match solver.check(&terms, &[], &Limits::none()) {
                Answer::Sat(model) => {
                    sat += 1;
                    let values: Vec<u64> = variables.iter().map(|&variable| model.get(variable).unwrap_or(0)).collect();
                    assert_eq!(tree.value(&values), 1, "seed {seed}: {}", terms.display(term));
                }
                Answer::Unsat(_) => {
                    for _ in 0..50 {
                        let values = world.values(&mut random);
                        assert_eq!(tree.value(&values), 0, "seed {seed}: {}", terms.display(term));
                    }
                }
                Answer::Unknown(reason) => panic!("there are no limits, but: {reason:?}"),
            }
        }
    }
    assert!(sat > 500, "only {sat} trees can hold");
}

/// With all variables fixed by assumptions, the circuit computes the tree's value and no other.
#[test]
fn circuits_compute_the_value_of_the_tree() {
    for seed in 0..600 {
        let mut random = Random(seed);
        let world = World::new(1 + random.below(16) as u32, 1 + random.below(9) as u32);
        let sort = sort_of(seed, &world);
        let tree = world.tree(&mut random, sort, 4);
        let mut terms = Terms::new();
        let variables = world.variables(&mut terms);
        let term = tree.build(&mut terms, &variables);
        let mut solver: Solver<()> = Solver::embedded();
        for _ in 0..3 {
            let values = world.values(&mut random);
            let model = World::model(&variables, &values);
            let differs = terms.differs_from(&variables, &model);
            let mut result_model = model.clone();
            let result = terms.variable("result", tree.sort);
            result_model.set(result, tree.value(&values));
            let differs_result = terms.differs_from(&[result], &result_model);
            let (here, right, is_result) = (terms.not(differs), terms.not(differs_result), terms.eq(term, result));
            assert!(solver.check(&terms, &[here, is_result, right], &Limits::none()).is_sat(), "seed {seed}");
            assert!(
                solver.check(&terms, &[here, is_result, differs_result], &Limits::none()).is_unsat(),
                "seed {seed}"
            );
        }
    }
}

/// Formulas over numbers that are copied, compared and sometimes computed with: short variables lose no model, and
/// their models are models of the first formula.
#[test]
fn narrowing_keeps_satisfiability() {
    let (mut sat, mut unsat, mut shortened) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let mut terms = Terms::new();
        let root = comparisons(&mut terms, &mut random);
        let narrowed = terms.narrow(root);
        shortened += usize::from(!narrowed.variables.is_empty());
        let answer = |terms: &Terms, root| {
            let mut solver: Solver<()> = Solver::embedded();
            solver.assert(terms, root);
            solver.check(terms, &[], &Limits::none())
        };
        match (answer(&terms, root), answer(&terms, narrowed.root)) {
            (Answer::Sat(_), Answer::Sat(mut model)) => {
                sat += 1;
                for (old, new) in narrowed.variables {
                    let long = terms.sign_extend(new, terms.width(old));
                    model.set(old, terms.evaluate(long, &model));
                }
                assert!(model.holds(&terms, root), "seed {seed}: {}", terms.display(root));
            }
            (Answer::Unsat(_), Answer::Unsat(_)) => unsat += 1,
            (long, short) => panic!("seed {seed}: {long:?}, but {short:?} for {}", terms.display(root)),
        }
    }
    assert!(sat > 200 && unsat > 200 && shortened > 500, "{sat} {unsat} {shortened}");
}

/// A conjunction of random comparisons of what is chosen among a few variables and numbers.
fn comparisons(terms: &mut Terms, random: &mut Random) -> solver::Term {
    let count = 2 + random.below(4);
    let variables: Vec<_> = (0..count).map(|i| terms.bits_variable(&format!("x{i}"), 12)).collect();
    let flags: Vec<_> = (0..3).map(|i| terms.bool_variable(&format!("flag{i}"))).collect();
    let mut pool = variables;
    if random.below(2) == 0 {
        pool.extend([-3i64, 0, 1, 40].map(|number| terms.bits(number as u64, 12)));
    }
    if random.below(4) == 0 {
        let sum = terms.add(pool[0], pool[1]);
        pool.push(sum);
    }
    let pick = |random: &mut Random, from: &[solver::Term]| from[random.below(from.len() as u64) as usize];
    for _ in 0..3 {
        let (flag, a, b) = (pick(random, &flags), pick(random, &pool), pick(random, &pool));
        let chosen = terms.ite(flag, a, b);
        pool.push(chosen);
    }
    let mut parts = vec![];
    for _ in 0..2 + random.below(6) {
        let (a, b) = (pick(random, &pool), pick(random, &pool));
        let (a, b) = (terms.sign_extend(a, 20), terms.sign_extend(b, 20));
        let part = match random.below(3) {
            0 => terms.slt(a, b),
            1 => terms.eq(a, b),
            _ => terms.sle(a, b),
        };
        parts.push(if random.below(3) == 0 { terms.not(part) } else { part });
    }
    terms.all(&parts)
}
