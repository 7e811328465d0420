//! Forcing conditions: `enter`, `leave`, `flip`.

use execute::{Stop, Until};
use ir::{StepId, StepKind};

use crate::command::Force;
use crate::session::{Done, Session};
use crate::timeline::{Event, MomentId, Run};

impl Session {
    pub(crate) fn force(&mut self, force: Force) -> Done {
        let before = self.here()?;
        let step = match self.next_condition(force) {
            Ok(step) => step,
            Err(trouble) => {
                // What was run to look for a condition is taken back.
                self.go_to(before)?;
                return Err(trouble);
            }
        };
        let taken = match force {
            Force::Enter => true,
            Force::Leave => false,
            Force::Flip => !self.natural_way(step)?,
        };
        if ir::enters_variable_array(&self.program, step, taken) {
            self.go_to(before)?;
            return Err(
                "this way leads to a block with an array of variable length, which a program cannot be forced \
                        into; change a variable of the condition instead"
                    .into(),
            );
        }
        self.engine.remember_if_due()?;
        let stop = self.engine.decide(taken)?;
        self.commit(Event::Decide(taken), stop.clone(), None)?;
        self.tell_of_input(&stop).map(|_| ())
    }

    /// The condition that the program stands before, or the next one that it
    /// comes to in this call. On the way `enter` and `leave` look for a loop.
    fn next_condition(&mut self, force: Force) -> Done<StepId> {
        /// A function that runs for longer without one has an endless loop.
        const LONGEST: usize = 10_000;
        let mut moment = self.here()?;
        let depth = self.timeline.get(moment).depth;
        for ran in 0..LONGEST {
            let stop = self.timeline.get(moment).stop.clone();
            let Stop::Step(step) = stop else { return Err(no_condition(&stop).into()) };
            match self.program.step(step).kind {
                StepKind::Loop => return Ok(step),
                StepKind::If if ran == 0 || force == Force::Flip => return Ok(step),
                StepKind::Switch if ran == 0 => {
                    return Err("a `switch` has more than two ways to go; change its value instead".into());
                }
                _ => {}
            }
            self.advance(Until::Over)?;
            moment = self.here()?;
            if self.timeline.get(moment).depth != depth {
                let what = if force == Force::Flip { "condition" } else { "loop condition" };
                return Err(format!("there is no {what} ahead in this call; use `step` to get into a function").into());
            }
            if self.engine.interrupt().is_asked() {
                break;
            }
        }
        Err("no condition was reached; the program is where it was".into())
    }

    /// Which way a condition goes by itself.
    fn natural_way(&mut self, step: StepId) -> Done<bool> {
        let here: MomentId = self.here()?;
        self.engine.remember()?;
        let stop = self.engine.resume(&Run::plain(Until::Over), false)?;
        let way = |taken| ir::successor(&self.program, step, Some(taken), &|_| true);
        let answer = match (stop.step(), way(true), way(false)) {
            (Some(to), Some(yes), no) if to == yes && Some(to) != no => Ok(true),
            (Some(to), yes, Some(no)) if to == no && Some(to) != yes => Ok(false),
            (None, ..) => Err("the condition cannot be evaluated here; use `enter` or `leave`".into()),
            _ => Err("both ways lead to the same statement; use `enter` or `leave`".into()),
        };
        self.go_to(here)?;
        answer
    }
}

fn no_condition(stop: &Stop) -> &'static str {
    match stop {
        Stop::Exited(_) => "the program has ended, there is no condition ahead",
        Stop::Fault(_) => "the program has crashed, there is no condition ahead; `back` goes back",
        _ => "the program was interrupted in the middle of a statement; go to the next one first",
    }
}
