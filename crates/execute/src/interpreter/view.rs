//! The interpreter's memory as every state reader sees it.

use std::borrow::Cow;
use std::collections::HashMap;

use ir::Program;
use memory::{Block, Bytes, RawFrame, RawMemory, Target, VariableRef, encode_x87};

use super::code::{LibraryEntry, Scalar, UNWRITTEN};
use super::compile::scalar_of;
use super::machine::{Frame, Machine};
use super::memory::{Address, Kind};

/// A look at a machine that stands still.
pub struct View<'a> {
    program: &'a Program,
    machine: &'a Machine,
    entries: &'a [LibraryEntry],
    globals: &'a [Address],
    /// Frames of functions in the user's file, outermost first.
    frames: Vec<&'a Frame>,
    /// The named locals in memory, by address.
    locals: HashMap<Address, (usize, usize)>,
}

impl<'a> View<'a> {
    /// Looks at `machine`, which runs `program`.
    pub fn new(program: &'a Program, machine: &'a Machine, globals: &'a [Address]) -> Self {
        let frames: Vec<&Frame> = machine.frames.iter().filter(|frame| is_shown(program, frame)).collect();
        let mut locals = HashMap::new();
        for (number, frame) in frames.iter().enumerate() {
            let function = &program.functions[frame.function as usize];
            for (i, _) in function.locals[..function.named].iter().enumerate().filter(|(_, local)| local.in_memory) {
                locals.insert(machine.registers[frame.base as usize + i], (number, i));
            }
        }
        View { program, machine, entries: &machine.links.entries, globals, frames, locals }
    }

    /// Where a variable is: in memory, or in a register.
    pub fn storage(&self, variable: VariableRef) -> Option<Storage> {
        match variable {
            VariableRef::Global(i) => self.globals.get(i).map(|&address| Storage::Memory(address)),
            VariableRef::Local { frame, local } => {
                let frame = self.frames.get(frame)?;
                let declared = self.program.functions[frame.function as usize].locals.get(local)?;
                let register = frame.base as usize + local;
                Some(match declared.in_memory {
                    true => Storage::Memory(self.machine.registers[register]),
                    false => Storage::Register(register, scalar_of(&self.program.types, declared.ty)?),
                })
            }
        }
    }

    fn object(&self, address: Address) -> Option<Bytes<'_>> {
        let size = self.machine.memory.size_of(address) as usize;
        let (data, written) = self.machine.memory.kept(address, size)?;
        Some(Bytes { data: Cow::Borrowed(data), written: Some(Cow::Borrowed(written)) })
    }
}

/// Whether a frame is a call of a function in the user's file that has begun.
pub fn is_shown(program: &Program, frame: &Frame) -> bool {
    frame.callback.is_none() && frame.step.is_some() && !program.functions[frame.function as usize].span.is_empty()
}

/// Where a variable is.
pub enum Storage {
    /// An object.
    Memory(Address),
    /// A register, by its number in the whole machine.
    Register(usize, Scalar),
}

impl RawMemory for View<'_> {
    fn frames(&self) -> Vec<RawFrame> {
        let raw =
            |frame: &&Frame| RawFrame { function: frame.function as usize, step: frame.step.map(|step| step as usize) };
        self.frames.iter().map(raw).collect()
    }

    fn variable(&self, variable: VariableRef) -> Option<Bytes<'_>> {
        match self.storage(variable)? {
            Storage::Memory(address) => self.object(address),
            Storage::Register(register, kind) => {
                let value = self.machine.registers[register];
                let data = register_bytes(kind, value);
                let written = vec![u8::from(value != UNWRITTEN); data.len()];
                Some(Bytes { data: Cow::Owned(data), written: Some(Cow::Owned(written)) })
            }
        }
    }

    fn live_blocks(&self) -> Vec<Block> {
        (1..=self.machine.memory.block_count())
            .filter_map(|number| self.block(number))
            .filter(|block| block.live)
            .collect()
    }

    fn block(&self, number: u32) -> Option<Block> {
        let address = self.machine.memory.block(number)?;
        match self.machine.memory.resolve(address)? {
            (Kind::Heap(_, step), _, live) => {
                let (size, step) = (self.machine.memory.size_of(address), step.map(|step| step as usize));
                Some(Block { number, size, live, step })
            }
            _ => None,
        }
    }

    fn contents(&self, number: u32) -> Option<Bytes<'_>> {
        self.object(self.machine.memory.block(number)?)
    }

    fn resolve(&self, address: u64) -> Target {
        let memory = &self.machine.memory;
        let Some((kind, offset, live)) = memory.resolve(address) else { return Target::Nothing };
        match kind {
            Kind::Heap(number, _) => Target::Block { number, offset },
            Kind::Global(i) => Target::Variable { variable: VariableRef::Global(i as usize), offset },
            Kind::Local => match self.locals.get(&memory.start_of(address)).filter(|_| live) {
                Some(&(frame, local)) => Target::Variable { variable: VariableRef::Local { frame, local }, offset },
                None => Target::Gone,
            },
            Kind::Text | Kind::Argument => {
                memory.text(address).map_or(Target::Past, |text| Target::Text(text.to_vec()))
            }
            Kind::Function(i) => Target::Function(self.program.functions[i as usize].name.to_string()),
            Kind::Library(i) => Target::Function(self.entries[i as usize].name.clone()),
            Kind::Arguments => Target::Arguments { offset },
            Kind::Outside => Target::Outside,
        }
    }
}

/// The bytes of a register as they would be in memory.
fn register_bytes(kind: Scalar, value: u64) -> Vec<u8> {
    match kind {
        Scalar::F32 => (f64::from_bits(value) as f32).to_le_bytes().to_vec(),
        Scalar::F80 => encode_x87(f64::from_bits(value)).to_vec(),
        kind => value.to_le_bytes()[..super::arithmetic::size(kind)].to_vec(),
    }
}

/// The register with these bytes in memory.
pub fn register_value(kind: Scalar, bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    let size = bytes.len().min(8);
    wide[..size].copy_from_slice(&bytes[..size]);
    let raw = u64::from_le_bytes(wide);
    match kind {
        Scalar::F32 => f64::from(f32::from_bits(raw as u32)).to_bits(),
        Scalar::F80 => memory::decode_x87(bytes).to_bits(),
        kind => super::arithmetic::wrap(kind, raw),
    }
}
