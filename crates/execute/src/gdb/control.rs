//! Runs the program from statement to statement.
//!
//! Every statement has a breakpoint at its start; which of them are enabled
//! says how far the program runs. gdb's own stepping is not used: it knows
//! lines, not statements.

use std::collections::BTreeSet;
use std::time::Duration;

use ir::{FunctionId, Program, StepId, StepKind};

use super::GdbExecutor;
use super::client::Client;
use super::entry::entries;
use super::frames::Registers;
use super::image::Image;
use super::mi::{Values, quote};
use crate::{ExecuteError, Goal, StepCounts, Stop, Until};

/// The program at its first statement.
pub struct Start {
    /// What gdb told.
    pub values: Values,
    /// Where it stops now.
    pub enabled: BTreeSet<u64>,
}

/// Runs to the first statement of `main`.
pub fn run_to_main(
    client: &mut Client,
    program: &Program,
    image: &Image,
    main: FunctionId,
) -> Result<Start, ExecuteError> {
    /// What runs before `main` is not the user's; only a broken machine takes longer.
    const LIMIT: Duration = Duration::from_secs(60);
    let is_main = |step: StepId| program.step(step).function == main;
    let enabled: BTreeSet<u64> = image.steps.starts().filter(|(step, _)| is_main(*step)).map(|(_, at)| at).collect();
    client.command(&enable_command(&enabled))?;
    // A trap on a return address is jumped over by longjmp.
    let jumps = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
    if image.elf.imports.iter().any(|name| jumps.contains(&name.as_str())) {
        client.command("-wolverine-trap off")?;
    }
    let values = client.run("-wolverine-start", LIMIT)?;
    Ok(Start { values, enabled })
}

/// Where calls may stop first.
pub fn entry_addresses(program: &Program, image: &Image) -> BTreeSet<u64> {
    let has_code = |step: StepId| image.steps.start(step).is_some();
    let functions = (0..program.functions.len() as u32).map(FunctionId);
    let steps = functions.flat_map(|function| entries(program, function, &has_code));
    steps.filter_map(|step| image.steps.start(step)).collect()
}

fn enable_command(addresses: &BTreeSet<u64>) -> String {
    with_addresses("-wolverine-enable".into(), addresses)
}

fn with_addresses(mut command: String, addresses: &BTreeSet<u64>) -> String {
    for address in addresses {
        command.push_str(&format!(" {address}"));
    }
    command
}

/// How far to run: to these addresses, in a frame that is not inside of `floor`.
struct Plan {
    stops: BTreeSet<u64>,
    floor: u64,
}

impl GdbExecutor {
    /// Runs on.
    pub(super) fn resume_until(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        if let Stop::Fault(_) = self.position {
            return Err(ExecuteError::Over);
        }
        let Plan { mut stops, floor } = self.plan(until)?;
        let always: BTreeSet<u64> = breakpoints.iter().filter_map(|&step| self.image.steps.start(step)).collect();
        stops.extend(&always);
        self.enable(stops)?;
        self.leave_position();
        let command = with_addresses(format!("-wolverine-run {floor}"), &always);
        let mut values = self.client.run(&command, self.limit)?;
        while is_own_interruption(&values) && !self.client.running().was_asked() {
            values = self.client.run(&command, self.limit)?;
        }
        self.arrive(&values)?;
        Ok(self.position.clone())
    }

    /// Runs on to a goal and counts, inside of gdb.
    pub(super) fn resume_and_count(
        &mut self,
        goal: &Goal,
        counted: &BTreeSet<StepId>,
    ) -> Result<(Stop, StepCounts), ExecuteError> {
        if let Stop::Fault(_) = self.position {
            return Err(ExecuteError::Over);
        }
        let address = |step: StepId| self.image.steps.start(step);
        let stops: BTreeSet<u64> = goal.steps().filter_map(address).collect();
        let counted: BTreeSet<u64> = counted.iter().copied().filter_map(address).collect();
        let times = |(&step, often): (&StepId, &u64)| address(step).map(|address| format!("{address}={often}"));
        let text = |set: &BTreeSet<u64>| set.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let (first, times) = match goal {
            Goal::First(_) => (format!("- {}", text(&stops)), "=".to_string()),
            Goal::Times(counts) => {
                ("-".to_string(), format!("= {}", counts.iter().filter_map(times).collect::<Vec<_>>().join(" ")))
            }
        };
        let places = format!("- {}", text(&counted));
        self.enable(stops.union(&counted).copied().collect())?;
        self.leave_position();
        let command = format!("-wolverine-count {} {} {}", quote(&first), quote(&times), quote(&places));
        let values = self.client.run(&command, self.limit)?;
        self.arrive(&values)?;
        Ok((self.position.clone(), self.read_counts(&values)))
    }

    /// `4198734=12 4198750=11`
    fn read_counts(&self, values: &Values) -> StepCounts {
        let text = values.get("counts").and_then(|counts| counts.text()).unwrap_or_default();
        let count = |item: &str| {
            let (address, often) = item.split_once('=')?;
            Some((self.image.steps.starting_at(address.parse().ok()?)?, often.parse().ok()?))
        };
        text.split_whitespace().filter_map(count).collect()
    }

    fn plan(&mut self, until: &Until) -> Result<Plan, ExecuteError> {
        Ok(match until {
            Until::Into => self.plan_into()?,
            Until::Over => self.plan_outside(usize::from(self.is_leaving()))?,
            Until::Out => self.plan_outside(1)?,
            Until::End => Plan { stops: BTreeSet::new(), floor: 0 },
        })
    }

    /// To the next statement of any call that is active now, or to the first
    /// one of a new call. Fewer breakpoints than all: gdb takes quadratic time
    /// for many.
    fn plan_into(&mut self) -> Result<Plan, ExecuteError> {
        let mut plan = self.plan_outside(0)?;
        plan.stops.extend(&self.entries);
        plan.floor = 0;
        Ok(plan)
    }

    /// Whether this call is over after the statement it stands before. The
    /// next call may have its frame at the same place.
    fn is_leaving(&self) -> bool {
        let Some(step) = self.position.step().map(|step| self.program.step(step)) else { return false };
        let exit = self.program.function(step.function).exit;
        step.kind == StepKind::Exit || step.kind == StepKind::Return && !self.has_code(exit)
    }

    /// To the next statement of a call that is active now, the innermost
    /// `skip` left out.
    fn plan_outside(&mut self, skip: usize) -> Result<Plan, ExecuteError> {
        let frames = self.frames()?;
        let kept = &frames[..frames.len().saturating_sub(skip)];
        let functions: BTreeSet<FunctionId> = kept.iter().map(|frame| frame.function).collect();
        let is_kept = |step: StepId| functions.contains(&self.program.step(step).function);
        let starts = self.image.steps.starts().filter(|(step, _)| is_kept(*step));
        let stops = starts.map(|(_, address)| address).collect();
        Ok(Plan { stops, floor: kept.last().map_or(0, |frame| frame.bp) })
    }

    fn enable(&mut self, stops: BTreeSet<u64>) -> Result<(), ExecuteError> {
        if stops != self.enabled {
            self.client.command(&enable_command(&stops))?;
            self.enabled = stops;
        }
        Ok(())
    }

    /// Nothing that was known of the program holds once it runs.
    pub(super) fn leave_position(&mut self) {
        self.position = Stop::Interrupted;
        self.frames = None;
        self.state = None;
    }

    /// Takes in where the program stopped and why.
    pub(super) fn arrive(&mut self, values: &Values) -> Result<(), ExecuteError> {
        let text = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default();
        let number = |name: &str| text(name).parse().unwrap_or(0);
        self.leave_position();
        self.registers = Registers { pc: number("pc"), sp: number("sp"), bp: number("bp") };
        self.position = match text("reason") {
            "step" => match self.image.steps.starting_at(self.registers.pc) {
                Some(step) => Stop::Step(step),
                None => Stop::Interrupted,
            },
            "exited" => Stop::Exited(number("code") as i32),
            "signal" if text("name") == "SIGINT" => Stop::Interrupted,
            "signal" => self.fault(values)?,
            "killed" => return Err(ExecuteError::Died("the program was killed; start it again".into())),
            _ => {
                let why = text("message").trim_end().to_string();
                return Err(ExecuteError::Died(format!("gdb cannot run the program on: {why}")));
            }
        };
        Ok(())
    }

    fn has_code(&self, step: StepId) -> bool {
        self.image.steps.start(step).is_some()
    }

    fn current_step(&self) -> Result<StepId, ExecuteError> {
        match self.position {
            Stop::Step(step) => Ok(step),
            Stop::Interrupted => {
                let sentence = "the program was interrupted in the middle of a statement; go to the next one first";
                Err(ExecuteError::NotHere(sentence.into()))
            }
            Stop::Exited(_) | Stop::Fault(_) => Err(ExecuteError::Over),
        }
    }

    /// Goes to a statement without running anything.
    fn go_to(&mut self, step: StepId) -> Result<Stop, ExecuteError> {
        let address = self.image.steps.start(step);
        let address = address.ok_or_else(|| ExecuteError::NotHere("that statement has no instructions".into()))?;
        self.client.command(&format!("-wolverine-load rip={address}"))?;
        self.leave_position();
        self.registers.pc = address;
        self.position = Stop::Step(step);
        Ok(self.position.clone())
    }

    /// Goes where a condition would go.
    pub(super) fn decide_condition(&mut self, taken: bool) -> Result<Stop, ExecuteError> {
        let step = self.current_step()?;
        match self.program.step(step).kind {
            StepKind::If | StepKind::Loop => {}
            StepKind::Switch => {
                return Err(not_here("a `switch` has more than two ways to go; change its value instead"));
            }
            _ => return Err(not_here("this statement is no condition, so there is nothing to decide")),
        }
        let next = ir::successor(&self.program, step, Some(taken), &|step| self.has_code(step));
        self.go_to(next.ok_or_else(|| not_here("where that would lead depends on values that are not known here"))?)
    }

    /// Runs an expression in the place of a statement. In the place of a
    /// condition its value decides.
    pub(super) fn execute_text_instead(&mut self, text: &str) -> Result<Stop, ExecuteError> {
        let step = self.current_step()?;
        let expression = text.trim().trim_end_matches(';').trim();
        let decides = matches!(self.program.step(step).kind, StepKind::If | StepKind::Loop);
        // Where it goes on must be known before anything is changed.
        let next = ir::successor(&self.program, step, decides.then_some(true), &|step| self.has_code(step));
        let next = next.ok_or_else(|| not_here("the place after this statement depends on its value"))?;
        let truth = self.evaluate(expression)?;
        match (decides, truth.as_str()) {
            (false, _) => self.go_to(next),
            (true, "true" | "false") => self.decide_condition(truth == "true"),
            (true, _) => Err(not_here(&format!("`{expression}` is neither true nor false"))),
        }
    }

    /// Evaluates a C expression in the innermost frame; whether it is `true`,
    /// `false`, or neither (empty).
    fn evaluate(&mut self, expression: &str) -> Result<String, ExecuteError> {
        if expression.is_empty() {
            return Ok(String::new());
        }
        self.prepare_calls()?;
        (self.state, self.frames) = (None, None);
        let values = self.client.run(&format!("-wolverine-evaluate {}", quote(expression)), self.limit)?;
        let text = |name: &str| values.get(name).and_then(|value| value.text()).unwrap_or_default().to_string();
        match text("reason").as_str() {
            "evaluated" => Ok(text("truth")),
            _ => Err(not_here(&format!("`{expression}` cannot be run here: {}", text("message").trim_end()))),
        }
    }

    /// Tells gdb which functions expressions may call, and the user's simple macros.
    fn prepare_calls(&mut self) -> Result<(), ExecuteError> {
        if self.can_call {
            return Ok(());
        }
        self.can_call = true;
        let mut command = String::from("-wolverine-callables");
        for name in &self.image.elf.imports {
            command.push_str(&format!(" {name}"));
        }
        for function in &self.program.functions {
            command.push_str(&format!(" {}", function.name));
        }
        for name in super::compile::ALLOCATORS {
            command.push_str(&format!(" {name}=__wrap_{name}"));
        }
        self.client.command(&command)?;
        let mut macros = vec![String::from("-interpreter-exec console \"macro define NULL ((void *)0)\"")];
        macros.extend(self.program.names.macros.iter().map(|(name, body)| {
            format!("-interpreter-exec console {}", quote(&format!("macro define {name} {body}")))
        }));
        let macros: Vec<&str> = macros.iter().map(String::as_str).collect();
        self.client.settings(&macros)
    }
}

/// Whether Wolverine itself has interrupted the program.
fn is_own_interruption(values: &Values) -> bool {
    let sender = values.get("sender").and_then(|sender| sender.text());
    sender == Some(&std::process::id().to_string())
}

fn not_here(sentence: &str) -> ExecuteError {
    ExecuteError::NotHere(sentence.into())
}
