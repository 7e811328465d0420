//! A Boolean term made ready to be evaluated thousands of times under different
//! values of a few switches, and to say which of them make it what it is.
//!
//! Turning a switch evaluates only what changes with it.

use std::collections::HashMap;

use crate::term::{BinaryOp, Node, Term, Terms, apply, mask, signed};

/// A node; operands are numbers of earlier nodes.
#[derive(Clone, Debug)]
enum Op {
    Switch(u32),
    Constant(u64),
    Not(u32),
    And(Box<[u32]>),
    Or(Box<[u32]>),
    Xor(u32, u32),
    Ite(u32, u32, u32),
    Eq(u32, u32),
    Less { width: u32, is_signed: bool, left: u32, right: u32 },
    Sum { constant: u64, parts: Box<[(u64, u32)]>, width: u32 },
    Binary { op: BinaryOp, a: u32, b: u32, width: u32 },
    Concat { high: u32, low: u32, shift: u32 },
    Copy(u32),
    SignExtend { a: u32, from: u32, to: u32 },
    Extract { a: u32, low: u32, width: u32 },
    Select(u32, Box<[u32]>),
    AtMost { parts: Box<[(u64, u32)]>, bound: u64 },
}

/// A term over switches, with its present values.
#[derive(Clone, Debug)]
pub struct Circuit {
    ops: Vec<Op>,
    /// The values while all switches are off.
    base: Vec<u64>,
    values: Vec<u64>,
    /// The node of each switch that occurs.
    switches: HashMap<usize, u32>,
    /// For each node those that it is an operand of, which are all behind it.
    users: Vec<Vec<u32>>,
    /// Nodes whose values are not those of `base` now.
    changed: Vec<u32>,
    /// Nodes that are still to be evaluated, a bit each.
    pending: Vec<u64>,
}

impl Circuit {
    /// The circuit of `root`, whose variables are all among `switches`.
    pub fn new(terms: &Terms, root: Term, switches: &[Term]) -> Circuit {
        let numbers: HashMap<Term, u32> = switches.iter().enumerate().map(|(i, term)| (*term, i as u32)).collect();
        let order = terms.pending(&[root], |_| false);
        let at: HashMap<Term, u32> = order.iter().enumerate().map(|(i, term)| (*term, i as u32)).collect();
        let ops: Vec<Op> = order.iter().map(|term| op(terms, *term, &at, &numbers)).collect();
        let (switches, users) = (switch_nodes(&ops), users(&ops));
        let pending = vec![0; ops.len().div_ceil(64)];
        let mut circuit = Circuit { ops, base: vec![], values: vec![], switches, users, changed: vec![], pending };
        for node in 0..circuit.ops.len() {
            let value = circuit.evaluate(node, &[]);
            circuit.values.push(value);
        }
        circuit.base = circuit.values.clone();
        circuit
    }

    /// Whether the term holds with exactly these switches on.
    pub fn holds(&mut self, on: &[usize]) -> bool {
        for node in std::mem::take(&mut self.changed) {
            self.values[node as usize] = self.base[node as usize];
        }
        let nodes: Vec<u32> = on.iter().filter_map(|switch| self.switches.get(switch).copied()).collect();
        nodes.iter().for_each(|node| self.ask(*node));
        let first = nodes.iter().min().map_or(0, |node| *node as usize / 64);
        for word in first..self.pending.len() {
            while self.pending[word] != 0 {
                let node = word * 64 + self.pending[word].trailing_zeros() as usize;
                self.pending[word] &= self.pending[word] - 1;
                self.update(node, on);
            }
        }
        self.values.last() == Some(&1)
    }

    /// A node is to be evaluated.
    fn ask(&mut self, node: u32) {
        self.pending[node as usize / 64] |= 1 << (node % 64);
    }

    /// Evaluates a node, and if it changes asks for those that use it.
    fn update(&mut self, node: usize, on: &[usize]) {
        let value = self.evaluate(node, on);
        if value == self.values[node] {
            return;
        }
        self.values[node] = value;
        self.changed.push(node as u32);
        let users = std::mem::take(&mut self.users[node]);
        users.iter().for_each(|user| self.ask(*user));
        self.users[node] = users;
    }

    /// The switches whose positions in the last [`holds`](Self::holds) make the term what it is, in ascending order.
    pub fn because(&self) -> Vec<usize> {
        let mut seen = vec![false; self.ops.len()];
        let mut found = vec![];
        let mut stack = vec![self.ops.len() as u32 - 1];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let of = |node: &u32| self.values[*node as usize];
            let one = |items: &[u32], value: u64, stack: &mut Vec<u32>| {
                let fits = |item: &&u32| of(item) == value;
                let best = items.iter().filter(fits).find(|item| seen[**item as usize]).or(items.iter().find(fits));
                stack.extend(best);
            };
            match &self.ops[node as usize] {
                Op::Switch(number) => found.push(*number as usize),
                Op::And(items) if of(&node) == 0 => one(items, 0, &mut stack),
                Op::Or(items) if of(&node) == 1 => one(items, 1, &mut stack),
                Op::Ite(condition, then, other) => {
                    stack.push(*condition);
                    stack.push(if of(condition) == 1 { *then } else { *other });
                }
                Op::Binary { op: BinaryOp::And | BinaryOp::Mul, a, b, .. } if of(a) == 0 || of(b) == 0 => {
                    one(&[*a, *b], 0, &mut stack);
                }
                Op::Select(index, items) => {
                    stack.push(*index);
                    stack.extend(items.get(of(index) as usize));
                }
                op => each_operand(op, |operand| stack.push(operand)),
            }
        }
        found.sort_unstable();
        found
    }

    fn evaluate(&self, node: usize, on: &[usize]) -> u64 {
        let of = |node: &u32| self.values[*node as usize];
        match &self.ops[node] {
            Op::Switch(number) => u64::from(on.contains(&(*number as usize))),
            Op::Constant(value) => *value,
            Op::Not(a) => 1 - of(a),
            Op::And(items) => u64::from(items.iter().all(|item| of(item) == 1)),
            Op::Or(items) => u64::from(items.iter().any(|item| of(item) == 1)),
            Op::Xor(a, b) => of(a) ^ of(b),
            Op::Ite(condition, a, b) => of(if of(condition) == 1 { a } else { b }),
            Op::Eq(a, b) => u64::from(of(a) == of(b)),
            Op::Less { is_signed: false, left, right, .. } => u64::from(of(left) < of(right)),
            Op::Less { width, left, right, .. } => u64::from(signed(of(left), *width) < signed(of(right), *width)),
            Op::Sum { constant, parts, width } => {
                let add = |sum: u64, part: &(u64, u32)| sum.wrapping_add(part.0.wrapping_mul(of(&part.1)));
                parts.iter().fold(*constant, add) & mask(*width)
            }
            Op::Binary { op, a, b, width } => apply(*op, of(a), of(b), *width),
            Op::Concat { high, low, shift } => (of(high) << shift) | of(low),
            Op::Copy(a) => of(a),
            Op::SignExtend { a, from, to } => signed(of(a), *from) as u64 & mask(*to),
            Op::Extract { a, low, width } => (of(a) >> low) & mask(*width),
            Op::Select(index, items) => items.get(of(index) as usize).map_or(0, of),
            Op::AtMost { parts, bound } => {
                u64::from(parts.iter().map(|(weight, part)| weight * of(part)).sum::<u64>() <= *bound)
            }
        }
    }
}

fn op(terms: &Terms, term: Term, at: &HashMap<Term, u32>, switches: &HashMap<Term, u32>) -> Op {
    let of = |term: &Term| at[term];
    let all = |items: &[Term]| items.iter().map(of).collect::<Box<[u32]>>();
    match terms.node(term) {
        Node::Variable { .. } => match switches.get(&term) {
            Some(number) => Op::Switch(*number),
            None => Op::Constant(0),
        },
        Node::Constant { value, .. } => Op::Constant(*value),
        Node::Not(a) => Op::Not(of(a)),
        Node::And(items) => Op::And(all(items)),
        Node::Or(items) => Op::Or(all(items)),
        Node::Xor(a, b) => Op::Xor(of(a), of(b)),
        Node::Ite(c, a, b) => Op::Ite(of(c), of(a), of(b)),
        Node::Eq(a, b) => Op::Eq(of(a), of(b)),
        Node::Less { signed, left, right } => {
            Op::Less { width: terms.width(*left), is_signed: *signed, left: of(left), right: of(right) }
        }
        Node::Sum { constant, parts } => Op::Sum {
            constant: *constant,
            parts: parts.iter().map(|(factor, part)| (*factor, of(part))).collect(),
            width: terms.width(term),
        },
        Node::Binary(BinaryOp::Concat, high, low) => {
            Op::Concat { high: of(high), low: of(low), shift: terms.width(*low) }
        }
        Node::Binary(op, a, b) => Op::Binary { op: *op, a: of(a), b: of(b), width: terms.width(term) },
        Node::ZeroExtend { term, .. } => Op::Copy(of(term)),
        Node::SignExtend { term, width } => Op::SignExtend { a: of(term), from: terms.width(*term), to: *width },
        Node::Extract { term, low, width } => Op::Extract { a: of(term), low: *low, width: *width },
        Node::Select(index, items) => Op::Select(of(index), all(items)),
        Node::AtMost { parts, bound } => {
            Op::AtMost { parts: parts.iter().map(|(weight, part)| (*weight, of(part))).collect(), bound: *bound }
        }
    }
}

fn each_operand(op: &Op, mut visit: impl FnMut(u32)) {
    match op {
        Op::Switch(_) | Op::Constant(_) => {}
        Op::Not(a) | Op::Copy(a) | Op::SignExtend { a, .. } | Op::Extract { a, .. } => visit(*a),
        Op::And(items) | Op::Or(items) => items.iter().for_each(|item| visit(*item)),
        Op::Xor(a, b) | Op::Eq(a, b) | Op::Binary { a, b, .. } => [*a, *b].into_iter().for_each(visit),
        Op::Less { left, right, .. } => [*left, *right].into_iter().for_each(visit),
        Op::Concat { high, low, .. } => [*high, *low].into_iter().for_each(visit),
        Op::Ite(c, a, b) => [*c, *a, *b].into_iter().for_each(visit),
        Op::Sum { parts, .. } | Op::AtMost { parts, .. } => parts.iter().for_each(|part| visit(part.1)),
        Op::Select(index, items) => {
            visit(*index);
            items.iter().for_each(|item| visit(*item));
        }
    }
}

fn switch_nodes(ops: &[Op]) -> HashMap<usize, u32> {
    let nodes = ops.iter().enumerate().filter_map(|(node, op)| match op {
        Op::Switch(number) => Some((*number as usize, node as u32)),
        _ => None,
    });
    nodes.collect()
}

/// For each node those that it is an operand of.
fn users(ops: &[Op]) -> Vec<Vec<u32>> {
    let mut users: Vec<Vec<u32>> = vec![vec![]; ops.len()];
    for (node, op) in ops.iter().enumerate() {
        each_operand(op, |operand| users[operand as usize].push(node as u32));
    }
    users
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Model;

    #[test]
    fn switches_are_turned_one_by_one() {
        let mut terms = Terms::new();
        let switches: Vec<Term> = (0..4).map(|i| terms.bool_variable(&format!("s{i}"))).collect();
        let numbers: Vec<Term> = switches.iter().map(|s| terms.bits_of_bool(*s, 8)).collect();
        let sum = numbers.iter().skip(1).fold(numbers[0], |sum, number| terms.add(sum, *number));
        let two = terms.bits(2, 8);
        let is_two = terms.eq(sum, two);
        let root = terms.or(is_two, switches[3]);
        let mut circuit = Circuit::new(&terms, root, &switches);
        for set in 0..16usize {
            let on: Vec<usize> = (0..4).filter(|i| set >> i & 1 == 1).collect();
            let model: Model = (0..4).map(|i| (switches[i], (set >> i & 1) as u64)).collect();
            assert_eq!(circuit.holds(&on), model.holds(&terms, root), "{on:?}");
        }
        assert!(circuit.holds(&[3]));
        assert_eq!(circuit.because(), [3]);
    }
}
