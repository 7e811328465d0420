//! Minimal hitting sets by Reiter's tree, smallest first, with conflicts made
//! on the way.
//!
//! For the conflicts {1, 2} and {2, 3} these are {2} and {1, 3}. The root is
//! labelled with a conflict and has a branch for each of its elements; a node
//! is labelled with a conflict that the branches above it do not hit, and where
//! there is none they are a hitting set. Where a later conflict is part of an
//! earlier one, the tree that grew from the earlier one is wrong (Greiner,
//! Smith and Wilkerson 1989): it is grown again, from the conflicts that are
//! known.

use std::collections::BTreeSet;

/// A set of components, by number.
pub type Set = BTreeSet<usize>;

/// A conflict that a set does not hit.
pub enum Conflict {
    /// This one.
    Of(Set),
    /// There is none: the set is a hitting set.
    None,
    /// Nobody knows: time is up.
    Unknown,
}

/// The hitting sets that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HittingSets {
    /// The minimal ones, smallest first.
    pub found: Vec<Set>,
    /// The conflicts.
    pub conflicts: Vec<Set>,
    /// Whether these are all up to the size.
    pub is_complete: bool,
}

/// All minimal hitting sets of at most `size` elements, and at most `most` of them.
pub fn hitting_sets(size: usize, most: usize, conflict: &mut dyn FnMut(&Set) -> Conflict) -> HittingSets {
    let mut tree = Tree { sets: HittingSets::default(), size, most };
    while !tree.grow(conflict) {}
    tree.sets
}

struct Tree {
    sets: HittingSets,
    size: usize,
    most: usize,
}

impl Tree {
    /// Grows the tree from its root; whether it is as it should be.
    fn grow(&mut self, conflict: &mut dyn FnMut(&Set) -> Conflict) -> bool {
        self.sets.is_complete = true;
        let mut level = BTreeSet::from([Set::new()]);
        for size in 0..=self.size {
            let mut next = BTreeSet::new();
            for path in level {
                if self.sets.found.iter().any(|known| known.is_subset(&path)) {
                    continue;
                }
                if self.sets.found.len() >= self.most {
                    self.sets.is_complete = false;
                    return true;
                }
                let known = self.sets.conflicts.iter().find(|known| known.is_disjoint(&path)).cloned();
                let label = match known {
                    Some(known) => known,
                    None => match conflict(&path) {
                        Conflict::Of(new) => {
                            let before = self.sets.conflicts.len();
                            self.sets.conflicts.retain(|known| !new.is_subset(known));
                            self.sets.conflicts.push(new.clone());
                            if self.sets.conflicts.len() <= before {
                                return false;
                            }
                            new
                        }
                        Conflict::None => {
                            self.sets.found.push(path);
                            continue;
                        }
                        Conflict::Unknown => {
                            self.sets.is_complete = false;
                            return true;
                        }
                    },
                };
                if size < self.size {
                    next.extend(label.iter().map(|element| &path | &Set::from([*element])));
                }
            }
            level = next;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(conflicts: &[&[usize]], size: usize) -> Vec<Vec<usize>> {
        let conflicts: Vec<Set> = conflicts.iter().map(|set| set.iter().copied().collect()).collect();
        let found =
            hitting_sets(size, 100, &mut |path| match conflicts.iter().find(|conflict| conflict.is_disjoint(path)) {
                Some(conflict) => Conflict::Of(conflict.clone()),
                None => Conflict::None,
            });
        assert!(found.is_complete);
        found.found.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    #[test]
    fn reiters_example() {
        let conflicts: &[&[usize]] = &[&[2, 4, 5], &[1, 2, 3], &[1, 3, 5], &[2, 4, 6], &[2, 4], &[2, 3, 5], &[1, 6]];
        let mut found = all_of(conflicts, 3);
        found.sort_by_key(|set| (set.len(), set.clone()));
        let wanted: [&[usize]; 6] = [&[1, 2], &[1, 3, 4], &[1, 4, 5], &[2, 3, 6], &[2, 5, 6], &[3, 4, 6]];
        assert_eq!(found, wanted);
    }

    #[test]
    fn conflicts_that_are_not_minimal_do_no_harm() {
        assert_eq!(all_of(&[&[1, 2, 3], &[1, 2]], 2), [[1], [2]]);
        assert_eq!(all_of(&[&[1, 2], &[3, 4, 1], &[3]], 2), [[1, 3], [2, 3]]);
    }

    #[test]
    fn nothing_to_hit_needs_nothing() {
        assert_eq!(all_of(&[], 2), [Vec::<usize>::new()]);
        assert!(all_of(&[&[]], 2).is_empty());
    }
}
