//! Proof-guided repair as published (W §4, Algorithm 3), and its variant AlgVar.
//!
//! Guards, statements and insertion slots have selectors; each group has its
//! own bound, 0 at first. A core that mentions a guard's constraint widens the
//! bound of guards, else one of a statement that of statements, else one of a
//! slot that of insertions; a core of none of them ends the search. AlgVar
//! gives up one random constraint of the core instead.
//!
//! The paper bounds `Σ selectors < τ` with τ = 0 at first, which nothing meets;
//! here it is `≤`.

use std::time::Instant;

use encode::{AssertedFact, Change, ChangeKind, Edit, Formula, Model, Prepared, Space};
use solver::{Answer, Solver, Term};

use super::solve::{Outcome, SolveError, SolveOptions, Solved};

/// How the proof guides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// Algorithm 3: bounds for guards, statements and insertions.
    Bounds,
    /// AlgVar: a random constraint of the core is given up; the number seeds the choice.
    Random(u64),
}

/// What a constraint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tag {
    Fact(AssertedFact),
    /// The place of this change stays as it is unless its selector is on.
    Kept(usize),
}

/// A repair of some traces, found by the published algorithm; `tries` bounds
/// the questions to the solver. Its cost need not be the lowest.
pub fn prove(
    model: &Model,
    traces: &[Prepared],
    space: &Space,
    options: &SolveOptions,
    guidance: Guidance,
    tries: u32,
) -> Result<Solved, SolveError> {
    let start = Instant::now();
    let mut formula = Formula::new(model, traces, space, &options.formula_options())?;
    let encoding = start.elapsed();
    let mut solver = Solver::new(options.backend.clone())?;
    let start = Instant::now();
    if !formula.assert_into(&mut solver, Tag::Fact, options.formula.until) {
        return Ok(Solved::out_of_time(encoding));
    }
    let changes = formula.changes();
    let mut search = Search { formula, solver, changes, options, calls: 0, widenings: 0, tries };
    let outcome = match guidance {
        Guidance::Bounds => search.widen_bounds(),
        Guidance::Random(seed) => search.give_up_constraints(seed),
    };
    let (calls, widenings) = (search.calls, search.widenings);
    Ok(Solved { outcome, calls, widenings, encoding, solving: start.elapsed() })
}

struct Search<'a> {
    formula: Formula,
    solver: Solver<Tag>,
    changes: Vec<Change>,
    options: &'a SolveOptions,
    calls: u32,
    widenings: u32,
    tries: u32,
}

impl Search<'_> {
    fn widen_bounds(&mut self) -> Outcome {
        const ORDER: [ChangeKind; 3] = [ChangeKind::Guard, ChangeKind::Statement, ChangeKind::Insertion];
        let terms = &mut self.formula.terms;
        let mut selectors: Vec<Term> = Vec::new();
        for (i, change) in self.changes.iter().enumerate() {
            let selector = terms.bool_variable(&format!("selector{i}"));
            let kept = terms.implies(change.changed, selector);
            self.solver.assert_tagged(terms, Tag::Kept(i), kept);
            selectors.push(selector);
        }
        let mut bounds = [0usize; 3];
        while self.calls < self.tries {
            let at_most = [0, 1, 2].map(|group| {
                let of_kind = selectors.iter().zip(&self.changes).filter(|(_, change)| change.kind == ORDER[group]);
                let group_selectors: Vec<Term> = of_kind.map(|(selector, _)| *selector).collect();
                self.formula.terms.at_most(&group_selectors, bounds[group])
            });
            self.calls += 1;
            let core = match self.solver.check(&self.formula.terms, &at_most, &self.options.limits) {
                Answer::Sat(solution) => return repaired(self.formula.edits(&solution)),
                Answer::Unknown(_) => return Outcome::OutOfTime,
                Answer::Unsat(core) => core,
            };
            let mentions = |kind: &ChangeKind| {
                core.tags.iter().any(|tag| matches!(tag, Tag::Kept(i) if self.changes[*i].kind == *kind))
            };
            let Some(group) = ORDER.iter().position(mentions) else { return contradiction(&core.tags) };
            bounds[group] += 1;
            self.widenings += 1;
        }
        Outcome::Exhausted { cost: bounds.iter().sum::<usize>() as u32 }
    }

    fn give_up_constraints(&mut self, seed: u64) -> Outcome {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let terms = &mut self.formula.terms;
        let mut kept: Vec<Term> = self.changes.iter().map(|change| terms.not(change.changed)).collect();
        while self.calls < self.tries {
            self.calls += 1;
            let core = match self.solver.check(&self.formula.terms, &kept, &self.options.limits) {
                Answer::Sat(solution) => return repaired(self.formula.edits(&solution)),
                Answer::Unknown(_) => return Outcome::OutOfTime,
                Answer::Unsat(core) => core,
            };
            if core.assumptions.is_empty() {
                return contradiction(&core.tags);
            }
            // Xorshift: the same seed makes the same choices everywhere.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let given_up = core.assumptions[(random % core.assumptions.len() as u64) as usize];
            kept.retain(|term| *term != given_up);
            self.widenings += 1;
        }
        Outcome::Exhausted { cost: self.widenings }
    }
}

fn repaired(edits: Vec<Edit>) -> Outcome {
    let cost = edits.iter().map(Edit::cost).sum();
    Outcome::Repaired { repairs: vec![edits], cost, all: false }
}

fn contradiction(tags: &[Tag]) -> Outcome {
    let facts = tags.iter().filter_map(|tag| match tag {
        Tag::Fact(fact) => Some(*fact),
        Tag::Kept(_) => None,
    });
    Outcome::Contradiction(facts.collect())
}
