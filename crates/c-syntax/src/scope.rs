//! The variables that a place of a function can name.
//!
//! In `{ int a; { int b; f(a); } g(a); }` the call of `f` sees `a` and `b`, the
//! call of `g` only `a`. An inner variable hides an outer one of its name.

use std::collections::HashSet;

use crate::{Function, Storage, Unit, VariableId};

/// Variables in scope, outermost first.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    variables: Vec<VariableId>,
}

impl Scope {
    /// What is in scope at the first statement of a function.
    pub fn of(unit: &Unit, function: &Function) -> Scope {
        let is_seen = |id: &VariableId| {
            let variable = &unit.variables[id.0 as usize];
            // Variables of headers have no place in this file, so their name does not stand there.
            let own = unit.source.text(variable.span) == *variable.name;
            own && variable.storage == Storage::Global && variable.span.start < function.span.start
        };
        let globals = unit.globals.iter().copied().filter(is_seen);
        Scope { variables: globals.chain(function.parameters.iter().copied()).collect() }
    }

    /// A variable is declared.
    pub fn declare(&mut self, variable: VariableId) {
        self.variables.push(variable);
    }

    /// To be given to [`Scope::leave`] at the end of the block that begins here.
    pub fn enter(&self) -> usize {
        self.variables.len()
    }

    /// A block ends.
    pub fn leave(&mut self, entered: usize) {
        self.variables.truncate(entered);
    }

    /// The variables that are not hidden, outermost first.
    pub fn visible(&self, unit: &Unit) -> Vec<VariableId> {
        let mut names = HashSet::new();
        let name = |id: VariableId| &unit.variables[id.0 as usize].name;
        let mut seen: Vec<VariableId> =
            self.variables.iter().rev().copied().filter(|&id| names.insert(name(id))).collect();
        seen.reverse();
        seen
    }
}
