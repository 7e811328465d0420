//! New predicates from known ones: by equality (`x = e` put into another one)
//! and by transitivity (`a - b <= 0` and `b - c <= 0` give `a - c <= 0`), until
//! nothing new comes, up to a limit (H §3, step 1).

use c_syntax::BinaryOp;

use super::linear::{Atom, Cell, DEEPEST, Linear};
use super::predicate::Predicate;

/// Predicates of one state, at most.
const MOST: usize = 120;
/// Parts of a deduced expression, at most.
const LONGEST: usize = 3;

/// The predicates with what follows from them; all of them hold.
pub fn deduce(known: &[Predicate]) -> Vec<Predicate> {
    let mut all: Vec<Predicate> = known.iter().filter(|predicate| predicate.truth).cloned().collect();
    let mut done = 0;
    while done < all.len() && all.len() < MOST {
        let one = all[done].clone();
        for other in all.clone() {
            for new in [by_equality(&one, &other), by_equality(&other, &one), by_transitivity(&one, &other)] {
                let Some(new) = new else { continue };
                if all.len() < MOST && !new.is_constant() && !all.contains(&new) {
                    all.push(new);
                }
            }
        }
        done += 1;
    }
    all
}

/// A cell of a sum that stands there once, and what it is equal to.
fn solved(equality: &Predicate) -> Option<(Cell, Linear)> {
    if equality.relation != BinaryOp::Equal {
        return None;
    }
    let (atom, factor) = equality.expression.terms.iter().find(|(_, factor)| factor.abs() == 1)?;
    let Atom::Cell(cell) = atom else { return None };
    Some((cell.clone(), solve(equality, cell, *factor)))
}

/// `cell = …` from `expression = number`, where the cell has this factor, 1 or -1.
pub fn solve(equality: &Predicate, cell: &Cell, factor: i128) -> Linear {
    let rest = equality.expression.plus(&Linear::cell(cell.clone()), -factor);
    Linear::number(equality.constant).plus(&rest, -1).times(factor)
}

fn by_equality(equality: &Predicate, other: &Predicate) -> Option<Predicate> {
    let (cell, value) = solved(equality)?;
    if !other.mentions(&cell) || equality == other {
        return None;
    }
    let new = other.substitute(&cell, &value);
    (new.expression.terms.len() <= LONGEST && new.expression.depth() <= DEEPEST).then_some(new)
}

/// The sum of two orders in which a cell goes away.
fn by_transitivity(a: &Predicate, b: &Predicate) -> Option<Predicate> {
    let (a, b) = (upwards(a)?, upwards(b)?);
    let shared = a.expression.cells().into_iter().any(|cell| a.expression.factor(cell) == -b.expression.factor(cell));
    if !shared {
        return None;
    }
    let expression = a.expression.plus(&b.expression, 1);
    let strict = a.relation == BinaryOp::Less || b.relation == BinaryOp::Less;
    let relation = if strict { BinaryOp::Less } else { BinaryOp::LessEqual };
    let new = Predicate { expression, relation, constant: a.constant + b.constant, truth: true };
    (new.expression.terms.len() <= LONGEST).then_some(new)
}

/// The predicate as `…<…` or `…<=…`.
fn upwards(predicate: &Predicate) -> Option<Predicate> {
    match predicate.relation {
        BinaryOp::Less | BinaryOp::LessEqual => Some(predicate.clone()),
        BinaryOp::Greater | BinaryOp::GreaterEqual => Some(predicate.flipped()),
        _ => None,
    }
}
