//! Scopes, cores, enumeration, counting and MaxSAT, over all embedded back ends.

mod common;

use std::time::Duration;

use common::{Random, World, embedded, external};
use solver::{Answer, Backend, End, Limits, Minimize, Optimum, Soft, Solver, Sort, Strategy, Term, Terms};

fn all_backends() -> Vec<Backend> {
    let external = external().into_iter().map(Backend::Program);
    embedded().into_iter().chain([Backend::Auto]).chain(external).collect()
}

fn new<T: Clone + Eq + std::hash::Hash>(backend: &Backend) -> Solver<T> {
    Solver::new(backend.clone()).expect("it is embedded or installed")
}

#[test]
fn scopes_forget_their_constraints() {
    for backend in all_backends() {
        let mut terms = Terms::new();
        let x = terms.bits_variable("x", 8);
        let (five, six) = (terms.bits(5, 8), terms.bits(6, 8));
        let (is_five, is_six) = (terms.eq(x, five), terms.eq(x, six));
        let mut solver = new(&backend);
        solver.assert_tagged(&terms, "five", is_five);
        solver.push();
        solver.assert_tagged(&terms, "six", is_six);
        let core = solver.check(&terms, &[], &Limits::none()).core().expect("5 is not 6");
        assert_eq!(core.tags, ["five", "six"]);
        solver.pop();
        let model = solver.check(&terms, &[], &Limits::none()).model().expect("5 is 5");
        assert_eq!(model.get(x), Some(5), "{backend:?}");
        solver.push();
        solver.assert(&terms, is_six);
        let core = solver.check(&terms, &[], &Limits::none()).core().expect("5 is not 6");
        assert_eq!(core.tags, ["five"]);
        solver.pop();
        assert!(solver.check(&terms, &[is_six], &Limits::none()).is_unsat());
        assert!(solver.check(&terms, &[is_five], &Limits::none()).is_sat());
    }
}

/// A linked list in three cells: following `next` from the head reaches the end.
#[test]
fn heaps_are_tables_over_domains() {
    for backend in all_backends() {
        let mut terms = Terms::new();
        let next: Vec<Term> = (0..4).map(|i| terms.domain_variable(&format!("next{i}"), 4)).collect();
        let head = terms.domain_value(0, 4);
        let mut at = head;
        let mut solver: Solver<()> = new(&backend);
        for step in 1..=3 {
            at = terms.select(at, &next);
            let here = terms.is_value(at, [2, 1, 3][step - 1]);
            solver.assert(&terms, here);
        }
        let model = solver.check(&terms, &[], &Limits::none()).model().expect("0 → 2 → 1 → 3 is a list");
        let values: Vec<_> = next[..3].iter().map(|&cell| model.get(cell)).collect();
        assert_eq!(values, [Some(2), Some(3), Some(1)], "{backend:?}");
        let loops = terms.eq(next[1], next[0]);
        assert!(solver.check(&terms, &[loops], &Limits::none()).is_unsat());
    }
}

#[test]
fn minimised_cores_are_minimal() {
    let mut cores = 0;
    for backend in embedded() {
        for seed in 0..400 {
            let mut random = Random(seed);
            let world = World::new(3, 3);
            let mut terms = Terms::new();
            let variables = world.variables(&mut terms);
            let constraints: Vec<Term> =
                (0..12).map(|_| world.tree(&mut random, Sort::Bool, 3).build(&mut terms, &variables)).collect();
            let (tagged, assumptions) = constraints.split_at(8);
            let mut solver = new(&backend);
            tagged.iter().enumerate().for_each(|(tag, &term)| solver.assert_tagged(&terms, tag, term));
            let Answer::Unsat(core) = solver.check(&terms, assumptions, &Limits::none()) else { continue };
            for how in [Minimize::Deletion, Minimize::QuickXplain] {
                cores += 1;
                let smallest = solver.minimize(&terms, &core, how, &Limits::none());
                assert!(smallest.is_minimal);
                let mut parts: Vec<Term> = smallest.tags.iter().map(|&tag| tagged[tag]).collect();
                parts.extend(&smallest.assumptions);
                assert!(is_contradictory(&terms, &parts), "seed {seed}");
                for i in 0..parts.len() {
                    let mut rest = parts.clone();
                    rest.remove(i);
                    assert!(!is_contradictory(&terms, &rest), "seed {seed}: part {i} can be left out");
                }
            }
        }
    }
    assert!(cores > 200, "only {cores} cores");
}

fn is_contradictory(terms: &Terms, parts: &[Term]) -> bool {
    let mut solver: Solver<()> = new(&Backend::Batsat);
    parts.iter().for_each(|&part| solver.assert(terms, part));
    solver.check(terms, &[], &Limits::none()).is_unsat()
}

#[test]
fn enumeration_finds_every_model_once() {
    for backend in all_backends() {
        let mut terms = Terms::new();
        let (x, y) = (terms.bits_variable("x", 3), terms.bits_variable("y", 3));
        let (sum, six) = (terms.add(x, y), terms.bits(6, 3));
        let is_six = terms.eq(sum, six);
        let mut solver: Solver<()> = new(&backend);
        solver.assert(&terms, is_six);
        let all = solver.enumerate(&mut terms, &[x], 100, &Limits::none());
        assert_eq!(all.end, End::Exhausted);
        let mut values: Vec<u64> = all.found.iter().filter_map(|model| model.get(x)).collect();
        values.sort_unstable();
        assert_eq!(values, (0..8).collect::<Vec<_>>());
        let some = solver.enumerate(&mut terms, &[x], 3, &Limits::none());
        assert_eq!((some.end, some.found.len()), (End::Enough, 3));
    }
}

/// All ways of counting: few inputs, a tree, a tree with weights, binary sums.
#[test]
fn counting_is_right() {
    let mut random = Random(7);
    let weightings: Vec<Vec<u64>> = vec![
        vec![1; 4],
        vec![1; 9],
        vec![1, 3, 2],
        vec![7, 7, 3, 50, 11, 2],
        (0..7).map(|_| 1 + random.below(9)).collect(),
        (0..12).map(|i| (3 << i) + random.below(1 << 20) * 1_000_003).collect(),
    ];
    for weights in weightings {
        let mut terms = Terms::new();
        let inputs: Vec<Term> = (0..weights.len()).map(|i| terms.bool_variable(&format!("b{i}"))).collect();
        let parts: Vec<(Term, u64)> = inputs.iter().copied().zip(weights.iter().copied()).collect();
        let total: u64 = weights.iter().sum();
        let mut solver: Solver<()> = Solver::embedded();
        for _ in 0..60 {
            let chosen: Vec<bool> = weights.iter().map(|_| random.flip()).collect();
            let sum: u64 = weights.iter().zip(&chosen).filter(|pair| *pair.1).map(|pair| pair.0).sum();
            let mut assumptions: Vec<Term> =
                inputs.iter().zip(&chosen).map(|(&b, &on)| if on { b } else { terms.not(b) }).collect();
            for bound in [sum.saturating_sub(1), sum, random.below(total)] {
                let at_most = terms.at_most_weighted(&parts, bound);
                let right = if sum <= bound { at_most } else { terms.not(at_most) };
                let wrong = terms.not(right);
                assumptions.push(right);
                assert!(solver.check(&terms, &assumptions, &Limits::none()).is_sat());
                assumptions.pop();
                assumptions.push(wrong);
                assert!(solver.check(&terms, &assumptions, &Limits::none()).is_unsat());
                assumptions.pop();
            }
        }
    }
}

#[test]
fn at_least_and_exactly_count_models() {
    let mut terms = Terms::new();
    let inputs: Vec<Term> = (0..7).map(|i| terms.bool_variable(&format!("b{i}"))).collect();
    for (demand, expected) in [(terms.exactly(&inputs, 3), 35), (terms.at_least(&inputs, 6), 8)] {
        let mut solver: Solver<()> = Solver::embedded();
        solver.assert(&terms, demand);
        let models = solver.enumerate(&mut terms, &inputs, 1000, &Limits::none());
        assert_eq!((models.found.len(), models.end), (expected, End::Exhausted));
    }
}

/// The optimum by trying all values of ten variables.
fn brute_force(terms: &Terms, variables: &[Term], hard: Term, wishes: &[Soft]) -> Option<u64> {
    let cost = |bits: u64| {
        let model = variables.iter().enumerate().map(|(i, &variable)| (variable, bits >> i & 1)).collect();
        let violated = wishes.iter().filter(|wish| !model_holds(terms, wish.term, &model));
        model_holds(terms, hard, &model).then(|| violated.map(|wish| wish.weight).sum())
    };
    (0..1 << variables.len()).filter_map(cost).min()
}

fn model_holds(terms: &Terms, term: Term, model: &solver::Model) -> bool {
    model.holds(terms, term)
}

fn random_maxsat(random: &mut Random, terms: &mut Terms, variables: &[Term]) -> (Term, Vec<Soft>) {
    let mut clause = |terms: &mut Terms, length: u64| {
        let lits: Vec<Term> = (0..length)
            .map(|_| {
                let variable = variables[random.below(variables.len() as u64) as usize];
                if random.flip() { variable } else { terms.not(variable) }
            })
            .collect();
        (terms.any(&lits), random.below(8))
    };
    let hard: Vec<Term> = (0..12).map(|_| clause(terms, 3).0).collect();
    let wishes = (0..14).map(|i| clause(terms, 1 + i % 2)).map(|(term, weight)| Soft { term, weight }).collect();
    (terms.all(&hard), wishes)
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut terms = Terms::new();
        let variables: Vec<Term> = (0..8).map(|i| terms.bool_variable(&format!("b{i}"))).collect();
        let (hard, wishes) = random_maxsat(&mut random, &mut terms, &variables);
        let expected = brute_force(&terms, &variables, hard, &wishes);
        for backend in embedded() {
            for strategy in [Strategy::CoreGuided, Strategy::LinearSearch] {
                let mut solver: Solver<()> = new(&backend);
                solver.assert(&terms, hard);
                match solver.maximize(&mut terms, &wishes, strategy, &Limits::none()) {
                    Optimum::Optimal { cost, model } => {
                        assert_eq!(Some(cost), expected, "seed {seed}, {strategy:?}, {backend:?}");
                        assert!(model.holds(&terms, hard));
                        let violated = wishes.iter().filter(|wish| !model.holds(&terms, wish.term));
                        assert_eq!(cost, violated.map(|wish| wish.weight).sum::<u64>());
                    }
                    Optimum::Unsat(_) => assert_eq!(expected, None, "seed {seed}"),
                    Optimum::Bounded { reason, .. } => panic!("there are no limits, but: {reason:?}"),
                }
            }
        }
    }
}

#[test]
fn an_smt_solver_finds_the_same_optimum() {
    for program in external() {
        let mut random = Random(3);
        let mut terms = Terms::new();
        let variables: Vec<Term> = (0..8).map(|i| terms.bool_variable(&format!("b{i}"))).collect();
        let (hard, wishes) = random_maxsat(&mut random, &mut terms, &variables);
        let expected = brute_force(&terms, &variables, hard, &wishes).expect("twelve clauses can hold together");
        let mut solver: Solver<()> = new(&Backend::Program(program));
        solver.assert(&terms, hard);
        let optimum = solver.maximize(&mut terms, &wishes, Strategy::CoreGuided, &Limits::none());
        assert!(matches!(optimum, Optimum::Optimal { cost, .. } if cost == expected));
    }
}

/// Pigeons without enough holes: no time is enough for the optimum, but there are bounds.
#[test]
fn without_time_there_are_bounds() {
    let mut terms = Terms::new();
    let pigeons: Vec<Term> = (0..14).map(|i| terms.domain_variable(&format!("p{i}"), 10)).collect();
    let mut wishes = Vec::new();
    for (i, &a) in pigeons.iter().enumerate() {
        for &b in &pigeons[..i] {
            wishes.push(Soft { term: terms.ne(a, b), weight: 1 });
        }
    }
    for strategy in [Strategy::CoreGuided, Strategy::LinearSearch] {
        let mut solver: Solver<()> = Solver::embedded();
        let limits = Limits::within(Duration::from_millis(700));
        match solver.maximize(&mut terms, &wishes, strategy, &limits) {
            Optimum::Bounded { lower, best: Some((cost, _)), .. } => assert!(lower <= 4 && 4 <= cost),
            Optimum::Optimal { cost, .. } => assert_eq!(cost, 4),
            other => panic!("there is a first model: {other:?}"),
        }
    }
}
