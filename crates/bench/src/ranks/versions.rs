//! Faulty versions of a program with one change each, and where that change is.

use std::collections::BTreeMap;
use std::sync::Arc;

use c_syntax::Source;
use encode::Model;
use ir::{Program, Step, StepId, StepKind};

use crate::BenchError;
use crate::study::{Study, statements};

/// A faulty version that was read.
#[derive(Debug)]
pub(super) struct Version {
    /// Its model.
    pub model: Model,
    /// The faulty statement.
    pub place: StepId,
    /// What is wrong, as a line of text.
    pub fault: String,
    /// The statement that each statement of the right program became.
    pub steps: BTreeMap<StepId, StepId>,
}

impl Version {
    /// Reads a version; `None` if it is no C, or if its fault is in no statement.
    pub fn read(right: &Program, version: &inject::Version) -> Option<Version> {
        let [fault] = &version.faults[..] else { return None };
        let source = Source::new(right.source.path.clone(), version.text.clone());
        let model = Model::new(Arc::new(ir::load_text(Arc::new(source)).ok()?));
        let place = place(&model, fault.faulty)?;
        let steps = counterparts(right, &model.program, fault);
        let fault = format!("line {}: `{}` -> `{}`", fault.line, fault.before, fault.after);
        Some(Version { model, place, fault, steps })
    }
}

/// The smallest statement around some bytes.
fn place(model: &Model, (start, end): (u32, u32)) -> Option<StepId> {
    let span = |step: &StepId| model.program.step(*step).span;
    let around = statements(model).filter(|step| span(step).start <= start && end <= span(step).end);
    around.min_by_key(|step| span(step).end - span(step).start)
}

/// Finds statements by where they begin.
fn counterparts(right: &Program, faulty: &Program, fault: &inject::Fault) -> BTreeMap<StepId, StepId> {
    let numbered =
        |program: &Program| -> Vec<(StepId, Step)> { (0..).map(StepId).zip(program.steps.iter().cloned()).collect() };
    let is_exit = |step: &Step| step.kind == StepKind::Exit;
    let by_start: BTreeMap<(u32, bool), StepId> =
        numbered(faulty).iter().map(|(id, step)| ((step.span.start, is_exit(step)), *id)).collect();
    let find = |(id, step): &(StepId, Step)| {
        let start = moved(step.span.start, fault.original, fault.faulty)?;
        Some((*id, *by_start.get(&(start, is_exit(step)))?))
    };
    numbered(right).iter().filter_map(find).collect()
}

/// Where a byte of the right text is in the faulty one.
fn moved(at: u32, original: (u32, u32), faulty: (u32, u32)) -> Option<u32> {
    match at {
        at if at <= original.0 => Some(at),
        at if at >= original.1 => (at - original.1).checked_add(faulty.1),
        _ => None,
    }
}

/// Draws versions. Where variables and members alone do not give enough of
/// them, operators and constants are changed too.
pub(super) fn draw(study: &Study, count: usize, seed: u64) -> Result<Vec<inject::Version>, BenchError> {
    let program = &study.model.program;
    let mut options = inject::Options {
        functions: study.functions.iter().map(|&function| program.function(function).name.to_string()).collect(),
        change: 1,
        delete: 0,
        count,
        seed,
        operators: false,
        inputs: study.case.inputs.clone(),
        stdin: study.case.stdin.clone(),
    };
    let mut versions = inject::inject(program, &options, &mut |_| {})?.versions;
    if versions.len() < count {
        options.operators = true;
        for more in inject::inject(program, &options, &mut |_| {})?.versions {
            if versions.len() < count && versions.iter().all(|version| version.text != more.text) {
                versions.push(more);
            }
        }
    }
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_by_the_change() {
        // `p = head;` became `p = tail->next;`.
        let map = |at| moved(at, (4, 8), (4, 14));
        assert_eq!([map(0), map(4), map(6), map(8), map(20)], [Some(0), Some(4), None, Some(14), Some(26)]);
    }
}
