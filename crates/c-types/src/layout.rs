//! Layout of structs and unions: natural alignment, bit-fields, `packed` and
//! `aligned`, as gcc and clang lay them out on x86-64 Linux.

use crate::{RecordId, Type, TypeId, Types};

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, or a made-up name for an unnamed one.
    pub name: String,
    /// Whether this is a union.
    pub is_union: bool,
    /// Members in order of declaration; unnamed struct members are kept with an empty name.
    pub fields: Vec<Field>,
    /// Size in bytes, 0 while incomplete.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether the members are known.
    pub complete: bool,
}

impl Record {
    /// `struct node` or `union u`.
    pub fn full_name(&self) -> String {
        format!("{} {}", if self.is_union { "union" } else { "struct" }, self.name)
    }

    /// The index of the member called `name`.
    pub fn field_named(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

/// A member with its place.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an unnamed struct or union member.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Offset in bytes of the member, or of the storage unit of a bit-field.
    pub offset: u64,
    /// For a bit-field: first bit within the storage unit, and width.
    pub bits: Option<(u8, u8)>,
}

/// A member as declared, before layout.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// Its name; empty if unnamed.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The width of a bit-field.
    pub width: Option<u8>,
    /// The value of an `aligned` attribute.
    pub align: Option<u64>,
}

impl Types {
    /// Declares a record whose members come later with [`Types::complete_record`].
    pub fn declare_record(&mut self, name: &str, is_union: bool) -> RecordId {
        let id = RecordId(self.records.len() as u32);
        let name = name.to_string();
        self.records.push(Record { name, is_union, fields: Vec::new(), size: 0, align: 1, complete: false });
        id
    }

    /// Lays out a record. `packed` is the attribute of that name, `align` that of `aligned`.
    pub fn complete_record(&mut self, id: RecordId, members: Vec<FieldSpec>, packed: bool, align: Option<u64>) {
        let is_union = self.record(id).is_union;
        let mut layout = Layout { is_union, packed, ..Layout::default() };
        let fields: Vec<Field> = members.into_iter().filter_map(|member| layout.place(self, member)).collect();
        let align = layout.align.max(align.unwrap_or(1)).max(1);
        let size = round_up(layout.largest.max(layout.bit.div_ceil(8)), align);
        let record = &mut self.records[id.0 as usize];
        (record.fields, record.size, record.align, record.complete) = (fields, size, align, true);
    }

    /// Gives a record without a tag the name of its typedef.
    pub fn rename_record(&mut self, id: RecordId, name: &str) {
        self.records[id.0 as usize].name = name.to_string();
    }

    /// The type of the record.
    pub fn record_type(&mut self, id: RecordId) -> TypeId {
        self.intern(Type::Record(id))
    }
}

#[derive(Default)]
struct Layout {
    is_union: bool,
    packed: bool,
    /// Next free bit of a struct; 0 for unions all along.
    bit: u64,
    /// Size of the largest member of a union, in bytes.
    largest: u64,
    align: u64,
}

impl Layout {
    /// Places one member; an unnamed bit-field only moves the position.
    fn place(&mut self, types: &Types, member: FieldSpec) -> Option<Field> {
        let size = types.size_of(member.ty);
        let natural = if self.packed { 1 } else { types.align_of(member.ty) };
        let align = natural.max(member.align.unwrap_or(1));
        match member.width {
            Some(width) => self.place_bits(member, u64::from(width), size, align),
            None => {
                self.align = self.align.max(align);
                let offset = round_up(self.bit.div_ceil(8), align);
                self.advance((offset + size) * 8);
                Some(Field { name: member.name, ty: member.ty, offset, bits: None })
            }
        }
    }

    /// A bit-field goes into the storage unit of its type that the position is
    /// in, or, when it would cross its end, into the next one. Width 0 only
    /// moves to the next unit.
    fn place_bits(&mut self, member: FieldSpec, width: u64, size: u64, align: u64) -> Option<Field> {
        let unit = size * 8;
        if width == 0 {
            self.bit = round_up(self.bit, unit);
            return None;
        }
        if !self.packed && self.bit / unit != (self.bit + width - 1) / unit {
            self.bit = round_up(self.bit, unit);
        }
        let start = self.bit;
        self.advance(start + width);
        if member.name.is_empty() {
            return None;
        }
        self.align = self.align.max(align);
        // A packed bit-field may straddle its unit: anchor it at its own byte.
        let offset = if self.packed { start / 8 } else { start / unit * size };
        let bits = Some(((start - offset * 8) as u8, width as u8));
        Some(Field { name: member.name, ty: member.ty, offset, bits })
    }

    fn advance(&mut self, end_bit: u64) {
        if self.is_union {
            self.largest = self.largest.max(end_bit.div_ceil(8));
        } else {
            self.bit = end_bit;
        }
    }
}

fn round_up(value: u64, to: u64) -> u64 {
    value.div_ceil(to.max(1)) * to.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, ty: TypeId, width: Option<u8>) -> FieldSpec {
        FieldSpec { name: name.into(), ty, width, align: None }
    }

    #[test]
    fn members_are_aligned_and_the_end_is_padded() {
        let mut types = Types::new();
        let (char_, int) = (types.int(1, true), types.int(4, true));
        let id = types.declare_record("s", false);
        let members = vec![member("a", char_, None), member("b", int, None), member("c", char_, None)];
        types.complete_record(id, members, false, None);
        let record = types.record(id);
        assert_eq!(record.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 4, 8]);
        assert_eq!((record.size, record.align), (12, 4));
    }

    #[test]
    fn bit_fields_share_a_unit_until_it_is_full() {
        let mut types = Types::new();
        let int = types.int(4, false);
        let id = types.declare_record("s", false);
        let members = vec![member("a", int, Some(3)), member("b", int, Some(30)), member("c", int, Some(2))];
        types.complete_record(id, members, false, None);
        let places: Vec<_> = types.record(id).fields.iter().map(|f| (f.offset, f.bits)).collect();
        assert_eq!(places, [(0, Some((0, 3))), (4, Some((0, 30))), (4, Some((30, 2)))]);
        assert_eq!(types.record(id).size, 8);
    }
}
