//! The table of interned types.

use std::collections::HashMap;

use crate::{Record, RecordId};

/// Identifies a type in a [`Types`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A C type without qualifiers and with typedefs resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// `char`, `signed char` and `unsigned char`.
    Char {
        /// Whether the type is signed; plain `char` is.
        signed: bool,
    },
    /// Every other integer type, and enumerations.
    Int {
        /// Size in bytes: 2, 4, 8 or 16.
        bytes: u8,
        /// Whether the type is signed.
        signed: bool,
    },
    /// `float` (4), `double` (8) and `long double` (16 bytes, computed as `double`).
    Float {
        /// Size in bytes.
        bytes: u8,
    },
    /// A pointer.
    Pointer(TypeId),
    /// An array; the length of `T[]` is 0, that of a variable length array is `None`.
    Array(TypeId, Option<u64>),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(Signature),
}

/// Parameters and result of a function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The type of the result.
    pub result: TypeId,
    /// The types of the parameters.
    pub parameters: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Whether the function was declared without a prototype, `int f()`.
    pub unprototyped: bool,
}

/// All types of one program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    known: HashMap<Type, TypeId>,
    pub(crate) records: Vec<Record>,
}

impl Types {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of `ty`, the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The id of a type that was interned before, if it was.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.known.get(ty).copied()
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// An integer type of `bytes` bytes; one byte is a `char`.
    pub fn int(&mut self, bytes: u8, signed: bool) -> TypeId {
        match bytes {
            1 => self.intern(Type::Char { signed }),
            _ => self.intern(Type::Int { bytes, signed }),
        }
    }

    /// The pointer type to `target`.
    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// The record behind an id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// All records, in order of their ids.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter().enumerate().map(|(i, record)| (RecordId(i as u32), record))
    }

    /// The type a pointer points to, or the element type of an array.
    pub fn target(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(target) | Type::Array(target, _) => Some(target),
            _ => None,
        }
    }

    /// The record that `id` is, if it is one.
    pub fn as_record(&self, id: TypeId) -> Option<&Record> {
        match *self.get(id) {
            Type::Record(record) => Some(self.record(record)),
            _ => None,
        }
    }

    /// Whether values of this type are integers (including `_Bool` and `char`).
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Char { .. } | Type::Int { .. })
    }

    /// Whether this is a floating type.
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float { .. })
    }

    /// Whether this is a pointer type.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Whether this is a struct, union or array.
    pub fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_) | Type::Array(..))
    }

    /// Whether arithmetic in this type is signed.
    pub fn is_signed(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Char { signed: true } | Type::Int { signed: true, .. })
    }

    /// Whether this is `char` or one of its variants.
    pub fn is_char(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Char { .. })
    }

    /// Size in bytes; 0 for incomplete types, `void` and functions, and for
    /// variable length arrays, whose size only a run can tell.
    pub fn size_of(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Void | Type::Function(_) => 0,
            Type::Bool | Type::Char { .. } => 1,
            Type::Int { bytes, .. } | Type::Float { bytes } => u64::from(bytes),
            Type::Pointer(_) => 8,
            Type::Array(element, length) => self.size_of(element).saturating_mul(length.unwrap_or(0)),
            Type::Record(record) => self.record(record).size,
        }
    }

    /// Alignment in bytes.
    pub fn align_of(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Array(element, _) => self.align_of(element),
            Type::Record(record) => self.record(record).align,
            _ => self.size_of(id).max(1),
        }
    }

    /// The type written as in C: `struct node *`, `int (*)[3]`.
    pub fn name(&self, id: TypeId) -> String {
        self.declare(id, "")
    }

    /// A declaration of `name` with this type: `int *a[3]` for `a`.
    pub fn declare(&self, id: TypeId, name: &str) -> String {
        let spaced = |base: &str| if name.is_empty() { base.to_string() } else { format!("{base} {name}") };
        match self.get(id) {
            Type::Void => spaced("void"),
            Type::Bool => spaced("_Bool"),
            Type::Char { signed: true } => spaced("char"),
            Type::Char { signed: false } => spaced("unsigned char"),
            Type::Int { bytes, signed } => spaced(&int_name(*bytes, *signed)),
            Type::Float { bytes: 4 } => spaced("float"),
            Type::Float { bytes: 8 } => spaced("double"),
            Type::Float { .. } => spaced("long double"),
            Type::Record(record) => spaced(&self.record(*record).full_name()),
            Type::Pointer(target) => {
                let inner = match self.get(*target) {
                    Type::Array(..) | Type::Function(_) => format!("(*{name})"),
                    _ => format!("*{name}"),
                };
                self.declare(*target, &inner)
            }
            Type::Array(element, length) => {
                let length = length.map_or(String::from("*"), |n| n.to_string());
                self.declare(*element, &format!("{name}[{length}]"))
            }
            Type::Function(signature) => {
                let mut parameters: Vec<_> = signature.parameters.iter().map(|&p| self.name(p)).collect();
                if signature.variadic {
                    parameters.push("...".into());
                }
                self.declare(signature.result, &format!("{name}({})", parameters.join(", ")))
            }
        }
    }
}

fn int_name(bytes: u8, signed: bool) -> String {
    let base = match bytes {
        2 => "short",
        4 => "int",
        8 => "long",
        _ => "__int128",
    };
    if signed { base.into() } else { format!("unsigned {base}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_c() {
        let mut types = Types::new();
        let int = types.int(4, true);
        let row = types.intern(Type::Array(int, Some(3)));
        let to_row = types.pointer_to(row);
        assert_eq!(types.name(to_row), "int (*)[3]");
        assert_eq!(types.declare(to_row, "p"), "int (*p)[3]");
        let signature = Signature { result: int, parameters: vec![int], variadic: true, unprototyped: false };
        let function = types.intern(Type::Function(signature));
        let to_function = types.pointer_to(function);
        assert_eq!(types.declare(to_function, "f"), "int (*f)(int, ...)");
    }
}
