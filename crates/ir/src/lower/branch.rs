//! Truth values, and branches inside of expressions.

use c_syntax::{Expr, ExprKind, Span, StmtKind, UnaryOp as SyntaxUnary, fold};

use super::Lowerer;
use super::choice::is_of_truth;
use super::expr::is_temporary;
use super::function::Scope;
use crate::program::*;

impl Lowerer {
    /// An operand that is not zero if `e` is true.
    pub(super) fn condition(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        let operand = self.truth(scope, e);
        Operand { span: e.span, ..operand }
    }

    pub(super) fn truth(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        if let Some(value) = fold(&self.types, e) {
            let ty = self.bool_type();
            return self.int(i128::from(value != 0), ty, e.span);
        }
        let value = self.value(scope, e);
        match is_truth(e) {
            true => value,
            false => self.compare_zero(scope, BinaryOp::NotEqual, value, e.span),
        }
    }

    pub(super) fn compare_zero(&mut self, scope: &mut Scope, op: BinaryOp, value: Operand, span: Span) -> Operand {
        let ty = value.ty;
        let zero = match self.types.is_float(ty) {
            true => Operand { kind: OperandKind::Float(0.0), ty, span },
            false => self.int(0, ty, span),
        };
        let bool_type = self.bool_type();
        self.hold(scope, bool_type, span, Rvalue::Binary(op, value, zero, ty))
    }

    /// `a && b` and `a || b`: the second is evaluated only if it matters.
    pub(super) fn short_circuit(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        left: &Expr,
        right: &Expr,
        op: BinaryOp,
    ) -> Operand {
        let first = self.truth(scope, left);
        let result = match is_temporary(scope, &first) && first.ty == e.ty {
            true => first,
            false => self.hold(scope, e.ty, left.span, Rvalue::Use(first)),
        };
        let OperandKind::Local(to) = result.kind else { unreachable!("hold makes a temporary") };
        let rest = Scope::collect(self, scope, |this, scope| {
            let second = this.truth(scope, right);
            let value = Rvalue::Binary(op, result.clone(), second, e.ty);
            this.assign(scope, to, e.span, e.span, value);
        });
        let (then, otherwise) = if op == BinaryOp::BoolAnd { (rest, Vec::new()) } else { (Vec::new(), rest) };
        scope.code.push(Code::If { test: result.clone(), step: None, then, otherwise });
        Operand { span: e.span, ..result }
    }

    pub(super) fn conditional(&mut self, scope: &mut Scope, e: &Expr, test: &Expr, yes: &Expr, no: &Expr) -> Operand {
        if self.is_void(e.ty) {
            self.effect(scope, e);
            return self.int(0, e.ty, e.span);
        }
        let test = self.condition(scope, test);
        let result = scope.temporary(e.ty, e.span, self.types.is_aggregate(e.ty));
        let mut branch = |value: &Expr| {
            Scope::collect(self, scope, |this, scope| {
                let operand = this.value(scope, value);
                this.store_local(scope, result, e.span, operand, value.span);
            })
        };
        let (then, otherwise) = (branch(yes), branch(no));
        scope.code.push(Code::If { test, step: None, then, otherwise });
        Operand { kind: OperandKind::Local(result), ty: e.ty, span: e.span }
    }

    pub(super) fn elvis(&mut self, scope: &mut Scope, e: &Expr, test: &Expr, no: &Expr) -> Operand {
        let value = self.value(scope, test);
        let truth = self.compare_zero(scope, BinaryOp::NotEqual, value.clone(), test.span);
        let converted = self.convert(scope, value, e.ty, test.span);
        let result = self.hold(scope, e.ty, e.span, Rvalue::Use(converted));
        let OperandKind::Local(to) = result.kind else { unreachable!("hold makes a temporary") };
        let otherwise = Scope::collect(self, scope, |this, scope| {
            let other = this.value(scope, no);
            this.store_local(scope, to, e.span, other, no.span);
        });
        scope.code.push(Code::If { test: truth, step: None, then: Vec::new(), otherwise });
        result
    }

    /// `({ …; value; })`
    pub(super) fn statements(&mut self, scope: &mut Scope, e: &Expr, statements: &[c_syntax::Stmt]) -> Operand {
        scope.nested += 1;
        let outer = scope.visible.len();
        let result = match statements.split_last() {
            Some((last, rest)) => {
                rest.iter().for_each(|statement| self.stmt(scope, statement));
                match &last.kind {
                    StmtKind::Expr(value) if !self.is_void(value.ty) => {
                        let value = self.value(scope, value);
                        // The value must not change when the variables of the block go away.
                        match is_temporary(scope, &value) {
                            true => Operand { ty: e.ty, span: e.span, ..value },
                            false => self.hold(scope, e.ty, e.span, Rvalue::Use(value)),
                        }
                    }
                    _ => {
                        self.stmt(scope, last);
                        self.int(0, e.ty, e.span)
                    }
                }
            }
            None => self.int(0, e.ty, e.span),
        };
        scope.visible.truncate(outer);
        scope.nested -= 1;
        result
    }
}

/// Whether the value is 0 or 1 by itself.
fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(SyntaxUnary::Not, _) => true,
        ExprKind::Choice { of, alternatives } => is_of_truth(alternatives) || is_truth(of),
        _ => false,
    }
}
