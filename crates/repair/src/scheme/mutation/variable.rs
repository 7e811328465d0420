//! Variables: `x` to another variable of its type that is in scope.
//!
//! `a[i] = k++` does not become `a[k] = k++`, whose meaning C leaves open.

use c_syntax::{Expr, ExprKind, Span, Storage, UnaryOp, Unit, VariableId};

/// The other variables of the type of `id`, of those that are visible.
pub fn others(unit: &Unit, id: VariableId, visible: &[VariableId]) -> Vec<VariableId> {
    let ty = unit.variables[id.0 as usize].ty;
    let is_scalar = unit.types.is_integer(ty) || unit.types.is_float(ty) || is_plain_pointer(unit, id);
    let fits = |other: &VariableId| *other != id && is_scalar && unit.variables[other.0 as usize].ty == ty;
    // What a pointer to a constant points to can not be written.
    let is_open =
        |other: &VariableId| !unit.types.is_pointer(ty) || !points_to_const(unit, *other) || points_to_const(unit, id);
    visible.iter().copied().filter(fits).filter(is_open).collect()
}

/// Pointers to arrays may be to rows of variable length, whose sizes belong to the variable.
fn is_plain_pointer(unit: &Unit, id: VariableId) -> bool {
    let variable = &unit.variables[id.0 as usize];
    let target = unit.types.target(variable.ty).filter(|_| unit.types.is_pointer(variable.ty));
    variable.lengths.is_empty()
        && target.is_some_and(|target| unit.types.target(target).is_none() || unit.types.is_pointer(target))
}

/// The value of another variable in the place of a read of one.
pub fn read(like: &Expr, other: VariableId) -> Expr {
    let ExprKind::Load(place) = &like.kind else { unreachable!("a variable is read") };
    Expr { kind: ExprKind::Load(Box::new(named(place, other))), ..like.clone() }
}

/// The value of a variable in the place of a constant.
pub fn value(like: &Expr, id: VariableId) -> Expr {
    let place = Expr::new(ExprKind::Variable(id), like.ty, like.span);
    Expr::new(ExprKind::Load(Box::new(place)), like.ty, like.span)
}

/// Another variable in the place of one.
pub fn named(like: &Expr, other: VariableId) -> Expr {
    Expr { kind: ExprKind::Variable(other), ..like.clone() }
}

/// Whether a variable is declared `const`, which types do not tell.
pub fn is_const(unit: &Unit, id: VariableId) -> bool {
    let text = declaration(unit, id);
    text.rsplit_once('*').map_or(&*text, |(_, after)| after).contains("const")
}

/// Whether a variable is declared as a pointer to what is `const`.
fn points_to_const(unit: &Unit, id: VariableId) -> bool {
    declaration(unit, id).rsplit_once('*').is_some_and(|(before, _)| before.contains("const"))
}

/// What stands before the name in the declaration.
fn declaration(unit: &Unit, id: VariableId) -> String {
    let variable = &unit.variables[id.0 as usize];
    let before = &unit.source.bytes[..(variable.span.start as usize).min(unit.source.bytes.len())];
    let is_border = |byte: &u8| match byte {
        b',' => variable.storage == Storage::Parameter,
        byte => matches!(byte, b';' | b'{' | b'}' | b'('),
    };
    let from = before.iter().rposition(is_border).map_or(0, |at| at + 1);
    String::from_utf8_lossy(&before[from..]).into_owned()
}

/// What an expression that is not part of another one does to variables.
#[derive(Clone, Default)]
pub struct Whole {
    /// Its text, if it is an assignment or a step itself.
    top: Option<Span>,
    /// What is assigned to or stepped inside of it.
    written: Vec<VariableId>,
    /// How often each variable is named.
    named: Vec<VariableId>,
}

impl Whole {
    pub fn of(e: &Expr) -> Whole {
        let mut top = e;
        while let ExprKind::Discard(inner) | ExprKind::Convert(inner) = &top.kind {
            top = inner;
        }
        let mut whole = Whole { top: written(top).map(|_| top.span), ..Whole::default() };
        whole.add(top, true);
        whole
    }

    fn add(&mut self, e: &Expr, is_top: bool) {
        if let ExprKind::Variable(id) = e.kind {
            self.named.push(id);
        }
        if let (Some(id), false) = (written(e), is_top) {
            self.written.push(id);
        }
        parts(e).into_iter().for_each(|part| self.add(part, false));
    }

    /// Whether it is clear what a variable is where it is read.
    pub fn can_read(&self, id: VariableId) -> bool {
        !self.written.contains(&id)
    }

    /// Whether it is clear what becomes of a variable that `e` assigns to or steps.
    pub fn can_write(&self, id: VariableId, e: &Expr) -> bool {
        match self.top == Some(e.span) {
            true => !self.written.contains(&id),
            false => !self.named.contains(&id),
        }
    }
}

/// The variable that an expression assigns to or steps.
fn written(e: &Expr) -> Option<VariableId> {
    use UnaryOp::*;
    let place = match &e.kind {
        ExprKind::Assign(place, _) | ExprKind::Compound(_, place, _, _) => place,
        ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement, place) => place,
        _ => return None,
    };
    if let ExprKind::Variable(id) = place.kind { Some(id) } else { None }
}

fn parts(e: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &e.kind {
        Unary(_, a) | Load(a) | Decay(a) | Convert(a) | Discard(a) | UnionInit(_, a) | Member { base: a, .. } => {
            vec![a]
        }
        Index(a, b) | Binary(_, a, b) | Compound(_, a, b, _) | Assign(a, b) => vec![a, b],
        And(a, b) | Or(a, b) | Comma(a, b) | Elvis(a, b) => vec![a, b],
        Conditional(a, b, c) => vec![a, b, c],
        Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).collect(),
        InitList(entries) => entries.iter().collect(),
        _ => Vec::new(),
    }
}
