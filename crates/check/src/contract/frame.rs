//! `assigns`: everything else is as it was.

use c_syntax::BinaryOp;
use spec::contract::{Binary, ContractError, Scope, Term, TermKind, Unary};

use super::shape::{base, bounds};
use super::{Cells, Writer};

/// Conditions `if (…)` under which something else was changed.
pub(super) fn checks(
    places: &[Term],
    writer: &Writer,
    scope: &Scope<'_>,
    cells: &[Cells],
    globals: &[(String, String)],
) -> Result<Vec<String>, ContractError> {
    let mut found = vec![];
    for Cells { name, array, count, .. } in cells {
        let mut free = vec![];
        for place in places.iter().filter(|place| is_of(place, name)) {
            free.push(free_cells(place, writer, scope)?);
        }
        let element = scope.variable(name).and_then(|ty| scope.unit.types.target(ty));
        let Some(element) = element else { continue };
        let Some(differs) =
            differs(scope, element, &format!("{array}[wolverine_k]"), &format!("wolverine_old_{name}[wolverine_k]"))
        else {
            continue;
        };
        if free.iter().any(|cells| cells == "1") {
            continue;
        }
        let kept = if free.is_empty() { String::new() } else { format!("!({}) && ", free.join(" || ")) };
        found.push(format!("for (int wolverine_k = 0; wolverine_k < {count}; wolverine_k++) if ({kept}({differs}))"));
    }
    for (name, _) in globals {
        let is_free = places.iter().any(|place| mentions_global(place, name));
        let ty = scope.variable(name);
        if let (false, Some(differs)) =
            (is_free, ty.and_then(|ty| differs(scope, ty, name, &format!("wolverine_old_{name}"))))
        {
            found.push(format!("if ({differs})"));
        }
    }
    Ok(found)
}

/// Whether a place lies in what a parameter points to.
fn is_of(place: &Term, name: &str) -> bool {
    let inside = match &place.kind {
        TermKind::Member(of, _) => return is_of(of, name),
        _ => base(place),
    };
    let is_pointee = !matches!(place.kind, TermKind::Name(_));
    is_pointee && inside.is_some_and(|base| matches!(&base.kind, TermKind::Name(found) if found == name))
}

fn mentions_global(place: &Term, name: &str) -> bool {
    match &place.kind {
        TermKind::Name(found) => found == name,
        TermKind::Member(of, _) | TermKind::Index(of, _) | TermKind::Unary(Unary::AddressOf, of) => {
            mentions_global(of, name)
        }
        _ => false,
    }
}

/// The condition that the cell `wolverine_k` is one of a place.
fn free_cells(place: &Term, writer: &Writer, scope: &Scope<'_>) -> Result<String, ContractError> {
    let (low, high) = bounds(place);
    let is_range = has_index(place);
    if !is_range {
        return Ok("wolverine_k == 0".into());
    }
    let mut parts = vec![];
    if let Some(low) = low {
        parts.push(format!("wolverine_k >= {}", writer.wide(scope, low, false)?));
    }
    if let Some(high) = high {
        parts.push(format!("wolverine_k <= {}", writer.wide(scope, high, false)?));
    }
    Ok(if parts.is_empty() { "1".into() } else { format!("({})", parts.join(" && ")) })
}

fn has_index(place: &Term) -> bool {
    match &place.kind {
        TermKind::Index(..) | TermKind::Binary(Binary::C(BinaryOp::Add), ..) => true,
        TermKind::Unary(_, of) | TermKind::Old(of) | TermKind::Member(of, _) => has_index(of),
        _ => false,
    }
}

/// The condition that two values of a type differ; none if they cannot be compared.
fn differs(scope: &Scope<'_>, ty: c_types::TypeId, a: &str, b: &str) -> Option<String> {
    use c_types::Type;
    match scope.unit.types.get(ty) {
        Type::Bool | Type::Char { .. } | Type::Int { .. } => Some(format!("{a} != {b}")),
        Type::Record(record) => {
            let fields = scope.unit.types.record(*record).fields.iter();
            let all: Option<Vec<String>> = fields
                .map(|field| differs(scope, field.ty, &format!("{a}.{}", field.name), &format!("{b}.{}", field.name)))
                .collect();
            all.filter(|all| !all.is_empty()).map(|all| all.join(" || "))
        }
        _ => None,
    }
}
