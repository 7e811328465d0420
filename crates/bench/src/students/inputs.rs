//! Inputs that the user makes up: others of the kind that the problem names.
//!
//! Of `4 1 3 5 7`, the value 4 and the list 1 3 5 7, there are `1 3 5 7`,
//! `4 1 3 5` and so on. If all lists that the problem gives are sorted, a list
//! that is not is no input; the right program need not make sense of it.

use std::collections::BTreeMap;

use memory::{Object, State, Value};
use repair::vary::other_arguments;

use super::behave::Behaviour;

/// A number and a pointer of a record, and whether the numbers of all nodes are in order along the pointer.
type Orders = BTreeMap<(String, String), bool>;

/// Adds what a user would try besides the inputs that are given; `run` is what
/// the right program does on one, if it can take it.
pub fn made_up(
    given: &[Vec<String>],
    right: &[Behaviour],
    held_out: &[Vec<String>],
    run: &dyn Fn(&Vec<String>) -> Option<Behaviour>,
) -> Vec<(Vec<String>, Behaviour)> {
    let mut orders = Orders::new();
    right.iter().for_each(|behaviour| note(behaviour, &mut orders));
    let is_like = |behaviour: &Behaviour| {
        let mut own = Orders::new();
        note(behaviour, &mut own);
        own.iter().all(|(which, holds)| *holds || orders.get(which) == Some(&false))
    };
    let mut found: Vec<(Vec<String>, Behaviour)> = Vec::new();
    let others = |arguments: &Vec<String>| other_arguments(arguments).into_iter().chain(smaller(arguments));
    for arguments in given.iter().flat_map(others) {
        let is_known = found.iter().any(|(known, _)| *known == arguments);
        if is_known || given.contains(&arguments) || held_out.contains(&arguments) {
            continue;
        }
        found.extend(run(&arguments).filter(is_like).map(|behaviour| (arguments, behaviour)));
    }
    found
}

/// What is tried by everyone: the first few numbers, all but one, and each of the others as the first.
fn smaller(arguments: &[String]) -> Vec<Vec<String>> {
    let prefixes = (0..arguments.len().min(4)).map(|length| arguments[..length].to_vec());
    let first = |other: &String| std::iter::once(other.clone()).chain(arguments[1..].iter().cloned()).collect();
    let without = |left_out: usize| {
        let others = arguments.iter().enumerate().filter(|(i, _)| *i != left_out);
        others.map(|(_, text)| text.clone()).collect()
    };
    let fewer = (1..arguments.len()).map(without);
    prefixes.chain(fewer).chain(arguments.iter().skip(1).map(first)).chain(larger(arguments)).collect()
}

/// With the next number of each in the list, behind it and in order.
fn larger(arguments: &[String]) -> Vec<Vec<String>> {
    let numbers: Option<Vec<i64>> = arguments.iter().map(|text| text.parse().ok()).collect();
    let Some((first, list)) = numbers.as_ref().and_then(|numbers| numbers.split_first()) else { return Vec::new() };
    let mut longer = list.to_vec();
    longer.extend(list.iter().map(|number| number + 1));
    let mut sorted = longer.clone();
    sorted.sort_unstable();
    let text = |list: Vec<i64>| std::iter::once(first).chain(&list).map(i64::to_string).collect();
    [longer, sorted].into_iter().filter(|list| !list.is_empty()).map(text).collect()
}

/// Notes which numbers are in order wherever the function is called.
fn note(behaviour: &Behaviour, orders: &mut Orders) {
    for call in &behaviour.calls {
        for node in &call.entry.nodes {
            let Value::Record(members) = &node.value else { continue };
            for (pointer, value) in members {
                let Value::Pointer(place) = value else { continue };
                let Object::Node(next) = place.object else { continue };
                note_pair(&call.entry, members, (pointer, next), orders);
            }
        }
    }
}

fn note_pair(
    state: &State,
    members: &[(std::sync::Arc<str>, Value)],
    (pointer, next): (&str, memory::NodeId),
    orders: &mut Orders,
) {
    let Some(next) = state.nodes.iter().find(|node| node.id == next) else { return };
    let Value::Record(others) = &next.value else { return };
    for ((name, one), (_, other)) in members.iter().zip(others) {
        if let (Value::Int(one), Value::Int(other)) = (one, other) {
            *orders.entry((name.to_string(), pointer.to_string())).or_insert(true) &= one <= other;
        }
    }
}
