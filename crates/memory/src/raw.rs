//! Memory as an executor has it, before anything is named or typed.

use std::borrow::Cow;

/// Bytes of an object and, where the executor knows it, which of them were written.
#[derive(Clone, Debug)]
pub struct Bytes<'a> {
    /// The bytes.
    pub data: Cow<'a, [u8]>,
    /// For each byte: non-zero if it was written. `None` means that nobody knows.
    pub written: Option<Cow<'a, [u8]>>,
}

/// A variable of the running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRef {
    /// A global or static local, by number.
    Global(usize),
    /// A local of a frame, outermost frame 0.
    Local {
        /// The frame.
        frame: usize,
        /// The number of the local in its function.
        local: usize,
    },
}

/// An active call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawFrame {
    /// The function, by number.
    pub function: usize,
    /// The source statement that is about to run, or, in a caller, is running.
    pub step: Option<usize>,
}

/// A heap block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number in order of allocation, from 1.
    pub number: u32,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it was not freed yet.
    pub live: bool,
    /// The source statement that allocated it.
    pub step: Option<usize>,
}

/// Where an address points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Into (or just past) a heap block.
    Block {
        /// The number of the block.
        number: u32,
        /// Offset from its start.
        offset: i64,
    },
    /// Into a variable.
    Variable {
        /// Which one.
        variable: VariableRef,
        /// Offset from its start.
        offset: i64,
    },
    /// Into constant text; the bytes from there to its end, without the final NUL.
    Text(Vec<u8>),
    /// To a function.
    Function(String),
    /// Into the array of program arguments.
    Arguments {
        /// Offset from its start.
        offset: i64,
    },
    /// To a local variable that no longer exists.
    Gone,
    /// To something that is not the program's own, such as a stream of the C library.
    Outside,
    /// Not to anything: a number that was made an address.
    Nothing,
    /// Just past the end of something, where another object may begin.
    Past,
}

/// What an executor shows of its program.
pub trait RawMemory {
    /// The active calls of the program's own functions, outermost first.
    fn frames(&self) -> Vec<RawFrame>;
    /// The bytes of a variable, if it exists now.
    fn variable(&self, variable: VariableRef) -> Option<Bytes<'_>>;
    /// All live blocks, in order of allocation.
    fn live_blocks(&self) -> Vec<Block>;
    /// A block by number, live or freed.
    fn block(&self, number: u32) -> Option<Block>;
    /// The bytes of a live block.
    fn contents(&self, number: u32) -> Option<Bytes<'_>>;
    /// What an address, as stored in the program's memory, points to.
    fn resolve(&self, address: u64) -> Target;
}
