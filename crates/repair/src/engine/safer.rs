//! What repairs do on further small inputs: those that crash there are told,
//! safer ones are looked for, and where two differ the user can be asked.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use encode::{Model, Place, Prepared, Verdict};
use ir::FunctionId;

use super::Request;
use super::answer::{Checked, Difference, Progress, Repaired, Risk};
use crate::candidates::{Candidate, candidates};
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::{End, Limits, Replay};
use crate::vary::{self, Ending, Variation};

impl Request<'_> {
    /// Tries the repairs on further small inputs, and looks for safer ones if the best crashes there.
    pub(super) fn vary(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>, repaired: &mut Repaired) {
        (self.progress)(Progress::Varying);
        let begun = Instant::now();
        let function = match repaired.candidates[0].candidate.edits.first().map(|edit| edit.place()) {
            Some(Place::Step(step)) => self.model.program.step(step).function,
            Some(Place::Slot(slot)) => self.model.code.slots[slot.0 as usize].function,
            None => return,
        };
        let variations = vary::variations(self.model, &self.problem.runs[0].1, function);
        let ready: Vec<Option<Prepared>> = variations
            .iter()
            .map(|variation| vary::prepare(self.model, variation))
            // Where the program itself crashes, the repair may too.
            .map(|ready| ready.filter(|ready| !crashes(self.model, ready, &[])))
            .collect();
        for checked in &mut repaired.candidates {
            for (number, ready) in ready.iter().enumerate() {
                let Some(ready) = ready else { continue };
                if !crashes(self.model, ready, &checked.candidate.edits) {
                    continue;
                }
                // The model says so; what the patched text really does is what is told.
                let name = &self.model.program.function(function).name;
                let run_as = &self.problem.runs[0].1;
                if let Some(Ending::Crashes(message)) =
                    vary::ending(&checked.program, &variations[number], run_as, name)
                {
                    checked.risks.push(Risk { variation: number, message });
                }
            }
        }
        // Of those that take as much to write, what does not crash comes first.
        repaired.candidates.sort_by_key(|checked| (checked.candidate.effort, !checked.risks.is_empty()));
        if repaired.candidates.iter().all(|checked| !checked.risks.is_empty()) {
            self.look_for_safer(prepared, everything, ready.into_iter().flatten(), repaired);
        }
        repaired.variations = variations;
        if repaired.open.is_empty() {
            repaired.difference = self.difference(function, repaired);
        }
        self.times.vary = begun.elapsed();
    }

    /// Where the best repair and another one that does not crash do different things.
    fn difference(&self, function: FunctionId, repaired: &Repaired) -> Option<Difference> {
        let name = &self.model.program.function(function).name;
        let run_as = &self.problem.runs[0].1;
        let safe = |checked: &Checked| checked.risks.is_empty();
        let first = repaired.candidates.iter().position(safe)?;
        let ends = |number: usize, variation: &Variation| match vary::ending(
            &repaired.candidates[number].program,
            variation,
            run_as,
            name,
        )? {
            Ending::Ends(state) => Some(*state),
            Ending::Crashes(_) => None,
        };
        for second in first + 1..repaired.candidates.len() {
            if !safe(&repaired.candidates[second]) {
                continue;
            }
            for (variation, varied) in repaired.variations.iter().enumerate() {
                let (Some(one), Some(other)) = (ends(first, varied), ends(second, varied)) else { continue };
                let is_shared = |change: &memory::Change| !matches!(change.entity.root, memory::Root::Local { .. });
                if memory::changes(&one, &other).iter().any(is_shared) {
                    return Some(Difference { candidates: [first, second], variation, states: [one, other] });
                }
            }
        }
        None
    }

    /// Repairs that do not crash on the variations either, a little dearer.
    fn look_for_safer(
        &mut self,
        prepared: &[Prepared],
        everything: &BTreeSet<Place>,
        variations: impl Iterator<Item = Prepared>,
        repaired: &mut Repaired,
    ) {
        let all: Vec<Prepared> = prepared.iter().cloned().chain(variations).collect();
        // A guard for what is inserted is what is missing most often.
        let guarded: Vec<Candidate> =
            repaired.candidates.iter().flat_map(|checked| self.guarded(&checked.candidate, &all)).take(2).collect();
        if !guarded.is_empty()
            && let Ok((safer, _)) = self.check_list(guarded, prepared, 1)
        {
            repaired.candidates.extend(safer.into_iter().map(|checked| Checked { safer: true, ..checked }));
            return;
        }
        let edited =
            repaired.candidates.iter().flat_map(|checked| checked.candidate.edits.iter().map(|edit| edit.place()));
        let places: BTreeSet<Place> = edited.filter(|place| everything.contains(place)).collect();
        let space = HeapScheme::new(self.model, self.options.scheme).space(&places);
        let limits = Limits { cost: repaired.cost + 1, time: Duration::from_secs(3), ..self.options.limits.clone() };
        let End::Repaired { solutions, .. } = Replay::new(self.model, &all, &space, limits).search() else { return };
        let list = candidates(self.model, &space, &solutions, 4);
        if let Ok((safer, _)) = self.check_list(list, prepared, 1) {
            repaired.candidates.extend(safer.into_iter().map(|checked| Checked { safer: true, ..checked }));
        }
    }

    /// The same repair with a guard for one of its insertions, such that all runs are met.
    fn guarded(&self, candidate: &Candidate, all: &[Prepared]) -> Option<Candidate> {
        let mut scheme = HeapScheme::new(self.model, self.options.scheme);
        for (i, edit) in candidate.edits.iter().enumerate() {
            let encode::Edit::Insert { slot, guard: None, statement } = *edit else { continue };
            let scope = scheme.place(Place::Slot(slot))?.scope;
            let mut guards = scope.comparisons.clone();
            // The variable that is followed, compared with null, is what a programmer would write.
            guards.sort_by_key(|guard| !is_null_check(guard, &statement));
            let fits = guards.into_iter().find_map(|guard| {
                let mut edits = candidate.edits.clone();
                edits[i] = encode::Edit::Insert { slot, guard: Some(guard), statement };
                let meets = |trace: &Prepared| trace.follow(self.model, &edits, 1_000_000) == Verdict::Meets;
                all.iter().all(meets).then_some(edits)
            });
            if let Some(edits) = fits {
                return Candidate::of(self.model, &edits);
            }
        }
        None
    }
}

/// Whether a guard is `x != NULL` for the `x` that a statement follows.
fn is_null_check(guard: &encode::Comparison, statement: &encode::NewStatement) -> bool {
    let base = |term: &encode::TypedTerm| match term.term {
        encode::Term::Field(variable, _) | encode::Term::Chain(variable, ..) => Some(variable),
        _ => None,
    };
    let encode::NewStatement::Assign(target, source) = statement else { return false };
    let is_null = guard.right.term == encode::Term::Number(0) && guard.op == ir::BinaryOp::NotEqual;
    let encode::Term::Variable(variable) = guard.left.term else { return false };
    is_null && [base(target), base(source)].contains(&Some(variable))
}

/// Whether the edited program crashes on a variation.
fn crashes(model: &Model, variation: &Prepared, edits: &[encode::Edit]) -> bool {
    matches!(variation.follow(model, edits, 1_000_000), Verdict::Fault(_))
}
