//! The door of the crate: tagged constraints, scopes, questions and answers.

use std::collections::HashMap;
use std::hash::Hash;

use crate::embedded::Embedded;
use crate::engine::{Engine, Outcome, Query, Switch};
use crate::race::Race;
use crate::sat::{Limits, Reason};
use crate::smtlib::{Program, Smtlib, SmtlibError};
use crate::term::{Model, Term, Terms};

/// Who solves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Backend {
    /// The embedded bit-blaster over the SAT solver that fits the query.
    Embedded,
    /// The embedded bit-blaster over batsat.
    Batsat,
    /// The embedded bit-blaster over CaDiCaL.
    #[cfg(feature = "cadical")]
    Cadical,
    /// The fastest SMT solver that is installed, through a pipe.
    Smtlib,
    /// This SMT solver, through a pipe.
    Program(Program),
    /// The embedded engine first; if that takes long, an installed SMT solver beside it.
    Auto,
}

/// What a check found out.
#[derive(Clone, Debug)]
pub enum Answer<T> {
    /// Everything holds together, for instance in this model.
    Sat(Model),
    /// These constraints and assumptions contradict each other.
    Unsat(Core<T>),
    /// Nothing, for this reason.
    Unknown(Reason),
}

impl<T> Answer<T> {
    /// Whether the answer is a model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    /// Whether the answer is a contradiction.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat(_))
    }

    /// The model, if there is one.
    pub fn model(self) -> Option<Model> {
        match self {
            Self::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// The core, if there is one.
    pub fn core(self) -> Option<Core<T>> {
        match self {
            Self::Unsat(core) => Some(core),
            _ => None,
        }
    }
}

/// Tags and assumptions that contradict each other (and the constraints without tags).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core<T> {
    /// The tags of the constraints, in the order of their first use.
    pub tags: Vec<T>,
    /// The assumptions of the check.
    pub assumptions: Vec<Term>,
    /// Whether nothing can be left out.
    pub is_minimal: bool,
}

/// Constraints over terms of one store, some of them with tags.
///
/// All constraints with one tag go in and out together; a core is a set of tags.
pub struct Solver<T> {
    pub(crate) engine: Box<dyn Engine>,
    tags: Vec<(T, Switch)>,
    switch_of: HashMap<T, Switch>,
    scopes: Vec<Scope>,
    switches: u32,
}

struct Scope {
    switch: Switch,
    /// How many tags there were when it began.
    tags: usize,
}

impl<T: Clone + Eq + Hash> Solver<T> {
    /// A solver without constraints; an error if it needs an SMT solver and none is installed.
    pub fn new(backend: Backend) -> Result<Self, SmtlibError> {
        let engine: Box<dyn Engine> = match backend {
            Backend::Embedded => Box::new(Embedded::adaptive()),
            Backend::Batsat => Box::new(Embedded::batsat()),
            #[cfg(feature = "cadical")]
            Backend::Cadical => Box::new(Embedded::cadical()),
            Backend::Smtlib => Box::new(Smtlib::new(Program::first_installed()?)),
            Backend::Program(program) => Box::new(Smtlib::new(program)),
            Backend::Auto => Box::new(Race::new()),
        };
        Ok(Self { engine, tags: vec![], switch_of: HashMap::new(), scopes: vec![], switches: 0 })
    }

    /// A solver over [`Backend::Embedded`], which is always there.
    pub fn embedded() -> Self {
        Self::new(Backend::Embedded).expect("the embedded back end needs nothing from outside")
    }

    /// Demands the Boolean `term`.
    pub fn assert(&mut self, terms: &Terms, term: Term) {
        let switches: Vec<Switch> = self.scopes.last().map(|scope| scope.switch).into_iter().collect();
        self.engine.assert(terms, term, &switches);
    }

    /// Demands the Boolean `term`; cores name it by `tag`.
    pub fn assert_tagged(&mut self, terms: &Terms, tag: T, term: Term) {
        let mut switches: Vec<Switch> = self.scopes.last().map(|scope| scope.switch).into_iter().collect();
        switches.push(self.switch_of(tag));
        self.engine.assert(terms, term, &switches);
    }

    /// Whether all constraints hold together with the assumptions, which are Booleans.
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer<T> {
        let mut query = self.everything();
        query.assumptions = assumptions.to_vec();
        match self.ask(terms, &query, limits) {
            Outcome::Sat(model) => Answer::Sat(model),
            Outcome::Unsat(core) => Answer::Unsat(self.name_core(&core, false)),
            Outcome::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Begins a scope: constraints from now on are forgotten at the next [`pop`](Self::pop).
    pub fn push(&mut self) {
        let switch = self.new_switch();
        self.scopes.push(Scope { switch, tags: self.tags.len() });
    }

    /// Ends the scope that was begun last.
    ///
    /// # Panics
    /// If no scope is open.
    pub fn pop(&mut self) {
        let scope = self.scopes.pop().expect("there is a scope to end");
        self.engine.retire(scope.switch);
        for (tag, switch) in self.tags.split_off(scope.tags) {
            self.switch_of.remove(&tag);
            self.engine.retire(switch);
        }
    }

    /// A query with all tags, without assumptions.
    fn everything(&self) -> Query {
        Query { on: self.tags.iter().map(|tag| tag.1).collect(), assumptions: vec![] }
    }

    /// Asks with the open scopes switched on; they are no part of the core.
    pub(crate) fn ask(&mut self, terms: &Terms, query: &Query, limits: &Limits) -> Outcome {
        let scopes: Vec<Switch> = self.scopes.iter().map(|scope| scope.switch).collect();
        let mut full = query.clone();
        full.on.extend(&scopes);
        match self.engine.check(terms, &full, limits) {
            Outcome::Unsat(mut core) => {
                core.on.retain(|switch| !scopes.contains(switch));
                Outcome::Unsat(core)
            }
            other => other,
        }
    }

    /// The part of a query that a core names.
    pub(crate) fn query_of(&self, core: &Core<T>) -> Query {
        let on = core.tags.iter().filter_map(|tag| self.switch_of.get(tag).copied()).collect();
        Query { on, assumptions: core.assumptions.clone() }
    }

    pub(crate) fn name_core(&self, core: &Query, is_minimal: bool) -> Core<T> {
        let in_core: std::collections::HashSet<Switch> = core.on.iter().copied().collect();
        let named = self.tags.iter().filter(|tag| in_core.contains(&tag.1));
        Core { tags: named.map(|tag| tag.0.clone()).collect(), assumptions: core.assumptions.clone(), is_minimal }
    }

    fn switch_of(&mut self, tag: T) -> Switch {
        if let Some(&known) = self.switch_of.get(&tag) {
            return known;
        }
        let switch = self.new_switch();
        self.switch_of.insert(tag.clone(), switch);
        self.tags.push((tag, switch));
        switch
    }

    fn new_switch(&mut self) -> Switch {
        self.switches += 1;
        Switch(self.switches - 1)
    }
}
