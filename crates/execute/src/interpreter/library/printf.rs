//! The format engine behind `printf` and its relatives.
//!
//! It turns a format and the registers of the arguments into bytes, exactly as
//! glibc does in the "C" locale, with glibc's answers to what the standard
//! leaves open: `(null)`, `(nil)`, and unknown directives printed as they are.

use super::super::memory::{Address, Memory, Trouble};
use super::directive::{Reader, Spec};
use super::{bounded, floats};

/// What a format gives.
pub(super) struct Formatted {
    /// The characters.
    pub text: Vec<u8>,
    /// The format broke off, so that the call returns -1.
    pub failed: bool,
}

/// Formats `args` by the format at the address `format`; `error` is what `%m` prints.
pub(super) fn format(
    memory: &mut Memory,
    format: Address,
    args: &[u64],
    error: &dyn Fn() -> String,
) -> Result<Formatted, Trouble> {
    let text = memory.text(format)?.to_vec();
    let mut job = Job { memory, reader: Reader::new(&text, args), out: Vec::new(), error };
    while let Some(plain) = job.reader.plain() {
        job.out.extend_from_slice(plain);
        if !job.directive()? {
            return Ok(Formatted { text: job.out, failed: true });
        }
    }
    job.out.extend_from_slice(job.reader.rest());
    Ok(Formatted { text: job.out, failed: false })
}

struct Job<'a> {
    memory: &'a mut Memory,
    reader: Reader<'a>,
    out: Vec<u8>,
    error: &'a dyn Fn() -> String,
}

impl Job<'_> {
    /// One directive; false if the format ends inside it.
    fn directive(&mut self) -> Result<bool, Trouble> {
        let spec = self.reader.spec()?;
        let Some(conversion) = self.reader.conversion() else { return Ok(false) };
        match conversion {
            b'%' => self.out.push(b'%'),
            b'd' | b'i' => self.signed(&spec)?,
            b'u' | b'x' | b'X' | b'o' | b'b' | b'B' => self.unsigned(&spec, conversion)?,
            b'c' if spec.size == 8 => return self.wide_character(&spec),
            b'c' => {
                let byte = self.reader.argument(spec.position)? as u8;
                self.pad(&spec, &[byte]);
            }
            b'C' => return self.wide_character(&spec),
            b's' if spec.size == 8 => return self.wide_string(&spec),
            b'S' => return self.wide_string(&spec),
            b's' => self.string(&spec)?,
            b'p' => self.pointer(&spec)?,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.floating(&spec, conversion)?,
            b'n' => self.count(&spec)?,
            b'm' => {
                let text = (self.error)();
                self.padded_text(&spec, text.as_bytes());
            }
            _ => self.unknown(&spec, conversion),
        }
        Ok(true)
    }

    // ----- conversions -----

    fn signed(&mut self, spec: &Spec) -> Result<(), Trouble> {
        let value = self.reader.argument(spec.position)?;
        let value = match spec.size {
            1 => i64::from(value as i8),
            2 => i64::from(value as i16),
            4 => i64::from(value as i32),
            _ => value as i64,
        };
        let digits = self.digits(spec, value.unsigned_abs(), b'u');
        self.integer(spec, spec.sign(value < 0), "", &digits);
        Ok(())
    }

    fn unsigned(&mut self, spec: &Spec, conversion: u8) -> Result<(), Trouble> {
        let value = self.reader.argument(spec.position)?;
        let value = match spec.size {
            1 => u64::from(value as u8),
            2 => u64::from(value as u16),
            4 => u64::from(value as u32),
            _ => value,
        };
        let mut digits = self.digits(spec, value, conversion);
        if conversion == b'o' && spec.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let prefix = match conversion {
            b'x' if spec.alternate && value != 0 => "0x",
            b'X' if spec.alternate && value != 0 => "0X",
            b'b' if spec.alternate && value != 0 => "0b",
            b'B' if spec.alternate && value != 0 => "0B",
            _ => "",
        };
        self.integer(spec, "", prefix, &digits);
        Ok(())
    }

    fn digits(&self, spec: &Spec, value: u64, conversion: u8) -> String {
        let digits = match conversion {
            _ if value == 0 && spec.precision == Some(0) => String::new(),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'o' => format!("{value:o}"),
            b'b' | b'B' => format!("{value:b}"),
            _ => value.to_string(),
        };
        let missing = spec.precision.unwrap_or(0).saturating_sub(digits.len());
        if missing == 0 { digits } else { "0".repeat(missing) + &digits }
    }

    fn pointer(&mut self, spec: &Spec) -> Result<(), Trouble> {
        let value = self.reader.argument(spec.position)?;
        if value == 0 {
            self.pad(spec, b"(nil)");
            return Ok(());
        }
        let digits = self.digits(spec, value, b'x');
        self.integer(spec, spec.sign(false), "0x", &digits);
        Ok(())
    }

    fn floating(&mut self, spec: &Spec, conversion: u8) -> Result<(), Trouble> {
        let value = f64::from_bits(self.reader.argument(spec.position)?);
        let (prefix, digits) = floats::digits(value.abs(), spec, conversion);
        let zero = spec.zero && value.is_finite();
        self.number_field(spec, spec.sign(value.is_sign_negative()), prefix, &digits, zero);
        Ok(())
    }

    fn string(&mut self, spec: &Spec) -> Result<(), Trouble> {
        let address = self.reader.argument(spec.position)?;
        let text = match (address, spec.precision) {
            (0, None | Some(6..)) => b"(null)".to_vec(),
            (0, _) => Vec::new(),
            (_, None) => self.memory.text(address)?.to_vec(),
            (_, Some(most)) => bounded(self.memory, address, most)?,
        };
        self.pad(spec, &text);
        Ok(())
    }

    /// A wide character; outside ASCII it has no bytes in the "C" locale.
    fn wide_character(&mut self, spec: &Spec) -> Result<bool, Trouble> {
        let value = self.reader.argument(spec.position)? as u32;
        let byte = u8::try_from(value).ok().filter(u8::is_ascii);
        if let Some(byte) = byte {
            self.pad(spec, &[byte]);
        }
        Ok(byte.is_some())
    }

    fn wide_string(&mut self, spec: &Spec) -> Result<bool, Trouble> {
        let address = self.reader.argument(spec.position)?;
        if address == 0 {
            self.pad(spec, b"(null)");
            return Ok(true);
        }
        let mut text = Vec::new();
        while spec.precision.is_none_or(|most| text.len() < most) {
            match self.memory.load(address.wrapping_add(4 * text.len() as u64), 4)? {
                0 => break,
                character @ 1..=127 => text.push(character as u8),
                _ => return Ok(false),
            }
        }
        self.pad(spec, &text);
        Ok(true)
    }

    /// `%n`
    fn count(&mut self, spec: &Spec) -> Result<(), Trouble> {
        let address = self.reader.argument(spec.position)?;
        self.memory.store(address, spec.size, self.out.len() as u64)
    }

    /// glibc prints a directive that it does not know, in a tidied form.
    fn unknown(&mut self, spec: &Spec, conversion: u8) {
        self.out.push(b'%');
        let left = spec.left;
        let flags = [
            (spec.alternate, b'#'),
            (spec.group, b'\''),
            (spec.plus, b'+'),
            (spec.space && !spec.plus, b' '),
            (left, b'-'),
            (spec.zero && !left, b'0'),
        ];
        self.out.extend(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag));
        if spec.width != 0 {
            self.out.extend_from_slice(spec.width.to_string().as_bytes());
        }
        if let Some(precision) = spec.precision {
            self.out.extend_from_slice(format!(".{precision}").as_bytes());
        }
        self.out.push(conversion);
    }

    // ----- fields -----

    fn integer(&mut self, spec: &Spec, sign: &str, prefix: &str, digits: &str) {
        self.number_field(spec, sign, prefix, digits, spec.zero && spec.precision.is_none());
    }

    fn number_field(&mut self, spec: &Spec, sign: &str, prefix: &str, digits: &str, zero: bool) {
        let fill = spec.width.saturating_sub(sign.len() + prefix.len() + digits.len());
        let (before, zeros, after) = match (spec.left, zero) {
            (true, _) => (0, 0, fill),
            (_, true) => (0, fill, 0),
            _ => (fill, 0, 0),
        };
        self.fill(b' ', before);
        self.out.extend_from_slice(sign.as_bytes());
        self.out.extend_from_slice(prefix.as_bytes());
        self.fill(b'0', zeros);
        self.out.extend_from_slice(digits.as_bytes());
        self.fill(b' ', after);
    }

    fn padded_text(&mut self, spec: &Spec, text: &[u8]) {
        let most = spec.precision.unwrap_or(text.len()).min(text.len());
        self.pad(spec, &text[..most]);
    }

    fn pad(&mut self, spec: &Spec, text: &[u8]) {
        let fill = spec.width.saturating_sub(text.len());
        self.fill(b' ', if spec.left { 0 } else { fill });
        self.out.extend_from_slice(text);
        self.fill(b' ', if spec.left { fill } else { 0 });
    }

    fn fill(&mut self, byte: u8, count: usize) {
        self.out.resize(self.out.len() + count, byte);
    }
}
