//! Values that a postcondition speaks of without bounds, as inputs.
//!
//! `\forall int v; Count(a, n, v) == Count{Old}(a, n, v)` cannot be gone through
//! for all v. But who proves it may take an arbitrary v: the quantifier goes
//! away, and v becomes one more input. That is so where nothing denies the
//! quantifier; behind `!` or left of `==>` it would have to be all of them.

use super::{Binary, Binder, Clause, Contract, Definition, Term, TermKind, definition_of};

/// Definitions that are put in for their names, in each other.
const DEEPEST: usize = 8;

/// An input that only the postcondition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arbitrary {
    /// Its name.
    pub name: String,
    /// Its type, as it is written.
    pub ty: String,
}

/// The contract without such quantifiers in what it ensures, and the inputs for them.
pub(super) fn instantiate(contract: &Contract, definitions: &[Definition]) -> (Contract, Vec<Arbitrary>) {
    let mut contract = contract.clone();
    let mut taker = Taker { definitions, found: vec![] };
    for Clause { predicate, .. } in &mut contract.ensures {
        if taker.has_unbounded(predicate, 0) {
            taker.take(predicate, 0);
        }
    }
    (contract, taker.found)
}

struct Taker<'a> {
    definitions: &'a [Definition],
    found: Vec<Arbitrary>,
}

impl Taker<'_> {
    /// Whether there is a quantifier without bounds where nothing denies it.
    fn has_unbounded(&self, term: &Term, depth: usize) -> bool {
        match &term.kind {
            TermKind::Binary(Binary::And | Binary::Or, a, b) => {
                self.has_unbounded(a, depth) || self.has_unbounded(b, depth)
            }
            TermKind::Binary(Binary::Implies, _, then) => self.has_unbounded(then, depth),
            TermKind::Quantified { all: true, binders, body } => is_unbounded(binders, body),
            TermKind::Call(name, arguments) if depth < DEEPEST => {
                definition_of(self.definitions, name, arguments.len())
                    .is_some_and(|definition| self.has_unbounded(&definition.body, depth + 1))
            }
            _ => false,
        }
    }

    fn take(&mut self, term: &mut Term, depth: usize) {
        if !self.has_unbounded(term, depth) {
            return;
        }
        match &mut term.kind {
            TermKind::Binary(Binary::And | Binary::Or, a, b) => {
                self.take(a, depth);
                self.take(b, depth);
            }
            TermKind::Binary(Binary::Implies, _, then) => self.take(then, depth),
            TermKind::Quantified { binders, body, .. } => {
                let mut inner = (**body).clone();
                for binder in binders.iter() {
                    let name = self.input(binder);
                    put(&mut inner, &binder.name, &TermKind::Name(name));
                }
                *term = inner;
            }
            TermKind::Call(name, arguments) => {
                let Some(definition) = definition_of(self.definitions, name, arguments.len()) else { return };
                let mut inner = definition.body.clone();
                // Parameters get names that no argument has, then their arguments.
                for (number, parameter) in definition.parameters.iter().enumerate() {
                    put(&mut inner, &parameter.name, &TermKind::Name(format!("\\parameter{number}")));
                }
                for (number, argument) in arguments.iter().enumerate() {
                    put(&mut inner, &format!("\\parameter{number}"), &argument.kind);
                }
                inner.span = term.span;
                *term = inner;
                self.take(term, depth + 1);
            }
            _ => {}
        }
    }

    /// A new input for a bound name.
    fn input(&mut self, binder: &Binder) -> String {
        let same = self.found.iter().filter(|known| known.name.starts_with(&format!("any_{}", binder.name))).count();
        let name = format!("any_{}{}", binder.name, if same == 0 { String::new() } else { same.to_string() });
        self.found.push(Arbitrary { name: name.clone(), ty: binder.ty.clone() });
        name
    }
}

/// Whether a quantifier is over all values of C types, without bounds.
fn is_unbounded(binders: &[Binder], body: &Term) -> bool {
    super::ranges(true, binders, body).is_err() && binders.iter().all(|binder| binder.ty != "integer")
}

/// Puts a term in the place of a name that is not bound inside.
fn put(term: &mut Term, name: &str, by: &TermKind) {
    match &mut term.kind {
        TermKind::Name(found) if found == name => term.kind = by.clone(),
        TermKind::Quantified { binders, .. } if binders.iter().any(|binder| binder.name == name) => {}
        TermKind::Fold { low, high, name: bound, .. } if bound == name => {
            put(low, name, by);
            put(high, name, by);
        }
        TermKind::Let(bound, value, _) if bound == name => put(value, name, by),
        _ => term.parts_mut().into_iter().for_each(|part| put(part, name, by)),
    }
}
