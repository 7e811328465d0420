//! Exact C arithmetic on values that are one of several.
//!
//! Few possibilities are computed one by one with [`crate::cell`]; many become
//! a bit-vector. Two pointers are equal where both are the same place.

use ir::{BinaryOp, UnaryOp};
use solver::{Term, Terms};

use super::value::{Atom, Parts, Value, integer, is_integer};
use crate::cell::{self, Cell, Scalar, Stuck};

/// More pairs than this are not computed one by one.
const MOST_PAIRS: usize = 100;

/// A value, and where there is none.
#[derive(Clone, Debug)]
pub(super) struct Eval {
    /// The value elsewhere.
    pub(super) value: Value,
    /// Where the program would crash.
    pub(super) fault: Term,
    /// Where the model does not follow.
    pub(super) odd: Term,
}

impl Eval {
    pub(super) fn new(terms: &mut Terms, value: Value) -> Eval {
        let no = terms.constant(false);
        Eval { value, fault: no, odd: no }
    }

    /// Nothing but a crash, or what is not modelled.
    pub(super) fn stuck(terms: &mut Terms, stuck: Stuck) -> Eval {
        let (fault, odd) = (terms.constant(stuck == Stuck::Fault), terms.constant(stuck == Stuck::Unmodelled));
        Eval { value: Value::Many([].into()), fault, odd }
    }

    /// Where there is no value.
    pub(super) fn none(&self, terms: &mut Terms) -> Term {
        terms.or(self.fault, self.odd)
    }

    /// The value, with "never written" where the program would crash.
    pub(super) fn or_unset(&self, terms: &mut Terms) -> Value {
        if terms.value(self.fault) == Some(0) {
            return self.value.clone();
        }
        let mut parts = Parts::default();
        let fine = terms.not(self.fault);
        parts.add_value(terms, fine, &self.value);
        parts.add(self.fault, Atom::Cell(Cell::Unset));
        parts.finish(terms)
    }
}

/// Collects the outcomes of possibilities.
#[derive(Default)]
pub(super) struct Outcomes {
    parts: Parts,
    fault: Vec<Term>,
    odd: Vec<Term>,
}

impl Outcomes {
    pub(super) fn add(&mut self, guard: Term, result: Result<Atom, Stuck>) {
        match result {
            Ok(atom) => self.parts.add(guard, atom),
            Err(stuck) => self.stuck(guard, stuck),
        }
    }

    pub(super) fn stuck(&mut self, guard: Term, stuck: Stuck) {
        match stuck {
            Stuck::Fault => self.fault.push(guard),
            Stuck::Unmodelled => self.odd.push(guard),
        }
    }

    /// A value, where "never written" is a crash.
    pub(super) fn add_read(&mut self, terms: &mut Terms, guard: Term, value: &Value) {
        for (inner, atom) in value.parts(terms) {
            let both = terms.and(guard, inner);
            let result = if atom == Atom::Cell(Cell::Unset) { Err(Stuck::Fault) } else { Ok(atom) };
            self.add(both, result);
        }
    }

    fn truth(&mut self, terms: &mut Terms, guard: Term, truth: Term) {
        let (yes, no) = (terms.and(guard, truth), terms.not(truth));
        self.parts.add(yes, Atom::Cell(Cell::Int(1)));
        self.parts.add(terms.and(guard, no), Atom::Cell(Cell::Int(0)));
    }

    pub(super) fn finish(self, terms: &mut Terms) -> Eval {
        let (fault, odd) = (terms.any(&self.fault), terms.any(&self.odd));
        Eval { value: self.parts.finish(terms), fault, odd }
    }
}

/// `left op right`, both of type `scalar`.
pub(super) fn binary(terms: &mut Terms, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value) -> Eval {
    if let (Some(a), Some(b)) = (left.known(), right.known()) {
        return match cell::binary(op, scalar, a, b) {
            Ok(cell) => Eval::new(terms, Value::cell(cell)),
            Err(stuck) => Eval::stuck(terms, stuck),
        };
    }
    let (left, right) = (left.parts(terms), right.parts(terms));
    let places = |parts: &[(Term, Atom)]| parts.iter().all(|part| is_place(part.1));
    if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && places(&left) && places(&right) {
        return equal_places(terms, op == BinaryOp::Equal, &left, &right);
    }
    let has_bits = left.iter().chain(&right).any(|part| matches!(part.1, Atom::Bits(_)));
    let by_bits = has_bits || left.len() * right.len() > MOST_PAIRS;
    let mut outcomes = Outcomes::default();
    for &(g, a) in &left {
        for &(h, b) in &right {
            if by_bits && is_integer(a) && is_integer(b) {
                continue;
            }
            let both = terms.and(g, h);
            let (a, b) = (representative(a), representative(b));
            outcomes.add(both, cell::binary(op, scalar, a, b).map(Atom::Cell));
        }
    }
    if by_bits {
        let only = |parts: &[(Term, Atom)]| -> Vec<(Term, Atom)> {
            parts.iter().copied().filter(|part| is_integer(part.1)).collect()
        };
        let ((g, a), (h, b)) = (integer(terms, &only(&left)), integer(terms, &only(&right)));
        let both = terms.and(g, h);
        integers(terms, op, scalar, a, b, both, &mut outcomes);
    }
    outcomes.finish(terms)
}

/// An integer that is not known and meets an address: neither null nor small.
fn representative(atom: Atom) -> Cell {
    match atom {
        Atom::Cell(cell) => cell,
        Atom::Bits(_) => Cell::Unknown,
    }
}

fn is_place(atom: Atom) -> bool {
    matches!(atom, Atom::Cell(Cell::Pointer(_) | Cell::Function(_) | Cell::Int(0) | Cell::Unset))
}

fn equal_places(terms: &mut Terms, equal: bool, left: &[(Term, Atom)], right: &[(Term, Atom)]) -> Eval {
    let (mut same, mut unset) = (Vec::new(), Vec::new());
    for &(g, a) in left {
        match right.iter().find(|part| part.1 == a) {
            _ if a == Atom::Cell(Cell::Unset) => unset.push(g),
            Some(&(h, _)) => same.push(terms.and(g, h)),
            None => {}
        }
    }
    unset.extend(right.iter().filter(|part| part.1 == Atom::Cell(Cell::Unset)).map(|part| part.0));
    let (same, fault) = (terms.any(&same), terms.any(&unset));
    let (differ, fine) = (terms.not(same), terms.not(fault));
    let (yes, no) = if equal { (same, differ) } else { (differ, same) };
    let mut parts = Parts::default();
    parts.add(terms.and(yes, fine), Atom::Cell(Cell::Int(1)));
    parts.add(terms.and(no, fine), Atom::Cell(Cell::Int(0)));
    Eval { value: parts.finish(terms), fault, odd: terms.constant(false) }
}

fn width(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Int { bits, .. } => u32::from(bits),
        Scalar::Bool => 8,
        _ => 64,
    }
}

/// A bit-vector of 64 bits cut to the type and extended again.
pub(super) fn wrap(terms: &mut Terms, scalar: Scalar, bits: Term) -> Term {
    let (width, zero) = (width(scalar), terms.bits(0, 64));
    if scalar == Scalar::Bool {
        let truth = terms.ne(bits, zero);
        return terms.bits_of_bool(truth, 64);
    }
    if width == 64 {
        return bits;
    }
    let low = terms.extract(bits, width - 1, 0);
    if scalar.is_signed() { terms.sign_extend(low, 64) } else { terms.zero_extend(low, 64) }
}

fn integers(terms: &mut Terms, op: BinaryOp, scalar: Scalar, a: Term, b: Term, guard: Term, outcomes: &mut Outcomes) {
    let zero = terms.bits(0, 64);
    let count = |terms: &mut Terms| {
        let mask = terms.bits(if width(scalar) == 64 { 63 } else { 31 }, 64);
        terms.bit_and(b, mask)
    };
    let bits = match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Subtract => terms.sub(a, b),
        BinaryOp::Multiply => terms.mul(a, b),
        BinaryOp::And => terms.bit_and(a, b),
        BinaryOp::Or => terms.bit_or(a, b),
        BinaryOp::Xor => terms.bit_xor(a, b),
        BinaryOp::ShiftLeft => {
            let count = count(terms);
            terms.shl(a, count)
        }
        BinaryOp::ShiftRight => {
            let count = count(terms);
            if scalar.is_signed() { terms.ashr(a, count) } else { terms.lshr(a, count) }
        }
        BinaryOp::Divide | BinaryOp::Remainder => {
            return divide(terms, op == BinaryOp::Divide, scalar, a, b, guard, outcomes);
        }
        BinaryOp::BoolAnd | BinaryOp::BoolOr => {
            let (x, y) = (terms.ne(a, zero), terms.ne(b, zero));
            let truth = if op == BinaryOp::BoolAnd { terms.and(x, y) } else { terms.or(x, y) };
            return outcomes.truth(terms, guard, truth);
        }
        _ => {
            let truth = compare(terms, op, scalar.is_signed(), a, b);
            return outcomes.truth(terms, guard, truth);
        }
    };
    let wrapped = wrap(terms, scalar, bits);
    outcomes.parts.add(guard, Atom::Bits(wrapped));
}

/// Whether `a op b` holds for two bit-vectors.
pub(super) fn compare(terms: &mut Terms, op: BinaryOp, signed: bool, a: Term, b: Term) -> Term {
    let less = |terms: &mut Terms, a, b| if signed { terms.slt(a, b) } else { terms.ult(a, b) };
    match op {
        BinaryOp::Equal => terms.eq(a, b),
        BinaryOp::NotEqual => terms.ne(a, b),
        BinaryOp::Less => less(terms, a, b),
        BinaryOp::Greater => less(terms, b, a),
        BinaryOp::LessEqual => {
            let more = less(terms, b, a);
            terms.not(more)
        }
        _ => {
            let less = less(terms, a, b);
            terms.not(less)
        }
    }
}

fn divide(terms: &mut Terms, quotient: bool, scalar: Scalar, a: Term, b: Term, guard: Term, outcomes: &mut Outcomes) {
    let width = width(scalar);
    let (low_a, low_b) = (terms.extract(a, width - 1, 0), terms.extract(b, width - 1, 0));
    let zero = terms.bits(0, width);
    let mut fault = terms.eq(low_b, zero);
    let bits = if scalar.is_signed() {
        let (smallest, minus_one) = (terms.bits(1 << (width - 1), width), terms.bits(u64::MAX, width));
        let (x, y) = (terms.eq(low_a, smallest), terms.eq(low_b, minus_one));
        let overflow = terms.and(x, y);
        fault = terms.or(fault, overflow);
        let low = if quotient { terms.sdiv(low_a, low_b) } else { terms.srem(low_a, low_b) };
        terms.sign_extend(low, 64)
    } else {
        let low = if quotient { terms.udiv(low_a, low_b) } else { terms.urem(low_a, low_b) };
        terms.zero_extend(low, 64)
    };
    let fine = terms.not(fault);
    outcomes.stuck(terms.and(guard, fault), Stuck::Fault);
    outcomes.parts.add(terms.and(guard, fine), Atom::Bits(bits));
}

/// An operator with one operand.
pub(super) fn unary(terms: &mut Terms, op: UnaryOp, scalar: Scalar, value: &Value) -> Eval {
    let mut outcomes = Outcomes::default();
    for (guard, atom) in value.parts(terms) {
        match (atom, op) {
            (Atom::Cell(cell), _) => outcomes.add(guard, cell::unary(op, scalar, cell).map(Atom::Cell)),
            (Atom::Bits(bits), UnaryOp::Not) => {
                let zero = terms.bits(0, 64);
                let truth = terms.eq(bits, zero);
                outcomes.truth(terms, guard, truth);
            }
            (Atom::Bits(bits), _) => {
                let bits = if op == UnaryOp::Negate { terms.neg(bits) } else { terms.bit_not(bits) };
                let wrapped = wrap(terms, scalar, bits);
                outcomes.add(guard, Ok(Atom::Bits(wrapped)));
            }
        }
    }
    outcomes.finish(terms)
}

/// A conversion.
pub(super) fn convert(terms: &mut Terms, value: &Value, from: Scalar, to: Scalar) -> Eval {
    let mut outcomes = Outcomes::default();
    for (guard, atom) in value.parts(terms) {
        let result = match (atom, to) {
            (Atom::Cell(cell), _) => cell::convert(cell, from, to).map(Atom::Cell),
            (Atom::Bits(_), Scalar::Float { .. }) => Ok(Atom::Cell(Cell::Unknown)),
            (Atom::Bits(bits), _) => Ok(Atom::Bits(wrap(terms, to, bits))),
        };
        outcomes.add(guard, result);
    }
    outcomes.finish(terms)
}

/// Where a value counts as true, where it crashes, and where that is not known.
pub(super) fn truth(terms: &mut Terms, value: &Value) -> (Term, Term, Term) {
    let (mut holds, mut fault, mut odd) = (Vec::new(), Vec::new(), Vec::new());
    for (guard, atom) in value.parts(terms) {
        match atom {
            Atom::Cell(Cell::Unset) => fault.push(guard),
            Atom::Cell(cell) => match cell::truth_of(cell) {
                Some(true) => holds.push(guard),
                Some(false) => {}
                None => odd.push(guard),
            },
            Atom::Bits(bits) => {
                let zero = terms.bits(0, 64);
                let truth = terms.ne(bits, zero);
                holds.push(terms.and(guard, truth));
            }
        }
    }
    (terms.any(&holds), terms.any(&fault), terms.any(&odd))
}
