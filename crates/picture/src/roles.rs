//! What part each pointer member plays: does it lead along a list, back, down
//! a tree, or up?
//!
//! Structure decides before names do. `left` and `right` that undo each other
//! (`p->left->right == p`) are a doubly linked list however they are called;
//! names decide only while there is too little to see, such as in a tree of
//! one node.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::cells::{Content, Kind};
use crate::graph::Block;

/// What part a pointer plays in the structure that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// To the next node of a list.
    Next,
    /// To the previous node of a list.
    Prev,
    /// To a child in a tree.
    Child,
    /// To the parent in a tree.
    Parent,
    /// Anything else.
    Other,
}

impl Role {
    /// Whether the pointer leads back to where one came from.
    pub fn is_back(self) -> bool {
        matches!(self, Role::Prev | Role::Parent)
    }
}

/// Roles by type and path of the member.
pub(crate) type Roles = HashMap<(Arc<str>, String), Role>;

/// What is known of the pointer members of one type.
#[derive(Default)]
struct Members {
    /// Paths in order of declaration.
    paths: Vec<String>,
    /// For each of them the pointers between boxes of this type.
    links: Vec<Vec<(usize, usize)>>,
}

/// Finds the roles of all members. What was decided for an earlier picture
/// stays, so that half-done changes do not turn a list into a tree.
pub(crate) fn find_roles(blocks: &[Block], target: impl Fn(&Content) -> Option<usize>, known: &Roles) -> Roles {
    let mut roles = Roles::new();
    for (type_name, members) in members_by_type(blocks, target) {
        let found = decide(&members);
        for (path, role) in members.paths.into_iter().zip(found) {
            let key = (type_name.clone(), path);
            let role = known.get(&key).copied().filter(|&role| role != Role::Other).unwrap_or(role);
            roles.insert(key, role);
        }
    }
    roles
}

fn members_by_type(
    blocks: &[Block],
    target: impl Fn(&Content) -> Option<usize>,
) -> impl Iterator<Item = (Arc<str>, Members)> {
    let mut types: BTreeMap<Arc<str>, Members> = BTreeMap::new();
    for (from, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind == Kind::Record) {
        let members = types.entry(block.type_name.clone()).or_default();
        for cell in block.cells.iter().filter(|cell| cell.content.is_pointer() || hint(&cell.name).is_some()) {
            let number = members.paths.iter().position(|path| *path == cell.path).unwrap_or_else(|| {
                members.paths.push(cell.path.clone());
                members.links.push(Vec::new());
                members.paths.len() - 1
            });
            let to = target(&cell.content).filter(|&to| blocks[to].type_name == block.type_name);
            members.links[number].extend(to.map(|to| (from, to)));
        }
    }
    types.into_iter()
}

/// What the name of a member suggests.
fn hint(name: &str) -> Option<Role> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let name = last.split('[').next().unwrap_or(last).trim_end_matches('_').to_ascii_lowercase();
    match name.as_str() {
        "next" | "nxt" | "link" | "succ" | "following" => Some(Role::Next),
        "prev" | "previous" | "prv" | "pred" | "back" => Some(Role::Prev),
        "parent" | "par" | "up" | "father" => Some(Role::Parent),
        "left" | "right" | "lchild" | "rchild" | "l" | "r" | "lc" | "rc" | "lson" | "rson" => Some(Role::Child),
        "leftchild" | "rightchild" | "left_child" | "right_child" | "child" | "children" | "kids" => Some(Role::Child),
        _ => None,
    }
}

fn decide(members: &Members) -> Vec<Role> {
    let links: Vec<HashSet<(usize, usize)>> = members.links.iter().map(|l| l.iter().copied().collect()).collect();
    let inverse = |f: usize, g: usize| {
        let undone = links[f].iter().filter(|&&(from, to)| links[g].contains(&(to, from))).count();
        f != g && undone > 0 && undone * 2 >= links[f].len()
    };
    let mut roles: Vec<Option<Role>> = members.paths.iter().map(|path| hint(path)).collect();
    let all = 0..roles.len();
    for f in all.clone() {
        let undoes: Vec<usize> = all.clone().filter(|&g| inverse(g, f)).collect();
        if undoes.len() >= 2 && roles[f] != Some(Role::Prev) {
            roles[f] = Some(Role::Parent);
        }
    }
    for f in all.clone() {
        for g in f + 1..roles.len() {
            if inverse(f, g) && inverse(g, f) {
                decide_pair(&mut roles, f, g);
            }
        }
    }
    decide_forward(&links, roles)
}

/// Two members that undo each other: a doubly linked list, unless one is known to lead up.
fn decide_pair(roles: &mut [Option<Role>], f: usize, g: usize) {
    let pair = (roles[f], roles[g]);
    match pair {
        (Some(Role::Parent), _) | (_, Some(Role::Parent)) => {}
        (Some(Role::Prev), _) | (_, Some(Role::Next)) => (roles[f], roles[g]) = (Some(Role::Prev), Some(Role::Next)),
        (Some(Role::Child), Some(Role::Child)) => (roles[f], roles[g]) = (Some(Role::Prev), Some(Role::Next)),
        _ => (roles[f], roles[g]) = (Some(Role::Next), Some(Role::Prev)),
    }
}

/// Members that lead forward: one is a list; several are a tree if no node has two parents.
fn decide_forward(links: &[HashSet<(usize, usize)>], roles: Vec<Option<Role>>) -> Vec<Role> {
    let unnamed: Vec<usize> = (0..roles.len()).filter(|&f| roles[f].is_none() && !links[f].is_empty()).collect();
    let has = |role| roles.contains(&Some(role));
    let mut targets: HashMap<usize, usize> = HashMap::new();
    let forward = (0..roles.len()).filter(|f| unnamed.contains(f) || roles[*f] == Some(Role::Child));
    forward.flat_map(|f| &links[f]).for_each(|&(_, to)| *targets.entry(to).or_default() += 1);
    let shared = targets.values().filter(|&&count| count > 1).count();
    let is_tree = has(Role::Child) || (unnamed.len() > 1 && !has(Role::Next) && shared * 5 <= targets.len());
    let role_of = |f: usize| match roles[f] {
        Some(role) => role,
        None if !unnamed.contains(&f) || has(Role::Next) => Role::Other,
        None if is_tree => Role::Child,
        None if unnamed[0] == f => Role::Next,
        None => Role::Other,
    };
    (0..roles.len()).map(role_of).collect()
}
