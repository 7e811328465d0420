//! Which node of one program is which of another.
//!
//! Nodes are named in order of allocation. A student who makes a dummy node, or
//! a node before looking whether it is needed, gives other names to the same
//! list: there `n6` can be what is `n5` in the right program. So nodes are
//! found by going through both memories from the variables on.

use std::collections::BTreeMap;

use memory::{Entity, NodeId, Object, Root, State, Value, leaves};

/// The other program's node for each of the right one.
pub type Names = BTreeMap<NodeId, NodeId>;

/// Goes through two memories from the variables that count; adds to `names`
/// what corresponds. Whether everything that is known on the right is the same on the other side.
pub fn pair(right: &State, other: &State, counts: &dyn Fn(&Entity) -> bool, names: &mut Names) -> bool {
    let there: BTreeMap<Entity, &Value> = leaves(other).into_iter().collect();
    let (nodes, variables): (Vec<_>, Vec<_>) =
        leaves(right).into_iter().partition(|(entity, _)| matches!(entity.root, Root::Node(_)));
    let mut alike = true;
    let mut open: Vec<(Entity, &Value)> = variables.into_iter().filter(|(entity, _)| counts(entity)).collect();
    while let Some((entity, value)) = open.pop() {
        let found = there.get(&renamed_entity(&entity, names).unwrap_or(entity)).copied();
        match (value, found) {
            (Value::Uninitialised | Value::Unknown | Value::Dangling(_), _) => {}
            (Value::Pointer(one), Some(Value::Pointer(two))) => match (&one.object, &two.object) {
                (Object::Node(one_id), Object::Node(two_id)) => {
                    let is_new = !names.contains_key(one_id) && !names.values().any(|taken| taken == two_id);
                    if is_new {
                        names.insert(*one_id, *two_id);
                        open.extend(nodes.iter().filter(|(at, _)| at.root == Root::Node(*one_id)).cloned());
                    }
                    alike &= names.get(one_id) == Some(two_id) && one.offset == two.offset;
                }
                (one, two) => alike &= one == two,
            },
            (value, found) => alike &= found == Some(value),
        }
    }
    alike
}

/// The nodes that can be come to from the variables that count.
pub fn reachable(state: &State, counts: &dyn Fn(&Entity) -> bool) -> Names {
    let mut names = Names::new();
    pair(state, state, counts, &mut names);
    names
}

/// An entity under the other program's names; nothing if its node is not there.
pub fn renamed_entity(entity: &Entity, names: &Names) -> Option<Entity> {
    match &entity.root {
        Root::Node(id) => Some(Entity { root: Root::Node(*names.get(id)?), path: entity.path.clone() }),
        _ => Some(entity.clone()),
    }
}

/// A value under the other program's names; nothing if its node is not there.
pub fn renamed_value(value: &Value, names: &Names) -> Option<Value> {
    let mut value = value.clone();
    if let Value::Pointer(place) = &mut value
        && let Object::Node(id) = &mut place.object
    {
        *id = *names.get(id)?;
    }
    Some(value)
}

/// The node at the same place for each node that is shown on the right, as far as
/// the other memory has the same shape; what the nodes hold does not matter.
/// Where it ends, nodes that are not used yet keep the names of `otherwise`.
pub fn by_place(right: &State, other: &State, counts: &dyn Fn(&Entity) -> bool, otherwise: &Names) -> Names {
    let mut names = Names::new();
    pair(right, other, counts, &mut names);
    for (id, name) in otherwise {
        if !names.contains_key(id) && !names.values().any(|taken| taken == name) {
            names.insert(*id, *name);
        }
    }
    names
}

/// Names for the nodes that the right program makes in a call. If a node with
/// the same numbers was made in the submission's call it is that one, or else
/// the next one to be made.
pub fn name_new(right: &State, wanted: &Names, before: &State, after: &State, names: &mut Names) {
    let mut next = before.nodes.iter().map(|node| node.id.0).max().unwrap_or(0);
    let first = next;
    let new: Vec<NodeId> = wanted.keys().filter(|id| !names.contains_key(id)).copied().collect();
    for id in new {
        next += 1;
        let made = after.nodes.iter().filter(|node| node.live && node.id.0 > first);
        let same = |node: &&memory::Node| numbers(after, node.id) == numbers(right, id);
        let taken = |node: &&memory::Node| !names.values().any(|taken| *taken == node.id);
        let found = made.filter(taken).find(same).map_or(NodeId(next), |node| node.id);
        names.insert(id, found);
    }
}

/// What a node holds besides pointers.
fn numbers(state: &State, id: NodeId) -> Vec<(String, Value)> {
    let own = leaves(state).into_iter().filter(|(entity, _)| entity.root == Root::Node(id));
    own.filter(|(_, value)| matches!(value, Value::Int(_) | Value::Float(_)))
        .map(|(entity, value)| (entity.path, value.clone()))
        .collect()
}
