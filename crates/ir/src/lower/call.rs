//! Calls, and what they allocate.

use c_syntax::{Expr, ExprKind};
use c_types::Type;

use super::Lowerer;
use super::function::Scope;
use crate::program::*;

/// Functions that return a new heap block.
const ALLOCATORS: &[&str] = &["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup"];

impl Lowerer {
    pub(super) fn call(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        callee: &Expr,
        arguments: &[Expr],
        wanted: bool,
    ) -> Operand {
        if let (ExprKind::Function(name), Some(first)) = (&callee.kind, arguments.first())
            && matches!(&**name, "__builtin_expect" | "__builtin_expect_with_probability")
        {
            return self.value(scope, first);
        }
        let target = match &callee.kind {
            ExprKind::Function(name) => Callee::Direct(self.function_named(name)),
            _ => Callee::Pointer(self.value(scope, callee)),
        };
        self.note_allocation(scope, &target);
        let outer = scope.wanted.take();
        let mut operands: Vec<Operand> = arguments.iter().rev().map(|argument| self.value(scope, argument)).collect();
        operands.reverse();
        scope.wanted = outer;
        let has_result = !self.is_void(e.ty) && wanted;
        let to = has_result.then(|| scope.temporary(e.ty, e.span, self.types.is_aggregate(e.ty)));
        let step = scope.step.unwrap_or(StepId(u32::MAX));
        let ty = match self.types.get(callee.ty) {
            Type::Pointer(function) => *function,
            _ => callee.ty,
        };
        self.act(scope, e.span, ActionKind::Call { to, callee: target, arguments: operands, step, ty });
        match to {
            Some(to) => Operand { kind: OperandKind::Local(to), ty: e.ty, span: e.span },
            None => self.int(0, e.ty, e.span),
        }
    }

    pub(super) fn note_allocation(&mut self, scope: &mut Scope, callee: &Callee) {
        if let Callee::Direct(FunctionRef::Library(name)) = callee
            && ALLOCATORS.contains(&&**name)
        {
            let char_ = self.types.int(1, true);
            let ty = if name.starts_with("str") { Some(char_) } else { scope.wanted };
            scope.allocations.push(ty);
        }
    }

    pub(super) fn va_arg(&mut self, scope: &mut Scope, e: &Expr, list: &Expr) -> Operand {
        let list = self.value(scope, list);
        let to = scope.temporary(e.ty, e.span, self.types.is_aggregate(e.ty));
        let callee = Callee::Direct(FunctionRef::Library("va_arg".into()));
        let step = scope.step.unwrap_or(StepId(u32::MAX));
        self.act(scope, e.span, ActionKind::Call { to: Some(to), callee, arguments: vec![list], step, ty: e.ty });
        Operand { kind: OperandKind::Local(to), ty: e.ty, span: e.span }
    }
}
