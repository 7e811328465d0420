//! Initialisers of local variables.

use c_syntax::{Expr, ExprKind, VariableId};
use c_types::Type;

use super::Lowerer;
use super::function::Scope;
use crate::program::*;

impl Lowerer {
    /// Writes the value of an initialiser to `place`. Aggregates are cleared
    /// first, as whatever has no entry is zero.
    pub(super) fn initialise(&mut self, scope: &mut Scope, place: Access, init: &Expr) {
        let has_gaps =
            matches!(init.kind, ExprKind::InitList(_) | ExprKind::UnionInit(..) | ExprKind::Zero | ExprKind::Text(_));
        if self.types.is_aggregate(place.ty) && has_gaps {
            self.act(scope, init.span, ActionKind::Clear { to: place.clone() });
        }
        self.initialise_cleared(scope, place, init);
    }

    fn initialise_cleared(&mut self, scope: &mut Scope, place: Access, init: &Expr) {
        match &init.kind {
            ExprKind::Zero if self.types.is_aggregate(place.ty) => {}
            ExprKind::InitList(entries) if self.types.is_aggregate(place.ty) => self.entries(scope, place, entries),
            ExprKind::UnionInit(index, value) => {
                let member = self.member_of(place, *index);
                self.initialise_cleared(scope, member, value);
            }
            ExprKind::Text(bytes) if self.types.is_aggregate(place.ty) => self.characters(scope, place, &bytes.clone()),
            ExprKind::CompoundLiteral(_) if self.types.is_aggregate(place.ty) => {
                let value = self.value(scope, init);
                self.store(scope, place, value, init.span);
            }
            _ => {
                let value = self.value(scope, init);
                self.store(scope, place, value, init.span);
            }
        }
    }

    fn entries(&mut self, scope: &mut Scope, place: Access, entries: &[Expr]) {
        // `char s[] = { "text" }` has braces that mean nothing.
        if let ([only], Type::Array(element, _)) = (entries, self.types.get(place.ty))
            && self.types.is_char(*element)
            && self.types.is_aggregate(only.ty)
        {
            return self.initialise_cleared(scope, place, only);
        }
        for (i, entry) in entries.iter().enumerate() {
            if matches!(entry.kind, ExprKind::Zero) {
                continue;
            }
            let part = match self.types.get(place.ty) {
                Type::Array(..) => self.element_of(place.clone(), i as u64),
                _ => self.member_of(place.clone(), i as u32),
            };
            self.initialise_cleared(scope, part, entry);
        }
    }

    fn characters(&mut self, scope: &mut Scope, place: Access, bytes: &[u8]) {
        let element = self.types.target(place.ty).expect("text initialises an array");
        let width = self.types.size_of(element).max(1) as usize;
        let room = self.types.size_of(place.ty) as usize;
        for (i, character) in bytes.chunks(width).enumerate().take(room / width) {
            let mut wide = [0; 16];
            wide[..character.len()].copy_from_slice(character);
            let code = c_syntax::wrap(&self.types, element, i128::from_le_bytes(wide));
            let span = place.span;
            let to = self.element_of(place.clone(), i as u64);
            let value = self.int(code, element, span);
            self.act(scope, span, ActionKind::Store { to, value });
        }
    }

    fn element_of(&mut self, mut place: Access, i: u64) -> Access {
        let element = self.types.target(place.ty).unwrap_or(place.ty);
        let long = self.types.int(8, true);
        let index = self.int(i.into(), long, place.span);
        let scale = self.int(self.types.size_of(element).into(), long, place.span);
        place.path.push(Projection::Index { index, scale, length: None });
        Access { ty: element, ..place }
    }

    /// The `index`th member, as initialisers count them.
    fn member_of(&mut self, mut place: Access, index: u32) -> Access {
        let Type::Record(record) = *self.types.get(place.ty) else { return place };
        let Some(field) = self.types.record(record).fields.get(index as usize) else { return place };
        let (ty, bits) = (field.ty, field.bits);
        place.path.push(Projection::Field { record, index, offset: field.offset, span: place.span });
        Access { ty, bits, ..place }
    }

    // ----- variable length arrays -----

    pub(super) fn declare_variable_array(&mut self, scope: &mut Scope, id: VariableId, local: LocalId) {
        self.array_sizes(scope, id);
        let span = scope.locals[local.index()].span;
        match scope.sizes.get(&id) {
            Some(sizes) => {
                let size = Operand { span, ..sizes[0].clone() };
                scope.code.push(Code::DeclareArray { local, size });
            }
            None => scope.code.push(Code::Declare(local)),
        }
    }

    /// Computes the sizes of a variable length array and of its rows, from the
    /// innermost to the whole, and keeps them in temporaries.
    pub(super) fn array_sizes(&mut self, scope: &mut Scope, id: VariableId) {
        let unit = self.unit.clone();
        let variable = &unit.variables[id.0 as usize];
        if variable.lengths.is_empty() {
            return;
        }
        let mut dimensions = Vec::new();
        let mut ty = variable.ty;
        while let Type::Array(element, length) = *self.types.get(ty) {
            dimensions.push(length);
            ty = element;
        }
        // A parameter is a pointer to the rows: its own length does not matter.
        if let Type::Pointer(rows) = *self.types.get(variable.ty) {
            dimensions = vec![Some(1)];
            ty = rows;
            while let Type::Array(element, length) = *self.types.get(ty) {
                dimensions.push(length);
                ty = element;
            }
        }
        let open = dimensions.iter().filter(|length| length.is_none()).count();
        let mut lengths = variable.lengths[variable.lengths.len().saturating_sub(open)..].iter().rev();
        let long = self.types.int(8, false);
        let mut size = self.int(self.types.size_of(ty).into(), long, variable.span);
        let mut sizes = Vec::new();
        for dimension in dimensions.iter().rev() {
            let length = match (dimension, lengths.clone().next()) {
                (Some(length), _) => self.int((*length).into(), long, variable.span),
                (None, Some(length)) => {
                    lengths.next();
                    let value = self.value(scope, length);
                    self.convert(scope, value, long, variable.span)
                }
                (None, None) => self.int(1, long, variable.span),
            };
            size = match (&length.kind, &size.kind) {
                (OperandKind::Int(1), _) => size,
                (OperandKind::Int(a), OperandKind::Int(b)) => self.int(a * b, long, variable.span),
                _ => self.hold(scope, long, variable.span, Rvalue::Binary(BinaryOp::Multiply, length, size, long)),
            };
            sizes.push(size.clone());
        }
        sizes.reverse();
        if !sizes.is_empty() {
            scope.sizes.insert(id, sizes);
        }
    }
}
