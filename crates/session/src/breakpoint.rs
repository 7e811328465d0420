//! Breakpoints.

use std::collections::BTreeSet;
use std::sync::Arc;

use expression::{Expression, Scope};
use ir::StepId;

use crate::caret::with_caret;
use crate::command::Location;
use crate::outcome::statement_text;
use crate::session::{Done, Session};

/// A place where the program stops.
#[derive(Clone, Debug)]
pub(crate) struct Breakpoint {
    /// From 1, never used twice.
    pub number: u32,
    /// The statements: one, or those that a function can begin with.
    pub steps: BTreeSet<StepId>,
    /// What must be true, in C.
    pub condition: Option<Expression>,
}

impl Session {
    pub(crate) fn set_breakpoint(&mut self, place: Option<&Location>, condition: Option<&str>) -> Done {
        let steps = match place {
            Some(place) => self.find_statements(place)?,
            None => BTreeSet::from([self.current_step()?]),
        };
        let condition = condition.map(|text| self.check_condition(text, &steps)).transpose()?;
        self.now.breakpoint_count += 1;
        let number = self.now.breakpoint_count;
        let breakpoint = Breakpoint { number, steps, condition };
        let text = self.describe(&breakpoint);
        Arc::make_mut(&mut self.now.breakpoints).push(breakpoint);
        self.say(text);
        Ok(())
    }

    fn check_condition(&self, text: &str, steps: &BTreeSet<StepId>) -> Done<Expression> {
        let condition = expression::parse(text).map_err(|error| with_caret(text, &error))?;
        for &step in steps {
            condition.check(&self.program, step).map_err(|error| with_caret(text, &error))?;
        }
        Ok(condition)
    }

    fn current_step(&mut self) -> Done<StepId> {
        let moment = self.here()?;
        let step = self.timeline.get(moment).stop.step();
        step.ok_or_else(|| "the program stands before no statement; name a line or a function".into())
    }

    /// The statements where a program stops for `break LINE` or `break FUNCTION`.
    pub(crate) fn find_statements(&self, place: &Location) -> Done<BTreeSet<StepId>> {
        match place {
            Location::Function(name) => {
                let function = self.program.function_named(name).ok_or_else(|| self.no_function(name))?;
                Ok(ir::entry_steps(&self.program, function))
            }
            Location::Line(line) => {
                let steps = self.program.steps.iter().enumerate();
                let after = steps.filter(|(_, step)| step.line >= *line).min_by_key(|(i, step)| (step.line, *i));
                let (index, _) = after.ok_or_else(|| {
                    let last = self.program.steps.iter().map(|step| step.line).max().unwrap_or(0);
                    format!("line {line} has no statement, and none follows; the last one is in line {last}")
                })?;
                Ok(BTreeSet::from([StepId(index as u32)]))
            }
        }
    }

    pub(crate) fn no_function(&self, name: &str) -> String {
        let names: Vec<&str> = self.own_functions().collect();
        format!("this program has no function `{name}`; it has {}", names.join(", "))
    }

    /// The functions of the user's file, not those of headers.
    pub(crate) fn own_functions(&self) -> impl Iterator<Item = &str> {
        let is_own = |function: &&ir::Function| self.program.step(function.exit).line > 0;
        self.program.functions.iter().filter(is_own).map(|function| &*function.name)
    }

    /// `breakpoint 1 at line 29, if x > 3: while (temp1 != NULL)`
    fn describe(&self, breakpoint: &Breakpoint) -> String {
        let first = breakpoint.steps.first().copied();
        let line = first.map_or(0, |step| self.program.step(step).line);
        let text = first.map_or(String::new(), |step| statement_text(&self.program, step));
        let condition = breakpoint.condition.as_ref().map_or(String::new(), |c| format!(", if {}", c.text()));
        format!("breakpoint {} at line {line}{condition}: {text}", breakpoint.number)
    }

    pub(crate) fn delete_breakpoint(&mut self, number: Option<u32>) -> Done {
        let is_kept = |breakpoint: &Breakpoint| number.is_some_and(|number| breakpoint.number != number);
        if self.now.breakpoints.iter().all(is_kept) {
            let which = number.map_or("there are no breakpoints".into(), |n| format!("there is no breakpoint {n}"));
            return Err(which.into());
        }
        Arc::make_mut(&mut self.now.breakpoints).retain(is_kept);
        Ok(())
    }

    pub(crate) fn list_breakpoints(&mut self) -> Done {
        let lines: Vec<String> = self.now.breakpoints.iter().map(|breakpoint| self.describe(breakpoint)).collect();
        self.say(if lines.is_empty() { "there are no breakpoints".into() } else { lines.join("\n") });
        Ok(())
    }

    /// The first breakpoint at a statement that wants to stop now.
    pub(crate) fn breakpoint_at(&mut self, step: StepId) -> Done<Option<u32>> {
        let here: Vec<Breakpoint> = self.now.breakpoints.iter().filter(|b| b.steps.contains(&step)).cloned().collect();
        for breakpoint in here {
            let Some(condition) = &breakpoint.condition else { return Ok(Some(breakpoint.number)) };
            let (state, _) = self.read_state(self.now.moment)?;
            let scope = Scope { program: &self.program, state: &state, frame: state.frames.len().saturating_sub(1) };
            match condition.is_true(&scope) {
                Ok(true) => return Ok(Some(breakpoint.number)),
                Ok(false) => {}
                // A condition that has no value is worth a look.
                Err(error) => {
                    self.say(format!("the condition of breakpoint {} has no value here: {error}", breakpoint.number));
                    return Ok(Some(breakpoint.number));
                }
            }
        }
        Ok(None)
    }
}
