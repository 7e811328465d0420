//! What cells and their values are called.

use std::collections::BTreeMap;

use encode::machine::ObjectKind;
use encode::{Address, Cell, Machine, Model, spot};
use ir::StepId;
use memory::{Entity, Root, State, leaves};

/// The names of the cells of a machine.
pub(crate) struct Names<'a> {
    model: &'a Model,
    machine: &'a Machine,
    cells: BTreeMap<u32, String>,
}

impl<'a> Names<'a> {
    /// The names that a state has for the cells of a machine.
    pub fn new(model: &'a Model, machine: &'a Machine, state: &State, calls: &[StepId]) -> Names<'a> {
        let mut cells = BTreeMap::new();
        let innermost = machine.frames.len().saturating_sub(1);
        for (entity, _) in leaves(state) {
            let found = spot(model, state, calls, &entity).and_then(|spot| machine.cell_of_spot(model, &spot));
            if let Some(at) = found {
                cells.entry(at).or_insert_with(|| short(&entity, innermost));
            }
        }
        Names { model, machine, cells }
    }

    /// The name of a cell.
    pub fn cell(&self, at: u32) -> String {
        self.cells.get(&at).cloned().unwrap_or_else(|| self.of_machine(at))
    }

    fn of_machine(&self, at: u32) -> String {
        for frame in self.machine.frames.iter().rev() {
            let function = &self.model.program.functions[frame.function as usize];
            let local = at.checked_sub(frame.base).and_then(|local| function.locals.get(local as usize));
            if let Some(local) = local {
                return local.name.to_string();
            }
        }
        let is_in = |object: &&encode::machine::Object| {
            at >= object.base && ((at - object.base) as usize) < object.cells.leaves.len()
        };
        match self.machine.objects.iter().find(is_in) {
            Some(object) => {
                let offset = object.cells.leaves[(at - object.base) as usize].offset;
                format!("{}+{offset}", self.object(object.kind))
            }
            None => "something that is gone".into(),
        }
    }

    fn object(&self, kind: ObjectKind) -> String {
        match kind {
            ObjectKind::Node(id) => id.to_string(),
            ObjectKind::Global(global) => self.model.program.globals[global.index()].name.to_string(),
            ObjectKind::Local { frame, local } => {
                let frame = self.machine.frames.get(frame as usize);
                let function = frame.map(|frame| &self.model.program.functions[frame.function as usize]);
                function
                    .and_then(|function| function.locals.get(local.index()))
                    .map_or_else(String::new, |local| local.name.to_string())
            }
            ObjectKind::Text => "a text".into(),
        }
    }

    /// A value; `pointer` tells whether 0 is null.
    pub fn value(&self, value: Cell, pointer: bool) -> String {
        match value {
            Cell::Unset => "?".into(),
            Cell::Unknown => "…".into(),
            Cell::Int(0) if pointer => "null".into(),
            Cell::Int(value) => value.to_string(),
            Cell::Float(value) => value.to_string(),
            Cell::Function(id) => format!("{}()", self.model.program.functions[id as usize].name),
            Cell::Pointer(Address { object, offset }) => {
                let kind = self.machine.objects[object as usize].kind;
                match (kind, offset) {
                    (ObjectKind::Node(id), 0) => id.to_string(),
                    (kind, 0) => format!("&{}", self.object(kind)),
                    (kind, offset) => format!("&{}+{offset}", self.object(kind)),
                }
            }
        }
    }
}

/// Variables of the innermost call are called by their own names.
fn short(entity: &Entity, innermost: usize) -> String {
    match &entity.root {
        Root::Local { frame, name, .. } if *frame == innermost => format!("{name}{}", entity.path),
        _ => entity.to_string(),
    }
}
