//! Running the program forward: `start`, `next`, `step`, `finish`, `continue`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use execute::{Stop, Until};
use ir::StepId;

use crate::outcome::statement_text;
use crate::session::{Done, Session};
use crate::timeline::{Event, Run};

/// Why a move ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It went as far as it should.
    Arrived,
    /// Something else stopped it.
    Stopped,
}

impl Session {
    pub(crate) fn start(&mut self, arguments: &[String]) -> Done {
        let arguments = match (arguments.is_empty(), self.now.moment) {
            (false, _) => arguments.into(),
            (true, None) => self.engine.options().arguments.clone().into(),
            (true, Some(moment)) => self.arguments_of(moment),
        };
        // A repair stays live in the next run.
        let live = self.now.moment.map(|moment| self.timeline.changes_at(moment)).unwrap_or_default();
        let stop = self.engine.start(&arguments)?;
        let number = self.timeline.starts();
        self.commit(Event::Start { arguments, number }, stop, None)?;
        if !live.is_empty() {
            self.make_live(live)?;
            self.say("the repair is live in this run too; `undo` takes it back");
        }
        if !self.readers.is_empty() {
            self.say("note: this program reads its input; `input TEXT` gives it a line");
        }
        Ok(())
    }

    fn arguments_of(&self, moment: crate::timeline::MomentId) -> Arc<[String]> {
        let first = self.timeline.path(moment)[0];
        match &self.timeline.get(first).event {
            Event::Start { arguments, .. } => arguments.clone(),
            _ => Arc::default(),
        }
    }

    pub(crate) fn next(&mut self, count: u32) -> Done {
        self.repeat(count, Until::Over)
    }

    pub(crate) fn step(&mut self, count: u32) -> Done {
        self.repeat(count, Until::Into)
    }

    fn repeat(&mut self, count: u32, until: Until) -> Done {
        for i in 0..count {
            if self.advance(until)? == End::Stopped {
                if i + 1 < count {
                    self.say(format!("stopped after {} of {count}", i + 1));
                }
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Done {
        let moment = self.here()?;
        if self.timeline.get(moment).depth <= 1 {
            return Err("this is the outermost call, there is nothing to return to; `continue` runs to the end".into());
        }
        self.advance(Until::Out).map(|_| ())
    }

    pub(crate) fn go_on(&mut self) -> Done {
        self.advance(Until::End).map(|_| ())
    }

    /// Runs the program from here and makes a moment of where it stops.
    pub(crate) fn advance(&mut self, until: Until) -> Done<End> {
        let from = self.here()?;
        let moment = self.timeline.get(from);
        let limit = match until {
            Until::Into => usize::MAX,
            Until::Over => moment.depth,
            Until::Out => moment.depth.saturating_sub(1),
            Until::End => 0,
        };
        match moment.stop {
            Stop::Exited(_) => return Err("the program has ended; `start` runs it again, `back` goes back".into()),
            Stop::Fault(_) => return Err("the program has crashed; `back` goes back, `start` runs it again".into()),
            Stop::Step(_) | Stop::Interrupted => {}
        }
        self.engine.remember_if_due()?;
        let mut run = Run { breakpoints: self.stops(until), ..Run::plain(until) };
        let mut stop = self.engine.resume(&run, false)?;
        let mut end = End::Arrived;
        while let Stop::Step(step) = stop {
            let is_breakpoint = run.breakpoints.contains(&step);
            if self.is_far_enough(until, limit, is_breakpoint || run.repeats > 0)? {
                break;
            }
            if is_breakpoint && self.is_wanted(step)? {
                end = End::Stopped;
                break;
            }
            if self.engine.interrupt().is_asked() {
                stop = Stop::Interrupted;
                break;
            }
            run.repeats += 1;
            run.passed += u64::from(is_breakpoint);
            stop = self.engine.resume(&run, true)?;
        }
        if stop == Stop::Interrupted {
            run.interrupted = true;
            stop = self.settle()?;
        }
        if run.interrupted || !matches!(stop, Stop::Step(_)) {
            end = End::Stopped;
        }
        match self.arrive(run, stop)? {
            true => Ok(End::Stopped),
            false => Ok(end),
        }
    }

    /// Makes a moment of where the program stopped; whether it waits for input there.
    fn arrive(&mut self, run: Run, stop: Stop) -> Done<bool> {
        let interrupted = run.interrupted;
        self.commit(Event::Run(run), stop.clone(), None)?;
        if interrupted {
            // It would not stop there again by itself.
            self.engine.keep()?;
            self.say("interrupted");
        }
        self.tell_of_input(&stop)
    }

    /// Where else to stop than where `until` says.
    fn stops(&self, until: Until) -> Arc<BTreeSet<StepId>> {
        match until {
            Until::Into => Arc::default(),
            _ => {
                let breakpoints = self.now.breakpoints.iter().flat_map(|breakpoint| &breakpoint.steps);
                Arc::new(breakpoints.chain(&self.readers).copied().collect())
            }
        }
    }

    /// Whether a run has come to where `until` says; only in doubt the calls are counted.
    fn is_far_enough(&mut self, until: Until, limit: usize, in_doubt: bool) -> Done<bool> {
        match (until, in_doubt) {
            (Until::Into, _) | (_, false) => Ok(true),
            (Until::End, true) => Ok(false),
            (_, true) => Ok(self.engine.calls()?.len() <= limit),
        }
    }

    /// Whether to stop at a statement on the way: at a breakpoint whose
    /// condition is true, or before nothing can be read.
    fn is_wanted(&mut self, step: StepId) -> Done<bool> {
        if let Some(number) = self.breakpoint_at(step)? {
            self.say(format!("breakpoint {number}"));
            return Ok(true);
        }
        self.waits_for_input(step)
    }

    /// Says that the program waits for something to read, if it does.
    pub(crate) fn tell_of_input(&mut self, stop: &Stop) -> Done<bool> {
        let waits = match stop {
            Stop::Step(step) => self.waits_for_input(*step)?,
            _ => false,
        };
        if waits {
            self.say("the next statement reads input, and none is left: `input TEXT` gives it a line");
        }
        Ok(waits)
    }

    /// Whether a statement reads input and would find none. White space is
    /// nothing to `scanf`, which goes on to the next line.
    fn waits_for_input(&mut self, step: StepId) -> Done<bool> {
        let Some(moment) = self.now.moment.filter(|_| self.readers.contains(&step)) else { return Ok(false) };
        let Some(left) = self.engine.input_left()? else { return Ok(false) };
        let input = &self.timeline.get(moment).input;
        let rest = &input[input.len().saturating_sub(left)..];
        let skips_blanks = statement_text(&self.program, step).contains("scanf");
        Ok(rest.is_empty() || skips_blanks && rest.iter().all(u8::is_ascii_whitespace))
    }

    /// Brings an interrupted program to its next statement, if it gets there soon.
    fn settle(&mut self) -> Done<Stop> {
        const PATIENCE: Duration = Duration::from_millis(300);
        let interrupt = self.engine.interrupt().clone();
        let (finished, waiting) = channel::<()>();
        let watch = std::thread::spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                interrupt.interrupt();
            }
        });
        let stop = self.engine.resume(&Run::plain(Until::Into), false);
        drop(finished);
        // A panic there would be in this very function.
        watch.join().expect("the watch only waits");
        Ok(stop?)
    }
}
