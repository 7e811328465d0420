//! Calls for operands: `x` or `x + 1` to `f()`.
//!
//! Only functions without parameters that do nothing but compute their result
//! are called: they change nothing, call nothing and have no loops. So a call
//! can stand anywhere, and never comes back to the function that it is in. Such
//! functions get no calls themselves, or else the calls would nest.

use std::sync::Arc;

use c_syntax::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Unit, VariableId};
use c_types::{Type, TypeId};

use super::condition::is_pure;

/// A function that can be called anywhere.
pub struct Plain {
    pub name: Arc<str>,
    /// The type of its result.
    pub result: TypeId,
    /// The variables that it reads.
    pub reads: Vec<VariableId>,
    ty: TypeId,
    /// It is known behind this place.
    from: u32,
}

/// All functions of a file that can be called anywhere behind them.
pub fn all(unit: &Unit) -> Vec<Plain> {
    unit.functions.iter().filter_map(|function| plain(unit, function)).collect()
}

impl Plain {
    /// Whether it is defined before another function.
    pub fn is_before(&self, function: &Function) -> bool {
        self.from <= function.span.start
    }

    /// Its call in the place of an expression.
    pub fn call(&self, like: &Expr) -> Expr {
        let callee = Expr::new(ExprKind::Function(self.name.clone()), self.ty, like.span);
        Expr::new(ExprKind::Call(Box::new(callee), Vec::new()), self.result, like.span)
    }
}

fn plain(unit: &Unit, function: &Function) -> Option<Plain> {
    let Type::Function(signature) = unit.types.get(function.ty) else { return None };
    let mut reads = Vec::new();
    let is_candidate = function.own && function.parameters.is_empty() && unit.types.is_integer(signature.result);
    let fits = is_candidate && &*function.name != "main" && only_computes(unit, &function.body, &mut reads);
    let (name, ty, result) = (function.name.clone(), function.ty, signature.result);
    fits.then_some(Plain { name, result, reads, ty, from: function.span.end })
}

/// Whether statements only compute a value; the variables that they read.
fn only_computes(unit: &Unit, statements: &[Stmt], reads: &mut Vec<VariableId>) -> bool {
    statements.iter().all(|statement| match &statement.kind {
        StmtKind::Block(inner) => only_computes(unit, inner, reads),
        StmtKind::Declare(variables) => variables.iter().all(|&id| is_plain_local(unit, id, reads)),
        StmtKind::If(test, then, otherwise) => {
            is_pure(test, reads)
                && only_computes(unit, std::slice::from_ref(then), reads)
                && otherwise.iter().all(|other| only_computes(unit, std::slice::from_ref(other), reads))
        }
        StmtKind::Return(Some(value)) => is_pure(value, reads),
        StmtKind::Empty => true,
        _ => false,
    })
}

fn is_plain_local(unit: &Unit, id: VariableId, reads: &mut Vec<VariableId>) -> bool {
    let variable = &unit.variables[id.0 as usize];
    variable.storage == Storage::Local && variable.init.as_ref().is_none_or(|init| is_pure(init, reads))
}
