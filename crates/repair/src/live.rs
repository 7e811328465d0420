//! A repair as changes of the running program.

use std::collections::BTreeSet;
use std::sync::Arc;

use encode::{Edit, Model, Place};
use execute::LiveChange;

use crate::candidates::Candidate;
use crate::render::Renderer;

/// The changes that make a repair live; fails with a sentence where one cannot
/// be made in a running program.
pub fn live_changes(model: &Model, candidate: &Candidate) -> Result<Arc<[LiveChange]>, String> {
    let renderer = Renderer::new(model);
    // Two edits of one statement are one change of it.
    let mut seen = BTreeSet::new();
    let edits = candidate.edits.iter().filter(|edit| seen.insert(edit.place()));
    edits.map(|edit| change(model, &renderer, candidate, edit)).collect()
}

/// What cannot be done to a running program.
const NOT_LIVE: &str = "this change cannot be made in a running program; `rewrite` the file and start again";

fn change(model: &Model, renderer: &Renderer<'_>, candidate: &Candidate, edit: &Edit) -> Result<LiveChange, String> {
    Ok(match edit {
        Edit::Insert { statement, .. } if statement.is_exit() => return Err(NOT_LIVE.into()),
        Edit::Insert { slot, guard, statement } => {
            let place = &model.code.slots[slot.0 as usize];
            let (to, from) = model.code.slot_edge(*slot).ok_or(
                "the new statement stands where a running program cannot be patched; `rewrite` the file and start again",
            )?;
            let guard = guard.as_ref().map(|guard| renderer.comparison_in(place.function, guard));
            let statement = renderer.statement(place.function, statement).ok_or("the new statement has no text")?;
            LiveChange::Insert { to, from, guard, statement }
        }
        Edit::Move { .. } | Edit::Choose { .. } => return Err(NOT_LIVE.into()),
        Edit::Guard { step, condition } => {
            let function = model.program.step(*step).function;
            LiveChange::Guard { step: *step, condition: renderer.comparison_in(function, condition) }
        }
        Edit::Delete { step } => LiveChange::Replace { step: *step, text: String::new() },
        Edit::Assign { .. } | Edit::Operand { .. } | Edit::Condition { .. } | Edit::Return { .. } => {
            let Place::Step(step) = edit.place() else { return Err("a statement is missing".into()) };
            LiveChange::Replace { step, text: renderer.new_text(step, &candidate.text_edits) }
        }
    })
}
