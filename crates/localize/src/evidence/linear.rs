//! Arithmetic expressions over the cells of memory, as sums.
//!
//! A [`Cell`] is one number in memory: a variable, or one element of an array.
//! Along a run the index of an element is known, so `a[i]` with `i = 2` *is*
//! the cell `a[2]`; it is shown as `a[i=2]` (H §2.1).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Operations that are no sums, such as `(i + j) / 2`, stand in each other so deep at most.
pub(super) const DEEPEST: usize = 3;

/// The numbers in memory at one moment, by the keys of their cells.
pub type Values = BTreeMap<Arc<str>, i128>;

/// One number in memory. Cells are the same if their keys are.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What tells it from all others.
    pub key: Arc<str>,
    /// The variable, or the array.
    pub name: Arc<str>,
    /// The number of the element.
    pub element: Option<i64>,
    /// How the index was written.
    pub index: Option<Box<Linear>>,
}

impl Cell {
    /// A variable.
    pub fn variable(key: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> Cell {
        Cell { key: key.into(), name: name.into(), element: None, index: None }
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.key == other.key
    }
}

impl Eq for Cell {}

/// A part of a sum: a cell, or an operation that is no sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A number in memory.
    Cell(Cell),
    /// `a / b`, `a * b`, `a & b`.
    Apply(&'static str, Vec<Linear>),
}

/// A sum of atoms with factors, and a number.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// The atoms, in the order in which they were written.
    pub terms: Vec<(Atom, i128)>,
    /// The number.
    pub constant: i128,
}

impl PartialEq for Linear {
    fn eq(&self, other: &Linear) -> bool {
        // Each atom stands in a sum once, so the order is all that may differ.
        self.constant == other.constant
            && self.terms.len() == other.terms.len()
            && self.terms.iter().all(|term| other.terms.contains(term))
    }
}

impl Eq for Linear {}

impl Linear {
    /// A number.
    pub fn number(constant: i128) -> Linear {
        Linear { terms: vec![], constant }
    }

    /// A cell.
    pub fn cell(cell: Cell) -> Linear {
        Linear { terms: vec![(Atom::Cell(cell), 1)], constant: 0 }
    }

    /// `a op b` for an operation that is no sum; computed if both are numbers.
    pub fn apply(op: &'static str, a: Linear, b: Linear) -> Linear {
        let (known_a, known_b) = (a.terms.is_empty().then_some(a.constant), b.terms.is_empty().then_some(b.constant));
        match (op, known_a, known_b) {
            ("*", Some(factor), _) => b.times(factor),
            ("*", _, Some(factor)) => a.times(factor),
            (_, Some(a), Some(b)) if compute(op, a, b).is_some() => Linear::number(compute(op, a, b).unwrap_or(0)),
            _ => Linear { terms: vec![(Atom::Apply(op, vec![a, b]), 1)], constant: 0 },
        }
    }

    /// The number, if it is one.
    pub fn known(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Linear, factor: i128) -> Linear {
        let mut sum = self.clone();
        sum.constant += other.constant * factor;
        for (atom, count) in &other.terms {
            sum.add(atom, count * factor);
        }
        sum
    }

    fn add(&mut self, atom: &Atom, count: i128) {
        match self.terms.iter_mut().find(|(known, _)| known == atom) {
            Some((_, known)) => *known += count,
            None => self.terms.push((atom.clone(), count)),
        }
        self.terms.retain(|(_, count)| *count != 0);
    }

    /// Every part times a factor.
    pub fn times(&self, factor: i128) -> Linear {
        Linear::default().plus(self, factor)
    }

    /// The expression with another one in the place of a cell.
    pub fn substitute(&self, cell: &Cell, by: &Linear) -> Linear {
        let mut out = Linear::number(self.constant);
        for (atom, count) in &self.terms {
            let part = match atom {
                Atom::Cell(found) if found == cell => by.clone(),
                Atom::Cell(found) => {
                    // How an index was written is for the reader, who does not read what is nested so deep.
                    let index = found.index.as_ref().map(|index| Box::new(index.substitute(cell, by)));
                    let index = index.filter(|index| index.depth() <= DEEPEST);
                    Linear::cell(Cell { index, ..found.clone() })
                }
                Atom::Apply(op, parts) => {
                    Linear::apply(op, parts[0].substitute(cell, by), parts[1].substitute(cell, by))
                }
            };
            out = out.plus(&part, *count);
        }
        out
    }

    /// The factor of a cell.
    pub fn factor(&self, cell: &Cell) -> i128 {
        let found = self.terms.iter().find(|(atom, _)| matches!(atom, Atom::Cell(found) if found == cell));
        found.map_or(0, |(_, count)| *count)
    }

    /// Whether a cell occurs in it, in operations too.
    pub fn mentions(&self, cell: &Cell) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Cell(found) => found == cell,
            Atom::Apply(_, parts) => parts.iter().any(|part| part.mentions(cell)),
        })
    }

    /// Whether a cell occurs in it, or in the text of an index.
    pub fn reads(&self, cell: &Cell) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Cell(found) => found == cell || found.index.as_ref().is_some_and(|index| index.reads(cell)),
            Atom::Apply(_, parts) => parts.iter().any(|part| part.reads(cell)),
        })
    }

    /// How deep operations that are no sums stand in each other: 0 in a sum.
    pub fn depth(&self) -> usize {
        let depth = |(atom, _): &(Atom, i128)| match atom {
            Atom::Cell(_) => 0,
            Atom::Apply(_, parts) => 1 + parts.iter().map(Linear::depth).max().unwrap_or(0),
        };
        self.terms.iter().map(depth).max().unwrap_or(0)
    }

    /// The cells of its sum.
    pub fn cells(&self) -> Vec<&Cell> {
        let mut found = vec![];
        for (atom, _) in &self.terms {
            match atom {
                Atom::Cell(cell) => found.push(cell),
                Atom::Apply(_, parts) => found.extend(parts.iter().flat_map(Linear::cells)),
            }
        }
        found
    }

    /// Its value, if all cells have one.
    pub fn value(&self, values: &Values) -> Option<i128> {
        let mut sum = self.constant;
        for (atom, count) in &self.terms {
            let value = match atom {
                Atom::Cell(cell) => *values.get(&cell.key)?,
                Atom::Apply(op, parts) => compute(op, parts[0].value(values)?, parts[1].value(values)?)?,
            };
            sum += value.checked_mul(*count)?;
        }
        Some(sum)
    }
}

/// An operation on numbers.
fn compute(op: &str, a: i128, b: i128) -> Option<i128> {
    match op {
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" if (0..63).contains(&b) => a.checked_shl(b as u32),
        ">>" if (0..63).contains(&b) => Some(a >> b),
        _ => None,
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.element, &self.index) {
            (Some(element), Some(index)) if index.known().is_none() => write!(f, "{}[{index}={element}]", self.name),
            (Some(element), _) => write!(f, "{}[{element}]", self.name),
            (None, _) => write!(f, "{}", self.name),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Cell(cell) => write!(f, "{cell}"),
            Atom::Apply(op, parts) => {
                let part = |part: &Linear| match part.terms.len() + usize::from(part.constant != 0) {
                    0 | 1 => part.to_string(),
                    _ => format!("({part})"),
                };
                write!(f, "{}{op}{}", part(&parts[0]), part(&parts[1]))
            }
        }
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (atom, count) in &self.terms {
            let sign = match (*count < 0, is_first) {
                (true, _) => "-",
                (false, true) => "",
                (false, false) => "+",
            };
            match count.abs() {
                1 => write!(f, "{sign}{atom}")?,
                count => write!(f, "{sign}{count}*{atom}")?,
            }
            is_first = false;
        }
        match (is_first, self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) => write!(f, "{constant:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_substituted_and_shown() {
        let (i, n) = (Cell::variable("i", "i"), Cell::variable("n", "n"));
        let sum = Linear::cell(i.clone()).plus(&Linear::cell(n.clone()), -1);
        assert_eq!(sum.to_string(), "i-n");
        let next = sum.substitute(&i, &Linear::cell(i.clone()).plus(&Linear::number(1), 1));
        assert_eq!(next.to_string(), "i-n+1");
        let element =
            Cell { element: Some(2), index: Some(Box::new(Linear::cell(i.clone()))), ..Cell::variable("a[2]", "a") };
        assert_eq!(Linear::cell(element).to_string(), "a[i=2]");
        let values = Values::from([("i".into(), 4), ("n".into(), 3)]);
        assert_eq!(next.value(&values), Some(2));
    }
}
