//! What a program prints, and whether two programs print the same.
//!
//! Output is a sequence of characters and numbers. Each is printed under a
//! condition, so its position is the number of those before it that are
//! printed too. A number that is known, or a choice between a few, is printed as
//! its digits; one that is not known only equals another number printed in the same way.

use solver::{Term, Terms};

use super::value::possible;

/// A number that is a choice between so few is printed as the digits of each.
const MOST_VALUES: usize = 4;

/// One thing that is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A character (8 bits).
    Byte(Term),
    /// A number (64 bits), printed with this directive.
    Number(Term, String),
}

/// What is printed, in the order of the run, and where it is.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// Conditions and items.
    pub items: Vec<(Term, Printed)>,
}

impl Stream {
    pub(super) fn byte(&mut self, when: Term, byte: Term) {
        self.items.push((when, Printed::Byte(byte)));
    }

    pub(super) fn text(&mut self, terms: &mut Terms, when: Term, text: &[u8]) {
        for byte in text {
            let byte = terms.bits(u64::from(*byte), 8);
            self.byte(when, byte);
        }
    }

    /// A number; `bits` is its width, `directive` as in `%d`.
    pub(super) fn number(&mut self, terms: &mut Terms, when: Term, value: Term, signed: bool, directive: &str) {
        let plain = matches!(directive, "d" | "u");
        let Some(known) = possible(terms, value, MOST_VALUES).filter(|_| plain) else {
            return self.items.push((when, Printed::Number(value, directive.to_string())));
        };
        for number in known {
            let text = if signed { (number as i64).to_string() } else { number.to_string() };
            let number = terms.bits(number, 64);
            let is_it = terms.eq(value, number);
            let when = terms.and(when, is_it);
            self.text(terms, when, text.as_bytes());
        }
    }
}

/// An item with its position: the number of items before it, and what is known of that number.
struct Placed<'a> {
    when: Term,
    item: &'a Printed,
    position: Term,
    least: usize,
    most: usize,
}

fn place<'a>(terms: &mut Terms, stream: &'a Stream) -> (Vec<Placed<'a>>, Term) {
    let (mut position, one) = (terms.bits(0, 16), terms.bits(1, 16));
    let (mut least, mut most) = (0, 0);
    let mut placed = vec![];
    for (when, item) in &stream.items {
        placed.push(Placed { when: *when, item, position, least, most });
        let next = terms.add(position, one);
        position = terms.ite(*when, next, position);
        least += usize::from(terms.value(*when) == Some(1));
        most += 1;
    }
    (placed, position)
}

/// Whether two programs print different things.
pub fn differ(terms: &mut Terms, left: &Stream, right: &Stream) -> Term {
    if left.items == right.items {
        return terms.constant(false);
    }
    let ((a, count_a), (b, count_b)) = (place(terms, left), place(terms, right));
    let mut found = vec![terms.ne(count_a, count_b)];
    for x in &a {
        for y in &b {
            if x.least > y.most || y.least > x.most {
                continue;
            }
            let same = same(terms, x.item, y.item);
            if terms.value(same) == Some(1) {
                continue;
            }
            let (together, different) = (terms.eq(x.position, y.position), terms.not(same));
            found.push(terms.all(&[x.when, y.when, together, different]));
        }
    }
    terms.any(&found)
}

fn same(terms: &mut Terms, a: &Printed, b: &Printed) -> Term {
    match (a, b) {
        (Printed::Byte(a), Printed::Byte(b)) => terms.eq(*a, *b),
        (Printed::Number(a, how), Printed::Number(b, other)) if how == other => terms.eq(*a, *b),
        _ => terms.constant(false),
    }
}
