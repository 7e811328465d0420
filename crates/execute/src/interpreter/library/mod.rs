//! The C library, as far as the interpreter has it.
//!
//! A library function gets its arguments as registers: integers extended to 64
//! bits according to their type, floating values (also promoted `float`s and
//! `long double`s) as the bits of a `double`, pointers as addresses. It answers
//! in the same form, and a structure as its address. Functions that call back into the program (`qsort`,
//! `bsearch`, `atexit`) and `va_*` are the machine's own.
//!
//! Whatever a program passes, a function answers or returns a [`Trouble`]; it
//! never panics.

mod builtin;
mod bytes;
mod ctype;
mod directive;
mod errors;
mod feed;
mod files;
mod floats;
mod math;
mod output;
mod parse;
mod printf;
mod random;
mod scan_number;
mod scanf;
mod source;
mod stdio;
mod stdlib;
mod streams;
mod string;
mod time;
mod verifier;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use super::memory::{Address, Kind, Memory, Trouble};
use crate::{FaultKind, Input, Output};
pub use ctype::classes;

use random::Random;
use streams::{STDERR, STDIN, STDOUT, Streams};
pub(crate) use verifier::is_known as is_for_verifiers;

/// What a library function may use.
pub struct Context<'a> {
    /// The program's memory.
    pub memory: &'a mut Memory,
    /// Streams, and what functions remember between calls.
    pub state: &'a mut State,
    /// The statement that calls, for allocations.
    pub step: Option<u32>,
    /// The arguments that a `va_list` at an address has left, as registers
    /// (for `vprintf` and its like); `None` if no list is there.
    pub varargs: &'a dyn Fn(&Memory, Address) -> Option<Vec<u64>>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned this register (anything for `void`).
    Value(u64),
    /// It returned this number, in the type with which the program declares the function.
    Number(u64),
    /// The program ends with this status, after its `atexit` functions.
    Exit(i32),
    /// The program ends at once with this status (`_Exit`).
    ExitNow(i32),
}

/// A library function.
pub type Function = fn(&mut Context<'_>, &[u64]) -> Result<Outcome, Trouble>;

/// What the library remembers between calls.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Where `strtok` goes on.
    pub token: Address,
    /// The program's name, for the message of a failed `assert`.
    pub program: String,
    /// What `__VERIFIER_nondet_int` and its like give, and how many of them they gave.
    nondet: Arc<[i128]>,
    taken: usize,
    streams: Streams,
    random: Random,
    /// Objects that the library made for the program, such as `errno`.
    made: BTreeMap<String, Address>,
}

impl State {
    /// The state before the program starts; fails if the input cannot be opened.
    pub fn new(input: &Input, output: Output) -> std::io::Result<Self> {
        Ok(State { streams: Streams::new(input, output)?, ..State::default() })
    }

    /// Says what `__VERIFIER_nondet_int` and its like give, one after the other.
    pub fn set_nondet(&mut self, values: &[i128]) {
        (self.nondet, self.taken) = (values.into(), 0);
    }

    /// How many of these values were taken.
    pub fn nondet_taken(&self) -> usize {
        self.taken
    }

    /// Says which objects are the program's `stdin`, `stdout` and `stderr`.
    pub fn set_streams(&mut self, stdin: Address, stdout: Address, stderr: Address) {
        self.streams.place([stdin, stdout, stderr]);
    }

    /// What was written to standard output, if it is captured.
    pub fn output(&self) -> &[u8] {
        self.streams.captured(STDOUT)
    }

    /// What was written to standard error, if it is captured.
    pub fn errors(&self) -> &[u8] {
        self.streams.captured(STDERR)
    }

    /// Makes `bytes` the whole standard input; what was read stays read.
    pub fn set_input(&mut self, bytes: &[u8]) {
        self.streams.stream(STDIN).set_input(bytes);
    }

    /// How much of standard input was not read yet, if that can be told.
    pub fn input_left(&mut self) -> Option<usize> {
        self.streams.stream(STDIN).left()
    }

    /// Writes open files back to disk, as the end of the program does.
    pub fn close_all(&mut self) {
        self.streams.flush_all();
    }
}

impl Context<'_> {
    /// The arguments that a `va_list` has left.
    fn variadic(&self, list: Address) -> Result<Vec<u64>, Trouble> {
        (self.varargs)(self.memory, list)
            .ok_or_else(|| Trouble::new(FaultKind::Uninitialised, "has a va_list that was not started"))
    }

    /// The object of the library with this name, made with these bytes when it
    /// is first asked for; null if there is no memory for it.
    fn lasting(&mut self, name: &str, bytes: &[u8]) -> Address {
        if let Some(&known) = self.state.made.get(name) {
            return known;
        }
        let Some(object) = self.memory.create_with(bytes, Kind::Outside) else { return 0 };
        self.state.made.insert(name.to_string(), object);
        object
    }
}

static TABLE: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let tables = [
        builtin::CLASSES,
        builtin::FUNCTIONS,
        bytes::FUNCTIONS,
        ctype::FUNCTIONS,
        errors::FUNCTIONS,
        math::UNARY,
        math::BINARY,
        math::TERNARY,
        math::MIXED,
        output::FUNCTIONS,
        random::FUNCTIONS,
        scanf::FUNCTIONS,
        stdio::FUNCTIONS,
        stdlib::FUNCTIONS,
        string::FUNCTIONS,
        time::FUNCTIONS,
        verifier::VALUES,
        verifier::FUNCTIONS,
    ];
    tables.into_iter().flatten().copied().collect()
});

/// The function called `name`.
///
/// Compilers and headers know many functions by further names, such as
/// `__builtin_strlen`, `__isoc99_scanf` or `__strcpy_chk`.
pub fn find(name: &str) -> Option<Function> {
    let known = |name: &str| TABLE.get(name).copied();
    let plain = ["__builtin_", "__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let plain = plain.unwrap_or(name);
    known(name).or_else(|| known(plain)).or_else(|| known(unfortified(plain)?))
}

/// The function that a `…_chk` guards; the size it adds comes last and does no harm.
fn unfortified(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("__")?.strip_suffix("_chk")?;
    ["mem", "str", "stp", "gets"].iter().any(|start| plain.starts_with(start)).then_some(plain)
}

// ----- arguments and results -----

/// The argument with a number.
fn argument(args: &[u64], index: usize) -> Result<u64, Trouble> {
    args.get(index).copied().ok_or_else(too_few)
}

/// The first `N` arguments.
fn take<const N: usize>(args: &[u64]) -> Result<[u64; N], Trouble> {
    args.first_chunk().copied().ok_or_else(too_few)
}

fn too_few() -> Trouble {
    Trouble::new(FaultKind::UnknownFunction, "is called with too few arguments")
}

/// An `int` as a register.
fn int(value: i64) -> Result<Outcome, Trouble> {
    Ok(Outcome::Value(value as i32 as i64 as u64))
}

/// A pointer as a register.
fn address(value: Address) -> Result<Outcome, Trouble> {
    Ok(Outcome::Value(value))
}

/// A `size_t` that can be added to an offset without running over.
fn length(size: u64) -> usize {
    size.min(i64::MAX as u64) as usize
}

/// The bytes from `address` to a NUL, but at most `most`: nothing behind them is looked at.
fn bounded(memory: &Memory, address: Address, most: usize) -> Result<Vec<u8>, Trouble> {
    let Some((_, offset, true)) = memory.resolve(address) else {
        return if most == 0 { Ok(Vec::new()) } else { memory.text(address).map(<[u8]>::to_vec) };
    };
    let room = (memory.size_of(address) as i64).saturating_sub(offset).max(0) as usize;
    let seen = if offset < 0 { 0 } else { room.min(most) };
    let (bytes, _) = memory.raw(address, seen)?;
    match bytes.iter().position(|&byte| byte == 0) {
        Some(end) => memory.bytes(address, end + 1).map(|bytes| bytes[..end].to_vec()),
        None if seen == most => memory.bytes(address, most).map(<[u8]>::to_vec),
        None => memory.text(address).map(<[u8]>::to_vec),
    }
}
