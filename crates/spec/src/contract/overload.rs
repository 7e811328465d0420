//! Definitions that share a name, each with a name of its own.
//!
//! ACSL tells `Equal(a, m, n, b)` from `Equal(a, m, n, p)` by what the last
//! argument is, a pointer or a number; and `Equal{Here, Here}(a, n, b)` compares
//! in one state what `Equal{Old, Here}(a, n, b)` compares in two. Whoever writes
//! or evaluates terms looks definitions up by name and number of arguments, so
//! both are told apart here: the first become `Equal__1` and `Equal__2`, the
//! second gets a definition of its own without states.

use super::resolve::{Scope, Sort};
use super::{Clause, Contract, ContractError, Definition, Term, TermKind};

/// The definition of two states where both are the same one.
pub(super) fn in_one_state(name: &str) -> String {
    format!("{name}__same")
}

/// For each definition of two states, one where both are the same.
pub(super) fn one_state_twins(definitions: &[Definition]) -> Vec<Definition> {
    let is_double = |name: &str| definitions.iter().any(|definition| definition.two_states && definition.name == name);
    let twin = |definition: &Definition| {
        let mut twin = definition.clone();
        (twin.name, twin.two_states) = (in_one_state(&definition.name), false);
        forget_states(&mut twin.body, &is_double);
        twin
    };
    definitions.iter().filter(|definition| definition.two_states).map(twin).collect()
}

fn forget_states(term: &mut Term, is_double: &dyn Fn(&str) -> bool) {
    if let TermKind::Old(of) = &mut term.kind {
        *term = (**of).clone();
        return forget_states(term, is_double);
    }
    if let TermKind::Call(name, _) = &mut term.kind
        && is_double(name)
    {
        *name = in_one_state(name);
    }
    term.parts_mut().into_iter().for_each(|part| forget_states(part, is_double));
}

/// The contract and the definitions, without two of one name and number of arguments.
pub(super) fn told_apart(
    scope: &Scope<'_>,
    contract: &Contract,
    definitions: &[Definition],
) -> Result<(Contract, Vec<Definition>), ContractError> {
    let mut named = definitions.to_vec();
    let shared = Shared::of(scope, &mut named);
    if shared.all.is_empty() {
        return Ok((contract.clone(), named));
    }
    let known = named.clone();
    let outside = Scope { definitions: &known, ..scope.clone() };
    for definition in &mut named {
        let bound = definition.parameters.iter().map(|one| (one.name.clone(), scope.type_sort(&one.ty))).collect();
        // What is wrong in a definition that nobody uses does not matter; the rest is found when it is looked up.
        let _ = shared.rename(&Scope { function: None, bound, ..outside.clone() }, &mut definition.body);
    }
    let mut contract = contract.clone();
    for Clause { predicate, .. } in contract.requires.iter_mut().chain(&mut contract.ensures) {
        shared.rename(&outside, predicate)?;
    }
    Ok((contract, named))
}

/// A definition that shares its name.
struct One {
    name: String,
    own_name: String,
    parameters: Vec<Sort>,
}

/// Definitions that share their names and numbers of arguments with others.
struct Shared {
    all: Vec<One>,
}

impl Shared {
    /// Finds them, and gives each a name of its own.
    fn of(scope: &Scope<'_>, definitions: &mut [Definition]) -> Shared {
        let heads: Vec<(String, usize)> =
            definitions.iter().map(|one| (one.name.clone(), one.parameters.len())).collect();
        let mut all = vec![];
        for (number, definition) in definitions.iter_mut().enumerate() {
            let before = heads[..number].iter().filter(|head| **head == heads[number]).count();
            if heads.iter().filter(|head| **head == heads[number]).count() > 1 {
                let own_name = format!("{}__{}", definition.name, before + 1);
                let name = std::mem::replace(&mut definition.name, own_name.clone());
                let parameters = definition.parameters.iter().map(|one| scope.type_sort(&one.ty)).collect();
                all.push(One { name, own_name, parameters });
            }
        }
        Shared { all }
    }

    fn rename(&self, scope: &Scope<'_>, term: &mut Term) -> Result<(), ContractError> {
        match &mut term.kind {
            TermKind::Quantified { binders, body, .. } => {
                let mut inner = scope.clone();
                inner.bound.extend(binders.iter().map(|binder| (binder.name.clone(), scope.type_sort(&binder.ty))));
                return self.rename(&inner, body);
            }
            TermKind::Fold { low, high, name, body, .. } => {
                self.rename(scope, low)?;
                self.rename(scope, high)?;
                return self.rename(&scope.with(name, Sort::Integer), body);
            }
            TermKind::Let(name, value, body) => {
                self.rename(scope, value)?;
                return self.rename(&scope.with(name, scope.sort(value)?), body);
            }
            _ => {}
        }
        term.parts_mut().into_iter().try_for_each(|part| self.rename(scope, part))?;
        let span = term.span;
        if let TermKind::Call(name, arguments) = &mut term.kind
            && self.all.iter().any(|one| one.name == *name && one.parameters.len() == arguments.len())
        {
            let sorts: Vec<Sort> = arguments.iter().map(|argument| scope.sort(argument)).collect::<Result<_, _>>()?;
            *name = self.chosen(name, &sorts).map_err(|message| ContractError::new(span, message))?;
        }
        Ok(())
    }

    /// The definition that fits best: pointers where pointers are, then as many arguments of the very type as possible.
    fn chosen(&self, name: &str, arguments: &[Sort]) -> Result<String, String> {
        let mut fitting: Vec<(usize, &One)> = vec![];
        for one in self.all.iter().filter(|one| one.name == name && one.parameters.len() == arguments.len()) {
            let pairs = || one.parameters.iter().zip(arguments);
            if pairs().all(|(parameter, argument)| parameter.is_pointer() == argument.is_pointer()) {
                fitting.push((pairs().filter(|(parameter, argument)| parameter == argument).count(), one));
            }
        }
        let most = fitting.iter().map(|(same, _)| *same).max();
        let mut best = fitting.iter().filter(|(same, _)| Some(*same) == most);
        match (best.next(), best.next()) {
            (Some((_, one)), None) => Ok(one.own_name.clone()),
            (None, _) => Err(format!("no definition of `{name}` fits these arguments")),
            _ => Err(format!("several definitions of `{name}` fit these arguments, so give them other names")),
        }
    }
}
