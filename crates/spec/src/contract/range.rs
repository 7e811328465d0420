//! Over which numbers a quantifier goes.
//!
//! In `\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]` the guard says
//! that `i` goes from `0` to `n - 1` (as `j` does) and `j` from `i + 1`. Only
//! what stands before a name is used for its range, so that nested loops can
//! go through them; the guard itself is tested again inside.

use c_syntax::BinaryOp;

use super::{Binary, Binder, ContractError, Term, TermKind};

/// The range of a bound name, both ends included.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The name.
    pub name: String,
    /// The first number.
    pub low: Term,
    /// The last number.
    pub high: Term,
}

/// `small < large`, or `small <= large`.
struct Order<'a> {
    small: &'a Term,
    large: &'a Term,
    strict: bool,
}

/// The ranges of the names of a quantifier, in order; an error if one has none.
pub fn ranges(all: bool, binders: &[Binder], body: &Term) -> Result<Vec<Range>, ContractError> {
    let orders = orders(all, body);
    let find = |(at, binder): (usize, &Binder)| {
        let later = &binders[at..];
        let low = bound(&orders, binder, later, false, binders.len());
        let high = bound(&orders, binder, later, true, binders.len());
        match (low, high) {
            (Some(low), Some(high)) => Ok(Range { name: binder.name.clone(), low, high }),
            _ => Err(ContractError::new(binder.span, no_range(all, &binder.name))),
        }
    };
    binders.iter().enumerate().map(find).collect()
}

fn no_range(all: bool, name: &str) -> String {
    let (sign, word) = if all { ("==>", "\\forall") } else { ("&&", "\\exists") };
    format!(
        "the numbers that `{name}` stands for have no bounds: write {word} integer {name}; low <= {name} < high {sign} …"
    )
}

/// What the guard says about orders.
fn orders(all: bool, body: &Term) -> Vec<Order<'_>> {
    let mut parts = vec![];
    collect(all, body, &mut parts);
    let mut found = vec![];
    for part in parts {
        let TermKind::Binary(Binary::C(op), a, b) = &part.kind else { continue };
        match op {
            BinaryOp::Less => found.push(Order { small: a, large: b, strict: true }),
            BinaryOp::LessEqual => found.push(Order { small: a, large: b, strict: false }),
            BinaryOp::Greater => found.push(Order { small: b, large: a, strict: true }),
            BinaryOp::GreaterEqual => found.push(Order { small: b, large: a, strict: false }),
            BinaryOp::Equal => {
                found.push(Order { small: a, large: b, strict: false });
                found.push(Order { small: b, large: a, strict: false });
            }
            _ => {}
        }
    }
    found
}

/// The parts of the guard: what stands before `==>`, or all of a conjunction; of nested quantifiers, too.
fn collect<'a>(all: bool, body: &'a Term, parts: &mut Vec<&'a Term>) {
    match &body.kind {
        TermKind::Binary(Binary::Implies, guard, then) if all => {
            parts.extend(guard.conjuncts());
            collect(all, then, parts);
        }
        TermKind::Quantified { all: inner, body, .. } if *inner == all => collect(all, body, parts),
        _ if !all => parts.extend(body.conjuncts()),
        _ => {}
    }
}

fn bound(orders: &[Order<'_>], binder: &Binder, later: &[Binder], high: bool, depth: usize) -> Option<Term> {
    let is = |term: &Term, name: &str| matches!(&term.kind, TermKind::Name(found) if found == name);
    let others = |order: &Order<'_>| {
        let (own, other) = if high { (order.small, order.large) } else { (order.large, order.small) };
        is(own, &binder.name).then(|| (other.clone(), order.strict))
    };
    let found: Vec<(Term, bool)> = orders.iter().filter_map(others).collect();
    let free = |term: &Term| later.iter().all(|binder| !term.mentions(&binder.name));
    if let Some((term, strict)) = found.iter().find(|(term, _)| free(term)) {
        return Some(if *strict { shifted(term, high) } else { term.clone() });
    }
    // The bound is a name that comes later: its own bound is one, too.
    found.iter().find_map(|(term, _)| {
        let other = later.iter().find(|other| is(term, &other.name) && other.name != binder.name)?;
        (depth > 0).then(|| bound(orders, other, later, high, depth - 1)).flatten()
    })
}

/// `term - 1` for the last number below it, `term + 1` for the first above it.
fn shifted(term: &Term, high: bool) -> Term {
    let one = Term::new(TermKind::Int(1), term.span);
    let op = if high { BinaryOp::Subtract } else { BinaryOp::Add };
    Term::binary(Binary::C(op), term.clone(), one)
}
