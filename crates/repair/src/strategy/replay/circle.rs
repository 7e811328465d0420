//! Runs that go round in circles: the same memory at the same statement again.
//!
//! `while (p != NULL) { q = p; }` never ends; that is known as soon as a round
//! changes nothing, or a walk round a cycle of the heap is back where it was
//! (Brent's algorithm: the run is compared with one earlier moment, which moves
//! on at each power of two).

use encode::Machine;

/// An earlier moment of a run.
#[derive(Default)]
pub(super) struct Circle {
    before: Option<Box<Machine>>,
    /// When the next moment is remembered, in instructions.
    next: u64,
}

/// Shorter runs are not worth the trouble.
const FIRST: u64 = 256;

impl Circle {
    /// Whether a run is where it was at the earlier moment.
    pub(super) fn is_closed(&mut self, machine: &Machine) -> bool {
        if machine.spent < FIRST {
            *self = Circle::default();
            return false;
        }
        if self.before.as_ref().is_some_and(|before| is_same(before, machine)) {
            return true;
        }
        if machine.spent >= self.next {
            self.before = Some(Box::new(machine.clone()));
            self.next = 2 * machine.spent;
        }
        false
    }
}

fn is_same(one: &Machine, other: &Machine) -> bool {
    let frames = one.frames.iter().zip(&other.frames);
    one.frames.len() == other.frames.len()
        && one.next_node == other.next_node
        && std::sync::Arc::ptr_eq(&one.objects, &other.objects)
        && frames.clone().all(|(a, b)| (a.function, a.pc, a.base) == (b.function, b.pc, b.base))
        && one.cells == other.cells
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use encode::{Model, Pause};

    /// Runs a function without arguments until it is known how it ends; whether it goes round in circles.
    fn circles(body: &str) -> bool {
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
        let mut circle = Circle::default();
        while machine.spent < 100_000 {
            if let Pause::Over = machine.advance(&model) {
                return false;
            }
            if circle.is_closed(&machine) {
                return true;
            }
        }
        false
    }

    #[test]
    fn what_changes_nothing_is_a_circle() {
        assert!(circles("int i = 0; while (i < 3) { i = i; } return i;"));
        assert!(circles("int i = 0; while (1) { i = (i + 1) % 7; } return i;"));
    }

    #[test]
    fn what_ends_or_grows_is_none() {
        assert!(!circles("int i = 0; while (i < 200) { i++; } return i;"));
        assert!(!circles("unsigned i = 0; while (1) { i++; } return i;"));
    }
}
