//! Running the program backward.
//!
//! `back` goes to the statement that was run before this one in the same call,
//! or, at the beginning of a call, to the statement that made it. After single
//! steps that is the moment before. After `continue` or `finish` nobody knows
//! yet which statement that was: the stretch is run once more with stops at
//! every statement of the function and of its caller, and the last of them
//! before the present moment is where `back` goes.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::{Stop, Until};
use ir::{FunctionId, StepId};

use crate::session::{Done, Session};
use crate::timeline::{Event, Moment, MomentId, Run};

/// A statement on the stretch that is run once more.
struct Found {
    /// How many stops came before it.
    stops: u64,
    /// How many breakpoints of the original run came before it.
    passed: u64,
}

impl Session {
    pub(crate) fn back(&mut self, count: u32) -> Done {
        let mut target = self.here()?;
        for i in 0..count {
            let Some((from, moved)) = self.timeline.last_move(target) else {
                if i == 0 {
                    return Err("this is the beginning of the program, there is nothing before it".into());
                }
                self.say(format!("this is the beginning; it was {i} back, not {count}"));
                break;
            };
            target = if self.is_long(from, moved) { self.statement_before(from, moved)? } else { from };
        }
        self.go_to(target)?;
        self.tell_of_checkpoints_ahead(target);
        Ok(())
    }

    /// Whether statements of this call may have run between two moments.
    fn is_long(&self, from: MomentId, moved: MomentId) -> bool {
        let (from, moved) = (self.timeline.get(from), self.timeline.get(moved));
        match &moved.event {
            Event::Run(run) if run.interrupted => false,
            Event::Run(run) => match run.until {
                Until::End | Until::Out => true,
                Until::Over => moved.depth > from.depth || matches!(moved.stop, Stop::Fault(_) | Stop::Exited(_)),
                Until::Into => false,
            },
            _ => false,
        }
    }

    /// Finds the statement that ran last before `moved` in its call or the
    /// calling one, and makes a moment of it.
    fn statement_before(&mut self, from: MomentId, moved: MomentId) -> Done<MomentId> {
        self.go_to(moved)?;
        let Event::Run(run) = self.timeline.get(moved).event.clone() else { return Ok(from) };
        let depth = self.timeline.get(moved).depth.max(1);
        let mut stops = self.steps_nearby()?;
        stops.extend(&*run.breakpoints);
        let wide = Run { breakpoints: Arc::new(stops), ..Run::plain(Until::End) };
        self.go_to(from)?;
        let Some(found) = self.last_statement(from, &run, &wide, depth)? else { return Ok(from) };
        self.go_to(from)?;
        self.put_between(moved, &run, Run { repeats: found.stops, passed: found.stops, ..wide }, found.passed)
    }

    /// The statements of the innermost two calls.
    fn steps_nearby(&mut self) -> Done<BTreeSet<StepId>> {
        let calls = self.engine.calls()?;
        let main = || self.program.function_named("main");
        let of_step = |step: &StepId| self.program.step(*step).function;
        let mut functions: BTreeSet<FunctionId> = calls.iter().rev().take(2).flatten().map(of_step).collect();
        functions.extend(main().filter(|_| calls.is_empty()));
        let steps = self.program.steps.iter().enumerate().filter(|(_, step)| functions.contains(&step.function));
        Ok(steps.map(|(i, _)| StepId(i as u32)).collect())
    }

    /// Runs a stretch again and finds the last statement on it that is no
    /// deeper than `depth`.
    fn last_statement(&mut self, from: MomentId, run: &Run, wide: &Run, depth: usize) -> Done<Option<Found>> {
        let limit = match run.until {
            Until::Over => self.timeline.get(from).depth,
            Until::Out => self.timeline.get(from).depth.saturating_sub(1),
            Until::Into | Until::End => 0,
        };
        let (mut stops, mut passed, mut last) = (0, 0, None);
        let mut stop = self.engine.resume(wide, false)?;
        while let Stop::Step(step) = stop {
            if self.engine.interrupt().is_asked() {
                break;
            }
            let calls = self.engine.calls()?.len();
            let is_breakpoint = run.breakpoints.contains(&step);
            if calls <= limit || is_breakpoint && passed == run.passed {
                return Ok(last);
            }
            if calls <= depth {
                last = Some(Found { stops, passed });
            }
            passed += u64::from(is_breakpoint);
            stops += 1;
            stop = self.engine.resume(wide, true)?;
        }
        match self.engine.interrupt().is_asked() {
            true => Err("interrupted on the way back; the program is where it was".into()),
            false => Ok(last),
        }
    }

    /// Puts the moment that `first` leads to before `moved`, if `moved`
    /// follows from it; otherwise it becomes a branch.
    fn put_between(&mut self, moved: MomentId, run: &Run, first: Run, passed: u64) -> Done<MomentId> {
        let Some(from) = self.timeline.get(moved).parent else { return Ok(moved) };
        let stop = self.engine.run(&first)?;
        let depth = self.engine.calls()?.len();
        let input = self.timeline.get(from).input.clone();
        let middle = Moment { parent: Some(from), event: Event::Run(first), stop, depth, input };
        let end = self.timeline.get(moved).clone();
        let over = Run::plain(Until::Over);
        let event = match self.engine.resume(&over, false)? {
            stop if crate::engine::is_same(&stop, &end.stop) && self.engine.calls()?.len() == end.depth => over,
            _ if run.until == Until::End => {
                let left = run.passed - passed;
                Run { repeats: left, passed: left, ..run.clone() }
            }
            _ => return Ok(self.timeline.add(middle)),
        };
        Ok(self.timeline.insert_before(moved, middle, Event::Run(event)))
    }
}
