//! Where values come from outside: arguments, standard input, `__VERIFIER_nondet_*`.
//!
//! A program and its reference read the same inputs: the third number of
//! standard input is the same term in both. Which number a statement reads can
//! depend on the input itself, as after `if (x) scanf("%d", &y);`.

use solver::{Term, Terms};

use super::state::State;
use super::value::possible;

/// A source of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// `__VERIFIER_nondet_*` and the entry's parameters, in the order of the calls.
    Nondet,
    /// Numbers of standard input.
    Number,
    /// Bytes of standard input.
    Byte,
    /// Arguments of the command line that are numbers.
    Argument,
}

/// A value from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// Its number there; arguments count from 1.
    pub number: u32,
    /// Its value (64 bits).
    pub term: Term,
    /// Its type where it was read first: bits, and whether it is signed.
    pub width: u32,
    /// Whether that type is signed.
    pub signed: bool,
}

/// All values from outside, shared by the programs that are compared.
#[derive(Debug, Default)]
pub struct Inputs {
    /// In the order in which they were met.
    pub all: Vec<Input>,
    /// How many values standard input has (16 bits), where a program asks for that.
    pub count: Option<Term>,
    /// Words of standard input.
    pub words: Vec<Word>,
    /// Whether one field of standard input is read in two ways.
    pub(super) mixed: bool,
}

/// A word of standard input.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its number among the fields of standard input.
    pub number: u32,
    /// Its length (8 bits), which is at least 1.
    pub length: Term,
    /// Its characters (8 bits each), as many as it can have.
    pub bytes: Vec<Term>,
}

/// More values than this are not told apart where their number depends on the input.
const MOST_POSITIONS: usize = 64;

impl Inputs {
    /// How many values standard input has.
    pub(super) fn count(&mut self, terms: &mut Terms) -> Term {
        *self.count.get_or_insert_with(|| terms.bits_variable("values in stdin", 16))
    }

    /// The word with this number, which has at most so many characters.
    fn word(&mut self, terms: &mut Terms, number: u32, longest: usize) -> Word {
        self.mixed |= self.all.iter().any(|input| (input.source, input.number) == (Source::Number, number));
        if let Some(known) = self.words.iter().find(|word| word.number == number) {
            self.mixed |= known.bytes.len() != longest;
            return known.clone();
        }
        let length = terms.bits_variable(&format!("length of word {number}"), 8);
        let length = within(terms, length, 1, longest.min(255) as u8, 1);
        let letter = |at: usize| {
            let byte = terms.bits_variable(&format!("word {number}, character {at}"), 8);
            within(terms, byte, b'!', b'~', b'a')
        };
        let word = Word { number, length, bytes: (0..longest).map(letter).collect() };
        self.words.push(word.clone());
        word
    }

    /// The characters of the next word, each with the condition that the word has it; `None` if it could be too many.
    pub(super) fn next_word(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        longest: usize,
    ) -> Option<Vec<(Term, Term)>> {
        let slot = Source::Number as usize;
        let position = state.read[slot];
        let one = terms.bits(1, 16);
        state.read[slot] = terms.add(position, one);
        let numbers = possible(terms, position, MOST_POSITIONS)?;
        let words: Vec<Word> = numbers.iter().map(|number| self.word(terms, *number as u32, longest)).collect();
        let mut words = words.into_iter().rev();
        let Word { mut length, mut bytes, .. } = words.next()?;
        for word in words {
            let number = terms.bits(word.number.into(), 16);
            let here = terms.eq(position, number);
            length = terms.ite(here, word.length, length);
            bytes = word.bytes.iter().zip(bytes).map(|(byte, rest)| terms.ite(here, *byte, rest)).collect();
        }
        let inside = |terms: &mut Terms, at: usize| {
            let at = terms.bits(at as u64, 8);
            terms.ult(at, length)
        };
        Some(bytes.into_iter().enumerate().map(|(at, byte)| (inside(terms, at), byte)).collect())
    }

    /// The input with this number.
    pub fn at(&mut self, terms: &mut Terms, source: Source, number: u32, width: u32, signed: bool) -> Term {
        if let Some(known) = self.all.iter().find(|input| (input.source, input.number) == (source, number)) {
            return known.term;
        }
        self.mixed |= source == Source::Number && self.words.iter().any(|word| word.number == number);
        let name = match source {
            Source::Nondet => format!("input {number}"),
            Source::Number => format!("stdin {number}"),
            Source::Byte => format!("byte {number}"),
            Source::Argument => format!("argument {number}"),
        };
        // A value of the type it is read with first, extended.
        let narrow = terms.bits_variable(&name, width);
        let term = if signed { terms.sign_extend(narrow, 64) } else { terms.zero_extend(narrow, 64) };
        self.all.push(Input { source, number, term, width, signed });
        term
    }

    /// The next value of a source (64 bits); `None` if it could be too many.
    pub(super) fn next(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        source: Source,
        width: u32,
        signed: bool,
    ) -> Option<Term> {
        let slot = source as usize;
        let position = state.read[slot];
        let one = terms.bits(1, 16);
        state.read[slot] = terms.add(position, one);
        let numbers = possible(terms, position, MOST_POSITIONS)?;
        let mut found: Option<Term> = None;
        for number in numbers.into_iter().rev() {
            let value = self.at(terms, source, number as u32, width, signed);
            found = Some(match found {
                Some(rest) => {
                    let number = terms.bits(number, 16);
                    let here = terms.eq(position, number);
                    terms.ite(here, value, rest)
                }
                None => value,
            });
        }
        found
    }
}

/// A byte if it is in a range, otherwise another one that is.
fn within(terms: &mut Terms, byte: Term, first: u8, last: u8, other: u8) -> Term {
    let [first, last, other] = [first, last, other].map(|byte| terms.bits(byte.into(), 8));
    let (is_early, is_late) = (terms.ult(byte, first), terms.ult(last, byte));
    let is_outside = terms.or(is_early, is_late);
    terms.ite(is_outside, other, byte)
}
