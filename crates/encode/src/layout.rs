//! Which cells an object has: the scalars inside of its type.
//!
//! `struct node { int data; struct node *next; }` has two cells, of four bytes
//! at offset 0 and of eight bytes at offset 8.

use c_types::{Type, TypeId, Types};

use crate::cell::Scalar;

/// The cells of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// In order of their offsets.
    pub leaves: Vec<Leaf>,
    /// The number of the cell that begins at each byte, plus one.
    at: Vec<u32>,
}

/// A scalar inside of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// Bytes from the start of the object.
    pub offset: u32,
    /// Its type.
    pub scalar: Scalar,
    /// Its C type.
    pub ty: TypeId,
}

/// Objects with more cells than this are not modelled.
const MOST: usize = 100_000;

impl Cells {
    /// The cells of `count` values of type `ty`, one after the other; `None`
    /// if that is not modelled (unions and bit-fields are not).
    pub fn of(types: &Types, ty: TypeId, count: u64) -> Option<Cells> {
        let mut cells = Cells::default();
        let size = types.size_of(ty);
        for i in 0..count {
            cells.add(types, ty, i * size)?;
        }
        cells.at = vec![0; usize::try_from(size * count).ok()?];
        for (i, leaf) in cells.leaves.iter().enumerate() {
            *cells.at.get_mut(leaf.offset as usize)? = i as u32 + 1;
        }
        Some(cells)
    }

    /// So many bytes of which nothing is known.
    pub fn opaque(size: u64) -> Cells {
        Cells { leaves: Vec::new(), at: vec![0; size.min(1 << 24) as usize] }
    }

    fn add(&mut self, types: &Types, ty: TypeId, offset: u64) -> Option<()> {
        if self.leaves.len() >= MOST {
            return None;
        }
        match types.get(ty) {
            Type::Array(element, length) => {
                let size = types.size_of(*element);
                (0..(*length)?).try_for_each(|i| self.add(types, *element, offset + i * size))
            }
            Type::Record(record) => {
                let record = types.record(*record);
                let plain = !record.is_union && record.fields.iter().all(|field| field.bits.is_none());
                plain.then_some(())?;
                record.fields.iter().try_for_each(|field| self.add(types, field.ty, offset + field.offset))
            }
            _ => {
                let (offset, scalar) = (u32::try_from(offset).ok()?, Scalar::of(types, ty)?);
                self.leaves.push(Leaf { offset, scalar, ty });
                Some(())
            }
        }
    }

    /// The cell of `size` bytes at `offset`.
    pub fn find(&self, offset: i32, size: u8) -> Option<u32> {
        let index = self.at.get(usize::try_from(offset).ok()?)?.checked_sub(1)?;
        (self.leaves[index as usize].scalar.size() == size).then_some(index)
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.at.len()
    }
}
