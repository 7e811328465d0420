//! `rand` and its relatives: glibc's additive feedback generator, exactly.

use super::super::memory::Trouble;
use super::{Context, Function, Outcome, int, take};

type Answer = Result<Outcome, Trouble>;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("rand", |context, _| int(context.state.random.next().into())),
    ("random", |context, _| int(context.state.random.next().into())),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", rand_r),
    ("srand48", |context, args| {
        context.state.random.wide = take::<1>(args)?[0] << 16 & 0xffff_ffff_0000 | 0x330e;
        int(0)
    }),
    ("lrand48", |context, _| int((context.state.random.next_wide() >> 17) as i64)),
    ("mrand48", |context, _| int((context.state.random.next_wide() >> 16) as i64)),
    ("drand48", |context, _| {
        let bits = context.state.random.next_wide() as f64;
        Ok(Outcome::Value((bits / (1u64 << 48) as f64).to_bits()))
    }),
];

/// The last 31 numbers, and where the next one goes.
#[derive(Clone, Debug)]
pub(super) struct Random {
    table: [u32; 31],
    next: usize,
    /// The state of `drand48`.
    wide: u64,
}

impl Default for Random {
    fn default() -> Self {
        Random::new(1)
    }
}

impl Random {
    fn new(seed: u32) -> Self {
        let mut table = [0; 31];
        let mut word = seed.max(1) as i32;
        for entry in &mut table {
            *entry = word as u32;
            // 16807 * word modulo 2^31 - 1, with the sign that glibc's division leaves.
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16807 * low - 2836 * high;
            if word < 0 {
                word += 2_147_483_647;
            }
        }
        let mut random = Random { table, next: 3, wide: 0 };
        (0..310).for_each(|_| {
            random.next();
        });
        random
    }

    fn next(&mut self) -> i32 {
        let back = (self.next + 28) % 31;
        self.table[self.next] = self.table[self.next].wrapping_add(self.table[back]);
        let result = self.table[self.next] >> 1;
        self.next = (self.next + 1) % 31;
        result as i32
    }

    fn next_wide(&mut self) -> u64 {
        self.wide = self.wide.wrapping_mul(0x5_deec_e66d).wrapping_add(11) & 0xffff_ffff_ffff;
        self.wide
    }
}

fn seed(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [seed] = take(args)?;
    let wide = context.state.random.wide;
    context.state.random = Random { wide, ..Random::new(seed as u32) };
    int(0)
}

fn rand_r(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [place] = take(args)?;
    let mut word = context.memory.load(place, 4)? as u32;
    let mut result = 0;
    for bits in [11, 10, 10] {
        word = word.wrapping_mul(1_103_515_245).wrapping_add(12345);
        result = (result << bits) ^ ((word / 65536) % (1 << bits));
    }
    context.memory.store(place, 4, word.into())?;
    int(result.into())
}
