//! Nodes that nothing leads to any more.
//!
//! `p->next = NULL;` in the middle of a list loses all nodes that follow.

use crate::cell::Cell;
use crate::machine::{Machine, Model, ObjectKind};

impl Machine {
    /// How many nodes exist that can be reached neither from a global variable
    /// nor from one of the outermost `calls`, nor from what is returned.
    pub fn lost_nodes(&self, model: &Model, calls: usize) -> usize {
        let mut seen = vec![false; self.objects.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut cells: Vec<Cell> = self.frames.iter().skip(calls).map(|frame| frame.result).collect();
        for frame in self.frames.iter().take(calls) {
            let (base, named) = (frame.base as usize, model.program.functions[frame.function as usize].named);
            cells.extend(&self.cells.all()[base..base + named]);
        }
        for (i, object) in self.objects.iter().enumerate() {
            let is_root = match object.kind {
                ObjectKind::Global(_) | ObjectKind::Text => true,
                ObjectKind::Local { frame, .. } => (frame as usize) < calls,
                ObjectKind::Node(_) => false,
            };
            if object.live && is_root {
                (seen[i], _) = (true, open.push(i));
            }
        }
        loop {
            for cell in cells.drain(..) {
                if let Cell::Pointer(address) = cell
                    && !std::mem::replace(&mut seen[address.object as usize], true)
                {
                    open.push(address.object as usize);
                }
            }
            let Some(next) = open.pop() else { break };
            let object = &self.objects[next];
            let base = object.base as usize;
            cells.extend(&self.cells.all()[base..base + object.cells.leaves.len()]);
        }
        let is_lost = |(object, seen): &(&crate::machine::Object, bool)| {
            object.live && !seen && matches!(object.kind, ObjectKind::Node(_))
        };
        self.objects.iter().zip(seen).filter(is_lost).count()
    }
}
