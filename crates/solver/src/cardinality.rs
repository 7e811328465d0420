//! Circuits that count: which sums of weights the inputs reach.
//!
//! The totalizer (Bailleux and Boufkhad, CP 2003; with weights: Joshi, Martins
//! and Manquinho, CP 2015) is a tree whose nodes have one output for each sum
//! that their leaves can reach: "the sum is at least this". Outputs are made on
//! demand, from the lowest upwards, so a bound can grow without a new encoding.
//! The outputs are exact in both directions, so a bound can also be negated.

use std::collections::BTreeSet;

use crate::blast::Gates;
use crate::sat::Lit;

/// More different sums than this are added up in binary instead.
const MOST_SUMS: usize = 1500;

/// A node of the tree; `outputs[i]` says that the sum is at least `sums[i]`.
pub(crate) struct Totalizer {
    sums: Vec<u64>,
    outputs: Vec<Lit>,
    children: Option<Box<(Totalizer, Totalizer)>>,
}

impl Totalizer {
    /// The tree over weighted inputs, or nothing if it would be too large.
    pub(crate) fn new(inputs: &[(u64, Lit)]) -> Option<Self> {
        if let [(weight, lit)] = *inputs {
            return Some(Self { sums: vec![weight], outputs: vec![lit], children: None });
        }
        let (left, right) = inputs.split_at(inputs.len() / 2);
        let (left, right) = (Self::new(left)?, Self::new(right)?);
        let sums = joined_sums(&left.sums, &right.sums)?;
        Some(Self { sums, outputs: vec![], children: Some(Box::new((left, right))) })
    }

    /// The literal that says that the sum is greater than `bound`.
    pub(crate) fn exceeds(&mut self, bound: u64, gates: &mut Gates) -> Lit {
        let index = self.sums.partition_point(|&sum| sum <= bound);
        if index == self.sums.len() {
            return Lit::FALSE;
        }
        self.extend(index + 1, gates);
        self.outputs[index]
    }

    /// Makes the first `count` outputs.
    fn extend(&mut self, count: usize, gates: &mut Gates) {
        let count = count.min(self.sums.len());
        let old = self.outputs.len();
        let Some(children) = &mut self.children else { return };
        if count <= old {
            return;
        }
        let (left, right) = &mut **children;
        let largest = self.sums[count - 1];
        for child in [&mut *left, &mut *right] {
            // One output beyond, for "the sum is not more than this".
            child.extend(child.sums.partition_point(|&sum| sum <= largest) + 1, gates);
        }
        for index in old..count {
            let output = gates.fresh();
            if index > 0 {
                gates.clause(&[!output, self.outputs[index - 1]]);
            }
            self.outputs.push(output);
        }
        self.define(old..count, gates);
    }

    /// The clauses of the new outputs: every pair of sums below gives a lower
    /// and an upper bound of the sum here.
    fn define(&self, new: std::ops::Range<usize>, gates: &mut Gates) {
        let Some(children) = &self.children else { return };
        let (left, right) = &**children;
        let last = new.end - 1;
        for (i, &low) in with_zero(&left.sums).enumerate() {
            for (j, &high) in with_zero(&right.sums).enumerate() {
                let reached = self.sums.partition_point(|&sum| sum <= low + high);
                let is_beyond = reached > new.end;
                if is_beyond || (reached > 0 && new.contains(&(reached - 1))) {
                    // With weights, a sum beyond the last output may be the only one that implies it.
                    let output = self.outputs[last.min(reached - 1)];
                    gates.clause(&[!left.at_least(i), !right.at_least(j), output]);
                }
                if is_beyond {
                    break;
                }
                if new.contains(&reached) {
                    gates.clause(&[left.at_least(i + 1), right.at_least(j + 1), !self.outputs[reached]]);
                }
            }
            if low > self.sums[last] {
                break;
            }
        }
    }

    /// The sum is at least the `index`-th smallest, where 0 is the empty sum.
    fn at_least(&self, index: usize) -> Lit {
        match index.checked_sub(1) {
            None => Lit::TRUE,
            Some(index) if index == self.sums.len() => Lit::FALSE,
            Some(index) => self.outputs[index],
        }
    }
}

fn with_zero(sums: &[u64]) -> impl Iterator<Item = &u64> {
    std::iter::once(&0).chain(sums)
}

fn joined_sums(left: &[u64], right: &[u64]) -> Option<Vec<u64>> {
    let is_count = |sums: &[u64]| sums.len() as u64 == sums[sums.len() - 1];
    if is_count(left) && is_count(right) {
        return Some((1..=(left.len() + right.len()) as u64).collect());
    }
    let mut sums = BTreeSet::new();
    for low in with_zero(left) {
        sums.extend(with_zero(right).map(|high| low + high));
        if sums.len() > MOST_SUMS {
            return None;
        }
    }
    sums.remove(&0);
    Some(sums.into_iter().collect())
}

/// Sinz' sequential counter as gates, for few inputs: whether more than `bound` hold.
pub(crate) fn count_exceeds(inputs: &[Lit], bound: usize, gates: &mut Gates) -> Lit {
    // `reached[j]`: at least `j + 1` of the inputs so far hold.
    let mut reached = vec![Lit::FALSE; bound + 1];
    for &input in inputs {
        for j in (0..=bound).rev() {
            let below = if j == 0 { Lit::TRUE } else { reached[j - 1] };
            let now = gates.and(input, below);
            reached[j] = gates.or(reached[j], now);
        }
    }
    reached[bound]
}

/// Whether the sum of the weights exceeds `bound`, added up in binary.
pub(crate) fn binary_exceeds(inputs: &[(u64, Lit)], bound: u64, gates: &mut Gates) -> Lit {
    let total: u64 = inputs.iter().map(|input| input.0).sum();
    let width = (64 - total.leading_zeros()) as usize;
    let mut sum = Gates::constant_word(0, width);
    for &(weight, lit) in inputs {
        let word: Vec<Lit> = (0..width).map(|i| if weight >> i & 1 == 1 { lit } else { Lit::FALSE }).collect();
        sum = gates.add_words(&sum, &word, Lit::FALSE).0;
    }
    let bound = Gates::constant_word(bound, width);
    gates.less_words(&bound, &sum)
}

/// Exactly one of `inputs` holds.
pub(crate) fn exactly_one(inputs: &[Lit], gates: &mut Gates) {
    const PAIRWISE_UP_TO: usize = 6;
    gates.clause(inputs);
    if inputs.len() <= PAIRWISE_UP_TO {
        for (i, &a) in inputs.iter().enumerate() {
            inputs[..i].iter().for_each(|&b| gates.clause(&[!a, !b]));
        }
        return;
    }
    // A ladder: `seen` says that one of the inputs so far holds.
    let mut seen = inputs[0];
    for &input in &inputs[1..] {
        gates.clause(&[!seen, !input]);
        let next = gates.fresh();
        gates.clause(&[!seen, next]);
        gates.clause(&[!input, next]);
        seen = next;
    }
}
