//! The cheapest repairs, by solving the formula of the traces.
//!
//! One total cost is bounded, from 0 upwards. A core that does not mention the
//! bound says that no edits help: the facts in it contradict each other or the
//! program's text. With `p == n1` and `p == n2` asserted at one moment, both
//! come back at once.

use std::time::{Duration, Instant};

use encode::{AssertedFact, Edit, Formula, FormulaError, FormulaOptions, Model, Prepared, Space};
use solver::{Answer, Backend, Core, Limits, Minimize, Solver, Term};

/// How long to look for a contradiction before repairs that cost something are searched for.
const WITHOUT_BOUND: Duration = Duration::from_millis(100);

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

impl SolveOptions {
    /// How the formula is made, as the solver likes it best.
    pub(super) fn formula_options(&self) -> FormulaOptions {
        let is_smt = matches!(self.backend, Backend::Smtlib | Backend::Program(_));
        FormulaOptions { one_hot: self.formula.one_hot || is_smt, ..self.formula.clone() }
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

impl Solved {
    /// Time was up before the solver was asked.
    pub(super) fn out_of_time(encoding: Duration) -> Solved {
        Solved { outcome: Outcome::OutOfTime, calls: 0, widenings: 0, encoding, solving: Duration::ZERO }
    }
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
pub fn solve(model: &Model, traces: &[Prepared], space: &Space, options: &SolveOptions) -> Result<Solved, SolveError> {
    let start = Instant::now();
    let mut formula = Formula::new(model, traces, space, &options.formula_options())?;
    let encoding = start.elapsed();
    let mut search = Search {
        formula: &mut formula,
        solver: Solver::new(options.backend.clone())?,
        options,
        calls: 0,
        widenings: 0,
    };
    let start = Instant::now();
    if !search.formula.assert_into(&mut search.solver, |fact| fact, options.formula.until) {
        return Ok(Solved::out_of_time(encoding));
    }
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
            match self.ask(&[bound]) {
                Answer::Sat(solution) => {
                    let first = self.formula.edits(&solution);
                    return self.all_of(cost, bound, first);
                }
                Answer::Unknown(_) => return Outcome::OutOfTime,
                Answer::Unsat(core) if !core.assumptions.contains(&bound) => return self.contradiction(&core),
                // A core may mention the bound for nothing: for a moment it is looked at without.
                Answer::Unsat(_) if cost == 0 => {
                    let moment = self.options.limits.and_within(WITHOUT_BOUND);
                    if let Answer::Unsat(core) = self.ask_within(&[], &moment) {
                        return self.contradiction(&core);
                    }
                }
                Answer::Unsat(_) => {}
            }
            self.widenings += 1;
        }
        match self.ask_within(&[], &self.options.limits.and_within(Duration::from_secs(4))) {
            Answer::Unsat(core) => self.contradiction(&core),
            Answer::Sat(_) | Answer::Unknown(_) => Outcome::Exhausted { cost: most },
        }
    }

    fn ask(&mut self, assumptions: &[Term]) -> Answer<AssertedFact> {
        self.ask_within(assumptions, &self.options.limits)
    }

    fn ask_within(&mut self, assumptions: &[Term], limits: &Limits) -> Answer<AssertedFact> {
        self.calls += 1;
        self.solver.check(&self.formula.terms, assumptions, limits)
    }

    /// The facts that contradict each other, as few as can be found in a second.
    fn contradiction(&mut self, core: &Core<AssertedFact>) -> Outcome {
        let limits = self.options.limits.and_within(Duration::from_secs(4));
        let small = self.solver.minimize(&self.formula.terms, core, Minimize::Deletion, &limits);
        Outcome::Contradiction(small.tags)
    }

    /// All repairs of the lowest cost, up to the limit.
    fn all_of(&mut self, cost: u32, bound: Term, first: Vec<Edit>) -> Outcome {
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
            match self.ask(&[bound]) {
                Answer::Sat(solution) => repairs.push(self.formula.edits(&solution)),
                Answer::Unsat(_) => break true,
                Answer::Unknown(_) => break false,
            }
        };
        Outcome::Repaired { repairs, cost, all }
    }
}
