//! The program's memory at one moment, for [`memory::read_state`].

use std::borrow::Cow;
use std::cell::OnceCell;

use c_types::{Type, TypeId};
use memory::{Block, Bytes, Layout, RawFrame, RawMemory, Target, VariableRef};

use super::elf::SectionKind;
use super::frames::{Frame, Stack};
use super::heap::Heap;
use super::image::Image;
use super::libraries::Libraries;
use super::process::{Mapping, Process};
use super::variables::{Count, Place};
use crate::entity::SpotObject;

/// Objects larger than this are read up to here: no state shows more.
const LARGEST: u64 = 4 << 20;

/// Everything that is needed to show a stopped program.
#[derive(Debug)]
pub struct Snapshot<'a> {
    layout: &'a Layout,
    image: &'a Image,
    process: &'a Process,
    libraries: &'a Libraries,
    heap: &'a Heap,
    frames: &'a [Frame],
    stack: Stack,
    /// Bytes of the heap with their addresses, in order.
    chunks: Vec<(u64, Vec<u8>)>,
    /// Where variables are: first address, just past the last, which.
    ranges: Vec<(u64, u64, VariableRef)>,
    mappings: OnceCell<Vec<Mapping>>,
}

impl<'a> Snapshot<'a> {
    /// Reads what most states need: the stack and the live blocks.
    pub fn take(
        layout: &'a Layout,
        image: &'a Image,
        process: &'a Process,
        libraries: &'a Libraries,
        heap: &'a Heap,
        frames: &'a [Frame],
        stack: Stack,
    ) -> Self {
        let chunk = |(start, end): (u64, u64)| (start, process.read(start, (end - start) as usize));
        let chunks = heap.live_ranges(LARGEST).into_iter().map(chunk).collect();
        let (ranges, mappings) = (Vec::new(), OnceCell::new());
        let mut snapshot =
            Snapshot { layout, image, process, libraries, heap, frames, stack, chunks, ranges, mappings };
        snapshot.ranges = snapshot.variable_ranges();
        snapshot
    }

    fn variable_ranges(&self) -> Vec<(u64, u64, VariableRef)> {
        let globals = (0..self.layout.globals.len()).map(VariableRef::Global);
        let locals = self.frames.iter().enumerate().flat_map(|(frame, call)| {
            let count = self.image.variables.locals[call.function.index()].len();
            (0..count).map(move |local| VariableRef::Local { frame, local })
        });
        let range = |variable| self.range(variable).map(|(start, size)| (start, start + size, variable));
        let mut ranges: Vec<_> = globals.chain(locals).filter_map(range).collect();
        ranges.sort_by_key(|range| (range.0, range.1));
        ranges
    }

    fn type_of(&self, variable: VariableRef) -> TypeId {
        match variable {
            VariableRef::Global(global) => self.layout.globals[global].ty,
            VariableRef::Local { frame, local } => {
                self.layout.functions[self.frames[frame].function.index()].locals[local].ty
            }
        }
    }

    /// Address and size of a variable.
    fn range(&self, variable: VariableRef) -> Option<(u64, u64)> {
        let size = self.layout.types.size_of(self.type_of(variable));
        match variable {
            VariableRef::Global(global) => {
                let address = self.image.variables.globals[global]?;
                let size = if size > 0 { size } else { self.image.object_size(&self.layout.globals[global].name) };
                Some((address, size))
            }
            VariableRef::Local { frame, local } => {
                let call = self.frames.get(frame)?;
                let place = self.image.variables.locals.get(call.function.index())?.get(local)?.as_ref()?;
                self.local_range(place, call.bp, self.type_of(variable), size)
            }
        }
    }

    fn local_range(&self, place: &Place, bp: u64, ty: TypeId, size: u64) -> Option<(u64, u64)> {
        match place {
            Place::Fixed(address) => Some((*address, size)),
            Place::Frame(offset) => Some((bp.wrapping_add_signed(*offset), size)),
            Place::Behind { counts, .. } if counts.is_empty() => None,
            Place::Behind { pointer, counts } => {
                let address = self.stack.word(bp.wrapping_add_signed(*pointer))?;
                let mut size = self.layout.types.size_of(self.scalar_type(ty));
                for count in counts {
                    let count = match *count {
                        Count::Constant(count) => count,
                        Count::Cell { cell, plus } => self.stack.word(bp.wrapping_add_signed(cell))?.wrapping_add(plus),
                    };
                    size = size.checked_mul(count)?;
                }
                // Before its declaration ran, pointer and counts are garbage.
                self.stack.get(address, size).map(|_| (address, size))
            }
        }
    }

    /// What an array of arrays is made of.
    fn scalar_type(&self, mut ty: TypeId) -> TypeId {
        while let Type::Array(element, _) = *self.layout.types.get(ty) {
            ty = element;
        }
        ty
    }

    /// Where a variable or block is.
    pub fn address_of(&self, object: SpotObject) -> Option<u64> {
        match object {
            SpotObject::Variable(variable) => self.range(variable).map(|range| range.0),
            SpotObject::Block(number) => {
                let index = (number as usize).checked_sub(1)?;
                self.heap.allocations.get(index).map(|block| block.address)
            }
        }
    }

    fn bytes_at(&self, address: u64, size: u64) -> Option<Cow<'_, [u8]>> {
        let size = size.min(LARGEST);
        if let Some(bytes) = self.stack.get(address, size) {
            return Some(Cow::Borrowed(bytes));
        }
        let bytes = self.process.read(address, size as usize);
        (bytes.len() as u64 == size).then_some(Cow::Owned(bytes))
    }

    /// The variable that an address is in or just past the end of.
    fn variable_at(&self, address: u64) -> Option<Target> {
        self.variable_up_to(address, address)
    }

    /// The variable before an address, if it ends at `least` or later.
    fn variable_up_to(&self, address: u64, least: u64) -> Option<Target> {
        let after = self.ranges.partition_point(|range| range.0 <= address);
        // A variable of the same start may be larger; the last of them is the largest.
        let &(start, end, variable) = self.ranges[..after].last()?;
        let offset = (address - start) as i64;
        (least <= end).then_some(Target::Variable { variable, offset })
    }

    fn target_on_stack(&self, address: u64) -> Target {
        let arguments = self.heap.header.arguments;
        let length = 8 * (self.heap.header.argument_count + 1);
        let first_text = self.stack.word(arguments).unwrap_or(u64::MAX);
        if address >= first_text {
            let rest = self.stack.get(address, self.stack.end() - address).unwrap_or_default();
            return Target::Text(rest.iter().take_while(|&&byte| byte != 0).copied().collect());
        }
        match address.checked_sub(arguments) {
            Some(offset) if offset < length => Target::Arguments { offset: offset as i64 },
            Some(_) => Target::Outside,
            None => self.variable_at(address).unwrap_or(Target::Gone),
        }
    }

    fn target_in_image(&self, kind: SectionKind, address: u64) -> Target {
        match kind {
            SectionKind::Code => {
                let name = self.image.elf.function_at(address);
                name.map_or(Target::Outside, |name| Target::Function(name.to_string()))
            }
            SectionKind::Data => self.variable_at(address).unwrap_or(Target::Outside),
            // Text begins right where a constant variable ends.
            SectionKind::Constant => match self.variable_up_to(address, address + 1) {
                Some(target) => target,
                None => Target::Text(self.image.elf.text_at(address)),
            },
        }
    }

    fn target_elsewhere(&self, address: u64) -> Target {
        let mappings = self.mappings.get_or_init(|| self.process.mappings());
        let Some(mapping) = mappings.iter().find(|mapping| mapping.range.contains(&address)) else {
            return Target::Nothing;
        };
        // Below the stack's end is what calls that are over have left.
        if mapping.name == "[stack]" {
            return Target::Gone;
        }
        match self.libraries.function_at(mappings, mapping, address) {
            Some(name) => Target::Function(name),
            None => Target::Outside,
        }
    }
}

impl RawMemory for Snapshot<'_> {
    fn frames(&self) -> Vec<RawFrame> {
        let raw = |frame: &Frame| RawFrame { function: frame.function.index(), step: frame.step.map(|s| s.index()) };
        self.frames.iter().map(raw).collect()
    }

    fn variable(&self, variable: VariableRef) -> Option<Bytes<'_>> {
        let (address, size) = self.range(variable)?;
        Some(Bytes { data: self.bytes_at(address, size)?, written: None })
    }

    fn live_blocks(&self) -> Vec<Block> {
        let numbers = 1..=self.heap.allocations.len() as u32;
        numbers.filter_map(|number| self.block(number)).filter(|block| block.live).collect()
    }

    fn block(&self, number: u32) -> Option<Block> {
        let index = (number as usize).checked_sub(1)?;
        let allocation = self.heap.allocations.get(index)?;
        let step = allocation.step.map(|step| step.index());
        Some(Block { number, size: allocation.size, live: self.heap.is_live(index), step })
    }

    fn contents(&self, number: u32) -> Option<Bytes<'_>> {
        let index = (number as usize).checked_sub(1)?;
        let block = self.heap.allocations.get(index).filter(|_| self.heap.is_live(index))?;
        let chunk = self.chunks.partition_point(|chunk| chunk.0 <= block.address).checked_sub(1);
        let kept = chunk.and_then(|chunk| {
            let (start, bytes) = &self.chunks[chunk];
            let first = (block.address - start) as usize;
            bytes.get(first..first + block.size as usize)
        });
        let data = match kept {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(self.process.read(block.address, block.size.min(LARGEST) as usize)),
        };
        Some(Bytes { data, written: None })
    }

    fn resolve(&self, address: u64) -> Target {
        if self.heap.contains(address) {
            return match self.heap.index_before(address) {
                Some(index) => {
                    let offset = (address - self.heap.allocations[index].address) as i64;
                    Target::Block { number: index as u32 + 1, offset }
                }
                None => Target::Outside,
            };
        }
        if (self.stack.start..self.stack.end()).contains(&address) {
            return self.target_on_stack(address);
        }
        match self.image.elf.kind_at(address) {
            Some(kind) => self.target_in_image(kind, address),
            None => self.target_elsewhere(address),
        }
    }
}
