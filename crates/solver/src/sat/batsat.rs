//! batsat, a MiniSat in Rust: little overhead, best on small queries.

use std::cell::Cell;

use batsat::{Callbacks, SolverInterface, lbool};

use super::{Assignment, Limits, Lit, Reason, SatAnswer, SatSolver};

/// The clock is read once in so many decisions.
const DECISIONS_PER_LOOK: u32 = 16;

/// The SAT solver `batsat`.
pub struct Batsat {
    solver: batsat::Solver<Watch>,
    clause: Vec<batsat::Lit>,
}

#[derive(Default)]
struct Watch {
    limits: Limits,
    decisions: Cell<u32>,
    /// batsat asks again after it has stopped, and goes on if the answer changes.
    is_over: Cell<bool>,
}

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get().wrapping_add(1));
        if self.decisions.get().is_multiple_of(DECISIONS_PER_LOOK) && self.limits.exceeded().is_some() {
            self.is_over.set(true);
        }
        self.is_over.get()
    }
}

impl Batsat {
    /// A solver without clauses.
    pub fn new() -> Self {
        Self { solver: batsat::Solver::new(Default::default(), Watch::default()), clause: Vec::new() }
    }

    fn import(&mut self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.solver.var_of_int(lit.variable()), !lit.is_negated())
    }

    fn assignment(&self) -> Assignment {
        Assignment(self.solver.get_model().iter().map(|&value| value == lbool::TRUE).collect())
    }

    /// batsat's core is a clause: it has the negations of what was assumed.
    fn core(&self, assumptions: &[Lit], imported: &[batsat::Lit]) -> Vec<Lit> {
        let core = self.solver.unsat_core();
        let is_in_core = |pair: &(&Lit, &batsat::Lit)| core.contains(&!*pair.1);
        assumptions.iter().zip(imported).filter(is_in_core).map(|(&lit, _)| lit).collect()
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver for Batsat {
    fn add_clause(&mut self, clause: &[Lit]) {
        let mut imported = std::mem::take(&mut self.clause);
        imported.clear();
        imported.extend(clause.iter().map(|&lit| self.import(lit)));
        self.solver.add_clause_reuse(&mut imported);
        self.clause = imported;
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> SatAnswer {
        if let Some(reason) = limits.exceeded() {
            return SatAnswer::Unknown(reason);
        }
        let imported: Vec<batsat::Lit> = assumptions.iter().map(|&lit| self.import(lit)).collect();
        *self.solver.cb_mut() = Watch { limits: limits.clone(), ..Watch::default() };
        match self.solver.solve_limited(&imported) {
            answer if answer == lbool::TRUE => SatAnswer::Sat(self.assignment()),
            answer if answer == lbool::FALSE => SatAnswer::Unsat(self.core(assumptions, &imported)),
            _ => SatAnswer::Unknown(limits.exceeded().unwrap_or(Reason::OutOfTime)),
        }
    }
}
