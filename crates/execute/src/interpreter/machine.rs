//! The machine: frames, registers, and the loop that runs instructions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memory::{decode_x87, encode_x87};

use super::arithmetic;
use super::callback::Callback;
use super::code::*;
use super::library;
use super::link::Links;
use super::memory::{Memory, Trouble};
use super::patch::Patch;
use crate::FaultKind;

/// A running program.
#[derive(Clone)]
pub struct Machine {
    /// The program and, after it, patches of single statements.
    pub images: Vec<Arc<Image>>,
    /// The patch of each image after the first.
    pub patches: Vec<Arc<Patch>>,
    pub links: Arc<Links>,
    pub memory: Memory,
    pub registers: Vec<u64>,
    pub frames: Vec<Frame>,
    pub library: library::State,
    /// Arguments beyond the named ones of each variadic call.
    pub varargs: Vec<Arc<[u64]>>,
    /// What `atexit` was given.
    pub at_exit: Vec<u64>,
    /// Statements run so far.
    pub steps: u64,
    /// Jumps backwards so far: a loop need not have any statement.
    pub rounds: u64,
    pub max_steps: u64,
    pub max_depth: usize,
    /// Whether shifting too far is a fault.
    pub strict_shifts: bool,
    pub interrupt: Arc<AtomicBool>,
    /// Stop at every statement when no more frames than this are active.
    pub stop_depth: usize,
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
    /// Its temporaries as they were before a patch.
    pub kept: Option<Box<[u64]>>,
}

impl Frame {
    /// A call that is about to begin.
    pub fn new(image: usize, function: u32, base: u32, to: Option<Slot>, struct_result: Option<u32>) -> Frame {
        let (step, result, varargs, callback, kept) = (None, None, None, None, None);
        Frame { image, function, pc: 0, base, step, to, struct_result, result, varargs, callback, kept }
    }
}

/// What the inner loop needs of the innermost frame, at hand.
struct Cursor<'a> {
    ops: &'a [Op],
    pc: usize,
    base: usize,
    step: Option<u32>,
    stop_always: bool,
}

impl<'a> Cursor<'a> {
    #[inline]
    fn load(frames: &[Frame], image: &'a Image, stop_depth: usize) -> Cursor<'a> {
        let frame = frames.last().expect("a frame runs");
        Cursor {
            ops: &image.functions[frame.function as usize].ops,
            pc: frame.pc as usize,
            base: frame.base as usize,
            step: frame.step,
            stop_always: frames.len() <= stop_depth,
        }
    }

    #[inline]
    fn save(&self, frames: &mut [Frame]) {
        if let Some(frame) = frames.last_mut() {
            (frame.pc, frame.step) = (self.pc as u32, self.step);
        }
    }
}

/// Where to stop.
#[derive(Clone, Debug)]
pub struct Rule {
    /// At every statement, when no more frames than this are active.
    pub depth: usize,
    /// At these statements.
    pub breakpoints: Arc<[bool]>,
}

impl Rule {
    /// At the next statement, wherever it is.
    pub fn next() -> Rule {
        Rule { depth: usize::MAX, breakpoints: Arc::new([]) }
    }
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
    /// A patch has come to its next statement.
    Back(u32),
    Trouble(Trouble),
    Interrupted,
}

impl Machine {
    /// Runs until the rule says stop.
    pub fn run(&mut self, rule: &Rule) -> Halt {
        self.stop_depth = rule.depth;
        loop {
            if self.frames.is_empty() {
                return Halt::Exited(0);
            }
            let event = self.execute(rule);
            let halt = match event {
                Event::Call(call) => self.call(call),
                Event::Return => self.give_back(),
                Event::Step(step) => Some(Halt::Step(step)),
                Event::Back(step) => self.leave_detour(step),
                Event::Trouble(trouble) => Some(Halt::Trouble(trouble)),
                Event::Interrupted => Some(Halt::Interrupted),
            };
            if let Some(halt) = halt {
                return halt;
            }
        }
    }

    /// Runs instructions until the program stops or needs the library. Plain
    /// calls and returns between the program's own functions stay in here.
    fn execute(&mut self, rule: &Rule) -> Event {
        let Machine { images, memory, registers, frames, steps, rounds, .. } = self;
        let Machine { max_steps, max_depth, strict_shifts, interrupt, stop_depth, .. } = self;
        let image_number = frames.last().expect("checked by the caller").image;
        let image = &*images[image_number];
        let (constants, breakpoints) = (&image.constants[..], &rule.breakpoints[..]);
        let mut at = Cursor::load(frames, image, *stop_depth);

        macro_rules! get {
            ($s:expr) => {{
                let s: Src = $s;
                match s.0 & Src::CONSTANT {
                    0 => registers[at.base + s.0 as usize],
                    _ => constants[(s.0 & !Src::CONSTANT) as usize],
                }
            }};
        }
        macro_rules! set {
            ($d:expr, $value:expr) => {{
                let value = $value;
                registers[at.base + $d as usize] = value
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
            let op = at.ops[at.pc];
            at.pc += 1;
            match op {
                Op::Step(step) => {
                    if image_number != 0 {
                        break Event::Back(step);
                    }
                    at.step = Some(step);
                    *steps += 1;
                    if *steps > *max_steps || (*steps & 0xfff == 0 && interrupt.load(Ordering::Relaxed)) {
                        // Stay before this statement.
                        at.pc -= 1;
                        break Event::Interrupted;
                    }
                    if at.stop_always || breakpoints.get(step as usize) == Some(&true) {
                        break Event::Step(step);
                    }
                }
                Op::Move { d, s } => set!(d, get!(s)),
                Op::AddInt { d, a, b } => set!(d, (get!(a) as i32).wrapping_add(get!(b) as i32) as u64),
                Op::Binary { op, kind, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if *strict_shifts {
                        check!(arithmetic::check_shift(op, kind, b));
                    }
                    set!(d, check!(arithmetic::binary(op, kind, a, b)));
                }
                Op::Load { kind, d, p, offset } => {
                    let address = get!(p).wrapping_add(offset as u64);
                    set!(d, check!(load(memory, kind, address)));
                }
                Op::Store { kind, p, offset, s } => {
                    let (address, value) = (get!(p).wrapping_add(offset as u64), get!(s));
                    check!(store(memory, kind, address, value));
                }
                Op::JumpUnlessCompare { op, kind, a, b, to } => {
                    if !arithmetic::compare(op, kind, get!(a), get!(b)) {
                        at.pc = to as usize;
                    }
                }
                Op::Jump(to) => {
                    let back = (to as usize) < at.pc;
                    at.pc = to as usize;
                    if back && count_round(rounds, *max_steps, interrupt) {
                        break Event::Interrupted;
                    }
                }
                Op::JumpUnless { s, to } => {
                    if get!(s) == 0 {
                        at.pc = to as usize;
                    }
                }
                Op::JumpIf { s, to } => {
                    if get!(s) != 0 {
                        let back = (to as usize) < at.pc;
                        at.pc = to as usize;
                        if back && count_round(rounds, *max_steps, interrupt) {
                            break Event::Interrupted;
                        }
                    }
                }
                Op::Call(number) => {
                    let call = &image.calls[number as usize];
                    let Target::Own(function) = call.target else { break Event::Call(number) };
                    let callee = &image.functions[function as usize];
                    if callee.variadic || frames.len() >= *max_depth || image_number != 0 {
                        break Event::Call(number);
                    }
                    at.step = call.step.or(at.step);
                    at.save(frames);
                    let base = registers.len();
                    registers.resize(base + callee.registers as usize, UNWRITTEN);
                    for (i, kind) in callee.parameter_kinds.iter().enumerate().take(call.arguments.len()) {
                        let value = get!(call.arguments[i].0);
                        registers[base + i] = kind.map_or(value, |kind| arithmetic::wrap(kind, value));
                    }
                    if !callee.in_memory.is_empty() {
                        check!(create_locals(memory, registers, callee, base));
                    }
                    frames.push(Frame::new(image_number, function, base as u32, call.to, call.struct_result));
                    at = Cursor::load(frames, image, *stop_depth);
                }
                Op::Return => {
                    let [.., caller, frame] = &frames[..] else { break Event::Return };
                    let plain =
                        caller.callback.is_none() && caller.image == image_number && frame.struct_result.is_none();
                    if !plain || (frame.to.is_some() && frame.result.is_none()) {
                        break Event::Return;
                    }
                    let (to, result) = (frame.to, frame.result);
                    for &(slot, _) in &image.functions[frame.function as usize].in_memory {
                        memory.kill(registers[at.base + slot as usize]);
                    }
                    registers.truncate(at.base);
                    frames.pop();
                    *stop_depth = lowered(*stop_depth, frames.len());
                    at = Cursor::load(frames, image, *stop_depth);
                    if let (Some(to), Some(result)) = (to, result) {
                        set!(to, result);
                    }
                }
                Op::SetResult { s } => {
                    let value = get!(s);
                    frames.last_mut().expect("a frame runs").result = Some(value);
                }
                Op::Advance { d, p, offset } => set!(d, get!(p).wrapping_add(offset as u64)),
                Op::Element { d, p, i, scale } => set!(d, get!(p).wrapping_add(get!(i).wrapping_mul(get!(scale)))),
                Op::ElementBack { d, p, i, scale } => set!(d, get!(p).wrapping_sub(get!(i).wrapping_mul(get!(scale)))),
                Op::Distance { d, a, b, scale } => {
                    let bytes = get!(a).wrapping_sub(get!(b)) as i64;
                    set!(d, (bytes / (get!(scale) as i64).max(1)) as u64);
                }
                Op::CheckIndex { i, length } => {
                    if get!(i) >= u64::from(length) {
                        break Event::Trouble(index_trouble(get!(i) as i64, length));
                    }
                }
                Op::CheckWritten { s } => {
                    if registers[at.base + s as usize] == UNWRITTEN {
                        break Event::Trouble(Trouble::new(
                            FaultKind::Uninitialised,
                            "is used but was never given a value",
                        ));
                    }
                }
                Op::Convert { from, to, d, s } => set!(d, arithmetic::convert(from, to, get!(s))),
                Op::Negate { kind, d, s } => set!(d, arithmetic::negate(kind, get!(s))),
                Op::Complement { kind, d, s } => set!(d, arithmetic::wrap(kind, !get!(s))),
                Op::LoadBits { kind, d, p, start, width } => {
                    set!(d, check!(load_bits(memory, kind, get!(p), start, width)));
                }
                Op::StoreBits { p, s, start, width } => check!(store_bits(memory, get!(p), start, width, get!(s))),
                Op::Copy { to, from, size } => check!(memory.copy(get!(to), get!(from), size as usize)),
                Op::Clear { p, size } => check!(memory.write(get!(p), &vec![0; size as usize])),
                Op::Forget { s } => memory.forget(registers[at.base + s as usize]),
                Op::NewArray { s, size } => {
                    let size = get!(size);
                    memory.kill(registers[at.base + s as usize]);
                    match memory.create(size, super::memory::Kind::Local) {
                        Some(address) => set!(s, address),
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
                    at.pc = arm.map_or(table.default, |arm| arm.2) as usize;
                }
                Op::Refuse(message) => {
                    let what = &image.messages[message as usize];
                    let message = format!("cannot be run by the interpreter ({what}); use the gdb engine");
                    break Event::Trouble(Trouble::new(FaultKind::Unsupported, message));
                }
            }
        };
        at.save(frames);
        event
    }

    /// The instruction that was run last in the innermost frame.
    pub fn last_origin(&self) -> Option<Origin> {
        let frame = self.frames.iter().rev().find(|frame| frame.callback.is_none())?;
        let body = &self.images[frame.image].functions[frame.function as usize];
        body.origins.get((frame.pc as usize).checked_sub(1)?).copied()
    }

    /// The patch that the innermost frame is in.
    pub fn running_patch(&self) -> Option<&Patch> {
        let frame = self.frames.iter().rev().find(|frame| frame.callback.is_none())?;
        self.patches.get(frame.image.checked_sub(1)?).map(|patch| &**patch)
    }

    /// Whether the instruction that was run last in the innermost frame is a call.
    pub fn is_calling(&self) -> bool {
        let frame = self.frames.last().filter(|frame| frame.callback.is_none());
        frame.is_some_and(|frame| {
            let body = &self.images[frame.image].functions[frame.function as usize];
            matches!((frame.pc as usize).checked_sub(1).and_then(|pc| body.ops.get(pc)), Some(Op::Call(_)))
        })
    }

    /// A register of a frame, or a constant.
    pub fn value(&self, frame: &Frame, src: Src) -> u64 {
        match src.0 & Src::CONSTANT {
            0 => self.registers[(frame.base + src.0) as usize],
            _ => self.images[frame.image].constants[(src.0 & !Src::CONSTANT) as usize],
        }
    }
}

/// Once a call has returned, another call that its caller makes is stepped
/// over, too: in `f(1) + g(2)`, the next statement after `f` is not in `g`.
pub fn lowered(stop_depth: usize, depth: usize) -> usize {
    if stop_depth == usize::MAX { stop_depth } else { stop_depth.min(depth) }
}

/// Gives each local in memory an object of its own; parameters get their values there.
pub fn create_locals(memory: &mut Memory, registers: &mut [u64], body: &Body, base: usize) -> Result<(), Trouble> {
    for &(slot, size) in &body.in_memory {
        let full = || Trouble::new(FaultKind::StackOverflow, "needs more memory than there is");
        let address = memory.create(size.into(), super::memory::Kind::Local).ok_or_else(full)?;
        let value = std::mem::replace(&mut registers[base + slot as usize], address);
        if slot < body.parameters && value != UNWRITTEN {
            match body.parameter_kinds[slot as usize] {
                Some(kind) => store(memory, kind, address, value)?,
                None => memory.copy(address, value, size as usize)?,
            }
        }
    }
    Ok(())
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

/// Counts a jump backwards; whether the program must stop. Looked at now and then only.
fn count_round(rounds: &mut u64, most: u64, interrupt: &AtomicBool) -> bool {
    *rounds += 1;
    *rounds & 0xfff == 0 && (*rounds >= most || interrupt.load(Ordering::Relaxed))
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
