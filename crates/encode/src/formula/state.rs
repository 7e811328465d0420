//! All runs that have come to one instruction, as one memory.
//!
//! `if (c) p = q;` makes two states, one on the path `[c]` and one on the path
//! `[not c]`; behind the `if` they become one again, whose cell of `p` is one
//! of two values.

use ir::LocalId;
use solver::{Term, Terms};

use super::value::Value;

/// An active call.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    pub(super) pc: u32,
    /// Its first cell; after the locals come cells for replaced operands.
    pub(super) base: u32,
    pub(super) result_to: Option<LocalId>,
    pub(super) result: Value,
    /// How the condition that is being computed must come out.
    pub(super) pin: Option<bool>,
    /// Rounds of loops since they were entered, by step, of which the recorded run tells nothing.
    pub(super) rounds: Vec<(ir::StepId, u32)>,
}

/// Runs that stand at the same instruction.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// What must hold to come here.
    pub(super) path: Vec<Term>,
    /// Outermost first.
    pub(super) frames: Vec<Frame>,
    cells: Vec<Value>,
    /// Whether each object exists.
    live: Vec<Term>,
    /// The address of each node, by its name.
    nodes: Vec<Value>,
    /// The name of the next node.
    pub(super) next_node: Value,
    /// How often the statements were come to whose visits matter.
    pub(super) visits: Vec<Value>,
    /// What is asked next.
    pub(super) demand: usize,
}

impl State {
    pub(super) fn new(cells: Vec<Value>, live: Vec<Term>, nodes: Vec<Value>, next_node: Value, visits: usize) -> State {
        let visits = vec![Value::int(0); visits];
        State { path: Vec::new(), frames: Vec::new(), cells, live, nodes, next_node, visits, demand: 0 }
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("a state that runs has a call")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a state that runs has a call")
    }

    pub(super) fn at(mut self, pc: u32) -> State {
        self.frame_mut().pc = pc;
        self
    }

    pub(super) fn local(&self, local: LocalId) -> u32 {
        self.frame().base + local.0
    }

    pub(super) fn cell(&self, at: u32) -> Value {
        self.cells.get(at as usize).cloned().unwrap_or(Value::UNSET)
    }

    pub(super) fn set(&mut self, at: u32, value: Value) {
        extend(&mut self.cells, at as usize, Value::UNSET);
        self.cells[at as usize] = value;
    }

    /// Writes where a condition holds.
    pub(super) fn set_where(&mut self, terms: &mut Terms, condition: Term, at: u32, value: &Value) {
        let old = self.cell(at);
        let new = Value::ite(terms, condition, value, &old);
        self.set(at, new);
    }

    pub(super) fn live(&self, terms: &mut Terms, object: u32) -> Term {
        self.live.get(object as usize).copied().unwrap_or_else(|| terms.constant(false))
    }

    pub(super) fn set_live(&mut self, terms: &mut Terms, object: u32, live: Term) {
        let no = terms.constant(false);
        extend(&mut self.live, object as usize, no);
        self.live[object as usize] = live;
    }

    /// The address of a node; never written if there is none of this name.
    pub(super) fn node(&self, name: u32) -> Value {
        self.nodes.get(name as usize).cloned().unwrap_or(Value::UNSET)
    }

    pub(super) fn set_node(&mut self, name: u32, value: Value) {
        extend(&mut self.nodes, name as usize, Value::UNSET);
        self.nodes[name as usize] = value;
    }

    /// How many nodes there have been at most.
    pub(super) fn node_names(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The path as one condition.
    pub(super) fn path(&self, terms: &mut Terms) -> Term {
        terms.all(&self.path)
    }

    /// The part where a condition holds; `None` if that is nowhere.
    pub(super) fn narrowed(&self, terms: &Terms, condition: Term) -> Option<State> {
        match terms.value(condition) {
            Some(0) => None,
            Some(_) => Some(self.clone()),
            None => {
                let mut part = self.clone();
                part.path.push(condition);
                Some(part)
            }
        }
    }

    /// Whether both stand at the same instruction, with the same questions ahead.
    pub(super) fn meets(&self, other: &State) -> bool {
        let same = |a: &Frame, b: &Frame| {
            (a.function, a.pc, a.base, a.result_to, a.pin) == (b.function, b.pc, b.base, b.result_to, b.pin)
        };
        self.demand == other.demand
            && self.frames.len() == other.frames.len()
            && self.frames.iter().zip(&other.frames).all(|(a, b)| same(a, b))
    }

    /// Which comes first: what is behind in the outermost call, and calls before what follows them.
    pub(super) fn order(&self, other: &State) -> std::cmp::Ordering {
        let pcs = |state: &State| -> Vec<u32> {
            state.frames.iter().map(|frame| frame.pc).chain(std::iter::once(u32::MAX)).collect()
        };
        pcs(self).cmp(&pcs(other))
    }

    /// How many conditions two paths begin with in common.
    pub(super) fn common(&self, other: &State) -> usize {
        self.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count()
    }

    /// Both as one.
    pub(super) fn merge(self, terms: &mut Terms, other: State) -> State {
        let common = self.common(&other);
        let (own, its) = (self.path[common..].to_vec(), other.path[common..].to_vec());
        let opposite = match (own.first(), its.first()) {
            (Some(&a), Some(&b)) => terms.not(a) == b,
            _ => false,
        };
        let condition = if opposite { own[0] } else { terms.all(&own) };
        let mut merged = self;
        merged.path.truncate(common);
        if !(opposite && own.len() == 1 && its.len() == 1) {
            let (a, b) = (terms.all(&own), terms.all(&its));
            let either = terms.or(a, b);
            if terms.value(either).is_none() {
                merged.path.push(either);
            }
        }
        merge_values(terms, condition, &mut merged.cells, &other.cells);
        merge_values(terms, condition, &mut merged.nodes, &other.nodes);
        merge_values(terms, condition, &mut merged.visits, &other.visits);
        merged.next_node = Value::ite(terms, condition, &merged.next_node, &other.next_node);
        let no = terms.constant(false);
        extend(&mut merged.live, other.live.len().max(1) - 1, no);
        for (i, live) in merged.live.iter_mut().enumerate() {
            let its = other.live.get(i).copied().unwrap_or(no);
            *live = terms.ite(condition, *live, its);
        }
        for (frame, its) in merged.frames.iter_mut().zip(&other.frames) {
            frame.result = Value::ite(terms, condition, &frame.result, &its.result);
            for &(step, rounds) in &its.rounds {
                match frame.rounds.iter_mut().find(|known| known.0 == step) {
                    Some(known) => known.1 = known.1.max(rounds),
                    None => frame.rounds.push((step, rounds)),
                }
            }
        }
        merged
    }
}

fn merge_values(terms: &mut Terms, condition: Term, own: &mut Vec<Value>, its: &[Value]) {
    extend(own, its.len().max(1) - 1, Value::UNSET);
    for (i, value) in own.iter_mut().enumerate() {
        let other = its.get(i).unwrap_or(&Value::UNSET);
        if !value.is_same(other) {
            *value = Value::ite(terms, condition, value, other);
        }
    }
}

fn extend<T: Clone>(list: &mut Vec<T>, index: usize, with: T) {
    if list.len() <= index {
        list.resize(index + 1, with);
    }
}
