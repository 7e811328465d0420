//! Values as bytes.

use c_types::{Type, TypeId, Types};
use memory::{Place, Value, encode_x87};

use crate::ExecuteError;

/// The bytes of `value` as a `ty`. `address_of` tells where a pointer's target is.
///
/// Characters may be fewer than the array has room for; the rest stays as it is.
pub fn encode(
    types: &Types,
    ty: TypeId,
    bits: Option<(u8, u8)>,
    value: &Value,
    address_of: &dyn Fn(&Place) -> Result<u64, ExecuteError>,
) -> Result<Vec<u8>, ExecuteError> {
    let size = types.size_of(ty) as usize;
    let refuse = || Err(ExecuteError::WrongValue(format!("{value} is not a value of type `{}`", types.name(ty))));
    match (types.get(ty), value) {
        (Type::Bool, Value::Int(number)) => Ok(vec![u8::from(*number != 0)]),
        (Type::Char { .. } | Type::Int { .. }, Value::Int(number)) => {
            let width = bits.map_or(size as u32 * 8, |bits| u32::from(bits.1));
            check_range(types, ty, width, *number)?;
            Ok(number.to_le_bytes()[..size].to_vec())
        }
        (Type::Float { bytes }, Value::Int(number)) => Ok(encode_float(*bytes, *number as f64)),
        (Type::Float { bytes }, Value::Float(number)) => Ok(encode_float(*bytes, *number)),
        (Type::Pointer(_), Value::Null | Value::Int(0)) => Ok(vec![0; 8]),
        (Type::Pointer(_), Value::Address(address)) => Ok(address.to_le_bytes().to_vec()),
        (Type::Pointer(_), Value::Pointer(place) | Value::Dangling(place)) => {
            Ok(address_of(place)?.to_le_bytes().to_vec())
        }
        (Type::Array(element, _), Value::Text(text)) if types.is_char(*element) => {
            fit(types, ty, text.iter().copied().chain([0]).collect())
        }
        (Type::Array(element, _), Value::Chars(bytes)) if types.is_char(*element) => {
            fit(types, ty, bytes.iter().map(|byte| byte.unwrap_or(0)).collect())
        }
        (Type::Record(_) | Type::Array(..), _) => {
            let name = types.name(ty);
            Err(ExecuteError::WrongValue(format!("a `{name}` is written member by member; name one of them")))
        }
        _ => refuse(),
    }
}

fn encode_float(bytes: u8, number: f64) -> Vec<u8> {
    match bytes {
        4 => (number as f32).to_le_bytes().to_vec(),
        8 => number.to_le_bytes().to_vec(),
        _ => encode_x87(number).to_vec(),
    }
}

fn fit(types: &Types, ty: TypeId, bytes: Vec<u8>) -> Result<Vec<u8>, ExecuteError> {
    let room = types.size_of(ty);
    match bytes.len() as u64 <= room || room == 0 {
        true => Ok(bytes),
        false => {
            let sentence = format!("{} characters do not fit in `{}`", bytes.len(), types.name(ty));
            Err(ExecuteError::WrongValue(sentence))
        }
    }
}

/// A number may be given in the range of the type, or of its unsigned variant.
fn check_range(types: &Types, ty: TypeId, width: u32, number: i128) -> Result<(), ExecuteError> {
    if width >= 127 {
        return Ok(());
    }
    let (low, high) = match types.is_signed(ty) {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    if (low..=high).contains(&number) {
        return Ok(());
    }
    let name = types.name(ty);
    let what =
        if width < types.size_of(ty) as u32 * 8 { format!("{width} bits of `{name}`") } else { format!("`{name}`") };
    Err(ExecuteError::WrongValue(format!("{number} does not fit in {what} ({low} to {high})")))
}

/// Puts the low bits of `value` at a bit-field's place in the bytes of its storage.
pub fn put_bits(storage: &mut [u8], (start, width): (u8, u8), value: &[u8]) {
    for i in 0..usize::from(width) {
        let (from, to) = (i, usize::from(start) + i);
        let bit = value.get(from / 8).map_or(0, |byte| byte >> (from % 8) & 1);
        if let Some(byte) = storage.get_mut(to / 8) {
            *byte = *byte & !(1 << (to % 8)) | bit << (to % 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use memory::{NodeId, Object};

    use super::*;

    fn nowhere(_: &Place) -> Result<u64, ExecuteError> {
        Ok(0x1234)
    }

    #[test]
    fn numbers_take_the_width_of_their_type() {
        let mut types = Types::new();
        let (char_, int) = (types.int(1, true), types.int(4, true));
        let double = types.intern(Type::Float { bytes: 8 });
        let bytes = |ty, value| encode(&types, ty, None, &value, &nowhere);
        assert_eq!(bytes(char_, Value::Int(-1)).unwrap(), [0xff]);
        assert_eq!(bytes(int, Value::Int(258)).unwrap(), [2, 1, 0, 0]);
        assert_eq!(bytes(double, Value::Int(2)).unwrap(), 2f64.to_le_bytes());
        let error = bytes(char_, Value::Int(300)).unwrap_err().to_string();
        assert_eq!(error, "300 does not fit in `char` (-128 to 127)");
        assert!(bytes(int, Value::Null).is_err());
    }

    #[test]
    fn pointers_become_addresses() {
        let mut types = Types::new();
        let int = types.int(4, true);
        let pointer = types.pointer_to(int);
        let place = Place { object: Object::Node(NodeId(1)), offset: 0, path: String::new(), inside: true };
        let bytes = encode(&types, pointer, None, &Value::Pointer(place), &nowhere).unwrap();
        assert_eq!(bytes, 0x1234u64.to_le_bytes());
        assert_eq!(encode(&types, pointer, None, &Value::Null, &nowhere).unwrap(), [0; 8]);
    }

    #[test]
    fn bit_fields_keep_their_neighbours() {
        let mut storage = [0xff, 0xff];
        put_bits(&mut storage, (6, 4), &[0b0101]);
        assert_eq!(storage, [0b0111_1111, 0b1111_1101]);
    }
}
