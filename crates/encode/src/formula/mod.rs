//! Recorded runs and what is expected of them, as a formula over the edits of a
//! program.
//!
//! For each place of a [`Space`] there are variables that say what stands
//! there; a solution is a set of edits under which every trace goes as it went
//! and meets everything that is expected. With `p = q` in the space and
//! `p == n2` expected behind it, where `q` is n1 and `r` is n2, the formula
//! says: the source is not `q`, but perhaps `r`.
//!
//! What no edit can reach is computed while the formula is made and costs
//! nothing. The formula agrees with [`Prepared::follow`], except that loops go
//! round as often as in the recorded run (see [`FormulaOptions::pin_loops`]).

mod act;
mod angel;
mod arithmetic;
mod choice;
mod edits;
mod effect;
mod facts;
mod number;
mod places;
mod run;
mod state;
mod terms;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use ir::StepId;
use solver::{Model as Solution, Solver, Term, Terms};

use crate::edit::{Edit, Place};
use crate::follow::Prepared;
use crate::machine::Model;
use crate::space::Space;
use choice::{Choice, Mode};
use run::Run;

/// A fact that is asserted, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssertedFact {
    /// The trace.
    pub trace: usize,
    /// Its demand.
    pub demand: usize,
    /// The fact in that demand.
    pub fact: usize,
}

/// How a formula is made.
#[derive(Clone, Debug)]
pub struct FormulaOptions {
    /// Whether loops go the way they went in the recorded run. Otherwise they go as they like.
    pub pin_loops: bool,
    /// How often a loop goes round at most where the recorded run does not tell.
    pub rounds: u32,
    /// How many calls more than in the recorded run may be active.
    pub calls: u32,
    /// Statements that write or decide whatever helps (`x := nondet`).
    pub free: BTreeSet<StepId>,
    /// Whether statements that make a node can be inserted.
    pub allocations: bool,
    /// Whether choices consist of Booleans instead of finite domains: SMT
    /// solvers find that easier, the embedded one does not.
    pub one_hot: bool,
    /// Instructions to run at most.
    pub most_instructions: u64,
    /// Terms to make at most.
    pub most_terms: usize,
    /// Give up then.
    pub until: Option<std::time::Instant>,
}

impl Default for FormulaOptions {
    fn default() -> Self {
        FormulaOptions {
            pin_loops: true,
            rounds: 3,
            calls: 3,
            free: BTreeSet::new(),
            allocations: false,
            one_hot: false,
            most_instructions: 300_000,
            most_terms: 4_000_000,
            until: None,
        }
    }
}

/// Why there is no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// Every edited run comes to something that is not modelled.
    #[error("trace {trace} comes to a statement that is not modelled")]
    Unmodelled {
        /// The trace.
        trace: usize,
        /// The statement.
        step: StepId,
    },
    /// It would be too large.
    #[error("the formula would be too large")]
    TooLarge,
}

/// What kind of change it is to edit a place in some way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Of a guard: another condition, a guard for a statement, or deletion, which is the guard `false`.
    Guard,
    /// Of a statement.
    Statement,
    /// A new statement.
    Insertion,
}

/// A way in which a place can change.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: ChangeKind,
    /// Where it holds, the place is changed so.
    pub changed: Term,
}

/// The formula of some traces.
#[derive(Debug)]
pub struct Formula {
    /// The terms it is made of; a strategy may add its own.
    pub terms: Terms,
    constraints: Vec<(Option<AssertedFact>, Term)>,
    choices: BTreeMap<Place, Choice>,
    cost: Vec<(Term, u64)>,
}

impl Formula {
    /// The formula of some traces over the edits of a space. Places that no
    /// trace comes to stay as they are.
    pub fn new(
        model: &Model,
        traces: &[Prepared],
        space: &Space,
        options: &FormulaOptions,
    ) -> Result<Formula, FormulaError> {
        let mut formula =
            Formula { terms: Terms::new(), constraints: Vec::new(), choices: BTreeMap::new(), cost: Vec::new() };
        let Some(first) = traces.first() else { return Ok(formula) };
        let mut run = Run::new(model, space, options, first);
        for (number, prepared) in traces.iter().enumerate() {
            run.trace(number, prepared)?;
        }
        (formula.terms, formula.constraints) = (run.terms, run.constraints);
        for (place, choice) in run.choices {
            formula.cost.extend(choice.cost(&mut formula.terms));
            formula.choices.insert(place, (*choice).clone());
        }
        Ok(formula)
    }

    /// Demands the formula of a solver; asserted facts get tags. Whether that was done before `until`.
    pub fn assert_into<T: Clone + Eq + Hash>(
        &self,
        solver: &mut Solver<T>,
        tag: impl Fn(AssertedFact) -> T,
        until: Option<std::time::Instant>,
    ) -> bool {
        for &(fact, term) in &self.constraints {
            if until.is_some_and(|until| std::time::Instant::now() > until) {
                return false;
            }
            match fact {
                Some(fact) => solver.assert_tagged(&self.terms, tag(fact), term),
                None => solver.assert(&self.terms, term),
            }
        }
        true
    }

    /// Whether the edits cost so much at most.
    pub fn cost_at_most(&mut self, bound: u32) -> Term {
        self.terms.at_most_weighted(&self.cost, u64::from(bound))
    }

    /// What editing everything would cost.
    pub fn highest_cost(&self) -> u32 {
        self.cost.iter().map(|(_, weight)| *weight as u32).sum()
    }

    /// All ways in which places can change.
    pub fn changes(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (&place, choice) in &self.choices {
            let kinds = [
                (ChangeKind::Guard, choice.mode(&mut self.terms, |mode| kind(*mode) == Some(ChangeKind::Guard))),
                (
                    ChangeKind::Statement,
                    choice.mode(&mut self.terms, |mode| kind(*mode) == Some(ChangeKind::Statement)),
                ),
                (
                    ChangeKind::Insertion,
                    choice.mode(&mut self.terms, |mode| kind(*mode) == Some(ChangeKind::Insertion)),
                ),
            ];
            let possible = kinds.into_iter().filter(|(_, changed)| self.terms.value(*changed) != Some(0));
            changes.extend(possible.map(|(kind, changed)| Change { place, kind, changed }));
        }
        changes
    }

    /// The edits of a solution.
    pub fn edits(&self, solution: &Solution) -> Vec<Edit> {
        self.choices.values().filter_map(|choice| choice.edit(&self.terms, solution)).collect()
    }

    /// What says that the program is edited exactly so; `None` if the space
    /// has no such edits. Edits where no trace comes to are left out.
    pub fn exactly(&self, edits: &[Edit]) -> Option<Vec<Term>> {
        let mut literals = Vec::new();
        for (place, choice) in &self.choices {
            match edits.iter().find(|edit| edit.place() == *place) {
                Some(edit) => literals.extend(choice.literals(edit)?),
                None => literals.push(choice.mode.is(0)),
            }
        }
        Some(literals)
    }

    /// What says that not all of these edits are made together.
    pub fn without(&mut self, edits: &[Edit]) -> Term {
        let mut literals = Vec::new();
        for edit in edits {
            let choice = self.choices.get(&edit.place());
            literals.extend(choice.and_then(|choice| choice.literals(edit)).unwrap_or_default());
        }
        let all = self.terms.all(&literals);
        self.terms.not(all)
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }
}

fn kind(mode: Mode) -> Option<ChangeKind> {
    match mode {
        Mode::Keep => None,
        Mode::Assign | Mode::Operand(_) | Mode::Return => Some(ChangeKind::Statement),
        Mode::Insert(_) | Mode::Allocate(_) => Some(ChangeKind::Insertion),
        Mode::Delete | Mode::Guard | Mode::Whole | Mode::Atom(_) | Mode::Without(..) => Some(ChangeKind::Guard),
    }
}
