//! What a concrete statement did, done to a state.
//!
//! The effect speaks of nodes by name, so it can be taken over only where the
//! names of nodes do not depend on edits.

use std::sync::Arc;

use super::run::Run;
use super::state::State;
use super::value::Value;
use crate::cell::{Address, Cell, Stuck};
use crate::check::{Home, Spot, spot};
use crate::machine::{Frame, Machine};
use crate::trace::Effect;

impl Run<'_> {
    /// Does to a state what a concrete statement did; `None` if no run gets past it.
    pub(super) fn effect(&mut self, state: &mut State, effect: &Effect) -> Option<()> {
        let Some(mut machine) = self.shadow(state) else { return self.forbid_all(state, Stuck::Unmodelled) };
        let known = machine.objects.len();
        let is_new = |node: &&memory::Node| node.id.0 >= machine.next_node;
        let fresh: Vec<&memory::Node> = effect.state.nodes.iter().filter(is_new).collect();
        machine.make_nodes(self.model, &fresh);
        machine.fill_nodes(self.model, &fresh);
        for object in &machine.objects[known..] {
            let base = self.new_cells(object.cells.leaves.len() as u32);
            debug_assert_eq!(base, object.base);
            for i in 0..object.cells.leaves.len() as u32 {
                state.set(base + i, Value::cell(machine.cells[(object.base + i) as usize]));
            }
            let (number, live) = (self.objects.len() as u32, self.terms.constant(object.live));
            self.objects.push(object.clone());
            state.set_live(&mut self.terms, number, live);
        }
        for node in &fresh {
            let object = machine.nodes[node.id.0 as usize];
            state.set_node(node.id.0, Value::cell(Cell::Pointer(Address { object, offset: 0 })));
        }
        state.next_node = Value::int(i64::from(machine.next_node));
        for id in &effect.freed {
            match machine.object_at(Home::Node(*id)) {
                Some(object) => {
                    let no = self.terms.constant(false);
                    state.set_live(&mut self.terms, object, no);
                }
                None => return self.forbid_all(state, Stuck::Unmodelled),
            }
        }
        for (entity, value) in &effect.writes {
            let found = spot(self.model, &effect.state, &effect.calls, entity);
            let cells = found.map_or_else(Vec::new, |found: Spot| self.spot(state, &found));
            let somewhere: Vec<_> = cells.iter().map(|place| place.0).collect();
            let somewhere = self.terms.any(&somewhere);
            let nowhere = self.terms.not(somewhere);
            self.forbid(state, nowhere, Stuck::Unmodelled)?;
            let value = Value::cell(machine.cell_of(self.model, value));
            for (guard, at) in cells {
                state.set_where(&mut self.terms, guard, at, &value);
            }
        }
        Some(())
    }

    /// A machine with the objects of a state, if their names are the same on every path.
    fn shadow(&mut self, state: &State) -> Option<Machine> {
        let Some(Cell::Int(next_node)) = state.next_node.known() else { return None };
        let mut nodes = Vec::new();
        for name in 0..state.node_names() {
            nodes.push(match state.node(name).known()? {
                Cell::Pointer(address) => address.object,
                _ => u32::MAX,
            });
        }
        let mut objects = self.objects.clone();
        for (i, object) in objects.iter_mut().enumerate() {
            let live = state.live(&mut self.terms, i as u32);
            object.live = self.terms.value(live) != Some(0);
        }
        let frames = state.frames.iter().map(|frame| Frame {
            function: frame.function,
            pc: frame.pc,
            base: frame.base,
            result_to: frame.result_to,
            result: Cell::Unknown,
        });
        let mut machine = self.prepared.start.clone();
        machine.cells = vec![Cell::Unknown; self.next_cell() as usize].into();
        machine.objects = Arc::new(objects);
        machine.nodes = Arc::new(nodes);
        machine.frames = frames.collect();
        machine.next_node = next_node as u32;
        Some(machine)
    }
}
