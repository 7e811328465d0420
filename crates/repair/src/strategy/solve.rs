//! The cheapest repairs, by solving the formula of the traces.
//!
//! One total cost is bounded, from 0 upwards. A core that does not mention the
//! bound says that no edits help: the facts in it contradict each other or the
//! program's text. With `p == n1` and `p == n2` asserted at one moment, both
//! come back at once.

use std::time::{Duration, Instant};

use encode::{AssertedFact, Edit, Formula, FormulaError, FormulaOptions, Model, Prepared, Space};
use solver::{Answer, Backend, Limits, Minimize, Solver};

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Who solves.
    pub backend: Backend,
    /// For how long.
    pub limits: Limits,
    /// Dearer repairs are not searched for.
    pub most_cost: u32,
    /// So many repairs of the lowest cost at most.
    pub most_repairs: usize,
    /// How the formula is made.
    pub formula: FormulaOptions,
}

impl Default for SolveOptions {
    fn default() -> Self {
        SolveOptions {
            backend: Backend::Embedded,
            limits: Limits::none(),
            most_cost: 6,
            most_repairs: 1,
            formula: FormulaOptions::default(),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Repairs of the same cost.
    Repaired {
        /// Each is a set of edits.
        repairs: Vec<Vec<Edit>>,
        /// What each costs.
        cost: u32,
        /// Whether these are all that cost so much.
        all: bool,
    },
    /// Whatever is edited, these facts do not hold together. If there are none,
    /// no edits bring the program to where something is asserted.
    Contradiction(Vec<AssertedFact>),
    /// Nothing that costs so much at most helps.
    Exhausted {
        /// The highest cost that was tried.
        cost: u32,
    },
    /// There was no answer in time.
    OutOfTime,
}

/// What was found, and how much work that was.
#[derive(Clone, Debug)]
pub struct Solved {
    /// What was found.
    pub outcome: Outcome,
    /// Questions to the solver.
    pub calls: u32,
    /// How often something was allowed to change that was not before.
    pub widenings: u32,
    /// The time to make the formula.
    pub encoding: Duration,
    /// The time to solve it.
    pub solving: Duration,
}

/// Why nothing could be searched for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// There is no formula.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// The solver is not installed.
    #[error(transparent)]
    Solver(#[from] solver::SmtlibError),
}

/// The cheapest repairs of some traces.
pub fn solve(
    model: &Model,
    traces: &[Prepared],
    space: &Space,
    options: &SolveOptions,
) -> Result<Solved, SolveError> {
    let start = Instant::now();
    let mut formula = Formula::new(model, traces, space, &options.formula)?;
    let encoding = start.elapsed();
    let mut search = Search { formula: &mut formula, solver: Solver::new(options.backend.clone())?, options, calls: 0, widenings: 0 };
    let start = Instant::now();
    search.formula.assert_into(&mut search.solver, |fact| fact);
    let outcome = search.run();
    let (calls, widenings) = (search.calls, search.widenings);
    Ok(Solved { outcome, calls, widenings, encoding, solving: start.elapsed() })
}

struct Search<'a> {
    formula: &'a mut Formula,
    solver: Solver<AssertedFact>,
    options: &'a SolveOptions,
    calls: u32,
    widenings: u32,
}

impl Search<'_> {
    fn run(&mut self) -> Outcome {
        let most = self.options.most_cost.min(self.formula.highest_cost());
        for cost in 0..=most {
            let bound = self.formula.cost_at_most(cost);
            self.calls += 1;
            match self.solver.check(&self.formula.terms, &[bound], &self.options.limits) {
                Answer::Sat(solution) => {
                    let first = self.formula.edits(&solution);
                    return self.all_of(cost, bound, first);
                }
                Answer::Unsat(core) if !core.assumptions.contains(&bound) => {
                    let limits = &self.options.limits.and_within(Duration::from_secs(1));
                    let small = self.solver.minimize(&self.formula.terms, &core, Minimize::Deletion, limits);
                    return Outcome::Contradiction(small.tags);
                }
                Answer::Unsat(_) => self.widenings += 1,
                Answer::Unknown(_) => return Outcome::OutOfTime,
            }
        }
        // A bound above everything that can cost is no bound.
        match self.formula.highest_cost() <= self.options.most_cost {
            true => self.without_bound(most),
            false => Outcome::Exhausted { cost: most },
        }
    }

    fn without_bound(&mut self, cost: u32) -> Outcome {
        self.calls += 1;
        match self.solver.check(&self.formula.terms, &[], &self.options.limits) {
            Answer::Unsat(core) => Outcome::Contradiction(core.tags),
            Answer::Sat(_) => Outcome::Exhausted { cost },
            Answer::Unknown(_) => Outcome::OutOfTime,
        }
    }

    /// All repairs of the lowest cost, up to the limit.
    fn all_of(&mut self, cost: u32, bound: solver::Term, first: Vec<Edit>) -> Outcome {
        let mut repairs = vec![first];
        let all = loop {
            let last = repairs.last().map_or(&[][..], |last| &last[..]);
            if last.is_empty() {
                break true;
            }
            if repairs.len() >= self.options.most_repairs {
                break false;
            }
            let other = self.formula.without(last);
            self.solver.assert(&self.formula.terms, other);
            self.calls += 1;
            match self.solver.check(&self.formula.terms, &[bound], &self.options.limits) {
                Answer::Sat(solution) => repairs.push(self.formula.edits(&solution)),
                Answer::Unsat(_) => break true,
                Answer::Unknown(_) => break false,
            }
        };
        Outcome::Repaired { repairs, cost, all }
    }
}
