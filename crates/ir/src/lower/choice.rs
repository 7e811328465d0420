//! Choices: what an expression can be instead, decided by selectors.
//!
//! A selector is a global of type `_Bool`, so that whoever runs or checks the
//! program decides. `a < b`, which may become `a <= b`, is
//!
//! ```text
//! t1 := choice#0
//! if t1 { t2 := a <= b } else { t2 := a < b }
//! ```
//!
//! Operands are evaluated once, and only what the chosen expression evaluates.

use c_syntax::{Alternative, Change, Expr, ExprKind, SelectorId, Span, Stmt, UnaryOp as SyntaxUnary};
use c_types::Type;

use super::Lowerer;
use super::expr::is_temporary;
use super::function::Scope;
use super::operator::{OneOf, is_step_operator};
use crate::program::*;

impl Lowerer {
    /// The globals of the selectors; they go behind all others at the end.
    pub(super) fn declare_selectors(&mut self) {
        let ty = self.types.intern(Type::Bool);
        for number in 0..self.unit.selectors {
            self.selectors.push(GlobalId(self.globals.len() as u32));
            self.globals.push(Global {
                name: format!("choice#{number}").into(),
                ty,
                span: Span::default(),
                owner: None,
                image: vec![0],
                relocations: Vec::new(),
                external: false,
            });
        }
    }

    fn selector(&mut self, scope: &mut Scope, selector: SelectorId, span: Span) -> Operand {
        let ty = self.types.intern(Type::Bool);
        let root = AccessRoot::Global(self.selectors[selector.0 as usize]);
        self.hold(scope, ty, span, Rvalue::Load(Access { root, path: Vec::new(), ty, bits: None, span }))
    }

    /// Writes what the first selector that is 1 chooses, or else what is written for `None`.
    pub(super) fn choose(
        &mut self,
        scope: &mut Scope,
        span: Span,
        selectors: &[SelectorId],
        write: &mut dyn FnMut(&mut Lowerer, &mut Scope, Option<usize>),
    ) {
        self.choose_from(scope, span, selectors, 0, write);
    }

    fn choose_from(
        &mut self,
        scope: &mut Scope,
        span: Span,
        selectors: &[SelectorId],
        first: usize,
        write: &mut dyn FnMut(&mut Lowerer, &mut Scope, Option<usize>),
    ) {
        let Some(&selector) = selectors.get(first) else { return write(self, scope, None) };
        let test = self.selector(scope, selector, span);
        let then = Scope::collect(self, scope, |this, scope| write(this, scope, Some(first)));
        let otherwise =
            Scope::collect(self, scope, |this, scope| this.choose_from(scope, span, selectors, first + 1, write));
        scope.code.push(Code::If { test, step: None, then, otherwise });
    }

    /// The value of an expression with alternatives.
    pub(super) fn choice(&mut self, scope: &mut Scope, e: &Expr, of: &Expr, alternatives: &[Alternative]) -> Operand {
        if is_of_truth(alternatives) {
            return self.chosen_truth(scope, e, of, alternatives);
        }
        if alternatives.iter().any(|one| matches!(one.change, Change::Shift(_))) {
            return self.chosen_shift(scope, of, alternatives);
        }
        if alternatives.iter().any(|one| matches!(one.change, Change::Replace(..))) {
            return self.chosen_value(scope, of, alternatives);
        }
        match &of.kind {
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.value(scope, left), self.value(scope, right));
                self.chosen_operation(scope, of, *op, (a, b), alternatives)
            }
            ExprKind::And(left, right) => self.chosen_connective(scope, of, left, right, true, alternatives),
            ExprKind::Or(left, right) => self.chosen_connective(scope, of, left, right, false, alternatives),
            ExprKind::Assign(..) | ExprKind::Compound(..) => self.chosen_assignment(scope, of, alternatives),
            ExprKind::Unary(op, place) if is_step_operator(*op) => {
                let value = self.chosen_step(scope, of, *op, place, alternatives, true);
                value.unwrap_or_else(|| self.int(0, of.ty, of.span))
            }
            _ => self.chosen_value(scope, of, alternatives),
        }
    }

    /// Evaluates for the effect only.
    pub(super) fn choice_effect(&mut self, scope: &mut Scope, e: &Expr, of: &Expr, alternatives: &[Alternative]) {
        match &of.kind {
            ExprKind::Unary(op, place) if is_step_operator(*op) => {
                self.chosen_step(scope, of, *op, place, alternatives, false);
            }
            _ => {
                self.choice(scope, e, of, alternatives);
            }
        }
    }

    /// `statement`, if it is not left out.
    pub(super) fn optional(&mut self, scope: &mut Scope, selector: SelectorId, statement: &Stmt) {
        self.choose(scope, statement.span, &[selector], &mut |this, scope, chosen| {
            if chosen.is_none() {
                this.stmt(scope, statement);
            }
        });
    }

    /// Another constant, or another expression.
    fn chosen_value(&mut self, scope: &mut Scope, of: &Expr, alternatives: &[Alternative]) -> Operand {
        let (ty, span) = (of.ty, of.span);
        let result = scope.temporary(ty, span, self.types.is_aggregate(ty));
        self.choose(scope, span, &selectors(alternatives), &mut |this, scope, chosen| {
            let change = chosen.map(|i| &alternatives[i].change);
            let value = match change {
                Some(Change::Constant(value)) => this.int(*value, ty, span),
                Some(Change::Replace(other, _)) => this.value(scope, other),
                _ => this.value(scope, of),
            };
            this.store_local(scope, result, span, value, span);
        });
        Operand { kind: OperandKind::Local(result), ty, span }
    }

    /// A number more.
    fn chosen_shift(&mut self, scope: &mut Scope, of: &Expr, alternatives: &[Alternative]) -> Operand {
        let (ty, span) = (of.ty, of.span);
        let value = self.value(scope, of);
        let result = scope.temporary(ty, span, false);
        self.choose(scope, span, &selectors(alternatives), &mut |this, scope, chosen| {
            let value = match chosen.map(|i| &alternatives[i].change) {
                Some(Change::Shift(by)) => this.shifted(scope, value.clone(), *by),
                _ => value.clone(),
            };
            this.assign(scope, result, span, span, Rvalue::Use(value));
        });
        Operand { kind: OperandKind::Local(result), ty, span }
    }

    fn shifted(&mut self, scope: &mut Scope, value: Operand, by: i128) -> Operand {
        let (ty, span) = (value.ty, value.span);
        let op = if by < 0 { BinaryOp::Subtract } else { BinaryOp::Add };
        let by = self.int(by.abs(), ty, span);
        self.hold(scope, ty, span, Rvalue::Binary(op, value, by, ty))
    }

    /// `a op b` with operands that are evaluated already.
    fn chosen_operation(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        op: c_syntax::BinaryOp,
        (a, b): (Operand, Operand),
        alternatives: &[Alternative],
    ) -> Operand {
        let (ty, span) = (e.ty, e.span);
        let result = scope.temporary(ty, span, false);
        self.choose(scope, span, &selectors(alternatives), &mut |this, scope, chosen| {
            let (op, b) = match chosen.map(|i| &alternatives[i].change) {
                Some(Change::Operator(other)) => (*other, b.clone()),
                Some(Change::OperatorAndShift(other, by)) => (*other, this.shifted(scope, b.clone(), *by)),
                _ => (op, b.clone()),
            };
            let value = this.operation(op, a.clone(), b, span);
            this.assign(scope, result, span, span, value);
        });
        Operand { kind: OperandKind::Local(result), ty, span }
    }

    /// `a && b` and `a || b`, as the other one, or without one side:
    ///
    /// ```text
    /// if dropped a { more := 1 } else { r := a; if dropped b { more := 0 } else { more := r or !r } }
    /// if more { r := b }
    /// ```
    fn chosen_connective(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        left: &Expr,
        right: &Expr,
        is_and: bool,
        alternatives: &[Alternative],
    ) -> Operand {
        let span = e.span;
        let ty = self.bool_type();
        let (result, more) = (scope.temporary(ty, span, false), scope.temporary(ty, span, false));
        let operand = |local| Operand { kind: OperandKind::Local(local), ty, span };
        let which = |wanted: fn(&Change) -> bool| -> Vec<SelectorId> {
            alternatives.iter().filter(|one| wanted(&one.change)).map(|one| one.selector).collect()
        };
        let without_left = which(|change| matches!(change, Change::Right));
        let others = which(|change| matches!(change, Change::Left | Change::Connective));
        let drops = |selector: SelectorId| {
            alternatives.iter().any(|one| one.selector == selector && matches!(one.change, Change::Left))
        };
        self.choose(scope, span, &without_left, &mut |this, scope, chosen| {
            if chosen.is_some() {
                let one = this.int(1, ty, span);
                return this.assign(scope, more, span, span, Rvalue::Use(one));
            }
            let first = this.truth(scope, left);
            this.assign(scope, result, left.span, left.span, Rvalue::Use(first));
            this.choose(scope, span, &others, &mut |this, scope, chosen| {
                let zero = this.int(0, ty, span);
                let value = match chosen.map(|i| drops(others[i])) {
                    Some(true) => Rvalue::Use(zero),
                    changed if is_and == changed.is_none() => Rvalue::Use(operand(result)),
                    _ => Rvalue::Binary(BinaryOp::Equal, operand(result), zero, ty),
                };
                this.assign(scope, more, span, span, value);
            });
        });
        let then = Scope::collect(self, scope, |this, scope| {
            let second = this.truth(scope, right);
            this.assign(scope, result, span, span, Rvalue::Use(second));
        });
        scope.code.push(Code::If { test: operand(more), step: None, then, otherwise: Vec::new() });
        operand(result)
    }

    /// A truth value that may be negated, or have one more condition.
    fn chosen_truth(&mut self, scope: &mut Scope, e: &Expr, of: &Expr, alternatives: &[Alternative]) -> Operand {
        let span = e.span;
        let ty = self.bool_type();
        let result = scope.temporary(ty, span, false);
        let operand = Operand { kind: OperandKind::Local(result), ty, span };
        // What `!` is taken of must be known by itself if the `!` may go.
        let inner = match &of.kind {
            ExprKind::Unary(SyntaxUnary::Not, inner) if alternatives.iter().any(is_affirmed) => Some(inner),
            _ => None,
        };
        let first = self.truth(scope, inner.map_or(of, |inner| inner));
        self.assign(scope, result, span, span, Rvalue::Use(first));
        self.choose(scope, span, &selectors(alternatives), &mut |this, scope, chosen| {
            let change = chosen.map(|i| &alternatives[i].change);
            let negate = inner.is_some() != matches!(change, Some(Change::Negated | Change::Affirmed));
            if negate {
                let zero = this.int(0, ty, span);
                let value = Rvalue::Binary(BinaryOp::Equal, operand.clone(), zero, ty);
                this.assign(scope, result, span, span, value);
            }
            let (Some(Change::Conjunct(other) | Change::Disjunct(other)), Some(change)) = (change, change) else {
                return;
            };
            let more = Scope::collect(this, scope, |this, scope| {
                let value = this.truth(scope, other);
                this.assign(scope, result, span, span, Rvalue::Use(value));
            });
            let is_conjunct = matches!(change, Change::Conjunct(_));
            let (then, otherwise) = if is_conjunct { (more, Vec::new()) } else { (Vec::new(), more) };
            scope.code.push(Code::If { test: operand.clone(), step: None, then, otherwise });
        });
        operand
    }

    /// `a = b` and `a op= b`, with another variable or another operator.
    fn chosen_assignment(&mut self, scope: &mut Scope, e: &Expr, alternatives: &[Alternative]) -> Operand {
        let (ExprKind::Assign(place, right) | ExprKind::Compound(_, place, right, _)) = &e.kind else {
            unreachable!("it is an assignment")
        };
        let targets = self.targets(scope, place, alternatives);
        let value = match &e.kind {
            ExprKind::Compound(op, _, _, compute) => {
                let old = self.load_one_of(scope, &targets, place);
                let old = match self.types.is_pointer(place.ty) {
                    true => old,
                    false => self.convert(scope, old, *compute, place.span),
                };
                let operators = without_targets(alternatives);
                let value = self.value(scope, right);
                let sum = Expr::new(ExprKind::Zero, old.ty, e.span);
                let result = self.chosen_operation(scope, &sum, *op, (old, value), &operators);
                self.convert(scope, result, place.ty, e.span)
            }
            _ => self.value(scope, right),
        };
        self.store_one_of(scope, targets, value, e.span)
    }

    /// `++` and `--`, of another variable, or the other way round; the value only if it is `wanted`.
    fn chosen_step(
        &mut self,
        scope: &mut Scope,
        e: &Expr,
        op: SyntaxUnary,
        place: &Expr,
        alternatives: &[Alternative],
        wanted: bool,
    ) -> Option<Operand> {
        use c_syntax::BinaryOp::{Add, Subtract};
        let targets = self.targets(scope, place, alternatives);
        let mut old = self.load_one_of(scope, &targets, place);
        let post = matches!(op, SyntaxUnary::PostIncrement | SyntaxUnary::PostDecrement);
        if post && wanted && !is_temporary(scope, &old) {
            old = self.hold(scope, place.ty, place.span, Rvalue::Use(old));
        }
        let up = matches!(op, SyntaxUnary::PreIncrement | SyntaxUnary::PostIncrement);
        let (op, other) = if up { (Add, Subtract) } else { (Subtract, Add) };
        let operators: Vec<Alternative> = without_targets(alternatives)
            .iter()
            .map(|one| Alternative { selector: one.selector, change: Change::Operator(other) })
            .collect();
        let one = self.one(place.ty, e.span);
        let sum = Expr::new(ExprKind::Zero, place.ty, e.span);
        let new = self.chosen_operation(scope, &sum, op, (old.clone(), one), &operators);
        let stored = self.store_one_of(scope, targets, new, e.span);
        wanted.then_some(if post { old } else { stored })
    }

    /// The places that may be assigned to.
    fn targets(&mut self, scope: &mut Scope, place: &Expr, alternatives: &[Alternative]) -> OneOf {
        let mut others = Vec::new();
        for one in alternatives {
            if let Change::Target(other) = &one.change {
                others.push((one.selector, self.place(scope, other)));
            }
        }
        OneOf { access: self.place(scope, place), others }
    }
}

/// Whether a choice is about truth values: its result is 0 or 1.
pub(super) fn is_of_truth(alternatives: &[Alternative]) -> bool {
    alternatives.iter().any(|one| one.change.is_of_truth())
}

fn is_affirmed(alternative: &Alternative) -> bool {
    matches!(alternative.change, Change::Affirmed)
}

fn selectors(alternatives: &[Alternative]) -> Vec<SelectorId> {
    alternatives.iter().map(|one| one.selector).collect()
}

fn without_targets(alternatives: &[Alternative]) -> Vec<Alternative> {
    alternatives.iter().filter(|one| !matches!(one.change, Change::Target(_))).cloned().collect()
}
