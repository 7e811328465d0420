//! What may have been run just before a statement.

use std::collections::BTreeSet;

use c_types::Type;

use crate::graph::{Event, Graph};
use crate::program::*;

/// The steps that may be run right before `step` in the same call, and whether
/// a call may begin with it. Steps for which `has_code` is false are looked
/// through, as in a binary that never stops there.
pub fn steps_before(program: &Program, step: StepId, has_code: &dyn Fn(StepId) -> bool) -> (BTreeSet<StepId>, bool) {
    let graph = Graph::new(program.function(program.step(step).function));
    let previous = graph.previous();
    let is_it = |event: &Event<'_>| matches!(event, Event::Step(other) if *other == step);
    let Some(start) = graph.events.iter().position(is_it) else { return Default::default() };
    let (mut found, mut begins) = (BTreeSet::new(), start == graph.entry);
    let mut open = previous[start].clone();
    let mut seen = vec![false; graph.events.len()];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        match graph.events[node] {
            Event::Step(other) if has_code(other) => _ = found.insert(other),
            _ => {
                begins |= node == graph.entry;
                open.extend(&previous[node]);
            }
        }
    }
    (found, begins)
}

/// Whether a call of a function may lead to another call of it before it
/// returns. A call through a pointer, or of a library function that is given
/// one, may lead to any function.
pub fn may_recurse(program: &Program, function: FunctionId) -> bool {
    let mut open = vec![function];
    let mut seen = BTreeSet::new();
    while let Some(caller) = open.pop() {
        for action in Graph::new(program.function(caller)).actions() {
            match action {
                ActionKind::Call { callee: Callee::Direct(FunctionRef::Own(own)), .. } => {
                    if *own == function {
                        return true;
                    }
                    open.extend(seen.insert(*own).then_some(*own));
                }
                ActionKind::Call { callee: Callee::Pointer(_), .. } | ActionKind::Concrete { .. } => return true,
                ActionKind::Call { arguments, .. } if arguments.iter().any(|a| is_function(program, a)) => return true,
                _ => {}
            }
        }
    }
    false
}

fn is_function(program: &Program, operand: &Operand) -> bool {
    let types = &program.types;
    types.target(operand.ty).is_some_and(|target| matches!(types.get(target), Type::Function(_)))
}
