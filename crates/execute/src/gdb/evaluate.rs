//! Runs C text that the user gives, in the place of a statement or before it.
//!
//! gdb evaluates it. Calls of the program's own functions are made by the
//! program itself, so that it stops in them as ever: the expression waits
//! ([`Pending`]) until the call is back. The call returns into the middle of
//! the statement that it stands for, so it looks as if that had made it.

use std::collections::BTreeSet;
use std::sync::Arc;

use c_syntax::Source;
use c_types::Type;
use ir::{Program, StepId, StepKind};

use super::GdbExecutor;
use super::control::{Plan, not_here};
use super::frames::Registers;
use super::mi::{Values, quote};
use super::own_calls::{OwnCall, Part, called_names, first_part};
use crate::{ExecuteError, Stop, Until};

/// An expression that waits for a call.
#[derive(Clone, Debug)]
pub struct Pending {
    text: Text,
    call: OwnCall,
    /// Where the call returns to.
    back: u64,
    /// The end of the stack when it has returned.
    end: u64,
    /// All registers as they were before.
    saved: String,
}

/// A text that is run at a statement.
#[derive(Clone, Debug)]
struct Text {
    step: StepId,
    /// What is left to evaluate.
    left: String,
    /// As it was given.
    given: String,
    /// Where it goes on.
    next: Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The same statement comes.
    Stay,
    /// The value decides.
    Decide,
    /// Its value is the function's result.
    Return(StepId),
    /// This statement comes.
    Step(StepId),
}

impl GdbExecutor {
    /// Runs a text in the place of a statement, and on.
    pub(super) fn resume_text_instead(
        &mut self,
        text: &str,
        until: &Until,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        let step = self.current_step()?;
        let text = text.trim().trim_end_matches(';').trim();
        // Where it goes on must be known before anything is changed.
        let (next, left) = self.next_after(step, text)?;
        let plan = self.plan(until, breakpoints)?;
        let text = Text { step, left, given: text.to_string(), next };
        match self.evaluate(text)? {
            Some(stop) if !self.continues_after(&plan, next) => Ok(stop),
            _ => self.run_plan(&plan),
        }
    }

    /// Runs a text before a statement.
    pub(super) fn resume_text_here(
        &mut self,
        text: &str,
        breakpoints: &BTreeSet<StepId>,
    ) -> Result<Stop, ExecuteError> {
        let step = self.current_step()?;
        let left = text.trim().trim_end_matches(';').trim().to_string();
        let plan = self.plan(&Until::End, breakpoints)?;
        let text = Text { step, given: left.clone(), left, next: Next::Stay };
        match self.evaluate(text)? {
            Some(stop) => Ok(stop),
            None => self.run_plan(&plan),
        }
    }

    /// Whether a condition holds here.
    pub(super) fn truth_of_text(&mut self, condition: &str) -> Result<bool, ExecuteError> {
        let step = self.current_step()?;
        match self.ask_gdb("-wolverine-evaluate", condition, step)? {
            None => Err(ExecuteError::Over),
            Some(truth) => as_truth(&truth, condition),
        }
    }

    /// Where it goes on after a text in the place of a statement, and what of it is an expression.
    fn next_after(&mut self, step: StepId, text: &str) -> Result<(Next, String), ExecuteError> {
        let exit = self.program.function(self.program.step(step).function).exit;
        let kind = self.program.step(step).kind;
        let result =
            text.strip_prefix("return").filter(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()));
        if let Some(result) = result {
            return match self.has_code(exit) {
                true => Ok((Next::Return(exit), result.trim().to_string())),
                false => Err(not_here("the end of this function has no instructions")),
            };
        }
        let decides = matches!(kind, StepKind::If | StepKind::Loop);
        let next = match kind {
            StepKind::Return => self.next_without_return(step)?,
            _ => ir::successor(&self.program, step, decides.then_some(true), &|step| self.has_code(step)),
        };
        let next = next.ok_or_else(|| not_here("the place after this statement depends on its value"))?;
        Ok((if decides { Next::Decide } else { Next::Step(next) }, text.to_string()))
    }

    /// The statement after a `return`, if that does nothing.
    fn next_without_return(&mut self, step: StepId) -> Result<Option<StepId>, ExecuteError> {
        let span = self.program.step(step).span;
        let mut bytes = self.program.source.bytes.clone();
        bytes.splice(span.start as usize..span.end as usize, *b"(void)0");
        let source = Arc::new(Source::new(self.program.source.path.clone(), bytes));
        let without = ir::load_text(source).map_err(|_| not_here("this `return` cannot be left out"))?;
        Ok(ir::successor(&without, step, None, &|step| self.has_code(step)))
    }

    /// Evaluates a text up to its next call of an own function: then the
    /// program stands at the start of that, and the answer is nothing.
    fn evaluate(&mut self, mut text: Text) -> Result<Option<Stop>, ExecuteError> {
        let (program, step) = (self.program.clone(), text.step);
        while let Some(part) = first_part(&text.left, &|name| can_begin(&program, name)) {
            let (range, expression) = match &part {
                Part::Call(call) => return self.begin(text, call.clone()),
                Part::Test { range, condition, .. } => (range, condition),
                Part::First { range, expression } => (range, expression),
            };
            let truth = self.ask_gdb("-wolverine-evaluate", expression, step)?;
            let Some(truth) = truth else { return Ok(Some(self.position.clone())) };
            let instead = match &part {
                Part::Test { condition, yes, no, .. } => {
                    if as_truth(&truth, condition)? {
                        yes
                    } else {
                        no
                    }
                }
                _ => "",
            };
            text.left.replace_range(range.clone(), instead);
        }
        let command = if let Next::Return(_) = text.next { "-wolverine-return" } else { "-wolverine-evaluate" };
        let Some(truth) = self.ask_gdb(command, &text.left, step)? else { return Ok(Some(self.position.clone())) };
        match text.next {
            Next::Stay => {
                (self.position, self.state) = (Stop::Step(step), None);
                Ok(Some(self.position.clone()))
            }
            Next::Step(next) | Next::Return(next) => self.go_to(next).map(Some),
            Next::Decide => {
                let taken = as_truth(&truth, &text.given)?;
                self.position = Stop::Step(step);
                self.decide_condition(taken).map(Some)
            }
        }
    }

    fn begin(&mut self, text: Text, call: OwnCall) -> Result<Option<Stop>, ExecuteError> {
        self.prepare_calls(&text.left)?;
        let mut command = format!("-wolverine-begin {}", call.name);
        for argument in &call.arguments {
            command.push_str(&format!(" {}", quote(argument)));
        }
        let values = self.client.run(&command, self.limit)?;
        let said = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        if said("reason") != "begun" {
            return self.refuse(&values, &text.given, text.step).map(Some);
        }
        let number = |name: &str| said(name).parse().unwrap_or(0);
        let (back, end, saved) = (number("back"), number("end"), said("saved").to_string());
        self.leave_position();
        self.registers = Registers { pc: number("pc"), sp: number("sp"), bp: number("bp") };
        self.pending.push(Pending { text, call, back, end, saved });
        Ok(None)
    }

    /// Where the innermost call of an expression returns to.
    pub(super) fn pending_return(&self) -> Option<(u64, u64)> {
        self.pending.last().map(|pending| (pending.back, pending.end))
    }

    /// The innermost call of an expression has returned: evaluates the rest.
    /// Nothing if the program is to run on.
    pub(super) fn finish_call(&mut self, plan: &Plan) -> Result<Option<Stop>, ExecuteError> {
        let Some(Pending { mut text, call, saved, .. }) = self.pending.pop() else { return Ok(None) };
        let values = self.client.run(&format!("-wolverine-finish {} {saved}", call.name), self.limit)?;
        let said = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        if said("reason") != "finished" {
            return self.refuse(&values, &text.given, text.step).map(Some);
        }
        let number = |name: &str| said(name).parse().unwrap_or(0);
        self.leave_position();
        self.registers = Registers { pc: number("pc"), sp: number("sp"), bp: number("bp") };
        self.position = Stop::Step(text.step);
        text.left.replace_range(call.range, said("text"));
        let next = text.next;
        let stop = self.evaluate(text)?;
        Ok(stop.filter(|_| !self.continues_after(plan, next)))
    }

    /// Whether the program is to run on from the statement that follows a text.
    fn continues_after(&self, plan: &Plan, next: Next) -> bool {
        let is_wanted = |step: StepId| {
            let address = self.image.steps.start(step);
            address.is_some_and(|address| plan.wants(address, self.registers.bp))
        };
        next != Next::Stay && self.position.step().is_some_and(|step| !is_wanted(step))
    }

    /// Lets gdb do something with an expression at a statement. The answer is
    /// whether it is `true`, `false`, or neither (empty); nothing if the
    /// program cannot go on, as the position says.
    fn ask_gdb(&mut self, command: &str, text: &str, step: StepId) -> Result<Option<String>, ExecuteError> {
        if text.is_empty() {
            return Ok(Some(String::new()));
        }
        self.prepare_calls(text)?;
        (self.state, self.frames) = (None, None);
        let values = self.client.run(&format!("{command} {}", quote(text)), self.limit)?;
        let said = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        match said("reason") {
            "evaluated" => Ok(Some(said("truth").to_string())),
            _ => self.refuse(&values, text, step).map(|_| None),
        }
    }

    /// What did not work is the end of the program or a mistake in the text.
    fn refuse(&mut self, values: &Values, text: &str, step: StepId) -> Result<Stop, ExecuteError> {
        let said = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        if said("reason") == "exited" {
            self.arrive(values)?;
            return Ok(self.position.clone());
        }
        match self.fault_of_text(values, text, step) {
            Some(fault) => {
                self.position = fault;
                Ok(self.position.clone())
            }
            None => Err(not_here(&format!("`{text}` cannot be run here: {}", said("message").trim_end()))),
        }
    }

    /// Tells gdb of the functions that a text calls, and of the user's simple macros.
    fn prepare_calls(&mut self, text: &str) -> Result<(), ExecuteError> {
        let is_first = self.callable.is_empty();
        let mut names: BTreeSet<&str> = called_names(text).collect();
        if is_first {
            names.extend(self.image.elf.imports.iter().map(String::as_str));
            names.extend(self.program.functions.iter().map(|function| &*function.name));
            names.extend(super::compile::ALLOCATORS);
        }
        let fresh: Vec<String> =
            names.into_iter().filter(|name| !self.callable.contains(*name)).map(str::to_string).collect();
        if fresh.is_empty() {
            return Ok(());
        }
        let mut command = String::from("-wolverine-callables");
        for name in &fresh {
            match super::compile::ALLOCATORS.contains(&name.as_str()) {
                true => command.push_str(&format!(" {name}=__wrap_{name}")),
                false => command.push_str(&format!(" {name}")),
            }
        }
        self.callable.extend(fresh);
        self.client.command(&command)?;
        if is_first { self.define_macros() } else { Ok(()) }
    }

    fn define_macros(&mut self) -> Result<(), ExecuteError> {
        let mut macros = vec![String::from("-interpreter-exec console \"macro define NULL ((void *)0)\"")];
        macros.extend(self.program.names.macros.iter().map(|(name, body)| {
            format!("-interpreter-exec console {}", quote(&format!("macro define {name} {body}")))
        }));
        let macros: Vec<&str> = macros.iter().map(String::as_str).collect();
        self.client.settings(&macros)
    }
}

/// Whether the program can call a function in the middle of an expression.
fn can_begin(program: &Program, name: &str) -> bool {
    let Some(function) = program.function_named(name).map(|id| program.function(id)) else { return false };
    let is_simple = |ty| match program.types.get(ty) {
        Type::Array(..) | Type::Record(_) | Type::Function(_) => false,
        Type::Float { bytes } => *bytes <= 8,
        _ => true,
    };
    let parameters = function.locals[..function.parameters].iter();
    !function.variadic && is_simple(function.result) && parameters.map(|local| local.ty).all(is_simple)
}

fn as_truth(truth: &str, text: &str) -> Result<bool, ExecuteError> {
    match truth {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(not_here(&format!("`{text}` is neither true nor false"))),
    }
}
