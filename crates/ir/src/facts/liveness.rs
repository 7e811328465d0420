//! Which variables are live: whose values may be read before they are
//! overwritten. Followed backward, from reads to the writes they need.
//!
//! In W, Figure 1 (`examples/reverse.c`):
//!
//! ```text
//! while (temp1 != NULL) {         // live: current, temp1
//!     temp1 = current->prev;      // live: current
//!     temp2 = current->prev;      // live: current, temp1
//!     current->prev = temp2;      // live: current, temp1, temp2
//! ```
//!
//! `temp2` is not live before the condition: what it holds there is
//! overwritten before anything reads it.

use super::{Effect, Window};
use crate::graph::{Event, Graph};

/// The live locals before each node.
pub(super) fn solve(graph: &Graph<'_>, previous: &[Vec<usize>], window: Window<'_>) -> Vec<u64> {
    let effects: Vec<Effect> = graph.events.iter().map(|event| effect(event, window)).collect();
    super::solve(&graph.next, previous, &effects)
}

fn effect(event: &Event<'_>, window: Window<'_>) -> Effect {
    let (mut removes, mut adds) = (0, 0);
    match event {
        Event::Act(action) => {
            action.reads(&mut |local| adds |= window.one(local));
            removes = action.writes().map_or(0, |local| window.one(local));
        }
        Event::Read(operand) => operand.reads(&mut |local| adds |= window.one(local)),
        Event::Declare(local) => removes = window.one(*local),
        Event::Meet | Event::Step(_) => {}
    }
    Effect { removes, adds }
}
