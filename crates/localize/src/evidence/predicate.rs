//! Atomic predicates `expression relation number`, with their truth in the run,
//! and formulas of them in disjunctive normal form (H §2.1).

use std::fmt;

use c_syntax::BinaryOp;

use super::linear::{Cell, Linear, Values};

/// An atomic predicate: the expression has no number of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The left side.
    pub expression: Linear,
    /// How it is compared.
    pub relation: BinaryOp,
    /// The right side.
    pub constant: i128,
    /// Whether it holds in the run.
    pub truth: bool,
}

impl Predicate {
    /// `a relation b`, with the values at its moment.
    pub fn new(a: &Linear, relation: BinaryOp, b: &Linear, values: &Values) -> Option<Predicate> {
        let mut expression = a.plus(b, -1);
        let constant = -std::mem::take(&mut expression.constant);
        let truth = holds(expression.value(values)?, relation, constant);
        Some(Predicate { expression, relation, constant, truth })
    }

    /// `0 = 1`: what no run can make true.
    pub fn never() -> Predicate {
        Predicate { expression: Linear::default(), relation: BinaryOp::Equal, constant: 1, truth: false }
    }

    /// The opposite.
    pub fn negated(&self) -> Predicate {
        Predicate { relation: negated(self.relation), truth: !self.truth, ..self.clone() }
    }

    /// With another expression in the place of a cell; it is as true as before (H §2.2).
    pub fn substitute(&self, cell: &Cell, by: &Linear) -> Predicate {
        let mut expression = self.expression.substitute(cell, by);
        let constant = self.constant - std::mem::take(&mut expression.constant);
        Predicate { expression, constant, ..self.clone() }
    }

    /// The same predicate with the expression the other way round.
    pub fn flipped(&self) -> Predicate {
        Predicate {
            expression: self.expression.times(-1),
            relation: flipped(self.relation),
            constant: -self.constant,
            truth: self.truth,
        }
    }

    /// Whether no variable is in it.
    pub fn is_constant(&self) -> bool {
        self.expression.terms.is_empty()
    }

    /// Whether a cell is in it.
    pub fn mentions(&self, cell: &Cell) -> bool {
        self.expression.mentions(cell)
    }

    /// Whether it holds with other values; none if one is missing.
    pub fn holds_with(&self, values: &Values) -> Option<bool> {
        Some(holds(self.expression.value(values)?, self.relation, self.constant))
    }
}

fn holds(left: i128, relation: BinaryOp, right: i128) -> bool {
    match relation {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        _ => left >= right,
    }
}

/// The relation that holds where this one does not.
pub fn negated(relation: BinaryOp) -> BinaryOp {
    use BinaryOp::*;
    match relation {
        Equal => NotEqual,
        NotEqual => Equal,
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        _ => Less,
    }
}

/// The relation with its sides exchanged.
pub fn flipped(relation: BinaryOp) -> BinaryOp {
    use BinaryOp::*;
    match relation {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        other => other,
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.relation == BinaryOp::Equal { "=" } else { self.relation.text() };
        write!(f, "({}{relation}{})", self.expression, self.constant)
    }
}

/// A predicate with its truth: `(s-a[1]>=0)^F`.
pub fn with_truth(predicate: &Predicate) -> String {
    format!("{predicate}^{}", if predicate.truth { "T" } else { "F" })
}

/// A formula of predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Known.
    Truth(bool),
    /// A predicate.
    Atom(Predicate),
    /// All of these.
    All(Vec<Formula>),
    /// One of these.
    Any(Vec<Formula>),
}

/// Conjunctions of one formula, at most.
const MOST_CONJUNCTIONS: usize = 128;

impl Formula {
    /// Whether it holds in the run.
    pub fn truth(&self) -> bool {
        match self {
            Formula::Truth(truth) => *truth,
            Formula::Atom(predicate) => predicate.truth,
            Formula::All(all) => all.iter().all(Formula::truth),
            Formula::Any(any) => any.iter().any(Formula::truth),
        }
    }

    /// The opposite.
    pub fn negated(&self) -> Formula {
        match self {
            Formula::Truth(truth) => Formula::Truth(!truth),
            Formula::Atom(predicate) => Formula::Atom(predicate.negated()),
            Formula::All(all) => Formula::Any(all.iter().map(Formula::negated).collect()),
            Formula::Any(any) => Formula::All(any.iter().map(Formula::negated).collect()),
        }
    }

    /// Its predicates.
    pub fn atoms(&self) -> Vec<&Predicate> {
        match self {
            Formula::Truth(_) => vec![],
            Formula::Atom(predicate) => vec![predicate],
            Formula::All(parts) | Formula::Any(parts) => parts.iter().flat_map(Formula::atoms).collect(),
        }
    }

    /// The conjunctions of its disjunctive normal form; those beyond a limit are left out.
    pub fn conjunctions(&self) -> Vec<Vec<Predicate>> {
        match self {
            Formula::Truth(true) => vec![vec![]],
            Formula::Truth(false) => vec![vec![Predicate::never()]],
            Formula::Atom(predicate) => vec![vec![predicate.clone()]],
            Formula::Any(any) => any.iter().flat_map(Formula::conjunctions).take(MOST_CONJUNCTIONS).collect(),
            Formula::All(all) => {
                let mut found = vec![vec![]];
                for part in all {
                    let parts = part.conjunctions();
                    let join = |before: &Vec<Predicate>| {
                        let joined = parts.iter().map(|more| [&before[..], &more[..]].concat());
                        joined.collect::<Vec<_>>()
                    };
                    found = found.iter().flat_map(join).take(MOST_CONJUNCTIONS).collect();
                }
                found
            }
        }
    }
}
