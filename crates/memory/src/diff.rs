//! Differences between two states, entity by entity.

use std::fmt;
use std::sync::Arc;

use crate::state::{Entity, Node, Root, State, Value, Variable};

/// Something that is not the same in two states.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What changed.
    pub entity: Entity,
    /// Its value in the first state; `None` if it was not there.
    pub before: Option<Value>,
    /// Its value in the second state; `None` if it is not there.
    pub after: Option<Value>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{}: {before} -> {after}", self.entity),
            (None, Some(after)) => write!(f, "{}: new, {after}", self.entity),
            (Some(before), None) => write!(f, "{}: gone, was {before}", self.entity),
            (None, None) => write!(f, "{}", self.entity),
        }
    }
}

/// What changed from one state to the next.
pub fn changes(before: &State, after: &State) -> Vec<Change> {
    compare(before, after, |a, b| a == b || both_nan(a, b))
}

/// Where two executors disagree about the same moment. `exact` knows which
/// cells were never written and which locals are gone; there the other may
/// say anything. `is_address` tells integers that are addresses in disguise
/// for the first executor, which no two executors share.
pub fn agreement(exact: &State, other: &State, is_address: impl Fn(i128) -> bool) -> Vec<Change> {
    compare(exact, other, |a, b| may_be(a, b, &is_address))
}

fn both_nan(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Float(a), Value::Float(b)) if a.is_nan() && b.is_nan())
}

fn may_be(exact: &Value, other: &Value, is_address: &impl Fn(i128) -> bool) -> bool {
    use crate::state::Object;
    match (exact, other) {
        (Value::Uninitialised | Value::Unknown, _) | (_, Value::Unknown) => true,
        (Value::Dangling(place), _) if place.object == Object::Gone => true,
        // The address just past (or before) a variable may be that of its neighbour.
        (Value::Pointer(place), Value::Pointer(_) | Value::Outside | Value::Dangling(_))
            if !place.inside && !matches!(place.object, Object::Node(_)) =>
        {
            true
        }
        (Value::Int(a), Value::Int(_)) if is_address(*a) => true,
        (Value::Chars(a), Value::Chars(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_none() || a == b),
        _ => exact == other || both_nan(exact, other),
    }
}

fn compare(before: &State, after: &State, same: impl Fn(&Value, &Value) -> bool) -> Vec<Change> {
    let mut comparison = Comparison { same, changes: Vec::new() };
    comparison.variables(&before.globals, &after.globals, Root::Global);
    for frame in 0..before.frames.len().max(after.frames.len()) {
        match (before.frames.get(frame), after.frames.get(frame)) {
            (Some(a), Some(b)) if a.function == b.function => {
                let function = &a.function;
                comparison.variables(&a.variables, &b.variables, |name| Root::Local {
                    frame,
                    function: function.clone(),
                    name,
                });
            }
            (a, b) => {
                for (gone, there) in [(a, true), (b, false)] {
                    if let Some(function) = gone.map(|frame| frame.function.clone()) {
                        let (before, after) = (there.then_some(Value::Unknown), (!there).then_some(Value::Unknown));
                        comparison.note(Root::Frame { frame, function }, "", before, after);
                    }
                }
            }
        }
    }
    comparison.nodes(&before.nodes, &after.nodes);
    comparison.changes
}

struct Comparison<F> {
    same: F,
    changes: Vec<Change>,
}

impl<F: Fn(&Value, &Value) -> bool> Comparison<F> {
    fn note(&mut self, root: Root, path: &str, before: Option<Value>, after: Option<Value>) {
        self.changes.push(Change { entity: Entity { root, path: path.to_string() }, before, after });
    }

    fn variables(&mut self, before: &[Variable], after: &[Variable], root: impl Fn(Arc<str>) -> Root) {
        for variable in before {
            match after.iter().find(|other| other.name == variable.name) {
                Some(other) => self.values(&root(variable.name.clone()), "", &variable.value, &other.value),
                None => self.note(root(variable.name.clone()), "", Some(variable.value.clone()), None),
            }
        }
        for variable in after.iter().filter(|v| before.iter().all(|other| other.name != v.name)) {
            self.note(root(variable.name.clone()), "", None, Some(variable.value.clone()));
        }
    }

    fn nodes(&mut self, before: &[Node], after: &[Node]) {
        let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
        while let Some(id) = [old.peek().map(|n| n.id), new.peek().map(|n| n.id)].into_iter().flatten().min() {
            let (a, b) = (old.next_if(|n| n.id == id), new.next_if(|n| n.id == id));
            match (a, b) {
                (Some(a), Some(b)) if a.live == b.live => self.values(&Root::Node(id), "", &a.value, &b.value),
                // A freed node comes and goes with the pointers to it, which are compared themselves.
                _ if [a, b].into_iter().flatten().all(|node| !node.live) => {}
                _ => {
                    let contents = |n: Option<&Node>| n.filter(|n| n.live).map(|n| n.value.clone());
                    self.note(Root::Node(id), "", contents(a), contents(b));
                }
            }
        }
    }

    fn values(&mut self, root: &Root, path: &str, before: &Value, after: &Value) {
        match (before, after) {
            (Value::Record(a), Value::Record(b)) if a.len() == b.len() => {
                for ((name, a), (_, b)) in a.iter().zip(b) {
                    let path = if name.is_empty() { path.to_string() } else { format!("{path}.{name}") };
                    self.values(root, &path, a, b);
                }
            }
            (Value::Array(a, _), Value::Array(b, _)) if a.len() == b.len() => {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    self.values(root, &format!("{path}[{i}]"), a, b);
                }
            }
            _ if (self.same)(before, after) => {}
            _ => self.note(root.clone(), path, Some(before.clone()), Some(after.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{NodeId, Object, Place};

    fn node(id: u32, next: Value) -> Node {
        let value = Value::Record(vec![("data".into(), Value::Int(1)), ("next".into(), next)]);
        Node { id: NodeId(id), type_name: "struct node".into(), size: 16, live: true, value }
    }

    fn to(id: u32) -> Value {
        Value::Pointer(Place { object: Object::Node(NodeId(id)), offset: 0, path: String::new(), inside: true })
    }

    #[test]
    fn changed_fields_and_new_nodes_are_told() {
        let before = State { nodes: vec![node(1, Value::Null)], ..State::default() };
        let after = State { nodes: vec![node(1, to(2)), node(2, Value::Null)], ..State::default() };
        let told: Vec<String> = changes(&before, &after).iter().map(|c| c.to_string()).collect();
        assert_eq!(told, ["n1.next: null -> n2", "n2: new, {data: 1, next: null}"]);
    }

    #[test]
    fn an_unwritten_cell_agrees_with_anything() {
        let exact = State { nodes: vec![node(1, Value::Uninitialised)], ..State::default() };
        let other = State { nodes: vec![node(1, Value::Address(17))], ..State::default() };
        assert!(agreement(&exact, &other, |_| false).is_empty());
        assert_eq!(agreement(&other, &exact, |_| false).len(), 1);
    }
}
