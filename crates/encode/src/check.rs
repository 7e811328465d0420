//! Facts about a state as questions about cells.
//!
//! `n4.prev == n3` becomes: the cell of eight bytes at offset 16 of the object
//! that is called n4 then holds the address of the object that is called n3
//! then. Nodes are found by name at the moment of asking, since a patched run
//! may allocate them in another order.

use c_types::{Type, TypeId, Types};
use ir::{LocalId, StepId};
use memory::{Entity, NodeId, Object, Root, State, Value, Visible};
use spec::{Fact, Relation};

use crate::cell::{Cell, Scalar};
use crate::machine::{Machine, Model};

/// A variable or node, as it is found in any run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Home {
    /// A global, by its number.
    Global(u32),
    /// A local of an active call, outermost 0.
    Local {
        /// The call.
        frame: u32,
        /// The variable.
        local: LocalId,
    },
    /// A node.
    Node(NodeId),
}

/// A scalar in memory, as it is found in any run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// What it is in.
    pub home: Home,
    /// Bytes from its start.
    pub offset: u32,
    /// Its size.
    pub size: u8,
}

/// What a cell is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// This value.
    Cell(Cell),
    /// The address of this, plus an offset.
    Address(Home, i32),
}

/// A fact.
#[derive(Clone, Debug)]
pub struct Check {
    /// The cell.
    pub spot: Spot,
    /// How it compares.
    pub relation: Relation,
    /// With what.
    pub expected: Expected,
    /// The number of the fact it comes from.
    pub fact: usize,
}

/// The facts that can be asked of a machine; the others are left to those who
/// run the program for real.
pub fn checks(model: &Model, facts: &[Fact], state: &State, calls: &[StepId]) -> Vec<Check> {
    let one = |(number, fact): (usize, &Fact)| {
        if let (Relation::Gone, Root::Node(id)) = (fact.relation, &fact.entity.root) {
            let spot = Spot { home: Home::Node(*id), offset: 0, size: 0 };
            return Some(Check { spot, relation: fact.relation, expected: Expected::Cell(Cell::Unset), fact: number });
        }
        let spot = spot(model, state, calls, &fact.entity)?;
        let expected = expected(model, calls, &fact.value)?;
        Some(Check { spot, relation: fact.relation, expected, fact: number })
    };
    facts.iter().enumerate().filter_map(one).collect()
}

/// Where an entity of a state is.
pub fn spot(model: &Model, state: &State, calls: &[StepId], entity: &Entity) -> Option<Spot> {
    let program = &model.program;
    let types = &program.types;
    let (home, ty, count) = match &entity.root {
        Root::Global(name) => {
            let index = program.globals.iter().position(|global| global.owner.is_none() && global.name == *name)?;
            (Home::Global(index as u32), program.globals[index].ty, None)
        }
        Root::Local { frame, name, .. } => local_home(model, calls, *frame, name)?,
        Root::Node(id) => {
            let known = expression::node_type(types, state.node(*id)?)?;
            (Home::Node(*id), known.element, known.count)
        }
        Root::Frame { .. } => return None,
    };
    let (offset, ty) = match count {
        None => follow(types, ty, &entity.path)?,
        Some(_) => {
            let (index, rest) = element(&entity.path)?;
            let (offset, found) = follow(types, ty, rest)?;
            (index * types.size_of(ty) + offset, found)
        }
    };
    Some(Spot { home, offset: u32::try_from(offset).ok()?, size: Scalar::of(types, ty)?.size() })
}

fn local_home(model: &Model, calls: &[StepId], frame: usize, name: &str) -> Option<(Home, TypeId, Option<u64>)> {
    let program = &model.program;
    let step = program.step(*calls.get(frame)?);
    let function = program.function(step.function);
    step.visible.iter().rev().find_map(|visible| match *visible {
        Visible::Local(local) if *function.locals[local].name == *name => {
            let home = Home::Local { frame: frame as u32, local: LocalId(local as u32) };
            Some((home, function.locals[local].ty, None))
        }
        Visible::Static(global) if *program.globals[global].name == *name => {
            Some((Home::Global(global as u32), program.globals[global].ty, None))
        }
        _ => None,
    })
}

/// The offset and type of what a path such as `.point.x` or `[3]` leads to.
fn follow(types: &Types, ty: TypeId, path: &str) -> Option<(u64, TypeId)> {
    if path.is_empty() {
        return Some((0, ty));
    }
    match types.get(ty) {
        Type::Array(inner, _) => {
            let (index, rest) = element(path)?;
            let (offset, found) = follow(types, *inner, rest)?;
            Some((index * types.size_of(*inner) + offset, found))
        }
        Type::Record(record) => {
            let record = types.record(*record);
            let name = path.strip_prefix('.')?;
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let named = record.fields.iter().find(|field| field.name == name[..end]);
            let (field, rest) = match named {
                Some(field) => (field, &name[end..]),
                // Members of an unnamed member are named as if they were one's own.
                None => (
                    record
                        .fields
                        .iter()
                        .find(|field| field.name.is_empty() && follow(types, field.ty, path).is_some())?,
                    path,
                ),
            };
            let (offset, found) = follow(types, field.ty, rest)?;
            Some((field.offset + offset, found))
        }
        _ => None,
    }
}

fn element(path: &str) -> Option<(u64, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// What a cell is compared with, for a value of a state.
pub fn expected(model: &Model, calls: &[StepId], value: &Value) -> Option<Expected> {
    Some(match value {
        Value::Int(value) => Expected::Cell(Cell::Int(*value as i64)),
        Value::Float(value) => Expected::Cell(Cell::Float(*value)),
        Value::Null => Expected::Cell(Cell::Int(0)),
        Value::Pointer(place) | Value::Dangling(place) => {
            let home = match &place.object {
                Object::Node(id) => Home::Node(*id),
                Object::Global(name) => {
                    let is_it = |global: &ir::Global| global.owner.is_none() && global.name == *name;
                    Home::Global(model.program.globals.iter().position(is_it)? as u32)
                }
                Object::Local { frame: Some(frame), name, .. } => local_home(model, calls, *frame, name)?.0,
                _ => return None,
            };
            Expected::Address(home, i32::try_from(place.offset).ok()?)
        }
        Value::Function(name) => Expected::Cell(Cell::Function(model.program.function_named(name)?.0)),
        _ => return None,
    })
}

impl Machine {
    /// The object that something is now.
    pub fn object_at(&self, home: Home) -> Option<u32> {
        match home {
            Home::Global(global) => self.globals.get(global as usize).copied().filter(|&object| object != u32::MAX),
            Home::Node(id) => self.nodes.get(id.0 as usize).copied().filter(|&object| object != u32::MAX),
            Home::Local { frame, local } => {
                match self.cells.all().get(self.frames.get(frame as usize)?.base as usize + local.index())? {
                    Cell::Pointer(address) => Some(address.object),
                    _ => None,
                }
            }
        }
    }

    /// The cell that a scalar is in now.
    pub fn cell_of_spot(&self, model: &Model, spot: &Spot) -> Option<u32> {
        if let Home::Local { frame, local } = spot.home {
            let frame = self.frames.get(frame as usize)?;
            let function = &model.program.functions[frame.function as usize];
            if !function.locals.get(local.index())?.in_memory {
                return Some(frame.base + local.0);
            }
        }
        let object = &self.objects[self.object_at(spot.home)? as usize];
        let index = object.cells.find(spot.offset as i32, spot.size)?;
        object.live.then_some(object.base + index)
    }

    /// The value that is expected, as a cell of this machine.
    pub fn expected_cell(&self, expected: &Expected) -> Option<Cell> {
        Some(match expected {
            Expected::Cell(cell) => *cell,
            Expected::Address(home, offset) => {
                Cell::Pointer(crate::cell::Address { object: self.object_at(*home)?, offset: *offset })
            }
        })
    }

    /// Whether a fact holds now.
    pub fn holds(&self, model: &Model, check: &Check) -> bool {
        if check.relation == Relation::Gone {
            return self.object_at(check.spot.home).is_none_or(|object| !self.objects[object as usize].live);
        }
        let Some(at) = self.cell_of_spot(model, &check.spot) else { return false };
        let Some(expected) = self.expected_cell(&check.expected) else { return false };
        compare(check.relation, self.cells.all()[at as usize], expected)
    }
}

/// Whether a cell compares so with a value; what is not known does not.
pub fn compare(relation: Relation, cell: Cell, expected: Cell) -> bool {
    if matches!(cell, Cell::Unset | Cell::Unknown) {
        return false;
    }
    let order = match (cell, expected) {
        (Cell::Int(a), Cell::Int(b)) => Some(a.cmp(&b)),
        (Cell::Float(a), Cell::Float(b)) => a.partial_cmp(&b),
        _ => None,
    };
    match relation {
        Relation::Equal => cell == expected,
        Relation::NotEqual => cell != expected,
        Relation::Less => order.is_some_and(|order| order.is_lt()),
        Relation::LessEqual => order.is_some_and(|order| order.is_le()),
        Relation::Greater => order.is_some_and(|order| order.is_gt()),
        Relation::GreaterEqual => order.is_some_and(|order| order.is_ge()),
        Relation::Gone => false,
    }
}
