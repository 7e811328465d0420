//! Runs other text in the place of one of the program's statements, or before it.
//!
//! The patched text is read and compiled as a whole program, so it may be
//! anything that C allows at that place. It then runs in the frame of the
//! original function, whose named variables have the same registers, and the
//! next statement is the original program's again ([`super::detour`]).
//! With `head = n` for `head = n->next` the program
//!
//! ```text
//! while (n) head = n->next;    becomes    while (n) head = n;
//! ```
//!
//! Reading takes a run of clang, so it is done once for each text and place.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use c_syntax::{ParseError, Severity, Source, Span};
use ir::{Program, Step, StepId, StepKind};

use super::code::Detour;
use crate::ExecuteError;

/// What a text is to do at a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// To run in its place.
    Instead,
    /// To run before it.
    Here,
    /// To be evaluated before it, as a condition.
    Truth,
}

/// The global that takes the value of a condition.
pub const TRUTH: &str = "wolverine_truth";
/// It is declared before the program's text.
const HEADER: &str = "static int wolverine_truth;\n";

/// A program with one statement replaced.
pub struct Patch {
    /// The patched program.
    pub program: Program,
    /// The way through it.
    pub detour: Detour,
}

/// The patches that were read, by what they do where, and their text.
#[derive(Default)]
pub struct Patches(HashMap<(StepId, Role), HashMap<String, Arc<Patch>>>);

impl Patches {
    /// The program with `text` at the statement `step`.
    pub fn get(&mut self, program: &Program, step: StepId, role: Role, text: &str) -> Result<Arc<Patch>, ExecuteError> {
        let known = self.0.entry((step, role)).or_default();
        if let Some(patch) = known.get(text) {
            return Ok(patch.clone());
        }
        let patch = Arc::new(Patch::new(program, step, role, text)?);
        known.insert(text.to_string(), patch.clone());
        Ok(patch)
    }
}

impl Patch {
    fn new(program: &Program, step: StepId, role: Role, text: &str) -> Result<Patch, ExecuteError> {
        let text = text.trim().trim_end_matches(';').trim();
        let patch = Patch::with_kept(program, step, role, text, "")?;
        let kept = no_longer_in_memory(program, &patch.program, step);
        match kept.is_empty() {
            true => Ok(patch),
            false => Patch::with_kept(program, step, role, text, &kept),
        }
    }

    /// The program with `kept` before the text: expressions that change nothing.
    fn with_kept(program: &Program, step: StepId, role: Role, text: &str, kept: &str) -> Result<Patch, ExecuteError> {
        let edit = Edit::new(program, step, role, text, kept);
        let mut bytes = program.source.bytes.clone();
        let at = edit.range.start + edit.before + HEADER.len();
        bytes.splice(edit.range.clone(), edit.text.bytes());
        bytes.splice(0..0, HEADER.bytes());
        let source = Arc::new(Source::new(program.source.path.clone(), bytes));
        let patched = ir::load_text(source).map_err(|error| refusal(text, error))?;
        let not_one = || ExecuteError::NotHere(format!("`{text}` is not one statement"));
        if patched.steps.len() != program.steps.len() + edit.more || patched.functions.len() != program.functions.len()
        {
            return Err(not_one());
        }
        check_registers(program, &patched, step, text)?;
        let is_there = |step: &Step| step.span.start as usize == at && step.kind != StepKind::Exit;
        let start = match edit.more {
            0 => step.index(),
            _ => patched.steps.iter().position(is_there).ok_or_else(not_one)?,
        };
        let named = program.function(program.step(step).function).named;
        let detour = Detour {
            replaced: step.0,
            start: start as u32,
            more: edit.more as u32,
            stays: role != Role::Instead,
            named: named as u32,
        };
        Ok(Patch { program: patched, detour })
    }
}

/// Where a text is put.
struct Edit {
    range: Range<usize>,
    text: String,
    /// The bytes of `text` before the statement that runs it.
    before: usize,
    /// How many statements more the program has then.
    more: usize,
}

impl Edit {
    /// A declaration stays, so that its variables exist, and the text is put after it.
    fn new(program: &Program, step: StepId, role: Role, text: &str, kept: &str) -> Edit {
        let Step { span, kind, .. } = *program.step(step);
        let (start, end) = (span.start as usize, span.end as usize);
        let text = match (role, text.strip_prefix("return ")) {
            (Role::Truth, _) => format!("{kept}{TRUTH} = (({text}) != 0)"),
            (_, Some(result)) => format!("return {kept}{result}"),
            _ if text.is_empty() => format!("{kept}(void)0"),
            _ => format!("{kept}{text}"),
        };
        let in_place = |text: String| Edit { range: start..end, text, before: 0, more: 0 };
        match kind {
            StepKind::Declaration => Edit { range: end..end, text: format!(" {text};"), before: 1, more: 1 },
            StepKind::Exit => Edit { range: start..start, text: format!("{text}; "), before: 0, more: 1 },
            StepKind::If | StepKind::Loop | StepKind::Switch if role != Role::Instead => {
                in_place(format!("((void)({text}), {TRUTH})"))
            }
            StepKind::ForInit => in_place(match declared_in(program, step) {
                Some(name) => clause(program, span, name, role, &text),
                None => text,
            }),
            _ => in_place(text),
        }
    }
}

/// The name of the first variable that a statement declares.
fn declared_in(program: &Program, step: StepId) -> Option<Span> {
    let (step, function) = (program.step(step), program.function(program.step(step).function));
    let names = function.locals[..function.named].iter().map(|local| local.span);
    names.filter(|name| step.span.start <= name.start && name.end <= step.span.end).min_by_key(|name| name.start)
}

/// The first clause of a `for` that declares its variable: `int i = 0;` with
/// the text `i = 1` is `int i = 1;`.
fn clause(program: &Program, span: Span, name: Span, role: Role, text: &str) -> String {
    let kind = program.source.text(Span { end: name.start, ..span });
    let end = if program.source.text(span).trim_end().ends_with(';') { ";" } else { "" };
    match role {
        Role::Instead => format!("{kind}{text}{end}"),
        _ => format!("{kind}{} = ((void)({text}), 0){end}", program.source.text(name)),
    }
}

/// The variables that would live in memory no more, because the text takes the
/// place of the only one that takes their address: `(void)&x, ` for each.
fn no_longer_in_memory(program: &Program, patched: &Program, step: StepId) -> String {
    let function = program.step(step).function;
    let pairs = program.function(function).locals.iter().zip(&patched.function(function).locals);
    let moved = pairs.take(program.function(function).named).filter(|(a, b)| a.in_memory && !b.in_memory);
    moved.map(|(local, _)| format!("(void)&{}, ", local.name)).collect()
}

/// A register and an address in it must not be mixed up: the same variables must live in memory.
fn check_registers(program: &Program, patched: &Program, step: StepId, text: &str) -> Result<(), ExecuteError> {
    let function = program.step(step).function;
    let (function, other) = (program.function(function), patched.function(function));
    if function.named != other.named {
        let sentence = format!("`{text}` declares a variable; only statements can be run here");
        return Err(ExecuteError::NotHere(sentence));
    }
    let mut pairs = function.locals.iter().zip(&other.locals).take(function.named);
    match pairs.find(|(a, b)| b.in_memory && !a.in_memory) {
        None => Ok(()),
        Some((local, _)) => {
            let sentence =
                format!("`{text}` takes the address of `{}`, which the program itself never does", local.name);
            Err(ExecuteError::NotHere(sentence))
        }
    }
}

fn refusal(text: &str, error: ParseError) -> ExecuteError {
    let reason = match error {
        ParseError::Rejected(diagnostics) => {
            let first = diagnostics.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error);
            first.map_or("it is not C".into(), |diagnostic| diagnostic.message)
        }
        other => other.to_string(),
    };
    ExecuteError::NotHere(format!("`{text}` cannot be run here: {reason}"))
}
