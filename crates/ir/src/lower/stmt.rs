//! Statements, and the steps they are.

use std::sync::Arc;

use c_syntax::{Expr, ExprKind, Span, Stmt, StmtKind, Storage, VariableId, fold};
use memory::Visible;

use super::function::Scope;
use super::{Lowerer, region};
use crate::program::*;

impl Lowerer {
    pub(super) fn stmt(&mut self, scope: &mut Scope, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Block(statements) => self.block(scope, statements),
            StmtKind::Declare(variables) => self.declare(scope, variables, span, StepKind::Declaration, span),
            StmtKind::Expr(e) => {
                self.step(scope, StepKind::Expression, span, span);
                self.effect(scope, e);
            }
            StmtKind::If(test, then, otherwise) => self.if_statement(scope, span, test, then, otherwise.as_deref()),
            StmtKind::While(test, body) => {
                let header = region::header(&self.unit.source, span, "while", test.span);
                self.loop_statement(
                    scope,
                    LoopParts { span, test: Some((test, header)), body, update: None, body_first: false },
                );
            }
            StmtKind::Do(body, test) => {
                // The condition stands between the body and the end.
                let header = Span { start: body.span.end.clamp(span.start, test.span.start), end: span.end };
                self.loop_statement(
                    scope,
                    LoopParts { span, test: Some((test, header)), body, update: None, body_first: true },
                );
            }
            StmtKind::For(init, test, update, body) => {
                self.for_statement(scope, span, init.as_deref(), test.as_ref(), update.as_ref(), body);
            }
            StmtKind::Switch(value, body) => self.switch(scope, span, value, body),
            StmtKind::Case(low, high, body) => {
                let name = if low == high { format!("case {low}") } else { format!("case {low} ... {high}") };
                let label = scope.new_label(name, span);
                if let Some(arms) = scope.arms.last_mut() {
                    arms.push((*low, *high, label));
                }
                scope.code.push(Code::Label(label));
                self.stmt(scope, body);
            }
            StmtKind::Default(body) => {
                let label = scope.new_label("default", span);
                if let Some(default) = scope.defaults.last_mut() {
                    *default = Some(label);
                }
                scope.code.push(Code::Label(label));
                self.stmt(scope, body);
            }
            StmtKind::Label(name, body) => {
                let label = scope.label(name);
                scope.labels[label.index()] = Label { name: self.label_name(label, span), span };
                scope.code.push(Code::Label(label));
                self.stmt(scope, body);
            }
            StmtKind::Goto(name) => {
                let label = scope.label(name);
                self.jump(scope, Code::Goto(label), span);
            }
            StmtKind::Break => self.jump(scope, Code::Break, span),
            StmtKind::Continue => self.jump(scope, Code::Continue, span),
            StmtKind::Return(value) => self.return_statement(scope, span, value.as_ref()),
            StmtKind::Empty => {}
            StmtKind::Optional { selector, statement } => self.optional(scope, *selector, statement),
            StmtKind::Unsupported(what) => {
                self.step(scope, StepKind::Expression, span, span);
                self.concrete(scope, span, what, None);
            }
        }
    }

    /// What is written before the colon; a label inside of a macro gets a number.
    fn label_name(&self, label: LabelId, span: Span) -> Arc<str> {
        let text = self.unit.source.text(span);
        match text.split_once(':') {
            Some((name, _)) if is_identifier(name.trim_end()) => name.trim_end().into(),
            _ => format!("label {}", label.0).into(),
        }
    }

    fn jump(&mut self, scope: &mut Scope, code: Code, span: Span) {
        scope.jumps.push(span);
        scope.code.push(code);
    }

    pub(super) fn block(&mut self, scope: &mut Scope, statements: &[Stmt]) {
        let outer = scope.visible.len();
        statements.iter().for_each(|statement| self.stmt(scope, statement));
        scope.visible.truncate(outer);
    }

    // ----- steps -----

    /// Begins a source statement. Statements inside of expressions, of headers
    /// and of one macro use are no steps of their own.
    pub(super) fn step(&mut self, scope: &mut Scope, kind: StepKind, span: Span, region: Span) -> Option<StepId> {
        if scope.nested > 0 || !scope.own || region.is_empty() {
            return None;
        }
        self.finish_step(scope);
        scope.several = false;
        let own_steps = &self.steps[scope.first_step..];
        if let Some(i) = own_steps.iter().rposition(|step| step.region.covers(region)) {
            scope.step = Some(StepId((scope.first_step + i) as u32));
            return None;
        }
        let id = self.add_step(scope, kind, span, region);
        scope.code.push(Code::Step(id));
        scope.step = Some(id);
        Some(id)
    }

    fn add_step(&mut self, scope: &Scope, kind: StepKind, span: Span, region: Span) -> StepId {
        let line = if region.is_empty() { 0 } else { self.unit.source.line(span.start) };
        let (function, visible) = (scope.id, scope.in_scope());
        self.steps.push(Step { function, kind, span, region, line, visible, allocates: None });
        StepId(self.steps.len() as u32 - 1)
    }

    /// A step allocates a type if all its allocations are of that type.
    fn finish_step(&mut self, scope: &mut Scope) {
        let allocations = std::mem::take(&mut scope.allocations);
        if let (Some(step), Some(&first)) = (scope.step, allocations.first())
            && allocations.iter().all(|ty| *ty == first)
        {
            self.steps[step.index()].allocates = first;
        }
    }

    /// The closing brace; parameters and the outermost locals are in scope there.
    pub(super) fn exit_step(&mut self, scope: &mut Scope, brace: Span) -> StepId {
        self.finish_step(scope);
        let region = if scope.own { brace } else { Span::default() };
        self.add_step(scope, StepKind::Exit, brace, region)
    }

    // ----- declarations -----

    fn declare(&mut self, scope: &mut Scope, variables: &[VariableId], span: Span, kind: StepKind, region: Span) {
        let unit = self.unit.clone();
        let runs = |id: &VariableId| {
            let variable = &unit.variables[id.0 as usize];
            variable.storage == Storage::Local && (variable.init.is_some() || !variable.lengths.is_empty())
        };
        if variables.iter().any(runs) {
            self.step(scope, kind, span, region);
            scope.several = variables.iter().filter(|id| runs(id)).count() > 1;
        }
        for &id in variables {
            let variable = &unit.variables[id.0 as usize];
            let visible = match variable.storage {
                Storage::Static => Visible::Static(self.global_ids[&id].index()),
                _ => {
                    self.declare_local(scope, id);
                    Visible::Local(scope.variables[&id].index())
                }
            };
            scope.visible.push((variable.name.clone(), visible));
        }
    }

    fn declare_local(&mut self, scope: &mut Scope, id: VariableId) {
        let unit = self.unit.clone();
        let (variable, local) = (&unit.variables[id.0 as usize], scope.variables[&id]);
        match variable.lengths.is_empty() {
            true => scope.code.push(Code::Declare(local)),
            false => self.declare_variable_array(scope, id, local),
        }
        if let Some(init) = &variable.init {
            let place = Access {
                root: AccessRoot::Local(local),
                path: Vec::new(),
                ty: variable.ty,
                bits: None,
                span: variable.span,
            };
            self.initialise(scope, place, init);
        }
    }

    // ----- branches and loops -----

    fn if_statement(&mut self, scope: &mut Scope, span: Span, test: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let header = region::header(&self.unit.source, span, "if", test.span);
        let step = match fold(&self.types, test) {
            Some(_) => None,
            None => self.step(scope, StepKind::If, test.span, header),
        };
        let test = self.condition(scope, test);
        let then = Scope::collect(self, scope, |this, scope| this.nested_stmt(scope, then));
        let otherwise = Scope::collect(self, scope, |this, scope| {
            otherwise.into_iter().for_each(|statement| this.nested_stmt(scope, statement));
        });
        scope.code.push(Code::If { test, step, then, otherwise });
    }

    /// A statement that is a branch or body of another: a scope of its own.
    fn nested_stmt(&mut self, scope: &mut Scope, statement: &Stmt) {
        let outer = scope.visible.len();
        self.stmt(scope, statement);
        scope.visible.truncate(outer);
    }

    fn for_statement(
        &mut self,
        scope: &mut Scope,
        span: Span,
        init: Option<&Stmt>,
        test: Option<&Expr>,
        update: Option<&Expr>,
        body: &Stmt,
    ) {
        let outer = scope.visible.len();
        let clauses = region::clauses(&self.unit.source, span);
        let place = |i: usize, own: Span| clauses.map_or(own, |clauses| clauses[i]);
        match init.map(|init| (&init.kind, init.span)) {
            Some((StmtKind::Declare(variables), own)) => {
                // Its text has the semicolon, the clause has not.
                self.declare(scope, variables, own, StepKind::ForInit, place(0, own).to(own));
            }
            Some((StmtKind::Expr(e), own)) => {
                self.step(scope, StepKind::ForInit, own, place(0, own));
                self.effect(scope, e);
            }
            _ => {}
        }
        let test = test.map(|test| (test, place(1, test.span)));
        let update = update.map(|update| (update, place(2, update.span)));
        self.loop_statement(scope, LoopParts { span, test, body, update, body_first: false });
        scope.visible.truncate(outer);
    }

    fn loop_statement(&mut self, scope: &mut Scope, parts: LoopParts<'_>) {
        let (mut step, mut test) = (None, None);
        // Steps are numbered in the order of the text, so the body of a `do` goes first.
        let mut body = Vec::new();
        if parts.body_first {
            body = Scope::collect(self, scope, |this, scope| this.nested_stmt(scope, parts.body));
        }
        let condition = Scope::collect(self, scope, |this, scope| {
            if let Some((condition, region)) = parts.test {
                let constant = fold(&this.types, condition);
                if constant.is_none() {
                    step = this.step(scope, StepKind::Loop, condition.span, region);
                }
                if constant.is_none_or(|value| value == 0) {
                    test = Some(this.condition(scope, condition));
                }
            }
        });
        let before_update = scope.jumps.len();
        let update = Scope::collect(self, scope, |this, scope| {
            if let Some((update, region)) = parts.update {
                this.step(scope, StepKind::ForUpdate, update.span, region);
                this.effect(scope, update);
            }
        });
        let after_update = scope.jumps.len();
        if !parts.body_first {
            body = Scope::collect(self, scope, |this, scope| this.nested_stmt(scope, parts.body));
        }
        // A reader meets the body before the update.
        scope.jumps[before_update..].rotate_left(after_update - before_update);
        let LoopParts { span, body_first, .. } = parts;
        scope.code.push(Code::Loop(Box::new(Loop { body_first, step, condition, test, body, update, span })));
    }

    fn switch(&mut self, scope: &mut Scope, span: Span, value: &Expr, body: &Stmt) {
        let header = region::header(&self.unit.source, span, "switch", value.span);
        if fold(&self.types, value).is_none() {
            self.step(scope, StepKind::Switch, value.span, header);
        }
        let value = self.value(scope, value);
        scope.arms.push(Vec::new());
        scope.defaults.push(None);
        let body = Scope::collect(self, scope, |this, scope| this.nested_stmt(scope, body));
        let (arms, default) = (scope.arms.pop().unwrap_or_default(), scope.defaults.pop().flatten());
        scope.code.push(Code::Switch { value, arms, default, body });
    }

    fn return_statement(&mut self, scope: &mut Scope, span: Span, value: Option<&Expr>) {
        self.step(scope, StepKind::Return, span, span);
        let value = match value {
            // `return f();` in a function without result.
            Some(value) if self.types.size_of(value.ty) == 0 && !matches!(value.kind, ExprKind::Unsupported(_)) => {
                self.effect(scope, value);
                None
            }
            Some(value) => Some(self.value(scope, value)),
            None => None,
        };
        scope.code.push(Code::Return(value));
    }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| !c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

struct LoopParts<'a> {
    span: Span,
    test: Option<(&'a Expr, Span)>,
    body: &'a Stmt,
    update: Option<(&'a Expr, Span)>,
    body_first: bool,
}
