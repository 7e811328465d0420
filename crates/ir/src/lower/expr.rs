//! Expressions, flattened.

use c_syntax::{
    BinaryOp as SyntaxOp, Expr, ExprKind, Span, StmtKind, Storage, UnaryOp as SyntaxUnary, VariableId, fold, wrap,
};
use c_types::{Type, TypeId, Types};

use super::Lowerer;
use super::function::Scope;
use crate::program::*;

/// Functions that return a new heap block.
const ALLOCATORS: &[&str] = &["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup"];

impl Lowerer {
    // ----- writing code -----

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

    fn bool_type(&mut self) -> TypeId {
        self.types.int(4, true)
    }

    // ----- effects -----

    /// Evaluates for the effect only.
    pub(super) fn effect(&mut self, scope: &mut Scope, e: &Expr) {
        match &e.kind {
            ExprKind::Discard(inner) | ExprKind::Convert(inner) if self.is_void(e.ty) => self.effect(scope, inner),
            ExprKind::Comma(left, right) => {
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
            _ if self.is_void(e.ty) && !matches!(e.kind, ExprKind::Unsupported(_)) => {}
            _ => {
                self.value(scope, e);
            }
        }
    }

    fn is_void(&self, ty: TypeId) -> bool {
        *self.types.get(ty) == Type::Void
    }

    // ----- truth values -----

    /// An operand that is not zero if `e` is true.
    pub(super) fn condition(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        let operand = self.truth(scope, e);
        Operand { span: e.span, ..operand }
    }

    fn truth(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        if let Some(value) = fold(&self.types, e) {
            let ty = self.bool_type();
            return self.int(i128::from(value != 0), ty, e.span);
        }
        let is_truth = match &e.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(SyntaxUnary::Not, _) => true,
            _ => false,
        };
        let value = self.value(scope, e);
        match is_truth {
            true => value,
            false => self.compare_zero(scope, BinaryOp::NotEqual, value, e.span),
        }
    }

    fn compare_zero(&mut self, scope: &mut Scope, op: BinaryOp, value: Operand, span: Span) -> Operand {
        let ty = value.ty;
        let zero = match self.types.is_float(ty) {
            true => Operand { kind: OperandKind::Float(0.0), ty, span },
            false => self.int(0, ty, span),
        };
        let bool_type = self.bool_type();
        self.hold(scope, bool_type, span, Rvalue::Binary(op, value, zero, ty))
    }

    /// `a && b` and `a || b`: the second is evaluated only if it matters.
    fn short_circuit(&mut self, scope: &mut Scope, e: &Expr, left: &Expr, right: &Expr, op: BinaryOp) -> Operand {
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

    // ----- values -----

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

    fn aggregate(&mut self, scope: &mut Scope, e: &Expr) -> Operand {
        let local = scope.temporary(e.ty, e.span, true);
        let place = Access { root: AccessRoot::Local(local), path: Vec::new(), ty: e.ty, bits: None, span: e.span };
        self.initialise(scope, place, e);
        Operand { kind: OperandKind::Local(local), ty: e.ty, span: e.span }
    }

    fn load(&mut self, scope: &mut Scope, place: &Expr, ty: TypeId, span: Span) -> Operand {
        let access = self.place(scope, place);
        self.load_access(scope, access, ty, span)
    }

    fn load_access(&mut self, scope: &mut Scope, access: Access, ty: TypeId, span: Span) -> Operand {
        match register(scope, &access) {
            Some(local) => Operand { kind: OperandKind::Local(local), ty, span },
            None => self.hold(scope, ty, span, Rvalue::Load(access)),
        }
    }

    fn decay(&mut self, scope: &mut Scope, place: &Expr, ty: TypeId, span: Span) -> Operand {
        if let ExprKind::Text(bytes) = &place.kind {
            return Operand { kind: OperandKind::Text(self.text(bytes)), ty, span };
        }
        let access = self.place(scope, place);
        self.address(scope, access, ty, span)
    }

    /// The address of a place; that of `*p` is `p`.
    fn address(&mut self, scope: &mut Scope, access: Access, ty: TypeId, span: Span) -> Operand {
        match access.root {
            AccessRoot::Deref(pointer) if access.path.is_empty() => Operand { ty, span, ..pointer },
            _ => self.hold(scope, ty, span, Rvalue::AddressOf(access)),
        }
    }

    fn unary(&mut self, scope: &mut Scope, e: &Expr, op: SyntaxUnary, operand: &Expr) -> Operand {
        let (ty, span) = (e.ty, e.span);
        let op = match op {
            SyntaxUnary::AddressOf => {
                let access = self.place(scope, operand);
                return self.address(scope, access, ty, span);
            }
            SyntaxUnary::Deref => return self.load(scope, e, ty, span),
            SyntaxUnary::Not => {
                let value = self.value(scope, operand);
                return self.compare_zero(scope, BinaryOp::Equal, value, span);
            }
            SyntaxUnary::Negate => UnaryOp::Negate,
            SyntaxUnary::Complement => UnaryOp::Complement,
            step => {
                let value = self.increment(scope, step, operand, e, true);
                return value.unwrap_or_else(|| self.int(0, ty, span));
            }
        };
        if let Some(value) = fold(&self.types, e) {
            return self.int(value, ty, span);
        }
        let value = self.value(scope, operand);
        self.hold(scope, ty, span, Rvalue::Unary(op, value, ty))
    }

    fn binary(&mut self, scope: &mut Scope, e: &Expr, op: SyntaxOp, left: &Expr, right: &Expr) -> Operand {
        if let Some(value) = fold(&self.types, e) {
            return self.int(value, e.ty, e.span);
        }
        let (a, b) = (self.value(scope, left), self.value(scope, right));
        let value = self.operation(op, a, b, e.span);
        self.hold(scope, e.ty, e.span, value)
    }

    /// `a op b`, where pointers are scaled by the size of what they point to.
    fn operation(&mut self, op: SyntaxOp, a: Operand, b: Operand, span: Span) -> Rvalue {
        let (left, right) = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        match op {
            SyntaxOp::Add if left => {
                let scale = self.scale(a.ty, span);
                Rvalue::Offset { pointer: a, index: b, scale, backward: false }
            }
            SyntaxOp::Add if right => {
                let scale = self.scale(b.ty, span);
                Rvalue::Offset { pointer: b, index: a, scale, backward: false }
            }
            SyntaxOp::Subtract if left && right => {
                let scale = self.scale(a.ty, span);
                Rvalue::Distance { left: a, right: b, scale }
            }
            SyntaxOp::Subtract if left => {
                let scale = self.scale(a.ty, span);
                Rvalue::Offset { pointer: a, index: b, scale, backward: true }
            }
            _ => {
                let ty = a.ty;
                Rvalue::Binary(lower_op(op), a, b, ty)
            }
        }
    }

    /// The size of what a pointer points to. Arithmetic on `void *` and function pointers counts bytes.
    fn scale(&mut self, pointer: TypeId, span: Span) -> Operand {
        let size = self.types.target(pointer).map_or(1, |target| self.types.size_of(target).max(1));
        let ty = self.types.int(8, false);
        self.int(size.into(), ty, span)
    }

    /// The size of the elements of what `pointer` points to; that of a row of a
    /// variable length array was computed where the array was declared.
    fn element_size(&mut self, scope: &Scope, pointer: &Expr, span: Span) -> Operand {
        let is_row =
            self.types.target(pointer.ty).is_some_and(|target| matches!(self.types.get(target), Type::Array(_, None)));
        let sizes =
            variable_array(pointer).filter(|_| is_row).and_then(|(id, depth)| scope.sizes.get(&id)?.get(depth + 1));
        match sizes {
            Some(size) => Operand { span, ..size.clone() },
            None => self.scale(pointer.ty, span),
        }
    }

    // ----- assignments -----

    fn assignment(&mut self, scope: &mut Scope, e: &Expr, place: &Expr, value: &Expr) -> Operand {
        let access = self.place(scope, place);
        let value = self.value(scope, value);
        self.store_value(scope, access, value, e.span)
    }

    /// Writes `value`.
    pub(super) fn store(&mut self, scope: &mut Scope, access: Access, value: Operand, span: Span) {
        match register(scope, &access) {
            None => self.act(scope, span, ActionKind::Store { to: access, value }),
            Some(local) => self.store_local(scope, local, access.span, value, span),
        }
    }

    fn store_local(&mut self, scope: &mut Scope, to: LocalId, to_span: Span, value: Operand, span: Span) {
        if !retarget(&self.types, scope, &value, to, to_span, span) {
            self.assign(scope, to, to_span, span, Rvalue::Use(value));
        }
    }

    /// Writes `value` and returns what reads it again.
    fn store_value(&mut self, scope: &mut Scope, access: Access, value: Operand, span: Span) -> Operand {
        if let Some(local) = register(scope, &access) {
            let ty = scope.locals[local.index()].ty;
            self.store(scope, access, value, span);
            return Operand { kind: OperandKind::Local(local), ty, span };
        }
        self.store(scope, access.clone(), value.clone(), span);
        match access.bits {
            // A bit-field keeps only some bits: its value is what was kept.
            Some(_) => self.hold(scope, access.ty, span, Rvalue::Load(access)),
            None => value,
        }
    }

    /// The place that `place op= value` writes to, and what it writes.
    fn compound(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        op: SyntaxOp,
        place: &Expr,
        value: &Expr,
        compute: TypeId,
    ) -> (Access, Operand) {
        let access = self.place(scope, place);
        let old = self.load_access(scope, access.clone(), place.ty, place.span);
        let old = match self.types.is_pointer(place.ty) {
            true => old,
            false => self.convert(scope, old, compute, place.span),
        };
        let compute = old.ty;
        let value = self.value(scope, value);
        let result = self.operation(op, old, value, e.span);
        let result = self.hold(scope, compute, e.span, result);
        (access, self.convert(scope, result, place.ty, e.span))
    }

    /// `++` and `--`; the value only if it is `wanted`.
    fn increment(
        &mut self,
        scope: &mut Scope,
        op: SyntaxUnary,
        place: &Expr,
        e: &Expr,
        wanted: bool,
    ) -> Option<Operand> {
        let access = self.place(scope, place);
        let mut old = self.load_access(scope, access.clone(), place.ty, place.span);
        let post = matches!(op, SyntaxUnary::PostIncrement | SyntaxUnary::PostDecrement);
        if post && wanted && !is_temporary(scope, &old) {
            old = self.hold(scope, place.ty, place.span, Rvalue::Use(old));
        }
        let up = matches!(op, SyntaxUnary::PreIncrement | SyntaxUnary::PostIncrement);
        let ty = place.ty;
        let one = match self.types.get(ty) {
            Type::Float { .. } => Operand { kind: OperandKind::Float(1.0), ty, span: e.span },
            Type::Pointer(_) => {
                let long = self.types.int(8, true);
                self.int(1, long, e.span)
            }
            _ => self.int(1, ty, e.span),
        };
        let value = self.operation(if up { SyntaxOp::Add } else { SyntaxOp::Subtract }, old.clone(), one, e.span);
        let new = self.hold(scope, ty, e.span, value);
        if wanted && !post {
            return Some(self.store_value(scope, access, new, e.span));
        }
        self.store(scope, access, new, e.span);
        wanted.then_some(old)
    }

    // ----- conversions -----

    fn convert_expr(&mut self, scope: &mut Scope, e: &Expr, inner: &Expr) -> Operand {
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

    // ----- branches inside of expressions -----

    fn conditional(&mut self, scope: &mut Scope, e: &Expr, test: &Expr, yes: &Expr, no: &Expr) -> Operand {
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

    fn elvis(&mut self, scope: &mut Scope, e: &Expr, test: &Expr, no: &Expr) -> Operand {
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
    fn statements(&mut self, scope: &mut Scope, e: &Expr, statements: &[c_syntax::Stmt]) -> Operand {
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

    // ----- calls -----

    fn call(&mut self, scope: &mut Scope, e: &Expr, callee: &Expr, arguments: &[Expr], wanted: bool) -> Operand {
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

    fn note_allocation(&mut self, scope: &mut Scope, callee: &Callee) {
        if let Callee::Direct(FunctionRef::Library(name)) = callee
            && ALLOCATORS.contains(&&**name)
        {
            let char_ = self.types.int(1, true);
            let ty = if name.starts_with("str") { Some(char_) } else { scope.wanted };
            scope.allocations.push(ty);
        }
    }

    fn va_arg(&mut self, scope: &mut Scope, e: &Expr, list: &Expr) -> Operand {
        let list = self.value(scope, list);
        let to = scope.temporary(e.ty, e.span, self.types.is_aggregate(e.ty));
        let callee = Callee::Direct(FunctionRef::Library("va_arg".into()));
        let step = scope.step.unwrap_or(StepId(u32::MAX));
        self.act(scope, e.span, ActionKind::Call { to: Some(to), callee, arguments: vec![list], step, ty: e.ty });
        Operand { kind: OperandKind::Local(to), ty: e.ty, span: e.span }
    }

    // ----- places -----

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

    fn variable(&mut self, scope: &Scope, id: VariableId) -> AccessRoot {
        if let Some(&local) = scope.variables.get(&id) {
            return AccessRoot::Local(local);
        }
        let global = self.global_ids.get(&id).copied();
        AccessRoot::Global(global.unwrap_or_else(|| self.declare_global(id, None)))
    }

    fn compound_literal(&mut self, scope: &mut Scope, id: VariableId) -> AccessRoot {
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
    fn element(&mut self, scope: &mut Scope, e: &Expr, pointer: &Expr, index: &Expr) -> Access {
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

/// The variable length array that a pointer expression walks through, and how many dimensions it is in.
fn variable_array(pointer: &Expr) -> Option<(VariableId, usize)> {
    match &pointer.kind {
        ExprKind::Decay(place) | ExprKind::Load(place) => match &place.kind {
            ExprKind::Variable(id) => Some((*id, 0)),
            ExprKind::Index(outer, _) => variable_array(outer).map(|(id, depth)| (id, depth + 1)),
            _ => None,
        },
        _ => None,
    }
}

fn is_step_operator(op: SyntaxUnary) -> bool {
    use SyntaxUnary::*;
    matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
}

fn is_temporary(scope: &Scope, operand: &Operand) -> bool {
    matches!(operand.kind, OperandKind::Local(local) if scope.locals[local.index()].name.is_empty())
}

/// The local that an access is all of, if it does not live in memory.
fn register(scope: &Scope, access: &Access) -> Option<LocalId> {
    match access.root {
        AccessRoot::Local(local) if access.path.is_empty() && !scope.locals[local.index()].in_memory => Some(local),
        _ => None,
    }
}

/// If `value` is a temporary that the last action made, lets that action write
/// `to` directly: `t := p.next; q := t` is `q := p.next`.
fn retarget(types: &Types, scope: &mut Scope, value: &Operand, to: LocalId, to_span: Span, whole: Span) -> bool {
    let OperandKind::Local(temporary) = value.kind else { return false };
    let (from, into) = (scope.locals[temporary.index()].ty, scope.locals[to.index()].ty);
    let same = from == into || (types.is_pointer(from) && types.is_pointer(into));
    if !scope.locals[temporary.index()].name.is_empty() || !same {
        return false;
    }
    let Some(Code::Act(action)) = scope.code.last_mut() else { return false };
    match &mut action.kind {
        ActionKind::Assign { to: target, to_span: place, .. } if *target == temporary => {
            (*target, *place, action.span) = (to, to_span, whole);
        }
        ActionKind::Call { to: Some(target), .. } if *target == temporary => (*target, action.span) = (to, whole),
        _ => return false,
    }
    // Nobody reads the temporary any more.
    if temporary.index() + 1 == scope.locals.len() {
        scope.locals.pop();
    }
    true
}

fn lower_op(op: SyntaxOp) -> BinaryOp {
    match op {
        SyntaxOp::Add => BinaryOp::Add,
        SyntaxOp::Subtract => BinaryOp::Subtract,
        SyntaxOp::Multiply => BinaryOp::Multiply,
        SyntaxOp::Divide => BinaryOp::Divide,
        SyntaxOp::Remainder => BinaryOp::Remainder,
        SyntaxOp::And => BinaryOp::And,
        SyntaxOp::Or => BinaryOp::Or,
        SyntaxOp::Xor => BinaryOp::Xor,
        SyntaxOp::ShiftLeft => BinaryOp::ShiftLeft,
        SyntaxOp::ShiftRight => BinaryOp::ShiftRight,
        SyntaxOp::Equal => BinaryOp::Equal,
        SyntaxOp::NotEqual => BinaryOp::NotEqual,
        SyntaxOp::Less => BinaryOp::Less,
        SyntaxOp::LessEqual => BinaryOp::LessEqual,
        SyntaxOp::Greater => BinaryOp::Greater,
        SyntaxOp::GreaterEqual => BinaryOp::GreaterEqual,
    }
}
