//! Which variables have certainly been given a value where the compiler is.
//!
//! Only reads that are not certain are checked at run time. Labels forget
//! everything, as a jump may come from anywhere.

/// A set of locals; `None` where the code cannot be reached.
#[derive(Clone, Debug)]
pub struct Assigned {
    certain: Option<Vec<u64>>,
    words: usize,
    /// For each open loop: what was certain at its `break`s.
    exits: Vec<Option<Vec<u64>>>,
}

impl Assigned {
    /// Nothing is certain.
    pub fn new(locals: usize) -> Self {
        let words = locals.div_ceil(64);
        Assigned { certain: Some(vec![0; words]), words, exits: Vec::new() }
    }

    /// Whether a local certainly has a value.
    pub fn contains(&self, local: usize) -> bool {
        self.certain.as_ref().is_none_or(|set| set[local / 64] >> (local % 64) & 1 == 1)
    }

    /// It has from here on.
    pub fn insert(&mut self, local: usize) {
        if let Some(set) = &mut self.certain {
            set[local / 64] |= 1 << (local % 64);
        }
    }

    /// It has none from here on.
    pub fn remove(&mut self, local: usize) {
        if let Some(set) = &mut self.certain {
            set[local / 64] &= !(1 << (local % 64));
        }
    }

    /// What follows is not reached from here.
    pub fn unreachable(&mut self) {
        self.certain = None;
    }

    /// What follows may be reached from anywhere.
    pub fn forget_all(&mut self) {
        self.certain = Some(vec![0; self.words]);
    }

    /// Only what is certain on both ways stays.
    pub fn meet(&mut self, other: &Assigned) {
        meet(&mut self.certain, other.certain.as_ref());
        for (mine, theirs) in self.exits.iter_mut().zip(&other.exits) {
            meet(mine, theirs.as_ref());
        }
    }

    /// A loop or switch begins.
    pub fn enter_loop(&mut self) {
        self.exits.push(None);
    }

    /// A `break`.
    pub fn leave(&mut self) {
        if let Some(exit) = self.exits.last_mut() {
            meet(exit, self.certain.as_ref());
        }
        self.certain = None;
    }

    /// The innermost loop ends: from its test or from a `break`.
    pub fn exit_loop(&mut self) {
        if let Some(exit) = self.exits.pop().flatten() {
            meet(&mut self.certain, Some(&exit));
        }
    }
}

fn meet(set: &mut Option<Vec<u64>>, other: Option<&Vec<u64>>) {
    match (set.as_mut(), other) {
        (Some(set), Some(other)) => set.iter_mut().zip(other).for_each(|(a, b)| *a &= b),
        (None, Some(other)) => *set = Some(other.clone()),
        (_, None) => {}
    }
}
