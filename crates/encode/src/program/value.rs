//! What a variable or a piece of memory holds, for all inputs at once.
//!
//! An integer is a bit-vector as wide as its type. A pointer is one of several
//! places, each under a guard; the guards of one pointer exclude each other.
//! What may not have been written yet knows where it has been ([`Content`]).

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use solver::{Node, Term, Terms};

use super::arithmetic::mask;

/// A value that has been written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// An integer, as wide as its type; a `_Bool` has eight bits.
    Int(Term),
    /// One of these places.
    Pointer(Rc<[(Term, Target)]>),
    /// A struct or union: its cells by offset, with their sizes.
    Record(Rc<[(u64, u64, Content)]>),
    /// Something that is not modelled, such as a floating number.
    Opaque,
}

/// Where a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Nowhere.
    Null,
    /// Into an object, so many bytes from its start (64 bits).
    Object(usize, Term),
    /// To a function, by its number in the program.
    Function(usize),
    /// To an argument of the command line.
    Argument(u32),
    /// A stream such as `stdout`, which only the library looks into.
    Stream,
}

/// What a variable or a piece of memory holds, if it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// It was never written.
    Unset,
    /// It was written.
    Set(Value),
    /// It was written where this holds.
    Mixed(Value, Term),
}

impl Value {
    pub(super) fn pointer(terms: &mut Terms, target: Target) -> Value {
        Value::Pointer([(terms.constant(true), target)].into())
    }

    pub(super) fn null(terms: &mut Terms) -> Value {
        Value::pointer(terms, Target::Null)
    }
}

/// `then` where `condition` holds, otherwise `other`.
pub(super) fn choose(terms: &mut Terms, condition: Term, then: &Value, other: &Value) -> Value {
    match (then, other) {
        _ if then == other => then.clone(),
        (Value::Int(a), Value::Int(b)) if terms.width(*a) == terms.width(*b) => {
            Value::Int(terms.ite(condition, *a, *b))
        }
        (Value::Pointer(a), Value::Pointer(b)) => choose_pointer(terms, condition, a, b),
        (Value::Record(a), Value::Record(b)) => choose_record(terms, condition, a, b),
        _ => Value::Opaque,
    }
}

fn choose_pointer(terms: &mut Terms, condition: Term, then: &[(Term, Target)], other: &[(Term, Target)]) -> Value {
    let negated = terms.not(condition);
    let mut parts: Vec<(Term, Target)> = Vec::new();
    for (guard, side) in [(condition, then), (negated, other)] {
        for (inner, target) in side {
            let both = terms.and(guard, *inner);
            add_part(terms, &mut parts, both, target.clone());
        }
    }
    Value::Pointer(parts.into())
}

/// Adds a possibility; the same object is one possibility with a chosen offset.
pub(super) fn add_part(terms: &mut Terms, parts: &mut Vec<(Term, Target)>, guard: Term, target: Target) {
    if terms.value(guard) == Some(0) {
        return;
    }
    for (known, present) in parts.iter_mut() {
        match (&*present, &target) {
            (Target::Object(a, x), Target::Object(b, y)) if a == b => {
                let offset = terms.ite(*known, *x, *y);
                *present = Target::Object(*a, offset);
            }
            (a, b) if a == b => {}
            _ => continue,
        }
        *known = terms.or(*known, guard);
        return;
    }
    parts.push((guard, target));
}

fn choose_record(
    terms: &mut Terms,
    condition: Term,
    then: &[(u64, u64, Content)],
    other: &[(u64, u64, Content)],
) -> Value {
    let map = |cells: &[(u64, u64, Content)]| -> Cells {
        cells.iter().map(|(offset, size, content)| (*offset, (*size, content.clone()))).collect()
    };
    let missing = |_: &mut Terms, _, _: &Content| Content::Unset;
    let cells = choose_cells(terms, condition, (map(then), &missing), (map(other), &missing));
    Value::Record(cells.into_iter().map(|(offset, (size, content))| (offset, size, content)).collect())
}

/// Cells by offset: their sizes, and what they hold. They do not overlap.
pub(super) type Cells = BTreeMap<u64, (u64, Content)>;

/// What bytes hold that have no cell, in the form of another cell.
pub(super) type Missing<'a> = &'a dyn Fn(&mut Terms, u64, &Content) -> Content;

/// The cells of `then` where `condition` holds, otherwise those of `other`.
pub(super) fn choose_cells(
    terms: &mut Terms,
    condition: Term,
    (mut then, in_then): (Cells, Missing<'_>),
    (mut other, in_other): (Cells, Missing<'_>),
) -> Cells {
    align(terms, &mut then, &mut other);
    align(terms, &mut other, &mut then);
    let mut cells = Cells::new();
    for (offset, (size, content)) in &then {
        let rest = match other.get(offset) {
            Some(cell) => cell.1.clone(),
            None => in_other(terms, *size, content),
        };
        cells.insert(*offset, (*size, choose_content(terms, condition, content, &rest)));
    }
    for (offset, (size, content)) in &other {
        if !then.contains_key(offset) {
            let known = in_then(terms, *size, content);
            cells.insert(*offset, (*size, choose_content(terms, condition, &known, content)));
        }
    }
    cells
}

/// Where cells of both overlap without being the same, makes bytes of them.
fn align(terms: &mut Terms, left: &mut Cells, right: &mut Cells) {
    let differs = |(offset, (size, _)): (&u64, &(u64, Content))| {
        let (start, end) = (*offset, offset.saturating_add(*size));
        let mut hit = right.range(start.saturating_sub(15)..end).filter(|(o, cell)| o.saturating_add(cell.0) > start);
        hit.any(|(o, cell)| (*o, cell.0) != (start, *size)).then_some(start)
    };
    let starts: Vec<u64> = left.iter().filter_map(differs).collect();
    for start in starts {
        let end = start.saturating_add(left[&start].0);
        let across: Vec<u64> = right
            .range(start.saturating_sub(15)..end)
            .filter(|(o, cell)| o.saturating_add(cell.0) > start && cell.0 > 1)
            .map(|cell| *cell.0)
            .collect();
        across.into_iter().for_each(|start| explode(terms, right, start));
        explode(terms, left, start);
    }
}

/// Makes single bytes of a cell.
fn explode(terms: &mut Terms, cells: &mut Cells, start: u64) {
    let Some((size, content)) = cells.remove(&start) else { return };
    for at in 0..size {
        cells.insert(start + at, (1, byte_of(terms, &content, at as u32)));
    }
}

/// A byte of a cell, counted from its start.
pub(super) fn byte_of(terms: &mut Terms, content: &Content, at: u32) -> Content {
    let low = at * 8;
    let byte = |terms: &mut Terms, value: &Value| match value {
        Value::Int(term) => Value::Int(terms.extract(*term, low + 7, low)),
        Value::Pointer(parts) if parts.iter().all(|part| part.1 == Target::Null) => Value::Int(terms.bits(0, 8)),
        _ => Value::Opaque,
    };
    match content {
        Content::Unset => Content::Unset,
        Content::Set(value) => Content::Set(byte(terms, value)),
        Content::Mixed(value, set) => Content::Mixed(byte(terms, value), *set),
    }
}

/// `then` where `condition` holds, otherwise `other`.
pub(super) fn choose_content(terms: &mut Terms, condition: Term, then: &Content, other: &Content) -> Content {
    if then == other {
        return then.clone();
    }
    let value = match (then.value(), other.value()) {
        (Some(a), Some(b)) => choose(terms, condition, a, b),
        (Some(value), None) | (None, Some(value)) => value.clone(),
        (None, None) => return Content::Unset,
    };
    let (a, b) = (then.is_set(terms), other.is_set(terms));
    let set = terms.ite(condition, a, b);
    match terms.value(set) {
        Some(1) => Content::Set(value),
        Some(_) => Content::Unset,
        None => Content::Mixed(value, set),
    }
}

impl Content {
    /// The value, where it was written.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Content::Unset => None,
            Content::Set(value) | Content::Mixed(value, _) => Some(value),
        }
    }

    /// Where it was written.
    pub(super) fn is_set(&self, terms: &mut Terms) -> Term {
        match self {
            Content::Unset => terms.constant(false),
            Content::Set(_) => terms.constant(true),
            Content::Mixed(_, set) => *set,
        }
    }
}

/// The few values that an integer can have, if it is a choice between constants.
pub(super) fn possible(terms: &Terms, term: Term, most: usize) -> Option<Vec<u64>> {
    Possible { terms, most, known: HashMap::new() }.of(term)
}

/// Terms share their parts, so what is known of each is kept.
struct Possible<'a> {
    terms: &'a Terms,
    most: usize,
    known: HashMap<Term, Option<Vec<u64>>>,
}

impl Possible<'_> {
    fn of(&mut self, term: Term) -> Option<Vec<u64>> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let found = self.find(term).and_then(|mut found| {
            found.sort_unstable();
            found.dedup();
            (found.len() <= self.most).then_some(found)
        });
        self.known.insert(term, found.clone());
        found
    }

    fn find(&mut self, term: Term) -> Option<Vec<u64>> {
        match self.terms.node(term) {
            Node::Constant { value, .. } => Some(vec![*value]),
            Node::Ite(_, a, b) => Some([self.of(*a)?, self.of(*b)?].concat()),
            Node::ZeroExtend { term: inner, .. } => self.of(*inner),
            Node::SignExtend { term: inner, width } => {
                let narrow = 64 - self.terms.width(*inner);
                let extend = |value: u64| ((value << narrow) as i64 >> narrow) as u64 & mask(*width);
                Some(self.of(*inner)?.into_iter().map(extend).collect())
            }
            Node::Extract { term: inner, low, width } => {
                Some(self.of(*inner)?.into_iter().map(|value| value >> low & mask(*width)).collect())
            }
            Node::Sum { constant, parts } => {
                let width = self.terms.width(term);
                let mut sums = vec![*constant];
                for (factor, part) in parts.iter() {
                    let values = self.of(*part)?;
                    let each = |sum: &u64| -> Vec<u64> {
                        values.iter().map(|value| sum.wrapping_add(factor.wrapping_mul(*value)) & mask(width)).collect()
                    };
                    sums = sums.iter().flat_map(each).collect();
                    sums.sort_unstable();
                    sums.dedup();
                    if sums.len() > self.most {
                        return None;
                    }
                }
                Some(sums)
            }
            _ => None,
        }
    }
}
