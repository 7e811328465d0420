//! The memory of an interpreted program: objects of bytes.
//!
//! Every variable in memory, heap block and string literal is an object of its
//! own. An address is the number of an object and an offset, packed in 64
//! bits, so that pointer arithmetic is plain arithmetic and can never lead
//! from one object into another:
//!
//! ```text
//!   0010 | object (28 bits) | 0x4000_0000 + offset (32 bits)
//! ```
//!
//! Each byte has a shadow byte that tells whether it was written.

use std::collections::VecDeque;

use crate::FaultKind;

/// An address as stored in the program's own memory; 0 is null.
pub type Address = u64;

const TAG: u64 = 0x2000_0000_0000_0000;
const TAG_MASK: u64 = 0xf000_0000_0000_0000;
const BIAS: u64 = 0x4000_0000;

/// Dead objects are kept this long before their numbers are used again, so
/// that pointers to them are recognised.
const QUARANTINE: usize = 1 << 20;

/// A wrong access, before it is known where in the program it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What kind of mistake.
    pub kind: FaultKind,
    /// What is wrong with the pointer or value: "is null", "points to n3, which was freed".
    pub message: String,
}

impl Trouble {
    /// A mistake.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Trouble { kind, message: message.into() }
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heap block: its number in order of allocation, and the statement that allocated it.
    Heap(u32, Option<u32>),
    /// A global variable or static local, by number.
    Global(u32),
    /// A local variable.
    Local,
    /// A string literal.
    Text,
    /// A function of the program, by number.
    Function(u32),
    /// A function of the library, by its number in the machine's table.
    Library(u32),
    /// The array of program arguments.
    Arguments,
    /// One program argument.
    Argument,
    /// Something of the C library, such as a stream.
    Outside,
}

#[derive(Clone, Debug)]
struct Object {
    /// The bytes, and after them the shadow: 1 for each byte that was written.
    cells: Box<[u8]>,
    kind: Kind,
    /// Size in bytes; it stays known when a block is freed and its bytes are gone.
    size: usize,
    live: bool,
}

/// All objects.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    /// Dead objects in order of death.
    dead: VecDeque<u32>,
    /// The object of each heap block, by number.
    blocks: Vec<u32>,
    used: u64,
    limit: u64,
}

/// Whether a number is an address of this memory.
pub fn is_address(value: u64) -> bool {
    value & TAG_MASK == TAG
}

fn object_of(address: Address) -> usize {
    ((address & !TAG_MASK) >> 32) as usize
}

fn offset_of(address: Address) -> i64 {
    (address & 0xffff_ffff) as i64 - BIAS as i64
}

fn address_of(object: usize) -> Address {
    TAG | (object as u64) << 32 | BIAS
}

impl Memory {
    /// Empty memory that may grow to `limit` bytes.
    pub fn new(limit: u64) -> Self {
        // Object 0 is never used, so that no address is near null.
        let nothing = Object { cells: Box::new([]), kind: Kind::Outside, size: 0, live: false };
        Memory { objects: vec![nothing], dead: VecDeque::new(), blocks: Vec::new(), used: 0, limit }
    }

    // ----- objects -----

    /// A new object with nothing written in it; `None` when memory is full.
    pub fn create(&mut self, size: u64, kind: Kind) -> Option<Address> {
        if size > 0xb000_0000 || self.used + size * 2 > self.limit {
            return None;
        }
        self.used += size * 2;
        let object =
            Object { cells: vec![0; size as usize * 2].into_boxed_slice(), kind, size: size as usize, live: true };
        let reused = if self.dead.len() > QUARANTINE { self.dead.pop_front() } else { None };
        let index = match reused {
            Some(index) => {
                self.objects[index as usize] = object;
                index as usize
            }
            None => {
                self.objects.push(object);
                self.objects.len() - 1
            }
        };
        if let Kind::Heap(..) = kind {
            self.blocks.push(index as u32);
        }
        Some(address_of(index))
    }

    /// A new object with these bytes.
    pub fn create_with(&mut self, bytes: &[u8], kind: Kind) -> Option<Address> {
        let address = self.create(bytes.len() as u64, kind)?;
        let cells = &mut self.objects[object_of(address)].cells;
        cells[..bytes.len()].copy_from_slice(bytes);
        cells[bytes.len()..].fill(1);
        Some(address)
    }

    /// A new heap block, allocated by the statement `step`.
    pub fn allocate(&mut self, size: u64, step: Option<u32>) -> Option<Address> {
        self.create(size, Kind::Heap(self.blocks.len() as u32 + 1, step))
    }

    /// Frees a heap block.
    pub fn free(&mut self, address: Address) -> Result<(), Trouble> {
        let object = is_address(address).then(|| self.objects.get(object_of(address))).flatten();
        let Some(object) = object else {
            return Err(Trouble::new(FaultKind::InvalidFree, "is not the address of anything"));
        };
        match object.kind {
            Kind::Heap(number, _) if !object.live => {
                Err(Trouble::new(FaultKind::DoubleFree, format!("points to n{number}, which was freed before")))
            }
            Kind::Heap(number, _) if offset_of(address) != 0 => {
                let message = format!("points into the middle of n{number}; only its start can be freed");
                Err(Trouble::new(FaultKind::InvalidFree, message))
            }
            Kind::Heap(..) => {
                self.kill(address);
                Ok(())
            }
            _ => {
                let what = self.describe(address);
                Err(Trouble::new(FaultKind::InvalidFree, format!("points to {what}, which is not from malloc")))
            }
        }
    }

    /// Ends the life of an object.
    pub fn kill(&mut self, address: Address) {
        let index = object_of(address);
        let object = &mut self.objects[index];
        object.live = false;
        self.used -= object.cells.len() as u64;
        // A heap block keeps its number for good, so its object must stay.
        match object.kind {
            Kind::Heap(..) => object.cells = Box::new([]),
            _ => {
                object.cells = Box::new([]);
                self.dead.push_back(index as u32);
            }
        }
    }

    /// What an address points into: the object, the offset, whether it lives.
    pub fn resolve(&self, address: Address) -> Option<(Kind, i64, bool)> {
        if !is_address(address) {
            return None;
        }
        let object = self.objects.get(object_of(address))?;
        Some((object.kind, offset_of(address), object.live))
    }

    /// The start of the object that an address points into.
    pub fn start_of(&self, address: Address) -> Address {
        address_of(object_of(address))
    }

    /// The size of the object that an address points into.
    pub fn size_of(&self, address: Address) -> u64 {
        self.objects.get(object_of(address)).map_or(0, |object| object.size as u64)
    }

    /// The heap block with a number: its address.
    pub fn block(&self, number: u32) -> Option<Address> {
        self.blocks.get((number as usize).checked_sub(1)?).map(|&index| address_of(index as usize))
    }

    /// The number of heap blocks ever allocated.
    pub fn block_count(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// An object in words, for messages.
    pub fn describe(&self, address: Address) -> String {
        match self.resolve(address) {
            Some((Kind::Heap(number, _), ..)) => format!("n{number}"),
            Some((Kind::Global(_), ..)) => "a global variable".into(),
            Some((Kind::Local, _, true)) => "a local variable".into(),
            Some((Kind::Local, _, false)) => "a local variable that is gone".into(),
            Some((Kind::Text, ..)) => "a string literal".into(),
            Some((Kind::Function(_) | Kind::Library(_), ..)) => "a function".into(),
            Some((Kind::Arguments | Kind::Argument, ..)) => "the program's arguments".into(),
            _ => "nothing".into(),
        }
    }

    /// From here on only the first `size` bytes of an object can be used; those after them stay.
    pub fn narrow(&mut self, address: Address, size: u64) {
        if is_address(address)
            && let Some(object) = self.objects.get_mut(object_of(address))
        {
            object.size = (size as usize).min(object.cells.len() / 2);
        }
    }

    // ----- access -----

    /// Checks that `size` bytes at `address` exist; returns the object and the offset.
    #[inline]
    fn locate(&self, address: Address, size: usize) -> Result<(usize, usize), Trouble> {
        let (index, offset) = (object_of(address), offset_of(address));
        if address & TAG_MASK == TAG
            && let Some(object) = self.objects.get(index)
            && offset >= 0
            && offset as usize + size <= object.size
            && object.live
        {
            return Ok((index, offset as usize));
        }
        Err(self.access_trouble(address, size))
    }

    #[cold]
    fn access_trouble(&self, address: Address, size: usize) -> Trouble {
        if address == 0 {
            return Trouble::new(FaultKind::Null, "is null");
        }
        let Some(object) = is_address(address).then(|| self.objects.get(object_of(address))).flatten() else {
            return match address < 65536 {
                // A member of what null points to lies a little after it.
                true => Trouble::new(FaultKind::Null, format!("is null (the access goes to {address:#x})")),
                false => Trouble::new(FaultKind::Dangling, format!("is the number {address:#x}, not an address")),
            };
        };
        let name = self.describe(address);
        if !object.live {
            return match object.kind {
                Kind::Heap(..) => Trouble::new(FaultKind::Dangling, format!("points to {name}, which was freed")),
                _ => Trouble::new(FaultKind::Dangling, format!("points to {name}")),
            };
        }
        if matches!(object.kind, Kind::Function(_) | Kind::Library(_) | Kind::Outside) {
            return Trouble::new(FaultKind::OutOfBounds, format!("points to {name}, which cannot be read or written"));
        }
        let (offset, room) = (offset_of(address), object.size);
        let bytes = if size == 1 { "1 byte".into() } else { format!("{size} bytes") };
        let message = format!("leads to {bytes} at offset {offset} of {name}, which has {room} bytes");
        Trouble::new(FaultKind::OutOfBounds, message)
    }

    #[cold]
    fn unwritten(&self, address: Address) -> Trouble {
        let name = self.describe(address);
        Trouble::new(FaultKind::Uninitialised, format!("was never given a value (in {name})"))
    }

    /// The little-endian integer of `size` bytes (1, 2, 4 or 8).
    #[inline]
    pub fn load(&self, address: Address, size: usize) -> Result<u64, Trouble> {
        let (index, offset) = self.locate(address, size)?;
        let cells = &self.objects[index].cells;
        let shadow = cells.len() / 2 + offset;
        let (value, written) = match size {
            1 => (u64::from(cells[offset]), cells[shadow] == 1),
            2 => (read::<2>(cells, offset), read::<2>(cells, shadow) == 0x0101),
            4 => (read::<4>(cells, offset), read::<4>(cells, shadow) == 0x0101_0101),
            _ => (read::<8>(cells, offset), read::<8>(cells, shadow) == 0x0101_0101_0101_0101),
        };
        match written {
            true => Ok(value),
            false => Err(self.unwritten(address)),
        }
    }

    /// Writes the low `size` bytes (1, 2, 4 or 8) of `value`.
    #[inline]
    pub fn store(&mut self, address: Address, size: usize, value: u64) -> Result<(), Trouble> {
        let (index, offset) = self.locate(address, size)?;
        let object = &mut self.objects[index];
        if object.kind == Kind::Text {
            return Err(Trouble::new(FaultKind::OutOfBounds, "points to a string literal, which cannot be changed"));
        }
        let cells = &mut object.cells;
        let shadow = cells.len() / 2 + offset;
        match size {
            1 => (cells[offset], cells[shadow]) = (value as u8, 1),
            2 => write::<2>(cells, offset, shadow, value),
            4 => write::<4>(cells, offset, shadow, value),
            _ => write::<8>(cells, offset, shadow, value),
        }
        Ok(())
    }

    /// `size` bytes, all of which were written.
    pub fn bytes(&self, address: Address, size: usize) -> Result<&[u8], Trouble> {
        let (index, offset) = self.locate(address, size)?;
        let cells = &self.objects[index].cells;
        let shadow = cells.len() / 2 + offset;
        match cells[shadow..shadow + size].iter().position(|&written| written == 0) {
            Some(first) => Err(self.unwritten(address + first as u64)),
            None => Ok(&cells[offset..offset + size]),
        }
    }

    /// Bytes and shadow of `size` bytes, written or not.
    pub fn raw(&self, address: Address, size: usize) -> Result<(&[u8], &[u8]), Trouble> {
        let (index, offset) = self.locate(address, size)?;
        let cells = &self.objects[index].cells;
        let shadow = cells.len() / 2 + offset;
        Ok((&cells[offset..offset + size], &cells[shadow..shadow + size]))
    }

    /// Bytes and shadow of `size` bytes, those after the end of a narrowed object too.
    pub fn kept(&self, address: Address, size: usize) -> Option<(&[u8], &[u8])> {
        let object = self.objects.get(object_of(address)).filter(|object| is_address(address) && object.live)?;
        let (bytes, shadow) = object.cells.split_at(object.cells.len() / 2);
        let from = usize::try_from(offset_of(address)).ok()?;
        Some((bytes.get(from..from + size)?, shadow.get(from..from + size)?))
    }

    /// Writes bytes.
    pub fn write(&mut self, address: Address, bytes: &[u8]) -> Result<(), Trouble> {
        let (index, offset) = self.locate(address, bytes.len())?;
        let object = &mut self.objects[index];
        if object.kind == Kind::Text && !bytes.is_empty() {
            return Err(Trouble::new(FaultKind::OutOfBounds, "points to a string literal, which cannot be changed"));
        }
        let shadow = object.size + offset;
        object.cells[offset..offset + bytes.len()].copy_from_slice(bytes);
        object.cells[shadow..shadow + bytes.len()].fill(1);
        Ok(())
    }

    /// Copies bytes with their shadow, as `memmove` does; unwritten ones stay unwritten.
    pub fn copy(&mut self, to: Address, from: Address, size: usize) -> Result<(), Trouble> {
        let (bytes, shadow) = self.raw(from, size)?;
        let (bytes, shadow) = (bytes.to_vec(), shadow.to_vec());
        self.write_partly(to, &bytes, &shadow)
    }

    /// Writes bytes with their shadow.
    pub fn write_partly(&mut self, to: Address, bytes: &[u8], written: &[u8]) -> Result<(), Trouble> {
        self.write(to, bytes)?;
        let (index, offset) = self.locate(to, bytes.len())?;
        let object = &mut self.objects[index];
        let start = object.size + offset;
        object.cells[start..start + bytes.len()].copy_from_slice(written);
        Ok(())
    }

    /// Takes back that anything was written in the whole object.
    pub fn forget(&mut self, address: Address) {
        let object = &mut self.objects[object_of(address)];
        let size = object.size;
        object.cells[size..].fill(0);
    }

    /// The bytes from `address` up to the first NUL, without it.
    pub fn text(&self, address: Address) -> Result<&[u8], Trouble> {
        let (index, offset) = self.locate(address, 1)?;
        let object = &self.objects[index];
        let size = object.size;
        match object.cells[offset..size].iter().position(|&byte| byte == 0) {
            Some(length) => {
                self.bytes(address, length + 1)?;
                Ok(&object.cells[offset..offset + length])
            }
            None => {
                let room = size - offset;
                self.bytes(address, room)?;
                let name = self.describe(address);
                let message = format!("is text without an end: no NUL in the {room} bytes up to the end of {name}");
                Err(Trouble::new(FaultKind::OutOfBounds, message))
            }
        }
    }
}

fn read<const N: usize>(cells: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(&cells[at..at + N]);
    u64::from_le_bytes(bytes)
}

fn write<const N: usize>(cells: &mut [u8], at: usize, shadow: usize, value: u64) {
    cells[at..at + N].copy_from_slice(&value.to_le_bytes()[..N]);
    cells[shadow..shadow + N].copy_from_slice(&[1; N]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_block_is_recognised() {
        let mut memory = Memory::new(1 << 20);
        let block = memory.allocate(16, None).expect("there is room");
        memory.store(block + 8, 8, 7).expect("inside");
        assert_eq!(memory.load(block + 8, 8), Ok(7));
        assert_eq!(memory.load(block, 8).map_err(|t| t.kind), Err(FaultKind::Uninitialised));
        assert_eq!(memory.load(block + 12, 8).map_err(|t| t.kind), Err(FaultKind::OutOfBounds));
        assert_eq!(memory.load(block.wrapping_sub(8), 8).map_err(|t| t.kind), Err(FaultKind::OutOfBounds));
        assert_eq!(memory.free(block + 8).map_err(|t| t.kind), Err(FaultKind::InvalidFree));
        memory.free(block).expect("live");
        assert_eq!(memory.load(block, 8).map_err(|t| t.kind), Err(FaultKind::Dangling));
        assert_eq!(memory.free(block).map_err(|t| t.kind), Err(FaultKind::DoubleFree));
        assert_eq!(memory.load(0, 8).map_err(|t| t.kind), Err(FaultKind::Null));
    }
}
