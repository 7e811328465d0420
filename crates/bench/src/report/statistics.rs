//! Numbers that stand for many: mean, quantiles, shares.
//!
//! The quantile of n sorted values is the smallest of them that at least that share of all do not exceed, so
//! it is always a value that was measured: of 1, 2, 3, 4 the median is 2 and the 99th percentile is 4.

/// Values in ascending order, of which none is no number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sorted(Vec<f64>);

impl FromIterator<f64> for Sorted {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sorted {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        Sorted(values)
    }
}

impl Sorted {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest value that is not exceeded by this share of the values.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let rank = (share * self.0.len() as f64 - 1e-9).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied()
    }

    /// The middle one.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The smallest.
    pub fn least(&self) -> Option<f64> {
        self.0.first().copied()
    }

    /// The largest.
    pub fn most(&self) -> Option<f64> {
        self.0.last().copied()
    }

    /// The average.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.iter().sum::<f64>() / self.0.len() as f64)
    }

    /// How many do not exceed a bound.
    pub fn within(&self, bound: f64) -> usize {
        self.0.partition_point(|&value| value <= bound)
    }

    /// In ascending order.
    pub fn values(&self) -> &[f64] {
        &self.0
    }
}

/// The average of some values.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.into_iter().collect::<Sorted>().mean()
}

/// Which share of the whole a part is.
pub fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(values: &[f64]) -> Sorted {
        values.iter().copied().collect()
    }

    #[test]
    fn quantiles_are_measured_values() {
        let values = sorted(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!((values.median(), values.quantile(0.99), values.quantile(0.0)), (Some(2.0), Some(4.0), Some(1.0)));
        let hundred: Sorted = (1..=100).map(f64::from).collect();
        assert_eq!((hundred.median(), hundred.quantile(0.99), hundred.most()), (Some(50.0), Some(99.0), Some(100.0)));
    }

    #[test]
    fn nothing_has_no_statistics() {
        let none = sorted(&[f64::NAN]);
        assert_eq!((none.count(), none.median(), none.mean(), none.least(), none.most()), (0, None, None, None, None));
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn bounds_are_inclusive() {
        let values = sorted(&[0.1, 0.25, 0.25, 0.5]);
        assert_eq!((values.within(0.25), values.within(0.0), values.within(1.0)), (3, 0, 4));
    }

    #[test]
    fn the_mean_is_the_average() {
        assert_eq!((mean([1.0, 2.0, 6.0]), share(1, 4)), (Some(3.0), Some(0.25)));
    }
}
