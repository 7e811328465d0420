//! The independent check of a diagnosis: the interpreter runs the program with
//! given values in the place of the expressions.
//!
//! With `r = x;` replaced by the values 7 and 9, the program runs as
//! `r = values[count++];` with `values` being `{7, 9}`. Nothing of the formula
//! is in this: the values are all that is taken from it.

use c_syntax::{Expr, ExprKind, UnaryOp};
use c_types::Type;
use check::{Example, Side, Task, confirm};

use super::component::Component;
use super::instrument::{Instrument, converted};

/// Whether an input goes well if expressions have these values, in the order of the run.
///
/// An expression without a value stays as it is; one that is evaluated more often than it has values goes wrong.
pub fn goes_well(task: &Task, components: &[&Component], values: &[Vec<i128>], example: &Example) -> bool {
    let side = with_values(&task.program, components, values);
    matches!(confirm(task, &side, example), Ok(None))
}

fn with_values(side: &Side, components: &[&Component], values: &[Vec<i128>]) -> Side {
    let mut instrument = Instrument::new(side);
    let replaced = components.iter().zip(values).filter(|(_, values)| !values.is_empty());
    for (number, (component, values)) in replaced.enumerate() {
        let value = next_value(&mut instrument, number, component, values);
        instrument.replace(component.span, move |_| value.clone());
    }
    instrument.finish()
}

/// `values[count++]`, in the type of a component.
fn next_value(instrument: &mut Instrument<'_>, number: usize, component: &Component, values: &[i128]) -> Expr {
    let (span, ty) = (component.span, component.expr.ty);
    let types = &mut instrument.unit.types;
    let int = types.int(4, true);
    let ty = if component.role.is_truth() { int } else { ty };
    let array = types.intern(Type::Array(ty, Some(values.len() as u64)));
    let pointer = types.pointer_to(ty);
    let all = instrument.unknown(&format!("wolverine_values_{number}"), array);
    let count = instrument.unknown(&format!("wolverine_count_{number}"), int);
    let items = values.iter().map(|value| Expr::new(ExprKind::Int(*value), ty, span)).collect();
    instrument.unit.variables[all.0 as usize].init = Some(Expr::new(ExprKind::InitList(items), array, span));
    let place = |id, ty| Box::new(Expr::new(ExprKind::Variable(id), ty, span));
    let first = Box::new(Expr::new(ExprKind::Decay(place(all, array)), pointer, span));
    let next = Box::new(Expr::new(ExprKind::Unary(UnaryOp::PostIncrement, place(count, int)), int, span));
    let element = Box::new(Expr::new(ExprKind::Index(first, next), ty, span));
    converted(Expr::new(ExprKind::Load(element), ty, span), ty)
}
