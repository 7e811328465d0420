//! Running the program backward.
//!
//! `back` goes to the statement that was run before this one in the same call,
//! or, at the beginning of a call, to the statement that made it. After single
//! steps that is the moment before. After `continue` or `finish` nobody knows
//! yet when that was: only a few statements can come right before this one
//! ([`ir::steps_before`]), so the stretch is run once more to count how often
//! each of them is come to, and once more to the last of these times. If that
//! was in a deeper call, which has returned since, the stretch is run from
//! stop to stop and the calls are counted at each.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::{Goal, StepCounts, Stop, Until};
use ir::{FunctionId, StepId};

use crate::engine::is_same;
use crate::session::{Done, Session};
use crate::timeline::{Event, Moment, MomentId, Run};

/// What can have been run right before a moment.
struct Before {
    steps: BTreeSet<StepId>,
    /// Whether the last visit to one of them is certainly the wanted one, as nothing recurses.
    is_last_visit: bool,
}

/// Recognises the end of a stretch that is run again from stop to stop.
enum Arrival {
    /// As a run ended, after it passed so many breakpoints; shallower than `limit` calls it ends, too.
    Run { run: Run, passed: u64, limit: usize },
    /// At a goal.
    Goal(Goal),
}

impl Arrival {
    fn is_at(&mut self, step: StepId, calls: usize) -> bool {
        match self {
            Arrival::Goal(goal) => goal.is_reached_at(step),
            Arrival::Run { run, passed, limit } => {
                let is_breakpoint = run.breakpoints.contains(&step);
                if calls <= *limit || is_breakpoint && *passed == run.passed {
                    return true;
                }
                *passed += u64::from(is_breakpoint);
                false
            }
        }
    }

    fn steps(&self) -> BTreeSet<StepId> {
        match self {
            Arrival::Goal(goal) => goal.steps().collect(),
            Arrival::Run { run, .. } => (*run.breakpoints).clone(),
        }
    }
}

impl Session {
    pub(crate) fn back(&mut self, count: u32) -> Done {
        let origin = self.here()?;
        let answer = self.go_back(origin, count);
        if answer.is_err() {
            // On the way the program was elsewhere; it is brought back when it is needed.
            self.now.moment = Some(origin);
        }
        self.tell_of_lost_repair(Some(origin));
        answer
    }

    fn go_back(&mut self, origin: MomentId, count: u32) -> Done {
        let mut target = origin;
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
            Event::Reach(_) => true,
            _ => false,
        }
    }

    /// Finds the statement that ran last before `moved` in its call or the
    /// calling one, and makes a moment of it.
    fn statement_before(&mut self, from: MomentId, moved: MomentId) -> Done<MomentId> {
        self.go_to(moved)?;
        let before = self.what_came_before(moved)?;
        let goal = match &self.timeline.get(moved).event {
            Event::Run(run) if run.until == Until::End && run.passed == 0 => Goal::First((*run.breakpoints).clone()),
            Event::Reach(counts) => Goal::Times((**counts).clone()),
            _ => return self.search_back(from, moved, &before.steps),
        };
        self.count_back(from, moved, &goal, &before)
    }

    /// No deeper than this is what `back` goes to: a deeper call has returned since.
    fn deepest(&self, moved: MomentId) -> usize {
        match self.timeline.get(moved) {
            Moment { stop: Stop::Exited(_), .. } => usize::MAX,
            moment => moment.depth,
        }
    }

    /// The statements that can have been run right before the present moment.
    fn what_came_before(&mut self, moved: MomentId) -> Done<Before> {
        let calls = self.engine.calls()?;
        let silent = self.engine.steps_without_code();
        let (innermost, caller) = (calls.last().copied().flatten(), calls.iter().rev().nth(1).copied().flatten());
        let mut steps = BTreeSet::new();
        match &self.timeline.get(moved).stop {
            Stop::Step(step) => {
                let (found, begins) = ir::steps_before(&self.program, *step, &|step| !silent.contains(&step));
                steps.extend(found);
                steps.extend(caller.filter(|_| begins));
            }
            // It crashed in the very statement that it stood before.
            Stop::Fault(fault) => steps.extend(fault.step.or(innermost)),
            Stop::Exited(_) => steps = ir::ends_program(&self.program),
            Stop::Interrupted => {}
        }
        let functions: BTreeSet<FunctionId> = steps.iter().map(|step| self.program.step(*step).function).collect();
        let is_last_visit = functions.iter().all(|&function| !ir::may_recurse(&self.program, function));
        Ok(Before { steps, is_last_visit })
    }

    /// Counts the visits to `steps` on the way to `moved`, and goes to the last of them.
    fn count_back(&mut self, from: MomentId, moved: MomentId, goal: &Goal, before: &Before) -> Done<MomentId> {
        /// After this many visits a moment is kept on the way, so that further steps back are short.
        const MANY: u64 = 200;
        const LAST: u64 = 50;
        self.go_to(from)?;
        let counts = self.count(goal, &before.steps)?;
        if counts.is_empty() {
            return Ok(from);
        }
        if before.is_last_visit && counts.values().sum::<u64>() > MANY {
            let fewer: StepCounts =
                counts.iter().map(|(&step, &count)| (step, count.saturating_sub(LAST))).filter(|c| c.1 > 0).collect();
            if !fewer.is_empty() {
                self.go_to(from)?;
                let (near, goal) = self.come_near(from, moved, fewer, goal)?;
                return self.count_back(near, moved, &goal, before);
            }
        }
        self.go_to(from)?;
        let (middle, _) = self.reach(from, counts, &BTreeSet::new())?;
        if middle.depth > self.deepest(moved) {
            return self.search_back(from, moved, &before.steps);
        }
        let rest = match &self.timeline.get(moved).event {
            Event::Run(run) => Some(Event::Run(run.clone())),
            _ => None,
        };
        self.put_between(moved, middle, rest)
    }

    /// Puts a moment shortly before `moved`, with an image; the goal from there.
    fn come_near(
        &mut self,
        from: MomentId,
        moved: MomentId,
        counts: StepCounts,
        goal: &Goal,
    ) -> Done<(MomentId, Goal)> {
        let (middle, visits) = self.reach(from, counts, &goal.steps().collect())?;
        let goal = match goal {
            Goal::First(steps) => Goal::First(steps.clone()),
            Goal::Times(counts) => {
                let here = |step: StepId| u64::from(middle.stop == Stop::Step(step));
                let left = |(&step, &count): (&StepId, &u64)| {
                    (step, count - visits.get(&step).copied().unwrap_or(0) - here(step))
                };
                Goal::Times(counts.iter().map(left).filter(|(_, count)| *count > 0).collect())
            }
        };
        let event = match &goal {
            Goal::First(_) => self.timeline.get(moved).event.clone(),
            Goal::Times(counts) => Event::Reach(Arc::new(counts.clone())),
        };
        let near = self.timeline.insert_before(moved, middle, event);
        self.engine.arrive(near);
        self.engine.remember()?;
        Ok((near, goal))
    }

    fn count(&mut self, goal: &Goal, steps: &BTreeSet<StepId>) -> Done<StepCounts> {
        let (_, counts) = self.engine.count(goal, steps)?;
        self.not_interrupted()?;
        Ok(counts)
    }

    /// Where the user stopped the program is no moment to go to.
    fn not_interrupted(&self) -> Done {
        match self.engine.interrupt().is_asked() {
            true => Err("interrupted on the way back; the program is where it was".into()),
            false => Ok(()),
        }
    }

    /// Runs on from `from`; the moment that it comes to, and the visits to `counted` before.
    fn reach(&mut self, from: MomentId, counts: StepCounts, counted: &BTreeSet<StepId>) -> Done<(Moment, StepCounts)> {
        let (stop, visits) = self.engine.count(&Goal::Times(counts.clone()), counted)?;
        self.not_interrupted()?;
        Ok((self.moment_here(from, Event::Reach(Arc::new(counts)), stop)?, visits))
    }

    fn moment_here(&mut self, from: MomentId, event: Event, stop: Stop) -> Done<Moment> {
        let (depth, input) = (self.engine.calls()?.len(), self.timeline.get(from).input.clone());
        Ok(Moment { parent: Some(from), event, stop, depth, input })
    }

    /// Runs from stop to stop and goes to the last of `steps` that is no deeper than `moved`.
    fn search_back(&mut self, from: MomentId, moved: MomentId, steps: &BTreeSet<StepId>) -> Done<MomentId> {
        let depth = self.deepest(moved);
        let start = self.timeline.get(from).depth;
        let (mut arrival, run) = match &self.timeline.get(moved).event {
            Event::Run(run) => {
                let limit = match run.until {
                    Until::Over => start,
                    Until::Out => start.saturating_sub(1),
                    Until::Into | Until::End => 0,
                };
                (Arrival::Run { run: run.clone(), passed: 0, limit }, Some(run.clone()))
            }
            Event::Reach(counts) => (Arrival::Goal(Goal::Times((**counts).clone())), None),
            _ => return Ok(from),
        };
        let breakpoints: BTreeSet<StepId> = steps.union(&arrival.steps()).copied().collect();
        let wide = Run { breakpoints: Arc::new(breakpoints), ..Run::plain(Until::End) };
        self.go_to(from)?;
        let (mut stops, mut last) = (0, None);
        let mut stop = self.engine.resume(&wide, false)?;
        while let Stop::Step(step) = stop {
            self.not_interrupted()?;
            let calls = self.engine.calls()?.len();
            let passed = if let Arrival::Run { passed, .. } = &arrival { *passed } else { 0 };
            if arrival.is_at(step, calls) {
                break;
            }
            if calls <= depth && steps.contains(&step) {
                last = Some((stops, passed));
            }
            stops += 1;
            stop = self.engine.resume(&wide, true)?;
        }
        let Some((stops, passed)) = last else { return Ok(from) };
        self.go_to(from)?;
        let first = Run { repeats: stops, passed: stops, ..wide };
        let stop = self.engine.run(&first)?;
        self.not_interrupted()?;
        let middle = self.moment_here(from, Event::Run(first), stop)?;
        let rest = run.filter(|run| run.until == Until::End).map(|run| {
            let left = run.passed - passed;
            Event::Run(Run { repeats: left, passed: left, ..run })
        });
        self.put_between(moved, middle, rest)
    }

    /// Puts a moment, where the program stands, before `moved`: it follows by a
    /// single step, or by `rest`. Where neither is known it becomes a branch.
    fn put_between(&mut self, moved: MomentId, middle: Moment, rest: Option<Event>) -> Done<MomentId> {
        let end = self.timeline.get(moved).clone();
        let image = self.engine.take_image()?;
        let over = Run::plain(Until::Over);
        let stop = self.engine.resume(&over, false)?;
        self.not_interrupted()?;
        let is_single = is_same(&stop, &end.stop) && self.engine.calls()?.len() == end.depth;
        let id = match is_single.then_some(Event::Run(over)).or(rest) {
            Some(event) => self.timeline.insert_before(moved, middle, event),
            None => self.timeline.add(middle),
        };
        self.engine.name_image(id, image);
        Ok(id)
    }
}
