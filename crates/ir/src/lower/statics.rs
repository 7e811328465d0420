//! Initialisers of globals and static locals: bytes, and addresses in them.

use c_syntax::{BinaryOp as SyntaxOp, Expr, ExprKind, UnaryOp as SyntaxUnary, fold};
use c_types::{Type, TypeId};
use memory::encode_x87;

use super::Lowerer;
use crate::program::*;

/// A value known before the program runs.
enum Constant {
    Int(i128),
    Float(f64),
    Address(StaticTarget, i64),
}

impl Lowerer {
    pub(super) fn initialise_global(&mut self, global: GlobalId, init: &Expr) {
        let ty = self.globals[global.index()].ty;
        if self.types.size_of(ty) <= super::LARGEST_GLOBAL {
            self.static_value(global, 0, ty, None, init);
        }
    }

    fn static_value(&mut self, global: GlobalId, offset: u64, ty: TypeId, bits: Option<(u8, u8)>, init: &Expr) {
        match &init.kind {
            ExprKind::Zero => {}
            ExprKind::InitList(entries) => self.static_entries(global, offset, ty, entries),
            ExprKind::UnionInit(index, value) => self.static_member(global, offset, ty, *index, value),
            ExprKind::Text(bytes) => {
                let room = self.types.size_of(ty) as usize;
                let bytes = &bytes[..bytes.len().min(room)];
                self.put(global, offset, bytes);
            }
            ExprKind::Load(inner) | ExprKind::Convert(inner) if self.types.is_aggregate(ty) => {
                if let ExprKind::CompoundLiteral(id) = inner.kind
                    && let Some(value) = self.unit.clone().variables[id.0 as usize].init.as_ref()
                {
                    self.static_value(global, offset, ty, bits, value);
                }
            }
            _ => match self.constant(init) {
                Some(constant) => self.put_constant(global, offset, ty, bits, constant),
                None => self.notice(
                    init.span,
                    "this initialiser is not a constant that Wolverine can compute; zero is used".into(),
                ),
            },
        }
    }

    fn static_entries(&mut self, global: GlobalId, offset: u64, ty: TypeId, entries: &[Expr]) {
        match *self.types.get(ty) {
            Type::Array(element, _) => {
                if let [only] = entries
                    && self.types.is_char(element)
                    && self.types.is_aggregate(only.ty)
                {
                    return self.static_value(global, offset, ty, None, only);
                }
                let size = self.types.size_of(element);
                for (i, entry) in entries.iter().enumerate() {
                    self.static_value(global, offset + i as u64 * size, element, None, entry);
                }
            }
            Type::Record(_) => {
                for (i, entry) in entries.iter().enumerate() {
                    self.static_member(global, offset, ty, i as u32, entry);
                }
            }
            _ => {
                if let Some(first) = entries.first() {
                    self.static_value(global, offset, ty, None, first);
                }
            }
        }
    }

    fn static_member(&mut self, global: GlobalId, offset: u64, ty: TypeId, index: u32, value: &Expr) {
        let Some(field) = self.types.as_record(ty).and_then(|record| record.fields.get(index as usize)) else { return };
        let (inner, ty, bits) = (offset + field.offset, field.ty, field.bits);
        self.static_value(global, inner, ty, bits, value);
    }

    fn put(&mut self, global: GlobalId, offset: u64, bytes: &[u8]) {
        let image = &mut self.globals[global.index()].image;
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        // A flexible array member may be initialised beyond the size of its struct.
        if image.len() < end {
            image.resize(end, 0);
        }
        image[start..end].copy_from_slice(bytes);
    }

    fn put_constant(&mut self, global: GlobalId, offset: u64, ty: TypeId, bits: Option<(u8, u8)>, constant: Constant) {
        let size = self.types.size_of(ty) as usize;
        match constant {
            Constant::Int(value) if self.types.is_float(ty) => self.put_float(global, offset, size, value as f64),
            Constant::Float(value) if self.types.is_float(ty) => self.put_float(global, offset, size, value),
            Constant::Float(value) => self.put(global, offset, &(value as i128).to_le_bytes()[..size]),
            Constant::Int(value) => match bits {
                None => self.put(global, offset, &c_syntax::wrap(&self.types, ty, value).to_le_bytes()[..size]),
                Some((start, width)) => self.put_bits(global, offset, start, width, value),
            },
            Constant::Address(target, addend) => {
                self.globals[global.index()].relocations.push(Relocation { offset, target, addend });
            }
        }
    }

    fn put_float(&mut self, global: GlobalId, offset: u64, size: usize, value: f64) {
        match size {
            4 => self.put(global, offset, &(value as f32).to_le_bytes()),
            8 => self.put(global, offset, &value.to_le_bytes()),
            _ => self.put(global, offset, &encode_x87(value)),
        }
    }

    fn put_bits(&mut self, global: GlobalId, offset: u64, start: u8, width: u8, value: i128) {
        let image = &mut self.globals[global.index()].image;
        for bit in 0..usize::from(width) {
            let at = usize::from(start) + bit;
            let mask = 1 << (at % 8);
            match value >> bit & 1 {
                0 => image[offset as usize + at / 8] &= !mask,
                _ => image[offset as usize + at / 8] |= mask,
            }
        }
    }

    /// The value of a constant expression: a number, or an address plus a number.
    fn constant(&mut self, e: &Expr) -> Option<Constant> {
        if let Some(value) = fold(&self.types, e) {
            return Some(Constant::Int(value));
        }
        match &e.kind {
            ExprKind::Float(value) => Some(Constant::Float(*value)),
            ExprKind::Function(name) => Some(Constant::Address(StaticTarget::Function(self.function_named(name)), 0)),
            ExprKind::Decay(place) | ExprKind::Unary(SyntaxUnary::AddressOf, place) => {
                self.static_place(place).map(|(target, offset)| Constant::Address(target, offset))
            }
            ExprKind::Convert(inner) => match self.constant(inner)? {
                Constant::Int(value) if self.types.is_float(e.ty) => Some(Constant::Float(value as f64)),
                Constant::Float(value) if self.types.is_integer(e.ty) => Some(Constant::Int(value as i128)),
                Constant::Float(value) if self.types.size_of(e.ty) == 4 => {
                    Some(Constant::Float(f64::from(value as f32)))
                }
                other => Some(other),
            },
            ExprKind::Unary(SyntaxUnary::Negate, inner) => match self.constant(inner)? {
                Constant::Float(value) => Some(Constant::Float(-value)),
                _ => None,
            },
            ExprKind::Binary(op, left, right) => self.static_operation(*op, left, right),
            ExprKind::Conditional(test, yes, no) => {
                let chosen = if fold(&self.types, test)? != 0 { yes } else { no };
                self.constant(chosen)
            }
            // A constant variable as initialiser, as gcc takes it: `static const double x = y;`.
            ExprKind::Load(place) => match place.kind {
                ExprKind::Variable(id) => {
                    let unit = self.unit.clone();
                    let init = unit.variables[id.0 as usize].init.as_ref()?;
                    self.constant(init)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn static_operation(&mut self, op: SyntaxOp, left: &Expr, right: &Expr) -> Option<Constant> {
        let (a, b) = (self.constant(left)?, self.constant(right)?);
        let scaled = |this: &Self, pointer: &Expr, n: i128| {
            let target = this.types.target(pointer.ty);
            n as i64 * target.map_or(1, |target| this.types.size_of(target).max(1)) as i64
        };
        match (op, a, b) {
            (SyntaxOp::Add, Constant::Address(target, offset), Constant::Int(n)) => {
                Some(Constant::Address(target, offset + scaled(self, left, n)))
            }
            (SyntaxOp::Add, Constant::Int(n), Constant::Address(target, offset)) => {
                Some(Constant::Address(target, offset + scaled(self, right, n)))
            }
            (SyntaxOp::Subtract, Constant::Address(target, offset), Constant::Int(n)) => {
                Some(Constant::Address(target, offset - scaled(self, left, n)))
            }
            (op, Constant::Float(a), Constant::Float(b)) => match op {
                SyntaxOp::Add => Some(Constant::Float(a + b)),
                SyntaxOp::Subtract => Some(Constant::Float(a - b)),
                SyntaxOp::Multiply => Some(Constant::Float(a * b)),
                SyntaxOp::Divide => Some(Constant::Float(a / b)),
                _ => None,
            },
            _ => None,
        }
    }

    fn static_place(&mut self, e: &Expr) -> Option<(StaticTarget, i64)> {
        match &e.kind {
            ExprKind::Variable(id) | ExprKind::CompoundLiteral(id) => {
                let known = self.global_ids.get(id).copied();
                let global = known.unwrap_or_else(|| self.declare_global(*id, None));
                Some((StaticTarget::Global(global), 0))
            }
            ExprKind::Text(bytes) => Some((StaticTarget::Text(self.text(&bytes.clone())), 0)),
            ExprKind::Member { base, record, index, .. } => {
                let (target, offset) = self.static_place(base)?;
                let field = &self.types.record(*record).fields[*index as usize];
                Some((target, offset + field.offset as i64))
            }
            ExprKind::Index(pointer, index) => {
                let index = fold(&self.types, index)? as i64;
                let size = self.types.size_of(e.ty) as i64;
                match self.constant(pointer)? {
                    Constant::Address(target, offset) => Some((target, offset + index * size)),
                    _ => None,
                }
            }
            ExprKind::Unary(SyntaxUnary::Deref, pointer) => match self.constant(pointer)? {
                Constant::Address(target, offset) => Some((target, offset)),
                _ => None,
            },
            _ => None,
        }
    }
}
