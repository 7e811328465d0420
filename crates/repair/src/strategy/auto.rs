//! A contract's repair by whatever finds one: evidence first, then mutations,
//! then templates, the last two with the contract as their oracle.

use std::time::{Duration, Instant};

use check::suite::first_failing;
use check::{Proof, Task};
use patch::Patched;

use super::{evidence, minimal, refine};
use crate::scheme::mutation::Level;

/// What was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Corrections from evidence.
    Evidence,
    /// Mutations.
    Mutation,
    /// New expressions.
    Template,
}

impl Method {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Evidence => "evidence",
            Method::Mutation => "mutation",
            Method::Template => "template",
        }
    }
}

/// A repair that meets the contract, and who found it.
#[derive(Clone, Debug)]
pub struct Repair {
    /// How it was found.
    pub method: Method,
    /// What is changed.
    pub what: String,
    /// The patched text.
    pub patched: Patched,
    /// What was proved.
    pub proof: Proof,
    /// When.
    pub after: Duration,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The repair.
    pub found: Option<Repair>,
    /// What evidence alone found.
    pub evidence: evidence::Repairs,
    /// Whether time was up.
    pub is_late: bool,
}

/// Tries one method after the other until one repairs the function, for all inputs up to the bound.
pub fn repairs(task: &Task, wanted: &evidence::Wanted, progress: &mut dyn FnMut(Method, usize)) -> Repairs {
    let start = Instant::now();
    let by_evidence = evidence::repairs(task, wanted, &mut |tried| progress(Method::Evidence, tried));
    let proved = by_evidence.found.as_ref().and_then(|repair| Some((repair, repair.proof.clone()?)));
    let found = proved.map(|(repair, proof)| Repair {
        method: Method::Evidence,
        what: repair.what.clone(),
        patched: repair.patched.clone(),
        proof,
        after: repair.after,
    });
    let is_open =
        matches!(by_evidence.end, evidence::End::Exhausted | evidence::End::OutOfTime | evidence::End::PassesTests);
    let mut answer = Repairs { found, evidence: by_evidence, is_late: false };
    if answer.found.is_some() || !is_open {
        return answer;
    }
    let proving = wanted.proving.as_ref().unwrap_or(task);
    let passes = |patched: &Patched| {
        let side = task.program.with_text(&patched.text);
        side.is_ok_and(|side| first_failing(&side, &wanted.tests).is_none())
    };
    // Each of the following has as much time as evidence had.
    let left = |start: Instant| wanted.timeout.saturating_sub(start.elapsed());
    for level in [Level::One, Level::Two, Level::Three] {
        let (begun, asked) = (
            Instant::now(),
            minimal::Wanted { level, max_size: 1, first: true, timeout: wanted.timeout, ..Default::default() },
        );
        progress(Method::Mutation, level as usize + 1);
        let mut found = minimal::repairs(proving, &asked, &mut |_, _| {});
        if found.found.iter().any(|repair| !passes(&repair.patched)) {
            // The contract allows it and the tests do not: another one may please both.
            let asked = minimal::Wanted { first: false, timeout: left(begun), ..asked };
            found = minimal::repairs(proving, &asked, &mut |_, _| {});
        }
        answer.is_late |= left(begun).is_zero();
        let proved = found.found.into_iter().filter(|repair| passes(&repair.patched));
        if let Some((repair, proof)) =
            proved.into_iter().find_map(|repair| repair.proof.clone().map(|proof| (repair, proof)))
        {
            let (method, what) = (Method::Mutation, repair.what.join("; "));
            answer.found = Some(Repair { method, what, patched: repair.patched, proof, after: start.elapsed() });
            return answer;
        }
    }
    progress(Method::Template, 0);
    let begun = Instant::now();
    let asked = refine::Wanted { first: true, timeout: wanted.timeout, ..Default::default() };
    let found = refine::repairs(proving, &asked, &mut |_, _| {});
    answer.is_late |= left(begun).is_zero();
    if let Some(repair) = found.found.into_iter().find(|repair| passes(&repair.patched)) {
        let (method, what, proof) = (Method::Template, repair.what.join("; "), repair.proof);
        answer.found = Some(Repair { method, what, patched: repair.patched, proof, after: start.elapsed() });
    }
    answer
}
