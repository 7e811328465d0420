//! The published search (R §6, Figure 4): a SAT solver proposes sets by size,
//! the program formula validates them, and what was learnt is blocked.

use super::candidates::{Candidates, Proposal};
use super::validate::Validated;
use super::{Blocking, End, Progress, Search};

pub(super) fn run(search: &mut Search<'_>, blocking: Blocking, progress: Progress<'_>) -> End {
    let mut candidates = Candidates::new(search.mutated, search.validator.selectors.clone());
    match search.validator.validate(&[], &search.limits) {
        Validated::Right => return search.already_right(),
        Validated::Wrong(model) => learn(search, &mut candidates, blocking, &[], &model),
        Validated::Vacuous => {}
        Validated::Unknown => return End::OutOfTime,
    }
    for size in 1..=search.wanted.max_size {
        search.counts.size = size;
        loop {
            let on = match candidates.next(&mut search.validator.formula.terms, size, &search.limits) {
                Proposal::Set(on) => on,
                Proposal::None => break,
                Proposal::Unknown => return End::OutOfTime,
            };
            search.counts.validated += 1;
            match search.validator.validate(&on, &search.limits) {
                Validated::Right => {
                    candidates.block_supersets(&mut search.validator.formula.terms, &on);
                    search.accept(&on, progress);
                    if search.wanted.first && !search.found.is_empty() {
                        return End::First;
                    }
                }
                Validated::Wrong(model) => learn(search, &mut candidates, blocking, &on, &model),
                Validated::Vacuous => {
                    search.counts.vacuous += 1;
                    candidates.block_exactly(&mut search.validator.formula.terms, &on);
                }
                Validated::Unknown => return End::OutOfTime,
            }
            progress(&search.counts, None);
        }
    }
    End::Covered
}

fn learn(
    search: &mut Search<'_>,
    candidates: &mut Candidates,
    blocking: Blocking,
    on: &[usize],
    model: &solver::Model,
) {
    search.counts.inputs += 1;
    match blocking {
        Blocking::Itself => candidates.block_exactly(&mut search.validator.formula.terms, on),
        Blocking::Must => {
            let must = search.validator.must(on, model);
            candidates.block_same(&mut search.validator.formula.terms, on, &must);
        }
    }
}
