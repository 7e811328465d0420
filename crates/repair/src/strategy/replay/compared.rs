//! Many comparisons at one moment: `p->val < x`, `p->val <= x` and so on read
//! their two sides once.

use encode::{Cell, Comparison, Machine, Model, Stuck, Term, cell};

/// The values of both sides.
type Sides = Result<(Cell, Cell), Stuck>;

/// The sides of the last comparison.
pub(super) struct Compared<'a> {
    model: &'a Model,
    machine: &'a Machine,
    last: Option<(Term, Term, Sides)>,
}

impl<'a> Compared<'a> {
    /// At the moment where a machine stands.
    pub(super) fn new(model: &'a Model, machine: &'a Machine) -> Compared<'a> {
        Compared { model, machine, last: None }
    }

    /// Whether a comparison holds; nothing if it has no value.
    pub(super) fn holds(&mut self, comparison: &Comparison) -> Option<bool> {
        let Comparison { left, op, right } = comparison;
        let sides = match &self.last {
            Some((one, other, sides)) if *one == left.term && *other == right.term => *sides,
            _ => {
                let value = |term| self.machine.term_value(self.model, term);
                let sides = value(left).and_then(|one| Ok((one, value(right)?)));
                self.last = Some((left.term, right.term, sides));
                sides
            }
        };
        let (one, other) = sides.ok()?;
        cell::truth_of(cell::binary(*op, left.scalar, one, other).ok()?)
    }
}
