//! A callee's contract instead of its body: a function that asserts what the
//! contract requires, gives arbitrary values to what it assigns, and assumes
//! what it ensures.

use std::fmt::Write;

use c_syntax::{Function, Source, Unit};
use c_types::{Type, TypeId};
use spec::contract::{Clause, ContractError, Resolved, Scope, Term, TermKind};

use super::shape::{base, bounds};
use super::{Marked, PartKind, Writer, failing};
use crate::driver::nondet_call;

/// The name of the function that stands for another one.
pub(crate) fn name_of(function: &str) -> String {
    format!("wolverine_instead_{function}")
}

/// The function that is called instead of this one. Arrays have `length` elements at most.
pub(crate) fn replacement(
    resolved: &Resolved,
    unit: &Unit,
    function: &Function,
    source: &Source,
    length: u64,
) -> Result<Marked, ContractError> {
    let contract = &resolved.contract;
    let scope = resolved.scope(unit, function);
    let pointers = pointers(unit, function);
    if let Some(arbitrary) = resolved.arbitrary.first() {
        let message = format!(
            "the contract ensures something for every value of the type `{}`; that cannot be assumed in the place of the body",
            arbitrary.ty
        );
        return Err(ContractError { span: contract.span, message });
    }
    let Some(places) = &contract.assigns else {
        let message =
            "without `assigns` the contract does not say what a call leaves as it is; it cannot stand for the body";
        return Err(ContractError { span: contract.span, message: message.into() });
    };
    let writer = Writer::new(pointers.iter().map(|(name, _)| name.clone()).collect(), "wolverine_result");
    let mut out = Marked::default();
    let _ = writeln!(
        out.text,
        "{} {{",
        unit.types.declare(function.ty, &name_of(&function.name)).replacen(
            &parameters_text(unit, function, false),
            &parameters_text(unit, function, true),
            1,
        )
    );
    for Clause { predicate, span, .. } in &contract.requires {
        let condition = writer.term(&scope, predicate, false)?;
        let fail = failing(source, *span, "requires", &function.name);
        out.push(&format!("    if (!({condition})) {fail}\n"), *span, PartKind::Requires);
    }
    keep(&mut out.text, contract_places(contract), &pointers, &writer, &scope, length)?;
    for place in places {
        havoc(&mut out.text, place, &writer, &scope)?;
    }
    let Type::Function(signature) = unit.types.get(function.ty) else { return Ok(out) };
    let is_void = matches!(unit.types.get(signature.result), Type::Void);
    if !is_void {
        let Some(value) = nondet_call(&unit.types, signature.result) else {
            let message =
                format!("`{}` returns what cannot be made up; its contract cannot stand for its body", function.name);
            return Err(ContractError { span: contract.span, message });
        };
        let _ = writeln!(out.text, "    {} = {value};", unit.types.declare(signature.result, "wolverine_result"));
    }
    for Clause { predicate, span, .. } in &contract.ensures {
        let condition = writer.term(&scope, predicate, false)?;
        out.push(&format!("    __VERIFIER_assume(!!({condition}));\n"), *span, PartKind::Ensures);
    }
    out.text += if is_void { "}\n" } else { "    return wolverine_result;\n}\n" };
    Ok(out)
}

fn parameters_text(unit: &Unit, function: &Function, named: bool) -> String {
    let all: Vec<String> = function
        .parameters
        .iter()
        .map(|id| &unit.variables[id.0 as usize])
        .map(|variable| match named {
            true => unit.types.declare(variable.ty, &variable.name),
            false => unit.types.name(variable.ty),
        })
        .collect();
    format!("({})", all.join(", "))
}

/// The pointer parameters and what they point to.
fn pointers(unit: &Unit, function: &Function) -> Vec<(String, TypeId)> {
    let variables = function.parameters.iter().map(|id| &unit.variables[id.0 as usize]);
    variables.filter_map(|variable| Some((variable.name.to_string(), unit.types.target(variable.ty)?))).collect()
}

/// All places that the contract calls valid or assigns.
fn contract_places(contract: &spec::contract::Contract) -> Vec<&Term> {
    fn valid<'a>(term: &'a Term, found: &mut Vec<&'a Term>) {
        if let TermKind::Valid(places) = &term.kind {
            found.extend(places);
        }
        term.parts().into_iter().for_each(|part| valid(part, found));
    }
    let mut found: Vec<&Term> = contract.assigns.iter().flatten().collect();
    contract.requires.iter().for_each(|clause| valid(&clause.predicate, &mut found));
    found
}

/// Copies of what the pointers point to, for `\old`.
fn keep(
    text: &mut String,
    places: Vec<&Term>,
    pointers: &[(String, TypeId)],
    writer: &Writer,
    scope: &Scope<'_>,
    length: u64,
) -> Result<(), ContractError> {
    for (name, target) in pointers {
        let own = |place: &&&Term| {
            base(place).is_some_and(|base| matches!(&base.kind, TermKind::Name(found) if found == name))
        };
        let array = scope.unit.types.declare(*target, &format!("wolverine_old_{name}[{}]", length.max(1)));
        let _ = writeln!(text, "    {array};");
        for place in places.iter().filter(own) {
            let (low, high) = range_text(place, writer, scope)?;
            let _ = writeln!(
                text,
                "    for (long long wolverine_k = {low}; wolverine_k <= {high}; wolverine_k++) wolverine_old_{name}[wolverine_k] = {name}[wolverine_k];"
            );
        }
    }
    Ok(())
}

fn range_text(place: &Term, writer: &Writer, scope: &Scope<'_>) -> Result<(String, String), ContractError> {
    let (low, high) = bounds(place);
    let text = |end: Option<&Term>| end.map_or(Ok("0".to_string()), |end| writer.wide(scope, end, false));
    Ok((text(low)?, text(high)?))
}

/// Gives a place any value.
fn havoc(text: &mut String, place: &Term, writer: &Writer, scope: &Scope<'_>) -> Result<(), ContractError> {
    let refuse =
        || ContractError { span: place.span, message: "arbitrary values for this place cannot be made up".into() };
    let ty = match scope.sort(place)? {
        spec::contract::Sort::Number(ty) => ty,
        _ => return Err(refuse()),
    };
    let value = nondet_call(&scope.unit.types, ty).ok_or_else(refuse)?;
    let pointer = base(place).and_then(|base| match &base.kind {
        TermKind::Name(name) if scope.sort(base).is_ok_and(|sort| sort.is_pointer()) => Some(name.clone()),
        _ => None,
    });
    match pointer {
        Some(name) => {
            let (low, high) = range_text(place, writer, scope)?;
            let _ = writeln!(
                text,
                "    for (long long wolverine_k = {low}; wolverine_k <= {high}; wolverine_k++) {name}[wolverine_k] = {value};"
            );
        }
        None => {
            let _ = writeln!(text, "    {} = {value};", writer.term(scope, place, false)?);
        }
    }
    Ok(())
}
