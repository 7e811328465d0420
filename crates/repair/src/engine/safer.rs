//! What repairs do on further small inputs: those that crash there are told,
//! safer ones are looked for, and where two differ the user can be asked.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use encode::{Model, Place, Prepared, Verdict};
use ir::FunctionId;

use super::answer::{Checked, Difference, Progress, Repaired, Risk};
use super::{Found, Request};
use crate::candidates::{Candidate, candidates};
use crate::scheme::heap::HeapScheme;
use crate::strategy::replay::{End, Limits, Replay};
use crate::vary::{self, Ending, Variation};

impl Request<'_> {
    /// Tries the repairs on further small inputs, and looks for safer ones if the best crashes there.
    pub(super) fn vary(&mut self, prepared: &[Prepared], everything: &BTreeSet<Place>, repaired: &mut Repaired) {
        (self.progress)(Progress::Varying);
        let begun = Instant::now();
        let Some(function) = self.edited_function(&repaired.candidates[0].candidate) else { return };
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
        let key = |checked: &Checked| (checked.candidate.loses, checked.candidate.effort, !checked.risks.is_empty());
        repaired.candidates.sort_by_key(key);
        if repaired.candidates.iter().all(|checked| !checked.risks.is_empty()) {
            self.look_for_safer(prepared, everything, ready.into_iter().flatten(), repaired);
        }
        repaired.variations = variations;
        if repaired.open.is_empty() {
            self.tell_apart(function, repaired);
        }
        self.times.vary += begun.elapsed();
    }

    fn edited_function(&self, candidate: &Candidate) -> Option<FunctionId> {
        Some(match candidate.edits.first()?.place() {
            Place::Step(step) => self.model.program.step(step).function,
            Place::Slot(slot) => self.model.code.slots[slot.0 as usize].function,
        })
    }

    /// Repairs that lose nodes on further inputs come last, unless the runs that
    /// were debugged lose some too.
    pub(super) fn put_losing_last(&mut self, prepared: &[Prepared], found: &mut Found) {
        let begun = Instant::now();
        let Some(function) = found.list.first().and_then(|first| self.edited_function(first)) else { return };
        if found.list.len() > 1 && !prepared.iter().any(|trace| loses(self.model, trace, &found.list[0].edits)) {
            let run_as = &self.problem.runs[0].1;
            let mut variations = vary::variations(self.model, run_as, function);
            let made_up = vary::made_up_arguments(&run_as.arguments).into_iter();
            variations.extend(made_up.filter_map(|list| vary::with_arguments(self.model, run_as, function, list)));
            let ready: Vec<Prepared> = variations.iter().filter_map(|one| vary::prepare(self.model, one)).collect();
            let is_losing = |edits: &[encode::Edit]| ready.iter().any(|trace| loses(self.model, trace, edits));
            if is_losing(&found.list[0].edits) {
                found.list.iter_mut().for_each(|candidate| candidate.loses = is_losing(&candidate.edits));
                found.list.sort_by_key(|candidate| candidate.loses);
            }
        }
        self.times.vary += begun.elapsed();
    }

    /// Looks for a variation where the best repair and another one that does
    /// not crash do different things; if there is none, among made-up inputs.
    fn tell_apart(&self, function: FunctionId, repaired: &mut Repaired) {
        let safe = |number: &usize| repaired.candidates[*number].risks.is_empty();
        let safe: Vec<usize> = (0..repaired.candidates.len()).filter(safe).collect();
        let Some((&first, others)) = safe.split_first() else { return };
        let differ = |(number, variation): (usize, &Variation)| {
            self.difference(function, repaired, (first, others), (number, variation))
        };
        repaired.difference = repaired.variations.iter().enumerate().find_map(differ);
        if repaired.difference.is_some() || others.is_empty() {
            return;
        }
        let run_as = &self.problem.runs[0].1;
        for arguments in vary::made_up_arguments(&run_as.arguments) {
            let Some(varied) = vary::with_arguments(self.model, run_as, function, arguments) else { continue };
            let number = repaired.variations.len();
            if let Some(difference) = self.difference(function, repaired, (first, others), (number, &varied)) {
                repaired.difference = Some(difference);
                repaired.variations.push(varied);
                return;
            }
        }
    }

    /// Whether a repair and one of the others leave other pictures on a variation.
    fn difference(
        &self,
        function: FunctionId,
        repaired: &Repaired,
        (first, others): (usize, &[usize]),
        (number, variation): (usize, &Variation),
    ) -> Option<Difference> {
        let name = &self.model.program.function(function).name;
        let run_as = &self.problem.runs[0].1;
        let ends =
            |candidate: usize| match vary::ending(&repaired.candidates[candidate].program, variation, run_as, name)? {
                Ending::Ends(state) => Some(*state),
                Ending::Crashes(_) => None,
            };
        let one = ends(first)?;
        let is_shared = |change: &memory::Change| !matches!(change.entity.root, memory::Root::Local { .. });
        others.iter().find_map(|&second| {
            let other = ends(second)?;
            let differs = memory::changes(&one, &other).iter().any(is_shared);
            differs.then(|| Difference { candidates: [first, second], variation: number, states: [one.clone(), other] })
        })
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

/// Whether the edited program comes to its end with nodes that nothing leads to any more.
fn loses(model: &Model, trace: &Prepared, edits: &[encode::Edit]) -> bool {
    let Some(end) = trace.end_of(model, edits, 1_000_000) else { return false };
    let last = trace.trace.demands.last().map(|demand| model.program.step(demand.at.step).kind);
    // The variables of a call that is over lead nowhere.
    let over = usize::from(last == Some(ir::StepKind::Exit));
    let before = trace.start.lost_nodes(model, trace.start.frames.len());
    end.lost_nodes(model, end.frames.len() - over) > before
}

/// Whether the edited program crashes on a variation.
fn crashes(model: &Model, variation: &Prepared, edits: &[encode::Edit]) -> bool {
    matches!(variation.follow(model, edits, 1_000_000), Verdict::Fault(_))
}
