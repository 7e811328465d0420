//! `stdio.h`: writing, formatted or not.

use super::super::memory::{Address, Trouble};
use super::errors;
use super::printf::{self, Formatted};
use super::streams::STDOUT;
use super::{Context, Function, Outcome, argument, int, length, take};

type Answer = Result<Outcome, Trouble>;

/// The functions of this file. The fortified ones have a flag, and sizes that are not needed here.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("printf", |context, args| print(context, STDOUT, argument(args, 0)?, &args[1..])),
    ("fprintf", |context, args| fprint(context, args, 1)),
    ("dprintf", dprintf),
    ("sprintf", |context, args| sprint(context, take::<2>(args)?, &args[2..])),
    ("snprintf", |context, args| snprint(context, take::<3>(args)?, &args[3..])),
    ("asprintf", |context, args| asprint(context, take::<2>(args)?, &args[2..])),
    ("vprintf", |context, args| {
        let [format, list] = take(args)?;
        let list = context.variadic(list)?;
        print(context, STDOUT, format, &list)
    }),
    ("vfprintf", |context, args| {
        let [stream, format, list] = take(args)?;
        let (stream, list) = (context.state.streams.find(stream)?, context.variadic(list)?);
        print(context, stream, format, &list)
    }),
    ("vsprintf", |context, args| {
        let [to, format, list] = take(args)?;
        let list = context.variadic(list)?;
        sprint(context, [to, format], &list)
    }),
    ("vsnprintf", |context, args| {
        let [to, size, format, list] = take(args)?;
        let list = context.variadic(list)?;
        snprint(context, [to, size, format], &list)
    }),
    ("vasprintf", |context, args| {
        let [place, format, list] = take(args)?;
        let list = context.variadic(list)?;
        asprint(context, [place, format], &list)
    }),
    ("__printf_chk", |context, args| print(context, STDOUT, take::<2>(args)?[1], &args[2..])),
    ("__fprintf_chk", |context, args| fprint(context, args, 2)),
    ("__sprintf_chk", |context, args| {
        let [to, _, _, format] = take(args)?;
        sprint(context, [to, format], &args[4..])
    }),
    ("__snprintf_chk", |context, args| {
        let [to, size, _, _, format] = take(args)?;
        snprint(context, [to, size, format], &args[5..])
    }),
    ("puts", puts),
    ("putchar", |context, args| put_byte(context, STDOUT, take::<1>(args)?[0])),
    ("putchar_unlocked", |context, args| put_byte(context, STDOUT, take::<1>(args)?[0])),
    ("putc", putc),
    ("fputc", putc),
    ("_IO_putc", putc),
    ("putc_unlocked", putc),
    ("fputs", fputs),
    ("fwrite", fwrite),
];

fn text(context: &mut Context<'_>, format: Address, args: &[u64]) -> Result<Formatted, Trouble> {
    let code = context.errno();
    printf::format(context.memory, format, args, &|| errors::text(code))
}

fn count(text: &Formatted) -> Answer {
    int(if text.failed { -1 } else { text.text.len() as i64 })
}

fn print(context: &mut Context<'_>, stream: usize, format: Address, args: &[u64]) -> Answer {
    let text = text(context, format, args)?;
    if !context.state.streams.write(stream, &text.text) {
        return int(-1);
    }
    count(&text)
}

/// The stream is the first argument, the format has number `format`.
fn fprint(context: &mut Context<'_>, args: &[u64], format: usize) -> Answer {
    let stream = context.state.streams.find(argument(args, 0)?)?;
    print(context, stream, argument(args, format)?, &args[format + 1..])
}

/// Only the descriptors of the standard streams exist.
fn dprintf(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [descriptor, format] = take(args)?;
    match descriptor {
        1 | 2 => print(context, descriptor as usize, format, &args[2..]),
        _ => {
            context.set_errno(errors::EBADF);
            int(-1)
        }
    }
}

fn sprint(context: &mut Context<'_>, [to, format]: [u64; 2], args: &[u64]) -> Answer {
    let mut result = text(context, format, args)?;
    result.text.push(0);
    context.memory.write(to, &result.text)?;
    result.text.pop();
    count(&result)
}

fn snprint(context: &mut Context<'_>, [to, size, format]: [u64; 3], args: &[u64]) -> Answer {
    let result = text(context, format, args)?;
    if size > 0 {
        let most = result.text.len().min(length(size) - 1);
        let mut shown = result.text[..most].to_vec();
        shown.push(0);
        context.memory.write(to, &shown)?;
    }
    count(&result)
}

fn asprint(context: &mut Context<'_>, [place, format]: [u64; 2], args: &[u64]) -> Answer {
    let result = text(context, format, args)?;
    let Outcome::Value(block @ 1..) = context.new_text(result.text.clone())? else { return int(-1) };
    context.memory.store(place, 8, block)?;
    count(&result)
}

fn puts(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text] = take(args)?;
    let mut line = context.memory.text(text)?.to_vec();
    line.push(b'\n');
    let done = context.state.streams.write(STDOUT, &line);
    int(if done { line.len() as i64 } else { -1 })
}

fn put_byte(context: &mut Context<'_>, stream: usize, byte: u64) -> Answer {
    let done = context.state.streams.write(stream, &[byte as u8]);
    int(if done { (byte as u8).into() } else { -1 })
}

fn putc(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [byte, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    put_byte(context, number, byte)
}

fn fputs(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [text, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let text = context.memory.text(text)?;
    let done = context.state.streams.write(number, text);
    int(if done { 1 } else { -1 })
}

/// Bytes that were never written, such as padding, go out as they are.
fn fwrite(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [from, size, count, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let total = size.saturating_mul(count);
    if total == 0 {
        return int(0);
    }
    let (bytes, _) = context.memory.raw(from, length(total))?;
    let done = context.state.streams.write(number, bytes);
    Ok(Outcome::Value(if done { count } else { 0 }))
}
