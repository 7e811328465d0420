//! Terms over finite domains: "one of k values", and tables indexed by them.

use super::{Node, Sort, Term, Terms};

impl Terms {
    /// The variable with this name that is one of the numbers `0..size`.
    pub fn domain_variable(&mut self, name: &str, size: u32) -> Term {
        self.variable(name, Sort::Domain(size))
    }

    /// The value `value` of a domain of `size` values.
    ///
    /// # Panics
    /// If the domain has no such value.
    pub fn domain_value(&mut self, value: u32, size: u32) -> Term {
        assert!(value < size, "a domain of {size} values has no value {value}");
        self.constant_of(u64::from(value), Sort::Domain(size))
    }

    /// Whether the domain term `a` has the value `value`.
    pub fn is_value(&mut self, a: Term, value: u32) -> Term {
        let Sort::Domain(size) = self.sort(a) else { panic!("a domain term is needed here, not {:?}", self.sort(a)) };
        let value = self.domain_value(value, size);
        self.eq(a, value)
    }

    /// The item of the table whose number is the value of `index`.
    ///
    /// # Panics
    /// If the table has not one item for each value, or items of different sorts.
    pub fn select(&mut self, index: Term, items: &[Term]) -> Term {
        assert!(self.sort(index) == Sort::Domain(items.len() as u32), "a table needs one item for each value");
        let sort = items.iter().fold(self.sort(items[0]), |_, &item| self.same_sort(items[0], item));
        if let Some(value) = self.value(index) {
            return items[value as usize];
        }
        if items.iter().all(|&item| item == items[0]) {
            return items[0];
        }
        let is_identity = |(value, &item): (usize, &Term)| self.value(item) == Some(value as u64);
        if self.sort(index) == sort && items.iter().enumerate().all(is_identity) {
            return index;
        }
        self.intern(Node::Select(index, items.into()), sort)
    }
}
