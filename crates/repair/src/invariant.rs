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
