//! Evidence along path-based weakest preconditions (He and Gupta).
//!
//! A function has a contract and a failing run. The run is written as instances
//! of statements ([`trace`]), the contract expanded for it ([`expand`]); going
//! back from the end, what should hold is compared with what does ([`states`],
//! [`deduce`]), and where both contradict each other there is evidence of a
//! fault ([`find`]). In `if (s >= a[i]) s = a[i];` of a wrong maximum, the run
//! shows `s-a[i=2] < 0` where the postcondition wants `s-a[2] >= 0`.
//!
//! A run that crashes or never ends has no last state; there the index that
//! should have been inside of its array, or the end of the loop, is wanted.

pub mod deduce;
pub mod dice;
pub mod expand;
pub mod find;
pub mod linear;
pub mod predicate;
mod read;
pub mod states;
pub mod trace;

use c_syntax::Span;
use check::suite::Test;
use check::{Side, Task};

pub use find::{Evidence, EvidenceKind, States};
pub use linear::{Atom, Cell, Linear, Values};
pub use predicate::{Formula, Predicate, flipped, negated, with_truth};
pub use trace::{Comparison, End, Instance, Kind, Trace};

/// Conjunctions of a postcondition that are looked at, at most.
const MOST_CONJUNCTIONS: usize = 6;

/// A failing run with what the contract says about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The run.
    pub trace: Trace,
    /// The precondition at its start.
    pub precondition: Vec<Predicate>,
    /// The conjunctions of the postcondition, those with the fewest false predicates first.
    pub conjunctions: Vec<Vec<Predicate>>,
}

/// A failing run of a text of the program; none if it cannot be followed, or if nothing false can be told about it.
pub fn case(task: &Task, side: &Side, test: &Test) -> Option<Case> {
    let resolved = task.contract.as_ref()?;
    let mut trace = trace::trace(side, &test.example)?;
    let name = task.options.entry.as_deref()?;
    let function = side.unit.functions.iter().find(|function| &*function.name == name)?;
    let expander = expand::Expander::new(resolved, &side.unit, function, &trace);
    let mut precondition = vec![];
    for clause in &resolved.contract.requires {
        let formula = expander.before(&clause.predicate);
        precondition.extend(formula.iter().flat_map(Formula::atoms).filter(|predicate| predicate.truth).cloned());
    }
    for (cell, old) in expander.old_cells() {
        let values = Values::from([(cell.key.clone(), 0), (old.key.clone(), 0)]);
        let (cell, old) = (Linear::cell(cell), Linear::cell(old));
        precondition.extend(Predicate::new(&cell, c_syntax::BinaryOp::Equal, &old, &values));
    }
    let conjunctions = match trace.end {
        End::Returned => {
            let ensured = resolved.contract.ensures.iter().map(|clause| clause.predicate.clone());
            let wanted = ensured.chain(test.expected.terms());
            let mut all: Vec<Formula> = wanted.filter_map(|predicate| expander.after(&predicate)).collect();
            all.extend(resolved.contract.assigns.iter().flat_map(|places| expander.frame(places)));
            Formula::All(all).conjunctions()
        }
        End::Crashed(_) => trace.needed.iter().map(|predicate| vec![predicate.clone()]).collect(),
        End::Endless => leave_loop(&mut trace),
    };
    let holds = |conjunction: &Vec<Predicate>| conjunction.iter().all(|predicate| predicate.truth);
    if trace.end == End::Returned && conjunctions.iter().any(holds) {
        return None;
    }
    let conjunctions = fewest_false_first(conjunctions);
    (!conjunctions.is_empty()).then_some(Case { trace, precondition, conjunctions })
}

/// The end of the loop that an endless run is in; the run is cut there.
fn leave_loop(trace: &mut Trace) -> Vec<Vec<Predicate>> {
    let is_loop = |instance: &Instance| matches!(instance.kind, Kind::Branch { is_loop: true, .. });
    let Some(last) = trace.instances.iter().rposition(is_loop) else { return vec![] };
    // A few rounds say as much as hundreds.
    let step = trace.instances[last].step;
    let rounds = trace.instances.iter().enumerate().filter(|(_, instance)| instance.step == step).nth(3);
    let cut = rounds.map_or(last, |(number, _)| number);
    let Kind::Branch { held, .. } = trace.instances[cut].kind.clone() else { return vec![] };
    trace.instances.truncate(cut);
    held.negated().conjunctions()
}

fn fewest_false_first(mut all: Vec<Vec<Predicate>>) -> Vec<Vec<Predicate>> {
    let count = |conjunction: &Vec<Predicate>| conjunction.iter().filter(|predicate| !predicate.truth).count();
    all.retain(|conjunction| count(conjunction) > 0);
    all.sort_by_key(count);
    all.truncate(MOST_CONJUNCTIONS);
    all
}

/// The states of a case for one of its conjunctions.
pub fn states_of(case: &Case, conjunction: &[Predicate]) -> States {
    find::states(&case.trace, &case.precondition, conjunction)
}

/// A place that evidence points to, with the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The statement or condition.
    pub span: Span,
    /// Why, as sentences.
    pub reasons: Vec<String>,
}

/// The places that the evidence of a case points to, the closest to the end first.
pub fn suspects(case: &Case) -> Vec<Suspect> {
    let mut found: Vec<Suspect> = vec![];
    let mut note = |span: Span, reason: String| match found.iter_mut().find(|known| known.span == span) {
        Some(known) if known.reasons.len() < 3 && !known.reasons.contains(&reason) => known.reasons.push(reason),
        Some(_) => {}
        None => found.push(Suspect { span, reasons: vec![reason] }),
    };
    for conjunction in &case.conjunctions {
        let states = states_of(case, conjunction);
        for evidence in find::evidence(&states) {
            let wanted = &conjunction[evidence.number];
            if let EvidenceKind::Contradicted { actual, from: Some(from), .. } = &evidence.kind {
                let instance = &case.trace.instances[*from];
                note(
                    instance.span,
                    format!("{actual} holds here, but for {wanted} there should be {}", evidence.wanted),
                );
            }
            for number in states::slice(&case.trace, wanted, 0) {
                let reason = match evidence.kind {
                    EvidenceKind::Impossible => {
                        format!("with what is assigned here, {wanted} becomes {}, which is never true", evidence.wanted)
                    }
                    _ => format!("what is assigned here decides about {wanted}, which does not hold at the end"),
                };
                note(case.trace.instances[number].span, reason);
            }
            if matches!(evidence.kind, EvidenceKind::Unsaid) {
                let branches =
                    case.trace.instances.iter().filter(|instance| matches!(instance.kind, Kind::Branch { .. }));
                branches.for_each(|instance| {
                    note(
                        instance.span,
                        format!("nothing in the run speaks of {wanted}; a round of a loop may be missing"),
                    )
                });
            }
        }
    }
    found
}
