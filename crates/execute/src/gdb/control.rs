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

/// How far to run: to `stops`, in a frame that is not inside of `floor`, or to
/// `always`, in any frame.
pub struct Plan {
    stops: BTreeSet<u64>,
    floor: u64,
    always: BTreeSet<u64>,
}

impl Plan {
    /// Whether it stops at an address in a frame.
    pub fn wants(&self, address: u64, bp: u64) -> bool {
        self.always.contains(&address) || self.stops.contains(&address) && bp >= self.floor
    }
}

impl GdbExecutor {
    /// Runs on.
    pub(super) fn resume_until(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Stop, ExecuteError> {
        if let Stop::Fault(_) = self.position {
            return Err(ExecuteError::Over);
        }
        let plan = self.plan(until, breakpoints)?;
        self.run_plan(&plan)
    }

    /// Runs on, and goes on with expressions whose calls have returned.
    pub(super) fn run_plan(&mut self, plan: &Plan) -> Result<Stop, ExecuteError> {
        loop {
            let returns = self.pending_return();
            let mut always = plan.always.clone();
            always.extend(returns.map(|(back, _)| back));
            self.enable(plan.stops.union(&always).copied().collect())?;
            self.leave_position();
            let command = with_addresses(format!("-wolverine-run {}", plan.floor), &always);
            let mut values = self.client.run(&command, self.limit)?;
            while is_own_interruption(&values) && !self.client.running().was_asked() {
                values = self.client.run(&command, self.limit)?;
            }
            self.arrive(&values)?;
            let Registers { pc, sp, bp } = self.registers;
            let is_running = matches!(self.position, Stop::Step(_) | Stop::Interrupted);
            match returns {
                Some((back, end)) if is_running && (pc, sp) == (back, end) => {
                    if let Some(stop) = self.finish_call(plan)? {
                        return Ok(stop);
                    }
                }
                // Another call has come to the same place.
                Some((back, _)) if is_running && pc == back && !plan.wants(pc, bp) => {}
                _ => return Ok(self.position.clone()),
            }
        }
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

    pub(super) fn plan(&mut self, until: &Until, breakpoints: &BTreeSet<StepId>) -> Result<Plan, ExecuteError> {
        let plan = match until {
            Until::Into => self.plan_into()?,
            Until::Over => self.plan_outside(usize::from(self.is_leaving()))?,
            Until::Out => self.plan_outside(1)?,
            Until::End => Plan { stops: BTreeSet::new(), floor: 0, always: BTreeSet::new() },
        };
        let always = breakpoints.iter().filter_map(|&step| self.image.steps.start(step)).collect();
        Ok(Plan { always, ..plan })
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
        Ok(Plan { stops, floor: kept.last().map_or(0, |frame| frame.bp), always: BTreeSet::new() })
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

    pub(super) fn has_code(&self, step: StepId) -> bool {
        self.image.steps.start(step).is_some()
    }

    pub(super) fn current_step(&self) -> Result<StepId, ExecuteError> {
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
    pub(super) fn go_to(&mut self, step: StepId) -> Result<Stop, ExecuteError> {
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
}

/// Whether Wolverine itself has interrupted the program.
fn is_own_interruption(values: &Values) -> bool {
    let sender = values.get("sender").and_then(|sender| sender.text());
    sender == Some(&std::process::id().to_string())
}

/// An error that says why something makes no sense at this place.
pub fn not_here(sentence: &str) -> ExecuteError {
    ExecuteError::NotHere(sentence.into())
}
