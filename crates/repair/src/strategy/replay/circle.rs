//! Runs that go round in circles: the same memory at the same statement again.
//!
//! `while (p != NULL) { q = p; }` never ends; that is known as soon as a round
//! changes nothing, or a walk round a cycle of the heap is back where it was
//! (Brent's algorithm: the run is compared with one earlier moment, which moves
//! on at each power of two).

use encode::{Machine, Prepared};

/// An earlier moment of a run.
#[derive(Default)]
pub(super) struct Circle {
    before: Option<Box<Machine>>,
    /// When the next moment is remembered, in instructions.
    next: u64,
    /// How long that is after the last one.
    window: u64,
}

/// Shorter runs are not worth the trouble.
const FIRST: u64 = 160;

/// How often control must have come to each statement until it no longer
/// matters how often: something was asserted, forced or taken from the run there.
pub(super) fn counted(prepared: &Prepared, steps: usize) -> Vec<u32> {
    let trace = &prepared.trace;
    let visits = trace.forced.keys().chain(&trace.skipped).chain(trace.effects.keys());
    let mut counted = vec![0; steps];
    for visit in visits.chain(trace.demands.iter().map(|demand| &demand.at)) {
        let known: &mut u32 = &mut counted[visit.step.index()];
        *known = visit.count.max(*known);
    }
    counted
}

impl Circle {
    /// Whether a run is where it was at the earlier moment, and will go on as it did then.
    pub(super) fn is_closed(&mut self, machine: &Machine, counted: &[u32]) -> bool {
        if self.next == 0 {
            (self.next, self.window) = (machine.spent + FIRST, FIRST);
        }
        if self.before.as_ref().is_some_and(|before| is_same(before, machine, counted)) {
            return true;
        }
        if machine.spent >= self.next {
            self.before = Some(Box::new(machine.clone()));
            self.window *= 2;
            self.next = machine.spent + self.window;
        }
        false
    }
}

fn is_same(one: &Machine, other: &Machine, counted: &[u32]) -> bool {
    let frames = one.frames.iter().zip(&other.frames);
    let visits = one.visits.iter().zip(&other.visits).zip(counted);
    one.frames.len() == other.frames.len()
        && one.next_node == other.next_node
        && std::sync::Arc::ptr_eq(&one.objects, &other.objects)
        && frames.clone().all(|(a, b)| (a.function, a.pc, a.base) == (b.function, b.pc, b.base))
        && visits.clone().all(|((before, now), counted)| before == now || before >= counted)
        // What runs change most often is in the calls, which come last.
        && one.cells.len() == other.cells.len()
        && one.cells.all().iter().rev().eq(other.cells.all().iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use encode::{Model, Pause};

    /// Runs a function without arguments until it is known how it ends; whether it goes round in circles.
    fn circles(body: &str, counted: u32) -> bool {
        let text = format!("int run(void) {{ {body} }}\nint main(void) {{ return run(); }}\n");
        let source = Arc::new(c_syntax::Source::new("circle.c", text.into_bytes()));
        let model = Model::new(Arc::new(ir::load_text(source).expect("it is C")));
        let run = model.program.function_named("run").expect("it is there");
        let steps = (0..model.program.steps.len() as u32).map(ir::StepId);
        let first =
            steps.into_iter().find(|step| model.program.step(*step).function == run).expect("it has statements");
        let frame = memory::Frame { function: "run".into(), variables: Vec::new() };
        let state = memory::State { frames: vec![frame], ..memory::State::default() };
        let mut machine = Machine::load(&model, &state, &[first]).expect("it is modelled");
        machine.set_pc(0);
        let (mut circle, counted) = (Circle::default(), vec![counted; model.program.steps.len()]);
        while machine.spent < 100_000 {
            if let Pause::Over = machine.advance(&model) {
                return false;
            }
            if circle.is_closed(&machine, &counted) {
                return true;
            }
        }
        false
    }

    #[test]
    fn what_changes_nothing_is_a_circle() {
        assert!(circles("int i = 0; while (i < 3) { i = i; } return i;", 0));
        assert!(circles("int i = 0; while (1) { i = (i + 1) % 7; } return i;", 0));
    }

    #[test]
    fn what_ends_or_grows_is_none() {
        assert!(!circles("int i = 0; while (i < 200) { i++; } return i;", 0));
        assert!(!circles("unsigned i = 0; while (1) { i++; } return i;", 0));
    }

    #[test]
    fn what_is_asserted_in_a_later_round_is_waited_for() {
        assert!(circles("int i = 0; while (i < 3) { i = i; } return i;", 500));
        assert!(!circles("int i = 0; while (i < 3) { i = i; } return i;", 1_000_000));
    }
}
