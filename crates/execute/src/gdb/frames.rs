//! The active calls.
//!
//! Every function of the user keeps its frame pointer, so its callers are
//! found by following `rbp`. Where a library is in between (`qsort` calling a
//! comparison) or the program stands in one, gdb's own unwinder tells.

use ir::{FunctionId, StepId};

use super::elf::Elf;
use super::lines::StepMap;
use super::process::words;

/// Where the program stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The next instruction.
    pub pc: u64,
    /// The end of the stack.
    pub sp: u64,
    /// The frame pointer.
    pub bp: u64,
}

/// An active call of one of the user's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The statement that it is at.
    pub step: Option<StepId>,
    /// Its frame pointer.
    pub bp: u64,
}

/// The program's stack as it was read.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The address of its first byte.
    pub start: u64,
    /// Its bytes, up to the end of the stack.
    pub bytes: Vec<u8>,
}

impl Stack {
    /// Bytes of it, if they are all there.
    pub fn get(&self, address: u64, length: u64) -> Option<&[u8]> {
        let first = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes.get(first..first.checked_add(usize::try_from(length).ok()?)?)
    }

    /// A 64-bit number on it.
    pub fn word(&self, address: u64) -> Option<u64> {
        self.get(address, 8).and_then(|bytes| words(bytes).next())
    }

    /// Just past its last byte.
    pub fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

/// The active calls, outermost first; `None` where only gdb can tell.
pub fn walk(steps: &StepMap, elf: &Elf, stack: &Stack, registers: Registers, main: FunctionId) -> Option<Vec<Frame>> {
    let mut frames = Vec::new();
    let mut function = steps.function_at(registers.pc)?;
    let mut step = steps.step_at(registers.pc);
    let mut bp = settled_bp(steps, elf, registers);
    loop {
        frames.push(Frame { function, step, bp });
        let back = stack.word(bp.wrapping_add(8))?;
        match steps.function_at(back.wrapping_sub(1)) {
            Some(caller) => {
                function = caller;
                step = steps.step_at(back - 1);
            }
            None if function == main => break,
            None => return None,
        }
        let next = stack.word(bp)?;
        // Frames lie one above the other; anything else is a broken stack.
        if next <= bp {
            return None;
        }
        bp = next;
    }
    frames.reverse();
    Some(frames)
}

/// The frame pointer that the innermost function has after its first
/// instructions: a program that was interrupted may not have set it yet, or
/// may have given it up already.
fn settled_bp(steps: &StepMap, elf: &Elf, registers: Registers) -> u64 {
    const SET_UP: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
    const RETURN: u8 = 0xc3;
    let Registers { pc, sp, bp } = registers;
    let Some(low) = steps.start_of_function(pc) else { return bp };
    let head = elf.bytes(low, low + 16);
    if let Some(push) = head.windows(4).position(|window| window == SET_UP) {
        let push = low + push as u64;
        if pc <= push {
            return sp.wrapping_sub(8);
        }
        if pc == push + 1 {
            return sp;
        }
    }
    match elf.bytes(pc, pc + 1) {
        [RETURN] => sp.wrapping_sub(8),
        _ => bp,
    }
}

/// The active calls out of gdb's list of frames, innermost first, each
/// `pc:rbp:kind`.
pub fn from_unwinder(steps: &StepMap, listed: &[&str]) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (i, text) in listed.iter().enumerate() {
        let mut numbers = text.split(':').map(|number| number.parse::<u64>().unwrap_or(0));
        let (pc, bp) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        // A caller's pc is where it goes on, which may be another statement.
        let within = if i == 0 { pc } else { pc.wrapping_sub(1) };
        if let Some(function) = steps.function_at(within) {
            frames.push(Frame { function, step: steps.step_at(within), bp });
        }
    }
    frames.reverse();
    frames
}
