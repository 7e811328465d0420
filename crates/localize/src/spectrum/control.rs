//! Control dependence: which outcomes of conditions decide whether a statement is run.
//!
//! ```text
//! 0   while (p != NULL) {
//! 1       if (p->value == v)
//! 2           return p;
//! 3       p = p->next;
//!     }
//! ```
//!
//! Step 2 depends on step 1 being true, step 3 on it being false, step 1 on step
//! 0 being true, and step 0 on step 1 being false, as the loop comes round only then.
//!
//! A statement depends on an outcome if it is on every way from there to the
//! end of the function, but not on every way from the condition (Ferrante,
//! Ottenstein and Warren, 1987).

use std::collections::{BTreeMap, BTreeSet};

use ir::{FunctionId, Program, StepId, StepKind};

/// For each statement, the outcomes that decide directly whether it is run.
pub type Guards = BTreeMap<StepId, BTreeSet<(StepId, bool)>>;

/// The guards of all statements of a program.
pub fn guards(program: &Program) -> Guards {
    let mut found = Guards::new();
    for function in 0..program.functions.len() as u32 {
        in_function(program, FunctionId(function), &mut found);
    }
    found
}

fn in_function(program: &Program, function: FunctionId, found: &mut Guards) {
    let ways = ways(program, function);
    let after = always_after(&ways);
    for (step, ends) in ways.iter().filter(|(_, ends)| ends.len() == 2) {
        for (end, outcome) in ends.iter().zip([true, false]) {
            // The condition itself is not on the way from itself, but may be on the way round a loop.
            let decided = after[end].iter().filter(|other| *other == step || !after[step].contains(other));
            decided.for_each(|&other| {
                found.entry(other).or_default().insert((*step, outcome));
            });
        }
    }
}

/// Where control goes after each statement: for a condition if it is true, and if it is false.
type Ways = BTreeMap<StepId, Vec<StepId>>;

fn ways(program: &Program, function: FunctionId) -> Ways {
    let exit = program.function(function).exit;
    let steps = (0..program.steps.len() as u32).map(StepId);
    let next = |step, decision| ir::successor(program, step, decision, &|_| true);
    let of = |step: StepId| match program.step(step).kind {
        _ if step == exit => Vec::new(),
        StepKind::If | StepKind::Loop => match (next(step, Some(true)), next(step, Some(false))) {
            (Some(yes), Some(no)) if yes != no => vec![yes, no],
            (way, other) => vec![way.or(other).unwrap_or(exit)],
        },
        // Where a `switch` goes depends on values: what is in it has no guard.
        _ => vec![next(step, None).unwrap_or(exit)],
    };
    steps.filter(|step| program.step(*step).function == function).map(|step| (step, of(step))).collect()
}

/// The statements on every way from each statement to the end, with itself
/// (its postdominators), as the largest sets that agree with each other.
fn always_after(ways: &Ways) -> BTreeMap<StepId, BTreeSet<StepId>> {
    let all: BTreeSet<StepId> = ways.keys().copied().collect();
    let start = |(step, ends): (&StepId, &Vec<StepId>)| match ends.is_empty() {
        true => (*step, BTreeSet::from([*step])),
        false => (*step, all.clone()),
    };
    let mut after: BTreeMap<StepId, BTreeSet<StepId>> = ways.iter().map(start).collect();
    loop {
        let mut changed = false;
        for (step, ends) in ways.iter().rev() {
            let common = ends.iter().filter_map(|end| after.get(end)).cloned().reduce(|a, b| &a & &b);
            let mut common = common.unwrap_or_default();
            common.insert(*step);
            changed |= after.insert(*step, common.clone()).is_some_and(|before| before != common);
        }
        if !changed {
            return after;
        }
    }
}
