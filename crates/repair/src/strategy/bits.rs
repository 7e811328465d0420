//! Small sets of numbers below 256.

/// A set of numbers below [`Bits::SIZE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits([u64; 4]);

impl Bits {
    /// Numbers are below this.
    pub const SIZE: usize = 256;

    /// The numbers below `count`.
    pub fn first(count: usize) -> Bits {
        let mut bits = Bits::default();
        (0..count.min(Bits::SIZE - 1)).for_each(|i| bits.insert(i));
        bits
    }

    /// A single number.
    pub fn one(number: usize) -> Bits {
        Bits::default().with(number)
    }

    /// The same with one more.
    pub fn with(mut self, number: usize) -> Bits {
        self.insert(number);
        self
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Whether it has a number.
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Its numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.0;
        (0..4).flat_map(move |word| {
            let mut left = words[word];
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                (bit < 64).then(|| {
                    left &= left - 1;
                    word * 64 + bit as usize
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let set = Bits::first(3).with(200);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 1, 2, 200]);
        assert!(!set.contains(3) && set.contains(200) && !set.is_empty());
    }
}
