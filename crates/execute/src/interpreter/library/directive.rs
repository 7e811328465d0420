//! Reading a directive of a `printf` format: flags, width, precision, size.

use super::super::memory::Trouble;
use crate::FaultKind;

/// A longer field is surely a mistake, and would fill our own memory.
const LONGEST_FIELD: usize = 1 << 26;

/// The part of a directive between `%` and the conversion.
#[derive(Clone, Debug, Default)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub group: bool,
    pub width: usize,
    pub precision: Option<usize>,
    /// The bytes of an integer argument.
    pub size: usize,
    /// `L`, for floating arguments.
    pub long: bool,
    /// The argument's number in `%2$d`.
    pub position: Option<usize>,
}

impl Spec {
    /// What stands before a number.
    pub fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

/// A format and its arguments, read up to some place.
pub(super) struct Reader<'a> {
    format: &'a [u8],
    at: usize,
    /// Where the current directive starts.
    start: usize,
    args: &'a [u64],
    next: usize,
}

impl<'a> Reader<'a> {
    /// At the start of a format.
    pub fn new(format: &'a [u8], args: &'a [u64]) -> Self {
        Reader { format, at: 0, start: 0, args, next: 0 }
    }

    /// The text up to the next directive, whose `%` is skipped; `None` if there is none.
    pub fn plain(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| byte == b'%')?;
        self.start = self.at + length;
        self.at = self.start + 1;
        Some(&rest[..length])
    }

    /// The text that is left.
    pub fn rest(&self) -> &'a [u8] {
        &self.format[self.at..]
    }

    /// The conversion after its specification.
    pub fn conversion(&mut self) -> Option<u8> {
        let conversion = self.peek()?;
        self.at += 1;
        Some(conversion)
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    /// What stands between `%` and the conversion.
    pub fn spec(&mut self) -> Result<Spec, Trouble> {
        let mut spec = Spec { size: 4, position: self.position()?, ..Spec::default() };
        self.flags(&mut spec);
        if let Some(width) = self.field()? {
            spec.left |= width < 0;
            spec.width = self.check(width.unsigned_abs())?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            let precision = self.field()?.unwrap_or(0);
            spec.precision = u64::try_from(precision).ok().map(|digits| self.check(digits)).transpose()?;
        }
        self.size(&mut spec);
        Ok(spec)
    }

    /// The number before `$`, if there is one.
    fn position(&mut self) -> Result<Option<usize>, Trouble> {
        let before = self.at;
        let number = self.number();
        if number > 0 && self.peek() == Some(b'$') {
            self.at += 1;
            return Ok(Some(number as usize - 1));
        }
        self.at = before;
        Ok(None)
    }

    fn flags(&mut self, spec: &mut Spec) {
        while let Some(byte) = self.peek() {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => spec.group = true,
                b'I' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    /// A width or a precision: digits, or `*` and an argument.
    fn field(&mut self) -> Result<Option<i64>, Trouble> {
        if self.peek() == Some(b'*') {
            self.at += 1;
            let position = self.position()?;
            return Ok(Some(i64::from(self.argument(position)? as i32)));
        }
        match self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            true => Ok(Some(self.number() as i64)),
            false => Ok(None),
        }
    }

    fn number(&mut self) -> u32 {
        let mut number: u32 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    fn check(&self, field: u64) -> Result<usize, Trouble> {
        if field <= LONGEST_FIELD as u64 {
            return Ok(field as usize);
        }
        let message = format!("asks for a field of {field} characters");
        Err(Trouble::new(FaultKind::Unsupported, message))
    }

    fn size(&mut self, spec: &mut Spec) {
        while let Some(byte) = self.peek() {
            match byte {
                b'h' if spec.size == 2 => spec.size = 1,
                b'h' => spec.size = 2,
                b'l' | b'q' | b'z' | b'Z' | b't' | b'j' => spec.size = 8,
                b'L' => (spec.size, spec.long) = (8, true),
                _ => return,
            }
            self.at += 1;
        }
    }

    /// The argument with this number, or the next one.
    pub fn argument(&mut self, position: Option<usize>) -> Result<u64, Trouble> {
        let index = position.unwrap_or(self.next);
        if position.is_none() {
            self.next += 1;
        }
        let directive = &self.format[self.start..self.at.min(self.format.len())];
        self.args.get(index).copied().ok_or_else(|| {
            let directive = String::from_utf8_lossy(directive);
            Trouble::new(FaultKind::Uninitialised, format!("has a {directive} with no argument for it"))
        })
    }
}
