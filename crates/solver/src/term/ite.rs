//! If-then-else of any sort.

use super::{Node, Sort, Term, Terms};

impl Terms {
    /// `then` where `condition` holds, otherwise `other`.
    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        self.expect_bool(condition);
        let sort = self.same_sort(then, other);
        if let Some(value) = self.value(condition) {
            return if value == 1 { then } else { other };
        }
        let (condition, flipped) = self.strip_not(condition);
        let (then, other) = if flipped { (other, then) } else { (then, other) };
        let then = self.arm(condition, then, true);
        let other = self.arm(condition, other, false);
        if then == other {
            return then;
        }
        if sort == Sort::Bool
            && let Some(simple) = self.bool_ite(condition, then, other)
        {
            return simple;
        }
        self.intern(Node::Ite(condition, then, other), sort)
    }

    /// What `term` is where `condition` is known to be `holds`.
    fn arm(&self, condition: Term, term: Term, holds: bool) -> Term {
        match *self.node(term) {
            Node::Ite(inner, then, other) if inner == condition => {
                if holds {
                    then
                } else {
                    other
                }
            }
            _ => term,
        }
    }

    fn bool_ite(&mut self, condition: Term, then: Term, other: Term) -> Option<Term> {
        let negated = self.not(condition);
        let then_value = if then == condition { Some(1) } else { self.value(then) };
        let other_value = if other == condition { Some(0) } else { self.value(other) };
        match (then_value, other_value) {
            (Some(1), _) => Some(self.or(condition, other)),
            (Some(_), _) => Some(self.and(negated, other)),
            (_, Some(1)) => Some(self.or(negated, then)),
            (_, Some(_)) => Some(self.and(condition, then)),
            _ if self.strip_not(then).0 == self.strip_not(other).0 => Some(self.iff(condition, then)),
            _ => None,
        }
    }
}
