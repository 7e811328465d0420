//! What a program prints, and whether two programs print the same.
//!
//! Output is a sequence of characters and numbers. Each is printed under a
//! condition, so its position is the number of those before it that are
//! printed too. A number in a text, as in `printf("12\n")`, is the same as one
//! that is printed with `%d`. Numbers that stand side by side, or digits that
//! are printed one by one, are not put together: the interpreter notices where
//! that makes a difference that is none.

use solver::{Term, Terms};

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

    /// Text; the numbers in it are what `%d` would print.
    pub(super) fn text(&mut self, terms: &mut Terms, when: Term, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            match number_at(text, at) {
                Some((value, end)) => {
                    let value = terms.bits(value as u64, 64);
                    self.items.push((when, Printed::Number(value, "d".into())));
                    at = end;
                }
                None => {
                    let byte = terms.bits(u64::from(text[at]), 8);
                    self.byte(when, byte);
                    at += 1;
                }
            }
        }
    }

    /// A number (64 bits), with a directive such as `d`.
    pub(super) fn number(&mut self, when: Term, value: Term, directive: &str) {
        self.items.push((when, Printed::Number(value, directive.to_string())));
    }
}

/// A number as `%d` prints it, from here on in a text, and where it ends.
fn number_at(text: &[u8], at: usize) -> Option<(i64, usize)> {
    let is_inside = |i: usize| text.get(i).is_some_and(u8::is_ascii_alphanumeric);
    if at > 0 && is_inside(at - 1) {
        return None;
    }
    let first = at + usize::from(text[at] == b'-');
    let length = text[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&text[at..first + length]).ok()?;
    let value: i64 = digits.parse().ok()?;
    // `007` and `-0` are not what `%d` prints.
    (length > 0 && value.to_string() == digits).then_some((value, first + length))
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
        // `%d` and `%u` print the same if the number is not negative.
        (Printed::Number(a, how), Printed::Number(b, other)) if is_plain(how) && is_plain(other) => {
            let (zero, same) = (terms.bits(0, 64), terms.eq(*a, *b));
            let not_negative = terms.sle(zero, *a);
            terms.and(same, not_negative)
        }
        _ => terms.constant(false),
    }
}

fn is_plain(directive: &str) -> bool {
    matches!(directive, "d" | "u")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_text_are_numbers() {
        let numbers = |text: &str| -> Vec<i64> {
            let (mut found, mut at) = (vec![], 0);
            while at < text.len() {
                match number_at(text.as_bytes(), at) {
                    Some((value, end)) => (found.push(value), at = end).1,
                    None => at += 1,
                }
            }
            found
        };
        assert_eq!(numbers("x = -12, 7\n"), [-12, 7]);
        assert_eq!(numbers("a1 007 0"), [0]);
        assert_eq!(numbers("3-1"), [3, 1]);
    }
}
