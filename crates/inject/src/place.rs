//! The places of a program where faults can be made, with the faults that can be made there.
//!
//! `current = current->next;` is a place that can be deleted, and has three
//! places that can be changed: `current`, `current` and `current->next`.

use std::collections::BTreeSet;

use c_syntax::{Function, Span, Unit};
use ir::Program;

use crate::error::InjectError;
use crate::note::FaultKind;
use crate::occurrence::{self, OccurrenceKind};
use crate::options::Options;
use crate::replacement::Replacements;

/// A place with at least one fault that can be made there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The function it is in.
    pub function: String,
    /// Its bytes.
    pub span: Span,
    /// The statement, condition or clause around it.
    pub statement: Span,
    /// What can stand there instead; for a deletion, one empty text.
    pub choices: Vec<(FaultKind, String)>,
}

impl Place {
    /// Whether the fault here is that a statement is missing.
    pub fn is_deletion(&self) -> bool {
        self.choices.iter().all(|(kind, _)| *kind == FaultKind::Deletion)
    }
}

/// All places of the functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Expressions that can be changed.
    pub changes: Vec<Place>,
    /// Statements that can be deleted.
    pub deletions: Vec<Place>,
}

/// Finds the places in the functions that are asked for.
pub(crate) fn find(program: &Program, options: &Options) -> Result<Places, InjectError> {
    let places = c_syntax::with_deep_stack(|| {
        let unit = c_syntax::parse_text(program.source.clone())?;
        let mut places = Places::default();
        let names: BTreeSet<&String> = options.functions.iter().collect();
        for name in names {
            add(&unit, function_named(&unit, name)?, options.operators, &mut places);
        }
        Ok::<Places, InjectError>(places)
    })?;
    check_amount(options, &places)?;
    Ok(places)
}

fn function_named<'a>(unit: &'a Unit, name: &str) -> Result<&'a Function, InjectError> {
    let own = || unit.functions.iter().filter(|function| function.own);
    own().find(|function| &*function.name == name).ok_or_else(|| InjectError::UnknownFunction {
        name: name.to_string(),
        known: own().map(|function| function.name.to_string()).collect(),
    })
}

fn add(unit: &Unit, function: &Function, operators: bool, places: &mut Places) {
    let found = occurrence::find(unit, function);
    let constants = found.occurrences.iter().filter_map(|occurrence| match occurrence.kind {
        OccurrenceKind::Constant(value) => Some(value),
        _ => None,
    });
    let replacements = Replacements { unit, operators, constants: constants.collect() };
    let place = |span, statement, choices| Place { function: function.name.to_string(), span, statement, choices };
    let changes = found.occurrences.iter();
    let changes = changes.map(|one| place(one.span, one.statement, replacements.of(one)));
    places.changes.extend(changes.filter(|place| !place.choices.is_empty()));
    let deletion = || vec![(FaultKind::Deletion, String::new())];
    places.deletions.extend(found.deletable.iter().map(|&span| place(span, span, deletion())));
}

fn check_amount(options: &Options, places: &Places) -> Result<(), InjectError> {
    let functions = || options.functions.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
    let (changes, deletions) = (places.changes.len(), places.deletions.len());
    if changes < options.change {
        return Err(InjectError::TooFewExpressions { functions: functions(), there: changes, asked: options.change });
    }
    if deletions < options.delete {
        return Err(InjectError::TooFewStatements { functions: functions(), there: deletions, asked: options.delete });
    }
    Ok(())
}
