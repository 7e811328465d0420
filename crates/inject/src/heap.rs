//! The heap at the end of a run, so that two runs can be compared.
//!
//! Nodes are numbered in the order in which they are found from the program's
//! variables, and not by their allocation: whether of two equal nodes the older
//! one comes first in a list makes no difference. Of nodes that nothing leads
//! to, only how many there are counts.

use std::collections::HashMap;
use std::fmt::Write;

use memory::{NodeId, Object, State, Value, Variable};

/// What a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heap {
    /// Nodes that the variables lead to.
    pub reachable: usize,
    /// Nodes that were not freed and that nothing leads to.
    pub lost: usize,
    /// The values of variables and nodes, with nodes by their numbers.
    pub contents: String,
}

impl Heap {
    /// The heap of a state.
    pub fn of(state: &State) -> Heap {
        let mut walk = Walk { numbers: HashMap::new(), found: Vec::new(), contents: String::new() };
        let locals = state.frames.iter().flat_map(|frame| &frame.variables).filter(|variable| !is_number(variable));
        for variable in state.globals.iter().chain(locals) {
            walk.contents.push_str(&variable.name);
            walk.value(&variable.value);
        }
        let mut next = 0;
        while let Some(&id) = walk.found.get(next) {
            next += 1;
            let live = state.node(id).filter(|node| node.live);
            live.into_iter().for_each(|node| walk.value(&node.value));
        }
        let live = state.nodes.iter().filter(|node| node.live).count();
        let reachable = state.nodes.iter().filter(|node| node.live && walk.numbers.contains_key(&node.id)).count();
        Heap { reachable, lost: live - reachable, contents: walk.contents }
    }
}

/// Loop counters and the like are not what a run leaves behind.
fn is_number(variable: &Variable) -> bool {
    matches!(variable.value, Value::Int(_) | Value::Float(_) | Value::Uninitialised)
}

struct Walk {
    numbers: HashMap<NodeId, usize>,
    found: Vec<NodeId>,
    contents: String,
}

impl Walk {
    fn value(&mut self, value: &Value) {
        self.contents.push(' ');
        match value {
            Value::Pointer(place) => match place.object {
                Object::Node(id) => {
                    let number = self.number(id);
                    self.write(&format_args!("@{number}{}", place.path));
                }
                _ => self.write(place),
            },
            // Which one of the freed nodes it was has no meaning any more.
            Value::Dangling(_) => self.contents.push_str("dangling"),
            Value::Record(members) => members.iter().for_each(|(_, value)| self.value(value)),
            Value::Array(elements, _) => elements.iter().for_each(|value| self.value(value)),
            other => self.write(other),
        }
    }

    fn write(&mut self, what: &dyn std::fmt::Display) {
        write!(self.contents, "{what}").expect("writing to a string does not fail");
    }

    fn number(&mut self, id: NodeId) -> usize {
        let next = self.found.len();
        *self.numbers.entry(id).or_insert_with(|| {
            self.found.push(id);
            next
        })
    }
}
