//! Which characters `scanf` takes for a number.
//!
//! The rules are glibc's own: with only one character to give back, it takes
//! some that `strtod` would leave, such as the `e` of `1e`.

use super::source::{Halt, Reader};

/// A reader with as many characters left as the width allows.
pub(super) struct Limited<'a, 'b> {
    reader: &'a mut Reader<'b>,
    left: usize,
}

impl<'a, 'b> Limited<'a, 'b> {
    /// Without a width there is no limit.
    pub fn new(reader: &'a mut Reader<'b>, width: Option<usize>) -> Self {
        Limited { reader, left: width.unwrap_or(usize::MAX) }
    }

    fn next(&mut self) -> Option<u8> {
        if self.left == 0 {
            return None;
        }
        let byte = self.reader.next();
        self.left -= usize::from(byte.is_some());
        byte
    }

    /// The next character if it is `accepted`, otherwise it stays.
    fn take(&mut self, accepted: impl Fn(u8) -> bool) -> Option<u8> {
        let byte = self.next()?;
        if accepted(byte) {
            return Some(byte);
        }
        self.back(byte);
        None
    }

    fn back(&mut self, byte: u8) {
        self.reader.back(Some(byte));
        self.left = self.left.saturating_add(1);
    }

    /// The next character, which must be there and be this letter.
    fn expect(&mut self, letter: u8) -> Result<u8, Halt> {
        self.next().filter(|byte| byte.eq_ignore_ascii_case(&letter)).ok_or(Halt::Mismatch)
    }
}

/// The text of an integer without its `0x`, and its base.
pub(super) fn integer(input: &mut Limited<'_, '_>, base: u32, pointer: bool) -> Result<(Vec<u8>, u32), Halt> {
    let first = input.next().ok_or(Halt::End)?;
    input.back(first);
    let mut text: Vec<u8> = input.take(|byte| matches!(byte, b'+' | b'-')).into_iter().collect();
    let signs = text.len();
    let mut base = base;
    if let Some(zero) = input.take(|byte| byte == b'0') {
        text.push(zero);
        let marked = matches!(base, 0 | 16) && input.take(|byte| matches!(byte, b'x' | b'X')).is_some();
        base = match base {
            0 => {
                if marked {
                    16
                } else {
                    8
                }
            }
            base => base,
        };
    }
    let base = if base == 0 { 10 } else { base };
    while let Some(digit) = input.take(|byte| char::from(byte).is_digit(base)) {
        text.push(digit);
    }
    if text.is_empty() && pointer && input.left >= 5 && input.take(|byte| byte == b'(').is_some() {
        for letter in *b"nil)" {
            input.expect(letter)?;
        }
        text.push(b'0');
    }
    if text.len() == signs { Err(Halt::Mismatch) } else { Ok((text, base)) }
}

/// The text of a floating number.
pub(super) fn floating(input: &mut Limited<'_, '_>) -> Result<Vec<u8>, Halt> {
    let mut byte = input.next().ok_or(Halt::End)?;
    let mut text = Vec::new();
    if matches!(byte, b'+' | b'-') {
        text.push(byte);
        byte = input.next().ok_or(Halt::Mismatch)?;
    }
    let signs = text.len();
    match byte.to_ascii_lowercase() {
        b'n' => word(input, &mut text, b"nan")?,
        b'i' => {
            word(input, &mut text, b"inf")?;
            if input.take(|byte| matches!(byte, b'i' | b'I')).is_some() {
                word(input, &mut text, b"inity")?;
            }
        }
        _ => {
            input.back(byte);
            let hexadecimal = digits(input, &mut text);
            if text.len() == signs || hexadecimal && text.len() == 2 + signs {
                return Err(Halt::Mismatch);
            }
        }
    }
    Ok(text)
}

/// The rest of a word whose first letter was read already.
fn word(input: &mut Limited<'_, '_>, text: &mut Vec<u8>, letters: &[u8]) -> Result<(), Halt> {
    text.push(letters[0]);
    for &letter in &letters[1..] {
        text.push(input.expect(letter)?);
    }
    Ok(())
}

/// Digits, a point and an exponent; returns whether they are hexadecimal.
fn digits(input: &mut Limited<'_, '_>, text: &mut Vec<u8>) -> bool {
    let (mut digit, mut point, mut power, mut mark) = (false, false, false, b'e');
    if let Some(zero) = input.take(|byte| byte == b'0') {
        text.push(zero);
        digit = true;
        // The prefix counts only if the width leaves room behind it.
        let room = input.left >= 2;
        if let Some(letter) = input.take(|byte| room && matches!(byte, b'x' | b'X')) {
            text.push(letter);
            (digit, mark) = (false, b'p');
        }
    }
    let hexadecimal = mark == b'p';
    while let Some(byte) = input.next() {
        let after_mark = power && text.last() == Some(&mark);
        match byte {
            b'0'..=b'9' => digit = true,
            byte if !power && hexadecimal && byte.is_ascii_hexdigit() => digit = true,
            b'+' | b'-' if after_mark => {}
            byte if digit && !power && byte.to_ascii_lowercase() == mark => {
                (power, point) = (true, true);
                text.push(mark);
                continue;
            }
            b'.' if !point => point = true,
            byte => {
                input.back(byte);
                break;
            }
        }
        text.push(byte);
    }
    hexadecimal
}
