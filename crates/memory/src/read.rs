//! From raw memory to a state.
//!
//! Variables are typed by the program. A heap block is typed by the statement
//! that allocated it, where its text tells (`(struct node *)malloc(…)`), and
//! otherwise by the first typed pointer that leads to its start, variables
//! before nodes, in order.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use c_types::{Type, TypeId, Types};

use crate::layout::{Layout, VariableLayout, Visible};
use crate::raw::{Block, Bytes, RawMemory, Target, VariableRef};
use crate::state::{Frame, Node, NodeId, Object, Place, State, Value, Variable};

/// How much of large objects a state holds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of one array, at most.
    pub elements: u64,
    /// Characters of one array, at most.
    pub characters: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { elements: 1000, characters: 4096 }
    }
}

/// Reads the whole state.
pub fn read_state(layout: &Layout, raw: &dyn RawMemory, limits: Limits) -> State {
    let mut reader = Reader::new(layout, raw, limits);
    reader.type_blocks();
    let globals = reader.globals();
    let frames = reader.frames();
    let mut nodes: Vec<Node> = reader.blocks.clone().iter().map(|block| reader.node(block)).collect();
    for number in std::mem::take(&mut reader.dangling) {
        if let Some(block) = raw.block(number) {
            nodes.push(reader.freed_node(&block));
        }
    }
    nodes.sort_by_key(|node| node.id);
    State { globals, frames, nodes }
}

struct Reader<'a> {
    layout: &'a Layout,
    types: &'a Types,
    raw: &'a dyn RawMemory,
    limits: Limits,
    blocks: Vec<Block>,
    /// The element type of each typed block.
    block_types: HashMap<u32, TypeId>,
    /// Freed blocks that something points to.
    dangling: BTreeSet<u32>,
    /// The names of record members, shared between values.
    names: HashMap<String, Arc<str>>,
}

impl<'a> Reader<'a> {
    fn new(layout: &'a Layout, raw: &'a dyn RawMemory, limits: Limits) -> Self {
        let (blocks, dangling) = (raw.live_blocks(), BTreeSet::new());
        let (block_types, names) = (HashMap::new(), HashMap::new());
        Reader { layout, types: &layout.types, raw, limits, blocks, block_types, dangling, names }
    }

    // ----- which type a block has -----

    fn type_blocks(&mut self) {
        for block in &self.blocks {
            if let Some(ty) = self.allocated_type(block) {
                self.block_types.insert(block.number, ty);
            }
        }
        if self.block_types.len() == self.blocks.len() {
            return;
        }
        let mut queue = VecDeque::new();
        for (variable, ty) in self.variables() {
            if let Some(bytes) = self.raw.variable(variable) {
                self.follow(ty, &bytes.data, &mut queue);
            }
        }
        let known: Vec<u32> =
            self.blocks.iter().map(|b| b.number).filter(|n| self.block_types.contains_key(n)).collect();
        queue.extend(known);
        let mut seen = BTreeSet::new();
        while let Some(number) = queue.pop_front() {
            if let (true, Some(bytes)) = (seen.insert(number), self.raw.contents(number)) {
                let ty = self.block_types[&number];
                let size = self.types.size_of(ty).max(1) as usize;
                for element in bytes.data.chunks(size) {
                    self.follow(ty, element, &mut queue);
                }
            }
        }
    }

    fn allocated_type(&self, block: &Block) -> Option<TypeId> {
        let ty = self.layout.steps.get(block.step?)?.allocates?;
        self.fits(ty, block.size).then_some(ty)
    }

    fn fits(&self, ty: TypeId, size: u64) -> bool {
        let needed = self.types.size_of(ty);
        needed > 0 && needed <= size
    }

    /// Every variable that exists, with its type: globals, then frames from the outside in.
    fn variables(&self) -> Vec<(VariableRef, TypeId)> {
        let globals = self.layout.globals.iter().enumerate().map(|(i, global)| (VariableRef::Global(i), global.ty));
        let mut all: Vec<_> = globals.collect();
        for (frame, raw) in self.raw.frames().iter().enumerate() {
            for visible in self.visible(raw.step) {
                if let Visible::Local(local) = *visible {
                    let ty = self.layout.functions[raw.function].locals[local].ty;
                    all.push((VariableRef::Local { frame, local }, ty));
                }
            }
        }
        all
    }

    fn visible(&self, step: Option<usize>) -> &'a [Visible] {
        step.and_then(|step| self.layout.steps.get(step)).map_or(&[], |step| &step.visible)
    }

    /// Gives a type to each untyped block that a pointer in `data` leads to.
    fn follow(&mut self, ty: TypeId, data: &[u8], queue: &mut VecDeque<u32>) {
        let types = self.types;
        match *types.get(ty) {
            Type::Pointer(target) => {
                let Some(address) = data.get(..8).map(|b| u64::from_le_bytes(b.try_into().expect("eight bytes")))
                else {
                    return;
                };
                let Target::Block { number, offset: 0 } = self.raw.resolve(address) else { return };
                let Some(block) = self.raw.block(number) else { return };
                if block.live && !self.block_types.contains_key(&number) && self.fits(target, block.size) {
                    self.block_types.insert(number, target);
                    queue.push_back(number);
                }
            }
            Type::Array(element, _) => {
                let size = types.size_of(element) as usize;
                if size > 0 && self.may_point(element) {
                    for chunk in data.chunks_exact(size).take(self.limits.elements as usize) {
                        self.follow(element, chunk, queue);
                    }
                }
            }
            Type::Record(record) => {
                for field in &types.record(record).fields {
                    if let Some(rest) = data.get(field.offset as usize..) {
                        self.follow(field.ty, rest, queue);
                    }
                }
            }
            _ => {}
        }
    }

    fn may_point(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Pointer(_) | Type::Array(..) | Type::Record(_))
    }

    // ----- variables and nodes -----

    fn globals(&mut self) -> Vec<Variable> {
        let layout = self.layout;
        let own = layout.globals.iter().enumerate().filter(|(i, _)| layout.owners[*i].is_none());
        own.filter_map(|(i, global)| self.variable_of(VariableRef::Global(i), global)).collect()
    }

    fn frames(&mut self) -> Vec<Frame> {
        let layout = self.layout;
        let mut frames = Vec::new();
        for (frame, raw) in self.raw.frames().iter().enumerate() {
            let function = &layout.functions[raw.function];
            let mut variables = Vec::new();
            for visible in self.visible(raw.step) {
                let (reference, declared) = match *visible {
                    Visible::Local(local) => (VariableRef::Local { frame, local }, &function.locals[local]),
                    Visible::Static(global) => (VariableRef::Global(global), &layout.globals[global]),
                };
                variables.extend(self.variable_of(reference, declared));
            }
            frames.push(Frame { function: function.name.clone(), variables });
        }
        frames
    }

    fn variable_of(&mut self, reference: VariableRef, declared: &VariableLayout) -> Option<Variable> {
        let value = match self.raw.variable(reference) {
            Some(bytes) => self.decode(declared.ty, &bytes.data, bytes.written.as_deref()),
            None => Value::Unknown,
        };
        Some(Variable { name: declared.name.clone(), type_name: declared.type_name.clone(), value })
    }

    fn node(&mut self, block: &Block) -> Node {
        let id = NodeId(block.number);
        let contents = self.raw.contents(block.number);
        let (Some(&ty), Some(bytes)) = (self.block_types.get(&block.number), contents) else {
            return Node { id, type_name: "".into(), size: block.size, live: true, value: Value::Unknown };
        };
        let (type_name, value) = self.decode_block(ty, &bytes, block.size);
        Node { id, type_name, size: block.size, live: true, value }
    }

    /// A block that holds several elements is an array of them.
    fn decode_block(&mut self, ty: TypeId, bytes: &Bytes<'_>, size: u64) -> (Arc<str>, Value) {
        let element = self.types.size_of(ty);
        let (data, written) = (&bytes.data[..], bytes.written.as_deref());
        let count = size / element;
        let is_array = self.types.is_char(ty) || (count > 1 && !self.has_flexible_array(ty));
        let type_name = match is_array {
            true => self.types.declare(ty, &format!("[{count}]")).replace(" [", "["),
            false => self.types.name(ty),
        };
        let value = match is_array {
            true => self.decode_array(ty, count, data, written),
            false => self.decode(ty, data, written),
        };
        (self.share(&type_name), value)
    }

    fn has_flexible_array(&self, ty: TypeId) -> bool {
        let last = self.types.as_record(ty).and_then(|record| record.fields.last());
        last.is_some_and(|field| matches!(self.types.get(field.ty), Type::Array(_, Some(0) | None)))
    }

    fn freed_node(&mut self, block: &Block) -> Node {
        let ty = self.allocated_type(block);
        let type_name = ty.map_or_else(String::new, |ty| self.types.name(ty));
        let type_name = self.share(&type_name);
        Node { id: NodeId(block.number), type_name, size: block.size, live: false, value: Value::Unknown }
    }

    fn share(&mut self, name: &str) -> Arc<str> {
        if let Some(shared) = self.names.get(name) {
            return shared.clone();
        }
        let shared: Arc<str> = name.into();
        self.names.insert(name.to_string(), shared.clone());
        shared
    }

    // ----- values -----

    fn decode(&mut self, ty: TypeId, data: &[u8], written: Option<&[u8]>) -> Value {
        let types = self.types;
        match types.get(ty) {
            Type::Array(element, length) => {
                let size = types.size_of(*element).max(1);
                let count = match length {
                    Some(0) | None => data.len() as u64 / size,
                    Some(length) => *length,
                };
                self.decode_array(*element, count, data, written)
            }
            // What is in a `va_list` is the compiler's own business.
            Type::Record(record) if types.record(*record).name == "__va_list_tag" => Value::Unknown,
            Type::Record(record) => self.decode_record(types.record(*record), data, written),
            Type::Void | Type::Function(_) => Value::Unknown,
            _ => {
                let size = types.size_of(ty) as usize;
                let Some(data) = data.get(..size) else { return Value::Unknown };
                if written.is_some_and(|written| written[..size].contains(&0)) {
                    return Value::Uninitialised;
                }
                self.decode_scalar(ty, data)
            }
        }
    }

    fn decode_scalar(&mut self, ty: TypeId, data: &[u8]) -> Value {
        match *self.types.get(ty) {
            Type::Float { bytes: 4 } => Value::Float(f32::from_le_bytes(data.try_into().expect("four bytes")).into()),
            Type::Float { bytes: 8 } => Value::Float(f64::from_le_bytes(data.try_into().expect("eight bytes"))),
            Type::Float { .. } => Value::Float(decode_x87(data)),
            Type::Pointer(_) => self.decode_pointer(u64::from_le_bytes(data.try_into().expect("eight bytes"))),
            _ => Value::Int(decode_int(data, self.types.is_signed(ty))),
        }
    }

    fn decode_array(&mut self, element: TypeId, count: u64, data: &[u8], written: Option<&[u8]>) -> Value {
        let size = self.types.size_of(element).max(1) as usize;
        if self.types.is_char(element) {
            let shown = count.min(self.limits.characters).min(data.len() as u64) as usize;
            let byte = |i: usize| (written.is_none_or(|written| written[i] != 0)).then_some(data[i]);
            return Value::Chars((0..shown).map(byte).collect());
        }
        let shown = count.min(self.limits.elements).min((data.len() / size) as u64);
        let one = |i: usize| i * size..(i + 1) * size;
        let elements =
            (0..shown as usize).map(|i| self.decode(element, &data[one(i)], written.map(|written| &written[one(i)])));
        Value::Array(elements.collect(), count - shown)
    }

    fn decode_record(&mut self, record: &c_types::Record, data: &[u8], written: Option<&[u8]>) -> Value {
        let mut members = Vec::with_capacity(record.fields.len());
        for field in &record.fields {
            let (offset, name) = (field.offset as usize, self.share(&field.name));
            let Some(rest) = data.get(offset..) else { continue };
            let rest_written = written.map(|written| &written[offset..]);
            let value = match field.bits {
                Some(bits) => self.decode_bits(field.ty, bits, rest, rest_written),
                None => self.decode(field.ty, rest, rest_written),
            };
            members.push((name, value));
        }
        if record.is_union {
            hide_pointer_bits(&mut members);
        }
        Value::Record(members)
    }

    fn decode_bits(&self, ty: TypeId, (start, width): (u8, u8), data: &[u8], written: Option<&[u8]>) -> Value {
        let bytes = (usize::from(start) + usize::from(width)).div_ceil(8);
        let first = usize::from(start) / 8;
        let Some(raw) = data.get(..bytes) else { return Value::Unknown };
        if written.is_some_and(|written| written[first..bytes].contains(&0)) {
            return Value::Uninitialised;
        }
        let unsigned = decode_int(raw, false) >> start & ((1 << width) - 1);
        let negative = self.types.is_signed(ty) && unsigned >> (width - 1) & 1 == 1;
        Value::Int(if negative { unsigned - (1 << width) } else { unsigned })
    }

    fn decode_pointer(&mut self, address: u64) -> Value {
        if address == 0 {
            return Value::Null;
        }
        match self.raw.resolve(address) {
            Target::Block { number, offset } => self.block_pointer(number, offset),
            Target::Variable { variable, offset } => Value::Pointer(self.variable_place(variable, offset)),
            Target::Text(text) => Value::Text(text),
            Target::Function(name) => Value::Function(self.share(&name)),
            Target::Arguments { offset } => {
                let path = if offset == 0 { String::new() } else { format!("[{}]", offset / 8) };
                Value::Pointer(Place { object: Object::Arguments, offset, path, inside: true })
            }
            Target::Gone => {
                Value::Dangling(Place { object: Object::Gone, offset: 0, path: String::new(), inside: false })
            }
            Target::Past => Value::Unknown,
            Target::Outside => Value::Outside,
            Target::Nothing => small_address(address),
        }
    }

    fn block_pointer(&mut self, number: u32, offset: i64) -> Value {
        let object = Object::Node(NodeId(number));
        let Some(block) = self.raw.block(number) else { return Value::Unknown };
        let inside = (0..block.size as i64).contains(&offset);
        if !block.live {
            self.dangling.insert(number);
            let path = if offset == 0 { String::new() } else { format!("+{offset}") };
            return Value::Dangling(Place { object, offset, path, inside });
        }
        let ty = self.block_types.get(&number).copied();
        let path = match ty {
            Some(ty) if self.types.size_of(ty) < block.size && !self.has_flexible_array(ty) => {
                element_path(self.types, ty, offset)
            }
            Some(ty) => path_in(self.types, ty, offset),
            None if offset == 0 => String::new(),
            None => format!("+{offset}"),
        };
        Value::Pointer(Place { object, offset, path, inside })
    }

    fn variable_place(&mut self, variable: VariableRef, offset: i64) -> Place {
        let layout = self.layout;
        let (object, ty) = match variable {
            VariableRef::Global(i) => {
                let declared = &layout.globals[i];
                let object = match layout.owners[i] {
                    None => Object::Global(declared.name.clone()),
                    Some(function) => {
                        let function = layout.functions[function].name.clone();
                        Object::Local { frame: None, function, name: declared.name.clone() }
                    }
                };
                (object, declared.ty)
            }
            VariableRef::Local { frame, local } => {
                let function = &layout.functions[self.raw.frames()[frame].function];
                let declared = &function.locals[local];
                let (function, name) = (function.name.clone(), declared.name.clone());
                (Object::Local { frame: Some(frame), function, name }, declared.ty)
            }
        };
        // A variable length array has no size here; its end is taken as inside.
        let size = self.types.size_of(ty) as i64;
        let inside = (0..if size == 0 { i64::MAX } else { size }).contains(&offset);
        Place { object, offset, path: path_in(self.types, ty, offset), inside }
    }
}

/// In a union that holds a pointer, the other members are bits of an address:
/// they mean nothing and differ from run to run.
fn hide_pointer_bits(members: &mut [(Arc<str>, Value)]) {
    let is_pointer = |value: &Value| {
        matches!(value, Value::Pointer(_) | Value::Dangling(_) | Value::Text(_) | Value::Function(_) | Value::Outside)
    };
    if members.iter().any(|(_, value)| is_pointer(value)) {
        for (_, value) in members.iter_mut().filter(|(_, value)| !is_pointer(value)) {
            *value = Value::Unknown;
        }
    }
}

/// Numbers near zero are kept, as programs use them as marks; others are noise.
fn small_address(address: u64) -> Value {
    match address.wrapping_add(1 << 16) < 1 << 17 {
        true => Value::Address(address),
        false => Value::Outside,
    }
}

fn decode_int(data: &[u8], signed: bool) -> i128 {
    let negative = signed && data.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut bytes = [if negative { 0xff } else { 0 }; 16];
    bytes[..data.len().min(16)].copy_from_slice(&data[..data.len().min(16)]);
    i128::from_le_bytes(bytes)
}

/// The C path of an element of an array of `ty` that begins at offset 0.
fn element_path(types: &Types, ty: TypeId, offset: i64) -> String {
    let size = types.size_of(ty).max(1) as i64;
    match offset {
        0 => String::new(),
        _ => format!("[{}]{}", offset.div_euclid(size), path_in(types, ty, offset.rem_euclid(size))),
    }
}

/// The C path from the start of a `ty` to `offset`.
fn path_in(types: &Types, ty: TypeId, offset: i64) -> String {
    if offset == 0 {
        return String::new();
    }
    match types.get(ty) {
        Type::Array(element, _) => {
            let size = types.size_of(*element).max(1) as i64;
            format!("[{}]{}", offset.div_euclid(size), path_in(types, *element, offset.rem_euclid(size)))
        }
        Type::Record(record) => {
            let record = types.record(*record);
            let inside = |field: &&c_types::Field| {
                let (start, size) = (field.offset as i64, types.size_of(field.ty) as i64);
                start <= offset && (offset < start + size || (size == 0 && offset == start))
            };
            match record.fields.iter().find(inside) {
                Some(field) => {
                    let rest = path_in(types, field.ty, offset - field.offset as i64);
                    if field.name.is_empty() { rest } else { format!(".{}{rest}", field.name) }
                }
                None => format!("+{offset}"),
            }
        }
        _ => format!("+{offset}"),
    }
}

/// The value of an 80-bit `long double`, rounded to a `double`.
pub fn decode_x87(data: &[u8]) -> f64 {
    let mantissa = u64::from_le_bytes(data[..8].try_into().expect("eight bytes"));
    let head = u16::from_le_bytes(data[8..10].try_into().expect("two bytes"));
    let sign = if head & 0x8000 != 0 { -1.0 } else { 1.0 };
    match (head & 0x7fff, mantissa << 1) {
        (0x7fff, 0) => sign * f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        (0, 0) => sign * 0.0,
        (exponent, _) => {
            // Two factors, so that neither leaves the range of a double on the way.
            let shift = i32::from(exponent) - 16383 - 63;
            sign * (mantissa as f64) * 2f64.powi(shift / 2) * 2f64.powi(shift - shift / 2)
        }
    }
}

/// A `double` as an 80-bit `long double` in its 16 bytes.
pub fn encode_x87(value: f64) -> [u8; 16] {
    let bits = value.to_bits();
    let sign = ((bits >> 48) & 0x8000) as u16;
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let (head, mantissa) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0x7ff, _) => (0x7fff, 1 << 63 | fraction << 11),
        (0, _) => {
            let shift = fraction.leading_zeros();
            (16383 - 1022 - (shift as i32 - 11), fraction << shift)
        }
        _ => (exponent - 1023 + 16383, 1 << 63 | fraction << 11),
    };
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
    bytes[8..10].copy_from_slice(&(head as u16 | sign).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_doubles_survive_the_round_trip() {
        for value in [0.0, 1.0, -2.5, 1e300, 1e-300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, 0.1] {
            assert_eq!(decode_x87(&encode_x87(value)), value);
        }
        assert!(decode_x87(&encode_x87(f64::NAN)).is_nan());
    }

    #[test]
    fn integers_extend_their_sign() {
        assert_eq!(decode_int(&[0xff, 0xff], true), -1);
        assert_eq!(decode_int(&[0xff, 0xff], false), 65535);
    }
}
