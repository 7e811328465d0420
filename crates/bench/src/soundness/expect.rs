//! What a user would assert of a right run.
//!
//! Of `reverse` that is the whole list, the globals, and the variables that are
//! still needed: at the start, each time before `while (current != NULL)`, and
//! at the end. Each loop goes on and ends as it did in the right run.

use encode::{Recorder, Trace};
use execute::{ExecuteError, Executor};
use ir::{Facts, StepKind};
use memory::Value;

use crate::BenchError;
use crate::study::{Study, begin, facts};
use crate::user::right::{loops, meets};
use crate::user::session::is_asserted;

/// What is expected of a run.
pub(super) struct Expectation {
    /// The arguments of the run.
    pub arguments: Vec<String>,
    /// The right run, and what is asserted along it.
    pub trace: Trace,
}

/// Longer runs are left out.
const STATEMENTS: usize = 5_000;

/// Where a run ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the closing brace of the function.
    Brace,
    /// Where its caller goes on, so that the result is seen.
    Caller,
}

/// What is expected of the first runs that call the function.
pub(super) fn expectations(study: &Study, inputs: usize, sparse: bool) -> Result<Vec<Expectation>, BenchError> {
    let live = ir::facts(&study.model.program);
    let mut found = Vec::new();
    for arguments in &study.case.inputs {
        if found.len() == inputs {
            break;
        }
        let ends: &[End] = match returns(study) {
            true => &[End::Caller, End::Brace],
            false => &[End::Brace],
        };
        for &end in ends {
            let trace = record(study, arguments, &live, end, sparse)?;
            // The model must follow the right run: what a call in the middle of a statement needs may be lost.
            if let Some(trace) = trace.filter(|trace| meets(&study.model, trace)) {
                found.push(Expectation { arguments: arguments.clone(), trace });
                break;
            }
        }
    }
    Ok(found)
}

fn returns(study: &Study) -> bool {
    let program = &study.model.program;
    program.types.size_of(program.function(study.function).result) > 0
}

/// The first call of the function; `None` if there is none, or if it does not end.
fn record(
    study: &Study,
    arguments: &[String],
    live: &Facts,
    end: End,
    sparse: bool,
) -> Result<Option<Trace>, ExecuteError> {
    let program = &study.model.program;
    let mut executor = study.start(&study.model, arguments)?;
    let mut recorder = Recorder::new(&study.model, &|_| false, &executor);
    if !begin(&mut recorder, &mut executor, study.function)? {
        return Ok(None);
    }
    let depth = executor.depth()?;
    for count in 0..STATEMENTS {
        let Some(step) = executor.position().step() else { return Ok(None) };
        let (here, kind) = (executor.depth()? == depth, program.step(step).kind);
        let ends = match end {
            End::Brace => here && kind == StepKind::Exit,
            End::Caller => executor.depth()? < depth,
        };
        let is_loop = here && kind == StepKind::Loop && program.step(step).function == study.function;
        if ends || !sparse && (count == 0 || is_loop) {
            let (state, calls) = (executor.state()?, executor.calls()?.into_iter().flatten().collect::<Vec<_>>());
            // Nobody asserts that a pointer dangles.
            let sound = |value: &Value| !matches!(value, Value::Dangling(_));
            let asserted =
                facts(&state, |entity, value| sound(value) && is_asserted(&study.model, live, &calls, entity));
            recorder.demand(&mut executor, asserted)?;
        }
        if ends {
            let mut trace = recorder.finish();
            if !sparse {
                trace.forced = loops(&study.model, &[study.function], &trace, depth as u32);
            }
            return Ok(Some(trace));
        }
        recorder.step(&mut executor)?;
    }
    Ok(None)
}
