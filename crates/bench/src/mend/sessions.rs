//! The sessions of the paper up to their repairs.

use std::collections::BTreeSet;
use std::sync::Arc;

use c_syntax::Source;
use encode::{Model, Place, SlotId};
use ir::StepId;
use session::{EngineKind, Options, Session, split_line};

use super::Question;
use crate::BenchError;

/// A shipped program with its session.
struct Shipped {
    name: &'static str,
    function: &'static str,
    program: &'static str,
    script: &'static str,
    /// Which `repair` of the script.
    repair: usize,
}

const REVERSE: &str = include_str!("../../../../examples/reverse.c");
const REVERSE_SCRIPT: &str = include_str!("../../../../examples/reverse.script");

const SHIPPED: [Shipped; 3] = [
    Shipped {
        name: "Figure 1, first repair",
        function: "reverse",
        program: REVERSE,
        script: REVERSE_SCRIPT,
        repair: 0,
    },
    Shipped {
        name: "Figure 1, second repair",
        function: "reverse",
        program: REVERSE,
        script: REVERSE_SCRIPT,
        repair: 1,
    },
    Shipped {
        name: "Figure 8",
        function: "delete_middle",
        program: include_str!("../../../../examples/delete_middle.c"),
        script: include_str!("../../../../examples/delete_middle.script"),
        repair: 0,
    },
];

/// The questions of the paper's sessions.
pub fn paper_sessions() -> Result<Vec<Question>, BenchError> {
    SHIPPED.iter().map(question).collect()
}

fn question(shipped: &Shipped) -> Result<Question, BenchError> {
    let source = Source::new("example.c", shipped.program.as_bytes().to_vec());
    let program = Arc::new(ir::load_text(Arc::new(source))?);
    let mut session = Session::new(program, Options::new(EngineKind::Interpreter));
    let mut repairs = 0;
    for line in shipped.script.lines().filter(|line| !line.starts_with('#')) {
        for command in split_line(line) {
            if command.starts_with("repair") {
                if repairs == shipped.repair {
                    return finish(shipped, &mut session);
                }
                repairs += 1;
            }
            // What writes files or only shows something is of no use here.
            if !["show", "rewrite", "localize", "candidates"].iter().any(|name| command.starts_with(name)) {
                let outcome = session.run(command);
                outcome.error.map_or(Ok(()), |error| Err(BenchError::Repair(format!("`{command}`: {error}"))))?;
            }
        }
    }
    Err(BenchError::Repair(format!("the session of {} has no such repair", shipped.name)))
}

fn finish(shipped: &Shipped, session: &mut Session) -> Result<Question, BenchError> {
    let (model, mut traces) = session.recorded().map_err(BenchError::Repair)?;
    let places = places(&model, shipped.function);
    let trace = traces.pop().ok_or_else(|| BenchError::Repair("nothing was recorded".into()))?;
    Ok(Question { name: shipped.name.into(), model, trace, places })
}

/// All statements and slots of a function.
pub(super) fn places(model: &Model, function: &str) -> BTreeSet<Place> {
    let Some(id) = model.program.function_named(function) else { return BTreeSet::new() };
    let steps = (0..model.program.steps.len() as u32).map(StepId);
    let steps = steps.filter(|&step| model.program.step(step).function == id);
    let slots = (0..model.code.slots.len() as u32).map(SlotId);
    let slots = slots.filter(|slot| model.code.slots[slot.0 as usize].function == id);
    steps.map(Place::Step).chain(slots.map(Place::Slot)).collect()
}
