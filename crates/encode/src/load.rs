//! A machine that stands where a recorded run began.

use std::sync::Arc;

use c_types::{Type, TypeId};
use ir::{ActionKind, Callee, FunctionRef, LocalId, Program, StepId};
use memory::{Node, Object as StateObject, State, Value, Visible};

use crate::cell::{Address, Cell, Scalar, Stuck};
use crate::code::Instruction;
use crate::layout::Cells;
use crate::machine::{Frame, Machine, Model, Next, ObjectKind, SPARE};
use crate::store::Store;

/// Why a run cannot be modelled from its start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A call is under way in a statement from which the model cannot go on.
    #[error("the run starts in the middle of a statement that calls the same function more than once")]
    InsideOfStatement,
    /// There is no call at all.
    #[error("the program is not running at the start of the run")]
    NotRunning,
}

impl Machine {
    /// A machine with the memory `state`, before the last of the statements `calls`.
    pub fn load(model: &Model, state: &State, calls: &[StepId]) -> Result<Machine, LoadError> {
        if calls.is_empty() || calls.len() != state.frames.len() {
            return Err(LoadError::NotRunning);
        }
        let mut machine = Machine {
            cells: Store::default(),
            objects: Arc::default(),
            nodes: Arc::default(),
            frames: Vec::new(),
            globals: Arc::default(),
            texts: Arc::default(),
            next_node: 1,
            visits: vec![0; model.program.steps.len()],
            spent: 0,
            deepest: 10_000,
            swaps: Arc::default(),
            output: None,
        };
        machine.make_globals(model);
        machine.make_nodes(model, &state.nodes.iter().collect::<Vec<_>>());
        machine.make_frames(model, calls)?;
        machine.fill(model, state, calls);
        Ok(machine)
    }

    fn make_globals(&mut self, model: &Model) {
        let program = &model.program;
        let globals: Vec<u32> = (program.globals.iter().enumerate())
            .map(|(i, global)| {
                let known = (!global.external).then(|| Cells::of(&program.types, global.ty, 1)).flatten();
                let cells = known.unwrap_or_else(|| Cells::opaque(program.types.size_of(global.ty)));
                let first = self.cells.len();
                let object = self.add_object(Arc::new(cells), ObjectKind::Global(ir::GlobalId(i as u32))).object;
                // A state tells of static locals only while their functions are active.
                let last = self.cells.len();
                self.cells
                    .range_mut(first..last)
                    .iter_mut()
                    .filter(|_| global.owner.is_some())
                    .for_each(|cell| *cell = Cell::Unknown);
                object
            })
            .collect();
        self.globals = Arc::new(globals);
        let char_type = program.types.find(&Type::Char { signed: true });
        let texts: Vec<u32> = (program.texts.iter())
            .map(|text| {
                let size = text.len() as u64 + 1;
                let known = char_type.and_then(|ty| Cells::of(&program.types, ty, size));
                let address = self.add_object(Arc::new(known.unwrap_or_else(|| Cells::opaque(size))), ObjectKind::Text);
                let object = &self.objects[address.object as usize];
                if !object.cells.leaves.is_empty() {
                    for (i, byte) in text.iter().copied().chain([0]).enumerate() {
                        self.cells[object.base as usize + i] = Cell::Int(i64::from(byte as i8));
                    }
                }
                address.object
            })
            .collect();
        self.texts = Arc::new(texts);
    }

    pub(crate) fn make_nodes(&mut self, model: &Model, nodes: &[&Node]) {
        for node in nodes {
            let types = &model.program.types;
            let known = expression::node_type(types, node).filter(|_| node.live);
            let cells = known.and_then(|known| Cells::of(types, known.element, known.count.unwrap_or(1)));
            let cells = cells.unwrap_or_else(|| Cells::opaque(node.size));
            let address = self.add_object(Arc::new(cells), ObjectKind::Node(node.id));
            Arc::make_mut(&mut self.objects)[address.object as usize].live = node.live;
            self.next_node = self.next_node.max(node.id.0 + 1);
        }
    }

    fn make_frames(&mut self, model: &Model, calls: &[StepId]) -> Result<(), LoadError> {
        let mut result_to = None;
        for (i, &step) in calls.iter().enumerate() {
            let place = &model.code.steps[step.index()];
            let function = &model.program.functions[place.function as usize];
            let base = self.cells.len() as u32;
            self.cells.extend_to(self.cells.len() + function.locals.len() + SPARE);
            let mut frame = Frame { function: place.function, pc: place.start, base, result_to, result: Cell::Unset };
            result_to = None;
            if let Some(next) = calls.get(i + 1) {
                let callee = model.code.steps[next.index()].function;
                let (pc, to) = call_inside(model, step, callee).ok_or(LoadError::InsideOfStatement)?;
                (frame.pc, result_to) = (pc + 1, to);
                // What was computed in the statement before the call is not part of a state.
                for temporary in function.named..function.locals.len() {
                    self.cells[base as usize + temporary] = Cell::Unknown;
                }
            }
            self.frames.push(frame);
            for visible in &model.program.step(step).visible {
                if let Visible::Local(local) = *visible {
                    self.make_local(model, i, LocalId(local as u32));
                }
            }
            // A declaration that waits for a call has its variables already, though no state shows them.
            for local in declared(model, step, self.frames[i].pc) {
                self.make_local(model, i, local);
            }
        }
        Ok(())
    }

    /// Makes room for a variable that lives in memory.
    fn make_local(&mut self, model: &Model, frame: usize, local: LocalId) {
        let Frame { function, base, .. } = self.frames[frame];
        let declared = &model.program.functions[function as usize].locals[local.index()];
        if declared.in_memory {
            let cells = Cells::of(&model.program.types, declared.ty, 1);
            let cells = cells.unwrap_or_else(|| Cells::opaque(model.program.types.size_of(declared.ty)));
            let at = base as usize + local.index();
            // The address of the object stands where the value of another variable would.
            self.cells[at] = Cell::Unset;
            let address = self.add_object(Arc::new(cells), ObjectKind::Local { frame: frame as u32, local });
            self.cells[at] = Cell::Pointer(address);
        }
    }

    /// Computes what the caller of the innermost call had computed in its
    /// statement before: in `p->next = f(q)` that is `p`. No state tells, but
    /// where the call has just begun it is still the same. What the statement
    /// has done to memory before the call is not done again, so then nothing is known.
    pub(crate) fn compute_before_call(&mut self, model: &Model, calls: &[StepId]) {
        let [.., step, _] = *calls else { return };
        let Some(callee) = self.frames.pop() else { return };
        let (after, place) = (self.frame().pc, &model.code.steps[step.index()]);
        let function = &model.program.functions[place.function as usize];
        let before = &model.code.functions[place.function as usize].code[..after as usize - 1];
        if before[place.start as usize..].iter().all(|instruction| only_computes(instruction, function)) {
            self.run_to_end(model, before, place.start);
        }
        self.set_pc(after);
        self.frames.push(callee);
    }

    /// Runs code from an instruction to its end; what cannot be computed has no value.
    fn run_to_end(&mut self, model: &Model, code: &[Instruction], start: u32) {
        self.set_pc(start);
        while let Some(instruction) = code.get(self.frame().pc as usize) {
            let pc = self.frame().pc;
            let next = match instruction {
                // Its variable is there already.
                Instruction::Declare(_) => pc + 1,
                _ => match (self.run(model, instruction), assigned(instruction)) {
                    (Ok(Next::On), _) => pc + 1,
                    (Ok(Next::Go(to)), _) if to > pc => to,
                    (Err(Stuck::Fault), Some(to)) => {
                        let at = self.local(to) as usize;
                        self.cells[at] = Cell::Unset;
                        pc + 1
                    }
                    _ => return,
                },
            };
            self.set_pc(next);
        }
    }

    fn fill(&mut self, model: &Model, state: &State, calls: &[StepId]) {
        let program = &model.program;
        for variable in &state.globals {
            let found =
                program.globals.iter().position(|global| global.owner.is_none() && global.name == variable.name);
            if let Some(index) = found {
                let address = Address { object: self.globals[index], offset: 0 };
                self.fill_value(model, program.globals[index].ty, address, &variable.value);
            }
        }
        self.fill_nodes(model, &state.nodes.iter().collect::<Vec<_>>());
        for (i, (frame, &step)) in state.frames.iter().zip(calls).enumerate() {
            self.fill_frame(model, i, frame, step);
        }
    }

    pub(crate) fn fill_nodes(&mut self, model: &Model, nodes: &[&Node]) {
        for node in nodes.iter().filter(|node| node.live) {
            let (object, known) = (self.nodes[node.id.0 as usize], expression::node_type(&model.program.types, node));
            let Some(known) = known else { continue };
            let address = Address { object, offset: 0 };
            match (known.count, &node.value) {
                (Some(_), Value::Array(elements, _)) => self.fill_array(model, known.element, address, elements),
                (Some(_), Value::Chars(bytes)) => self.fill_chars(address, bytes),
                _ => self.fill_value(model, known.element, address, &node.value),
            }
        }
    }

    fn fill_frame(&mut self, model: &Model, index: usize, frame: &memory::Frame, step: StepId) {
        let program = &model.program;
        for (visible, variable) in program.step(step).visible.iter().zip(&frame.variables) {
            match *visible {
                Visible::Static(global) => {
                    let address = Address { object: self.globals[global], offset: 0 };
                    self.fill_value(model, program.globals[global].ty, address, &variable.value);
                }
                Visible::Local(local) => {
                    let at = self.frames[index].base as usize + local;
                    let declared = &program.functions[self.frames[index].function as usize].locals[local];
                    match self.cells[at] {
                        Cell::Pointer(address) if declared.in_memory => {
                            self.fill_value(model, declared.ty, address, &variable.value);
                        }
                        _ => self.cells[at] = self.cell_of(model, &variable.value),
                    }
                }
            }
        }
    }

    fn fill_array(&mut self, model: &Model, element: TypeId, address: Address, elements: &[Value]) {
        let size = model.program.types.size_of(element) as i32;
        for (i, value) in elements.iter().enumerate() {
            self.fill_value(model, element, Address { offset: address.offset + i as i32 * size, ..address }, value);
        }
    }

    fn fill_chars(&mut self, address: Address, bytes: &[Option<u8>]) {
        for (i, byte) in bytes.iter().enumerate() {
            if let Ok(at) = self.cell_at(Address { offset: address.offset + i as i32, ..address }, 1) {
                self.cells[at as usize] = byte.map_or(Cell::Unset, |byte| Cell::Int(i64::from(byte as i8)));
            }
        }
    }

    /// Writes a value of a state into the cells at `address`.
    pub fn fill_value(&mut self, model: &Model, ty: TypeId, address: Address, value: &Value) {
        let types = &model.program.types;
        match (types.get(ty), value) {
            (Type::Record(record), Value::Record(members)) => {
                for (field, (_, value)) in types.record(*record).fields.iter().zip(members) {
                    let at = Address { offset: address.offset + field.offset as i32, ..address };
                    self.fill_value(model, field.ty, at, value);
                }
            }
            (Type::Array(element, _), Value::Array(elements, _)) => {
                self.fill_array(model, *element, address, elements);
            }
            (Type::Array(..), Value::Chars(bytes)) => self.fill_chars(address, bytes),
            _ => {
                let cell = self.cell_of(model, value);
                let size = Scalar::of(types, ty).map_or(0, Scalar::size);
                if let Ok(at) = self.cell_at(address, size) {
                    self.cells[at as usize] = cell;
                }
            }
        }
    }

    /// A scalar value of a state as a cell.
    pub fn cell_of(&self, model: &Model, value: &Value) -> Cell {
        match value {
            Value::Uninitialised => Cell::Unset,
            Value::Int(value) => Cell::Int(*value as i64),
            Value::Float(value) => Cell::Float(*value),
            Value::Null => Cell::Int(0),
            Value::Pointer(place) | Value::Dangling(place) => match self.object_of(model, &place.object) {
                Some(object) => Cell::Pointer(Address { object, offset: place.offset as i32 }),
                None => Cell::Unknown,
            },
            Value::Address(address) => Cell::Int(*address as i64),
            Value::Text(bytes) => match model.program.texts.iter().position(|text| text == bytes) {
                Some(text) => Cell::Pointer(Address { object: self.texts[text], offset: 0 }),
                None => Cell::Unknown,
            },
            Value::Function(name) => {
                model.program.function_named(name).map_or(Cell::Unknown, |function| Cell::Function(function.0))
            }
            _ => Cell::Unknown,
        }
    }

    /// The object that a state calls so.
    pub fn object_of(&self, model: &Model, object: &StateObject) -> Option<u32> {
        let program = &model.program;
        match object {
            StateObject::Node(id) => self.nodes.get(id.0 as usize).copied().filter(|&object| object != u32::MAX),
            StateObject::Global(name) => {
                let index = program.globals.iter().position(|global| global.owner.is_none() && global.name == *name)?;
                Some(self.globals[index])
            }
            StateObject::Local { frame: Some(frame), name, .. } => self.find_local(program, *frame, name),
            StateObject::Local { frame: None, function, name } => {
                let owner = program.function_named(function)?;
                let is_it = |global: &ir::Global| global.owner == Some(owner) && global.name == *name;
                Some(self.globals[program.globals.iter().position(is_it)?])
            }
            StateObject::Arguments | StateObject::Gone => None,
        }
    }

    fn find_local(&self, program: &Program, frame: usize, name: &str) -> Option<u32> {
        let function = &program.functions[self.frames.get(frame)?.function as usize];
        let is_it = |kind: ObjectKind| match kind {
            ObjectKind::Local { frame: of, local } => {
                of as usize == frame && *function.locals[local.index()].name == *name
            }
            _ => false,
        };
        self.objects.iter().rposition(|object| object.live && is_it(object.kind)).map(|index| index as u32)
    }
}

/// The variables that a statement declares before an instruction.
fn declared(model: &Model, step: StepId, before: u32) -> Vec<LocalId> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code[place.start as usize..before as usize];
    let declared = code.iter().filter_map(|instruction| match instruction {
        Instruction::Declare(local) => Some(*local),
        _ => None,
    });
    declared.collect()
}

/// The variable or temporary that an instruction assigns to.
fn assigned(instruction: &Instruction) -> Option<LocalId> {
    match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Assign { to, .. } => Some(*to),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an instruction changes nothing but temporaries.
fn only_computes(instruction: &Instruction, function: &ir::Function) -> bool {
    match instruction {
        Instruction::Act(_) => assigned(instruction).is_some_and(|to| to.index() >= function.named),
        Instruction::Step(_) | Instruction::Slot(_) | Instruction::Declare(_) => true,
        Instruction::Branch { .. } | Instruction::Jump(_) => true,
        _ => false,
    }
}

/// The one call of `callee` in a statement, and what takes its result.
fn call_inside(model: &Model, step: StepId, callee: u32) -> Option<(u32, Option<LocalId>)> {
    let place = &model.code.steps[step.index()];
    let code = &model.code.functions[place.function as usize].code;
    let mut found = (place.start..place.end).filter_map(|pc| match &code[pc as usize] {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Call { to, callee: Callee::Direct(FunctionRef::Own(id)), .. } if id.0 == callee => {
                Some((pc, *to))
            }
            ActionKind::Call { to, callee: Callee::Pointer(_), .. } => Some((pc, *to)),
            _ => None,
        },
        _ => None,
    });
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
