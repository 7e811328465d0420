//! The two players: simple proposals, and nasty counterexamples (K §III-G).

use check::Example;
use encode::program::Inputs;
use solver::{Answer, Limits, Model, Optimum, Soft, Solver, Strategy, Term, Terms};

use crate::scheme::template::ParameterKind;

/// What counts as a small number.
const SMALL: i64 = 10;
/// What counts as a large one.
const LARGE: i64 = 1000;

/// How proposals and counterexamples are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristics {
    /// Proposals have many zeros and small numbers.
    pub simple: bool,
    /// Counterexamples have large values that have nothing to do with each other.
    pub nasty: bool,
}

impl Default for Heuristics {
    fn default() -> Self {
        Heuristics { simple: true, nasty: true }
    }
}

/// A parameter and its term.
pub(super) struct Unknown {
    pub(super) kind: ParameterKind,
    pub(super) term: Term,
}

impl Unknown {
    /// That it is one of the values that it can have.
    pub(super) fn range(&self, terms: &mut Terms) -> Option<Term> {
        let ParameterKind::Which(count) = self.kind else { return None };
        let count = terms.bits(count, self.kind.width());
        Some(terms.ult(self.term, count))
    }

    pub(super) fn value(&self, model: &Model) -> i128 {
        let value = model.get(self.term).unwrap_or(0);
        match self.kind {
            ParameterKind::Which(_) => i128::from(value),
            kind => i128::from((value << (64 - kind.width())) as i64 >> (64 - kind.width())),
        }
    }

    /// Whether it is a large number that is not in the program.
    pub(super) fn is_strange(&self, model: &Model, constants: &[i64]) -> bool {
        let value = self.value(model);
        let is_known = constants.iter().any(|constant| i128::from(*constant) == value);
        self.kind == ParameterKind::Number && value.abs() > i128::from(SMALL) && !is_known
    }

    /// Wishes of simple proposals (ρ₁): zero, or at least small, or a number that is in the program.
    fn wishes(&self, terms: &mut Terms, constants: &[i64], wishes: &mut Vec<Soft>) {
        let width = self.kind.width();
        let zero = terms.bits(0, width);
        let is_zero = terms.eq(self.term, zero);
        let small = if self.kind == ParameterKind::Coefficient { 1 } else { SMALL };
        let mask = u64::MAX >> (64 - width);
        let (low, high) = (terms.bits(-small as u64 & mask, width), terms.bits(small as u64, width));
        let (above, below) = (terms.sle(low, self.term), terms.sle(self.term, high));
        let is_small = terms.and(above, below);
        match self.kind {
            ParameterKind::Which(_) => {}
            ParameterKind::Coefficient => {
                wishes.push(Soft { term: is_zero, weight: 2 });
                wishes.push(Soft { term: is_small, weight: 1 });
            }
            ParameterKind::Number => {
                let mut known = vec![is_small];
                for constant in constants {
                    let constant = terms.bits(*constant as u64 & mask, width);
                    known.push(terms.eq(self.term, constant));
                }
                wishes.push(Soft { term: is_zero, weight: 1 });
                wishes.push(Soft { term: terms.any(&known), weight: 1 });
            }
        }
    }
}

/// What a player answers.
pub(super) enum Move {
    /// Values.
    Model(Model),
    /// There are none.
    None,
    /// Time is up.
    OutOfTime,
}

impl From<Answer<()>> for Move {
    fn from(answer: Answer<()>) -> Move {
        match answer {
            Answer::Sat(model) => Move::Model(model),
            Answer::Unsat(_) => Move::None,
            Answer::Unknown(_) => Move::OutOfTime,
        }
    }
}

fn best(optimum: Optimum<()>) -> Move {
    match optimum {
        Optimum::Optimal { model, .. } | Optimum::Bounded { best: Some((_, model)), .. } => Move::Model(model),
        Optimum::Unsat(_) => Move::None,
        Optimum::Bounded { best: None, .. } => Move::OutOfTime,
    }
}

/// Values of the parameters that meet what the solver knows, simple ones if that is wanted.
pub(super) fn propose(
    solver: &mut Solver<()>,
    terms: &mut Terms,
    unknowns: &[Unknown],
    constants: &[i64],
    is_simple: bool,
    limits: &Limits,
) -> Move {
    if !is_simple {
        return solver.check(terms, &[], limits).into();
    }
    let mut wishes = vec![];
    unknowns.iter().for_each(|unknown| unknown.wishes(terms, constants, &mut wishes));
    best(solver.maximize(terms, &wishes, Strategy::CoreGuided, limits))
}

/// An input with which the program is wrong, a nasty one if that is wanted.
pub(super) fn refute(
    terms: &mut Terms,
    inputs: &Inputs,
    wrong: Term,
    is_nasty: bool,
    limits: &Limits,
    seed: u64,
) -> Result<Option<Example>, ()> {
    let mut solver: Solver<()> = Solver::embedded();
    solver.assert(terms, wrong);
    let found = if is_nasty {
        // ρ₂: large values.
        let mut wishes = vec![];
        for input in &inputs.all {
            let (low, high) = (terms.bits(-LARGE as u64, 64), terms.bits(LARGE as u64, 64));
            let (under, over) = (terms.sle(input.term, low), terms.sle(high, input.term));
            wishes.push(Soft { term: terms.or(under, over), weight: 1 });
        }
        best(solver.maximize(terms, &wishes, Strategy::CoreGuided, limits))
    } else {
        solver.check(terms, &[], limits).into()
    };
    match found {
        Move::None => Ok(None),
        Move::OutOfTime => Err(()),
        Move::Model(model) => {
            let example = Example::of(terms, inputs, &model);
            let example = if is_nasty { check::randomize(terms, inputs, wrong, &example, seed) } else { example };
            Ok(Some(example))
        }
    }
}
