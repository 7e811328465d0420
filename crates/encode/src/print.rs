//! What a run prints, next to what it should print.
//!
//! A run that should print `3 1 4` and comes to `printf("%d ", p->value)` with
//! `p` at the node of 3 is right so far; if that happens a second time, it went
//! wrong, long before anything in memory shows it. Formats with widths,
//! pointers or real numbers are not followed: from there on anything counts as
//! right, and the independent check of the patched text decides.

use std::sync::Arc;

use ir::{Operand, OperandKind};

use crate::cell::{Address, Cell, Stuck};
use crate::machine::{Machine, Model};

/// What should be printed along a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Printed {
    /// Everything, from the start of the program on.
    pub text: Arc<Vec<u8>>,
    /// How much of it was printed when the trace began.
    pub before: usize,
    /// How much of it is printed at each demand, where that was asserted.
    pub at: Vec<Option<usize>>,
}

impl Printed {
    /// Everything that should be printed up to a demand.
    pub fn until(&self, demand: usize) -> Option<&[u8]> {
        self.text.get(..(*self.at.get(demand)?)?)
    }

    /// Adds the next demand: everything that is printed by then, if that is asserted.
    pub fn assert(&mut self, output: Option<&[u8]>) {
        self.at.push(output.map(<[u8]>::len));
        if let Some(output) = output.filter(|output| output.len() >= self.text.len()) {
            self.text = Arc::new(output.to_vec());
        }
    }
}

/// What a machine has printed of what it should.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    text: Arc<Vec<u8>>,
    printed: usize,
    /// Something was printed that is not followed.
    lost: bool,
}

impl Output {
    pub(crate) fn new(printed: &Printed) -> Output {
        Output { text: printed.text.clone(), printed: printed.before, lost: false }
    }

    /// Something may have been printed.
    pub(crate) fn lose(&mut self) {
        self.lost = true;
    }

    /// Whether so much was printed.
    pub(crate) fn is_at(&self, count: usize) -> bool {
        self.lost || self.printed == count
    }

    fn print(&mut self, text: &[u8]) -> Result<(), Stuck> {
        // After the last demand anything may be printed.
        let expected = self.text.get(self.printed..).unwrap_or_default();
        self.printed += text.len();
        let alike = expected.iter().zip(text).all(|(one, other)| one == other);
        if alike { Ok(()) } else { Err(Stuck::Fault) }
    }
}

impl Machine {
    /// Prints what a library function prints; a fault if it should not be printed now.
    pub(crate) fn print(&mut self, model: &Model, name: &str, arguments: &[Operand]) -> Result<(), Stuck> {
        let Some(output) = self.output.as_ref().filter(|output| !output.lost) else { return Ok(()) };
        // What goes elsewhere than to the standard output does not count.
        if name == "perror" || name == "fflush" {
            return Ok(());
        }
        let text = self.printed_by(model, name, arguments);
        let mut output = output.clone();
        match text {
            Some(text) => output.print(&text)?,
            None => output.lose(),
        }
        self.output = Some(output);
        Ok(())
    }

    fn printed_by(&self, model: &Model, name: &str, arguments: &[Operand]) -> Option<Vec<u8>> {
        let first = arguments.first()?;
        match (name, &first.kind, self.value(first)) {
            ("printf", OperandKind::Text(format), _) => {
                self.formatted(&model.program.texts[format.index()], &arguments[1..])
            }
            ("puts", _, Cell::Pointer(text)) => {
                let mut text = self.text_at(text)?;
                text.push(b'\n');
                Some(text)
            }
            ("putchar", _, Cell::Int(byte)) => Some(vec![byte as u8]),
            _ => None,
        }
    }

    fn formatted(&self, format: &[u8], arguments: &[Operand]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut values = arguments.iter().map(|argument| self.value(argument));
        let mut rest = format.iter().copied();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                out.push(byte);
                continue;
            }
            let mut conversion = rest.next()?;
            let mut is_long = false;
            while matches!(conversion, b'l' | b'z') {
                (is_long, conversion) = (true, rest.next()?);
            }
            match (conversion, is_long) {
                (b'%', _) => out.push(b'%'),
                (b's', false) => match values.next()? {
                    Cell::Pointer(text) => out.extend(self.text_at(text)?),
                    _ => return None,
                },
                _ => {
                    let Cell::Int(value) = values.next()? else { return None };
                    match (conversion, is_long) {
                        (b'c', false) => out.push(value as u8),
                        (b'd' | b'i', false) => out.extend((value as i32).to_string().bytes()),
                        (b'd' | b'i', true) => out.extend(value.to_string().bytes()),
                        (b'u', false) => out.extend((value as u32).to_string().bytes()),
                        (b'u', true) => out.extend((value as u64).to_string().bytes()),
                        _ => return None,
                    }
                }
            }
        }
        Some(out)
    }

    /// The characters from an address on, up to the null character.
    fn text_at(&self, start: Address) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for offset in start.offset.. {
            let at = self.cell_at(Address { offset, ..start }, 1).ok()?;
            match self.cells[at as usize] {
                Cell::Int(0) => break,
                Cell::Int(byte) => text.push(byte as u8),
                _ => return None,
            }
        }
        Some(text)
    }
}
