//! Where a call of a function stops first.

use std::collections::BTreeSet;

use crate::graph::{Event, Graph};
use crate::program::*;

/// The steps that a call of `function` may reach first: the place of a
/// breakpoint on the function. More than one only where it begins with code
/// that is no step and goes several ways.
pub fn entry_steps(program: &Program, function: FunctionId) -> BTreeSet<StepId> {
    let graph = Graph::new(program.function(function));
    let reached = graph.reached(|event| matches!(event, Event::Step(_)));
    let steps = graph.events.iter().zip(reached).filter_map(|(event, reached)| match event {
        Event::Step(step) if reached => Some(*step),
        _ => None,
    });
    // Functions of headers have no place to stop at.
    steps.filter(|step| !program.step(*step).region.is_empty()).collect()
}
