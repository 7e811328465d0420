//! What programs read from standard input.
//!
//! Standard input is either a row of fields, numbers and words with blanks
//! between them, or a row of bytes. `%d`, `%s` and ` %c` of `scanf` read fields,
//! `getchar`, `gets`, `fgets` and `%c` read bytes. A program that does both is
//! not modelled. A word has at most as many characters as loops have rounds.

use c_syntax::Span;
use c_types::TypeId;
use ir::Operand;
use solver::Term;

use super::format::{Directive, Piece, pieces};
use super::input::Source;
use super::run::Engine;
use super::state::State;
use super::value::{Target, Value, choose};

/// Why a value is not known where inputs are read in too many orders.
const TOO_MANY: &str = "how many inputs are read depends on the input in too many ways";

/// How much of a line is read.
#[derive(Clone, Copy)]
pub(super) enum Line {
    /// All, without its end (`gets`).
    Whole,
    /// So many bytes with the zero behind them, at most, with its end (`fgets`).
    UpTo(i32),
}

/// What a directive reads: its bytes, or one number.
enum Field {
    /// A number, and how it is extended.
    Number(Term, bool),
    /// Bytes, each with the condition that it is written.
    Text(Vec<(Term, Term)>),
}

impl Engine<'_> {
    /// What follows from something that is not modelled.
    pub(super) fn no_value(&mut self, state: &State, span: Span, what: &str) -> Option<Value> {
        self.not_modelled(state, span, what.into());
        Some(Value::Opaque)
    }

    pub(super) fn scanf(
        &mut self,
        state: &mut State,
        format: &Value,
        values: &[Value],
        operands: &[Operand],
        wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let Some(format) = self.known_bytes(state, format) else {
            return self.no_value(state, span, "the format of scanf is not known");
        };
        let (mut next, mut done) = (0, self.terms.bits(0, 32));
        let mut going = self.terms.constant(true);
        let mut after_blank = false;
        for piece in pieces(&format, true) {
            let directive = match piece {
                Piece::Text(text) => {
                    after_blank = text.last().is_some_and(u8::is_ascii_whitespace);
                    continue;
                }
                Piece::Directive(directive) => directive,
            };
            let is_byte = directive.letter == 'c' && !after_blank;
            let source = if is_byte { Source::Byte } else { Source::Number };
            let position = state.read[source as usize];
            let field = match self.field(state, &directive, is_byte) {
                Ok(field) => field,
                Err(what) => return self.no_value(state, span, &what),
            };
            // Bytes end somewhere; fields do only where the program asks.
            if wanted || is_byte {
                let count = self.inputs.count(self.terms);
                let there = self.terms.ult(position, count);
                going = self.terms.and(going, there);
            }
            let one = self.terms.bits(1, 32);
            let more = self.terms.add(done, one);
            done = self.terms.ite(going, more, done);
            let Some(Value::Pointer(parts)) = values.get(next) else {
                return self.no_value(state, span, "scanf writes to what is no known pointer");
            };
            let size = operands.get(next + 1).map_or(0, |operand| self.target_size(operand.ty));
            self.store_field(state, parts, going, field, size, span);
            next += 1;
            after_blank = false;
        }
        let (zero, end) = (self.terms.bits(0, 32), self.terms.bits(u64::from(u32::MAX), 32));
        let none = self.terms.eq(done, zero);
        Some(Value::Int(if next == 0 { zero } else { self.terms.ite(none, end, done) }))
    }

    /// What a directive reads, or why that is not modelled.
    fn field(&mut self, state: &mut State, directive: &Directive, is_byte: bool) -> Result<Field, String> {
        let other = if is_byte { Source::Number } else { Source::Byte };
        if state.read[other as usize] != self.terms.bits(0, 16) {
            return Err("characters are read after numbers or words, or before them, which is not modelled".into());
        }
        let longest = self.request.bounds.unwind as usize;
        let fits = directive.how.is_empty()
            || directive.letter == 's' && directive.how.parse().is_ok_and(|width: usize| width >= longest);
        let found = match directive.letter {
            'd' | 'u' if fits => {
                let signed = directive.letter == 'd';
                let value = self.inputs.next(self.terms, state, Source::Number, directive.width, signed);
                value.map(|value| Field::Number(self.resize(value, directive.width, signed), signed))
            }
            's' if fits => self.inputs.next_word(self.terms, state, longest).map(|mut bytes| {
                let inside = self.terms.constant(true);
                bytes.push((inside, self.terms.bits(0, 8)));
                self.ended(bytes)
            }),
            'c' if fits && is_byte => {
                let value = self.inputs.next(self.terms, state, Source::Byte, 8, false);
                value.map(|value| Field::Number(self.resize(value, 8, false), false))
            }
            'c' if fits => self.inputs.next_word(self.terms, state, 1).map(Field::Text),
            _ => return Err(format!("reading with %{}{} is not modelled", directive.how, directive.letter)),
        };
        match found {
            Some(_) if self.inputs.mixed => Err("what is read as a word is read as something else elsewhere".into()),
            Some(field) => Ok(field),
            None => Err(TOO_MANY.into()),
        }
    }

    /// A word with a zero behind its last character.
    fn ended(&mut self, bytes: Vec<(Term, Term)>) -> Field {
        let mut before = self.terms.constant(true);
        let zero = self.terms.bits(0, 8);
        let mut text = vec![];
        for (inside, byte) in bytes {
            text.push((before, self.terms.ite(inside, byte, zero)));
            before = self.terms.and(before, inside);
        }
        Field::Text(text)
    }

    fn store_field(
        &mut self,
        state: &mut State,
        parts: &[(Term, Target)],
        going: Term,
        field: Field,
        size: u64,
        span: Span,
    ) {
        match field {
            Field::Number(value, signed) => {
                let value = self.resize(value, (size as u32 * 8).max(8), signed);
                let places = self.byte_places(parts, going, 0);
                self.store_to(state, &places, size, &Value::Int(value), span);
            }
            Field::Text(bytes) => {
                for (at, (when, byte)) in bytes.into_iter().enumerate() {
                    let when = self.terms.and(going, when);
                    let places = self.byte_places(parts, when, at as u64);
                    self.store_to(state, &places, 1, &Value::Int(byte), span);
                }
            }
        }
    }

    fn target_size(&self, pointer: TypeId) -> u64 {
        let types = &self.request.program.types;
        types.target(pointer).map_or(0, |target| types.size_of(target))
    }

    pub(super) fn getchar(&mut self, state: &mut State, span: Span) -> Option<Value> {
        let always = self.terms.constant(true);
        match self.next_byte(state, always) {
            Ok((there, byte)) => {
                let (byte, end) = (self.resize(byte, 32, false), self.terms.bits(u64::from(u32::MAX), 32));
                Some(Value::Int(self.terms.ite(there, byte, end)))
            }
            Err(what) => self.no_value(state, span, what),
        }
    }

    /// Whether there is one more byte, and which (8 bits); it is read where `when` holds.
    fn next_byte(&mut self, state: &mut State, when: Term) -> Result<(Term, Term), &'static str> {
        if state.read[Source::Number as usize] != self.terms.bits(0, 16) {
            return Err("characters are read after numbers, which is not modelled");
        }
        let position = state.read[Source::Byte as usize];
        let byte = self.inputs.next(self.terms, state, Source::Byte, 8, false).ok_or(TOO_MANY)?;
        let read = &mut state.read[Source::Byte as usize];
        *read = self.terms.ite(when, *read, position);
        let count = self.inputs.count(self.terms);
        let there = self.terms.ult(position, count);
        Ok((there, self.resize(byte, 8, false)))
    }

    /// Reads bytes up to the end of a line; the result is the place, or null at the end of the input.
    pub(super) fn read_line(&mut self, state: &mut State, place: &Value, line: Line, span: Span) -> Option<Value> {
        let Value::Pointer(parts) = place else {
            return self.no_value(state, span, "a line is read to what is no known pointer");
        };
        let most = match line {
            Line::Whole => u32::MAX,
            Line::UpTo(size @ 1..) => size as u32 - 1,
            Line::UpTo(_) => return self.no_value(state, span, "fgets has no room"),
        };
        let (zero, newline) = (self.terms.bits(0, 8), self.terms.bits(10, 8));
        let mut going = self.terms.constant(true);
        let mut is_empty = self.terms.constant(false);
        for at in 0..most.min(self.request.bounds.unwind) {
            let (there, byte) = match self.next_byte(state, going) {
                Ok(found) => found,
                Err(what) => return self.no_value(state, span, what),
            };
            let (is_end, is_newline) = (self.terms.not(there), self.terms.eq(byte, newline));
            if at == 0 {
                is_empty = is_end;
                going = there;
            }
            let keeps = matches!(line, Line::UpTo(_));
            let stops = self.terms.or(is_end, is_newline);
            let kept = if keeps { is_end } else { stops };
            let written = self.terms.ite(kept, zero, byte);
            self.store_byte(state, parts, going, at, written, span);
            if keeps {
                let ends = self.terms.all(&[going, there, is_newline]);
                self.store_byte(state, parts, ends, at + 1, zero, span);
            }
            let goes_on = self.terms.not(stops);
            going = self.terms.and(going, goes_on);
        }
        if most <= self.request.bounds.unwind {
            self.store_byte(state, parts, going, most, zero, span);
        } else {
            self.line_goes_on(state, going, span);
        }
        let null = Value::null(self.terms);
        Some(choose(self.terms, is_empty, &null, place))
    }

    fn store_byte(&mut self, state: &mut State, parts: &[(Term, Target)], when: Term, at: u32, byte: Term, span: Span) {
        let places = self.byte_places(parts, when, u64::from(at));
        self.store_to(state, &places, 1, &Value::Int(byte), span);
    }

    /// Runs whose line is longer than the bound are not followed.
    fn line_goes_on(&mut self, state: &mut State, going: Term, span: Span) {
        if self.terms.value(going) == Some(0) {
            return;
        }
        let mut longer = state.clone();
        longer.path = self.terms.and(state.path, going);
        self.beyond(&longer, span, "a line of the input".into());
        self.escapes += 1;
        let ends = self.terms.not(going);
        state.path = self.terms.and(state.path, ends);
    }
}
