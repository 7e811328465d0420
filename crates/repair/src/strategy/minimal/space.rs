//! How many sets of mutations there are.

use std::collections::BTreeMap;

use crate::scheme::mutation::Mutated;

/// Sets of at most `size` mutations, with at most one of each site, without the empty one.
pub(super) fn count(mutated: &Mutated, size: usize) -> u128 {
    let mut sites: BTreeMap<_, u128> = BTreeMap::new();
    for mutation in &mutated.mutations {
        *sites.entry(mutation.site).or_default() += 1;
    }
    // How many sets of each size, site by site.
    let mut sets = vec![0u128; size + 1];
    sets[0] = 1;
    for choices in sites.values() {
        for taken in (1..=size).rev() {
            sets[taken] = sets[taken].saturating_add(sets[taken - 1].saturating_mul(*choices));
        }
    }
    sets[1..].iter().fold(0, |sum, sets| sum.saturating_add(*sets))
}
