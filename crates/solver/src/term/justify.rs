//! Why a term has its value: which variables, with the values that they have,
//! make it so whatever the others are.
//!
//! `a | b` with `a = 1, b = 0` is 1 because of `a` alone; `ite(c, x, y)` with
//! `c = 1` has its value because of `c` and `x`. (R §5: the dynamic slice and
//! ImportantVars in one.)

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{BinaryOp, Model, Node, Term, Terms};

/// Values of all terms that some terms are made of.
#[derive(Clone, Debug, Default)]
pub struct Values {
    values: HashMap<Term, u64>,
}

impl Values {
    /// How many terms were evaluated.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a term that was evaluated.
    pub fn of(&self, term: Term) -> u64 {
        self.values.get(&term).copied().unwrap_or(0)
    }
}

/// Terms that some variables stand for.
pub type Meanings = HashMap<Term, Term>;

impl Terms {
    /// The values of `roots` and of everything they are made of. A variable with a meaning has the value of that.
    pub fn values(&self, roots: &[Term], model: &Model, meanings: &Meanings) -> Values {
        let mut found = Values::default();
        let mut seen = HashSet::new();
        let mut stack: Vec<Term> = roots.to_vec();
        let mut order = vec![];
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                order.push(term);
                stack.extend(meanings.get(&term));
                stack.extend(self.operands(term));
            }
        }
        // A variable is made after the term that it stands for, so ids are an order of evaluation.
        order.sort_unstable();
        for term in order {
            let value = match meanings.get(&term) {
                Some(meaning) => found.of(*meaning),
                None => self.evaluate_node(term, model, &|operand| found.of(operand)),
            };
            found.values.insert(term, value);
        }
        found
    }

    /// Variables whose values make `root` what it is. Those with a meaning are among them if it matters, and what it is made of.
    pub fn justify(&self, root: Term, values: &Values, meanings: &Meanings) -> BTreeSet<Term> {
        let mut found = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if matches!(self.node(term), Node::Variable { .. }) {
                found.insert(term);
                stack.extend(meanings.get(&term));
                continue;
            }
            self.reasons(term, values, &seen, &mut stack);
        }
        found
    }

    /// Operands that alone give a term its value.
    fn reasons(&self, term: Term, values: &Values, seen: &HashSet<Term>, stack: &mut Vec<Term>) {
        let of = |term: &Term| values.of(*term);
        // One of several reasons is enough: rather one that is needed anyway, or was made early.
        let one = |items: &[Term], value: u64| {
            let fits = |item: &&Term| of(item) == value;
            items.iter().filter(fits).find(|item| seen.contains(item)).or(items.iter().find(fits)).copied()
        };
        match self.node(term) {
            Node::And(items) if of(&term) == 0 => stack.extend(one(items, 0)),
            Node::Or(items) if of(&term) == 1 => stack.extend(one(items, 1)),
            Node::Ite(condition, then, other) => {
                stack.push(*condition);
                stack.push(if of(condition) == 1 { *then } else { *other });
            }
            Node::Binary(BinaryOp::And | BinaryOp::Mul, a, b) if of(a) == 0 || of(b) == 0 => {
                stack.extend(one(&[*a, *b], 0));
            }
            Node::Select(index, items) => {
                stack.push(*index);
                stack.extend(items.get(of(index) as usize));
            }
            _ => stack.extend(self.operands(term)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_chosen_arm_matters() {
        let mut terms = Terms::new();
        let [c, x, y] = [terms.bool_variable("c"), terms.bits_variable("x", 8), terms.bits_variable("y", 8)];
        let chosen = terms.ite(c, x, y);
        let three = terms.bits(3, 8);
        let root = terms.eq(chosen, three);
        let model: Model = [(c, 1), (x, 3), (y, 7)].into_iter().collect();
        let values = terms.values(&[root], &model, &Meanings::new());
        assert_eq!(terms.justify(root, &values, &Meanings::new()), BTreeSet::from([c, x]));
    }

    #[test]
    fn meanings_are_followed() {
        let mut terms = Terms::new();
        let [a, b] = [terms.bool_variable("a"), terms.bool_variable("b")];
        let both = terms.and(a, b);
        let named = terms.fresh("named", crate::Sort::Bool);
        let meanings = Meanings::from([(named, both)]);
        let model: Model = [(a, 1), (b, 0)].into_iter().collect();
        let values = terms.values(&[named], &model, &meanings);
        assert_eq!(values.of(named), 0);
        assert_eq!(terms.justify(named, &values, &meanings), BTreeSet::from([b, named]));
    }
}
