//! The single values that a state is made of.

use std::sync::Arc;

use crate::state::{Entity, Root, State, Value, Variable};

/// Every number, pointer and text in a state with its name: variables without
/// members, members of records, elements of arrays. Arrays of characters count
/// as one value. The order is that of the state.
pub fn leaves(state: &State) -> Vec<(Entity, &Value)> {
    let mut found = Vec::new();
    variables(&state.globals, Root::Global, &mut found);
    for (frame, call) in state.frames.iter().enumerate() {
        let root = |name| Root::Local { frame, function: call.function.clone(), name };
        variables(&call.variables, root, &mut found);
    }
    for node in state.nodes.iter().filter(|node| node.live) {
        values(&Root::Node(node.id), String::new(), &node.value, &mut found);
    }
    found
}

fn variables<'s>(variables: &'s [Variable], root: impl Fn(Arc<str>) -> Root, found: &mut Vec<(Entity, &'s Value)>) {
    for variable in variables {
        values(&root(variable.name.clone()), String::new(), &variable.value, found);
    }
}

fn values<'s>(root: &Root, path: String, value: &'s Value, found: &mut Vec<(Entity, &'s Value)>) {
    match value {
        Value::Record(members) => {
            for (name, value) in members {
                let path = if name.is_empty() { path.clone() } else { format!("{path}.{name}") };
                values(root, path, value, found);
            }
        }
        Value::Array(elements, _) => {
            for (i, value) in elements.iter().enumerate() {
                values(root, format!("{path}[{i}]"), value, found);
            }
        }
        _ => found.push((Entity { root: root.clone(), path }, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Node, NodeId};

    #[test]
    fn records_and_arrays_are_taken_apart() {
        let record = |n| Value::Record(vec![("x".into(), Value::Int(n)), ("".into(), Value::Record(Vec::new()))]);
        let array = Value::Array(vec![record(1), record(2)], 0);
        let variable = Variable { name: "a".into(), type_name: "struct s[2]".into(), value: array };
        let node = |id, live| Node { id: NodeId(id), type_name: "int".into(), size: 4, live, value: Value::Int(7) };
        let state = State { globals: vec![variable], frames: Vec::new(), nodes: vec![node(1, true), node(2, false)] };
        let names: Vec<String> = leaves(&state).iter().map(|(entity, value)| format!("{entity}={value}")).collect();
        assert_eq!(names, ["a[0].x=1", "a[1].x=2", "n1=7"]);
    }
}
