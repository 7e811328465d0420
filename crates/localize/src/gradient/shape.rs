//! What a statement is made of, as far as changes of it go.
//!
//! `x->next = y;` writes one cell and nothing else, so any other assignment in
//! its place writes one cell too. `push(2);` can be left out, or get another
//! argument.

use encode::library::{Library, library};
use encode::{Instruction, Model, Scalar};
use ir::{ActionKind, Callee, FunctionRef, LocalId, StepId, StepKind};

/// A kind of statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A condition or `switch`.
    Decision,
    /// `return`, with the number of arguments of the call in it.
    Return(usize),
    /// Writes one cell, at its end.
    Assignment,
    /// Calls one function with so many arguments; whether it assigns the result to a variable.
    Call(usize, bool),
    /// Assigns to several variables and to nothing else, such as a declaration.
    Several,
    /// Assigns what a library function returns.
    Library,
    /// Writes nothing that is named.
    Silent,
    /// Anything else.
    Other,
}

/// The shape of a statement.
pub(crate) fn shape(model: &Model, step: StepId) -> Shape {
    let (program, place) = (&model.program, &model.code.steps[step.index()]);
    let function = &program.functions[place.function as usize];
    let inside = &model.code.functions[place.function as usize].code[place.start as usize + 1..place.end as usize];
    let is_named = |local: &LocalId| local.index() < function.named;
    let (mut calls, mut arguments, mut writes, mut stores, mut strange) = (0, 0, 0, 0, false);
    for instruction in inside {
        match instruction {
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { to, .. } => writes += usize::from(is_named(to)),
                ActionKind::Store { to, .. } => {
                    (writes, stores) = (writes + 1, stores + 1);
                    strange |= Scalar::of(&program.types, to.ty).is_none() || to.bits.is_some();
                }
                ActionKind::Call { to, callee, arguments: given, .. } => {
                    writes += usize::from(to.as_ref().is_some_and(is_named));
                    match callee {
                        Callee::Direct(FunctionRef::Own(_)) => (calls, arguments) = (calls + 1, given.len()),
                        Callee::Direct(FunctionRef::Library(_)) => {}
                        Callee::Pointer(_) => strange = true,
                    }
                }
                ActionKind::Clear { .. } | ActionKind::Concrete { .. } => strange = true,
            },
            Instruction::Declare(local) => strange |= function.locals[local.index()].in_memory,
            Instruction::Unmodelled => strange = true,
            _ => {}
        }
    }
    let ends_with = |matches: fn(&ActionKind) -> bool| matches!(inside.last(), Some(Instruction::Act(action)) if matches(&action.kind));
    let assigns = ends_with(|kind| matches!(kind, ActionKind::Assign { .. } | ActionKind::Store { .. }));
    let is_call = ends_with(|kind| matches!(kind, ActionKind::Call { .. }));
    match program.step(step).kind {
        _ if place.is_condition => Shape::Decision,
        StepKind::Switch => Shape::Decision,
        _ if strange || calls > 1 => Shape::Other,
        _ if writes > 1 && (calls == 1 || stores > 0) => Shape::Other,
        _ if writes > 1 => Shape::Several,
        StepKind::Return if writes == 0 => Shape::Return(arguments),
        _ if calls == 1 && writes == 0 => Shape::Call(arguments, false),
        _ if calls == 1 && stores == 0 && (assigns || is_call) => Shape::Call(arguments, true),
        _ if calls == 0 && writes == 0 => Shape::Silent,
        _ if calls == 0 && assigns => Shape::Assignment,
        _ if calls == 0 && is_call => Shape::Library,
        _ => Shape::Other,
    }
}

/// Whether a statement allocates.
pub(crate) fn allocates(model: &Model, step: StepId) -> bool {
    let place = &model.code.steps[step.index()];
    let inside = &model.code.functions[place.function as usize].code[place.start as usize..place.end as usize];
    inside.iter().any(|instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), .. } => {
                matches!(library(name), Library::Allocate { .. })
            }
            _ => false,
        },
        _ => false,
    })
}
