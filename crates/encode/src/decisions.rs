//! Which way the conditions of a recorded run went.
//!
//! After `while (p != NULL)` came its body twice and then what follows the
//! loop: the decisions are yes, yes, no.

use std::collections::BTreeMap;

use ir::StepId;

use crate::machine::Model;
use crate::trace::{Trace, Visit};

/// The decisions of a run, forced ones too. Conditions that lead to the same
/// statement either way are left out.
pub fn decisions(model: &Model, trace: &Trace) -> BTreeMap<Visit, bool> {
    let mut visits: BTreeMap<StepId, u32> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (i, arrival) in trace.run.iter().enumerate() {
        let count = visits.entry(arrival.step).or_default();
        *count += 1;
        if !model.code.steps[arrival.step.index()].is_condition {
            continue;
        }
        // A condition may call functions before it is decided.
        let Some(next) = trace.run[i + 1..].iter().find(|next| next.depth <= arrival.depth) else { continue };
        let way = |taken| ir::successor(&model.program, arrival.step, Some(taken), &|_| true);
        let (yes, no) = (way(true) == Some(next.step), way(false) == Some(next.step));
        if next.depth == arrival.depth && yes != no {
            found.insert(Visit { step: arrival.step, count: *count }, yes);
        }
    }
    found.extend(trace.forced.iter().map(|(visit, taken)| (*visit, *taken)));
    found
}
