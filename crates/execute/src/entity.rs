//! Finds what an [`Entity`] names, and turns values into bytes.
//!
//! Both executors write memory through this: an entity becomes a [`Spot`] in a
//! variable or block, and a value becomes the bytes that go there.

mod encode;

use std::collections::BTreeSet;

use c_types::{Field, Record, Type, TypeId, Types};
use memory::{Entity, Layout, NodeId, Object, Place, RawFrame, RawMemory, Root, State, VariableRef, Visible};

use crate::ExecuteError;

pub use encode::{encode, put_bits};

/// A typed place in a variable or heap block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The object it is in.
    pub object: SpotObject,
    /// Offset in bytes from the start of the object.
    pub offset: u64,
    /// The type of what is there.
    pub ty: TypeId,
    /// For a bit-field: first bit and width.
    pub bits: Option<(u8, u8)>,
}

/// What a spot is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpotObject {
    /// A variable.
    Variable(VariableRef),
    /// A heap block, by number.
    Block(u32),
}

/// Finds the place that `entity` names. `state` is what `raw` holds now.
pub fn find_spot(layout: &Layout, raw: &dyn RawMemory, state: &State, entity: &Entity) -> Result<Spot, ExecuteError> {
    let finder = Finder { layout, raw, state };
    let whole = match &entity.root {
        Root::Global(name) => finder.global(name)?,
        Root::Local { frame, name, .. } => finder.local(*frame, name)?,
        Root::Node(id) => return finder.node(*id, &entity.path),
        Root::Frame { function, .. } => {
            return Err(ExecuteError::WrongValue(format!("{function}() is a call and has no value to write")));
        }
    };
    follow_path(&layout.types, whole, &entity.path)
}

/// The variable or block that a pointer's target is in, and the offset there.
pub fn find_object(
    layout: &Layout,
    raw: &dyn RawMemory,
    state: &State,
    place: &Place,
) -> Result<(SpotObject, i64), ExecuteError> {
    let finder = Finder { layout, raw, state };
    // Where only the path was given the offset follows from it.
    let by_path = place.offset == 0 && !place.path.is_empty() && !place.path.starts_with('+');
    let whole = match &place.object {
        Object::Node(id) if by_path => finder.node(*id, &place.path)?,
        Object::Node(id) => return Ok((finder.block(*id)?, place.offset)),
        Object::Global(name) => finder.global(name)?,
        Object::Local { frame: Some(frame), name, .. } => finder.local(*frame, name)?,
        Object::Local { frame: None, function, name } => finder.static_local(function, name)?,
        Object::Arguments | Object::Gone => {
            return Err(ExecuteError::WrongValue(format!("a pointer to {} cannot be written", place.object)));
        }
    };
    match (by_path, &place.object) {
        (true, Object::Node(_)) => Ok((whole.object, whole.offset as i64)),
        (true, _) => {
            let spot = follow_path(&layout.types, whole, &place.path)?;
            Ok((spot.object, spot.offset as i64))
        }
        (false, _) => Ok((whole.object, place.offset)),
    }
}

struct Finder<'a> {
    layout: &'a Layout,
    raw: &'a dyn RawMemory,
    state: &'a State,
}

impl Finder<'_> {
    fn global(&self, name: &str) -> Result<Spot, ExecuteError> {
        let is_own = |i: usize| self.layout.owners[i].is_none();
        let globals = &self.layout.globals;
        let found = (0..globals.len()).find(|&i| is_own(i) && &*globals[i].name == name);
        let names = || (0..globals.len()).filter(|&i| is_own(i)).map(|i| &*globals[i].name);
        let missing = || missing(&format!("there is no global variable `{name}`"), "there are", names());
        let i = found.ok_or_else(missing)?;
        Ok(variable(VariableRef::Global(i), globals[i].ty))
    }

    fn static_local(&self, function: &str, name: &str) -> Result<Spot, ExecuteError> {
        let layout = self.layout;
        let is_it = |i: &usize| {
            let owner = layout.owners[*i].map(|owner| &*layout.functions[owner].name);
            owner == Some(function) && &*layout.globals[*i].name == name
        };
        let found = (0..layout.globals.len()).find(is_it);
        let i = found.ok_or_else(|| no_such(format!("{function} has no static variable `{name}`")))?;
        Ok(variable(VariableRef::Global(i), layout.globals[i].ty))
    }

    fn local(&self, frame: usize, name: &str) -> Result<Spot, ExecuteError> {
        let frames = self.raw.frames();
        let raw = frames.get(frame).ok_or_else(|| no_such(format!("there is no call number {frame}")))?;
        let function = &self.layout.functions[raw.function];
        let visible = self.visible(raw);
        // An inner variable hides an outer one of the same name and comes later.
        let found = visible.iter().rev().find(|v| self.visible_name(raw.function, v) == name);
        let names = || visible.iter().map(|v| self.visible_name(raw.function, v));
        let missing = || missing(&format!("{} has no variable `{name}` here", function.name), "it has", names());
        match *found.ok_or_else(missing)? {
            Visible::Local(local) => Ok(variable(VariableRef::Local { frame, local }, function.locals[local].ty)),
            Visible::Static(i) => Ok(variable(VariableRef::Global(i), self.layout.globals[i].ty)),
        }
    }

    fn visible(&self, frame: &RawFrame) -> &[Visible] {
        frame.step.and_then(|step| self.layout.steps.get(step)).map_or(&[], |step| &step.visible)
    }

    fn visible_name(&self, function: usize, visible: &Visible) -> &str {
        match *visible {
            Visible::Local(local) => &self.layout.functions[function].locals[local].name,
            Visible::Static(global) => &self.layout.globals[global].name,
        }
    }

    /// The block of a node, live or freed.
    fn block(&self, id: NodeId) -> Result<SpotObject, ExecuteError> {
        match self.raw.block(id.0) {
            Some(_) => Ok(SpotObject::Block(id.0)),
            None => Err(no_such(format!("there is no node {id}; {}", self.state.name_nodes()))),
        }
    }

    fn node(&self, id: NodeId, path: &str) -> Result<Spot, ExecuteError> {
        let node = self.state.node(id).filter(|node| node.live);
        let Some(node) = node else {
            return Err(match self.raw.block(id.0) {
                Some(_) => no_such(format!("{id} was freed; {}", self.state.name_nodes())),
                None => no_such(format!("there is no node {id}; {}", self.state.name_nodes())),
            });
        };
        let ty = self.type_named(&node.type_name, node.size);
        let unknown = || no_such(format!("the type of {id} is not known, so it has no members to write"));
        let (ty, count) = ty.ok_or_else(unknown)?;
        let whole = Spot { object: SpotObject::Block(id.0), offset: 0, ty, bits: None };
        if count == 1 && !path.starts_with('[') {
            return follow_path(&self.layout.types, whole, path);
        }
        let Some((index, rest)) = take_index(path)? else {
            return Err(no_such(format!("{id} is an array of {count} elements; name one, as in {id}[0]")));
        };
        if index >= count {
            return Err(no_such(format!("{id} has {count} elements, {id}[0] to {id}[{}]", count - 1)));
        }
        let offset = index * self.layout.types.size_of(ty);
        follow_path(&self.layout.types, Spot { offset, ..whole }, rest)
    }

    /// The element type and number of elements that a node's type text stands for.
    fn type_named(&self, name: &str, size: u64) -> Option<(TypeId, u64)> {
        let types = &self.layout.types;
        for ty in known_types(self.layout) {
            let count = size / types.size_of(ty);
            let array = || types.declare(ty, &format!("[{count}]")).replace(" [", "[");
            if types.name(ty) == name {
                return Some((ty, 1));
            }
            if count > 0 && array() == name {
                return Some((ty, count));
            }
        }
        None
    }
}

/// Every type that a variable, member or allocation has or points to and that has a size.
fn known_types(layout: &Layout) -> Vec<TypeId> {
    let types = &layout.types;
    let locals = layout.functions.iter().flat_map(|function| &function.locals);
    let mut todo: Vec<TypeId> = layout.globals.iter().chain(locals).map(|variable| variable.ty).collect();
    todo.extend(layout.steps.iter().filter_map(|step| step.allocates));
    todo.extend(types.records().flat_map(|(id, _)| types.find(&Type::Record(id))));
    let mut seen = BTreeSet::new();
    while let Some(ty) = todo.pop() {
        if seen.insert(ty) {
            todo.extend(types.target(ty));
            todo.extend(types.as_record(ty).into_iter().flat_map(|record| &record.fields).map(|field| field.ty));
        }
    }
    seen.into_iter().filter(|&ty| types.size_of(ty) > 0).collect()
}

fn variable(variable: VariableRef, ty: TypeId) -> Spot {
    Spot { object: SpotObject::Variable(variable), offset: 0, ty, bits: None }
}

/// Goes along `.next`, `[3].x` from a spot.
pub fn follow_path(types: &Types, mut spot: Spot, path: &str) -> Result<Spot, ExecuteError> {
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            spot = member(types, &spot, &after[..end])?;
            rest = &after[end..];
        } else if let Some((index, after)) = take_index(rest)? {
            spot = element(types, &spot, index)?;
            rest = after;
        } else {
            return Err(no_such(format!("`{rest}` is not a member or element; write `.name` or `[3]`")));
        }
    }
    Ok(spot)
}

/// Splits `[3].x` into 3 and `.x`.
fn take_index(path: &str) -> Result<Option<(u64, &str)>, ExecuteError> {
    let Some(inner) = path.strip_prefix('[') else { return Ok(None) };
    let wrong = || no_such(format!("`{path}` does not begin with an index such as [3]"));
    let (index, rest) = inner.split_once(']').ok_or_else(wrong)?;
    let index = index.trim().parse().map_err(|_| wrong())?;
    Ok(Some((index, rest)))
}

fn member(types: &Types, spot: &Spot, name: &str) -> Result<Spot, ExecuteError> {
    let Some(record) = types.as_record(spot.ty) else {
        return Err(no_such(format!("`{}` has no members, so no `{name}`", types.name(spot.ty))));
    };
    let found = find_member(types, record, name).ok_or_else(|| {
        let mut names = Vec::new();
        member_names(types, record, &mut names);
        missing(&format!("{} has no member `{name}`", record.full_name()), "it has", names.into_iter())
    })?;
    Ok(Spot { object: spot.object, offset: spot.offset + found.offset, ty: found.ty, bits: found.bits })
}

/// A member by name, also of unnamed structs inside, with its offset from the outermost.
fn find_member(types: &Types, record: &Record, name: &str) -> Option<Field> {
    record.fields.iter().find_map(|field| {
        if field.name == name && !name.is_empty() {
            return Some(field.clone());
        }
        let inner = types.as_record(field.ty).filter(|_| field.name.is_empty())?;
        let found = find_member(types, inner, name)?;
        Some(Field { offset: field.offset + found.offset, ..found })
    })
}

fn member_names<'t>(types: &'t Types, record: &'t Record, names: &mut Vec<&'t str>) {
    for field in &record.fields {
        match types.as_record(field.ty).filter(|_| field.name.is_empty()) {
            Some(inner) => member_names(types, inner, names),
            None => names.push(&field.name),
        }
    }
}

fn element(types: &Types, spot: &Spot, index: u64) -> Result<Spot, ExecuteError> {
    let Type::Array(element, length) = *types.get(spot.ty) else {
        return Err(no_such(format!("`{}` is not an array, so it has no [{index}]", types.name(spot.ty))));
    };
    if length.is_some_and(|length| length > 0 && index >= length) {
        return Err(no_such(format!("`{}` has no [{index}]", types.name(spot.ty))));
    }
    let offset = spot.offset + index * types.size_of(element);
    Ok(Spot { object: spot.object, offset, ty: element, bits: None })
}

fn no_such(sentence: String) -> ExecuteError {
    ExecuteError::NoSuchEntity(sentence)
}

/// `there is no x; there are a, b and c`
fn missing<'n>(what: &str, offer: &str, names: impl Iterator<Item = &'n str>) -> ExecuteError {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => no_such(what.to_string()),
        false => no_such(format!("{what}; {offer} {}", names.join(", "))),
    }
}
