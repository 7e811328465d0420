//! A single thing that is asserted about a state.

use std::fmt;

use memory::{Entity, Root, State, Value, leaves};

/// `n4.prev == n3`
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is about: a variable, member or element without parts.
    pub entity: Entity,
    /// How it compares.
    pub relation: Relation,
    /// With this value.
    pub value: Value,
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// The node is not there: it is freed, or was never made. The value does not matter.
    Gone,
}

impl Relation {
    /// All relations with their text, those first that others are the beginning of.
    pub const ALL: [(&'static str, Relation); 6] = [
        ("==", Relation::Equal),
        ("!=", Relation::NotEqual),
        ("<=", Relation::LessEqual),
        (">=", Relation::GreaterEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];

    /// Whether only numbers can be compared so.
    pub fn is_order(self) -> bool {
        !matches!(self, Relation::Equal | Relation::NotEqual | Relation::Gone)
    }

    fn holds(self, left: &Value, right: &Value) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => compare(left, right).is_some_and(|order| order.is_lt()),
            Relation::LessEqual => compare(left, right).is_some_and(|order| order.is_le()),
            Relation::Greater => compare(left, right).is_some_and(|order| order.is_gt()),
            Relation::GreaterEqual => compare(left, right).is_some_and(|order| order.is_ge()),
            Relation::Gone => false,
        }
    }
}

fn compare(left: &Value, right: &Value) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Int(b)) => a.partial_cmp(&(*b as f64)),
        _ => None,
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Relation::ALL.iter().find(|(_, relation)| relation == self);
        f.write_str(known.map_or("", |(text, _)| text))
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.relation {
            Relation::Gone => write!(f, "{} is freed", self.entity),
            _ => write!(f, "{} {} {}", self.entity, self.relation, self.value),
        }
    }
}

/// The facts that a state does not meet, each with the value that is there;
/// `None` where the entity does not exist.
pub fn violations<'f>(facts: &'f [Fact], state: &State) -> Vec<(&'f Fact, Option<Value>)> {
    let mut found: Vec<(Entity, &Value)> = leaves(state);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let value = |entity: &Entity| found.binary_search_by(|probe| probe.0.cmp(entity)).ok().map(|i| found[i].1);
    let is_gone = |fact: &Fact| match fact.entity.root {
        Root::Node(id) => !state.node(id).is_some_and(|node| node.live),
        _ => false,
    };
    let check = |fact: &'f Fact| match value(&fact.entity) {
        _ if fact.relation == Relation::Gone && is_gone(fact) => None,
        Some(there) if fact.relation.holds(there, &fact.value) => None,
        there => Some((fact, there.cloned())),
    };
    facts.iter().filter_map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Variable;

    fn state(x: Value) -> State {
        State { globals: vec![Variable { name: "x".into(), type_name: "int".into(), value: x }], ..State::default() }
    }

    fn fact(relation: Relation, value: i128) -> Fact {
        let entity = Entity { root: Root::Global("x".into()), path: String::new() };
        Fact { entity, relation, value: Value::Int(value) }
    }

    #[test]
    fn facts_hold_or_are_told_with_what_is_there() {
        let facts = [fact(Relation::Equal, 3), fact(Relation::Less, 3), fact(Relation::GreaterEqual, 2)];
        let broken = violations(&facts, &state(Value::Int(3)));
        assert_eq!(broken.iter().map(|(fact, _)| fact.to_string()).collect::<Vec<_>>(), ["x < 3"]);
        assert_eq!(broken[0].1, Some(Value::Int(3)));
    }

    #[test]
    fn what_is_not_there_or_has_no_order_violates() {
        assert_eq!(violations(&[fact(Relation::NotEqual, 1)], &State::default()).len(), 1);
        assert_eq!(violations(&[fact(Relation::Less, 1)], &state(Value::Null)).len(), 1);
        assert_eq!(violations(&[fact(Relation::NotEqual, 1)], &state(Value::Null)).len(), 0);
    }
}
