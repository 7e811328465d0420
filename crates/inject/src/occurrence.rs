//! Where expressions stand that a fault can change.
//!
//! In `while (current->next->value < 5)` these are `current`, `current->next`,
//! `current->next->value`, the operator `<` and the constant `5`. Names of
//! functions, declarators, operands of `sizeof` and the insides of macros are none.

use std::collections::HashSet;
use std::sync::Arc;

use c_syntax::{BinaryOp, Expr, ExprKind, Function, Scope, Span, Stmt, StmtKind, Storage, UnaryOp, Unit, VariableId};
use c_types::{RecordId, TypeId};

use crate::{deletion, operator};

/// A place where something can be changed.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    /// Its bytes.
    pub span: Span,
    /// The statement, condition or clause around it.
    pub statement: Span,
    /// The variables that can be named here.
    pub visible: Arc<[VariableId]>,
    /// What stands there.
    pub kind: OccurrenceKind,
}

#[derive(Clone, Debug)]
pub(crate) enum OccurrenceKind {
    Variable {
        ty: TypeId,
        /// Whether its value is used as it is, so that `NULL` could stand here.
        plain: bool,
    },
    Field {
        ty: TypeId,
        plain: bool,
        record: RecordId,
        index: u32,
        /// The bytes of the name of the member.
        name: Span,
        /// The type of the variable or member that it is taken of, if it is one: that is a place of its own.
        base: Option<TypeId>,
    },
    /// `NULL` as a pointer of this type.
    Null(TypeId),
    /// An integer that is written in decimal.
    Constant(i128),
    /// The operator of a comparison.
    Comparison { op: BinaryOp, pointers: bool },
}

/// Everything that can be changed or deleted in a function.
#[derive(Default)]
pub(crate) struct Found {
    pub occurrences: Vec<Occurrence>,
    /// Statements that can be deleted.
    pub deletable: Vec<Span>,
}

/// Finds what can be changed or deleted in a function.
pub(crate) fn find(unit: &Unit, function: &Function) -> Found {
    let mut walk = Walk {
        unit,
        macro_uses: unit.macro_uses.iter().copied().collect(),
        scope: Scope::of(unit, function),
        visible: Arc::new([]),
        statement: Span::default(),
        nested: 0,
        seen: HashSet::new(),
        found: Found::default(),
    };
    walk.statements(&function.body);
    walk.found.occurrences.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    walk.found
}

/// How the value of an expression is used by what is around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is a value like any other.
    Value,
    /// It is followed, called or counted from, where C does not take `NULL`.
    Address,
    /// It is written to, or its address is taken.
    Place,
}

struct Walk<'a> {
    unit: &'a Unit,
    macro_uses: HashSet<Span>,
    scope: Scope,
    visible: Arc<[VariableId]>,
    statement: Span,
    /// How many `({ … })` and heads of `for` are around.
    nested: usize,
    /// A macro may use its argument several times: it is one place.
    seen: HashSet<Span>,
    found: Found,
}

impl Walk<'_> {
    fn statements(&mut self, statements: &[Stmt]) {
        let entered = self.scope.enter();
        statements.iter().for_each(|statement| self.statement(statement));
        self.scope.leave(entered);
    }

    fn statement(&mut self, statement: &Stmt) {
        use StmtKind::*;
        match &statement.kind {
            Block(inner) => self.statements(inner),
            Declare(variables) => variables.iter().for_each(|&variable| self.declare(statement.span, variable)),
            Expr(expr) => self.expression_statement(statement.span, expr),
            If(condition, then, otherwise) => {
                self.whole(condition.span, condition);
                self.statement(then);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            While(condition, body) | Do(body, condition) | Switch(condition, body) => {
                self.whole(condition.span, condition);
                self.statement(body);
            }
            For(first, condition, last, body) => {
                let entered = self.scope.enter();
                self.nested += 1;
                first.iter().for_each(|first| self.statement(first));
                self.nested -= 1;
                condition.iter().chain(last).for_each(|clause| self.whole(clause.span, clause));
                self.statement(body);
                self.scope.leave(entered);
            }
            Case(_, _, inner) | Default(inner) | Label(_, inner) => self.statement(inner),
            Return(Some(value)) => self.whole(statement.span, value),
            Optional { statement, .. } => self.statement(statement),
            Return(None) | Goto(_) | Break | Continue | Empty | Unsupported(_) => {}
        }
    }

    fn declare(&mut self, statement: Span, id: VariableId) {
        let variable = &self.unit.variables[id.0 as usize];
        // The initialiser of a static variable is a constant, and a variable is not yet there in its own.
        if let Some(init) = variable.init.as_ref().filter(|_| variable.storage == Storage::Local) {
            self.whole(statement, init);
        }
        self.scope.declare(id);
    }

    fn expression_statement(&mut self, span: Span, expr: &Expr) {
        if self.nested == 0 && !self.macro_uses.contains(&span) && deletion::is_assignment(expr) {
            self.found.deletable.push(span);
        }
        self.whole(span, expr);
    }

    /// An expression that is not part of another one.
    fn whole(&mut self, statement: Span, expr: &Expr) {
        let around = (self.statement, self.visible.clone());
        (self.statement, self.visible) = (statement, self.scope.visible(self.unit).into());
        self.expr(expr, Role::Value);
        (self.statement, self.visible) = around;
    }

    fn expr(&mut self, expr: &Expr, role: Role) {
        use ExprKind::*;
        match &expr.kind {
            Variable(id) => self.variable(expr, *id, role),
            Member { base, record, index, name } => self.member(expr, base, (*record, *index, *name), role),
            Int(value) => self.constant(expr, *value),
            Convert(inner) => match self.is_null(expr) {
                true => self.note(expr.span, OccurrenceKind::Null(expr.ty)),
                false => self.expr(inner, role),
            },
            Load(inner) | Discard(inner) | UnionInit(_, inner) => self.expr(inner, role),
            Index(pointer, index) => {
                self.expr(pointer, Role::Address);
                self.expr(index, Role::Value);
            }
            Unary(op, inner) => self.expr(inner, operand_role(*op)),
            Binary(op, left, right) => self.binary(*op, left, right),
            Assign(to, value) | Compound(_, to, value, _) => {
                self.expr(to, Role::Place);
                self.expr(value, Role::Value);
            }
            And(a, b) | Or(a, b) | Comma(a, b) | Elvis(a, b) => {
                self.expr(a, Role::Value);
                self.expr(b, Role::Value);
            }
            Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| self.expr(part, Role::Value)),
            Call(callee, arguments) => {
                self.expr(callee, Role::Address);
                arguments.iter().for_each(|argument| self.expr(argument, Role::Value));
            }
            Decay(inner) | VaArg(inner) => self.expr(inner, Role::Place),
            InitList(parts) => parts.iter().for_each(|part| self.expr(part, Role::Value)),
            CompoundLiteral(id) => {
                let init = &self.unit.variables[id.0 as usize].init;
                init.iter().for_each(|init| self.expr(init, Role::Value));
            }
            Statements(inner) => {
                self.nested += 1;
                self.statements(inner);
                self.nested -= 1;
            }
            Choice { of, .. } => self.expr(of, role),
            Float(_) | Text(_) | Function(_) | Zero | SizeOfVariable(_) | Unsupported(_) => {}
        }
    }

    fn variable(&mut self, expr: &Expr, id: VariableId, role: Role) {
        if self.text(expr.span) == *self.unit.variables[id.0 as usize].name {
            self.note(expr.span, OccurrenceKind::Variable { ty: expr.ty, plain: role == Role::Value });
        }
    }

    fn member(&mut self, expr: &Expr, base: &Expr, (record, index, name): (RecordId, u32, Span), role: Role) {
        let field = &self.unit.types.record(record).fields[index as usize];
        // A member of an unnamed member has a name in the text only for the innermost one.
        let is_written = !field.name.is_empty() && expr.span.end == name.end && self.text(name) == field.name;
        if is_written {
            let (ty, plain, base) = (expr.ty, role == Role::Value, place_type(base));
            self.note(expr.span, OccurrenceKind::Field { ty, plain, record, index, name, base });
        }
        self.expr(base, Role::Place);
    }

    fn constant(&mut self, expr: &Expr, value: i128) {
        // Enum constants, characters and `sizeof` are integers too, but none that people mistype by one.
        if self.text(expr.span).parse() == Ok(value) {
            self.note(expr.span, OccurrenceKind::Constant(value));
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        if let Some(span) = operator::find(&self.unit.source, op, left.span, right.span) {
            self.note(span, OccurrenceKind::Comparison { op, pointers: self.unit.types.is_pointer(left.ty) });
        }
        let role = if op.is_comparison() { Role::Value } else { Role::Address };
        self.expr(left, role);
        self.expr(right, role);
    }

    /// Whether this is `NULL`, or a zero in its place, converted to the pointer it is needed as.
    fn is_null(&self, expr: &Expr) -> bool {
        let is_written = matches!(self.text(expr.span).as_str(), "NULL" | "0");
        is_written && self.unit.types.is_pointer(expr.ty) && is_zero(expr)
    }

    fn note(&mut self, span: Span, kind: OccurrenceKind) {
        // What a macro's body makes has the place of the whole use. `NULL` is such a use, and replaced as a whole.
        let is_inside = self.macro_uses.contains(&span) && !matches!(kind, OccurrenceKind::Null(_));
        if !span.is_empty() && !is_inside && self.seen.insert(span) {
            let (statement, visible) = (self.statement, self.visible.clone());
            self.found.occurrences.push(Occurrence { span, statement, visible, kind });
        }
    }

    fn text(&self, span: Span) -> String {
        self.unit.source.text(span)
    }
}

fn operand_role(op: UnaryOp) -> Role {
    use UnaryOp::*;
    match op {
        Negate | Complement | Not => Role::Value,
        Deref => Role::Address,
        AddressOf | PreIncrement | PreDecrement | PostIncrement | PostDecrement => Role::Place,
    }
}

/// The type of the variable or member that the base of a member is: of `x` in `x.f` and `x->f`.
fn place_type(base: &Expr) -> Option<TypeId> {
    let is_place = |expr: &Expr| matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Member { .. });
    let place = match &base.kind {
        ExprKind::Unary(UnaryOp::Deref, inner) => match &inner.kind {
            ExprKind::Load(place) => place,
            _ => return None,
        },
        _ => base,
    };
    is_place(place).then_some(place.ty)
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Convert(inner) => is_zero(inner),
        _ => false,
    }
}
