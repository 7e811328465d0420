//! Contracts: ACSL as people write it for Frama-C, in comments before a function.
//!
//! ```c
//! /*@ requires n > 0 && \valid_read(a + (0 .. n-1));
//!   @ assigns \nothing;
//!   @ ensures \forall integer k; 0 <= k < n ==> \result >= a[k];
//!   @*/
//! int max(const int *a, int n);
//! ```
//!
//! [`read`] finds the annotations of a file ([`comment`]), cuts them into
//! tokens ([`token`]) and parses clauses and definitions ([`clause`],
//! [`parse`]); [`resolve`](resolve()) looks the names of one contract up in the
//! scope of its function. [`range`] tells over which numbers a quantifier goes;
//! [`arbitrary`] makes inputs of those that have no bounds, and [`overload`]
//! tells definitions of one name apart.

mod arbitrary;
mod clause;
mod comment;
mod overload;
mod parse;
mod range;
mod resolve;
mod term;
mod token;

use c_syntax::{Source, Span};

pub use arbitrary::Arbitrary;
pub use range::{Range, ranges};
pub use resolve::{Resolved, Scope, Sort, resolve};
pub use term::{Binary, Binder, Fold, Term, TermKind, Unary};

/// What is wrong with an annotation, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ContractError {
    /// Where.
    pub span: Span,
    /// What, as a sentence.
    pub message: String,
}

impl ContractError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> ContractError {
        ContractError { span, message: message.into() }
    }
}

/// Something in the annotations that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where.
    pub span: Span,
    /// What, as a sentence.
    pub message: String,
}

/// One `requires` or `ensures`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// What must hold. In a behavior, its assumptions are part of it.
    pub predicate: Term,
    /// The predicate as it is written.
    pub span: Span,
    /// The behavior it belongs to.
    pub behavior: Option<String>,
}

/// The contract of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// The whole annotation.
    pub span: Span,
    /// What callers promise.
    pub requires: Vec<Clause>,
    /// What the function promises.
    pub ensures: Vec<Clause>,
    /// The places that it may change; any if there is no such clause.
    pub assigns: Option<Vec<Term>>,
}

/// A parameter of a logic function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type, as it is written: `integer`, `int *`.
    pub ty: String,
    /// Its name.
    pub name: String,
}

/// A logic function or predicate that the file defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The type of its value; none if it is a predicate.
    pub result: Option<String>,
    /// What it is.
    pub body: Term,
    /// Whether it speaks of two states: the one before the call, and this one.
    pub two_states: bool,
    /// Where it is.
    pub span: Span,
}

/// The definition of a name with so many arguments.
pub fn definition_of<'a>(all: &'a [Definition], name: &str, arguments: usize) -> Option<&'a Definition> {
    all.iter().find(|definition| definition.name == name && definition.parameters.len() == arguments)
}

/// All annotations of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// The contracts.
    pub contracts: Vec<Contract>,
    /// The logic functions and predicates.
    pub definitions: Vec<Definition>,
    /// What is there but not used.
    pub notices: Vec<Notice>,
    /// Annotations that cannot be read, and the function that they belong to; definitions belong to none.
    pub broken: Vec<(Option<String>, ContractError)>,
}

impl Annotations {
    /// Why a function's contract cannot be read, if it cannot.
    fn trouble(&self, function: &str) -> Option<&ContractError> {
        self.broken.iter().find(|(of, _)| of.as_deref() == Some(function)).map(|(_, error)| error)
    }

    /// The contract of a function.
    pub fn of(&self, function: &str) -> Option<&Contract> {
        self.contracts.iter().find(|contract| contract.function == function)
    }
}

/// The annotations of a file. Loop annotations, assertions and lemmas are left out with a notice.
pub fn read(source: &Source) -> Annotations {
    let mut found = Annotations::default();
    for comment in comment::find(&source.bytes) {
        if let Err(error) = clause::annotation(&source.bytes, &comment, &mut found) {
            match comment.before {
                comment::Before::Function(name) if !clause::is_global(&source.bytes, comment.inside) => {
                    found.broken.push((Some(name), error));
                }
                comment::Before::Statement => {}
                _ => found.broken.push((None, error)),
            }
        }
    }
    found
}
