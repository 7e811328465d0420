//! C expressions over a state: what a debugger's user types.
//!
//! [`parse`] makes a tree of the text. In a [`Scope`] macros are replaced
//! (`expand`), names get their meaning and every part its C type (`resolve`),
//! and then its value (`evaluate`). An
//! expression reads a [`State`] and nothing else, so it has no side effects and
//! means the same whoever runs the program.
//!
//! This crate knows nothing of how programs are run, of commands or of terminals.

mod arithmetic;
mod error;
mod evaluate;
mod expand;
mod literal;
mod names;
mod parse;
mod place;
mod resolve;
mod suggest;
mod table;
mod term;
mod token;
mod tree;

pub use error::ExpressionError;
pub use table::{NodeType, node_type};

use std::borrow::Cow;

use c_types::{Type, TypeId};
use ir::{Program, StepId};
use memory::{Entity, Node, Root, State, Value};

use crate::evaluate::Evaluator;
use crate::names::{Names, View};
use crate::resolve::Resolver;
use crate::table::Table;
use crate::term::TermKind;
use crate::tree::Tree;

/// Where names are looked up: the program, its state, and the call whose variables are meant.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its state.
    pub state: &'a State,
    /// The call whose variables are meant, as an index of [`State::frames`]: outermost 0.
    pub frame: usize,
}

/// An expression as it was typed.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    tree: Tree,
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The value.
    pub value: Value,
    /// Its type; `None` if the program itself has no such type.
    pub ty: Option<TypeId>,
    /// Its type as C text.
    pub type_name: String,
    /// What holds the value, if it is a variable, a node or a part of one.
    pub entity: Option<Entity>,
}

/// Something that can be written, tracked or asserted.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceFound {
    /// Its name.
    pub entity: Entity,
    /// Its type; `None` only for a whole heap array whose type the program itself does not have.
    pub ty: Option<TypeId>,
    /// Its type as C text.
    pub type_name: String,
    /// What is there now.
    pub value: Value,
}

/// Parses a whole text as one expression.
pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
    Ok(Expression { text: text.into(), tree: parse::parse_whole(text)? })
}

/// Parses the place at the start of a text, and gives what follows it: `x` and
/// `-1` of `x -1`, `n4 -> prev` and `n3` of `n4 -> prev n3`.
pub fn parse_place_and_rest(text: &str) -> Result<(Expression, &str), ExpressionError> {
    let (tree, rest) = parse::parse_start(text)?;
    Ok((Expression { text: text.into(), tree }, &text[rest..]))
}

impl Expression {
    /// Its own part of the text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text[self.tree.span.start as usize..self.tree.span.end as usize]
    }

    /// Its value.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Typed, ExpressionError> {
        let mut resolver = self.resolver(scope.program, scope.view());
        let term = resolver.resolve(&*self.tree_in(&resolver.names)?)?;
        let evaluator = self.evaluator(&resolver, scope);
        let (value, entity) = match term.is_place() {
            true => {
                let located = evaluator.place(&term)?;
                (located.value.clone().into_owned(), located.entity())
            }
            false => (evaluator.value(&term)?, None),
        };
        let (ty, type_name) = named_type(&resolver, term.ty);
        Ok(Typed { value, ty, type_name, entity })
    }

    /// Its value for a place of type `to`: an array is then the address of its
    /// first element, and zero the null pointer. Numbers stay as they are.
    pub fn evaluate_for(&self, scope: &Scope<'_>, to: TypeId) -> Result<Value, ExpressionError> {
        let mut resolver = self.resolver(scope.program, scope.view());
        let term = resolver.resolve(&*self.tree_in(&resolver.names)?)?;
        let is_pointer = scope.program.types.is_pointer(to);
        let term = if is_pointer { resolver.decay(term) } else { term };
        match self.evaluator(&resolver, scope).value(&term)? {
            Value::Int(0) if is_pointer => Ok(Value::Null),
            value => Ok(value),
        }
    }

    /// The variable, node or part of one that it names. A node's name, which as
    /// a value is a pointer to the node, names the node itself here.
    pub fn place(&self, scope: &Scope<'_>) -> Result<PlaceFound, ExpressionError> {
        let mut resolver = self.resolver(scope.program, scope.view());
        let term = resolver.resolve(&*self.tree_in(&resolver.names)?)?;
        if let TermKind::Node(id, _) = term.kind
            && let Some(node) = scope.state.node(id)
        {
            return Ok(whole_node(scope.program, node));
        }
        let located = self.evaluator(&resolver, scope).place(&term)?;
        let Some(entity) = located.entity() else {
            let message = format!("{} is not a place that can be named", resolver.quote(term.span));
            return Err(ExpressionError::new(term.span, message));
        };
        let (ty, type_name) = named_type(&resolver, term.ty);
        Ok(PlaceFound { entity, ty, type_name, value: located.value.into_owned() })
    }

    /// Whether all names and members are known, and all types fit, at this
    /// statement. What only a state can tell, such as the type of a node, passes.
    pub fn check(&self, program: &Program, step: StepId) -> Result<(), ExpressionError> {
        let mut resolver = self.resolver(program, View::Step(step));
        let tree = self.tree_in(&resolver.names)?;
        match resolver.resolve(&tree) {
            Err(error) if !resolver.is_open => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether its value is not zero.
    pub fn is_true(&self, scope: &Scope<'_>) -> Result<bool, ExpressionError> {
        let mut resolver = self.resolver(scope.program, scope.view());
        let term = resolver.truth(&*self.tree_in(&resolver.names)?)?;
        self.evaluator(&resolver, scope).is_true(&term)
    }

    /// What was typed, where the program's macros and types are known.
    fn tree_in(&self, names: &Names<'_>) -> Result<Cow<'_, Tree>, ExpressionError> {
        let known = expand::parse_in(names, &self.text[..self.tree.span.end as usize])?;
        Ok(known.map_or(Cow::Borrowed(&self.tree), Cow::Owned))
    }

    fn resolver<'a>(&'a self, program: &'a Program, view: View<'a>) -> Resolver<'a> {
        Resolver { names: Names { program, view }, types: Table::new(program), text: &self.text, is_open: false }
    }

    fn evaluator<'a>(&'a self, resolver: &'a Resolver<'a>, scope: &Scope<'a>) -> Evaluator<'a> {
        Evaluator { types: &resolver.types, names: &resolver.names, state: scope.state, text: &self.text }
    }
}

impl<'a> Scope<'a> {
    fn view(&self) -> View<'a> {
        View::Call(self.state, self.frame)
    }
}

/// A type's id, if the program itself has that type, and its text.
fn named_type(resolver: &Resolver<'_>, ty: TypeId) -> (Option<TypeId>, String) {
    let own = resolver.names.program.types.find(resolver.types.get(ty));
    (own, resolver.types.name(ty))
}

fn whole_node(program: &Program, node: &Node) -> PlaceFound {
    let ty = node_type(&program.types, node).and_then(|ty| match ty.count {
        Some(count) => program.types.find(&Type::Array(ty.element, Some(count))),
        None => Some(ty.element),
    });
    let entity = Entity { root: Root::Node(node.id), path: String::new() };
    PlaceFound { entity, ty, type_name: node.type_name.to_string(), value: node.value.clone() }
}
