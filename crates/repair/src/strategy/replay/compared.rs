//! Many comparisons at one moment: `p->val < x`, `p->val <= x`, `p->val == y`
//! and so on read each of their terms once.

use encode::{Cell, Machine, Model, Scope, Stuck, cell};

/// The comparisons of a scope, where a machine stands.
pub(super) struct Compared<'a> {
    model: &'a Model,
    machine: &'a Machine,
    scope: &'a Scope,
    /// The values of terms, once they are known.
    values: Vec<Option<Result<Cell, Stuck>>>,
}

impl<'a> Compared<'a> {
    /// At the moment where a machine stands.
    pub(super) fn new(model: &'a Model, machine: &'a Machine, scope: &'a Scope) -> Compared<'a> {
        Compared { model, machine, scope, values: vec![None; scope.terms.len()] }
    }

    fn value(&mut self, term: u16) -> Option<Cell> {
        let term = usize::from(term);
        let value = || self.machine.term_value(self.model, &self.scope.terms[term]);
        self.values[term].get_or_insert_with(value).ok()
    }

    /// Whether a comparison holds; nothing if it has no value.
    pub(super) fn holds(&mut self, number: u32) -> Option<bool> {
        let [left, right] = self.scope.sides[number as usize];
        let comparison = &self.scope.comparisons[number as usize];
        let (one, other) = (self.value(left)?, self.value(right)?);
        cell::truth_of(cell::binary(comparison.op, comparison.left.scalar, one, other).ok()?)
    }
}
