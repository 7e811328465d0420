//! Places in a state: whole variables and nodes, and what is inside of them.

use std::borrow::Cow;

use c_types::{Type, TypeId, Types};
use memory::{Entity, Object, Place, Root, State, Value};

use crate::names::{Meaning, Names};
use crate::table::{NodeType, node_type};
use crate::term::Member;

/// Something in memory with its value.
#[derive(Clone)]
pub(crate) struct Located<'s> {
    /// What it is in; `None` for constant text and for parts that have no name.
    pub home: Option<(Root, Object)>,
    /// The path from there, as [`memory::changes`] writes it.
    pub path: String,
    /// Bytes from the start of the object.
    pub offset: u64,
    pub ty: TypeId,
    pub value: Cow<'s, Value>,
}

/// Why an array has no such element.
pub(crate) enum Missing {
    /// The array has only so many.
    Beyond(u64),
    /// The state shows only the first so many.
    Cut(u64),
}

impl<'s> Located<'s> {
    pub fn entity(&self) -> Option<Entity> {
        let (root, _) = self.home.clone()?;
        Some(Entity { root, path: self.path.clone() })
    }

    /// A member.
    pub fn field(self, member: &Member, ty: TypeId) -> Self {
        let mut value = self.value;
        for &step in &member.steps {
            value = field_value(&value, step);
        }
        let path = format!("{}.{}", self.path, member.name);
        Located { path, offset: self.offset + member.offset, ty, value, ..self }
    }

    /// An element of an array of `element`s.
    pub fn element(self, types: &Types, element: TypeId, index: i128) -> Result<Self, Missing> {
        let count = match *types.get(self.ty) {
            Type::Array(_, Some(length)) => length,
            _ => 0,
        };
        self.element_of(types, count, element, index)
    }

    /// An element of an array that has `count` of them, or more if the value shows more.
    fn element_of(self, types: &Types, count: u64, element: TypeId, index: i128) -> Result<Self, Missing> {
        let value = element_value(types, count, element, &self.value, index)?;
        let offset = self.offset + index as u64 * types.size_of(element);
        Ok(Located { path: format!("{}[{index}]", self.path), offset, ty: element, value, ..self })
    }

    /// What of type `want` lies `rest` bytes from the start of this; members of unions overlap.
    pub fn find(self, types: &Types, rest: u64, want: TypeId) -> Result<Option<Self>, Missing> {
        if rest == 0 && self.ty == want {
            return Ok(Some(self));
        }
        match *types.get(self.ty) {
            Type::Array(element, _) => {
                let size = types.size_of(element);
                if size == 0 {
                    return Ok(None);
                }
                self.element(types, element, (rest / size).into())?.find(types, rest % size, want)
            }
            Type::Record(record) => {
                for (i, field) in types.record(record).fields.iter().enumerate() {
                    let size = types.size_of(field.ty);
                    let is_inside = field.offset <= rest && (rest < field.offset + size || size == 0);
                    if field.bits.is_some() || !is_inside {
                        continue;
                    }
                    let inner = self.clone().step(i, &field.name, field.offset, field.ty);
                    if let Some(found) = inner.find(types, rest - field.offset, want)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// A field by number; unnamed ones are not in the path.
    fn step(self, index: usize, name: &str, offset: u64, ty: TypeId) -> Self {
        let value = field_value(&self.value, index);
        let path = if name.is_empty() { self.path } else { format!("{}.{name}", self.path) };
        Located { path, offset: self.offset + offset, ty, value, ..self }
    }
}

fn field_value<'s>(value: &Cow<'s, Value>, index: usize) -> Cow<'s, Value> {
    match value {
        Cow::Borrowed(Value::Record(members)) => {
            members.get(index).map_or(Cow::Owned(Value::Unknown), |(_, value)| Cow::Borrowed(value))
        }
        _ => Cow::Owned(Value::Unknown),
    }
}

fn element_value<'s>(
    types: &Types,
    declared: u64,
    element: TypeId,
    value: &Cow<'s, Value>,
    index: i128,
) -> Result<Cow<'s, Value>, Missing> {
    let (shown, count) = match value {
        Cow::Borrowed(Value::Array(elements, omitted)) => (elements.len() as u64, elements.len() as u64 + omitted),
        Cow::Borrowed(Value::Chars(bytes)) => (bytes.len() as u64, declared.max(bytes.len() as u64)),
        _ => return Ok(Cow::Owned(Value::Unknown)),
    };
    let at = match usize::try_from(index) {
        Ok(at) if (at as u64) < shown => at,
        Ok(at) if (at as u64) < count => return Err(Missing::Cut(shown)),
        _ => return Err(Missing::Beyond(count)),
    };
    Ok(match value {
        Cow::Borrowed(Value::Array(elements, _)) => Cow::Borrowed(&elements[at]),
        Cow::Borrowed(Value::Chars(bytes)) => Cow::Owned(match bytes[at] {
            Some(byte) if types.is_signed(element) => Value::Int((byte as i8).into()),
            Some(byte) => Value::Int(byte.into()),
            None => Value::Uninitialised,
        }),
        _ => Cow::Owned(Value::Unknown),
    })
}

/// A whole variable or node.
pub(crate) struct Whole<'s> {
    pub root: Root,
    pub object: Object,
    pub ty: NodeType,
    pub value: &'s Value,
    /// Its size in bytes, where it is known.
    pub size: Option<u64>,
}

impl<'s> Whole<'s> {
    /// The object that a pointer points to; `None` if the state does not show it, or not its type.
    pub fn of(types: &Types, names: &Names<'_>, state: &'s State, object: &Object) -> Option<Self> {
        if let Object::Node(id) = object {
            let node = state.node(*id)?;
            let ty = node_type(types, node)?;
            let (root, object) = (Root::Node(*id), object.clone());
            return Some(Whole { root, object, ty, value: &node.value, size: Some(node.size) });
        }
        let Meaning::Variable { root, object, ty } = names.variable_of(object)? else { return None };
        let value = variable_value(state, &root)?;
        let size = Some(types.size_of(ty)).filter(|&size| size > 0);
        Some(Whole { root, object, ty: NodeType { element: ty, count: None }, value, size })
    }

    /// What of type `want` lies at `offset`.
    pub fn find(&self, types: &Types, offset: u64, want: TypeId) -> Result<Option<Located<'s>>, Missing> {
        let home = Some((self.root.clone(), self.object.clone()));
        let element = self.ty.element;
        let whole = Located { home, path: String::new(), offset: 0, ty: element, value: Cow::Borrowed(self.value) };
        match self.ty.count {
            None => whole.find(types, offset, want),
            Some(count) if offset == 0 && *types.get(want) == Type::Array(element, Some(count)) => {
                Ok(Some(Located { ty: want, ..whole }))
            }
            Some(count) => {
                let (size, at) = (types.size_of(element).max(1), offset);
                whole.element_of(types, count, element, (at / size).into())?.find(types, at % size, want)
            }
        }
    }

    /// Whether the `size` bytes at `offset` are in the object.
    pub fn holds(&self, offset: i64, size: u64) -> bool {
        let end = offset.saturating_add_unsigned(size);
        offset >= 0 && self.size.is_none_or(|whole| end as u64 <= whole)
    }

    /// The place at `offset`, named as [`memory::read_state`] names it.
    pub fn place_at(&self, types: &Types, offset: i64) -> Place {
        let inside = self.holds(offset, 1);
        let path = match self.ty.count {
            _ if offset == 0 => String::new(),
            Some(_) => element_path(types, self.ty.element, offset),
            None => path_in(types, self.ty.element, offset),
        };
        Place { object: self.object.clone(), offset, path, inside }
    }
}

/// The value of a variable.
pub(crate) fn variable_value<'s>(state: &'s State, root: &Root) -> Option<&'s Value> {
    let (variables, name) = match root {
        Root::Global(name) => (&state.globals, name),
        Root::Local { frame, name, .. } => (&state.frames.get(*frame)?.variables, name),
        _ => return None,
    };
    variables.iter().rev().find(|variable| variable.name == *name).map(|variable| &variable.value)
}

fn element_path(types: &Types, element: TypeId, offset: i64) -> String {
    let size = types.size_of(element).max(1) as i64;
    format!("[{}]{}", offset.div_euclid(size), path_in(types, element, offset.rem_euclid(size)))
}

/// The C path from the start of a `ty` to `offset`: the outermost thing that begins there.
fn path_in(types: &Types, ty: TypeId, offset: i64) -> String {
    if offset == 0 {
        return String::new();
    }
    if let Type::Array(element, _) = *types.get(ty) {
        return element_path(types, element, offset);
    }
    let holds = |field: &&c_types::Field| {
        let (start, size) = (field.offset as i64, types.size_of(field.ty) as i64);
        start <= offset && (offset < start + size || (size == 0 && offset == start))
    };
    match types.as_record(ty).and_then(|record| record.fields.iter().find(holds)) {
        Some(field) => {
            let rest = path_in(types, field.ty, offset - field.offset as i64);
            if field.name.is_empty() { rest } else { format!(".{}{rest}", field.name) }
        }
        None => format!("+{offset}"),
    }
}
