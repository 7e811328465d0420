//! The machine: frames, registers, and the loop that runs instructions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memory::{decode_x87, encode_x87};

use super::arithmetic;
use super::callback::Callback;
use super::code::*;
use super::library;
use super::memory::{Memory, Trouble};
use crate::FaultKind;

/// A running program.
#[derive(Clone)]
pub struct Machine {
    /// The program and, after it, patches of single statements.
    pub images: Vec<Arc<Image>>,
    pub memory: Memory,
    pub registers: Vec<u64>,
    pub frames: Vec<Frame>,
    pub library: library::State,
    /// The library functions that the program mentions.
    pub entries: Vec<LibraryEntry>,
    /// Arguments beyond the named ones of each variadic call.
    pub varargs: Vec<Arc<[u64]>>,
    /// What `atexit` was given.
    pub at_exit: Vec<u64>,
    /// Statements run so far.
    pub steps: u64,
    pub max_steps: u64,
    pub max_depth: usize,
    pub interrupt: Arc<AtomicBool>,
}

/// An active call.
#[derive(Clone, Debug)]
pub struct Frame {
    pub image: usize,
    pub function: u32,
    pub pc: u32,
    /// The first of its registers.
    pub base: u32,
    /// The statement that runs, or is about to.
    pub step: Option<u32>,
    /// The caller's register that takes the result.
    pub to: Option<Slot>,
    /// The size of a struct result.
    pub struct_result: Option<u32>,
    pub result: Option<u64>,
    pub varargs: Option<u32>,
    /// A library function that calls back, instead of code.
    pub callback: Option<Box<Callback>>,
}

/// Where to stop.
#[derive(Clone, Debug)]
pub struct Rule {
    /// At every statement, when no more frames than this are active.
    pub depth: usize,
    /// At these statements.
    pub breakpoints: Vec<bool>,
}

/// Why the machine stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// Before a statement.
    Step(u32),
    /// The program is over.
    Exited(i32),
    /// It cannot go on.
    Trouble(Trouble),
    /// Interrupted, or out of steps.
    Interrupted,
}

/// Why the inner loop gave control back.
enum Event {
    Call(u32),
    Return,
    Step(u32),
    Trouble(Trouble),
    Interrupted,
}

impl Machine {
    /// Runs until the rule says stop.
    pub fn run(&mut self, rule: &Rule) -> Halt {
        loop {
            if self.frames.is_empty() {
                return Halt::Exited(0);
            }
            let event = self.execute(rule);
            let halt = match event {
                Event::Call(call) => self.call(call),
                Event::Return => self.give_back(),
                Event::Step(step) => Some(Halt::Step(step)),
                Event::Trouble(trouble) => Some(Halt::Trouble(trouble)),
                Event::Interrupted => Some(Halt::Interrupted),
            };
            if let Some(halt) = halt {
                return halt;
            }
        }
    }

    /// Runs instructions of the innermost frame until it calls, returns or stops.
    fn execute(&mut self, rule: &Rule) -> Event {
        let depth = self.frames.len();
        let frame = self.frames.last_mut().expect("checked by the caller");
        let image = self.images[frame.image].clone();
        let body = &image.functions[frame.function as usize];
        let (ops, constants) = (&body.ops[..], &image.constants[..]);
        let base = frame.base as usize;
        let registers = &mut self.registers[base..base + body.registers as usize];
        let memory = &mut self.memory;
        let mut pc = frame.pc as usize;
        let stop_always = depth <= rule.depth;
        let breakpoints = &rule.breakpoints[..];

        macro_rules! get {
            ($s:expr) => {{
                let s: Src = $s;
                match s.0 & Src::CONSTANT {
                    0 => registers[s.0 as usize],
                    _ => constants[(s.0 & !Src::CONSTANT) as usize],
                }
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trouble) => break Event::Trouble(trouble),
                }
            };
        }
        let event = loop {
            let op = ops[pc];
            pc += 1;
            match op {
                Op::Step(step) => {
                    frame.step = Some(step);
                    self.steps += 1;
                    if self.steps >= self.max_steps || (self.steps & 0xfff == 0 && self.interrupt.load(Ordering::Relaxed)) {
                        // Stay before this statement.
                        pc -= 1;
                        break Event::Interrupted;
                    }
                    if stop_always || breakpoints.get(step as usize) == Some(&true) {
                        break Event::Step(step);
                    }
                }
                Op::Move { d, s } => registers[d as usize] = get!(s),
                Op::AddInt { d, a, b } => registers[d as usize] = (get!(a) as i32).wrapping_add(get!(b) as i32) as u64,
                Op::Binary { op, kind, d, a, b } => {
                    registers[d as usize] = check!(arithmetic::binary(op, kind, get!(a), get!(b)));
                }
                Op::Load { kind, d, p, offset } => {
                    let address = get!(p).wrapping_add(offset as u64);
                    registers[d as usize] = check!(load(memory, kind, address));
                }
                Op::Store { kind, p, offset, s } => {
                    let (address, value) = (get!(p).wrapping_add(offset as u64), get!(s));
                    check!(store(memory, kind, address, value));
                }
                Op::JumpUnlessCompare { op, kind, a, b, to } => {
                    if !arithmetic::compare(op, kind, get!(a), get!(b)) {
                        pc = to as usize;
                    }
                }
                Op::Jump(to) => pc = to as usize,
                Op::JumpUnless { s, to } => {
                    if get!(s) == 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpIf { s, to } => {
                    if get!(s) != 0 {
                        pc = to as usize;
                    }
                }
                Op::Call(call) => break Event::Call(call),
                Op::Return => break Event::Return,
                Op::SetResult { s } => frame.result = Some(get!(s)),
                Op::Advance { d, p, offset } => registers[d as usize] = get!(p).wrapping_add(offset as u64),
                Op::Element { d, p, i, scale } => {
                    registers[d as usize] = get!(p).wrapping_add(get!(i).wrapping_mul(get!(scale)));
                }
                Op::ElementBack { d, p, i, scale } => {
                    registers[d as usize] = get!(p).wrapping_sub(get!(i).wrapping_mul(get!(scale)));
                }
                Op::Distance { d, a, b, scale } => {
                    let bytes = get!(a).wrapping_sub(get!(b)) as i64;
                    registers[d as usize] = (bytes / (get!(scale) as i64).max(1)) as u64;
                }
                Op::CheckIndex { i, length } => {
                    if get!(i) >= u64::from(length) {
                        break Event::Trouble(index_trouble(get!(i) as i64, length));
                    }
                }
                Op::CheckWritten { s } => {
                    if registers[s as usize] == UNWRITTEN {
                        break Event::Trouble(Trouble::new(FaultKind::Uninitialised, "is used but was never given a value"));
                    }
                }
                Op::Convert { from, to, d, s } => registers[d as usize] = arithmetic::convert(from, to, get!(s)),
                Op::Negate { kind, d, s } => registers[d as usize] = arithmetic::negate(kind, get!(s)),
                Op::Complement { kind, d, s } => registers[d as usize] = arithmetic::wrap(kind, !get!(s)),
                Op::LoadBits { kind, d, p, start, width } => {
                    registers[d as usize] = check!(load_bits(memory, kind, get!(p), start, width));
                }
                Op::StoreBits { p, s, start, width } => check!(store_bits(memory, get!(p), start, width, get!(s))),
                Op::Copy { to, from, size } => check!(memory.copy(get!(to), get!(from), size as usize)),
                Op::Clear { p, size } => check!(memory.write(get!(p), &vec![0; size as usize])),
                Op::Forget { s } => memory.forget(registers[s as usize]),
                Op::NewArray { s, size } => {
                    let size = get!(size);
                    memory.kill(registers[s as usize]);
                    match memory.create(size, super::memory::Kind::Local) {
                        Some(address) => registers[s as usize] = address,
                        None => {
                            let message = format!("would have {} bytes, more than there is room for", size as i64);
                            break Event::Trouble(Trouble::new(FaultKind::StackOverflow, message));
                        }
                    }
                }
                Op::Switch { s, table } => {
                    let table = &image.tables[table as usize];
                    let value = get!(s);
                    let value = if table.signed { i128::from(value as i64) } else { i128::from(value) };
                    let arm = table.arms.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                    pc = arm.map_or(table.default, |arm| arm.2) as usize;
                }
                Op::Refuse(message) => {
                    let what = &image.messages[message as usize];
                    let message = format!("cannot be run by the interpreter ({what}); use the gdb engine");
                    break Event::Trouble(Trouble::new(FaultKind::Unsupported, message));
                }
            }
        };
        frame.pc = pc as u32;
        event
    }

    /// The instruction that was run last in the innermost frame.
    pub fn last_origin(&self) -> Option<Origin> {
        let frame = self.frames.iter().rev().find(|frame| frame.callback.is_none())?;
        let body = &self.images[frame.image].functions[frame.function as usize];
        body.origins.get((frame.pc as usize).checked_sub(1)?).copied()
    }

    /// A register of a frame, or a constant.
    pub fn value(&self, frame: &Frame, src: Src) -> u64 {
        match src.0 & Src::CONSTANT {
            0 => self.registers[(frame.base + src.0) as usize],
            _ => self.images[frame.image].constants[(src.0 & !Src::CONSTANT) as usize],
        }
    }
}

fn index_trouble(index: i64, length: u32) -> Trouble {
    let message = format!("is {index}, but the array has {length} elements (0 to {})", length.saturating_sub(1));
    Trouble::new(FaultKind::OutOfBounds, message)
}

/// Reads a scalar.
#[inline]
pub fn load(memory: &Memory, kind: Scalar, address: u64) -> Result<u64, Trouble> {
    Ok(match kind {
        Scalar::I32 => memory.load(address, 4)? as i32 as u64,
        Scalar::U64 | Scalar::I64 | Scalar::F64 => memory.load(address, 8)?,
        Scalar::I8 => memory.load(address, 1)? as i8 as u64,
        Scalar::U8 => memory.load(address, 1)?,
        Scalar::Bool => u64::from(memory.load(address, 1)? != 0),
        Scalar::I16 => memory.load(address, 2)? as i16 as u64,
        Scalar::U16 => memory.load(address, 2)?,
        Scalar::U32 => memory.load(address, 4)?,
        Scalar::F32 => f64::from(f32::from_bits(memory.load(address, 4)? as u32)).to_bits(),
        // Only ten of the sixteen bytes mean something.
        Scalar::F80 => decode_x87(memory.bytes(address, 10)?).to_bits(),
    })
}

/// Writes a scalar.
#[inline]
pub fn store(memory: &mut Memory, kind: Scalar, address: u64, value: u64) -> Result<(), Trouble> {
    match kind {
        Scalar::F32 => memory.store(address, 4, u64::from((f64::from_bits(value) as f32).to_bits())),
        Scalar::F80 => memory.write(address, &encode_x87(f64::from_bits(value))),
        kind => memory.store(address, arithmetic::size(kind), value),
    }
}

/// The bytes around a bit-field, as one number. Unwritten bytes count as zero
/// when another member of the same byte is written.
fn load_bits(memory: &Memory, kind: Scalar, address: u64, start: u8, width: u8) -> Result<u64, Trouble> {
    let end = (usize::from(start) + usize::from(width)).div_ceil(8);
    let first = usize::from(start) / 8;
    let mut wide = [0; 16];
    wide[first..end].copy_from_slice(memory.bytes(address + first as u64, end - first)?);
    let bits = u128::from_le_bytes(wide) >> start & ((1 << width) - 1);
    let negative = matches!(kind, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64) && bits >> (width - 1) == 1;
    Ok(if negative { (bits as u64) | u64::MAX.checked_shl(width.into()).unwrap_or(0) } else { bits as u64 })
}

fn store_bits(memory: &mut Memory, address: u64, start: u8, width: u8, value: u64) -> Result<(), Trouble> {
    let end = (usize::from(start) + usize::from(width)).div_ceil(8);
    let first = usize::from(start) / 8;
    let (bytes, _) = memory.raw(address + first as u64, end - first)?;
    let mut wide = [0; 16];
    wide[first..end].copy_from_slice(bytes);
    let mask = ((1u128 << width) - 1) << start;
    let bits = u128::from_le_bytes(wide) & !mask | (u128::from(value) << start) & mask;
    memory.write(address + first as u64, &bits.to_le_bytes()[first..end])
}
