//! Runs flat code over cells.
//!
//! The machine stands between instructions and can be copied cheaply, so a
//! search can try many ways on from the same moment. It pauses at every slot
//! and every statement; whoever drives it decides whether the statement runs as
//! it is, something else runs, or a condition goes one way.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ir::{
    Access, AccessRoot, Action, ActionId, ActionKind, BinaryOp, Callee, FunctionRef, GlobalId, LocalId, Operand,
    OperandKind,
};
use ir::{Program, Projection, Rvalue, StepId, StepKind};
use memory::NodeId;

use crate::cell::{self, Address, Cell, Scalar, Stuck};
use crate::code::{FlatCode, FlatFunction, Instruction, SlotId};
use crate::edit::{Comparison, TypedTerm};
use crate::layout::Cells;
use crate::library::{Library, library};
use crate::print::Output;
use crate::store::{Event, Store};

/// Each call has so many more cells than locals, for operands that are others.
pub const SPARE: usize = 2;

/// What all copies of a machine share.
#[derive(Debug)]
pub struct Model {
    /// The program.
    pub program: Arc<Program>,
    /// Its code.
    pub code: FlatCode,
    /// Functions that use static locals, which a state shows only while they
    /// run, or that call such functions; by [`ir::FunctionId`].
    pub hidden: Vec<bool>,
    /// Functions that change nothing but their own variables; by [`ir::FunctionId`].
    pub pure: Vec<bool>,
}

impl Model {
    /// The model of a program.
    pub fn new(program: Arc<Program>) -> Model {
        let code = FlatCode::new(&program);
        let hidden = code.functions.iter().map(|function| uses_statics(&program, function)).collect();
        let hidden = with_callers(&code, hidden);
        let writing = with_callers(&code, code.functions.iter().map(writes_memory).collect());
        let pure = writing.into_iter().map(|writes| !writes).collect();
        Model { code, program, hidden, pure }
    }
}

/// Those functions, and all that call them.
fn with_callers(code: &FlatCode, mut known: Vec<bool>) -> Vec<bool> {
    loop {
        let calls = |function: &FlatFunction| called(function).any(|callee| known[callee as usize]);
        let more: Vec<bool> = code.functions.iter().zip(&known).map(|(one, known)| *known || calls(one)).collect();
        if more == known {
            return known;
        }
        known = more;
    }
}

/// Whether a function itself writes anything but its own variables, as far as that can be seen.
fn writes_memory(function: &FlatFunction) -> bool {
    function.code.iter().any(|instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Assign { .. } => false,
            ActionKind::Call { callee, .. } => !matches!(callee, Callee::Direct(FunctionRef::Own(_))),
            _ => true,
        },
        _ => false,
    })
}

/// The functions of the program that a function calls by name.
fn called(function: &FlatFunction) -> impl Iterator<Item = u32> {
    function.code.iter().filter_map(|instruction| match instruction {
        Instruction::Act(Action {
            kind: ActionKind::Call { callee: Callee::Direct(FunctionRef::Own(id)), .. },
            ..
        }) => Some(id.0),
        _ => None,
    })
}

fn uses_statics(program: &Program, function: &FlatFunction) -> bool {
    let is_static = |access: &Access| match access.root {
        AccessRoot::Global(global) => program.globals[global.index()].owner.is_some(),
        _ => false,
    };
    function.code.iter().any(|instruction| match instruction {
        Instruction::Act(action) => match &action.kind {
            ActionKind::Assign { value: Rvalue::Load(access) | Rvalue::AddressOf(access), .. } => is_static(access),
            ActionKind::Store { to, .. } | ActionKind::Clear { to } => is_static(to),
            _ => false,
        },
        _ => false,
    })
}

/// A program that is being run over cells.
#[derive(Debug)]
pub struct Machine {
    /// All cells: those of objects, and those of calls.
    pub cells: Store,
    /// Everything that has an address.
    pub objects: Arc<Vec<Object>>,
    /// The object of each node, by its name; `u32::MAX` where there is none.
    pub nodes: Arc<Vec<u32>>,
    /// Active calls, outermost first.
    pub frames: Vec<Frame>,
    /// Where each global is, by [`GlobalId`]; `u32::MAX` if it is not modelled.
    pub globals: Arc<Vec<u32>>,
    /// Where each text is, by [`ir::TextId`].
    pub texts: Arc<Vec<u32>>,
    /// The name of the next node.
    pub next_node: u32,
    /// How often each statement was come to, by [`StepId`].
    pub visits: Vec<u32>,
    /// Instructions that were run.
    pub spent: u64,
    /// More active calls than this are an endless recursion.
    pub deepest: usize,
    /// Actions that do something else than the program says.
    pub swaps: Arc<Vec<(ActionId, Swap)>>,
    /// What was printed, if that matters.
    pub(crate) output: Option<Output>,
}

impl Clone for Machine {
    fn clone(&self) -> Machine {
        Machine {
            cells: self.cells.clone(),
            objects: self.objects.clone(),
            nodes: self.nodes.clone(),
            frames: self.frames.clone(),
            globals: self.globals.clone(),
            texts: self.texts.clone(),
            next_node: self.next_node,
            visits: self.visits.clone(),
            spent: self.spent,
            deepest: self.deepest,
            swaps: self.swaps.clone(),
            output: self.output.clone(),
        }
    }

    /// Takes no new memory where there is enough: a search copies machines millions of times.
    fn clone_from(&mut self, other: &Machine) {
        let Machine { cells, objects, nodes, frames, globals, texts, next_node, visits, spent, deepest, swaps, output } =
            other;
        self.cells.clone_from(cells);
        share(&mut self.objects, objects);
        share(&mut self.nodes, nodes);
        self.frames.clone_from(frames);
        share(&mut self.globals, globals);
        share(&mut self.texts, texts);
        self.visits.clone_from(visits);
        (self.next_node, self.spent, self.deepest) = (*next_node, *spent, *deepest);
        share(&mut self.swaps, swaps);
        self.output.clone_from(output);
    }
}

/// Shares what another one has; mostly that is so already.
fn share<T>(own: &mut Arc<T>, other: &Arc<T>) {
    if !Arc::ptr_eq(own, other) {
        *own = other.clone();
    }
}

/// What an action does instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swap {
    /// It has another operand, by the number of [`crate::operands`].
    Operand(u8, TypedTerm),
    /// Its result is that of another comparison.
    Compare(Comparison),
    /// Its result is this truth value.
    Truth(bool),
    /// It compares by another operator.
    Operator(BinaryOp),
    /// What it computes or what it calls returns is assigned to something else.
    Target(TypedTerm),
}

/// Something that has an address.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its first cell.
    pub base: u32,
    /// Its cells.
    pub cells: Arc<Cells>,
    /// Whether it still exists.
    pub live: bool,
    /// What it is.
    pub kind: ObjectKind,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A block of the heap.
    Node(NodeId),
    /// A global variable.
    Global(GlobalId),
    /// A local variable that has an address.
    Local {
        /// The call, outermost 0.
        frame: u32,
        /// The variable.
        local: LocalId,
    },
    /// A string literal.
    Text,
}

/// An active call.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The function.
    pub function: u32,
    /// The next instruction.
    pub pc: u32,
    /// Its first cell; locals follow in the order of their ids. A local in
    /// memory has the address of its object there.
    pub base: u32,
    /// What takes the result in the calling function.
    pub result_to: Option<LocalId>,
    /// The result, once it is set.
    pub result: Cell,
}

/// Why the machine paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// At a place for insertions.
    Slot(SlotId),
    /// Before a statement, which was counted.
    Step(StepId),
    /// The outermost call that is modelled is over.
    Over,
    /// The program would crash, or read what was never written.
    Fault,
    /// The model does not follow what comes next.
    Unmodelled,
}

impl From<Stuck> for Pause {
    fn from(stuck: Stuck) -> Pause {
        match stuck {
            Stuck::Fault => Pause::Fault,
            Stuck::Unmodelled => Pause::Unmodelled,
        }
    }
}

/// What an instruction led to.
pub(crate) enum Next {
    On,
    Go(u32),
    /// The place to go on is set.
    Called,
}

impl Machine {
    /// Everything that the program can see, and where it stands; not what was computed on the way.
    pub fn hash_memory(&self, model: &Model, hasher: &mut impl Hasher) {
        for frame in &self.frames {
            let named = model.program.functions[frame.function as usize].named;
            (frame.function, frame.pc).hash(hasher);
            self.cells.all()[frame.base as usize..frame.base as usize + named].hash(hasher);
        }
        for object in self.objects.iter() {
            object.live.hash(hasher);
            let base = object.base as usize;
            self.cells.all()[base..base + object.cells.leaves.len()].hash(hasher);
        }
    }

    /// The innermost call.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a machine that runs has a call")
    }

    /// The cell of a local of the innermost call.
    pub fn local(&self, local: LocalId) -> u32 {
        self.frame().base + local.0
    }

    /// Runs to the next slot or statement. The instruction it stands at is run
    /// first if that is a slot or a step.
    pub fn advance(&mut self, model: &Model) -> Pause {
        loop {
            let Some(frame) = self.frames.last() else { return Pause::Over };
            let pc = frame.pc;
            let code = &model.code.functions[frame.function as usize].code;
            self.spent += 1;
            self.cells.note(Event::Begin);
            let next = match &code[pc as usize] {
                Instruction::Step(step) => {
                    self.visits[step.index()] += 1;
                    self.set_pc(pc + 1);
                    return Pause::Step(*step);
                }
                Instruction::Slot(slot) => {
                    self.set_pc(pc + 1);
                    return Pause::Slot(*slot);
                }
                Instruction::Leave => match self.leave(model) {
                    Ok(true) => continue,
                    Ok(false) => return Pause::Over,
                    Err(stuck) => return stuck.into(),
                },
                instruction => self.run(model, instruction),
            };
            match next {
                Ok(Next::On) => self.set_pc(pc + 1),
                Ok(Next::Go(to)) => self.set_pc(to),
                Ok(Next::Called) => {}
                Err(stuck) => return stuck.into(),
            }
        }
    }

    /// Sets the next instruction of the innermost call.
    pub fn set_pc(&mut self, pc: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// Passes over the statement it paused before; what it declares is declared.
    pub fn skip(&mut self, model: &Model, step: StepId) {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        if model.program.step(step).kind == StepKind::Declaration {
            for instruction in &code[place.start as usize..place.end as usize] {
                if let Instruction::Declare(local) = instruction {
                    // What is not modelled is noticed when it is used.
                    let _ = self.declare(model, *local);
                }
            }
        }
        self.set_pc(place.end);
    }

    /// Ends the call with a result.
    pub fn return_with(&mut self, model: &Model, result: Cell) {
        self.cells.note(Event::Return);
        let exit = model.code.functions[self.frame().function as usize].code.len() as u32 - 2;
        if let Some(frame) = self.frames.last_mut() {
            (frame.result, frame.pc) = (result, exit);
        }
    }

    /// Sends control from the condition it paused before.
    pub fn decide(&mut self, model: &Model, step: StepId, taken: bool) {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        if let Instruction::Branch { otherwise, .. } = &code[place.end as usize] {
            self.set_pc(if taken { place.end + 1 } else { *otherwise });
        }
    }

    /// Runs the statement it paused before up to its last instruction, which is
    /// not run. A part that would crash has no value instead. With `calls`,
    /// library functions are called, otherwise they have no value either.
    /// Functions of the program cannot be called.
    pub fn run_inside(&mut self, model: &Model, step: StepId, calls: bool) -> Result<(), Stuck> {
        let place = &model.code.steps[step.index()];
        let code = &model.code.functions[place.function as usize].code;
        let last = if place.is_condition { place.end } else { place.end - 1 };
        loop {
            let pc = self.frame().pc;
            if pc >= last {
                return Ok(());
            }
            self.spent += 1;
            self.cells.note(Event::Begin);
            let instruction = &code[pc as usize];
            let target = match instruction {
                Instruction::Act(action) => match &action.kind {
                    ActionKind::Assign { to, .. } => Some(*to),
                    ActionKind::Call { .. } if !calls => {
                        self.set_pc(pc + 1);
                        continue;
                    }
                    ActionKind::Call { to, .. } => *to,
                    _ => None,
                },
                _ => None,
            };
            match (self.run(model, instruction), target) {
                (Ok(Next::On), _) => self.set_pc(pc + 1),
                (Ok(Next::Go(to)), _) => self.set_pc(to),
                (Ok(Next::Called), _) => return Err(Stuck::Unmodelled),
                (Err(Stuck::Fault), Some(to)) => {
                    let at = self.local(to) as usize;
                    self.cells[at] = Cell::Unset;
                    self.set_pc(pc + 1);
                }
                (Err(stuck), _) => return Err(stuck),
            }
        }
    }

    pub(crate) fn run(&mut self, model: &Model, instruction: &Instruction) -> Result<Next, Stuck> {
        match instruction {
            Instruction::Act(action) => return self.act(model, action),
            Instruction::Declare(local) => self.declare(model, *local)?,
            Instruction::Branch { test, otherwise, .. } => {
                let value = self.value(test);
                self.cells.note(Event::Decide);
                if value == Cell::Unset {
                    return Err(Stuck::Fault);
                }
                if !cell::truth_of(value).ok_or(Stuck::Unmodelled)? {
                    return Ok(Next::Go(*otherwise));
                }
            }
            Instruction::Jump(to) => return Ok(Next::Go(*to)),
            Instruction::Switch { value, arms, default } => {
                let Cell::Int(value) = self.value(value) else { return Err(Stuck::Unmodelled) };
                self.cells.note(Event::Decide);
                let fits = |arm: &&(i128, i128, u32)| (arm.0..=arm.1).contains(&i128::from(value));
                return Ok(Next::Go(arms.iter().find(fits).map_or(*default, |arm| arm.2)));
            }
            Instruction::Return(value) => {
                let result = value.as_ref().map_or(Cell::Unset, |value| self.value(value));
                if value.is_some() && result == Cell::Unset {
                    return Err(Stuck::Fault);
                }
                self.return_with(model, result);
                return Ok(Next::Called);
            }
            Instruction::Unmodelled => return Err(Stuck::Unmodelled),
            Instruction::Step(_) | Instruction::Slot(_) | Instruction::Leave => {}
        }
        Ok(Next::On)
    }

    /// Whether there is a call to go back to.
    fn leave(&mut self, model: &Model) -> Result<bool, Stuck> {
        let Some(frame) = self.frames.pop() else { return Ok(false) };
        self.forget_call(&frame);
        let Some(caller) = self.frames.last() else { return Ok(false) };
        self.cells.note(Event::Returned);
        if let Some(target) = self.other_target(model) {
            self.cells.note(Event::Address);
            let at = self.term_cell(model, &target)?;
            self.cells[at as usize] = frame.result;
            return if frame.result == Cell::Unset { Err(Stuck::Fault) } else { Ok(true) };
        }
        if let Some(to) = frame.result_to {
            let ty = model.program.functions[caller.function as usize].locals[to.index()].ty;
            let at = self.local(to) as usize;
            self.cells[at] = match (frame.result, Scalar::of(&model.program.types, ty)) {
                (Cell::Int(value), Some(scalar)) => Cell::Int(scalar.wrap(value)),
                // A struct is the address of it, and the one that was returned is gone.
                (_, None) => Cell::Unknown,
                (other, _) => other,
            };
        }
        Ok(true)
    }

    /// Ends the lives of the variables of the call that was the innermost one.
    fn forget_call(&mut self, frame: &Frame) {
        let depth = self.frames.len() as u32;
        let is_own = |object: &Object| matches!(object.kind, ObjectKind::Local { frame, .. } if frame == depth);
        // Nodes that were made meanwhile stay, and with them all cells before theirs.
        let is_behind = |object: &Object| object.base >= frame.base && !is_own(object);
        let ends = !self.objects.iter().any(is_behind);
        if self.objects.iter().any(|object| object.live && is_own(object)) {
            let nothing: Arc<Cells> = Arc::default();
            for object in Arc::make_mut(&mut self.objects).iter_mut().filter(|object| is_own(object)) {
                object.live = false;
                if ends {
                    (object.base, object.cells) = (0, nothing.clone());
                }
            }
        }
        if ends {
            self.cells.truncate(frame.base as usize);
        }
    }

    fn declare(&mut self, model: &Model, local: LocalId) -> Result<(), Stuck> {
        let function = &model.program.functions[self.frame().function as usize];
        let declared = &function.locals[local.index()];
        let at = self.local(local) as usize;
        self.cells[at] = match declared.in_memory {
            false => Cell::Unset,
            true => {
                let cells = Cells::of(&model.program.types, declared.ty, 1).ok_or(Stuck::Unmodelled)?;
                let frame = self.frames.len() as u32 - 1;
                Cell::Pointer(self.add_object(Arc::new(cells), ObjectKind::Local { frame, local }))
            }
        };
        Ok(())
    }

    /// A new object whose cells were never written.
    pub fn add_object(&mut self, cells: Arc<Cells>, kind: ObjectKind) -> Address {
        let base = self.cells.len() as u32;
        self.cells.extend_to(self.cells.len() + cells.leaves.len());
        let object = self.objects.len() as u32;
        if let ObjectKind::Node(NodeId(name)) = kind {
            let nodes = Arc::make_mut(&mut self.nodes);
            nodes.resize(nodes.len().max(name as usize + 1), u32::MAX);
            nodes[name as usize] = object;
        }
        Arc::make_mut(&mut self.objects).push(Object { base, cells, live: true, kind });
        Address { object, offset: 0 }
    }

    /// The value of an operand.
    pub fn value(&self, operand: &Operand) -> Cell {
        match &operand.kind {
            OperandKind::Local(local) => self.cells[self.local(*local) as usize],
            OperandKind::Int(value) => Cell::Int(*value as i64),
            OperandKind::Float(value) => Cell::Float(*value),
            OperandKind::Text(text) => Cell::Pointer(Address { object: self.texts[text.index()], offset: 0 }),
            OperandKind::Function(FunctionRef::Own(id)) => Cell::Function(id.0),
            OperandKind::Function(FunctionRef::Library(_)) => Cell::Unknown,
        }
    }

    /// The cell of a scalar of `size` bytes at an address.
    pub fn cell_at(&self, address: Address, size: u8) -> Result<u32, Stuck> {
        let object = &self.objects[address.object as usize];
        if !object.live {
            return Err(Stuck::Fault);
        }
        if let Some(index) = object.cells.find(address.offset, size) {
            return Ok(object.base + index);
        }
        let outside = address.offset < 0 || address.offset as usize + usize::from(size) > object.cells.size();
        Err(if outside { Stuck::Fault } else { Stuck::Unmodelled })
    }

    /// The address of a place in memory.
    pub fn address(&self, access: &Access) -> Result<Address, Stuck> {
        let mut address = match &access.root {
            AccessRoot::Local(local) => match self.cells[self.local(*local) as usize] {
                Cell::Pointer(address) => address,
                _ => return Err(Stuck::Unmodelled),
            },
            AccessRoot::Global(global) => match self.globals[global.index()] {
                u32::MAX => return Err(Stuck::Unmodelled),
                object => Address { object, offset: 0 },
            },
            AccessRoot::Text(text) => Address { object: self.texts[text.index()], offset: 0 },
            AccessRoot::Deref(pointer) => match self.value(pointer) {
                Cell::Pointer(address) => address,
                Cell::Unknown => return Err(Stuck::Unmodelled),
                _ => return Err(Stuck::Fault),
            },
        };
        for projection in &access.path {
            address.offset += match projection {
                Projection::Field { offset, .. } => *offset as i32,
                Projection::Index { index, scale, .. } => match (self.value(index), self.value(scale)) {
                    (Cell::Int(index), Cell::Int(scale)) => distance(index, scale, false)?,
                    (Cell::Unset, _) => return Err(Stuck::Fault),
                    _ => return Err(Stuck::Unmodelled),
                },
            };
        }
        Ok(address)
    }

    /// The cell of a scalar place.
    pub fn place(&self, model: &Model, access: &Access) -> Result<u32, Stuck> {
        let scalar = Scalar::of(&model.program.types, access.ty).ok_or(Stuck::Unmodelled)?;
        if access.bits.is_some() {
            return Err(Stuck::Unmodelled);
        }
        self.cell_at(self.address(access)?, scalar.size())
    }

    fn act(&mut self, model: &Model, action: &Action) -> Result<Next, Stuck> {
        if self.swaps.is_empty() {
            return self.act_as_written(model, action);
        }
        let here = |(id, swap): &(ActionId, Swap)| (*id == action.id).then_some(*swap);
        let (operands, other): (Vec<Swap>, Vec<Swap>) =
            self.swaps.iter().filter_map(here).partition(|swap| matches!(swap, Swap::Operand(..)));
        let changed = match operands.is_empty() {
            true => None,
            false => Some(self.with_operands(model, action, &operands)?),
        };
        let action = changed.as_ref().unwrap_or(action);
        let acted = match other.first() {
            Some(swap) => self.act_otherwise(model, action, swap),
            None => self.act_as_written(model, action),
        };
        match (acted, &action.kind) {
            // What cannot be computed has no value: it may not be needed where an operand is another.
            (Err(Stuck::Fault), ActionKind::Assign { to, .. }) if self.is_temporary(model, *to) => {
                let at = self.local(*to) as usize;
                self.cells[at] = Cell::Unset;
                Ok(Next::On)
            }
            (acted, _) => acted,
        }
    }

    fn is_temporary(&self, model: &Model, local: LocalId) -> bool {
        local.index() >= model.program.functions[self.frame().function as usize].named
    }

    /// The action with other operands, whose values are put into spare cells.
    fn with_operands(&mut self, model: &Model, action: &Action, operands: &[Swap]) -> Result<Action, Stuck> {
        let locals = model.program.functions[self.frame().function as usize].locals.len();
        let mut changed = action.clone();
        for (i, swap) in operands.iter().enumerate().take(SPARE) {
            let Swap::Operand(number, with) = swap else { continue };
            let spare = LocalId((locals + i) as u32);
            let (value, at) = (self.term_value(model, with)?, self.local(spare) as usize);
            self.cells[at] = value;
            if let Some(operand) = crate::operands(&mut changed).into_iter().nth(usize::from(*number)) {
                operand.kind = OperandKind::Local(spare);
            }
        }
        Ok(changed)
    }

    /// What a call of a library function returns, which is assigned to nothing.
    pub(crate) fn call_aside(&mut self, model: &Model, action: &Action) -> Result<Cell, Stuck> {
        let spare = LocalId(model.program.functions[self.frame().function as usize].locals.len() as u32);
        let mut changed = action.clone();
        if let ActionKind::Call { to, .. } = &mut changed.kind {
            *to = Some(spare);
        }
        match self.act_as_written(model, &changed)? {
            Next::On => Ok(self.cells[self.local(spare) as usize]),
            _ => Err(Stuck::Unmodelled),
        }
    }

    fn act_otherwise(&mut self, model: &Model, action: &Action, swap: &Swap) -> Result<Next, Stuck> {
        let truth = match swap {
            Swap::Truth(truth) => *truth,
            Swap::Compare(comparison) => self.comparison(model, comparison)?,
            Swap::Operator(op) => {
                let mut changed = action.clone();
                if let ActionKind::Assign { value: Rvalue::Binary(old, ..), .. } = &mut changed.kind {
                    *old = *op;
                }
                return self.act_as_written(model, &changed);
            }
            Swap::Target(target) => return self.act_elsewhere(model, action, target),
            Swap::Operand(..) => {
                let changed = self.with_operands(model, action, &[*swap])?;
                return self.act_as_written(model, &changed);
            }
        };
        if let ActionKind::Assign { to, .. } = &action.kind {
            let at = self.local(*to) as usize;
            self.cells[at] = Cell::Int(i64::from(truth));
        }
        Ok(Next::On)
    }

    /// The result goes to another target; that of a call when it comes back.
    fn act_elsewhere(&mut self, model: &Model, action: &Action, target: &TypedTerm) -> Result<Next, Stuck> {
        let value = match &action.kind {
            ActionKind::Assign { value, .. } => self.compute(model, value)?,
            ActionKind::Store { value, .. } => self.value(value),
            ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(_)), .. } => return Err(Stuck::Unmodelled),
            _ => return self.act_as_written(model, action),
        };
        if value == Cell::Unset {
            return Err(Stuck::Fault);
        }
        self.cells.note(Event::Address);
        let at = self.term_cell(model, target)?;
        self.cells[at as usize] = value;
        Ok(Next::On)
    }

    /// Where else the result of the call goes that is coming back now.
    fn other_target(&self, model: &Model) -> Option<TypedTerm> {
        let frame = self.frames.last().filter(|_| !self.swaps.is_empty())?;
        let code = &model.code.functions[frame.function as usize].code;
        let Instruction::Act(action) = &code[frame.pc.checked_sub(1)? as usize] else { return None };
        self.swaps.iter().find_map(|(id, swap)| match swap {
            Swap::Target(target) if *id == action.id => Some(*target),
            _ => None,
        })
    }

    fn act_as_written(&mut self, model: &Model, action: &Action) -> Result<Next, Stuck> {
        match &action.kind {
            ActionKind::Assign { to, value, .. } => {
                let value = self.compute(model, value)?;
                let at = self.local(*to) as usize;
                self.cells[at] = value;
                if self.cells.logged().is_some() && self.is_temporary(model, *to) {
                    self.cells.note(Event::Temporary(at as u32));
                }
            }
            ActionKind::Store { to, value } => self.store(model, to, value)?,
            ActionKind::Clear { to } => self.clear(model, to)?,
            ActionKind::Call { to, callee, arguments, step, .. } => {
                return self.call(model, *to, callee, arguments, *step);
            }
            ActionKind::Concrete { .. } => return Err(Stuck::Unmodelled),
        }
        Ok(Next::On)
    }

    fn store(&mut self, model: &Model, to: &Access, value: &Operand) -> Result<(), Stuck> {
        let value = self.value(value);
        if value == Cell::Unset {
            return Err(Stuck::Fault);
        }
        self.cells.note(Event::Address);
        let types = &model.program.types;
        if Scalar::of(types, to.ty).is_none() {
            return self.store_whole(model, to, value);
        }
        let at = self.place(model, to)?;
        self.cells[at as usize] = value;
        Ok(())
    }

    /// A struct that is assigned: its value is the address of another.
    fn store_whole(&mut self, model: &Model, to: &Access, value: Cell) -> Result<(), Stuck> {
        let (Cell::Pointer(from), to_address) = (value, self.address(to)?) else { return Err(Stuck::Unmodelled) };
        let cells = Cells::of(&model.program.types, to.ty, 1).ok_or(Stuck::Unmodelled)?;
        for leaf in &cells.leaves {
            let at = |address: Address| Address { offset: address.offset + leaf.offset as i32, ..address };
            let value = self.cells[self.cell_at(at(from), leaf.scalar.size())? as usize];
            let target = self.cell_at(at(to_address), leaf.scalar.size())?;
            self.cells[target as usize] = value;
        }
        Ok(())
    }

    fn clear(&mut self, model: &Model, to: &Access) -> Result<(), Stuck> {
        self.cells.note(Event::Address);
        let address = self.address(to)?;
        let size = model.program.types.size_of(to.ty) as i32;
        let object = &self.objects[address.object as usize];
        let inside = |offset: u32| (address.offset..address.offset + size).contains(&(offset as i32));
        for (i, leaf) in object.cells.leaves.iter().enumerate().filter(|(_, leaf)| inside(leaf.offset)) {
            let zero = if matches!(leaf.scalar, Scalar::Float { .. }) { Cell::Float(0.0) } else { Cell::Int(0) };
            self.cells[object.base as usize + i] = zero;
        }
        Ok(())
    }

    /// The value of a computation.
    pub fn compute(&self, model: &Model, value: &Rvalue) -> Result<Cell, Stuck> {
        let types = &model.program.types;
        let scalar = |ty| Scalar::of(types, ty).ok_or(Stuck::Unmodelled);
        match value {
            Rvalue::Use(operand) => match self.value(operand) {
                Cell::Unset => Err(Stuck::Fault),
                value => Ok(value),
            },
            Rvalue::Unary(op, operand, ty) => cell::unary(*op, scalar(*ty)?, self.value(operand)),
            Rvalue::Binary(op, left, right, ty) => cell::binary(*op, scalar(*ty)?, self.value(left), self.value(right)),
            Rvalue::Convert { value, from, to } => match (Scalar::of(types, *from), Scalar::of(types, *to)) {
                (Some(from), Some(to)) => cell::convert(self.value(value), from, to),
                _ => Ok(self.value(value)),
            },
            Rvalue::Offset { pointer, index, scale, backward } => {
                self.offset(self.value(pointer), self.value(index), self.value(scale), *backward)
            }
            Rvalue::Distance { left, right, scale } => match (self.value(left), self.value(right), self.value(scale)) {
                (Cell::Pointer(a), Cell::Pointer(b), Cell::Int(scale)) if a.object == b.object && scale != 0 => {
                    Ok(Cell::Int(i64::from(a.offset - b.offset) / scale))
                }
                (Cell::Unset, ..) | (_, Cell::Unset, _) => Err(Stuck::Fault),
                _ => Ok(Cell::Unknown),
            },
            Rvalue::Load(access) => self.read(model, access),
            Rvalue::AddressOf(access) => self.address(access).map(Cell::Pointer),
        }
    }

    fn offset(&self, pointer: Cell, index: Cell, scale: Cell, backward: bool) -> Result<Cell, Stuck> {
        match (pointer, index, scale) {
            (Cell::Unset, ..) | (_, Cell::Unset, _) => Err(Stuck::Fault),
            (Cell::Pointer(address), Cell::Int(index), Cell::Int(scale)) => {
                let offset = address.offset.checked_add(distance(index, scale, backward)?).ok_or(Stuck::Unmodelled)?;
                Ok(Cell::Pointer(Address { offset, ..address }))
            }
            _ => Ok(Cell::Unknown),
        }
    }

    fn read(&self, model: &Model, access: &Access) -> Result<Cell, Stuck> {
        if Scalar::of(&model.program.types, access.ty).is_none() {
            // A struct as a value is the address of it, an array that of its first element.
            return self.address(access).map(Cell::Pointer);
        }
        match self.cells[self.place(model, access)? as usize] {
            Cell::Unset => Err(Stuck::Fault),
            value => Ok(value),
        }
    }

    fn call(
        &mut self,
        model: &Model,
        to: Option<LocalId>,
        callee: &Callee,
        arguments: &[Operand],
        step: StepId,
    ) -> Result<Next, Stuck> {
        if arguments.iter().any(|argument| self.value(argument) == Cell::Unset) {
            return Err(Stuck::Fault);
        }
        let function = match callee {
            Callee::Direct(FunctionRef::Own(id)) => id.0,
            Callee::Direct(FunctionRef::Library(name)) => {
                return self.call_library(model, to, name, arguments, step).map(|()| Next::On);
            }
            Callee::Pointer(pointer) => match self.value(pointer) {
                Cell::Function(id) => id,
                Cell::Int(0) | Cell::Unset => return Err(Stuck::Fault),
                _ => return Err(Stuck::Unmodelled),
            },
        };
        let values: Vec<Cell> = arguments.iter().map(|argument| self.value(argument)).collect();
        self.enter(model, function, &values, to).map(|()| Next::Called)
    }

    /// Begins a call; the caller goes on after its present instruction.
    fn enter(&mut self, model: &Model, function: u32, values: &[Cell], to: Option<LocalId>) -> Result<(), Stuck> {
        let called = &model.program.functions[function as usize];
        if self.frames.len() >= self.deepest {
            return Err(Stuck::Fault);
        }
        if called.variadic {
            return Err(Stuck::Unmodelled);
        }
        let pc = self.frame().pc;
        self.set_pc(pc + 1);
        self.cells.note(Event::Call(model.pure[function as usize]));
        let base = self.cells.len() as u32;
        self.cells.extend_to(self.cells.len() + called.locals.len() + SPARE);
        self.frames.push(Frame { function, pc: 0, base, result_to: to, result: Cell::Unset });
        for (i, value) in values.iter().enumerate().take(called.parameters) {
            let parameter = &called.locals[i];
            if !parameter.in_memory {
                self.cells[base as usize + i] = *value;
                continue;
            }
            self.declare(model, LocalId(i as u32))?;
            let scalar = Scalar::of(&model.program.types, parameter.ty).ok_or(Stuck::Unmodelled)?;
            let Cell::Pointer(address) = self.cells[base as usize + i] else { return Err(Stuck::Unmodelled) };
            let at = self.cell_at(address, scalar.size())?;
            self.cells[at as usize] = *value;
        }
        Ok(())
    }

    fn call_library(
        &mut self,
        model: &Model,
        to: Option<LocalId>,
        name: &str,
        arguments: &[Operand],
        step: StepId,
    ) -> Result<(), Stuck> {
        let first = arguments.first().map_or(Cell::Unknown, |argument| self.value(argument));
        let result = match library(name) {
            Library::Allocate { cleared } => {
                let second = arguments.get(1).map(|argument| self.value(argument));
                let size = match (first, second.filter(|_| cleared)) {
                    (Cell::Int(count), Some(Cell::Int(size))) => count.saturating_mul(size),
                    (Cell::Int(size), None) => size,
                    _ => return Err(Stuck::Unmodelled),
                };
                Cell::Pointer(self.allocate(model, step, size, cleared)?)
            }
            Library::Free => {
                self.cells.note(Event::Decide);
                self.free(first)?;
                Cell::Unset
            }
            Library::Print => {
                self.print(model, name, arguments)?;
                self.cells.note(Event::Decide);
                Cell::Unknown
            }
            Library::Absolute => match first {
                Cell::Int(value) => Cell::Int(value.wrapping_abs()),
                other => other,
            },
            Library::End => return Err(Stuck::Unmodelled),
            Library::Fail => return Err(Stuck::Fault),
            Library::Other => return Err(Stuck::Unmodelled),
        };
        if let Some(to) = to {
            let at = self.local(to) as usize;
            self.cells[at] = result;
        }
        Ok(())
    }

    fn allocate(&mut self, model: &Model, step: StepId, size: i64, cleared: bool) -> Result<Address, Stuck> {
        let ty = model.program.step(step).allocates.ok_or(Stuck::Unmodelled)?;
        self.allocate_typed(model, ty, size, cleared)
    }

    /// A new node for values of type `ty`.
    pub fn allocate_typed(
        &mut self,
        model: &Model,
        ty: c_types::TypeId,
        size: i64,
        cleared: bool,
    ) -> Result<Address, Stuck> {
        let types = &model.program.types;
        let each = types.size_of(ty).max(1) as i64;
        if size <= 0 || size % each != 0 || size > 1 << 24 {
            return Err(Stuck::Unmodelled);
        }
        let cells = Cells::of(types, ty, (size / each) as u64).ok_or(Stuck::Unmodelled)?;
        let kind = ObjectKind::Node(NodeId(self.next_node));
        self.next_node += 1;
        let address = self.add_object(Arc::new(cells), kind);
        if cleared {
            let object = self.objects[address.object as usize].clone();
            for (i, leaf) in object.cells.leaves.iter().enumerate() {
                let zero = if matches!(leaf.scalar, Scalar::Float { .. }) { Cell::Float(0.0) } else { Cell::Int(0) };
                self.cells[object.base as usize + i] = zero;
            }
        }
        Ok(address)
    }

    /// Frees a node.
    pub fn free(&mut self, pointer: Cell) -> Result<(), Stuck> {
        match pointer {
            Cell::Int(0) => Ok(()),
            Cell::Pointer(Address { object, offset: 0 }) => {
                let object = &mut Arc::make_mut(&mut self.objects)[object as usize];
                if !object.live || !matches!(object.kind, ObjectKind::Node(_)) {
                    return Err(Stuck::Fault);
                }
                object.live = false;
                Ok(())
            }
            Cell::Unknown => Err(Stuck::Unmodelled),
            _ => Err(Stuck::Fault),
        }
    }
}

fn distance(index: i64, scale: i64, backward: bool) -> Result<i32, Stuck> {
    let bytes = index.checked_mul(scale).and_then(|bytes| i32::try_from(bytes).ok()).ok_or(Stuck::Unmodelled)?;
    Ok(if backward { -bytes } else { bytes })
}
