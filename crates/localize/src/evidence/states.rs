//! The states along a run: what should hold before each statement so that the
//! postcondition holds (`R`), and what does hold (`Q`).
//!
//! `R_i` is the path-based weakest precondition: assignments are substituted
//! backwards, conditions change nothing (H §2.2, §2.3). `Q_i` is what earlier
//! statements brought about and no later one killed, with the conditions that
//! follow, brought back to `i` (H §2.4).

use super::linear::{Cell, DEEPEST, Linear};
use super::predicate::{Formula, Predicate};
use super::trace::{Instance, Kind, Trace};

/// A predicate of `R_i` and how it came about.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// It.
    pub predicate: Predicate,
    /// Its number in the conjunction of the postcondition.
    pub number: usize,
}

/// A predicate of `Q_i`, and the instance it comes from.
#[derive(Clone, Debug)]
pub struct Actual {
    /// It.
    pub predicate: Predicate,
    /// The instance; none if it is part of the precondition.
    pub from: Option<usize>,
    /// Whether it is brought back from a later condition.
    pub backward: bool,
}

/// `pwp(statement, predicate)`
///
/// In a loop with `e = (i + j) / 2` each round would put quotients into quotients, and the
/// predicate would double: what lies too deep is the number that the run had there.
pub fn weakest(instance: &Instance, predicate: &Predicate) -> Predicate {
    match &instance.kind {
        Kind::Assign { target, value, .. } => {
            let is_deep = predicate.expression.depth() + value.depth() > DEEPEST;
            match value.value(&instance.values).filter(|_| is_deep) {
                Some(number) => predicate.substitute(target, &Linear::number(number)),
                None => predicate.substitute(target, value),
            }
        }
        Kind::Branch { .. } => predicate.clone(),
        Kind::Opaque(changed) => {
            let substitute =
                |found: Predicate, (cell, value): &(Cell, i128)| found.substitute(cell, &Linear::number(*value));
            changed.iter().fold(predicate.clone(), substitute)
        }
    }
}

/// `R_i` for every point: `R[0]` before the first instance, the last one is the conjunction itself.
pub fn hypothesized(trace: &Trace, conjunction: &[Predicate]) -> Vec<Vec<Wanted>> {
    let wanted = |(number, predicate): (usize, &Predicate)| Wanted { predicate: predicate.clone(), number };
    let mut points = vec![conjunction.iter().enumerate().map(wanted).collect::<Vec<_>>()];
    for instance in trace.instances.iter().rev() {
        let after = points.last().expect("there is one");
        let before =
            |wanted: &Wanted| Wanted { predicate: weakest(instance, &wanted.predicate), number: wanted.number };
        points.push(after.iter().map(before).collect());
    }
    points.reverse();
    points
}

/// The assignments from a point on that a predicate of the postcondition depends on (`pwpSlice`).
pub fn slice(trace: &Trace, predicate: &Predicate, from: usize) -> Vec<usize> {
    let mut found = vec![];
    let mut current = predicate.clone();
    for (number, instance) in trace.instances.iter().enumerate().skip(from).rev() {
        let matters = match &instance.kind {
            Kind::Assign { target, .. } => current.mentions(target),
            Kind::Opaque(changed) => changed.iter().any(|(cell, _)| current.mentions(cell)),
            Kind::Branch { .. } => false,
        };
        if matters {
            found.push(number);
            current = weakest(instance, &current);
        }
    }
    found.reverse();
    found
}

/// The equality that an assignment brings about; none if the target is part of its own value.
pub fn equality(instance: &Instance) -> Option<Predicate> {
    let Kind::Assign { target, value, .. } = &instance.kind else { return None };
    if value.mentions(target) {
        return None;
    }
    let mut after = (*instance.values).clone();
    after.insert(target.key.clone(), value.value(&instance.values)?);
    Predicate::new(&Linear::cell(target.clone()), c_syntax::BinaryOp::Equal, value, &after)
}

/// `Q_i` for every point.
pub fn actual(trace: &Trace, precondition: &[Predicate]) -> Vec<Vec<Actual>> {
    let forward = forward(trace, precondition);
    let backward = backward(trace);
    forward.into_iter().zip(backward).map(|(forward, backward)| [forward, backward].concat()).collect()
}

fn forward(trace: &Trace, precondition: &[Predicate]) -> Vec<Vec<Actual>> {
    let given = |predicate: &Predicate| Actual { predicate: predicate.clone(), from: None, backward: false };
    let mut points = vec![precondition.iter().filter(|predicate| predicate.truth).map(given).collect::<Vec<_>>()];
    for (number, instance) in trace.instances.iter().enumerate() {
        let mut next = points.last().expect("there is one").clone();
        let gen_ = |predicate: Predicate| Actual { predicate, from: Some(number), backward: false };
        match &instance.kind {
            Kind::Assign { target, .. } => {
                // `s-a[i=1]<0` is killed by an assignment to `i`, too: it was said of `a[i]`.
                next.retain(|actual| !actual.predicate.expression.reads(target));
                next.extend(equality(instance).map(gen_));
            }
            Kind::Branch { held, .. } => next.extend(conjuncts(held).into_iter().map(gen_)),
            Kind::Opaque(changed) => {
                next.retain(|actual| changed.iter().all(|(cell, _)| !actual.predicate.mentions(cell)));
            }
        }
        points.push(next);
    }
    points
}

fn backward(trace: &Trace) -> Vec<Vec<Actual>> {
    let mut points: Vec<Vec<Actual>> = vec![vec![]];
    for (number, instance) in trace.instances.iter().enumerate().rev() {
        let after = points.last().expect("there is one");
        let mut before: Vec<Actual> = after
            .iter()
            .map(|actual| Actual { predicate: weakest(instance, &actual.predicate), ..actual.clone() })
            .collect();
        if let Kind::Branch { held, .. } = &instance.kind {
            let own = |predicate| Actual { predicate, from: Some(number), backward: true };
            before.extend(conjuncts(held).into_iter().map(own));
        }
        points.push(before);
    }
    points.reverse();
    points
}

/// The predicates that a condition shows to hold: all of a conjunction, the true ones of a disjunction.
fn conjuncts(held: &Formula) -> Vec<Predicate> {
    held.atoms().into_iter().filter(|predicate| predicate.truth).cloned().collect()
}
