//! Which variables may have been assigned. Followed forward, from assignments;
//! a declaration takes the value away again.
//!
//! ```text
//! int i, n;
//! for (i = 0; i < 3; i++) {       // assigned before the condition: i, n
//!     int square;
//!     square = i * i;             // assigned: i, n, in every iteration
//!     n = square;                 // assigned: i, n, square
//! }
//! ```

use super::{Effect, Window};
use crate::graph::{Event, Graph};

/// The locals that may have been assigned in the body after each node; a step assigns none itself.
pub(super) fn solve(graph: &Graph<'_>, previous: &[Vec<usize>], window: Window<'_>) -> Vec<u64> {
    let effects = graph.events.iter().zip(graph.reached(|_| false)).map(|(event, reached)| match reached {
        true => effect(event, window),
        // Nothing comes out of code that is never reached.
        false => Effect { removes: !0, adds: 0 },
    });
    super::solve(previous, &graph.next, &effects.collect::<Vec<_>>())
}

fn effect(event: &Event<'_>, window: Window<'_>) -> Effect {
    let one = |local| window.one(local);
    match event {
        // Through its address a variable may be written anywhere.
        Event::Act(action) => {
            Effect { removes: 0, adds: action.writes().map_or(0, one) | action.addressed().map_or(0, one) }
        }
        Event::Declare(local) => Effect { removes: one(*local), adds: 0 },
        Event::Meet | Event::Step(_) | Event::Read(_) => Effect { removes: 0, adds: 0 },
    }
}
