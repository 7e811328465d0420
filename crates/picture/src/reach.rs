//! What is pointed to, and what variables lead to.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memory::{NodeId, Object, Place, State, Value};

/// Everything that some pointer of a state points to.
pub(crate) struct Pointed {
    /// The paths that are pointed to, for each object.
    pub paths: HashMap<Object, BTreeSet<String>>,
    /// The objects, with whether some pointer to them is good.
    pub objects: BTreeMap<Object, bool>,
    /// What variables point to, in order of the variables.
    pub entries: Vec<Object>,
}

impl Pointed {
    /// The object as the boxes name it: a static local belongs to the
    /// innermost call of its function, where the state lists it.
    pub fn resolve(&self, state: &State, object: &Object) -> Object {
        let Object::Local { frame: None, function, name } = object else { return object.clone() };
        let has = |(_, frame): &(usize, &memory::Frame)| {
            frame.function == *function && frame.variables.iter().any(|variable| variable.name == *name)
        };
        let frame = state.frames.iter().enumerate().rev().find(has).map(|(number, _)| number);
        Object::Local { frame, function: function.clone(), name: name.clone() }
    }

    fn note(&mut self, state: &State, place: &Place, live: bool) {
        let object = self.resolve(state, &place.object);
        *self.objects.entry(object.clone()).or_default() |= live;
        self.paths.entry(object).or_default().insert(place.path.clone());
    }
}

/// Collects what is pointed to.
pub(crate) fn pointed(state: &State) -> Pointed {
    let mut found = Pointed { paths: HashMap::new(), objects: BTreeMap::new(), entries: Vec::new() };
    for value in variables(state) {
        walk(value, &mut |place, live| {
            found.note(state, place, live);
            found.entries.push(found.resolve(state, &place.object));
        });
    }
    for node in state.nodes.iter().filter(|node| node.live) {
        walk(&node.value, &mut |place, live| found.note(state, place, live));
    }
    found
}

/// The nodes that the variables of any call lead to.
pub(crate) fn reachable(state: &State) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    let mut open = Vec::new();
    let mut visit = |value: &Value, open: &mut Vec<NodeId>| {
        walk(value, &mut |place, live| match place.object {
            Object::Node(id) if live && found.insert(id) => open.push(id),
            _ => {}
        })
    };
    variables(state).for_each(|value| visit(value, &mut open));
    while let Some(id) = open.pop() {
        if let Some(node) = state.node(id) {
            visit(&node.value, &mut open);
        }
    }
    found
}

fn variables(state: &State) -> impl Iterator<Item = &Value> {
    let locals = state.frames.iter().flat_map(|frame| &frame.variables);
    state.globals.iter().chain(locals).map(|variable| &variable.value)
}

/// Calls `note` for every pointer in `value`, with whether it is good.
fn walk(value: &Value, note: &mut impl FnMut(&Place, bool)) {
    match value {
        Value::Pointer(place) => note(place, true),
        Value::Dangling(place) => note(place, false),
        Value::Record(members) => members.iter().for_each(|(_, value)| walk(value, note)),
        Value::Array(elements, _) => elements.iter().for_each(|value| walk(value, note)),
        _ => {}
    }
}
