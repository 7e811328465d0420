//! Does an edit mean the same to the model, as text, and to the interpreter?
//!
//! A random edit of a function is written as text, the text is read again and
//! run by the interpreter, and all its states become what is asserted of a run
//! of the unchanged program. With the edit, the model must meet all of it, and
//! crash where the patched program crashes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use encode::{Demand, Edit, NewStatement, Place, PlaceKind, PlaceSpace, Prepared, Recorder, Space};
use encode::{Trace, TypedTerm, Verdict, Visit};
use execute::{ExecuteError, Executor, Stop};
use fastrand::Rng;
use ir::{StepId, StepKind};
use repair::candidates::Candidate;
use repair::check::PatchedProgram;
use repair::scheme::heap::SchemeOptions;

use crate::BenchError;
use crate::programs::Case;
use crate::study::{Kind, Study, begin, facts, first_step, renamed};

/// So many statements of each run are compared.
const STATEMENTS: usize = 400;
/// Instructions that the model may run.
const INSTRUCTIONS: u64 = 2_000_000;

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Edits compared, by kind.
    pub edits: BTreeMap<Kind, usize>,
    /// States compared.
    pub states: usize,
    /// Patched programs that crash.
    pub crashes: usize,
    /// Runs that the model did not follow to their ends.
    pub unmodelled: usize,
    /// Edits whose text is no C.
    pub not_c: usize,
    /// Disagreements, in words.
    pub differences: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { edits, states, crashes, unmodelled, not_c, differences } = self;
        let kinds: Vec<String> = edits.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        write!(
            f,
            "{} edits ({}), {states} states compared, {crashes} crash, {unmodelled} not followed to the end, \
             {not_c} not C, {} differences",
            edits.values().sum::<usize>(),
            kinds.join(", "),
            differences.len()
        )
    }
}

/// Compares so many random edits of these programs.
pub fn compare(cases: &[Case], count: usize, seed: u64) -> Result<Summary, BenchError> {
    let mut summary = Summary::default();
    let mut random = Rng::with_seed(seed);
    let mut studies: BTreeMap<usize, Option<(Study, Space)>> = BTreeMap::new();
    let mut tried = 0;
    while summary.edits.values().sum::<usize>() < count && tried < 20 * count {
        tried += 1;
        let number = random.usize(..cases.len());
        if let std::collections::btree_map::Entry::Vacant(entry) = studies.entry(number) {
            let study = Study::load(&cases[number])?;
            let options = SchemeOptions { wide: true, ..SchemeOptions::default() };
            entry.insert(
                study.map(|study| (study.space_with(true, options), study)).map(|(space, study)| (study, space)),
            );
        }
        let Some(Some((study, space))) = studies.get(&number) else { continue };
        let (Some(edit), Some(input)) = (random_edit(space, &mut random), random.choice(&study.case.inputs)) else {
            continue;
        };
        compare_one(study, input, &edit, &mut summary)?;
    }
    Ok(summary)
}

fn random_edit(space: &Space, random: &mut Rng) -> Option<Edit> {
    let (&place, here) = random.choice(space.places.iter())?;
    if let (Some(edit), true) = (random_wide_edit(place, here, random), random.bool()) {
        return Some(edit);
    }
    if let (Place::Slot(slot), PlaceKind::Slot) = (place, &here.kind) {
        let guard = random.choice(&here.scope.comparisons).copied().filter(|_| random.bool());
        return Some(Edit::Insert { slot, guard, statement: random_statement(here, random)? });
    }
    let mut kinds: BTreeMap<Kind, Vec<Edit>> = BTreeMap::new();
    for edit in here.edits(place) {
        kinds.entry(Kind::of(&edit)).or_default().push(edit);
    }
    random.choice(kinds.into_values()).and_then(|edits| random.choice(edits))
}

/// An edit that only the wider search has.
fn random_wide_edit(place: Place, here: &PlaceSpace, random: &mut Rng) -> Option<Edit> {
    let wide = here.wide.as_ref()?;
    let (PlaceKind::Assignment { ty, .. }, Place::Step(step), true) = (&here.kind, place, wide.cases && random.bool())
    else {
        return random.choice(here.wide_edits(place));
    };
    let targets: Vec<&TypedTerm> = here.scope.terms.iter().filter(|term| term.is_place() && term.ty == *ty).collect();
    let condition = *random.choice(&here.scope.comparisons)?;
    let [yes, no] = [0, 1].map(|_| (random.choice(&targets).map(|term| **term).filter(|_| random.u8(..3) > 0), None));
    Some(Edit::Choose { step, condition, yes, no })
}

fn random_statement(here: &PlaceSpace, random: &mut Rng) -> Option<NewStatement> {
    let target = *random.choice(here.scope.terms.iter().filter(|term| term.is_place()).collect::<Vec<_>>())?;
    let fits = |term: &&TypedTerm| term.ty == target.ty && term.term != target.term;
    let is_pointer = target.scalar == encode::Scalar::Pointer;
    match random.u8(..8) {
        0 if is_pointer => Some(NewStatement::Allocate(target)),
        1 if is_pointer => Some(NewStatement::Free(target)),
        _ => {
            let source = random.choice(here.scope.terms.iter().filter(fits).collect::<Vec<_>>())?;
            Some(NewStatement::Assign(target, *source))
        }
    }
}

fn compare_one(study: &Study, input: &[String], edit: &Edit, summary: &mut Summary) -> Result<(), BenchError> {
    let Some(candidate) = Candidate::of(&study.model, &[*edit]) else { return Ok(()) };
    let Ok(patched) = PatchedProgram::new(&study.model.program, &candidate.patched) else {
        summary.not_c += 1;
        return Ok(());
    };
    let Some(run) = record(study, &patched, input)? else { return Ok(()) };
    let Some(first) = first_step(&study.model, study.function) else { return Ok(()) };
    let back = steps_back(study, &patched, edit);
    let Some(mut trace) = renamed(&run.trace, &back, first) else { return Ok(()) };
    let states = trace.demands.len();
    if run.crashed.is_some() {
        trace.demands.push(never(study, &trace));
    }
    let Ok(mut prepared) = Prepared::new(&study.model, Arc::new(trace), &|_| false) else {
        summary.unmodelled += 1;
        return Ok(());
    };
    prepared.start.set_pc(0);
    let (verdict, last) = prepared.follow_to_crash(&study.model, std::slice::from_ref(edit), INSTRUCTIONS);
    let last = last.step;
    *summary.edits.entry(Kind::of(edit)).or_default() += 1;
    let place = run.crashed.map(|step| back.get(&step).copied());
    let agrees = match (&verdict, place) {
        (Verdict::Meets, None) => true,
        (Verdict::Fault(demand), Some(place)) if *demand == states => place.is_none_or(|step| Some(step) == last),
        (Verdict::Unmodelled(_), _) => {
            summary.unmodelled += 1;
            return Ok(());
        }
        _ => false,
    };
    summary.states += states;
    summary.crashes += usize::from(place.is_some());
    if !agrees {
        let what = describe(study, &prepared, &verdict, &run, last);
        let diff = candidate.patched.diff(&study.name());
        summary.differences.push(format!("{} [{}]: {what}\n{edit:?}\n{diff}", study.name(), input.join(" ")));
    }
    Ok(())
}

/// A run of the patched program.
struct Run {
    trace: Trace,
    /// The statement that crashed, and why.
    crashed: Option<StepId>,
    message: String,
}

/// Runs the patched function, to the statement that follows its call; everything
/// that is known before each statement is demanded.
fn record(study: &Study, patched: &PatchedProgram, input: &[String]) -> Result<Option<Run>, ExecuteError> {
    let model = &patched.model;
    let mut executor = study.start(model, input)?;
    let mut recorder = Recorder::new(model, &|_| false, &executor);
    let name = &study.model.program.function(study.function).name;
    let Some(function) = model.program.function_named(name) else { return Ok(None) };
    if !begin(&mut recorder, &mut executor, function)? {
        return Ok(None);
    }
    let depth = executor.depth()?;
    let mut crashed = None;
    let mut message = String::new();
    for _ in 0..STATEMENTS {
        let known = facts(&executor.state()?, |_, _| true);
        recorder.demand(&mut executor, known)?;
        if executor.depth()? < depth {
            break;
        }
        let step = executor.position().step();
        match recorder.step(&mut executor)? {
            Stop::Step(_) => {}
            Stop::Fault(fault) => {
                (crashed, message) = (step, fault.message);
                break;
            }
            Stop::Exited(_) | Stop::Interrupted => break,
        }
    }
    Ok(Some(Run { trace: recorder.finish(), crashed, message }))
}

/// The statement of the original that each statement of the patched program was.
fn steps_back(study: &Study, patched: &PatchedProgram, edit: &Edit) -> BTreeMap<StepId, StepId> {
    let mut back: BTreeMap<StepId, StepId> = patched.steps.iter().map(|(old, new)| (*new, *old)).collect();
    if let Edit::Guard { step, .. } = edit {
        // The original is come to where its guard is.
        let program = &patched.model.program;
        let is_new = |new: &StepId| !back.contains_key(new) && program.step(*new).kind == StepKind::If;
        let guard = (0..program.steps.len() as u32).map(StepId).find(is_new);
        back.retain(|_, old| old != step);
        back.extend(guard.map(|guard| (guard, *step)));
    }
    debug_assert!(back.values().all(|step| step.index() < study.model.program.steps.len()));
    back
}

/// A demand that no run comes to.
fn never(study: &Study, trace: &Trace) -> Demand {
    let exit = study.model.program.function(study.function).exit;
    let last = trace.demands.last();
    Demand {
        at: Visit { step: exit, count: u32::MAX },
        index: trace.run.len().saturating_sub(1),
        facts: Vec::new(),
        state: last.map_or_else(|| trace.start.clone(), |demand| demand.state.clone()),
        calls: last.map_or_else(|| trace.calls.clone(), |demand| demand.calls.clone()),
    }
}

fn describe(study: &Study, prepared: &Prepared, verdict: &Verdict, run: &Run, last: Option<StepId>) -> String {
    let program = &study.model.program;
    let text =
        |step: StepId| format!("line {} `{}`", program.step(step).line, program.source.text(program.step(step).span));
    let mut what = match verdict {
        Verdict::Differs { demand, facts } => {
            let demand = &prepared.trace.demands[*demand];
            let facts: Vec<String> = facts.iter().take(4).map(|&fact| demand.facts[fact].to_string()).collect();
            format!("before {} ({}) not {}", text(demand.at.step), demand.at.count, facts.join(", "))
        }
        other => format!("{other:?} of {} demands", prepared.trace.demands.len()),
    };
    what += &last.map_or(String::new(), |step| format!(", last at {}", text(step)));
    if run.crashed.is_some() {
        what += &format!("; the patched program crashes: {}", run.message);
    }
    what
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::find;

    /// `WOLVERINE_EDITS=2000` compares more, `WOLVERINE_SEED` others.
    #[test]
    fn edits_mean_the_same_to_the_model_and_as_text() {
        let number = |name: &str, default: u64| {
            std::env::var(name).ok().map_or(default, |value| value.parse().expect("it is a number"))
        };
        let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
        let cases = find(&[programs.join("small"), programs.join("large")], None).expect("the programs are there");
        let summary = compare(&cases, number("WOLVERINE_EDITS", 60) as usize, number("WOLVERINE_SEED", 1));
        let summary = summary.expect("the programs are C");
        println!("{summary}");
        assert!(summary.differences.is_empty(), "{}", summary.differences.join("\n"));
    }
}
