//! The functions that programs for verifiers call, by the rules of SV-COMP.
//!
//! ```text
//! int x = __VERIFIER_nondet_int();      the next value of `RunOptions::nondet`
//! __VERIFIER_assume(x > 0);             if not, the run ends and does not count
//! __VERIFIER_assert(x != 7);            if not, the program is wrong, as by `assert`
//! if (x == 9) reach_error();            the program is wrong if this is ever called
//! __wolverine_room(a, 8);               of the object only 8 bytes can be used from here on (ours)
//! ```
//!
//! They are declared, but no library has them; often they are not even
//! declared. A program that defines one of them means its own.

use super::super::memory::Trouble;
use super::{Context, Function, Outcome, take};
use crate::FaultKind;

type Answer = Result<Outcome, Trouble>;

/// Entries for `__VERIFIER_nondet_…` by the type in which the value is wanted.
macro_rules! nondet {
    ($($name:literal $convert:expr;)*) => {
        &[$((concat!("__VERIFIER_nondet_", $name), |context, _| context.nondet($convert)),)*]
    };
}

/// Values from outside.
pub(super) const VALUES: &[(&str, Function)] = nondet! {
    "bool" |value| u64::from(value != 0);
    "_Bool" |value| u64::from(value != 0);
    "char" |value| value as i8 as u64;
    "schar" |value| value as i8 as u64;
    "uchar" |value| value as u8 as u64;
    "unsigned_char" |value| value as u8 as u64;
    "short" |value| value as i16 as u64;
    "ushort" |value| value as u16 as u64;
    "int" |value| value as i32 as u64;
    "uint" |value| value as u32 as u64;
    "unsigned" |value| value as u32 as u64;
    "unsigned_int" |value| value as u32 as u64;
    "long" |value| value as u64;
    "ulong" |value| value as u64;
    "unsigned_long" |value| value as u64;
    "longlong" |value| value as u64;
    "ulonglong" |value| value as u64;
    "size_t" |value| value as u64;
    "loff_t" |value| value as u64;
    "S8" |value| value as i8 as u64;
    "u8" |value| value as u8 as u64;
    "U8" |value| value as u8 as u64;
    "S16" |value| value as i16 as u64;
    "u16" |value| value as u16 as u64;
    "U16" |value| value as u16 as u64;
    "S32" |value| value as i32 as u64;
    "u32" |value| value as u32 as u64;
    "U32" |value| value as u32 as u64;
    "float" |value| f64::from(value as f32).to_bits();
    "double" |value| (value as f64).to_bits();
};

/// Assumptions, and the ways to say that a program is wrong.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("__VERIFIER_assume", |_, args| assume(args)),
    ("assume", |_, args| assume(args)),
    ("__VERIFIER_assert", |_, args| assert(args)),
    // Where `assert.h` is forgotten, or the program declares it as a function.
    ("assert", |_, args| assert(args)),
    ("__VERIFIER_error", |_, _| wrong("is reached, which must never happen")),
    ("reach_error", |_, _| wrong("is reached, which must never happen")),
    ("__wolverine_room", |context, args| room(context, args)),
];

/// Whether no library has this function, but the interpreter does.
pub(crate) fn is_known(name: &str) -> bool {
    VALUES.iter().chain(FUNCTIONS).any(|(known, _)| *known == name)
}

impl Context<'_> {
    /// The next value from outside.
    fn nondet(&mut self, convert: fn(i128) -> u64) -> Answer {
        let state = &mut self.state;
        let Some(&value) = state.nondet.get(state.taken) else {
            return Err(Trouble::new(FaultKind::NoValue, none_left(state.nondet.len())));
        };
        state.taken += 1;
        Ok(Outcome::Number(convert(value)))
    }
}

fn none_left(given: usize) -> String {
    match given {
        0 => "has no value: none was given".into(),
        1 => "has no value left: only one was given".into(),
        _ => format!("has no value left: only {given} were given"),
    }
}

fn assume(args: &[u64]) -> Answer {
    match take(args)? {
        [0] => Err(Trouble::new(FaultKind::Assumption, "does not hold, so this run does not count")),
        [_] => Ok(Outcome::Value(0)),
    }
}

fn room(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [address, size] = take(args)?;
    context.memory.narrow(address, size);
    Ok(Outcome::Value(0))
}

fn assert(args: &[u64]) -> Answer {
    match take(args)? {
        [0] => wrong("fails"),
        [_] => Ok(Outcome::Value(0)),
    }
}

fn wrong(message: &str) -> Answer {
    Err(Trouble::new(FaultKind::Assert, message))
}
