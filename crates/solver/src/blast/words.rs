//! Circuits over words: lists of literals, the lowest bit first.

use super::gates::{FALSE, Gates, TRUE};
use crate::sat::Lit;

impl Gates {
    pub(crate) fn constant_word(value: u64, width: usize) -> Vec<Lit> {
        (0..width).map(|i| if value >> i & 1 == 1 { TRUE } else { FALSE }).collect()
    }

    /// `a + b + carry` modulo 2^width, and the last carry.
    pub(crate) fn add_words(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// `a - b`, and whether `a ≥ b` unsigned.
    pub(crate) fn subtract_words(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        self.add_words(a, &flip(b), TRUE)
    }

    pub(crate) fn negate_word(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = Self::constant_word(0, a.len());
        self.subtract_words(&zero, a).0
    }

    /// `constant + Σ factor · word`
    pub(crate) fn sum_words(&mut self, mut constant: u64, parts: &[(u64, &[Lit])], width: usize) -> Vec<Lit> {
        let mut summands = Vec::new();
        for &(factor, word) in parts {
            for (place, is_negative) in signed_digits(factor, width) {
                let shifted = shift_by(word, place);
                if is_negative {
                    // -x is ~x + 1.
                    constant = constant.wrapping_add(1);
                    summands.push(flip(&shifted));
                } else {
                    summands.push(shifted);
                }
            }
        }
        constant &= crate::term::mask(width as u32);
        self.sum_up(constant, summands, width)
    }

    /// Small constants go into the carries of the adders, for free.
    fn sum_up(&mut self, constant: u64, mut summands: Vec<Vec<Lit>>, width: usize) -> Vec<Lit> {
        let mut carries = constant;
        if constant >= summands.len() as u64 {
            carries = 0;
            summands.push(Self::constant_word(constant, width));
        }
        let mut summands = summands.into_iter();
        let Some(mut sum) = summands.next() else { return Self::constant_word(constant, width) };
        for summand in summands {
            let carry = if carries > 0 { TRUE } else { FALSE };
            carries = carries.saturating_sub(1);
            sum = self.add_words(&sum, &summand, carry).0;
        }
        sum
    }

    pub(crate) fn multiply_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let mut sum = Self::constant_word(0, width);
        for (place, &bit) in a.iter().enumerate() {
            let row: Vec<Lit> = b[..width - place].iter().map(|&other| self.and(bit, other)).collect();
            let (upper, _) = self.add_words(&sum[place..], &row, FALSE);
            sum.splice(place.., upper);
        }
        sum
    }

    /// Unsigned quotient and remainder by long division. A divisor of zero is
    /// "not larger" than any remainder, which gives what SMT-LIB asks for.
    pub(crate) fn divide_words(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        let mut quotient = vec![FALSE; width];
        let mut remainder = vec![FALSE; width];
        for place in (0..width).rev() {
            remainder.insert(0, a[place]);
            let (reduced, fits) = self.subtract_words(&remainder, &divisor);
            quotient[place] = fits;
            remainder = self.mux_words(fits, &reduced, &remainder);
            remainder.pop();
        }
        (quotient, remainder)
    }

    pub(crate) fn mux_words(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.mux(condition, x, y)).collect()
    }

    pub(crate) fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(&same)
    }

    pub(crate) fn less_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(FALSE, |less, (&x, &y)| self.majority(!x, y, less))
    }

    /// Two's complement order is unsigned order with the signs flipped.
    pub(crate) fn less_signed_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (flip_sign(a), flip_sign(b));
        self.less_words(&a, &b)
    }

    /// `a` shifted up by `by`, or down on the reversed word; `fill` comes in.
    fn shift_words(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut word = a.to_vec();
        let mut too_far = Vec::new();
        for (stage, &bit) in by.iter().enumerate() {
            match 1usize.checked_shl(stage as u32) {
                Some(distance) if distance < width => {
                    let moved: Vec<Lit> =
                        (0..width).map(|i| if i >= distance { word[i - distance] } else { fill }).collect();
                    word = self.mux_words(bit, &moved, &word);
                }
                _ => too_far.push(bit),
            }
        }
        let out = self.any(&too_far);
        self.mux_words(out, &vec![fill; width], &word)
    }

    pub(crate) fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Vec<Lit> {
        self.shift_words(a, by, FALSE)
    }

    pub(crate) fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let reversed: Vec<Lit> = a.iter().rev().copied().collect();
        let mut shifted = self.shift_words(&reversed, by, fill);
        shifted.reverse();
        shifted
    }
}

pub(crate) fn flip(word: &[Lit]) -> Vec<Lit> {
    word.iter().map(|&lit| !lit).collect()
}

fn flip_sign(word: &[Lit]) -> Vec<Lit> {
    let mut word = word.to_vec();
    let sign = word.len() - 1;
    word[sign] = !word[sign];
    word
}

fn shift_by(word: &[Lit], places: usize) -> Vec<Lit> {
    let zeros = std::iter::repeat_n(FALSE, places);
    zeros.chain(word.iter().copied()).take(word.len()).collect()
}

/// The digits -1 and 1 of a number in the form with the fewest of them:
/// 7 is 8 - 1, one adder instead of two.
fn signed_digits(factor: u64, width: usize) -> Vec<(usize, bool)> {
    let mut rest = u128::from(factor);
    let mut digits = Vec::new();
    for place in 0..width {
        if rest & 1 == 1 {
            let is_negative = rest & 3 == 3;
            rest = if is_negative { rest + 1 } else { rest - 1 };
            digits.push((place, is_negative));
        }
        rest >>= 1;
    }
    digits
}
