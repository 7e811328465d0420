//! Operators and assignments.

use c_syntax::{BinaryOp as SyntaxOp, Expr, ExprKind, SelectorId, Span, UnaryOp as SyntaxUnary, VariableId, fold};
use c_types::{Type, TypeId, Types};

use super::Lowerer;
use super::expr::{is_temporary, register};
use super::function::Scope;
use crate::program::*;

/// A place, or one of others where their selector is 1.
pub(super) struct OneOf {
    pub access: Access,
    pub others: Vec<(SelectorId, Access)>,
}

impl OneOf {
    fn get(&self, chosen: Option<usize>) -> Access {
        chosen.map_or(&self.access, |i| &self.others[i].1).clone()
    }

    fn selectors(&self) -> Vec<SelectorId> {
        self.others.iter().map(|(selector, _)| *selector).collect()
    }
}

impl Lowerer {
    pub(super) fn unary(&mut self, scope: &mut Scope, e: &Expr, op: SyntaxUnary, operand: &Expr) -> Operand {
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

    pub(super) fn binary(&mut self, scope: &mut Scope, e: &Expr, op: SyntaxOp, left: &Expr, right: &Expr) -> Operand {
        if let Some(value) = fold(&self.types, e) {
            return self.int(value, e.ty, e.span);
        }
        let (a, b) = (self.value(scope, left), self.value(scope, right));
        let value = self.operation(op, a, b, e.span);
        self.hold(scope, e.ty, e.span, value)
    }

    /// `a op b`, where pointers are scaled by the size of what they point to.
    pub(super) fn operation(&mut self, op: SyntaxOp, a: Operand, b: Operand, span: Span) -> Rvalue {
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
    pub(super) fn scale(&mut self, pointer: TypeId, span: Span) -> Operand {
        let size = self.types.target(pointer).map_or(1, |target| self.types.size_of(target).max(1));
        let ty = self.types.int(8, false);
        self.int(size.into(), ty, span)
    }

    /// The size of the elements of what `pointer` points to; that of a row of a
    /// variable length array was computed where the array was declared.
    pub(super) fn element_size(&mut self, scope: &Scope, pointer: &Expr, span: Span) -> Operand {
        let is_row =
            self.types.target(pointer.ty).is_some_and(|target| matches!(self.types.get(target), Type::Array(_, None)));
        let sizes =
            variable_array(pointer).filter(|_| is_row).and_then(|(id, depth)| scope.sizes.get(&id)?.get(depth + 1));
        match sizes {
            Some(size) => Operand { span, ..size.clone() },
            None => self.scale(pointer.ty, span),
        }
    }

    pub(super) fn assignment(&mut self, scope: &mut Scope, e: &Expr, place: &Expr, value: &Expr) -> Operand {
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

    pub(super) fn store_local(&mut self, scope: &mut Scope, to: LocalId, to_span: Span, value: Operand, span: Span) {
        if !retarget(&self.types, scope, &value, to, to_span, span) {
            self.assign(scope, to, to_span, span, Rvalue::Use(value));
        }
    }

    /// Writes `value` and returns what reads it again.
    pub(super) fn store_value(&mut self, scope: &mut Scope, access: Access, value: Operand, span: Span) -> Operand {
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
    pub(super) fn compound(
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
    pub(super) fn increment(
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
        let one = self.one(ty, e.span);
        let value = self.operation(if up { SyntaxOp::Add } else { SyntaxOp::Subtract }, old.clone(), one, e.span);
        let new = self.hold(scope, ty, e.span, value);
        if wanted && !post {
            return Some(self.store_value(scope, access, new, e.span));
        }
        self.store(scope, access, new, e.span);
        wanted.then_some(old)
    }

    /// What `++` adds to something of type `ty`.
    pub(super) fn one(&mut self, ty: TypeId, span: Span) -> Operand {
        match self.types.get(ty) {
            Type::Float { .. } => Operand { kind: OperandKind::Float(1.0), ty, span },
            Type::Pointer(_) => {
                let long = self.types.int(8, true);
                self.int(1, long, span)
            }
            _ => self.int(1, ty, span),
        }
    }

    /// The value of the chosen place.
    pub(super) fn load_one_of(&mut self, scope: &mut Scope, places: &OneOf, e: &Expr) -> Operand {
        if places.others.is_empty() {
            return self.load_access(scope, places.access.clone(), e.ty, e.span);
        }
        let result = scope.temporary(e.ty, e.span, false);
        self.choose(scope, e.span, &places.selectors(), &mut |this, scope, chosen| {
            let value = this.load_access(scope, places.get(chosen), e.ty, e.span);
            this.store_local(scope, result, e.span, value, e.span);
        });
        Operand { kind: OperandKind::Local(result), ty: e.ty, span: e.span }
    }

    /// Writes `value` to the chosen place and returns what reads it again.
    pub(super) fn store_one_of(&mut self, scope: &mut Scope, places: OneOf, value: Operand, span: Span) -> Operand {
        if places.others.is_empty() {
            return self.store_value(scope, places.access, value, span);
        }
        let value = self.hold(scope, value.ty, span, Rvalue::Use(value));
        self.choose(scope, span, &places.selectors(), &mut |this, scope, chosen| {
            let access = places.get(chosen);
            match register(scope, &access) {
                None => this.act(scope, span, ActionKind::Store { to: access, value: value.clone() }),
                Some(local) => this.assign(scope, local, access.span, span, Rvalue::Use(value.clone())),
            }
        });
        value
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

pub(super) fn is_step_operator(op: SyntaxUnary) -> bool {
    use SyntaxUnary::*;
    matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
}

/// If `value` is a temporary that the last action made, lets that action write
/// `to` directly: `t := p.next; q := t` is `q := p.next`. Not where the step has
/// several of them: as an operand, `t` can be replaced without the others.
fn retarget(types: &Types, scope: &mut Scope, value: &Operand, to: LocalId, to_span: Span, whole: Span) -> bool {
    let OperandKind::Local(temporary) = value.kind else { return false };
    let (from, into) = (scope.locals[temporary.index()].ty, scope.locals[to.index()].ty);
    let same = from == into || (types.is_pointer(from) && types.is_pointer(into));
    if !scope.locals[temporary.index()].name.is_empty() || !same {
        return false;
    }
    let Some(Code::Act(action)) = scope.code.last_mut() else { return false };
    match &mut action.kind {
        ActionKind::Assign { value: Rvalue::Load(_), .. } if scope.several => return false,
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
