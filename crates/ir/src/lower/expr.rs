//! Expressions, flattened: which kind goes where. Operators are in
//! `operator.rs`, branches in `branch.rs`, calls in `call.rs`, places in
//! `place.rs`.

use c_syntax::{Expr, ExprKind, Span, fold, wrap};
use c_types::{Type, TypeId};

use super::Lowerer;
use super::function::Scope;
use super::operator::is_step_operator;
use crate::program::*;

impl Lowerer {
    pub(super) fn act(&mut self, scope: &mut Scope, span: Span, kind: ActionKind) {
        self.actions += 1;
        scope.code.push(Code::Act(Action { id: ActionId(self.actions - 1), span, kind }));
    }

    pub(super) fn assign(&mut self, scope: &mut Scope, to: LocalId, to_span: Span, span: Span, value: Rvalue) {
        self.act(scope, span, ActionKind::Assign { to, to_span, value });
    }

    /// A new temporary that holds `value`.
    pub(super) fn hold(&mut self, scope: &mut Scope, ty: TypeId, span: Span, value: Rvalue) -> Operand {
        let to = scope.temporary(ty, span, self.types.is_aggregate(ty));
        self.assign(scope, to, span, span, value);
        Operand { kind: OperandKind::Local(to), ty, span }
    }

    pub(super) fn concrete(&mut self, scope: &mut Scope, span: Span, what: &str, ty: Option<TypeId>) -> Operand {
        self.notice(span, format!("{what} is not modelled: it is not searched for repairs, and only gdb can run it"));
        let to = ty.map(|ty| scope.temporary(ty, span, self.types.is_aggregate(ty)));
        self.act(scope, span, ActionKind::Concrete { to, what: what.to_string() });
        let int = self.types.int(4, true);
        match to {
            Some(to) => Operand { kind: OperandKind::Local(to), ty: ty.unwrap_or(int), span },
            None => self.int(0, int, span),
        }
    }

    pub(super) fn int(&self, value: i128, ty: TypeId, span: Span) -> Operand {
        Operand { kind: OperandKind::Int(value), ty, span }
    }

    pub(super) fn bool_type(&mut self) -> TypeId {
        self.types.int(4, true)
    }

    /// Evaluates for the effect only.
    pub(super) fn effect(&mut self, scope: &mut Scope, e: &Expr) {
        match &e.kind {
            ExprKind::Discard(inner) | ExprKind::Convert(inner) if self.is_void(e.ty) => self.effect(scope, inner),
            ExprKind::Comma(left, right) => {
                scope.several = true;
                self.effect(scope, left);
                self.effect(scope, right);
            }
            ExprKind::Conditional(test, yes, no) => {
                let test = self.condition(scope, test);
                let then = Scope::collect(self, scope, |this, scope| this.effect(scope, yes));
                let otherwise = Scope::collect(self, scope, |this, scope| this.effect(scope, no));
                scope.code.push(Code::If { test, step: None, then, otherwise });
            }
            ExprKind::Unary(op, place) if is_step_operator(*op) => {
                self.increment(scope, *op, place, e, false).map_or((), drop)
            }
            ExprKind::Assign(place, value) => {
                let access = self.place(scope, place);
                let value = self.value(scope, value);
                self.store(scope, access, value, e.span);
            }
            ExprKind::Compound(op, place, value, compute) => {
                let (access, value) = self.compound(scope, e, *op, place, value, *compute);
                self.store(scope, access, value, e.span);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(scope, e, callee, arguments, false);
            }
            ExprKind::Statements(statements) => {
                scope.nested += 1;
                self.block(scope, statements);
                scope.nested -= 1;
            }
            ExprKind::Load(place) if self.is_void(place.ty) => {
                self.place(scope, place);
            }
            ExprKind::Choice { of, alternatives } => self.choice_effect(scope, e, of, alternatives),
            _ if self.is_void(e.ty) && !matches!(e.kind, ExprKind::Unsupported(_)) => {}
            _ => {
                self.value(scope, e);
            }
        }
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        *self.types.get(ty) == Type::Void
    }

    /// The value of `e`.
    pub(super) fn value(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        let (ty, span) = (e.ty, e.span);
        match &e.kind {
            ExprKind::Int(value) => self.int(*value, ty, span),
            ExprKind::Zero if self.types.is_float(ty) => Operand { kind: OperandKind::Float(0.0), ty, span },
            ExprKind::Zero if !self.types.is_aggregate(ty) => self.int(0, ty, span),
            ExprKind::Float(value) => Operand { kind: OperandKind::Float(*value), ty, span },
            ExprKind::Function(name) => Operand { kind: OperandKind::Function(self.function_named(name)), ty, span },
            ExprKind::Load(place) => self.load(scope, place, ty, span),
            ExprKind::Decay(place) => self.decay(scope, place, ty, span),
            ExprKind::Unary(op, operand) => self.unary(scope, e, *op, operand),
            ExprKind::Binary(op, left, right) => self.binary(scope, e, *op, left, right),
            ExprKind::Assign(place, value) => self.assignment(scope, e, place, value),
            ExprKind::Compound(op, place, value, compute) => {
                let (access, value) = self.compound(scope, e, *op, place, value, *compute);
                self.store_value(scope, access, value, span)
            }
            ExprKind::And(left, right) => self.short_circuit(scope, e, left, right, BinaryOp::BoolAnd),
            ExprKind::Or(left, right) => self.short_circuit(scope, e, left, right, BinaryOp::BoolOr),
            ExprKind::Comma(left, right) => {
                self.effect(scope, left);
                self.value(scope, right)
            }
            ExprKind::Conditional(test, yes, no) => self.conditional(scope, e, test, yes, no),
            ExprKind::Elvis(test, no) => self.elvis(scope, e, test, no),
            ExprKind::Call(callee, arguments) => self.call(scope, e, callee, arguments, true),
            ExprKind::Convert(inner) => self.convert_expr(scope, e, inner),
            ExprKind::SizeOfVariable(id) => match scope.sizes.get(id) {
                Some(sizes) => Operand { span, ..sizes[0].clone() },
                None => self.concrete(scope, span, "the size of this array", Some(ty)),
            },
            ExprKind::Statements(statements) => self.statements(scope, e, statements),
            ExprKind::VaArg(list) => self.va_arg(scope, e, list),
            ExprKind::Unsupported(what) => self.concrete(scope, span, what, (!self.is_void(ty)).then_some(ty)),
            // Braces around a scalar.
            ExprKind::InitList(entries) if !self.types.is_aggregate(ty) && entries.len() == 1 => {
                self.value(scope, &entries[0])
            }
            ExprKind::InitList(_) | ExprKind::Zero | ExprKind::UnionInit(..) => self.aggregate(scope, e),
            ExprKind::Choice { of, alternatives } => self.choice(scope, e, of, alternatives),
            ExprKind::Discard(_) => {
                self.effect(scope, e);
                self.int(0, ty, span)
            }
            ExprKind::Text(_)
            | ExprKind::Variable(_)
            | ExprKind::Member { .. }
            | ExprKind::Index(..)
            | ExprKind::CompoundLiteral(_) => self.load(scope, e, ty, span),
        }
    }

    pub(super) fn aggregate(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        let local = scope.temporary(e.ty, e.span, true);
        let place = Access { root: AccessRoot::Local(local), path: Vec::new(), ty: e.ty, bits: None, span: e.span };
        self.initialise(scope, place, e);
        Operand { kind: OperandKind::Local(local), ty: e.ty, span: e.span }
    }

    pub(super) fn load(&mut self, scope: &mut Scope, place: &Expr, ty: TypeId, span: Span) -> Operand {
        let access = self.place(scope, place);
        self.load_access(scope, access, ty, span)
    }

    pub(super) fn load_access(&mut self, scope: &mut Scope, access: Access, ty: TypeId, span: Span) -> Operand {
        match register(scope, &access) {
            Some(local) => Operand { kind: OperandKind::Local(local), ty, span },
            None => self.hold(scope, ty, span, Rvalue::Load(access)),
        }
    }

    pub(super) fn decay(&mut self, scope: &mut Scope, place: &Expr, ty: TypeId, span: Span) -> Operand {
        if let ExprKind::Text(bytes) = &place.kind {
            return Operand { kind: OperandKind::Text(self.text(bytes)), ty, span };
        }
        let access = self.place(scope, place);
        self.address(scope, access, ty, span)
    }

    /// The address of a place; that of `*p` is `p`.
    pub(super) fn address(&mut self, scope: &mut Scope, access: Access, ty: TypeId, span: Span) -> Operand {
        match access.root {
            AccessRoot::Deref(pointer) if access.path.is_empty() => Operand { ty, span, ..pointer },
            _ => self.hold(scope, ty, span, Rvalue::AddressOf(access)),
        }
    }

    pub(super) fn convert_expr(&mut self, scope: &mut Scope, e: &Expr, inner: &Expr) -> Operand {
        if self.is_void(e.ty) {
            self.effect(scope, inner);
            return self.int(0, e.ty, e.span);
        }
        if let (true, Some(value)) = (self.types.is_integer(e.ty), fold(&self.types, e)) {
            return self.int(value, e.ty, e.span);
        }
        let outer = scope.wanted;
        if let Some(target) = self.types.target(e.ty)
            && !self.is_void(target)
        {
            scope.wanted = Some(target);
        }
        let value = self.value(scope, inner);
        scope.wanted = outer;
        self.convert(scope, value, e.ty, e.span)
    }

    pub(super) fn convert(&mut self, scope: &mut Scope, value: Operand, to: TypeId, span: Span) -> Operand {
        let from = value.ty;
        let keeps_bits = |ty| self.types.is_pointer(ty) || matches!(self.types.get(ty), Type::Function(_));
        if from == to || (keeps_bits(from) && keeps_bits(to)) || self.types.is_aggregate(to) {
            return Operand { ty: to, ..value };
        }
        match value.kind {
            OperandKind::Int(n) if !self.types.is_float(to) => self.int(wrap(&self.types, to, n), to, span),
            OperandKind::Int(n) => Operand { kind: OperandKind::Float(n as f64), ty: to, span },
            OperandKind::Float(x) if *self.types.get(to) == (Type::Float { bytes: 8 }) => {
                Operand { kind: OperandKind::Float(x), ty: to, span }
            }
            _ => self.hold(scope, to, span, Rvalue::Convert { value, from, to }),
        }
    }
}

pub(super) fn is_temporary(scope: &Scope, operand: &Operand) -> bool {
    matches!(operand.kind, OperandKind::Local(local) if scope.locals[local.index()].name.is_empty())
}

/// The local that an access is all of, if it does not live in memory.
pub(super) fn register(scope: &Scope, access: &Access) -> Option<LocalId> {
    match access.root {
        AccessRoot::Local(local) if access.path.is_empty() && !scope.locals[local.index()].in_memory => Some(local),
        _ => None,
    }
}
