//! What a cell may hold: one value, or one of several under conditions.
//!
//! After `p = q` may have become `p = NULL`, the cell of `p` holds
//! `[(changed, 0), (not changed, n3)]`. The conditions exclude each other;
//! where none of them holds the run is ruled out by a constraint.

use std::rc::Rc;

use solver::{Term, Terms};

use crate::cell::Cell;

/// More different integers than this in one cell become a bit-vector.
const MOST_INTEGERS: usize = 20;

/// One of the things that a cell may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Atom {
    /// This.
    Cell(Cell),
    /// The integer of a bit-vector of 64 bits, read as signed.
    Bits(Term),
}

/// What a cell may hold.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Only this.
    One(Atom),
    /// One of these.
    Many(Rc<[(Term, Atom)]>),
}

impl Value {
    /// Never written.
    pub(super) const UNSET: Value = Value::One(Atom::Cell(Cell::Unset));

    pub(super) fn cell(cell: Cell) -> Value {
        Value::One(Atom::Cell(cell))
    }

    pub(super) fn int(value: i64) -> Value {
        Value::cell(Cell::Int(value))
    }

    /// The cell, where only one is possible.
    pub(super) fn known(&self) -> Option<Cell> {
        match self {
            Value::One(Atom::Cell(cell)) => Some(*cell),
            _ => None,
        }
    }

    /// All that is possible, with the conditions.
    pub(super) fn parts(&self, terms: &mut Terms) -> Vec<(Term, Atom)> {
        match self {
            Value::One(atom) => vec![(terms.constant(true), *atom)],
            Value::Many(parts) => parts.to_vec(),
        }
    }

    /// The condition under which it is never written.
    pub(super) fn unset(&self, terms: &mut Terms) -> Term {
        match self {
            Value::One(atom) => terms.constant(*atom == Atom::Cell(Cell::Unset)),
            Value::Many(parts) => {
                let unset = parts.iter().find(|part| part.1 == Atom::Cell(Cell::Unset)).map(|part| part.0);
                unset.unwrap_or_else(|| terms.constant(false))
            }
        }
    }

    /// The same value but for "never written".
    pub(super) fn without_unset(&self, terms: &mut Terms) -> Value {
        match self {
            Value::One(Atom::Cell(Cell::Unset)) => Value::Many([].into()),
            Value::Many(parts) if parts.iter().any(|part| part.1 == Atom::Cell(Cell::Unset)) => {
                let mut rest = Parts::default();
                let set = parts.iter().filter(|part| part.1 != Atom::Cell(Cell::Unset));
                set.for_each(|part| rest.add(part.0, part.1));
                rest.finish(terms)
            }
            _ => self.clone(),
        }
    }

    /// Whether both are the same.
    pub(super) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::One(a), Value::One(b)) => a == b,
            (Value::Many(a), Value::Many(b)) => Rc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }

    /// 1 where `truth` holds, else 0.
    pub(super) fn truth(terms: &mut Terms, truth: Term) -> Value {
        let not = terms.not(truth);
        let mut parts = Parts::default();
        parts.add(truth, Atom::Cell(Cell::Int(1)));
        parts.add(not, Atom::Cell(Cell::Int(0)));
        parts.finish(terms)
    }

    /// `then` where the condition holds, else `other`.
    pub(super) fn ite(terms: &mut Terms, condition: Term, then: &Value, other: &Value) -> Value {
        match terms.value(condition) {
            Some(1) => return then.clone(),
            Some(_) => return other.clone(),
            None if then.is_same(other) => return then.clone(),
            None => {}
        }
        let (then, other) = (then.parts(terms), other.parts(terms));
        let no = terms.constant(false);
        let not = terms.not(condition);
        let mut parts = Parts::default();
        for &(guard, atom) in &then {
            match atom {
                Atom::Bits(_) => parts.add(terms.and(condition, guard), atom),
                Atom::Cell(_) => {
                    let also = other.iter().find(|part| part.1 == atom).map_or(no, |part| part.0);
                    parts.add(terms.ite(condition, guard, also), atom);
                }
            }
        }
        for &(guard, atom) in &other {
            if matches!(atom, Atom::Bits(_)) || !then.iter().any(|part| part.1 == atom) {
                parts.add(terms.and(not, guard), atom);
            }
        }
        parts.finish(terms)
    }
}

/// Collects what a cell may hold.
#[derive(Default)]
pub(super) struct Parts {
    list: Vec<(Atom, Vec<Term>)>,
}

impl Parts {
    pub(super) fn add(&mut self, guard: Term, atom: Atom) {
        match self.list.iter_mut().find(|part| part.0 == atom) {
            Some(part) => part.1.push(guard),
            None => self.list.push((atom, vec![guard])),
        }
    }

    /// All of `value` under a condition.
    pub(super) fn add_value(&mut self, terms: &mut Terms, guard: Term, value: &Value) {
        for (inner, atom) in value.parts(terms) {
            let both = terms.and(guard, inner);
            self.add(both, atom);
        }
    }

    pub(super) fn finish(self, terms: &mut Terms) -> Value {
        let mut parts: Vec<(Term, Atom)> = Vec::with_capacity(self.list.len());
        for (atom, guards) in self.list {
            let guard = terms.any(&guards);
            match terms.value(guard) {
                Some(0) => {}
                Some(_) => return Value::One(atom),
                None => parts.push((guard, atom)),
            }
        }
        let bits = parts.iter().filter(|part| matches!(part.1, Atom::Bits(_))).count();
        let integers = parts.iter().filter(|part| is_integer(part.1)).count();
        if bits > 1 || integers > MOST_INTEGERS {
            parts = collapse(terms, parts);
        }
        match parts[..] {
            // Where its condition does not hold, the run is ruled out anyway.
            [(_, only)] => Value::One(only),
            _ => Value::Many(parts.into()),
        }
    }
}

pub(super) fn is_integer(atom: Atom) -> bool {
    matches!(atom, Atom::Bits(_) | Atom::Cell(Cell::Int(_)))
}

/// All integers in one bit-vector.
fn collapse(terms: &mut Terms, parts: Vec<(Term, Atom)>) -> Vec<(Term, Atom)> {
    let (integers, mut rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| is_integer(part.1));
    let (guard, bits) = integer(terms, &integers);
    rest.push((guard, Atom::Bits(bits)));
    rest
}

/// Where one of these integers is meant, and which it is.
pub(super) fn integer(terms: &mut Terms, integers: &[(Term, Atom)]) -> (Term, Term) {
    let mut bits: Option<Term> = None;
    for &(guard, atom) in integers {
        let value = match atom {
            Atom::Bits(term) => term,
            Atom::Cell(Cell::Int(value)) => terms.bits(value as u64, 64),
            Atom::Cell(_) => continue,
        };
        bits = Some(bits.map_or(value, |rest| terms.ite(guard, value, rest)));
    }
    let guards: Vec<Term> = integers.iter().map(|part| part.0).collect();
    (terms.any(&guards), bits.unwrap_or_else(|| terms.bits(0, 64)))
}
