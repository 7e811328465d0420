//! `scanf`, `fscanf` and `sscanf`.
//!
//! The engine follows glibc's step by step, since programs show where exactly
//! it stops: how many characters it takes, and when it says EOF.

use super::super::memory::{Memory, Trouble};
use super::ctype::is_space;
use super::parse;
use super::scan_number::{self, Limited};
use super::source::{Halt, Reader, Source, Text};
use super::streams::STDIN;
use super::{Context, Function, Outcome, int, take};
use crate::FaultKind;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("scanf", |context, args| from_stream(context, STDIN, take::<1>(args)?[0], &args[1..])),
    ("fscanf", |context, args| {
        let [stream, format] = take(args)?;
        let stream = context.state.streams.find(stream)?;
        from_stream(context, stream, format, &args[2..])
    }),
    ("sscanf", |context, args| {
        let [text, format] = take(args)?;
        from_text(context, text, format, &args[2..])
    }),
    ("vscanf", |context, args| {
        let [format, list] = take(args)?;
        let list = context.variadic(list)?;
        from_stream(context, STDIN, format, &list)
    }),
    ("vfscanf", |context, args| {
        let [stream, format, list] = take(args)?;
        let (stream, list) = (context.state.streams.find(stream)?, context.variadic(list)?);
        from_stream(context, stream, format, &list)
    }),
    ("vsscanf", |context, args| {
        let [text, format, list] = take(args)?;
        let list = context.variadic(list)?;
        from_text(context, text, format, &list)
    }),
];

fn from_stream(context: &mut Context<'_>, stream: usize, format: u64, args: &[u64]) -> Result<Outcome, Trouble> {
    let format = context.memory.text(format)?.to_vec();
    let source = context.state.streams.stream(stream);
    int(scan(context.memory, context.step, source, &format, args)?)
}

fn from_text(context: &mut Context<'_>, text: u64, format: u64, args: &[u64]) -> Result<Outcome, Trouble> {
    let format = context.memory.text(format)?.to_vec();
    let bytes = context.memory.text(text)?.to_vec();
    let mut source = Text::new(&bytes);
    int(scan(context.memory, context.step, &mut source, &format, args)?)
}

/// What stands between `%` and the conversion.
struct Spec {
    width: Option<usize>,
    suppress: bool,
    allocate: bool,
    /// The bytes of an integer.
    size: usize,
    long: bool,
    position: Option<usize>,
}

struct Job<'a> {
    memory: &'a mut Memory,
    step: Option<u32>,
    reader: Reader<'a>,
    format: &'a [u8],
    at: usize,
    start: usize,
    args: &'a [u64],
    next: usize,
    done: i64,
}

/// Scans `source` and returns what `scanf` returns.
fn scan(
    memory: &mut Memory,
    step: Option<u32>,
    source: &mut dyn Source,
    format: &[u8],
    args: &[u64],
) -> Result<i64, Trouble> {
    let reader = Reader::new(source);
    let mut job = Job { memory, step, reader, format, at: 0, start: 0, args, next: 0, done: 0 };
    match job.run() {
        Err(Halt::Trouble(trouble)) => Err(trouble),
        Err(Halt::End) if job.done == 0 => Ok(-1),
        _ => Ok(job.done),
    }
}

impl Job<'_> {
    fn run(&mut self) -> Result<(), Halt> {
        while let Some(&byte) = self.format.get(self.at) {
            self.start = self.at;
            self.at += 1;
            match byte {
                b'%' => self.directive()?,
                byte if is_space(byte) => self.skip_space(),
                byte => self.literal(byte)?,
            }
        }
        Ok(())
    }

    fn skip_space(&mut self) {
        loop {
            let byte = self.reader.next();
            if !byte.is_some_and(is_space) {
                return self.reader.back(byte);
            }
        }
    }

    fn literal(&mut self, expected: u8) -> Result<(), Halt> {
        match self.reader.next() {
            None => Err(Halt::End),
            Some(byte) if byte == expected => Ok(()),
            byte => {
                self.reader.back(byte);
                Err(Halt::Mismatch)
            }
        }
    }

    fn directive(&mut self) -> Result<(), Halt> {
        let spec = self.spec();
        let Some(&conversion) = self.format.get(self.at) else { return Err(Halt::Mismatch) };
        self.at += 1;
        if !matches!(conversion, b'c' | b'C' | b'[' | b'n') {
            self.skip_space();
        }
        match conversion {
            b'%' => self.literal(b'%'),
            b'd' => self.integer(&spec, 10, true),
            b'i' => self.integer(&spec, 0, true),
            b'u' => self.integer(&spec, 10, false),
            b'o' => self.integer(&spec, 8, false),
            b'x' | b'X' => self.integer(&spec, 16, false),
            b'p' => self.integer(&Spec { size: 8, ..spec }, 16, false),
            b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => self.floating(&spec),
            b'c' => self.characters(&spec),
            b's' => {
                let word = self.many(spec.width, |byte| !is_space(byte))?;
                self.deliver(&spec, word, true)
            }
            b'[' => self.set(&spec),
            b'n' if spec.suppress => Ok(()),
            b'n' => {
                let place = self.argument(&spec)?;
                Ok(self.memory.store(place, spec.size, self.reader.count())?)
            }
            _ => Err(Halt::Mismatch),
        }
    }

    // ----- reading a directive -----

    fn spec(&mut self) -> Spec {
        let position = self.position();
        let mut spec = Spec { width: None, suppress: false, allocate: false, size: 4, long: false, position };
        while let Some(flag @ (b'*' | b'\'' | b'I')) = self.format.get(self.at) {
            spec.suppress |= *flag == b'*';
            self.at += 1;
        }
        spec.width = Some(self.number()).filter(|&width| width > 0);
        while let Some(&byte) = self.format.get(self.at) {
            match byte {
                b'h' if spec.size == 2 => spec.size = 1,
                b'h' => spec.size = 2,
                b'l' | b'q' | b'z' | b't' | b'j' => spec.size = 8,
                b'L' => (spec.size, spec.long) = (8, true),
                b'm' => spec.allocate = true,
                _ => break,
            }
            self.at += 1;
        }
        spec
    }

    fn number(&mut self) -> usize {
        let mut number = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.format.get(self.at) {
            number = number.saturating_mul(10).saturating_add((digit - b'0').into());
            self.at += 1;
        }
        number
    }

    /// The number before `$`, if there is one.
    fn position(&mut self) -> Option<usize> {
        let before = self.at;
        let number = self.number();
        if self.format.get(self.at) == Some(&b'$') {
            self.at += 1;
            return number.checked_sub(1);
        }
        self.at = before;
        None
    }

    fn argument(&mut self, spec: &Spec) -> Result<u64, Trouble> {
        let index = spec.position.unwrap_or(self.next);
        self.next += usize::from(spec.position.is_none());
        self.args.get(index).copied().ok_or_else(|| {
            let directive = String::from_utf8_lossy(&self.format[self.start..self.at]);
            Trouble::new(FaultKind::Uninitialised, format!("has a {directive} with no argument for it"))
        })
    }

    // ----- conversions -----

    fn integer(&mut self, spec: &Spec, base: u32, signed: bool) -> Result<(), Halt> {
        let pointer = self.format[self.at - 1] == b'p';
        let mut input = Limited::new(&mut self.reader, spec.width);
        let (text, base) = scan_number::integer(&mut input, base, pointer)?;
        let found = parse::integer(&text, base);
        if found.length == 0 {
            return Err(Halt::Mismatch);
        }
        if spec.suppress {
            return Ok(());
        }
        let value = if signed { found.signed().0 as u64 } else { found.unsigned().0 };
        let place = self.argument(spec)?;
        self.memory.store(place, spec.size, value)?;
        self.done += 1;
        Ok(())
    }

    fn floating(&mut self, spec: &Spec) -> Result<(), Halt> {
        let text = scan_number::floating(&mut Limited::new(&mut self.reader, spec.width))?;
        let found = parse::floating(&text);
        if found.length == 0 {
            return Err(Halt::Mismatch);
        }
        if spec.suppress {
            return Ok(());
        }
        let place = self.argument(spec)?;
        match (spec.long, spec.size) {
            (true, _) => self.memory.write(place, &::memory::encode_x87(found.value))?,
            (_, 8) => self.memory.store(place, 8, found.value.to_bits())?,
            _ => self.memory.store(place, 4, found.single.to_bits().into())?,
        }
        self.done += 1;
        Ok(())
    }

    /// `%c`
    fn characters(&mut self, spec: &Spec) -> Result<(), Halt> {
        let text = self.many(Some(spec.width.unwrap_or(1)), |_| true)?;
        self.deliver(spec, text, false)
    }

    /// Characters that fit, up to a width. The end is no mistake after the first.
    fn many(&mut self, width: Option<usize>, fits: impl Fn(u8) -> bool) -> Result<Vec<u8>, Halt> {
        let mut text = Vec::new();
        while width.is_none_or(|width| text.len() < width) {
            match self.reader.next() {
                Some(byte) if fits(byte) => text.push(byte),
                None if text.is_empty() => return Err(Halt::End),
                byte => {
                    self.reader.back(byte);
                    break;
                }
            }
        }
        Ok(text)
    }

    /// Stores text, or a block with it.
    fn deliver(&mut self, spec: &Spec, mut text: Vec<u8>, end: bool) -> Result<(), Halt> {
        if spec.suppress {
            return Ok(());
        }
        if end {
            text.push(0);
        }
        let mut place = self.argument(spec)?;
        if spec.allocate {
            let block = self.memory.allocate(text.len() as u64, self.step).ok_or(Halt::End)?;
            self.memory.store(place, 8, block)?;
            place = block;
        }
        self.memory.write(place, &text)?;
        self.done += 1;
        Ok(())
    }

    /// `%[…]`
    fn set(&mut self, spec: &Spec) -> Result<(), Halt> {
        let Some((inside, members)) = self.members() else { return Err(Halt::Mismatch) };
        let text = self.many(spec.width, |byte| members[usize::from(byte)] == inside)?;
        if text.is_empty() {
            return Err(Halt::Mismatch);
        }
        self.deliver(spec, text, true)
    }

    /// The characters between the brackets, and whether they are the ones to take.
    fn members(&mut self) -> Option<(bool, [bool; 256])> {
        let inside = self.format.get(self.at) != Some(&b'^');
        self.at += usize::from(!inside);
        let rest = &self.format[self.at..];
        // A bracket right at the start belongs to the set.
        let end = rest.iter().skip(1).position(|&byte| byte == b']')? + 1;
        self.at += end + 1;
        let mut members = [false; 256];
        let mut at = 0;
        while at < end {
            let range = at + 2 < end && rest[at + 1] == b'-' && rest[at] <= rest[at + 2];
            let last = if range { rest[at + 2] } else { rest[at] };
            members[usize::from(rest[at])..=usize::from(last)].fill(true);
            at += if range { 3 } else { 1 };
        }
        Some((inside, members))
    }
}
