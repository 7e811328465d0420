//! Places: where an expression is in memory.

use c_syntax::{Expr, ExprKind, Storage, UnaryOp as SyntaxUnary, VariableId};
use c_types::Type;

use super::Lowerer;
use super::function::Scope;
use crate::program::*;

impl Lowerer {
    /// Where `e` is in memory.
    pub(super) fn place(&mut self, scope: &mut Scope, e: &Expr) -> Access {
        let whole = |root| Access { root, path: Vec::new(), ty: e.ty, bits: None, span: e.span };
        match &e.kind {
            ExprKind::Variable(id) => whole(self.variable(scope, *id)),
            ExprKind::Text(bytes) => whole(AccessRoot::Text(self.text(bytes))),
            ExprKind::CompoundLiteral(id) => {
                let root = self.compound_literal(scope, *id);
                whole(root)
            }
            ExprKind::Unary(SyntaxUnary::Deref, pointer) => {
                let pointer = self.value(scope, pointer);
                whole(AccessRoot::Deref(pointer))
            }
            ExprKind::Member { base, record, index, name } => {
                let mut access = self.place(scope, base);
                let field = &self.types.record(*record).fields[*index as usize];
                access.path.push(Projection::Field {
                    record: *record,
                    index: *index,
                    offset: field.offset,
                    span: *name,
                });
                Access { ty: e.ty, bits: field.bits, span: e.span, ..access }
            }
            ExprKind::Index(pointer, index) => self.element(scope, e, pointer, index),
            ExprKind::Convert(inner) | ExprKind::Load(inner) if self.types.is_aggregate(e.ty) => {
                self.place(scope, inner)
            }
            // A struct that is the value of a call or of `?:` is a temporary.
            _ => {
                let value = self.value(scope, e);
                match value.kind {
                    OperandKind::Local(local) => whole(AccessRoot::Local(local)),
                    _ => {
                        let held = self.hold(scope, e.ty, e.span, Rvalue::Use(value));
                        let OperandKind::Local(local) = held.kind else { unreachable!("hold makes a temporary") };
                        whole(AccessRoot::Local(local))
                    }
                }
            }
        }
    }

    pub(super) fn variable(&mut self, scope: &Scope, id: VariableId) -> AccessRoot {
        if let Some(&local) = scope.variables.get(&id) {
            return AccessRoot::Local(local);
        }
        let global = self.global_ids.get(&id).copied();
        AccessRoot::Global(global.unwrap_or_else(|| self.declare_global(id, None)))
    }

    pub(super) fn compound_literal(&mut self, scope: &mut Scope, id: VariableId) -> AccessRoot {
        let unit = self.unit.clone();
        let variable = &unit.variables[id.0 as usize];
        if variable.storage == Storage::Static {
            return self.variable(scope, id);
        }
        let local = scope.temporary(variable.ty, variable.span, true);
        let place = Access {
            root: AccessRoot::Local(local),
            path: Vec::new(),
            ty: variable.ty,
            bits: None,
            span: variable.span,
        };
        if let Some(init) = &variable.init {
            self.initialise(scope, place, init);
        }
        AccessRoot::Local(local)
    }

    /// `a[i]`: an element of an array in place, or of what a pointer points to.
    pub(super) fn element(&mut self, scope: &mut Scope, e: &Expr, pointer: &Expr, index: &Expr) -> Access {
        let mut access = match &pointer.kind {
            ExprKind::Decay(array) => self.place(scope, array),
            _ => {
                let pointer = self.value(scope, pointer);
                Access { root: AccessRoot::Deref(pointer), path: Vec::new(), ty: e.ty, bits: None, span: e.span }
            }
        };
        let length = match (&pointer.kind, self.types.get(access.ty)) {
            (ExprKind::Decay(_), Type::Array(_, Some(length))) => Some(*length),
            _ => None,
        };
        let scale = self.element_size(scope, pointer, e.span);
        let index = self.value(scope, index);
        access.path.push(Projection::Index { index, scale, length });
        Access { ty: e.ty, bits: None, span: e.span, ..access }
    }
}
