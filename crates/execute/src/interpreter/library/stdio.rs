//! `stdio.h`: reading, and files.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::super::memory::{Address, Kind, Trouble};
use super::errors::{self, EBADF, EINVAL, EIO, ENOENT, ENOMEM, ESPIPE};
use super::files::{Document, Mode};
use super::streams::STDIN;
use super::{Context, Function, Outcome, address, int, take};

type Answer = Result<Outcome, Trouble>;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("getchar", |context, _| int(byte(context.state.streams.stream(STDIN).next()))),
    ("getchar_unlocked", |context, _| int(byte(context.state.streams.stream(STDIN).next()))),
    ("getc", getc),
    ("fgetc", getc),
    ("_IO_getc", getc),
    ("getc_unlocked", getc),
    ("ungetc", ungetc),
    ("fgets", fgets),
    ("gets", gets),
    ("getline", |context, args| getline(context, take(args)?, b'\n')),
    ("getdelim", |context, args| {
        let [place, size, stop, stream] = take(args)?;
        getline(context, [place, size, stream], stop as u8)
    }),
    ("fread", fread),
    ("fflush", fflush),
    ("setvbuf", |_, _| int(0)),
    ("setbuf", |_, _| int(0)),
    ("setlinebuf", |_, _| int(0)),
    ("setbuffer", |_, _| int(0)),
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", freopen),
    ("fclose", fclose),
    ("feof", |context, args| flag(context, args, |ended, _| ended)),
    ("ferror", |context, args| flag(context, args, |_, failed| failed)),
    ("clearerr", clearerr),
    ("fileno", |context, args| int(context.state.streams.find(take::<1>(args)?[0])? as i64)),
    ("rewind", rewind),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("ftell", ftell),
    ("ftello", ftell),
];

/// A byte, or EOF.
fn byte(byte: Option<u8>) -> i64 {
    byte.map_or(-1, i64::from)
}

// ----- reading -----

fn getc(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    int(byte(context.state.streams.stream(number).next()))
}

fn ungetc(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [character, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    if character as i32 == -1 {
        return int(-1);
    }
    context.state.streams.stream(number).push_back(character as u8);
    int((character as u8).into())
}

/// Bytes up to `stop` and with it, at most `most`.
fn line(context: &mut Context<'_>, number: usize, stop: u8, most: usize) -> Vec<u8> {
    let stream = context.state.streams.stream(number);
    let mut line = Vec::new();
    while line.len() < most && line.last() != Some(&stop) {
        match stream.next() {
            Some(byte) => line.push(byte),
            None => break,
        }
    }
    line
}

fn fgets(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, size, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let size = size as i32;
    if size <= 0 {
        return address(0);
    }
    let mut text = line(context, number, b'\n', size as usize - 1);
    if text.is_empty() && size > 1 {
        return address(0);
    }
    text.push(0);
    context.memory.write(to, &text)?;
    address(to)
}

fn gets(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to] = take(args)?;
    let mut text = line(context, STDIN, b'\n', usize::MAX);
    if text.is_empty() {
        return address(0);
    }
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    text.push(0);
    context.memory.write(to, &text)?;
    address(to)
}

fn getline(context: &mut Context<'_>, [place, size, stream]: [u64; 3], stop: u8) -> Answer {
    let number = context.state.streams.find(stream)?;
    let mut text = line(context, number, stop, usize::MAX);
    if text.is_empty() {
        return Ok(Outcome::Value(u64::MAX));
    }
    text.push(0);
    let mut buffer = context.memory.load(place, 8)?;
    let room = if buffer == 0 { 0 } else { context.memory.load(size, 8)? };
    if (room as usize) < text.len() {
        let larger = (text.len() as u64).max(room.saturating_mul(2)).max(120);
        buffer = grown(context, buffer, larger)?;
        context.memory.store(place, 8, buffer)?;
        context.memory.store(size, 8, larger)?;
    }
    if buffer == 0 {
        return Ok(Outcome::Value(u64::MAX));
    }
    context.memory.write(buffer, &text)?;
    Ok(Outcome::Value(text.len() as u64 - 1))
}

/// A block of another size instead of `old`, whose contents are not needed.
fn grown(context: &mut Context<'_>, old: Address, size: u64) -> Result<Address, Trouble> {
    if old != 0 {
        context.memory.free(old)?;
    }
    Ok(context.memory.allocate(size, context.step).unwrap_or(0))
}

fn fread(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [to, size, count, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let total = size.saturating_mul(count);
    if total == 0 {
        return int(0);
    }
    // One byte more than there is room for is enough to notice.
    let room = context.memory.resolve(to).map_or(0, |_| context.memory.size_of(to));
    let most = total.min(room + 1) as usize;
    let stream = context.state.streams.stream(number);
    let bytes: Vec<u8> = std::iter::from_fn(|| stream.next()).take(most).collect();
    if !bytes.is_empty() {
        context.memory.write(to, &bytes)?;
    }
    Ok(Outcome::Value(bytes.len() as u64 / size))
}

// ----- files -----

fn fflush(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let done = match stream {
        0 => context.state.streams.flush_all(),
        _ => {
            let number = context.state.streams.find(stream)?;
            context.state.streams.flush(number)
        }
    };
    int(if done { 0 } else { -1 })
}

/// Opens what `path` and `mode` say; sets `errno` if that fails.
fn open(context: &mut Context<'_>, path: Address, mode: Address) -> Result<Option<Document>, Trouble> {
    let path = context.memory.text(path)?.to_vec();
    let Some(mode) = Mode::parse(context.memory.text(mode)?) else {
        context.set_errno(EINVAL);
        return Ok(None);
    };
    match Document::open(OsString::from_vec(path).into(), mode) {
        Ok(document) => Ok(Some(document)),
        Err(error) => {
            context.set_errno(error.raw_os_error().unwrap_or(ENOENT));
            Ok(None)
        }
    }
}

fn fopen(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [path, mode] = take(args)?;
    let Some(document) = open(context, path, mode)? else { return address(0) };
    let Some(file) = context.memory.create(0, Kind::Outside) else {
        context.set_errno(ENOMEM);
        return address(0);
    };
    context.state.streams.add(file, document);
    address(file)
}

fn freopen(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [path, mode, stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    context.state.streams.flush(number);
    if path == 0 {
        return address(stream);
    }
    match open(context, path, mode)? {
        Some(document) => context.state.streams.stream(number).reopen(document),
        None => {
            context.state.streams.close(number);
            return address(0);
        }
    }
    address(stream)
}

fn fclose(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let done = context.state.streams.close(number);
    if !done {
        context.set_errno(EIO);
    }
    int(if done { 0 } else { -1 })
}

fn flag(context: &mut Context<'_>, args: &[u64], which: fn(bool, bool) -> bool) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let stream = context.state.streams.stream(number);
    int(which(stream.ended, stream.failed).into())
}

fn clearerr(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let stream = context.state.streams.stream(number);
    (stream.ended, stream.failed) = (false, false);
    int(0)
}

fn rewind(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let stream = context.state.streams.stream(number);
    stream.seek(0, 0);
    (stream.ended, stream.failed) = (false, false);
    int(0)
}

fn fseek(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream, offset, whence] = take(args)?;
    let number = context.state.streams.find(stream)?;
    if context.state.streams.stream(number).seek(offset as i64, whence) {
        return int(0);
    }
    let seekable = context.state.streams.stream(number).tell().is_some();
    context.set_errno(if seekable { errors::EINVAL } else { ESPIPE });
    int(-1)
}

fn ftell(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [stream] = take(args)?;
    let number = context.state.streams.find(stream)?;
    let place = context.state.streams.stream(number).tell();
    if place.is_none() {
        context.set_errno(if number > STDIN { EBADF } else { ESPIPE });
    }
    Ok(Outcome::Value(place.unwrap_or(u64::MAX)))
}
