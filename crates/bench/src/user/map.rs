//! Which statement of a faulty program is which of the right one.
//!
//! Both have the same functions, and the same statements in each, but for those
//! that are missing in the faulty one: so they are counted off.

use std::collections::BTreeMap;

use encode::Model;
use ir::{FunctionId, StepId};

/// A faulty program next to the right one.
#[derive(Debug)]
pub struct Twin {
    /// The faulty program.
    pub model: Model,
    /// The faulty program's statement for each of the right one that is still there.
    pub steps: BTreeMap<StepId, StepId>,
    /// Which local variables are needed where, in the faulty program.
    pub live: ir::Facts,
}

impl Twin {
    /// Finds the statements of the right program in the faulty one; `deleted`
    /// are the bytes of statements that are missing. `None` if they do not correspond.
    pub fn new(right: &Model, faulty: Model, deleted: &[(u32, u32)]) -> Option<Twin> {
        let mut steps = BTreeMap::new();
        for (number, function) in right.program.functions.iter().enumerate() {
            let other = faulty.program.function_named(&function.name)?;
            let is_gone = |step: &StepId| {
                let span = right.program.step(*step).span;
                deleted.iter().any(|(start, end)| *start <= span.start && span.end <= *end)
            };
            let ours = ordered(right, FunctionId(number as u32)).into_iter().filter(|step| !is_gone(step));
            let (ours, theirs) = (ours.collect::<Vec<_>>(), ordered(&faulty, other));
            let alike =
                |(one, other): (&StepId, &StepId)| right.program.step(*one).kind == faulty.program.step(*other).kind;
            if ours.len() != theirs.len() || !ours.iter().zip(&theirs).all(alike) {
                return None;
            }
            steps.extend(ours.into_iter().zip(theirs));
        }
        let live = ir::facts(&faulty.program);
        Some(Twin { model: faulty, steps, live })
    }

    /// The right program's statement for each of the faulty one.
    pub fn back(&self) -> BTreeMap<StepId, StepId> {
        self.steps.iter().map(|(right, faulty)| (*faulty, *right)).collect()
    }
}

/// The statements of a function in the order of the text.
fn ordered(model: &Model, function: FunctionId) -> Vec<StepId> {
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let mut steps: Vec<StepId> = steps.filter(|step| model.program.step(*step).function == function).collect();
    steps.sort_by_key(|step| (model.program.step(*step).span.start, model.program.step(*step).span.end));
    steps
}
