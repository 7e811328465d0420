//! The way that the program came, as far as changes must know it.

use ir::StepId;

/// What a checkpoint must remember beside the program.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The last statement of each active call, outermost first; nothing if nobody must know.
    last: Option<Vec<Option<StepId>>>,
    /// The inserted texts that are being run, the innermost last.
    inserting: Vec<Inserting>,
    /// Whether it was interrupted after it came to a statement, before anyone heard of that.
    pub is_arriving: bool,
}

/// An inserted text that is being run, in a call that it makes.
#[derive(Clone, Copy, Debug)]
pub struct Inserting {
    /// The statement after it.
    pub to: StepId,
    /// How many calls are active there.
    pub depth: usize,
    /// The insertion that comes next.
    pub next: usize,
}

impl Way {
    /// Whether something must be finished that was begun.
    pub fn is_busy(&self) -> bool {
        self.is_arriving || !self.inserting.is_empty()
    }

    /// Whether the last statement of each call is known.
    pub fn is_followed(&self) -> bool {
        self.last.is_some()
    }

    /// From now on it is known; these are the calls that are active.
    pub fn follow(&mut self, calls: Vec<Option<StepId>>) {
        self.last = Some(calls);
    }

    /// Nobody must know it any more.
    pub fn stop_following(&mut self) {
        self.last = None;
    }

    /// A statement is run now, in the innermost of `depth` calls; the call is
    /// over after it if `is_end`.
    pub fn leave(&mut self, step: StepId, depth: usize, is_end: bool) {
        if let Some(last) = &mut self.last {
            last.resize(depth.saturating_sub(1), None);
            last.push(Some(step).filter(|_| !is_end));
        }
    }

    /// The statement that came before in the innermost of `depth` calls.
    pub fn previous(&self, depth: usize) -> Option<StepId> {
        self.last.as_ref()?.get(depth.checked_sub(1)?).copied().flatten()
    }

    /// An inserted text begins.
    pub fn begin(&mut self, inserting: Inserting) {
        self.inserting.push(inserting);
    }

    /// The program has come to a statement: which insertion comes next there.
    pub fn arrive(&mut self, step: StepId, depth: usize) -> usize {
        // A call that was jumped out of does not come back.
        self.inserting.retain(|inserting| inserting.depth <= depth);
        match self.inserting.last() {
            Some(inserting) if (inserting.to, inserting.depth) == (step, depth) => {
                let next = inserting.next;
                self.inserting.pop();
                next
            }
            _ => 0,
        }
    }
}
