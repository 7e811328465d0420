//! Which values of a state are asserted.
//!
//! `untrack data` leaves the member `data` of every node out of the
//! specification, a later `track n4.data` brings one of them back: the last
//! rule that speaks of a value decides. What no rule speaks of is as the
//! caller says.

use std::fmt;
use std::sync::Arc;

use memory::{Entity, Root};

/// What the user wants asserted and what not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracking {
    /// In the order in which they were given.
    pub rules: Vec<Rule>,
}

/// `track PATTERN` or `untrack PATTERN`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Whether it is asserted.
    pub track: bool,
    /// Of what.
    pub pattern: Pattern,
}

/// A set of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Everything.
    All,
    /// A global variable with all its parts.
    Global(Arc<str>),
    /// A local variable with all its parts, in every call of its function.
    Local {
        /// The function.
        function: Arc<str>,
        /// The variable.
        name: Arc<str>,
    },
    /// A member of every node and every variable that has one of this name.
    Field(String),
    /// One value, or a variable or node with all its parts.
    Entity(Entity),
}

impl Tracking {
    /// Whether `entity` is asserted; `default` is what holds without rules.
    pub fn is_tracked(&self, entity: &Entity, default: bool) -> bool {
        let decides = |rule: &&Rule| rule.pattern.matches(entity);
        self.rules.iter().rev().find(decides).map_or(default, |rule| rule.track)
    }

    /// Adds a rule and drops those that it makes void.
    pub fn add(&mut self, rule: Rule) {
        if rule.pattern == Pattern::All {
            self.rules.clear();
        }
        self.rules.retain(|old| old.pattern != rule.pattern);
        self.rules.push(rule);
    }
}

impl Pattern {
    fn matches(&self, entity: &Entity) -> bool {
        match (self, &entity.root) {
            (Pattern::All, _) => true,
            (Pattern::Global(name), Root::Global(other)) => name == other,
            (Pattern::Local { function, name }, Root::Local { function: f, name: n, .. }) => function == f && name == n,
            (Pattern::Field(field), _) => has_member(&entity.path, field),
            (Pattern::Entity(whole), root) => whole.root == *root && is_part(&entity.path, &whole.path),
            _ => false,
        }
    }
}

/// Whether a path such as `[1].point.x` goes through the member `point`.
fn has_member(path: &str, member: &str) -> bool {
    path.split('.').skip(1).any(|part| part.split('[').next() == Some(member))
}

/// Whether `path` is `whole` or leads to a part of it.
fn is_part(path: &str, whole: &str) -> bool {
    path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::All => f.write_str("all"),
            Pattern::Global(name) => f.write_str(name),
            Pattern::Local { function, name } => write!(f, "{function}:{name}"),
            Pattern::Field(name) => write!(f, ".{name}"),
            Pattern::Entity(entity) => write!(f, "{entity}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::NodeId;

    fn member(node: u32, path: &str) -> Entity {
        Entity { root: Root::Node(NodeId(node)), path: path.into() }
    }

    fn tracking(rules: &[(bool, Pattern)]) -> Tracking {
        let mut tracking = Tracking::default();
        rules.iter().for_each(|(track, pattern)| tracking.add(Rule { track: *track, pattern: pattern.clone() }));
        tracking
    }

    #[test]
    fn the_last_rule_decides() {
        let data = Pattern::Field("data".into());
        let tracking = tracking(&[(false, data), (true, Pattern::Entity(member(4, "")))]);
        assert!(!tracking.is_tracked(&member(3, ".data"), true));
        assert!(tracking.is_tracked(&member(4, ".data"), true));
        assert!(tracking.is_tracked(&member(3, ".next"), true));
        assert!(!tracking.is_tracked(&member(3, ".next"), false));
    }

    #[test]
    fn a_rule_for_everything_ends_those_before() {
        let tracking = tracking(&[(false, Pattern::Field("data".into())), (true, Pattern::All)]);
        assert_eq!(tracking.rules.len(), 1);
        assert!(tracking.is_tracked(&member(1, ".data"), false));
    }

    #[test]
    fn members_are_matched_by_whole_names() {
        assert!(has_member("[1].point.x", "point"));
        assert!(has_member(".next[3]", "next"));
        assert!(!has_member(".nextone", "next"));
        assert!(is_part("[1].x", "[1]") && !is_part("[10]", "[1]"));
    }
}
