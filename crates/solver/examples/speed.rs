//! Times of some well-known queries over batsat, CaDiCaL and the adaptive engine:
//! `cargo run --release -p solver --example speed`

use std::time::{Duration, Instant};

use solver::{Answer, Backend, Limits, Solver, Term, Terms};

type Build = fn(&mut Terms) -> Term;

fn main() {
    let queries: [(&str, Build); 7] = [
        ("factor a 16-bit semiprime with a 32-bit product", factor),
        ("distributivity, 8 bits, seen by the normaliser", |terms| distributivity(terms, 8, Terms::ne)),
        ("distributivity, 5 bits, hidden from it", |terms| distributivity(terms, 5, differ)),
        ("distributivity, 6 bits, hidden", |terms| distributivity(terms, 6, differ)),
        ("distributivity, 8 bits, hidden", |terms| distributivity(terms, 8, differ)),
        ("distributivity, 16 bits, hidden", |terms| distributivity(terms, 16, differ)),
        ("random 3-SAT, 200 variables, 852 clauses", random_clauses),
    ];
    for (name, build) in queries {
        println!("{name}");
        for backend in backends() {
            println!("    {:<12} {}", format!("{backend:?}"), time(&backend, build));
        }
    }
}

fn backends() -> Vec<Backend> {
    vec![
        Backend::Batsat,
        #[cfg(feature = "cadical")]
        Backend::Cadical,
        Backend::Embedded,
        Backend::Auto,
    ]
}

fn time(backend: &Backend, build: Build) -> String {
    let start = Instant::now();
    let mut terms = Terms::new();
    let term = build(&mut terms);
    let mut solver: Solver<()> = Solver::new(backend.clone()).expect("it is embedded");
    solver.assert(&terms, term);
    let answer = match solver.check(&terms, &[], &Limits::within(Duration::from_secs(20))) {
        Answer::Sat(_) => "sat".into(),
        Answer::Unsat(_) => "unsat".into(),
        Answer::Unknown(reason) => format!("{reason:?}"),
    };
    format!("{:>9.1} ms  {answer}", start.elapsed().as_secs_f64() * 1000.0)
}

/// `x · y = 251 · 241` for `x` and `y` of 16 bits that are greater than 1.
fn factor(terms: &mut Terms) -> Term {
    let [x, y] = ["x", "y"].map(|name| terms.bits_variable(name, 16));
    let (wide_x, wide_y) = (terms.zero_extend(x, 32), terms.zero_extend(y, 32));
    let (product, semiprime) = (terms.mul(wide_x, wide_y), terms.bits(251 * 241, 32));
    let one = terms.bits(1, 16);
    let demands = [terms.eq(product, semiprime), terms.ult(one, x), terms.ult(one, y)];
    terms.all(&demands)
}

fn distributivity(terms: &mut Terms, width: u32, different: fn(&mut Terms, Term, Term) -> Term) -> Term {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.bits_variable(name, width));
    let (sum, xy, xz) = (terms.add(y, z), terms.mul(x, y), terms.mul(x, z));
    let (left, right) = (terms.mul(x, sum), terms.add(xy, xz));
    different(terms, left, right)
}

/// `a ≠ b` by order, which hides the equality from the normaliser.
fn differ(terms: &mut Terms, a: Term, b: Term) -> Term {
    let (less, greater) = (terms.ult(a, b), terms.ult(b, a));
    terms.or(less, greater)
}

/// At 4.26 clauses for each variable, random 3-SAT is hardest.
fn random_clauses(terms: &mut Terms) -> Term {
    let variables: Vec<Term> = (0..200).map(|i| terms.bool_variable(&format!("b{i}"))).collect();
    let mut state = 12345u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let clauses: Vec<Term> = (0..852)
        .map(|_| {
            let lits: Vec<Term> = (0..3)
                .map(|_| {
                    let variable = variables[(random() % 200) as usize];
                    if random() & 1 == 0 { variable } else { terms.not(variable) }
                })
                .collect();
            terms.any(&lits)
        })
        .collect();
    terms.all(&clauses)
}
