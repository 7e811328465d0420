//! The `mem*` functions, and their old BSD names.

use super::super::memory::{Address, Memory, Trouble};
use super::{Context, Function, Outcome, address, int, length, take};

type Answer = Result<Outcome, Trouble>;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("memcpy", copy),
    ("memmove", copy),
    ("mempcpy", mempcpy),
    ("__mempcpy", mempcpy),
    ("bcopy", bcopy),
    ("memset", memset),
    ("bzero", bzero),
    ("explicit_bzero", bzero),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("rawmemchr", rawmemchr),
    ("memrchr", memrchr),
    ("memmem", memmem),
    ("swab", swab),
];

/// Copies bytes with their shadow; nothing is touched when there are none.
fn transfer(memory: &mut Memory, to: Address, from: Address, size: u64) -> Result<(), Trouble> {
    if size == 0 { Ok(()) } else { memory.copy(to, from, length(size)) }
}

fn copy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from, size] = take(args)?;
    transfer(context.memory, to, from, size)?;
    address(to)
}

fn mempcpy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from, size] = take(args)?;
    transfer(context.memory, to, from, size)?;
    address(to.wrapping_add(size))
}

fn bcopy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, to, size] = take(args)?;
    transfer(context.memory, to, from, size)?;
    address(0)
}

/// Writes `size` times the same byte.
pub(super) fn fill(memory: &mut Memory, to: Address, byte: u8, size: u64) -> Result<(), Trouble> {
    if size == 0 {
        return Ok(());
    }
    // The room must be there before as many bytes are made.
    memory.raw(to, length(size))?;
    memory.write(to, &vec![byte; length(size)])
}

fn memset(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, byte, size] = take(args)?;
    fill(context.memory, to, byte as u8, size)?;
    address(to)
}

fn bzero(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, size] = take(args)?;
    fill(context.memory, to, 0, size)?;
    address(0)
}

fn memcmp(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [left, right, size] = take(args)?;
    for offset in 0..size {
        let a = context.memory.load(left.wrapping_add(offset), 1)?;
        let b = context.memory.load(right.wrapping_add(offset), 1)?;
        if a != b {
            return int(a as i64 - b as i64);
        }
    }
    int(0)
}

/// The first of `size` bytes that equals `byte`.
fn scan(memory: &Memory, from: Address, byte: u8, size: u64) -> Result<Address, Trouble> {
    for offset in 0..size {
        let at = from.wrapping_add(offset);
        if memory.load(at, 1)? as u8 == byte {
            return Ok(at);
        }
    }
    Ok(0)
}

fn memchr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, byte, size] = take(args)?;
    address(scan(context.memory, from, byte as u8, size)?)
}

fn rawmemchr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, byte] = take(args)?;
    address(scan(context.memory, from, byte as u8, u64::MAX)?)
}

fn memrchr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, byte, size] = take(args)?;
    if size == 0 {
        return address(0);
    }
    let bytes = context.memory.bytes(from, length(size))?;
    let last = bytes.iter().rposition(|&other| other == byte as u8);
    address(last.map_or(0, |offset| from + offset as u64))
}

fn memmem(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, size, pattern, pattern_size] = take(args)?;
    if pattern_size == 0 || size == 0 {
        return address(if pattern_size == 0 { from } else { 0 });
    }
    let bytes = context.memory.bytes(from, length(size))?;
    let pattern = context.memory.bytes(pattern, length(pattern_size))?;
    let place = bytes.windows(pattern.len()).position(|window| window == pattern);
    address(place.map_or(0, |offset| from + offset as u64))
}

fn swab(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, to, size] = take(args)?;
    let size = if (size as i64) < 2 { 0 } else { length(size) & !1 };
    if size > 0 {
        let mut bytes = context.memory.bytes(from, size)?.to_vec();
        bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
        context.memory.write(to, &bytes)?;
    }
    address(0)
}
