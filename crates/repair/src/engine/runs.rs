//! What the recorded runs say by themselves: whether they can be followed, what
//! they contradict, and which guards they leave open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use encode::{Model, Prepared, Trace, Verdict, decisions};
use ir::StepId;
use memory::{Object, Value, leaves};

use crate::check::RunAs;

/// Whether the runs can be followed as they are; if not, where they cannot.
pub fn check_modelled(model: &Model, prepared: &[Prepared]) -> Result<(), String> {
    for trace in prepared {
        // What only a run comes to that went astray need not be followed.
        if let (Verdict::Unmodelled(_), last) = trace.follow_to_crash(model, &[], 10_000_000)
            && !last.astray
        {
            return Err(why_unmodelled(model, trace, last.step));
        }
    }
    Ok(())
}

/// What keeps the model from following a run, which came to this statement last.
fn why_unmodelled(model: &Model, prepared: &Prepared, last: Option<StepId>) -> String {
    if let Some((holder, name)) = without_address(model, prepared) {
        return format!(
            "where the run starts, `{holder}` points to the variable `{name}`, whose address this program never takes; \
             assert states of the call that `{name}` belongs to"
        );
    }
    let program = &model.program;
    let line = |step: StepId| program.step(step).line;
    let calls = &prepared.trace.calls;
    let returns =
        |step: &StepId| calls.last().is_some_and(|&own| program.function(program.step(own).function).exit == *step);
    if let (Some(_), [.., caller, _]) = (last.filter(returns), &calls[..]) {
        return format!(
            "the run starts inside of a call that line {} makes, and what that line had computed before is not known; \
             start where the call begins, or before line {0}",
            line(*caller)
        );
    }
    let place = last.map_or(String::new(), |step| format!(" at or after line {}", line(step)));
    format!(
        "what the program does{place} is not modelled (a union, a bit-field, an array of variable length, memory \
         without a known type); assert states after it only"
    )
}

/// A pointer at the start of a run to a variable that has no address in the model, and the variable's name.
fn without_address(model: &Model, prepared: &Prepared) -> Option<(String, String)> {
    leaves(&prepared.trace.start).into_iter().find_map(|(entity, value)| match value {
        Value::Pointer(place) if prepared.start.object_of(model, &place.object).is_none() => match &place.object {
            Object::Local { name, .. } => Some((entity.to_string(), name.to_string())),
            _ => None,
        },
        _ => None,
    })
}

/// Facts about the same moment that give one thing two values.
pub(super) fn at_odds(prepared: &[Prepared]) -> Vec<String> {
    for trace in prepared {
        let demands = &trace.trace.demands;
        for (i, demand) in demands.iter().enumerate() {
            let same = demands[i + 1..].iter().filter(|other| other.at == demand.at);
            for (one, other) in same.flat_map(|other| demand.facts.iter().map(move |fact| (fact, &other.facts))) {
                let differs = |fact: &&spec::Fact| {
                    let equal = fact.relation == spec::Relation::Equal && one.relation == spec::Relation::Equal;
                    fact.entity == one.entity && equal && fact.value != one.value
                };
                if let Some(other) = other.iter().find(differs) {
                    return vec![one.to_string(), other.to_string()];
                }
            }
        }
    }
    Vec::new()
}

/// Guards that the user forced, and that went only one way in all runs.
pub fn open_guards(model: &Model, runs: &[(Arc<Trace>, RunAs)]) -> BTreeSet<StepId> {
    let mut seen: BTreeMap<StepId, (bool, bool, bool)> = BTreeMap::new();
    for (trace, _) in runs {
        for (visit, taken) in decisions(model, trace) {
            let entry = seen.entry(visit.step).or_default();
            entry.0 |= taken;
            entry.1 |= !taken;
            entry.2 |= trace.forced.contains_key(&visit);
        }
    }
    seen.into_iter().filter(|(_, (yes, no, forced))| *forced && yes != no).map(|(step, _)| step).collect()
}

/// Those open guards that would not go by themselves the way they were forced.
pub(super) fn still_open(model: &Model, prepared: &[Prepared], open: &BTreeSet<StepId>) -> Vec<StepId> {
    let agrees = |step: &StepId| {
        prepared.iter().all(|trace| {
            let open = trace.trace.open.iter().copied().filter(|other| other != step).collect();
            let closed = trace.along(Trace { open, ..(*trace.trace).clone() }, trace.checks.clone());
            !matches!(closed.follow(model, &[], 1_000_000), Verdict::Decided(visit) if visit.step == *step)
        })
    };
    open.iter().copied().filter(|step| !agrees(step)).collect()
}
