//! Further small inputs: the same program with some calls left out.
//!
//! A program that builds a list by `push(2); push(4); push(8);` and then calls
//! `reverse()` is run without the last `push`, without the last two, and
//! without all of them, so that `reverse` gets shorter lists and an empty one.
//! It is also run with the last `push` repeated, so that it gets longer lists,
//! and, if its arguments are numbers, with other arguments: fewer, more, in another order.
//! What a repair does there was never asserted, but it should not crash.

use std::collections::BTreeSet;
use std::sync::Arc;

use encode::{Demand, Model, Prepared, Recorder, Trace, Visit};
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Input, RunOptions, Stop, Until};
use ir::{FunctionId, StepId};
use memory::State;

use crate::check::{PatchedProgram, RunAs};

/// A variation of a run.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The statements that are left out, counted from the start of the program.
    pub skipped: BTreeSet<Visit>,
    /// A statement that is run again, and how often.
    pub repeated: Option<(Visit, u32)>,
    /// Other arguments; then the whole run counts, not only the first call.
    pub arguments: Option<Vec<String>>,
    /// The run of the function from its first statement to its end.
    pub trace: Arc<Trace>,
}

impl Variation {
    /// The variation in words: `without push(8) and push(10)`.
    pub fn describe(&self, model: &Model) -> String {
        if let Some(arguments) = &self.arguments {
            return format!("with the arguments {}", arguments.join(" "));
        }
        let bytes = &model.program.source.bytes;
        let text = |visit: &Visit| {
            let span = model.program.step(visit.step).span;
            String::from_utf8_lossy(&bytes[span.start as usize..span.end as usize]).into_owned()
        };
        if let Some((visit, times)) = &self.repeated {
            let times = if *times == 1 { "once".to_string() } else { format!("{times} times") };
            return format!("with {} {times} more", text(visit));
        }
        let mut texts: Vec<String> = self.skipped.iter().map(text).collect();
        match texts.pop() {
            None => "as it is".into(),
            Some(only) if texts.is_empty() => format!("without {only}"),
            Some(last) => format!("without {} and {last}", texts.join(", ")),
        }
    }
}

/// More statements than this are not run to find out.
const LONGEST: u64 = 50_000;

/// Variations of the run that led to the first call of `function`.
pub fn variations(model: &Model, run_as: &RunAs, function: FunctionId) -> Vec<Variation> {
    let mut found = with_other_calls(model, run_as, function);
    let others = other_arguments(&run_as.arguments).into_iter();
    found.extend(others.filter_map(|arguments| with_arguments(model, run_as, function, arguments)));
    found
}

/// Fewer, more and differently ordered numbers.
pub fn other_arguments(given: &[String]) -> Vec<Vec<String>> {
    let numbers: Option<Vec<i64>> = given.iter().map(|text| text.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return Vec::new() };
    let mut found: Vec<Vec<i64>> = Vec::new();
    let mut add = |change: &dyn Fn(&mut Vec<i64>)| {
        let mut changed = numbers.clone();
        change(&mut changed);
        if changed != numbers && !changed.is_empty() && !found.contains(&changed) {
            found.push(changed);
        }
    };
    add(&|list| list.reverse());
    add(&|list| list.sort());
    add(&|list| {
        list.sort();
        list.reverse();
    });
    for i in 1..numbers.len().min(5) {
        add(&|list| list.swap(i - 1, i));
    }
    add(&|list| list.truncate(list.len() - 1));
    add(&|list| list.rotate_left(1));
    add(&|list| {
        list.remove(0);
    });
    add(&|list| list.push(*list.iter().max().unwrap_or(&0) + 1));
    add(&|list| list.push(*list.iter().min().unwrap_or(&0) - 1));
    add(&|list| list.push(list[0]));
    found.into_iter().map(|list| list.iter().map(i64::to_string).collect()).collect()
}

/// A variation with other arguments, if the program comes to the function with them.
pub fn with_arguments(
    model: &Model,
    run_as: &RunAs,
    function: FunctionId,
    arguments: Vec<String>,
) -> Option<Variation> {
    let changed = RunAs { arguments: arguments.clone(), input: run_as.input.clone() };
    let varied = variation(model, &changed, function, BTreeSet::new(), None)?;
    Some(Variation { arguments: Some(arguments), ..varied })
}

/// Made-up arguments, if the given ones are numbers: always the same for the
/// same ones, a little shorter or longer, of their numbers and small others.
pub fn made_up_arguments(given: &[String]) -> Vec<Vec<String>> {
    const LISTS: usize = 16;
    let numbers: Option<Vec<i64>> = given.iter().map(|text| text.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return Vec::new() };
    let known: Vec<i64> = numbers.iter().copied().chain(0..10).collect();
    // A linear congruential generator (Knuth's constants).
    let mut seed = 0x5851_f42d_4c95_7f2d_u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut list = |number: usize| -> Vec<String> {
        let length = (numbers.len() + number % 5).saturating_sub(1).max(1);
        (0..length).map(|_| known[draw(known.len())].to_string()).collect()
    };
    (0..LISTS).map(&mut list).collect()
}

/// Calls before the function are left out or repeated.
fn with_other_calls(model: &Model, run_as: &RunAs, function: FunctionId) -> Vec<Variation> {
    let Some(calls) = calls_before(model, run_as, function) else { return Vec::new() };
    // All left out, then fewer and fewer.
    let mut kept: Vec<usize> = (0..calls.len().min(4)).collect();
    if calls.len() > 5 {
        kept.push(calls.len() - 1);
    }
    let shorter = kept.into_iter().map(|kept| (calls[kept..].iter().copied().collect::<BTreeSet<Visit>>(), None));
    let longer = [1, 2].into_iter().filter_map(|times| Some((BTreeSet::new(), Some((*calls.last()?, times)))));
    let all: Vec<_> = shorter.chain(longer).collect();
    all.into_iter().filter_map(|(skipped, repeated)| variation(model, run_as, function, skipped, repeated)).collect()
}

fn start<'m>(model: &'m Model, run_as: &RunAs) -> Option<(Interpreter, Recorder<'m>)> {
    let (arguments, input) = (run_as.arguments.clone(), Input::Bytes(run_as.input.clone()));
    let options = RunOptions { arguments, input, max_steps: LONGEST, ..RunOptions::default() };
    let executor = Interpreter::start(model.program.clone(), &options).ok()?;
    let recorder = Recorder::new(model, &|_| false, &executor);
    Some((executor, recorder))
}

/// The statements of the calling function that call others, before it calls `function` first.
fn calls_before(model: &Model, run_as: &RunAs, function: FunctionId) -> Option<Vec<Visit>> {
    let (mut executor, mut recorder) = start(model, run_as)?;
    let mut seen: Vec<(Visit, usize)> = Vec::new();
    for _ in 0..LONGEST {
        let step = executor.position().step()?;
        let depth = executor.calls().ok()?.len();
        if model.program.step(step).function == function {
            let caller = depth.checked_sub(1)?;
            let entered = seen.iter().rposition(|(_, at)| *at == caller)?;
            let before = seen[..entered].iter().filter(|(_, at)| *at == caller);
            return Some(before.map(|(visit, _)| *visit).collect());
        }
        let place = &model.code.steps[step.index()];
        let is_call = place.calls && !place.is_condition;
        if is_call && model.program.step(step).kind == ir::StepKind::Expression {
            seen.push((recorder.visit(&executor)?, depth));
        }
        recorder.step(&mut executor).ok()?;
    }
    None
}

fn variation(
    model: &Model,
    run_as: &RunAs,
    function: FunctionId,
    skipped: BTreeSet<Visit>,
    repeated: Option<(Visit, u32)>,
) -> Option<Variation> {
    let (mut executor, mut recorder) = start(model, run_as)?;
    let changes = Changes { skipped: &skipped, repeated };
    reach(&mut executor, &mut recorder, &changes, &|step| model.program.step(step).function == function).ok()??;
    recorder.begin(&mut executor).ok()?;
    let mut trace = Trace { skipped_before: skipped.clone(), repeated_before: repeated, ..recorder.finish() };
    let exit = model.program.function(function).exit;
    let at = Visit { step: exit, count: 1 };
    let demand = Demand { at, index: 0, facts: Vec::new(), state: trace.start.clone(), calls: trace.calls.clone() };
    trace.demands.push(demand);
    Some(Variation { skipped, repeated, arguments: None, trace: Arc::new(trace) })
}

/// What is different in a variation.
struct Changes<'v> {
    skipped: &'v BTreeSet<Visit>,
    repeated: Option<(Visit, u32)>,
}

/// Runs on with these changes to the first statement that fits.
fn reach(
    executor: &mut Interpreter,
    recorder: &mut Recorder<'_>,
    changes: &Changes<'_>,
    fits: &dyn Fn(StepId) -> bool,
) -> Result<Option<StepId>, ExecuteError> {
    let mut again = changes.repeated;
    for _ in 0..LONGEST {
        let Stop::Step(step) = *executor.position() else { return Ok(None) };
        if fits(step) {
            return Ok(Some(step));
        }
        let visit = recorder.visit(executor);
        match again {
            Some((at, times)) if visit == Some(at) => {
                for _ in 0..times {
                    recorder.run(executor, &Until::Over, &BTreeSet::new())?;
                    executor.go_to(at.step)?;
                }
                again = None;
                recorder.run(executor, &Until::Over, &BTreeSet::new())?;
                continue;
            }
            _ => {}
        }
        match visit.is_some_and(|visit| changes.skipped.contains(&visit)) {
            true => recorder.skip(executor)?,
            false => recorder.step(executor)?,
        };
    }
    Ok(None)
}

/// What a repaired function does on a variation.
#[derive(Clone, Debug)]
pub enum Ending {
    /// It comes to its end with this memory.
    Ends(Box<State>),
    /// It crashes; how, and on which line of the repaired text.
    Crashes(String),
}

/// Runs a patched program on a variation to the end of the first call of
/// `function`, or of the last one if the arguments are others.
pub fn ending(patched: &PatchedProgram, variation: &Variation, run_as: &RunAs, function: &str) -> Option<Ending> {
    let changed = variation.arguments.clone().map(|arguments| RunAs { arguments, input: run_as.input.clone() });
    let map = |visit: &Visit| Some(Visit { step: *patched.steps.get(&visit.step)?, count: visit.count });
    let skipped: BTreeSet<Visit> = variation.skipped.iter().filter_map(map).collect();
    let repeated = variation.repeated.and_then(|(visit, times)| Some((map(&visit)?, times)));
    let changes = Changes { skipped: &skipped, repeated };
    end_of(patched, changed.as_ref().unwrap_or(run_as), &changes, function, variation.arguments.is_some())
}

/// Runs a patched program as it is to the end of the first call of `function`.
pub fn plain_ending(patched: &PatchedProgram, run_as: &RunAs, function: &str) -> Option<Ending> {
    end_of(patched, run_as, &Changes { skipped: &BTreeSet::new(), repeated: None }, function, false)
}

fn end_of(
    patched: &PatchedProgram,
    run_as: &RunAs,
    changes: &Changes<'_>,
    function: &str,
    to_the_last: bool,
) -> Option<Ending> {
    let program = &patched.model.program;
    let id = program.function_named(function)?;
    let mut executor = patched.start(run_as, LONGEST).ok()?;
    let mut recorder = Recorder::new(&patched.model, &|_| false, &executor);
    reach(&mut executor, &mut recorder, changes, &|step| program.step(step).function == id).ok()??;
    let exit = BTreeSet::from([program.function(id).exit]);
    let mut last = None;
    let mut stop = executor.resume(&Until::End, &exit).ok()?;
    while to_the_last && matches!(stop, Stop::Step(_)) {
        last = Some(executor.state().ok()?);
        stop = executor.resume(&Until::End, &exit).ok()?;
    }
    match stop {
        Stop::Step(_) => Some(Ending::Ends(Box::new(executor.state().ok()?))),
        Stop::Exited(_) => Some(Ending::Ends(Box::new(last?))),
        Stop::Fault(fault) => {
            let place = fault.span.map(|span| program.source.line(span.start));
            let line = place.or(fault.step.map(|step| program.step(step).line));
            let text = line.map(|line| format!(", line {line}: {}", program.source.line_text(line).trim()));
            Some(Ending::Crashes(format!("{}{}", fault.message, text.unwrap_or_default())))
        }
        _ => None,
    }
}

/// A variation that is ready to be run over cells.
pub fn prepare(model: &Model, variation: &Variation) -> Option<Prepared> {
    Prepared::new(model, variation.trace.clone(), &|_| false).ok()
}

#[cfg(test)]
mod tests {
    use super::made_up_arguments;

    #[test]
    fn made_up_arguments_are_numbers_and_always_the_same() {
        let given = ["12".to_string(), "-3".to_string(), "7".to_string()];
        let lists = made_up_arguments(&given);
        assert_eq!(lists, made_up_arguments(&given));
        assert!(lists.iter().flatten().all(|text| text.parse::<i64>().is_ok()));
        let lengths = |length| lists.iter().any(|list| list.len() == length);
        assert!((2..=6).all(lengths), "shorter and longer ones");
        assert!(made_up_arguments(&["file.txt".to_string()]).is_empty());
        assert!(made_up_arguments(&[]).is_empty());
    }
}
