//! `string.h` and `strings.h`.

use super::super::memory::{Address, Memory, Trouble};
use super::{Context, Function, Outcome, address, bounded, int, length, take};

type Answer = Result<Outcome, Trouble>;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcpy", strcpy),
    ("stpcpy", stpcpy),
    ("strncpy", strncpy),
    ("strcat", strcat),
    ("strncat", strncat),
    ("strcmp", |context, args| compare(context, args, None, same)),
    ("strcoll", |context, args| compare(context, args, None, same)),
    ("strncmp", |context, args| compare(context, args, Some(2), same)),
    ("strcasecmp", |context, args| compare(context, args, None, lower)),
    ("strncasecmp", |context, args| compare(context, args, Some(2), lower)),
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strstr", |context, args| search(context, args, same)),
    ("strcasestr", |context, args| search(context, args, lower)),
    ("strspn", |context, args| span(context, args, true)),
    ("strcspn", |context, args| span(context, args, false)),
    ("strpbrk", strpbrk),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
    ("strdup", strdup),
    ("__strdup", strdup),
    ("strndup", strndup),
    ("__strndup", strndup),
];

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

// ----- copying -----

fn strlen(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text] = take(args)?;
    Ok(Outcome::Value(context.memory.text(text)?.len() as u64))
}

fn strnlen(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, most] = take(args)?;
    Ok(Outcome::Value(bounded(context.memory, text, length(most))?.len() as u64))
}

/// Writes `text` and a NUL.
fn put(memory: &mut Memory, to: Address, mut text: Vec<u8>) -> Result<(), Trouble> {
    text.push(0);
    memory.write(to, &text)
}

fn strcpy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from] = take(args)?;
    let text = context.memory.text(from)?.to_vec();
    put(context.memory, to, text)?;
    address(to)
}

fn stpcpy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from] = take(args)?;
    let text = context.memory.text(from)?.to_vec();
    let end = to.wrapping_add(text.len() as u64);
    put(context.memory, to, text)?;
    address(end)
}

fn strncpy(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from, size] = take(args)?;
    if size == 0 {
        return address(to);
    }
    let mut text = bounded(context.memory, from, length(size))?;
    // The room must be there before as many zeros are made.
    context.memory.raw(to, length(size))?;
    text.resize(length(size), 0);
    context.memory.write(to, &text)?;
    address(to)
}

fn strcat(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from] = take(args)?;
    let end = to.wrapping_add(context.memory.text(to)?.len() as u64);
    let text = context.memory.text(from)?.to_vec();
    put(context.memory, end, text)?;
    address(to)
}

fn strncat(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, from, size] = take(args)?;
    let end = to.wrapping_add(context.memory.text(to)?.len() as u64);
    let text = bounded(context.memory, from, length(size))?;
    put(context.memory, end, text)?;
    address(to)
}

fn strdup(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from] = take(args)?;
    let text = context.memory.text(from)?.to_vec();
    context.new_text(text)
}

fn strndup(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, size] = take(args)?;
    let text = bounded(context.memory, from, length(size))?;
    context.new_text(text)
}

// ----- comparing -----

/// The difference of the first bytes that differ, as glibc on x86-64 answers.
fn compare(context: &mut Context<'_>, args: &[u64], limit: Option<usize>, fold: fn(u8) -> u8) -> Answer {
    let [left, right] = take(args)?;
    let limit = limit.map_or(Ok(u64::MAX), |index| super::argument(args, index))?;
    for offset in 0..limit {
        let a = fold(context.memory.load(left.wrapping_add(offset), 1)? as u8);
        let b = fold(context.memory.load(right.wrapping_add(offset), 1)? as u8);
        if a != b || a == 0 {
            return int(i64::from(a) - i64::from(b));
        }
    }
    int(0)
}

// ----- searching -----

/// The first place of `byte`, and the place of the NUL if it is not there.
fn scan(memory: &Memory, from: Address, byte: u8) -> Result<(bool, Address), Trouble> {
    let mut at = from;
    loop {
        match memory.load(at, 1)? as u8 {
            found if found == byte => return Ok((true, at)),
            0 => return Ok((false, at)),
            _ => at = at.wrapping_add(1),
        }
    }
}

fn strchr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, byte] = take(args)?;
    let (found, at) = scan(context.memory, text, byte as u8)?;
    address(if found { at } else { 0 })
}

fn strchrnul(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, byte] = take(args)?;
    address(scan(context.memory, text, byte as u8)?.1)
}

fn strrchr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [start, byte] = take(args)?;
    let text = context.memory.text(start)?;
    let last = match byte as u8 {
        0 => Some(text.len()),
        byte => text.iter().rposition(|&other| other == byte),
    };
    address(last.map_or(0, |offset| start + offset as u64))
}

fn search(context: &mut Context<'_>, args: &[u64], fold: fn(u8) -> u8) -> Answer {
    let [start, pattern] = take(args)?;
    let folded = |text: &[u8]| text.iter().map(|&byte| fold(byte)).collect::<Vec<_>>();
    let text = folded(context.memory.text(start)?);
    let pattern = folded(context.memory.text(pattern)?);
    if pattern.is_empty() {
        return address(start);
    }
    let place = text.windows(pattern.len()).position(|window| window == pattern);
    address(place.map_or(0, |offset| start + offset as u64))
}

/// How many bytes from `start` on are (or are not) in `set`; stops at a NUL.
fn spanned(memory: &Memory, start: Address, set: &[u8], inside: bool) -> Result<u64, Trouble> {
    let mut count = 0;
    loop {
        let byte = memory.load(start.wrapping_add(count), 1)? as u8;
        if byte == 0 || set.contains(&byte) != inside {
            return Ok(count);
        }
        count += 1;
    }
}

fn span(context: &mut Context<'_>, args: &[u64], inside: bool) -> Answer {
    let [start, set] = take(args)?;
    let set = context.memory.text(set)?;
    Ok(Outcome::Value(spanned(context.memory, start, set, inside)?))
}

fn strpbrk(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [start, set] = take(args)?;
    let set = context.memory.text(set)?;
    let at = start.wrapping_add(spanned(context.memory, start, set, false)?);
    address(if context.memory.load(at, 1)? == 0 { 0 } else { at })
}

// ----- tokens -----

/// The next token from `start` on, and where the search goes on.
fn token(memory: &mut Memory, start: Address, set: Address) -> Result<(Address, Address), Trouble> {
    let set = memory.text(set)?.to_vec();
    let begin = start.wrapping_add(spanned(memory, start, &set, true)?);
    if memory.load(begin, 1)? == 0 {
        return Ok((0, begin));
    }
    let end = begin + spanned(memory, begin, &set, false)?;
    if memory.load(end, 1)? == 0 {
        return Ok((begin, end));
    }
    memory.store(end, 1, 0)?;
    Ok((begin, end + 1))
}

fn strtok(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, set] = take(args)?;
    let start = if text == 0 { context.state.token } else { text };
    let (found, rest) = token(context.memory, start, set)?;
    context.state.token = rest;
    address(found)
}

fn strtok_r(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, set, place] = take(args)?;
    let start = if text == 0 { context.memory.load(place, 8)? } else { text };
    let (found, rest) = token(context.memory, start, set)?;
    context.memory.store(place, 8, rest)?;
    address(found)
}

fn strsep(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [place, set] = take(args)?;
    let start = context.memory.load(place, 8)?;
    if start == 0 {
        return address(0);
    }
    let set = context.memory.text(set)?.to_vec();
    let end = start + spanned(context.memory, start, &set, false)?;
    let last = context.memory.load(end, 1)? == 0;
    if !last {
        context.memory.store(end, 1, 0)?;
    }
    context.memory.store(place, 8, if last { 0 } else { end + 1 })?;
    address(start)
}
