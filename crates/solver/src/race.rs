//! The embedded engine first and, when that takes long, an SMT solver beside it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::embedded::Embedded;
use crate::engine::{Engine, Outcome, Query, Switch};
use crate::sat::{Limits, Reason};
use crate::smtlib::{Program, Running, Smtlib};
use crate::term::{Term, Terms};

/// How long the embedded engine is alone; most queries are answered by then.
const HEAD_START: Duration = Duration::from_millis(1000);

pub(crate) struct Race {
    embedded: Embedded,
    smtlib: Option<Smtlib>,
}

impl Race {
    pub(crate) fn new() -> Self {
        Self { embedded: Embedded::adaptive(), smtlib: Program::first_installed().ok().map(Smtlib::new) }
    }

    /// The answer of whoever is first.
    fn race(&mut self, terms: &Terms, query: &Query, mut pipe: Running, limits: &Limits) -> Outcome {
        let outcome = self.embedded.check(terms, query, &limits.and_stop(pipe.done()));
        let pipe_was_first = pipe.done().load(Ordering::Relaxed) && limits.exceeded().is_none();
        if !(pipe_was_first && matches!(outcome, Outcome::Unknown(Reason::Interrupted))) {
            return outcome;
        }
        match pipe.wait(Duration::ZERO).map(|reply| Smtlib::read(reply, query)) {
            Some(answer @ (Outcome::Sat(_) | Outcome::Unsat(_))) => answer,
            // It gave up, so the embedded engine goes on alone.
            _ => self.embedded.check(terms, query, limits),
        }
    }
}

impl Engine for Race {
    fn assert(&mut self, terms: &Terms, term: Term, switches: &[Switch]) {
        self.embedded.assert(terms, term, switches);
        if let Some(smtlib) = &mut self.smtlib {
            smtlib.assert(terms, term, switches);
        }
    }

    fn check(&mut self, terms: &Terms, query: &Query, limits: &Limits) -> Outcome {
        let Some(smtlib) = &self.smtlib else { return self.embedded.check(terms, query, limits) };
        let outcome = self.embedded.check(terms, query, &limits.and_within(HEAD_START));
        if !matches!(outcome, Outcome::Unknown(Reason::OutOfTime)) || limits.exceeded().is_some() {
            return outcome;
        }
        let pipe = smtlib.start(terms, query);
        self.race(terms, query, pipe, limits)
    }

    fn retire(&mut self, switch: Switch) {
        self.embedded.retire(switch);
        if let Some(smtlib) = &mut self.smtlib {
            smtlib.retire(switch);
        }
    }
}
