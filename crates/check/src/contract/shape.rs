//! What `\valid` says about the shapes of inputs: how many cells a pointer
//! parameter has, and whether it may be null.

use c_syntax::BinaryOp;
use spec::contract::{Binary, Contract, Scope, Term, TermKind, Unary};

/// The cells that a pointer parameter points to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    /// So many, if that is known.
    pub(crate) count: Option<u64>,
    /// The last index that must be there, where the number depends on other inputs.
    pub(crate) last: Vec<Term>,
    /// Whether it may be null.
    pub(crate) nullable: bool,
}

/// The shape of a parameter; none if the contract does not speak of it.
pub(crate) fn shape_of(contract: &Contract, scope: &Scope<'_>, parameter: &str) -> Option<Shape> {
    let is_parameter = |term: &Term| matches!(&term.kind, TermKind::Name(name) if name == parameter);
    let mut shape = Shape { count: None, last: vec![], nullable: false };
    let (mut spoken_of, mut always) = (false, false);
    for clause in &contract.requires {
        for place in places(&clause.predicate) {
            if !base(place).is_some_and(is_parameter) {
                continue;
            }
            spoken_of = true;
            always |= clause.predicate.conjuncts().iter().any(|part| places_here(part).contains(&place));
            match last(place).map(|last| (last.as_ref().and_then(|last| known(last, scope)), last)) {
                Some((Some(known), _)) => shape.count = shape.count.max(Some(known.clamp(0, 4096) as u64 + 1)),
                Some((None, Some(last))) => shape.last.push(last),
                _ => shape.count = shape.count.max(Some(1)),
            }
        }
    }
    let with_null = |term: &Term| match &term.kind {
        TermKind::Binary(Binary::C(BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
            let is_null = |term: &Term| {
                matches!(&term.kind, TermKind::Null | TermKind::Int(0))
                    || matches!(&term.kind, TermKind::Name(name) if name == "NULL")
            };
            is_parameter(a) && is_null(b) || is_parameter(b) && is_null(a)
        }
        TermKind::Unary(Unary::Not, of) => is_parameter(of),
        _ => false,
    };
    let clauses = || contract.requires.iter().chain(&contract.ensures);
    shape.nullable = !always && clauses().any(|clause| clause.predicate.any(&with_null));
    (spoken_of || shape.nullable).then_some(shape)
}

/// The places of `\valid` here, as a conjunct.
fn places_here(term: &Term) -> Vec<&Term> {
    match &term.kind {
        TermKind::Valid(places) => places.iter().collect(),
        _ => vec![],
    }
}

/// The places of `\valid` anywhere.
fn places(term: &Term) -> Vec<&Term> {
    let mut found = places_here(term);
    for part in term.parts() {
        found.extend(places(part));
    }
    found
}

/// The pointer of a place: `a` in `a + (0 .. n-1)` and in `&a[0 .. n-1]`.
pub(crate) fn base(place: &Term) -> Option<&Term> {
    match &place.kind {
        TermKind::Name(_) => Some(place),
        TermKind::Binary(Binary::C(BinaryOp::Add), pointer, _) => base(pointer),
        TermKind::Unary(Unary::AddressOf | Unary::Deref, of) => base(of),
        TermKind::Index(pointer, _) => base(pointer),
        TermKind::Old(of) => base(of),
        _ => None,
    }
}

/// The last index of a place; none inside if it is the first cell only.
fn last(place: &Term) -> Option<Option<Term>> {
    match &place.kind {
        TermKind::Name(_) => Some(None),
        TermKind::Binary(Binary::C(BinaryOp::Add), _, range) | TermKind::Index(_, range) => match &range.kind {
            TermKind::Range(_, high) => high.as_ref().map(|high| Some((**high).clone())),
            _ => Some(Some((**range).clone())),
        },
        TermKind::Unary(Unary::AddressOf | Unary::Deref, of) | TermKind::Old(of) => last(of),
        _ => None,
    }
}

/// The first and last index of a place; the first cell if it says none.
pub(crate) fn bounds(place: &Term) -> (Option<&Term>, Option<&Term>) {
    match &place.kind {
        TermKind::Binary(Binary::C(BinaryOp::Add), _, range) | TermKind::Index(_, range) => match &range.kind {
            TermKind::Range(low, high) => (low.as_deref(), high.as_deref()),
            _ => (Some(range), Some(range)),
        },
        TermKind::Unary(Unary::AddressOf | Unary::Deref, of) | TermKind::Old(of) => bounds(of),
        TermKind::Member(of, _) => bounds(of),
        _ => (None, None),
    }
}

/// The value of a term that does not depend on inputs.
fn known(term: &Term, scope: &Scope<'_>) -> Option<i128> {
    match &term.kind {
        TermKind::Int(value) => Some(*value),
        TermKind::Name(name) => {
            let text = || scope.unit.names.macros.get(name.as_str())?.trim().trim_matches(['(', ')']).parse().ok();
            if scope.variable(name).is_some() { None } else { scope.constant(name).or_else(text) }
        }
        TermKind::Binary(Binary::C(op), a, b) => {
            let (a, b) = (known(a, scope)?, known(b, scope)?);
            match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Subtract => Some(a - b),
                BinaryOp::Multiply => Some(a * b),
                _ => None,
            }
        }
        _ => None,
    }
}
