//! Counting constraints: how many of some Booleans hold, or how much they weigh.

use super::{Node, Sort, Term, Terms};

impl Terms {
    /// Whether at most `bound` of `items` hold.
    pub fn at_most(&mut self, items: &[Term], bound: usize) -> Term {
        let parts: Vec<(Term, u64)> = items.iter().map(|&item| (item, 1)).collect();
        self.at_most_weighted(&parts, bound as u64)
    }

    /// Whether at least `bound` of `items` hold.
    pub fn at_least(&mut self, items: &[Term], bound: usize) -> Term {
        match bound.checked_sub(1) {
            None => self.constant(true),
            Some(below) => {
                let fewer = self.at_most(items, below);
                self.not(fewer)
            }
        }
    }

    /// Whether exactly `count` of `items` hold.
    pub fn exactly(&mut self, items: &[Term], count: usize) -> Term {
        let most = self.at_most(items, count);
        let least = self.at_least(items, count);
        self.and(most, least)
    }

    /// Whether the weights of the `items` that hold add up to `bound` at most.
    ///
    /// # Panics
    /// If the weights add up to 2^64 or more.
    pub fn at_most_weighted(&mut self, items: &[(Term, u64)], bound: u64) -> Term {
        let Some((mut parts, mut bound)) = self.merge_weights(items, bound) else { return self.constant(false) };
        let divisor = parts.iter().fold(0, |divisor, part| gcd(divisor, part.0));
        if divisor > 1 {
            parts.iter_mut().for_each(|part| part.0 /= divisor);
            bound /= divisor;
        }
        let total: u64 = parts.iter().map(|part| part.0).sum();
        let lightest = parts.iter().map(|part| part.0).min().unwrap_or(0);
        if total <= bound {
            return self.constant(true);
        }
        if bound < lightest || total - lightest <= bound {
            let negated: Vec<Term> = parts.iter().map(|part| self.not(part.1)).collect();
            return if bound < lightest { self.all(&negated) } else { self.any(&negated) };
        }
        self.intern(Node::AtMost { parts: parts.into(), bound }, Sort::Bool)
    }

    /// The items that are not constant, each once; nothing if the bound is already exceeded.
    fn merge_weights(&self, items: &[(Term, u64)], mut bound: u64) -> Option<(Vec<(u64, Term)>, u64)> {
        let mut sorted: Vec<(Term, u64)> = items.iter().copied().filter(|item| item.1 > 0).collect();
        sorted.sort_unstable();
        let mut parts: Vec<(u64, Term)> = Vec::with_capacity(sorted.len());
        for (item, weight) in sorted {
            self.expect_bool(item);
            match (self.value(item), parts.last_mut()) {
                (Some(0), _) => {}
                (Some(_), _) => bound = bound.checked_sub(weight)?,
                (None, Some(last)) if last.1 == item => last.0 = sum(last.0, weight),
                _ => parts.push((weight, item)),
            }
        }
        parts.iter().fold(0, |total, part| sum(total, part.0));
        Some((parts, bound))
    }
}

fn sum(a: u64, b: u64) -> u64 {
    a.checked_add(b).expect("weights add up to less than 2^64")
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
