//! How long a search may take, and why it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The deadline has passed.
    OutOfTime,
    /// Somebody raised a stop flag.
    Interrupted,
    /// The external solver gave up or failed, in its words.
    GaveUp(String),
}

/// A deadline and flags that stop a search; by default there are none.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    deadline: Option<Instant>,
    stops: Vec<Arc<AtomicBool>>,
}

impl Limits {
    /// As long as it takes.
    pub fn none() -> Self {
        Self::default()
    }

    /// At most this long from now on.
    pub fn within(time: Duration) -> Self {
        Self::none().and_within(time)
    }

    /// These limits, and at most this long from now on.
    pub fn and_within(&self, time: Duration) -> Self {
        match Instant::now().checked_add(time) {
            Some(end) => self.and_until(end),
            None => self.clone(),
        }
    }

    /// These limits, and not beyond `end`.
    pub fn and_until(&self, end: Instant) -> Self {
        let deadline = Some(self.deadline.map_or(end, |own| own.min(end)));
        Self { deadline, stops: self.stops.clone() }
    }

    /// These limits, and until somebody sets `flag`.
    pub fn and_stop(&self, flag: Arc<AtomicBool>) -> Self {
        let mut limits = self.clone();
        limits.stops.push(flag);
        limits
    }

    /// Which limit is reached, if one is.
    pub fn exceeded(&self) -> Option<Reason> {
        if self.stops.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Reason::Interrupted);
        }
        self.deadline.is_some_and(|end| Instant::now() >= end).then_some(Reason::OutOfTime)
    }
}
