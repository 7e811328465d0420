//! What is known of the local variables before each source statement, without
//! running anything.
//!
//! One file per question: `liveness.rs` says whether a value is still needed,
//! `assignment.rs` whether there can be a value at all. Both follow sets of
//! variables along all ways through the function until none grows any more. A set
//! is a word, so a function with more than 64 variables is gone through once
//! for each 64 of them.

mod assignment;
mod liveness;

use crate::graph::{Event, Graph};
use crate::program::*;

/// What is known of the named locals before each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// For each step the live locals, 64 to a word.
    live: Vec<Vec<u64>>,
    /// For each step the locals that no way to it assigns.
    unassigned: Vec<Vec<u64>>,
}

impl Facts {
    /// Whether the value that a named local has before `step` may be read later
    /// in this call, before it is overwritten.
    ///
    /// Always so for what lives in memory, which may be read through pointers,
    /// and for all named locals of a function with code that is not modelled
    /// or that calls `setjmp`. Never so for temporaries.
    pub fn is_live(&self, step: StepId, local: LocalId) -> bool {
        contains(&self.live[step.index()], local)
    }

    /// Whether a named local can have no value before `step`: on no way there
    /// was it, or a part of it, assigned since its declaration, or its address
    /// taken.
    ///
    /// Never so for parameters, for temporaries, and in functions with code
    /// that is not modelled or that calls `setjmp`. A step that cannot be
    /// reached has no way to it.
    pub fn is_unassigned(&self, step: StepId, local: LocalId) -> bool {
        contains(&self.unassigned[step.index()], local)
    }
}

fn contains(words: &[u64], local: LocalId) -> bool {
    words.get(local.index() / 64).is_some_and(|word| word >> (local.index() % 64) & 1 == 1)
}

/// The facts of all functions.
pub fn facts(program: &Program) -> Facts {
    let steps = program.steps.len();
    let mut facts = Facts { live: vec![Vec::new(); steps], unassigned: vec![Vec::new(); steps] };
    for function in &program.functions {
        facts.add(function);
    }
    facts
}

impl Facts {
    fn add(&mut self, function: &Function) {
        let graph = Graph::new(function);
        let previous = graph.previous();
        for first in (0..function.named).step_by(64) {
            let window = Window { function, first };
            let open = window.open(&graph);
            let variables =
                if graph.actions().any(is_opaque) { 0 } else { window.all(|i, _| i >= function.parameters) };
            let (live, assigned) =
                (liveness::solve(&graph, &previous, window), assignment::solve(&graph, &previous, window));
            for (node, event) in graph.events.iter().enumerate() {
                if let Event::Step(step) = event {
                    self.live[step.index()].push(live[node] | open);
                    self.unassigned[step.index()].push(variables & !assigned[node]);
                }
            }
        }
    }
}

/// Up to 64 named locals of a function; a set of them is a word.
#[derive(Clone, Copy)]
struct Window<'a> {
    function: &'a Function,
    first: usize,
}

impl Window<'_> {
    /// The set of one local; empty if it is none of these.
    fn one(self, local: LocalId) -> u64 {
        let is_here = local.index() < self.function.named && local.index() / 64 == self.first / 64;
        u64::from(is_here) << (local.index() % 64)
    }

    /// The set of those that `wanted` wants, by number.
    fn all(self, wanted: impl Fn(usize, &Local) -> bool) -> u64 {
        let locals = self.function.locals[..self.function.named].iter().enumerate().skip(self.first).take(64);
        locals.filter(|(i, local)| wanted(*i, local)).fold(0, |set, (i, _)| set | 1 << (i % 64))
    }

    /// Those that may be read and written where the code does not show it.
    fn open(self, graph: &Graph<'_>) -> u64 {
        let all = graph.actions().any(is_opaque);
        self.all(|_, local| all || local.in_memory)
    }
}

/// Whether an action may use any local, or let control come back to it from anywhere.
fn is_opaque(action: &ActionKind) -> bool {
    match action {
        ActionKind::Concrete { .. } => true,
        ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), .. } => {
            matches!(name.trim_start_matches('_'), "setjmp" | "sigsetjmp" | "builtin_setjmp" | "vfork" | "getcontext")
        }
        _ => false,
    }
}

/// What a node makes of the set that comes to it.
#[derive(Clone, Copy)]
struct Effect {
    removes: u64,
    adds: u64,
}

/// The smallest sets where each node has what comes from the nodes of `from`,
/// changed by its own effect; `to` are the same ways in the other direction.
fn solve(from: &[Vec<usize>], to: &[Vec<usize>], effects: &[Effect]) -> Vec<u64> {
    let mut sets = vec![0; effects.len()];
    let mut open: Vec<usize> = (0..effects.len()).collect();
    let mut is_open = vec![true; effects.len()];
    while let Some(node) = open.pop() {
        is_open[node] = false;
        let comes = from[node].iter().fold(0, |set, &other| set | sets[other]);
        let set = comes & !effects[node].removes | effects[node].adds;
        if std::mem::replace(&mut sets[node], set) != set {
            open.extend(to[node].iter().filter(|&&other| !std::mem::replace(&mut is_open[other], true)));
        }
    }
    sets
}
