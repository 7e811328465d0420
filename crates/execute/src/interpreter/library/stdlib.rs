//! `stdlib.h`: memory, numbers from text, and the end of the program.

use super::super::memory::{Address, Kind, Trouble};
use super::errors::{EINVAL, ENOMEM, ERANGE};
use super::parse::{self, Integer};
use super::streams::STDERR;
use super::{Context, Function, Outcome, address, bytes, int, length, take};
use crate::FaultKind;

type Answer = Result<Outcome, Trouble>;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("malloc", |context, args| context.allocate(take::<1>(args)?[0])),
    ("valloc", |context, args| context.allocate(take::<1>(args)?[0])),
    ("aligned_alloc", |context, args| context.allocate(take::<2>(args)?[1])),
    ("memalign", |context, args| context.allocate(take::<2>(args)?[1])),
    ("calloc", calloc),
    ("realloc", |context, args| reallocate(context, take::<2>(args)?[0], args[1])),
    ("reallocarray", reallocarray),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", usable_size),
    ("free", free),
    ("cfree", free),
    ("alloca", alloca),
    ("atoi", |context, args| Ok(Outcome::Value(integer(context, args)?.signed().0 as i32 as i64 as u64))),
    ("atol", |context, args| Ok(Outcome::Value(integer(context, args)?.signed().0 as u64))),
    ("atoll", |context, args| Ok(Outcome::Value(integer(context, args)?.signed().0 as u64))),
    ("atof", |context, args| floating(context, take::<1>(args)?[0], 0, false)),
    ("strtol", |context, args| strtol(context, args, true)),
    ("strtoll", |context, args| strtol(context, args, true)),
    ("strtoimax", |context, args| strtol(context, args, true)),
    ("strtoul", |context, args| strtol(context, args, false)),
    ("strtoull", |context, args| strtol(context, args, false)),
    ("strtoumax", |context, args| strtol(context, args, false)),
    ("strtod", |context, args| floating(context, take::<2>(args)?[0], args[1], false)),
    ("strtold", |context, args| floating(context, take::<2>(args)?[0], args[1], false)),
    ("strtof", |context, args| floating(context, take::<2>(args)?[0], args[1], true)),
    ("abs", |_, args| int((take::<1>(args)?[0] as i32).wrapping_abs().into())),
    ("labs", |_, args| Ok(Outcome::Value((take::<1>(args)?[0] as i64).wrapping_abs() as u64))),
    ("llabs", |_, args| Ok(Outcome::Value((take::<1>(args)?[0] as i64).wrapping_abs() as u64))),
    ("imaxabs", |_, args| Ok(Outcome::Value((take::<1>(args)?[0] as i64).wrapping_abs() as u64))),
    ("div", |context, args| divide(context, args, 4)),
    ("ldiv", |context, args| divide(context, args, 8)),
    ("lldiv", |context, args| divide(context, args, 8)),
    ("imaxdiv", |context, args| divide(context, args, 8)),
    ("exit", |_, args| Ok(Outcome::Exit(take::<1>(args)?[0] as u8 as i32))),
    ("_Exit", |_, args| Ok(Outcome::ExitNow(take::<1>(args)?[0] as u8 as i32))),
    ("_exit", |_, args| Ok(Outcome::ExitNow(take::<1>(args)?[0] as u8 as i32))),
    ("quick_exit", |_, args| Ok(Outcome::ExitNow(take::<1>(args)?[0] as u8 as i32))),
    ("abort", |_, _| Err(Trouble::new(FaultKind::Abort, "ends the program"))),
    ("__assert_fail", assert_fail),
    ("getenv", getenv),
    ("system", system),
];

// ----- memory -----

impl Context<'_> {
    /// A new heap block, or null.
    pub(super) fn allocate(&mut self, size: u64) -> Answer {
        let block = self.memory.allocate(size, self.step);
        if block.is_none() {
            self.set_errno(ENOMEM);
        }
        address(block.unwrap_or(0))
    }

    /// A new heap block with `text` and a NUL in it, or null.
    pub(super) fn new_text(&mut self, mut text: Vec<u8>) -> Answer {
        text.push(0);
        let answer = self.allocate(text.len() as u64)?;
        if let Outcome::Value(block @ 1..) = answer {
            self.memory.write(block, &text)?;
        }
        Ok(answer)
    }
}

fn calloc(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [count, size] = take(args)?;
    let total = count.saturating_mul(size);
    let answer = context.allocate(total)?;
    if let Outcome::Value(block @ 1..) = answer {
        bytes::fill(context.memory, block, 0, total)?;
    }
    Ok(answer)
}

/// The block always moves: a program that relies on its staying is wrong.
fn reallocate(context: &mut Context<'_>, old: Address, size: u64) -> Answer {
    if old == 0 {
        return context.allocate(size);
    }
    if !matches!(context.memory.resolve(old), Some((Kind::Heap(..), 0, true))) {
        context.memory.free(old)?;
    }
    let kept = context.memory.size_of(old).min(size);
    let block = if size == 0 { 0 } else { context.memory.allocate(size, context.step).unwrap_or(0) };
    if block == 0 && size != 0 {
        context.set_errno(ENOMEM);
        return address(0);
    }
    if kept > 0 {
        context.memory.copy(block, old, length(kept))?;
    }
    context.memory.free(old)?;
    address(block)
}

fn reallocarray(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [old, count, size] = take(args)?;
    reallocate(context, old, count.saturating_mul(size))
}

fn posix_memalign(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [place, alignment, size] = take(args)?;
    if !alignment.is_power_of_two() || alignment < 8 {
        return int(EINVAL.into());
    }
    let Some(block) = context.memory.allocate(size, context.step) else { return int(ENOMEM.into()) };
    context.memory.store(place, 8, block)?;
    int(0)
}

fn usable_size(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [block] = take(args)?;
    let known = context.memory.resolve(block).is_some();
    Ok(Outcome::Value(if known { context.memory.size_of(block) } else { 0 }))
}

fn free(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [block] = take(args)?;
    if block != 0 {
        context.memory.free(block)?;
    }
    int(0)
}

/// The block outlives its function, which only hides a mistake.
fn alloca(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [size] = take(args)?;
    match context.memory.create(size, Kind::Local) {
        Some(block) => address(block),
        None => Err(Trouble::new(FaultKind::StackOverflow, format!("asks for {size} bytes of the stack"))),
    }
}

// ----- numbers -----

fn integer(context: &mut Context<'_>, args: &[u64]) -> Result<Integer, Trouble> {
    let [text] = take(args)?;
    Ok(parse::integer(context.memory.text(text)?, 10))
}

fn strtol(context: &mut Context<'_>, args: &[u64], signed: bool) -> Answer {
    let [text, end, base] = take(args)?;
    let base = base as i32;
    if base == 1 || !(0..=36).contains(&base) {
        context.set_errno(EINVAL);
        return int(0);
    }
    let found = parse::integer(context.memory.text(text)?, base as u32);
    if end != 0 {
        context.memory.store(end, 8, text + found.length as u64)?;
    }
    let (value, fits) = match signed {
        true => (found.signed().0 as u64, found.signed().1),
        false => found.unsigned(),
    };
    if !fits {
        context.set_errno(ERANGE);
    }
    Ok(Outcome::Value(value))
}

fn floating(context: &mut Context<'_>, start: Address, end: Address, single: bool) -> Answer {
    let text = context.memory.text(start)?;
    let found = parse::floating(text);
    let lost = found.out_of_range(&text[..found.length]);
    if end != 0 {
        context.memory.store(end, 8, start + found.length as u64)?;
    }
    if lost {
        context.set_errno(ERANGE);
    }
    let value = if single { f64::from(found.single) } else { found.value };
    Ok(Outcome::Value(value.to_bits()))
}

/// Returns the address of a structure with quotient and remainder of `size` bytes each.
fn divide(context: &mut Context<'_>, args: &[u64], size: usize) -> Answer {
    let [number, divisor] = take(args)?.map(|value| value as i64);
    if divisor == 0 {
        return Err(Trouble::new(FaultKind::DivisionByZero, "divides by zero"));
    }
    let least = if size == 4 { i32::MIN.into() } else { i64::MIN };
    if number == least && divisor == -1 {
        return Err(Trouble::new(FaultKind::DivisionByZero, "divides the smallest number by -1"));
    }
    let result = context.lasting("quotient and remainder", &[0; 16]);
    context.memory.store(result, size, number.wrapping_div(divisor) as u64)?;
    context.memory.store(result + size as u64, size, number.wrapping_rem(divisor) as u64)?;
    address(result)
}

// ----- the program and its surroundings -----

/// What `assert` calls when its condition is false.
fn assert_fail(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [condition, file, line, function] = take(args)?;
    let text = |address| context.memory.text(address).map(|text| String::from_utf8_lossy(text).into_owned());
    let (condition, file) = (text(condition)?, text(file)?);
    let function = if function == 0 { String::new() } else { format!("{}: ", text(function)?) };
    let program = if context.state.program.is_empty() { "a.out" } else { &context.state.program };
    let line = line as u32;
    let message = format!("{program}: {file}:{line}: {function}Assertion `{condition}' failed.\n");
    context.state.streams.write(STDERR, message.as_bytes());
    Err(Trouble::new(FaultKind::Assert, format!("fails: `{condition}` does not hold")))
}

fn getenv(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [name] = take(args)?;
    let name = String::from_utf8_lossy(context.memory.text(name)?).into_owned();
    let valid = !name.is_empty() && !name.contains('=');
    let value = valid.then(|| std::env::var_os(&name)).flatten();
    let Some(value) = value else { return address(0) };
    let mut text = value.into_encoded_bytes();
    text.push(0);
    address(context.lasting(&format!("environment {name}"), &text))
}

/// No shell is started. Programs that call one to clear the screen or to wait do without.
fn system(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [command] = take(args)?;
    if command == 0 {
        return int(0);
    }
    let text = context.memory.text(command)?;
    let word = text.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let harmless = matches!(word, b"clear" | b"cls" | b"pause" | b"PAUSE" | b"CLS" | b"color" | b"title" | b"sleep");
    int(if harmless { 0 } else { -1 })
}
