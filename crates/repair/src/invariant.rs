//! What never changes in a loop: a loop that compares two such things, or goes
//! on to the same place in each round, is hardly what is meant.
//!
//! In `while (p != NULL) { … }` that assigns neither `low` nor `limit`, the
//! comparison `low == limit` always has the same result.

use std::ops::Range;

use encode::{Comparison, Edit, Instruction, Model, NewCondition, Term, TypedTerm, Variable};
use ir::{ActionKind, LocalId, OperandKind, Rvalue, StepId};

/// The code of the innermost loop around a statement.
fn innermost_loop(model: &Model, step: StepId) -> Option<Range<usize>> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    let back = |(at, instruction): (usize, &Instruction)| match instruction {
        Instruction::Jump(to) if *to <= place.start && at >= place.end as usize => Some(*to as usize..at + 1),
        Instruction::Branch { otherwise: to, .. } if *to <= place.start && at >= place.end as usize => {
            Some(*to as usize..at + 1)
        }
        _ => None,
    };
    code.iter().enumerate().filter_map(back).min_by_key(|range| range.len())
}

/// Whether a local variable keeps its value in a piece of code.
fn is_kept(model: &Model, function: u32, code: &Range<usize>, local: LocalId) -> bool {
    let declared = &model.program.functions[function as usize].locals[local.index()];
    let assigns = |instruction: &Instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Assign { to, .. } => *to == local,
            ActionKind::Call { to, .. } => *to == Some(local),
            _ => false,
        },
        Instruction::Declare(declared) => *declared == local,
        _ => false,
    };
    !declared.in_memory && !model.code.functions[function as usize].code[code.clone()].iter().any(assigns)
}

/// Whether a condition in a loop compares two things that never change there.
pub fn compares_the_same(model: &Model, edit: &Edit) -> bool {
    let Edit::Condition { step, new } = edit else { return false };
    let place = &model.code.steps[step.index()];
    let Some(range) = innermost_loop(model, *step) else { return false };
    let kept = |local: LocalId| is_kept(model, place.function, &range, local);
    let term_is_kept = |term: &TypedTerm| match term.term {
        Term::Variable(Variable::Local(local)) | Term::Plus(Variable::Local(local), _) => kept(local),
        Term::Number(_) => true,
        _ => false,
    };
    match new {
        NewCondition::Whole(Comparison { left, right, .. }) | NewCondition::Atom(_, Comparison { left, right, .. }) => {
            term_is_kept(left) && term_is_kept(right)
        }
        NewCondition::Operand(action, number, with) => {
            let code = &model.code.functions[place.function as usize].code;
            let other =
                code[place.start as usize..place.end as usize].iter().find_map(|instruction| match instruction {
                    Instruction::Act(act) if act.id == *action => match &act.kind {
                        ActionKind::Assign { value: Rvalue::Binary(_, left, right, _), .. } => {
                            Some(if *number == 0 { right } else { left })
                        }
                        _ => None,
                    },
                    _ => None,
                });
            let other_is_kept = other.is_some_and(|other| match other.kind {
                OperandKind::Local(local) => {
                    local.index() < model.program.functions[place.function as usize].named && kept(local)
                }
                OperandKind::Int(_) => true,
                _ => false,
            });
            other_is_kept && term_is_kept(with)
        }
        _ => false,
    }
}

/// Whether an assignment in a loop goes to the same member of the same record in each round.
pub fn goes_nowhere(model: &Model, edit: &Edit) -> bool {
    let Edit::Assign { step, target, source: Some(source) } = edit else { return false };
    let is_variable = target.is_none_or(|target| matches!(target.term, Term::Variable(_)));
    let base = match source.term {
        Term::Field(Variable::Local(local), _) | Term::Chain(Variable::Local(local), ..) => local,
        _ => return false,
    };
    let function = model.code.steps[step.index()].function;
    is_variable && innermost_loop(model, *step).is_some_and(|range| is_kept(model, function, &range, base))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use encode::Place;

    use crate::render::Renderer;
    use crate::scheme::heap::HeapScheme;

    const TEXT: &str = "struct node { int value; struct node *next; };\n\
        int f(struct node *p, struct node *last, int low, int limit) {\n    int n = 0;\n    \
        if (low == limit)\n        return 0;\n    while (p != 0) {\n        if (n == 7)\n            return n;\n        \
        n++;\n        p = p->next;\n    }\n    return n;\n}\n";

    /// What is said of the edits of a statement that make this of its text.
    fn said(old: &str, new: &str, ask: fn(&Model, &Edit) -> bool) -> Vec<bool> {
        let source = Arc::new(c_syntax::Source::new("loop.c", TEXT.as_bytes().to_vec()));
        let model = Model::new(Arc::new(ir::load_text(source).expect("it is C")));
        let renderer = Renderer::new(&model);
        let mut scheme = HeapScheme::new(&model, Default::default());
        let steps = (0..model.program.steps.len() as u32).map(StepId);
        let step = steps.into_iter().find(|step| renderer.statement_text(*step).trim_end_matches(';') == old);
        let step = step.expect("it is there");
        let known = scheme.place(Place::Step(step)).expect("it can be edited");
        let text = |edit: &Edit| renderer.new_text(step, &renderer.edit(edit).unwrap_or_default());
        let fits = |edit: &&Edit| text(edit).trim_end_matches(';') == new;
        let edits = known.edits(Place::Step(step));
        edits.iter().filter(fits).map(|edit| ask(&model, edit)).collect()
    }

    #[test]
    fn what_a_loop_does_not_change_is_compared() {
        let all = |old, new, expected| {
            let said = said(old, new, compares_the_same);
            assert!(!said.is_empty() && said.iter().all(|said| *said == expected), "{old}: {new}");
        };
        all("n == 7", "low == limit", true);
        all("n == 7", "low == 7", true);
        all("n == 7", "n == limit", false);
        // There is no loop around it.
        all("low == limit", "low == 0", false);
    }

    #[test]
    fn a_loop_that_goes_to_the_same_place_again_goes_nowhere() {
        let all = |new, expected| {
            let said = said("p = p->next", new, goes_nowhere);
            assert!(!said.is_empty() && said.iter().all(|said| *said == expected), "{new}");
        };
        all("p = last->next", true);
        all("p = p->next->next", false);
        all("p = last", false);
    }
}
