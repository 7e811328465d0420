//! All back ends give the same verdicts.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Random, World, embedded, external};
use solver::{Answer, Backend, Batsat, Limits, Lit, Reason, SatAnswer, SatSolver, Solver, Sort, Term, Terms};

type MakeSolver = fn() -> Box<dyn SatSolver>;

fn sat_solvers() -> Vec<MakeSolver> {
    vec![
        || Box::new(Batsat::new()),
        #[cfg(feature = "cadical")]
        || Box::new(solver::Cadical::new()),
    ]
}

fn random_clause(random: &mut Random, variables: u64, length: u64) -> Vec<Lit> {
    let literal = |random: &mut Random| {
        let lit = Lit::positive(random.below(variables) as u32);
        if random.flip() { !lit } else { lit }
    };
    (0..length).map(|_| literal(random)).collect()
}

/// Checks a model against the clauses and a core against the solver; true for "satisfiable".
fn verdict(solver: &mut dyn SatSolver, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    match solver.solve(assumptions, &Limits::none()) {
        SatAnswer::Sat(model) => {
            assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| model.holds(lit))));
            assert!(assumptions.iter().all(|&lit| model.holds(lit)));
            true
        }
        SatAnswer::Unsat(core) => {
            assert!(core.iter().all(|lit| assumptions.contains(lit)));
            assert!(matches!(solver.solve(&core, &Limits::none()), SatAnswer::Unsat(_)));
            false
        }
        SatAnswer::Unknown(reason) => panic!("there are no limits, but: {reason:?}"),
    }
}

#[test]
fn sat_solvers_agree_on_random_clauses() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let variables = 5 + random.below(30);
        let mut solvers: Vec<Box<dyn SatSolver>> = sat_solvers().iter().map(|make| make()).collect();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _round in 0..3 {
            let new: Vec<Vec<Lit>> = (0..variables).map(|_| random_clause(&mut random, variables, 3)).collect();
            solvers.iter_mut().for_each(|solver| new.iter().for_each(|clause| solver.add_clause(clause)));
            clauses.extend(new);
            let assumptions = random_clause(&mut random, variables, 4);
            let verdicts: Vec<bool> =
                solvers.iter_mut().map(|solver| verdict(&mut **solver, &clauses, &assumptions)).collect();
            assert!(verdicts.iter().all(|&verdict| verdict == verdicts[0]), "seed {seed}: {verdicts:?}");
            *(if verdicts[0] { &mut sat } else { &mut unsat }) += 1;
        }
    }
    assert!(sat > 500 && unsat > 500, "{sat} satisfiable and {unsat} contradictory queries are too uneven");
}

/// Several random constraints, tagged by their numbers.
fn random_formula(seed: u64, terms: &mut Terms) -> Vec<Term> {
    let mut random = Random(seed);
    let world = World::new(1 + random.below(6) as u32, 2 + random.below(3) as u32);
    let variables = world.variables(terms);
    let count = 2 + random.below(6);
    let build = |_| {
        let depth = 1 + random.below(3) as u32;
        world.tree(&mut random, Sort::Bool, depth).build(terms, &variables)
    };
    (0..count).map(build).collect()
}

/// Solves, checks the answer, and tells whether it was "satisfiable".
fn formula_verdict(backend: Backend, terms: &Terms, constraints: &[Term]) -> bool {
    let mut solver = Solver::new(backend.clone()).expect("it is embedded or installed");
    for (tag, &constraint) in constraints.iter().enumerate() {
        solver.assert_tagged(terms, tag, constraint);
    }
    match solver.check(terms, &[], &Limits::within(Duration::from_secs(60))) {
        Answer::Sat(model) => {
            for &constraint in constraints {
                assert!(model.holds(terms, constraint), "{backend:?}: {}", terms.display(constraint));
            }
            true
        }
        Answer::Unsat(core) => {
            let mut alone: Solver<()> = Solver::new(Backend::Batsat).expect("it is embedded");
            core.tags.iter().for_each(|&tag| alone.assert(terms, constraints[tag]));
            assert!(alone.check(terms, &[], &Limits::none()).is_unsat(), "the core is contradictory");
            false
        }
        Answer::Unknown(reason) => panic!("a small formula, but: {reason:?}"),
    }
}

#[test]
fn embedded_back_ends_agree_on_random_formulas() {
    let mut sat = 0;
    for seed in 0..1000 {
        let mut terms = Terms::new();
        let constraints = random_formula(seed, &mut terms);
        let verdicts: Vec<bool> =
            embedded().into_iter().map(|backend| formula_verdict(backend, &terms, &constraints)).collect();
        assert!(verdicts.iter().all(|&verdict| verdict == verdicts[0]), "seed {seed}: {verdicts:?}");
        sat += usize::from(verdicts[0]);
    }
    assert!((200..900).contains(&sat), "{sat} of 1000 satisfiable formulas are too uneven");
}

/// Needs an SMT solver and says so if there is none.
#[test]
fn smt_solvers_agree_with_the_embedded_one() {
    for program in external() {
        for seed in 0..150 {
            let mut terms = Terms::new();
            let constraints = random_formula(seed, &mut terms);
            let ours = formula_verdict(Backend::Embedded, &terms, &constraints);
            let theirs = formula_verdict(Backend::Program(program.clone()), &terms, &constraints);
            assert_eq!(ours, theirs, "{} disagrees on seed {seed}", program.name());
        }
    }
}

/// A product of two numbers of 31 bits that no solver factors in a moment.
fn hard(terms: &mut Terms) -> Term {
    let (x, y) = (terms.bits_variable("x", 64), terms.bits_variable("y", 64));
    let product = terms.mul(x, y);
    let (limit, one) = (terms.bits(1 << 31, 64), terms.bits(1, 64));
    let semiprime = terms.bits(1_274_839_201 * 1_738_462_933, 64);
    let small = [terms.ult(x, limit), terms.ult(y, limit), terms.ult(one, x), terms.ult(one, y)];
    let found = terms.eq(product, semiprime);
    let small = terms.all(&small);
    terms.and(found, small)
}

#[test]
fn deadlines_and_flags_end_the_search() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let external = external().into_iter().map(Backend::Program);
    for backend in embedded().into_iter().chain([Backend::Auto]).chain(external) {
        let mut solver: Solver<()> = Solver::new(backend.clone()).expect("it is embedded or installed");
        solver.assert(&terms, hard);
        let start = Instant::now();
        let answer = solver.check(&terms, &[], &Limits::within(Duration::from_millis(300)));
        assert!(matches!(answer, Answer::Unknown(Reason::OutOfTime)), "{backend:?}: {answer:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{backend:?} ends in time");

        let stop = Arc::new(AtomicBool::new(false));
        let raise = stop.clone();
        let waiter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            raise.store(true, Ordering::Relaxed);
        });
        let answer = solver.check(&terms, &[], &Limits::none().and_stop(stop));
        assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{backend:?}: {answer:?}");
        waiter.join().expect("it only sleeps");
    }
}

/// What the embedded engine cannot do in its head start, and an SMT solver by
/// rewriting, is answered by the SMT solver. Without one this only ends by its deadline.
#[test]
fn the_race_goes_to_whoever_is_first() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.bits_variable(name, 24));
    let (sum, xy, xz) = (terms.add(y, z), terms.mul(x, y), terms.mul(x, z));
    let (left, right) = (terms.mul(x, sum), terms.add(xy, xz));
    // Order hides the equality from the normaliser.
    let (less, greater) = (terms.ult(left, right), terms.ult(right, left));
    let differ = terms.or(less, greater);
    let mut solver: Solver<()> = Solver::new(Backend::Auto).expect("it is embedded");
    solver.assert(&terms, differ);
    let answer = solver.check(&terms, &[], &Limits::within(Duration::from_secs(4)));
    assert!(!answer.is_sat(), "multiplication distributes over addition");
}
