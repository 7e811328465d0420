//! Conditions: a `!` too many or too few, an atom too many or too few.
//!
//! In `if (a && !b)` one can leave out `a &&`, `&& !b` or `!`, write `!a`, or
//! add the atoms of other conditions of the function: `if (a && !b && x < 3)`.

use c_syntax::{Change, Expr, ExprKind, Function, Stmt, StmtKind, UnaryOp, Unit, VariableId};

use super::Level;

/// How the value of an expression is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Only whether it is zero counts.
    Truth,
    /// As a value.
    Value,
    /// It is written to, or its address is taken.
    Place,
}

/// The connective right around an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    And,
    Or,
    Not,
    Nothing,
}

/// A part of a condition that is evaluated without side effects.
#[derive(Clone, Debug)]
pub struct Atom {
    pub expr: Expr,
    pub text: String,
    pub variables: Vec<VariableId>,
}

/// Whether the value is 0 or 1 by itself.
pub fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Choice { of, alternatives } => {
            alternatives.iter().any(|one| one.change.is_of_truth()) || is_truth(of)
        }
        _ => false,
    }
}

/// `a && b` and `a || b` without one side: what goes, and the change.
pub fn dropped(e: &Expr, role: Role) -> Vec<(&Expr, Change)> {
    let (ExprKind::And(left, right) | ExprKind::Or(left, right)) = &e.kind else { return Vec::new() };
    let stays = |side: &Expr| role == Role::Truth || is_truth(side);
    let mut found: Vec<(&Expr, Change)> = Vec::new();
    if stays(left) {
        found.push((right, Change::Left));
    }
    if stays(right) {
        found.push((left, Change::Right));
    }
    found
}

/// The level of a `!` too many or too few. A test of something that is no
/// comparison compares it with 0, so `x` to `!x` is `x != 0` to `x == 0`.
pub fn negation_level(e: &Expr, role: Role) -> Level {
    match &e.kind {
        ExprKind::And(..) | ExprKind::Or(..) => Level::Three,
        ExprKind::Unary(UnaryOp::Not, inner) if is_truth(inner) => Level::Three,
        _ if role == Role::Truth => Level::Two,
        _ => Level::Three,
    }
}

/// A `!` too many or too few.
pub fn negated(e: &Expr, role: Role, around: Around) -> Option<Change> {
    match &e.kind {
        // Other operators do the same.
        ExprKind::Binary(op, ..) if op.is_comparison() => None,
        ExprKind::Int(_) => None,
        ExprKind::Unary(UnaryOp::Not, inner) if role == Role::Truth || is_truth(inner) => Some(Change::Affirmed),
        _ if around == Around::Not => None,
        // That of a part of a chain is that of the chain or of an atom.
        ExprKind::And(..) if around == Around::And => None,
        ExprKind::Or(..) if around == Around::Or => None,
        _ if role == Role::Truth || is_truth(e) => Some(Change::Negated),
        _ => None,
    }
}

/// The connectives by which an atom can be added at `e`: whether it is `&&`.
/// What could be added to the chain around it is added there.
pub fn extensions(e: &Expr, role: Role, around: Around) -> Vec<bool> {
    let is_chain = matches!((&e.kind, around), (ExprKind::And(..), Around::And) | (ExprKind::Or(..), Around::Or));
    if (role != Role::Truth && !is_truth(e)) || is_chain || matches!(e.kind, ExprKind::Int(_)) {
        return Vec::new();
    }
    [true, false].into_iter().filter(|and| around != if *and { Around::And } else { Around::Or }).collect()
}

/// The atoms of all conditions of a function, each text once.
pub fn atoms(unit: &Unit, function: &Function) -> Vec<Atom> {
    let mut found = Atoms { unit, found: Vec::new() };
    function.body.iter().for_each(|statement| found.stmt(statement));
    found.found
}

struct Atoms<'a> {
    unit: &'a Unit,
    found: Vec<Atom>,
}

impl Atoms<'_> {
    fn stmt(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(inner) => inner.iter().for_each(|s| self.stmt(s)),
            StmtKind::Declare(variables) => {
                for id in variables {
                    self.unit.variables[id.0 as usize].init.iter().for_each(|e| self.expr(e, Role::Value));
                }
            }
            StmtKind::Expr(e) => self.expr(e, Role::Value),
            StmtKind::If(test, then, otherwise) => {
                self.expr(test, Role::Truth);
                self.stmt(then);
                otherwise.iter().for_each(|s| self.stmt(s));
            }
            StmtKind::While(test, body) | StmtKind::Do(body, test) => {
                self.expr(test, Role::Truth);
                self.stmt(body);
            }
            StmtKind::For(init, test, update, body) => {
                init.iter().for_each(|s| self.stmt(s));
                test.iter().for_each(|e| self.expr(e, Role::Truth));
                update.iter().for_each(|e| self.expr(e, Role::Value));
                self.stmt(body);
            }
            StmtKind::Switch(value, body) => {
                self.expr(value, Role::Value);
                self.stmt(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.stmt(body),
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e, Role::Value)),
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr, role: Role) {
        match &e.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => [a, b].into_iter().for_each(|e| self.expr(e, Role::Truth)),
            ExprKind::Unary(UnaryOp::Not, inner) if is_chain(inner) => self.expr(inner, Role::Truth),
            _ if role == Role::Truth || is_truth(e) => self.add(e),
            ExprKind::Conditional(test, yes, no) => {
                self.expr(test, Role::Truth);
                [yes, no].into_iter().for_each(|e| self.expr(e, Role::Value));
            }
            ExprKind::Assign(_, inner) | ExprKind::Convert(inner) | ExprKind::Discard(inner) => {
                self.expr(inner, Role::Value)
            }
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|e| self.expr(e, Role::Value)),
            _ => {}
        }
    }

    fn add(&mut self, e: &Expr) {
        let text = self.unit.source.text(e.span);
        let is_written = !e.span.is_empty() && !self.unit.macro_uses.contains(&e.span);
        let is_line = !text.contains(['\n', '"']) && !text.contains("//") && !text.contains("/*");
        let mut variables = Vec::new();
        let fits = is_written && is_line && is_pure(e, &mut variables) && !variables.is_empty();
        if fits && self.found.iter().all(|known| known.text != text) {
            self.found.push(Atom { expr: e.clone(), text, variables });
        }
    }
}

fn is_chain(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::And(..) | ExprKind::Or(..))
}

/// Whether nothing is changed or called; the variables that are read.
pub fn is_pure(e: &Expr, variables: &mut Vec<VariableId>) -> bool {
    use ExprKind::*;
    match &e.kind {
        Variable(id) => {
            variables.push(*id);
            true
        }
        Int(_) | Float(_) => true,
        Unary(op, inner) => {
            matches!(op, UnaryOp::Negate | UnaryOp::Complement | UnaryOp::Not | UnaryOp::Deref | UnaryOp::AddressOf)
                && is_pure(inner, variables)
        }
        Member { base: inner, .. } | Load(inner) | Decay(inner) | Convert(inner) => is_pure(inner, variables),
        Index(a, b) | Binary(_, a, b) | And(a, b) | Or(a, b) => is_pure(a, variables) && is_pure(b, variables),
        Conditional(a, b, c) => is_pure(a, variables) && is_pure(b, variables) && is_pure(c, variables),
        _ => false,
    }
}
