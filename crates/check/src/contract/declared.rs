//! Functions that are declared with a contract and have no body in the file, as
//! those of a header: their contracts stand for them.
//!
//! Only functions with a body are in the syntax tree, so an empty body is
//! written behind the user's text: from `/*@ … */ void swap(int *p, int *q);`
//! comes `void swap(int *p, int *q) { }`.

use c_syntax::{Source, Unit};
use spec::contract::{Annotations, Contract};

/// A function without a body, and the text of one that is empty.
pub(crate) struct Declared {
    /// Its name.
    pub(crate) name: String,
    /// The definition.
    pub(crate) text: String,
}

/// Those that the file calls, whose contracts say what a call leaves as it is.
pub(crate) fn declared(source: &Source, unit: &Unit, annotations: &Annotations) -> Vec<Declared> {
    let has_body = |contract: &&Contract| unit.functions.iter().any(|function| *function.name == *contract.function);
    let without = annotations.contracts.iter().filter(|contract| !has_body(contract) && contract.assigns.is_some());
    let mut found: Vec<Declared> = vec![];
    for contract in without {
        let is_known = found.iter().any(|known| known.name == contract.function);
        if let Some(text) = empty_body(source, contract).filter(|_| !is_known) {
            found.push(Declared { name: contract.function.clone(), text });
        }
    }
    found
}

/// The declaration after a contract with an empty body.
fn empty_body(source: &Source, contract: &Contract) -> Option<String> {
    let rest = String::from_utf8_lossy(&source.bytes[contract.span.end as usize..]).into_owned();
    let rest = rest.split_once("*/").filter(|(before, _)| before.trim().trim_matches('@').is_empty())?.1;
    let (declaration, _) = rest.split_once(';')?;
    let is_plain = !declaration.contains(['{', '#', '"']) && declaration.contains(&contract.function);
    is_plain.then(|| format!("{} {{ }}\n", declaration.trim()))
}
