//! A term where some variables have their values put in, or other terms.

use std::collections::HashMap;

use super::{BinaryOp, Model, Node, Term, Terms};

impl Terms {
    /// `root` with the variables of `model` replaced by their values, simplified.
    pub fn specialize(&mut self, root: Term, model: &Model) -> Term {
        let mut new: HashMap<Term, Term> = HashMap::new();
        for term in self.pending(&[root], |_| false) {
            let is_variable = matches!(self.node(term), Node::Variable { .. });
            let made = match model.get(term).filter(|_| is_variable) {
                Some(value) => self.constant_of(value, self.sort(term)),
                None => self.rebuild(term, &new),
            };
            new.insert(term, made);
        }
        new[&root]
    }

    /// A term with new operands.
    pub(super) fn rebuild(&mut self, term: Term, new: &HashMap<Term, Term>) -> Term {
        if self.operands(term).iter().all(|old| new[old] == *old) {
            return term;
        }
        let of = |old: &Term| new[old];
        match self.node(term).clone() {
            Node::Constant { .. } | Node::Variable { .. } => term,
            Node::Not(a) => self.not(of(&a)),
            Node::And(items) => {
                let items: Vec<Term> = items.iter().map(of).collect();
                self.all(&items)
            }
            Node::Or(items) => {
                let items: Vec<Term> = items.iter().map(of).collect();
                self.any(&items)
            }
            Node::Xor(a, b) => self.xor(of(&a), of(&b)),
            Node::Ite(c, a, b) => self.ite(of(&c), of(&a), of(&b)),
            Node::Eq(a, b) => self.eq(of(&a), of(&b)),
            Node::Less { signed: true, left, right } => self.slt(of(&left), of(&right)),
            Node::Less { left, right, .. } => self.ult(of(&left), of(&right)),
            Node::Sum { constant, parts } => {
                let width = self.width(term);
                let mut sum = self.bits(constant, width);
                for (factor, part) in parts.iter() {
                    let factor = self.bits(*factor, width);
                    let product = self.mul(factor, of(part));
                    sum = self.add(sum, product);
                }
                sum
            }
            Node::Binary(op, a, b) => self.binary_of(op, of(&a), of(&b)),
            Node::ZeroExtend { term, width } => self.zero_extend(of(&term), width),
            Node::SignExtend { term, width } => self.sign_extend(of(&term), width),
            Node::Extract { term, low, width } => self.extract(of(&term), low + width - 1, low),
            Node::Select(index, items) => {
                let items: Vec<Term> = items.iter().map(of).collect();
                self.select(of(&index), &items)
            }
            Node::AtMost { parts, bound } => {
                let parts: Vec<(Term, u64)> = parts.iter().map(|(weight, part)| (of(part), *weight)).collect();
                self.at_most_weighted(&parts, bound)
            }
        }
    }

    fn binary_of(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        match op {
            BinaryOp::Mul => self.mul(a, b),
            BinaryOp::Udiv => self.udiv(a, b),
            BinaryOp::Urem => self.urem(a, b),
            BinaryOp::Sdiv => self.sdiv(a, b),
            BinaryOp::Srem => self.srem(a, b),
            BinaryOp::And => self.bit_and(a, b),
            BinaryOp::Or => self.bit_or(a, b),
            BinaryOp::Xor => self.bit_xor(a, b),
            BinaryOp::Shl => self.shl(a, b),
            BinaryOp::Lshr => self.lshr(a, b),
            BinaryOp::Ashr => self.ashr(a, b),
            BinaryOp::Concat => self.concat(a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_inputs_leave_a_term_over_the_rest() {
        let mut terms = Terms::new();
        let [x, y] = [terms.bits_variable("x", 8), terms.bits_variable("y", 8)];
        let flag = terms.bool_variable("flag");
        let sum = terms.add(x, y);
        let chosen = terms.ite(flag, sum, x);
        let five = terms.bits(5, 8);
        let root = terms.eq(chosen, five);
        let model: Model = [(x, 2), (y, 3)].into_iter().collect();
        assert_eq!(terms.specialize(root, &model), flag);
    }
}
