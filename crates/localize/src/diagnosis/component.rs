//! Components: the expressions of a program that may be wrong (K §III-A).
//!
//! In `r = x; if (y > x) r = a[i];` these are the right-hand sides `x` and
//! `a[i]`, the condition `y > x`, and the index `i`. What is asserted or
//! assumed is none: the program is measured by it.

use std::sync::Arc;

use c_syntax::{Expr, ExprKind, Scope, Span, Stmt, StmtKind, Storage, UnaryOp, Unit, VariableId};
use check::Side;
use solver::Sort;

/// Calls that say that something went wrong, or that it cannot.
const VERDICTS: &[&str] = &[
    "__assert_fail",
    "abort",
    "reach_error",
    "__VERIFIER_error",
    "assert",
    "assume",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__CPROVER_assert",
    "__CPROVER_assume",
];

/// An expression that may be wrong.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its text.
    pub span: Span,
    /// What it is for.
    pub role: Role,
    /// Its type in C: an integer type.
    pub type_name: &'static str,
    /// The function it is in.
    pub function: Arc<str>,
    /// The variables in scope, outermost first.
    pub scope: Vec<VariableId>,
    /// The expression.
    pub expr: Expr,
    /// What it is made of.
    pub shape: Shape,
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `left OP right`, a comparison.
    Comparison(Expr, Expr),
    /// `a && b && c`, or with `||`.
    Chain {
        /// Whether it is `&&`.
        is_and: bool,
        /// Its parts.
        members: Vec<Expr>,
    },
    /// Another truth value.
    Truth,
    /// Another value.
    Value,
}

impl Component {
    /// The sort of its values, and whether they are signed.
    pub fn sort(&self) -> (Sort, bool) {
        match self.type_name {
            "_Bool" => (Sort::Bool, false),
            "signed char" => (Sort::Bits(8), true),
            "unsigned char" => (Sort::Bits(8), false),
            "short" => (Sort::Bits(16), true),
            "unsigned short" => (Sort::Bits(16), false),
            "int" => (Sort::Bits(32), true),
            "unsigned" => (Sort::Bits(32), false),
            "long" => (Sort::Bits(64), true),
            _ => (Sort::Bits(64), false),
        }
    }
}

/// What an expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The right-hand side of an assignment, or an initialiser.
    Assignment,
    /// The condition of `if`, a loop or `?:`.
    Condition,
    /// A part of a condition that is no `&&` or `||` itself.
    Atom,
    /// What a function returns.
    Return,
    /// An argument of a call.
    Argument,
    /// An index.
    Index,
    /// The value of a `switch`.
    Switch,
    /// One of the two values of `?:`.
    Branch,
}

impl Role {
    /// Whether only its truth counts.
    pub fn is_truth(self) -> bool {
        matches!(self, Role::Condition | Role::Atom)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Role::Assignment => "assigned value",
            Role::Condition => "condition",
            Role::Atom => "part of a condition",
            Role::Return => "returned value",
            Role::Argument => "argument",
            Role::Index => "index",
            Role::Switch => "value of the switch",
            Role::Branch => "value of ?:",
        }
    }
}

/// Which expressions are components.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Right-hand sides of assignments.
    pub assignments: bool,
    /// Conditions.
    pub conditions: bool,
    /// Returned values, arguments and indices.
    pub others: bool,
    /// The parts of `&&`, `||` and `!` by themselves, beside the whole expressions.
    pub atoms: bool,
    /// Only in these functions; in all if none is named.
    pub functions: Vec<String>,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted { assignments: true, conditions: true, others: true, atoms: false, functions: vec![] }
    }
}

impl Wanted {
    fn has(&self, role: Role) -> bool {
        match role {
            Role::Assignment | Role::Branch => self.assignments,
            Role::Condition | Role::Switch => self.conditions,
            Role::Atom => self.atoms,
            Role::Return | Role::Argument | Role::Index => self.others,
        }
    }
}

/// The components of the user's own functions, in the order of the text, outer ones first.
pub fn components(side: &Side, wanted: &Wanted) -> Vec<Component> {
    let unit = &side.unit;
    let mut found = Vec::new();
    for function in unit.functions.iter().filter(|function| function.own) {
        let is_wanted = wanted.functions.is_empty() || wanted.functions.iter().any(|name| **name == *function.name);
        let is_own = (function.span.start as usize) < side.own && !VERDICTS.contains(&&*function.name);
        if !is_own || !is_wanted {
            continue;
        }
        let mut walk = Walk { unit, wanted, function: function.name.clone(), scope: Scope::of(unit, function), found };
        walk.statements(&function.body);
        found = walk.found;
    }
    found.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end), one.role));
    // A macro may use its argument twice, and what has one text is one component.
    found.dedup_by_key(|one| one.span);
    found
}

/// The type of an integer in C, if it is one.
pub fn type_name(unit: &Unit, ty: c_types::TypeId) -> Option<&'static str> {
    if !unit.types.is_integer(ty) {
        return None;
    }
    Some(match (unit.types.size_of(ty), unit.types.is_signed(ty)) {
        (1, _) if *unit.types.get(ty) == c_types::Type::Bool => "_Bool",
        (1, true) => "signed char",
        (1, false) => "unsigned char",
        (2, true) => "short",
        (2, false) => "unsigned short",
        (4, true) => "int",
        (4, false) => "unsigned",
        (8, true) => "long",
        (8, false) => "unsigned long",
        _ => return None,
    })
}

struct Walk<'a> {
    unit: &'a Unit,
    wanted: &'a Wanted,
    function: Arc<str>,
    scope: Scope,
    found: Vec<Component>,
}

impl Walk<'_> {
    fn statements(&mut self, statements: &[Stmt]) {
        let entered = self.scope.enter();
        statements.iter().for_each(|statement| self.statement(statement));
        self.scope.leave(entered);
    }

    fn inner(&mut self, statement: &Stmt) {
        self.statements(std::slice::from_ref(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::Declare(variables) => variables.iter().for_each(|&id| self.declare(id, statement.span)),
            StmtKind::Expr(e) => self.whole(e),
            StmtKind::If(test, then, otherwise) => {
                let is_verdict = says(then) || otherwise.as_ref().is_some_and(|other| says(other));
                if !is_verdict {
                    self.condition(test, statement.span);
                }
                self.inner(then);
                otherwise.iter().for_each(|other| self.inner(other));
            }
            StmtKind::While(test, body) | StmtKind::Do(body, test) => {
                self.condition(test, statement.span);
                self.inner(body);
            }
            StmtKind::For(init, test, update, body) => {
                let entered = self.scope.enter();
                init.iter().for_each(|init| self.statement(init));
                test.iter().for_each(|test| self.condition(test, statement.span));
                update.iter().for_each(|update| self.whole(update));
                self.inner(body);
                self.scope.leave(entered);
            }
            StmtKind::Switch(value, body) => {
                self.add(value, Role::Switch, statement.span);
                self.expr(value);
                self.inner(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(Some(value)) => {
                self.add(value, Role::Return, statement.span);
                self.atoms(value, statement.span);
                self.expr(value);
            }
            _ => {}
        }
    }

    fn declare(&mut self, id: VariableId, statement: Span) {
        let variable = &self.unit.variables[id.0 as usize];
        if variable.storage == Storage::Local
            && let Some(init) = &variable.init
        {
            self.add(init, Role::Assignment, statement);
            self.atoms(init, statement);
            self.expr(init);
        }
        self.scope.declare(id);
    }

    fn whole(&mut self, e: &Expr) {
        if !calls_verdict(e) {
            self.expr(e);
        }
    }

    fn condition(&mut self, test: &Expr, statement: Span) {
        if calls_verdict(test) {
            return;
        }
        self.add(test, Role::Condition, statement);
        self.atoms(test, statement);
        self.expr(test);
    }

    fn atoms(&mut self, test: &Expr, statement: Span) {
        match &test.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                for side in [a, b] {
                    if !matches!(side.kind, ExprKind::And(..) | ExprKind::Or(..)) {
                        self.add(side, Role::Atom, statement);
                    }
                    self.atoms(side, statement);
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                self.add(inner, Role::Atom, statement);
                self.atoms(inner, statement);
            }
            ExprKind::Convert(inner) => self.atoms(inner, statement),
            _ => {}
        }
    }

    /// Components inside of an expression.
    fn expr(&mut self, e: &Expr) {
        use ExprKind::*;
        match &e.kind {
            Assign(place, value) | Compound(_, place, value, _) => {
                self.expr(place);
                self.add(value, Role::Assignment, e.span);
                self.atoms(value, e.span);
                self.expr(value);
            }
            Conditional(test, yes, no) => {
                self.add(test, Role::Condition, e.span);
                self.atoms(test, e.span);
                [yes, no].into_iter().for_each(|value| self.add(value, Role::Branch, e.span));
                [test, yes, no].into_iter().for_each(|e| self.expr(e));
            }
            Call(callee, arguments) => {
                self.expr(callee);
                for argument in arguments {
                    self.add(argument, Role::Argument, e.span);
                    self.expr(argument);
                }
            }
            Index(pointer, index) => {
                self.expr(pointer);
                self.add(index, Role::Index, e.span);
                self.expr(index);
            }
            Unary(_, a) | Load(a) | Decay(a) | Convert(a) | Discard(a) | UnionInit(_, a) | Member { base: a, .. } => {
                self.expr(a);
            }
            Binary(_, a, b) | And(a, b) | Or(a, b) | Comma(a, b) | Elvis(a, b) => {
                [a, b].into_iter().for_each(|e| self.expr(e));
            }
            InitList(entries) => entries.iter().for_each(|entry| self.expr(entry)),
            Statements(inner) => self.statements(inner),
            _ => {}
        }
    }

    /// What has the place of all that is around it comes from the body of a macro.
    fn add(&mut self, e: &Expr, role: Role, around: Span) {
        let is_written = !e.span.is_empty() && e.span != around && around.covers(e.span);
        if !self.wanted.has(role) || !is_written || is_text(e) {
            return;
        }
        // Pointers are tested for not being null.
        let type_name = match type_name(self.unit, e.ty) {
            Some(_) if role.is_truth() => "_Bool",
            Some(name) => name,
            None if role.is_truth() && self.unit.types.is_pointer(e.ty) => "_Bool",
            None => return,
        };
        let (function, scope) = (self.function.clone(), self.scope.visible(self.unit));
        let is_written = |id: &VariableId| {
            let variable = &self.unit.variables[id.0 as usize];
            self.unit.source.text(variable.span) == *variable.name
        };
        let scope = scope.into_iter().filter(is_written).collect();
        let (expr, shape) = (e.clone(), shape(e, role));
        self.found.push(Component { span: e.span, role, type_name, function, scope, expr, shape });
    }
}

fn shape(e: &Expr, role: Role) -> Shape {
    let inner = without_conversions(e);
    match &inner.kind {
        ExprKind::Binary(op, left, right) if op.is_comparison() => {
            Shape::Comparison((**left).clone(), (**right).clone())
        }
        ExprKind::And(..) | ExprKind::Or(..) => {
            let is_and = matches!(inner.kind, ExprKind::And(..));
            let mut parts = vec![];
            members(inner, is_and, &mut parts);
            Shape::Chain { is_and, members: parts }
        }
        ExprKind::Unary(UnaryOp::Not, _) => Shape::Truth,
        _ if role.is_truth() => Shape::Truth,
        _ => Shape::Value,
    }
}

fn members(e: &Expr, is_and: bool, found: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::And(a, b) if is_and => [a, b].into_iter().for_each(|e| members(e, is_and, found)),
        ExprKind::Or(a, b) if !is_and => [a, b].into_iter().for_each(|e| members(e, is_and, found)),
        _ => found.push(e.clone()),
    }
}

fn without_conversions(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) => without_conversions(inner),
        _ => e,
    }
}

/// Whether a statement only says that something went wrong.
fn says(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Block(inner) => inner.first().is_some_and(says),
        StmtKind::Expr(e) => calls_verdict(e),
        StmtKind::Label(_, inner) => says(inner),
        _ => false,
    }
}

fn is_text(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Text(_) => true,
        ExprKind::Convert(inner) | ExprKind::Decay(inner) => is_text(inner),
        _ => false,
    }
}

/// Whether an expression calls a function that judges.
fn calls_verdict(e: &Expr) -> bool {
    use ExprKind::*;
    let any = |parts: &[&Expr]| parts.iter().any(|part| calls_verdict(part));
    match &e.kind {
        Function(name) => VERDICTS.contains(&&**name),
        Unary(_, a) | Load(a) | Decay(a) | Convert(a) | Discard(a) | UnionInit(_, a) | Member { base: a, .. } => {
            any(&[a])
        }
        Binary(_, a, b) | And(a, b) | Or(a, b) | Comma(a, b) | Elvis(a, b) => any(&[a, b]),
        Assign(a, b) | Compound(_, a, b, _) | Index(a, b) => any(&[a, b]),
        Conditional(a, b, c) => any(&[a, b, c]),
        Call(callee, arguments) => calls_verdict(callee) || arguments.iter().any(calls_verdict),
        Statements(inner) => inner.iter().any(statement_says),
        _ => false,
    }
}

fn statement_says(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::If(_, then, otherwise) => says(then) || otherwise.as_ref().is_some_and(|other| says(other)),
        _ => says(statement),
    }
}
