//! Types of expressions: those of the program, and those that only an
//! expression has, such as the type of `&x`.

use std::borrow::Cow;
use std::ops::Deref;

use c_types::{Record, Type, TypeId, Types};
use ir::Program;
use memory::{Node, Value};

use crate::parse::{library_type, parse_type};
use crate::tree::{Base, Layer, TypeText};

/// The program's types, copied when one is added. The program's own keep their ids.
pub(crate) struct Table<'a>(Cow<'a, Types>);

impl Deref for Table<'_> {
    type Target = Types;

    fn deref(&self) -> &Types {
        &self.0
    }
}

impl<'a> Table<'a> {
    pub fn new(program: &'a Program) -> Self {
        Table(Cow::Borrowed(&program.types))
    }

    /// The id of `ty`.
    pub fn make(&mut self, ty: Type) -> TypeId {
        match self.0.find(&ty) {
            Some(id) => id,
            None => self.0.to_mut().intern(ty),
        }
    }

    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.make(Type::Pointer(target))
    }

    pub fn int(&mut self) -> TypeId {
        self.make(Type::Int { bytes: 4, signed: true })
    }

    pub fn long(&mut self, signed: bool) -> TypeId {
        self.make(Type::Int { bytes: 8, signed })
    }

    /// The type that a name stands for, if there is one. `called` knows the program's own names.
    pub fn named(&mut self, text: &TypeText, called: impl Fn(&str) -> Option<TypeId>) -> Option<TypeId> {
        let base = match &text.base {
            Base::Plain(ty) => self.make(ty.clone()),
            Base::Tagged { is_union, name } => {
                record_named(&self.0, |record| record.is_union == *is_union && record.name == *name)?
            }
            Base::Named(name) => called(name)
                .or_else(|| library_type(name).map(|ty| self.make(ty)))
                .or_else(|| record_named(&self.0, |record| record.name == *name))?,
        };
        Some(text.layers.iter().fold(base, |ty, &layer| self.make(layer_type(layer, ty))))
    }
}

fn layer_type(layer: Layer, ty: TypeId) -> Type {
    match layer {
        Layer::Pointer => Type::Pointer(ty),
        Layer::Array(length) => Type::Array(ty, Some(length)),
    }
}

/// The record that fits, a complete one before one that was only declared.
fn record_named(types: &Types, fits: impl Fn(&Record) -> bool) -> Option<TypeId> {
    let fitting = || types.records().filter(|(_, record)| fits(record));
    let best = fitting().find(|(_, record)| record.complete).or_else(|| fitting().next());
    types.find(&Type::Record(best?.0))
}

/// What a heap node is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeType {
    /// The type of an element, or of the only thing in it.
    pub element: TypeId,
    /// How many there are, if the node is shown as an array.
    pub count: Option<u64>,
}

/// What the type text of `node` stands for; `None` if its type is not known.
pub fn node_type(types: &Types, node: &Node) -> Option<NodeType> {
    let text = parse_type(&node.type_name)?;
    // `int[3]` is an array of three `int`s, and `int [3]` the one array that a pointer to arrays leads to.
    let is_array = matches!(node.value, Value::Array(..) | Value::Chars(_)) && !node.type_name.contains(" [");
    let (layers, count) = match text.layers.split_last() {
        Some((&Layer::Array(count), inner)) if is_array => (inner, Some(count)),
        _ => (&text.layers[..], None),
    };
    let base = match &text.base {
        Base::Plain(ty) => types.find(ty)?,
        Base::Tagged { is_union, name } => {
            let members = members_of(&node.value);
            let same = |record: &Record| record.is_union == *is_union && record.name == *name;
            record_named(types, |record| same(record) && has_members(record, members))
                .or_else(|| record_named(types, same))?
        }
        Base::Named(name) => types.find(&library_type(name)?)?,
    };
    let mut element = base;
    for &layer in layers {
        element = types.find(&layer_type(layer, element))?;
    }
    Some(NodeType { element, count })
}

/// The members of a record, or of the first record of an array.
fn members_of(value: &Value) -> Option<&[(std::sync::Arc<str>, Value)]> {
    match value {
        Value::Record(members) => Some(members),
        Value::Array(elements, _) => members_of(elements.first()?),
        _ => None,
    }
}

/// Whether a record has just these members: tags may be reused in other scopes.
fn has_members(record: &Record, members: Option<&[(std::sync::Arc<str>, Value)]>) -> bool {
    members.is_none_or(|members| {
        members.len() == record.fields.len()
            && members.iter().zip(&record.fields).all(|((name, _), field)| **name == *field.name)
    })
}

/// The members of a record, those of unnamed ones inside of it included.
pub(crate) fn member_names<'t>(types: &'t Types, record: &'t Record, names: &mut Vec<&'t str>) {
    for field in &record.fields {
        match types.as_record(field.ty).filter(|_| field.name.is_empty()) {
            Some(inner) => member_names(types, inner, names),
            None => names.push(&field.name),
        }
    }
}
