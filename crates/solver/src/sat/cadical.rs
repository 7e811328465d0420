//! CaDiCaL: preprocessing and inprocessing, best on large and hard queries.

use super::{Assignment, Limits, Lit, Reason, SatAnswer, SatSolver};

/// The SAT solver CaDiCaL.
pub struct Cadical {
    solver: cadical::Solver<Watch>,
    variables: u32,
}

struct Watch(Limits);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.exceeded().is_some()
    }
}

impl Cadical {
    /// A solver without clauses.
    pub fn new() -> Self {
        Self { solver: cadical::Solver::new(), variables: 0 }
    }

    /// DIMACS numbers begin with 1 because 0 ends a clause.
    fn import(&mut self, lit: Lit) -> i32 {
        self.variables = self.variables.max(lit.variable() + 1);
        let number = lit.variable() as i32 + 1;
        if lit.is_negated() { -number } else { number }
    }

    fn assignment(&self) -> Assignment {
        let value = |variable: u32| self.solver.value(variable as i32 + 1) == Some(true);
        Assignment((0..self.variables).map(value).collect())
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver for Cadical {
    fn add_clause(&mut self, clause: &[Lit]) {
        let imported: Vec<i32> = clause.iter().map(|&lit| self.import(lit)).collect();
        self.solver.add_clause(imported);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> SatAnswer {
        if let Some(reason) = limits.exceeded() {
            return SatAnswer::Unknown(reason);
        }
        let imported: Vec<i32> = assumptions.iter().map(|&lit| self.import(lit)).collect();
        self.solver.set_callbacks(Some(Watch(limits.clone())));
        match self.solver.solve_with(imported.iter().copied()) {
            Some(true) => SatAnswer::Sat(self.assignment()),
            Some(false) => {
                let failed = assumptions.iter().zip(&imported).filter(|pair| self.solver.failed(*pair.1));
                SatAnswer::Unsat(failed.map(|(&lit, _)| lit).collect())
            }
            None => SatAnswer::Unknown(limits.exceeded().unwrap_or(Reason::OutOfTime)),
        }
    }
}
