//! A recorded run, and what is expected along it: the input of everything that
//! localizes and repairs.
//!
//! A moment of a run is named by a statement and how often control has come to
//! it since the start, such as "the third time before `while (p != NULL)`".
//! That name still makes sense when other statements were changed, so what was
//! asserted about the user's run can be asked of a patched one.

use std::collections::{BTreeMap, BTreeSet};

use ir::StepId;
use memory::{Entity, NodeId, State, Value};
use spec::Fact;

use crate::print::Printed;

/// A statement, and how often it was come to since the start of the trace; the
/// first statement has been come to once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Visit {
    /// The statement.
    pub step: StepId,
    /// From 1.
    pub count: u32,
}

/// A run from some moment on.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The memory at the start.
    pub start: State,
    /// The statement of each active call at the start, outermost first. The
    /// program stands before the last of them.
    pub calls: Vec<StepId>,
    /// Whether the function that the program stands in has just been called, so
    /// that what could be inserted before its first statement is part of the run.
    pub at_entry: bool,
    /// How often each statement was come to before the start.
    pub passed: BTreeMap<StepId, u32>,
    /// The statements that the run came to, in order, with the number of
    /// active calls; the first is where it started.
    pub run: Vec<Arrival>,
    /// Decisions that the user forced.
    pub forced: BTreeMap<Visit, bool>,
    /// Decisions that the user forced, of guards that stay as they are: they
    /// are forced in the repaired program too.
    pub open: BTreeSet<StepId>,
    /// What concrete statements did.
    pub effects: BTreeMap<Visit, Effect>,
    /// Statements that this run leaves out: a variation of the user's run.
    pub skipped: BTreeSet<Visit>,
    /// Statements that were left out before the start, counted from the start of the program.
    pub skipped_before: BTreeSet<Visit>,
    /// A statement that was run again before the start, counted from the start of the program, and how often.
    pub repeated_before: Option<(Visit, u32)>,
    /// What is expected, in the order of the run.
    pub demands: Vec<Demand>,
    /// What should be printed, if that was asserted.
    pub output: Option<Printed>,
}

/// Control comes to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The statement.
    pub step: StepId,
    /// The number of active calls.
    pub depth: u32,
}

/// What a statement did that is not modelled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// What it wrote.
    pub writes: Vec<(Entity, Value)>,
    /// The nodes that it freed.
    pub freed: Vec<NodeId>,
    /// The memory after it.
    pub state: State,
    /// The statement of each active call when it ran, outermost first.
    pub calls: Vec<StepId>,
}

/// At this moment all of this holds.
#[derive(Clone, Debug)]
pub struct Demand {
    /// When.
    pub at: Visit,
    /// Where in [`Trace::run`] that is.
    pub index: usize,
    /// What. Nothing means only that the program gets there.
    pub facts: Vec<Fact>,
    /// The memory that the user saw when asserting this, from which the run went on.
    pub state: State,
    /// The statement of each active call then.
    pub calls: Vec<StepId>,
}
