//! Expressions of the program at a moment of a run: as sums over cells, and
//! conditions as formulas.

use c_syntax::{BinaryOp, Expr, ExprKind, Storage, UnaryOp, Unit, VariableId};
use memory::{Object, Place, State, Value};

use super::linear::{Cell, Linear, Values};
use super::predicate::{Formula, Predicate};

/// A moment of a run, seen from one of its calls.
pub struct Moment<'a> {
    /// The program.
    pub unit: &'a Unit,
    /// All memory.
    pub state: &'a State,
    /// The numbers in it.
    pub values: &'a Values,
    /// The call, outermost 0.
    pub frame: usize,
}

/// What a pointer points to: an object, and the number of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The key of the object.
    pub object: String,
    /// The element; none if the object is one number.
    pub element: Option<i64>,
    /// What the user calls it.
    pub name: String,
}

/// The numbers of a state.
pub fn values_of(state: &State) -> Values {
    let mut values = Values::new();
    for global in &state.globals {
        flatten(&format!("g:{}", global.name), &global.value, &mut values);
    }
    for (number, frame) in state.frames.iter().enumerate() {
        for variable in &frame.variables {
            flatten(&format!("{number}:{}", variable.name), &variable.value, &mut values);
        }
    }
    for node in &state.nodes {
        flatten(&format!("{}", node.id), &node.value, &mut values);
    }
    values
}

fn flatten(key: &str, value: &Value, values: &mut Values) {
    match value {
        Value::Int(number) => {
            values.insert(key.into(), *number);
        }
        Value::Array(elements, _) => {
            elements.iter().enumerate().for_each(|(i, element)| flatten(&format!("{key}[{i}]"), element, values));
        }
        Value::Chars(bytes) => {
            for (i, byte) in bytes.iter().enumerate() {
                byte.iter().for_each(|byte| _ = values.insert(format!("{key}[{i}]").into(), i128::from(*byte as i8)));
            }
        }
        Value::Record(members) => {
            members.iter().for_each(|(name, member)| flatten(&format!("{key}.{name}"), member, values));
        }
        _ => {}
    }
}

/// The name of an array of the driver is that of the parameter.
fn shown(name: &str) -> String {
    name.strip_suffix("_cells").unwrap_or(name).to_string()
}

impl Moment<'_> {
    /// The key of a variable.
    pub fn key(&self, id: VariableId) -> String {
        let variable = &self.unit.variables[id.0 as usize];
        match variable.storage {
            Storage::Global | Storage::Extern | Storage::Static => format!("g:{}", variable.name),
            _ => format!("{}:{}", self.frame, variable.name),
        }
    }

    /// The value of a variable that is shown.
    fn value_of(&self, id: VariableId) -> Option<&Value> {
        let variable = &self.unit.variables[id.0 as usize];
        let all = match variable.storage {
            Storage::Global | Storage::Extern | Storage::Static => &self.state.globals,
            _ => &self.state.frames.get(self.frame)?.variables,
        };
        all.iter().rev().find(|found| found.name == variable.name).map(|found| &found.value)
    }

    /// The value of the object that a pointer points to.
    fn object(&self, object: &Object) -> Option<(String, &Value, String)> {
        match object {
            Object::Global(name) => {
                let found = self.state.globals.iter().find(|global| global.name == *name)?;
                Some((format!("g:{name}"), &found.value, name.to_string()))
            }
            Object::Local { frame: Some(frame), name, .. } => {
                let frame_of = self.state.frames.get(*frame)?;
                let found = frame_of.variables.iter().find(|variable| variable.name == *name)?;
                Some((format!("{frame}:{name}"), &found.value, shown(name)))
            }
            Object::Node(id) => Some((id.to_string(), &self.state.node(*id)?.value, id.to_string())),
            _ => None,
        }
    }

    /// What a place of a pointer is.
    pub fn target(&self, place: &Place, size: u64) -> Option<Target> {
        let (object, value, name) = self.object(&place.object)?;
        let element = match value {
            Value::Array(..) | Value::Chars(_) => Some(place.offset / size.max(1) as i64),
            _ => None,
        };
        Some(Target { object, element, name })
    }

    /// What an expression points to.
    pub fn pointer(&self, expr: &Expr) -> Option<Target> {
        let size = |of: &Expr| self.unit.types.target(of.ty).map_or(1, |ty| self.unit.types.size_of(ty));
        match &expr.kind {
            ExprKind::Convert(of) => self.pointer(of),
            ExprKind::Load(place) => match &place.kind {
                ExprKind::Variable(id) => match self.value_of(*id)? {
                    Value::Pointer(found) => {
                        let mut target = self.target(found, size(expr))?;
                        if found.object != Object::Gone {
                            target.name = shown(&target.name);
                        }
                        Some(target)
                    }
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Decay(place) => match &place.kind {
                ExprKind::Variable(id) => {
                    let name = self.unit.variables[id.0 as usize].name.to_string();
                    Some(Target { object: self.key(*id), element: Some(0), name })
                }
                _ => None,
            },
            ExprKind::Unary(UnaryOp::AddressOf, place) => match &place.kind {
                ExprKind::Variable(id) => {
                    let name = self.unit.variables[id.0 as usize].name.to_string();
                    Some(Target { object: self.key(*id), element: None, name })
                }
                ExprKind::Index(base, index) => {
                    let index = self.value(index)?.value(self.values)?;
                    let target = self.pointer(base)?;
                    Some(Target { element: target.element.map(|at| at + index as i64), ..target })
                }
                _ => None,
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), base, by) => {
                let target = self.pointer(base)?;
                let by = self.value(by)?.value(self.values)? as i64;
                let by = if *op == BinaryOp::Add { by } else { -by };
                Some(Target { element: target.element.map(|at| at + by), ..target })
            }
            _ => None,
        }
    }

    /// The cell that a place is.
    pub fn cell(&self, place: &Expr) -> Option<Cell> {
        match &place.kind {
            ExprKind::Variable(id) if self.unit.types.is_integer(place.ty) => {
                Some(Cell::variable(self.key(*id), self.unit.variables[id.0 as usize].name.clone()))
            }
            ExprKind::Index(base, index) => {
                let target = self.pointer(base)?;
                let index = self.value(index)?;
                self.element(&target, index)
            }
            ExprKind::Unary(UnaryOp::Deref, pointer) => {
                let target = self.pointer(pointer)?;
                self.element(&target, Linear::number(0))
            }
            ExprKind::Member { base, record, index, .. } => {
                let field = &self.unit.types.record(*record).fields.get(*index as usize)?.name;
                let (key, name) = match &base.kind {
                    ExprKind::Variable(id) => (self.key(*id), self.unit.variables[id.0 as usize].name.to_string()),
                    _ => {
                        let cell = self.cell(base)?;
                        (cell.key.to_string(), cell.to_string())
                    }
                };
                Some(Cell::variable(format!("{key}.{field}"), format!("{name}.{field}")))
            }
            _ => None,
        }
    }

    /// The element of what a pointer points to.
    pub fn element(&self, target: &Target, index: Linear) -> Option<Cell> {
        let number = index.value(self.values)? as i64;
        Some(match target.element {
            Some(start) => {
                let element = start + number;
                let index = (start == 0).then(|| Box::new(index));
                Cell {
                    key: format!("{}[{element}]", target.object).into(),
                    name: target.name.as_str().into(),
                    element: Some(element),
                    index,
                }
            }
            None => Cell::variable(target.object.as_str(), target.name.as_str()),
        })
    }

    /// The value of an expression without effects.
    pub fn value(&self, expr: &Expr) -> Option<Linear> {
        match &expr.kind {
            ExprKind::Int(number) => Some(Linear::number(*number)),
            ExprKind::Load(place) => self.cell(place).map(Linear::cell),
            ExprKind::Convert(of) if self.unit.types.is_integer(of.ty) => self.value(of),
            ExprKind::Unary(UnaryOp::Negate, of) => Some(self.value(of)?.times(-1)),
            ExprKind::Binary(op, a, b) if !op.is_comparison() => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(match op {
                    BinaryOp::Add => a.plus(&b, 1),
                    BinaryOp::Subtract => a.plus(&b, -1),
                    other => Linear::apply(other.text(), a, b),
                })
            }
            _ => None,
        }
    }

    /// A condition without effects.
    pub fn condition(&self, expr: &Expr) -> Option<Formula> {
        match &expr.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                Predicate::new(&self.value(a)?, *op, &self.value(b)?, self.values).map(Formula::Atom)
            }
            ExprKind::And(a, b) => {
                let first = self.condition(a)?;
                // What is not evaluated says nothing.
                if !first.truth() { Some(first) } else { Some(Formula::All(vec![first, self.condition(b)?])) }
            }
            ExprKind::Or(a, b) => {
                let first = self.condition(a)?;
                if first.truth() { Some(first) } else { Some(Formula::Any(vec![first, self.condition(b)?])) }
            }
            ExprKind::Unary(UnaryOp::Not, of) => Some(self.condition(of)?.negated()),
            ExprKind::Convert(of) => self.condition(of),
            _ => Predicate::new(&self.value(expr)?, BinaryOp::NotEqual, &Linear::number(0), self.values)
                .map(Formula::Atom),
        }
    }
}
