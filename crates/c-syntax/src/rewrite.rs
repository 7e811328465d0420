//! Changes expressions of a program in place.
//!
//! `x` in `y = x;` may be a variable, its value, and that value converted:
//! three nodes with one text. Only the outermost of them is offered.

use crate::{Expr, ExprKind, Span, Stmt, StmtKind, Unit, Variable};

/// Offers every expression of the user's functions, inner ones before outer ones.
pub fn rewrite(unit: &mut Unit, change: &mut dyn FnMut(&mut Expr)) {
    let mut rewriter = Rewriter { variables: std::mem::take(&mut unit.variables), change };
    for function in unit.functions.iter_mut().filter(|function| function.own) {
        function.body.iter_mut().for_each(|statement| rewriter.statement(statement));
    }
    unit.variables = rewriter.variables;
}

struct Rewriter<'a> {
    variables: Vec<Variable>,
    change: &'a mut dyn FnMut(&mut Expr),
}

impl Rewriter<'_> {
    fn statement(&mut self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::Block(inner) => inner.iter_mut().for_each(|inner| self.statement(inner)),
            StmtKind::Declare(variables) => {
                for id in variables {
                    let mut init = self.variables[id.0 as usize].init.take();
                    init.iter_mut().for_each(|init| self.whole(init));
                    self.variables[id.0 as usize].init = init;
                }
            }
            StmtKind::Expr(e) => self.whole(e),
            StmtKind::If(test, then, otherwise) => {
                self.whole(test);
                self.statement(then);
                otherwise.iter_mut().for_each(|otherwise| self.statement(otherwise));
            }
            StmtKind::While(test, body) | StmtKind::Do(body, test) | StmtKind::Switch(test, body) => {
                self.whole(test);
                self.statement(body);
            }
            StmtKind::For(init, test, update, body) => {
                init.iter_mut().for_each(|init| self.statement(init));
                test.iter_mut().chain(update).for_each(|e| self.whole(e));
                self.statement(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(value) => value.iter_mut().for_each(|value| self.whole(value)),
            StmtKind::Optional { statement, .. } => self.statement(statement),
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Empty | StmtKind::Unsupported(_) => {}
        }
    }

    fn whole(&mut self, e: &mut Expr) {
        self.expr(e, None);
    }

    fn expr(&mut self, e: &mut Expr, around: Option<Span>) {
        self.parts(e);
        if around != Some(e.span) {
            (self.change)(e);
        }
    }

    fn parts(&mut self, e: &mut Expr) {
        use ExprKind::*;
        let span = Some(e.span);
        match &mut e.kind {
            Unary(_, a) | Load(a) | Decay(a) | Convert(a) | Discard(a) | UnionInit(_, a) | VaArg(a) => {
                self.expr(a, span);
            }
            Member { base: a, .. } | Choice { of: a, .. } => self.expr(a, span),
            Binary(_, a, b) | And(a, b) | Or(a, b) | Comma(a, b) | Elvis(a, b) | Index(a, b) => {
                [a, b].into_iter().for_each(|e| self.expr(e, span));
            }
            Assign(a, b) | Compound(_, a, b, _) => [a, b].into_iter().for_each(|e| self.expr(e, span)),
            Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e, span)),
            Call(callee, arguments) => {
                self.expr(callee, span);
                arguments.iter_mut().for_each(|argument| self.expr(argument, span));
            }
            InitList(entries) => entries.iter_mut().for_each(|entry| self.expr(entry, span)),
            Statements(inner) => inner.iter_mut().for_each(|inner| self.statement(inner)),
            Int(_) | Float(_) | Text(_) | Variable(_) | Function(_) | Zero => {}
            SizeOfVariable(_) | CompoundLiteral(_) | Unsupported(_) => {}
        }
    }
}
