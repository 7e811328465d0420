//! Memory read as another type than it has, as through `(unsigned char *)&x`:
//! the bytes are made of the values that the state shows.

use std::borrow::Cow;

use c_types::{Type, TypeId, Types};
use memory::{Value, decode_x87, encode_x87};

use super::{Evaluated, Evaluator};
use crate::ExpressionError;
use crate::place::{Located, Whole};
use crate::term::Term;

impl<'a> Evaluator<'a> {
    /// A number of type `ty` at `offset`, where something else is.
    pub(super) fn reinterpret(
        &self,
        pointer: &Term,
        whole: &Whole<'a>,
        offset: u64,
        ty: TypeId,
    ) -> Evaluated<Located<'a>> {
        let size = self.types.size_of(ty);
        let mut window = Window { types: self.types, start: offset, bytes: vec![None; size as usize] };
        if self.types.is_aggregate(ty) || self.types.is_pointer(ty) || size == 0 {
            return Err(self.misread(pointer, whole, ty));
        }
        window.show_whole(whole);
        let Some(bytes) = window.bytes.into_iter().collect::<Option<Vec<u8>>>() else {
            return Err(self.misread(pointer, whole, ty));
        };
        let value = Cow::Owned(decode(self.types, ty, &bytes));
        Ok(Located { home: None, path: String::new(), offset, ty, value })
    }

    fn misread(&self, pointer: &Term, whole: &Whole<'_>, ty: TypeId) -> ExpressionError {
        let (text, wanted) = (self.quote(pointer), self.types.name(ty));
        let message = format!("{text} points into {}, where no `{wanted}` is", whole.object);
        ExpressionError::new(pointer.span, message)
    }
}

/// Some bytes of an object, as far as they are known.
struct Window<'t> {
    types: &'t Types,
    start: u64,
    bytes: Vec<Option<u8>>,
}

impl Window<'_> {
    fn show_whole(&mut self, whole: &Whole<'_>) {
        match whole.ty.count {
            None => self.show(whole.ty.element, 0, whole.value),
            Some(_) => self.elements(whole.ty.element, 0, whole.value),
        }
    }

    fn is_apart(&self, offset: u64, size: u64) -> bool {
        offset >= self.start + self.bytes.len() as u64 || offset + size <= self.start
    }

    /// Puts in what of `value`, at `offset`, is in the window.
    fn show(&mut self, ty: TypeId, offset: u64, value: &Value) {
        let types = self.types;
        match (types.get(ty), value) {
            (Type::Array(element, _), _) => self.elements(*element, offset, value),
            (Type::Record(record), Value::Record(members)) => {
                for (field, (_, value)) in types.record(*record).fields.iter().zip(members) {
                    if field.bits.is_none() {
                        self.show(field.ty, offset + field.offset, value);
                    }
                }
            }
            _ => {
                if let Some(bytes) = encode(types, ty, value) {
                    self.put(offset, &bytes);
                }
            }
        }
    }

    fn elements(&mut self, element: TypeId, offset: u64, value: &Value) {
        let size = self.types.size_of(element);
        match value {
            Value::Array(elements, _) => {
                for (i, value) in elements.iter().enumerate() {
                    let at = offset + i as u64 * size;
                    if !self.is_apart(at, size) {
                        self.show(element, at, value);
                    }
                }
            }
            Value::Chars(bytes) => {
                for (i, byte) in bytes.iter().enumerate() {
                    if let Some(byte) = byte {
                        self.put(offset + i as u64, &[*byte]);
                    }
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            let at = (offset + i as u64).checked_sub(self.start).map(|at| at as usize);
            if let Some(slot) = at.and_then(|at| self.bytes.get_mut(at)) {
                *slot = Some(byte);
            }
        }
    }
}

fn encode(types: &Types, ty: TypeId, value: &Value) -> Option<Vec<u8>> {
    let size = types.size_of(ty) as usize;
    match (value, types.get(ty)) {
        (Value::Int(n), _) => Some(n.to_le_bytes()[..size.min(16)].to_vec()),
        (Value::Float(x), Type::Float { bytes: 4 }) => Some((*x as f32).to_le_bytes().to_vec()),
        (Value::Float(x), Type::Float { bytes: 8 }) => Some(x.to_le_bytes().to_vec()),
        (Value::Float(x), _) => Some(encode_x87(*x).to_vec()),
        (Value::Null, _) => Some(vec![0; 8]),
        _ => None,
    }
}

fn decode(types: &Types, ty: TypeId, bytes: &[u8]) -> Value {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let number = i128::from_le_bytes(wide);
    match types.get(ty) {
        Type::Float { bytes: 4 } => Value::Float(f32::from_bits(number as u32).into()),
        Type::Float { bytes: 8 } => Value::Float(f64::from_bits(number as u64)),
        Type::Float { .. } => Value::Float(decode_x87(&wide)),
        _ => Value::Int(c_syntax::wrap(types, ty, number)),
    }
}
