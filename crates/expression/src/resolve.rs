//! From what was typed to what it means: a [`Tree`] to a [`Term`].
//!
//! Everything that can be wrong without looking at values is found here, so
//! this is also the check of an expression that is to be evaluated later.

mod operator;
mod place;

use c_syntax::Span;
use c_types::{Record, Type, TypeId};
use memory::{NodeId, Object, Place, Value};

use crate::ExpressionError;
use crate::names::{Meaning, Names, View};
use crate::suggest::Sentence;
use crate::table::{Table, node_type};
use crate::term::{Term, TermKind};
use crate::tree::{Base, Tree, TreeKind, TypeText, Unary};

pub(crate) struct Resolver<'a> {
    pub names: Names<'a>,
    pub types: Table<'a>,
    /// The typed text, to quote from.
    pub text: &'a str,
    /// Whether something was met whose type only a state can tell.
    pub is_open: bool,
}

type Resolved = Result<Term, ExpressionError>;

impl Resolver<'_> {
    /// The meaning of an expression.
    pub fn resolve(&mut self, tree: &Tree) -> Resolved {
        let span = tree.span;
        match &tree.kind {
            TreeKind::Int(value, ty) => Ok(self.constant(Value::Int(*value), ty.clone(), span)),
            TreeKind::Float(value, ty) => Ok(self.constant(Value::Float(*value), ty.clone(), span)),
            TreeKind::Text(bytes) => {
                let char_ = self.types.make(Type::Char { signed: true });
                Ok(self.constant(Value::Text(bytes.clone()), Type::Pointer(char_), span))
            }
            TreeKind::Name(call, name) => {
                let meaning = match call {
                    Some(call) => self.names.find_in(call, name, span)?,
                    None => self.names.find(name, span).map_err(|error| self.in_macro(name, error))?,
                };
                self.named(meaning, span)
            }
            TreeKind::Member { base, name, name_span, arrow } => {
                let base = self.resolve(base)?;
                self.member(base, name, *name_span, *arrow, span)
            }
            TreeKind::Index(base, index) => {
                let (base, index) = (self.resolve(base)?, self.resolve(index)?);
                self.index(base, index, span)
            }
            TreeKind::Unary(Unary::AddressOf, operand) => self.address_of(operand, span),
            TreeKind::Unary(Unary::Deref, operand) => {
                let pointer = self.resolve(operand)?;
                self.deref(pointer, span)
            }
            TreeKind::Unary(op, operand) => {
                let operand = self.resolve(operand)?;
                self.unary(*op, operand, span)
            }
            TreeKind::Binary(op, left, right) => {
                let (left, right) = (self.resolve(left)?, self.resolve(right)?);
                self.binary(*op, left, right, span)
            }
            TreeKind::And(left, right) | TreeKind::Or(left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                let kind = match tree.kind {
                    TreeKind::And(..) => TermKind::And(left.into(), right.into()),
                    _ => TermKind::Or(left.into(), right.into()),
                };
                Ok(Term::new(kind, self.types.int(), span))
            }
            TreeKind::Conditional(test, yes, no) => {
                let (test, yes, no) = (self.truth(test)?, self.resolve(yes)?, self.resolve(no)?);
                self.conditional(test, yes, no, span)
            }
            TreeKind::Cast(ty, operand) => {
                let ty = self.type_named(ty)?;
                let operand = self.resolve(operand)?;
                self.cast(ty, operand, span)
            }
            TreeKind::SizeOf(operand) => self.size_of(operand, span),
            TreeKind::SizeOfType(ty) => {
                let ty = self.type_named(ty)?;
                self.size(ty, span)
            }
        }
    }

    /// An expression that is asked whether it is true.
    pub fn truth(&mut self, tree: &Tree) -> Resolved {
        let term = self.resolve(tree)?;
        let term = self.decay(term);
        match self.is_scalar(term.ty) {
            true => Ok(term),
            false => {
                let what = format!(
                    "{} has type `{}`, neither true nor false",
                    self.quote(term.span),
                    self.types.name(term.ty)
                );
                Err(ExpressionError::new(term.span, what))
            }
        }
    }

    pub fn quote(&self, span: Span) -> String {
        format!("`{}`", self.text[span.start as usize..span.end as usize].trim())
    }

    /// A name that is not in the typed text is in the body of a macro.
    fn in_macro(&self, name: &str, error: ExpressionError) -> ExpressionError {
        let written = self.quote(error.span);
        match written.trim_matches(['`', '(', ')', ' ']) == name {
            true => error,
            false => ExpressionError::new(error.span, format!("in the macro {written}, {}", error.message)),
        }
    }

    fn constant(&mut self, value: Value, ty: Type, span: Span) -> Term {
        Term::new(TermKind::Constant(value), self.types.make(ty), span)
    }

    fn named(&mut self, meaning: Meaning, span: Span) -> Resolved {
        Ok(match meaning {
            Meaning::Variable { root, object, ty } => Term::new(TermKind::Variable(root, object), ty, span),
            Meaning::Function(name, ty) => Term::new(TermKind::Constant(Value::Function(name)), ty, span),
            Meaning::Node(id) => self.node(id, span),
            Meaning::Null => {
                let void = self.types.make(Type::Void);
                self.constant(Value::Null, Type::Pointer(void), span)
            }
            Meaning::Constant(value) => self.constant(Value::Int(value), constant_type(value), span),
            Meaning::Later => {
                self.is_open = true;
                return Err(ExpressionError::new(span, "only a state can tell what this is"));
            }
        })
    }

    /// A node's name is a pointer to its first element.
    fn node(&mut self, id: NodeId, span: Span) -> Term {
        let View::Call(state, _) = self.names.view else { unreachable!("nodes are found in states only") };
        let node = state.node(id).expect("it was found");
        let element = node_type(&self.types, node).map(|ty| ty.element);
        let element = element.unwrap_or_else(|| self.types.make(Type::Void));
        let place = Place { object: Object::Node(id), offset: 0, path: String::new(), inside: true };
        let value = if node.live { Value::Pointer(place) } else { Value::Dangling(place) };
        let ty = self.types.pointer_to(element);
        Term::new(TermKind::Node(id, value), ty, span)
    }

    /// An array is the address of its first element, and a function its own, wherever a value is needed.
    pub fn decay(&mut self, term: Term) -> Term {
        match *self.types.get(term.ty) {
            Type::Array(element, _) => {
                let (ty, span) = (self.types.pointer_to(element), term.span);
                Term::new(TermKind::Decay(term.into()), ty, span)
            }
            Type::Function(_) => Term { ty: self.types.pointer_to(term.ty), ..term },
            _ => term,
        }
    }

    // ----- types -----

    fn type_named(&mut self, text: &TypeText) -> Result<TypeId, ExpressionError> {
        let names = &self.names;
        self.types.named(text, |name| names.type_called(name)).ok_or_else(|| self.no_type(text))
    }

    fn no_type(&self, text: &TypeText) -> ExpressionError {
        if let Base::Named(name) = &text.base
            && self.names.is_taken(name)
        {
            // `(f)(x)` looks like a cast.
            let is_call = self.text[text.span.end as usize..].trim_start_matches([' ', ')']).starts_with('(');
            return match is_call {
                true => ExpressionError::new(text.span, "functions are not called here; step into them instead"),
                false => ExpressionError::new(text.span, format!("`{name}` is not a type")),
            };
        }
        let known = self.own_types();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let quoted = self.quote(text.span);
        let sentence = Sentence::new(format!("there is no type {quoted}"));
        let sentence = sentence.close_to(quoted.trim_matches(['`', '*', ' ']), known.iter().copied());
        ExpressionError::new(text.span, sentence.list("there are", &known).end())
    }

    /// The types that the user's file names, and not only a header.
    fn own_types(&self) -> Vec<String> {
        let is_own = |record: &Record| self.names.is_own(&record.name) && !self.names.is_type(&record.name);
        let records = self.types.records().filter(|(_, record)| is_own(record));
        let mut own: Vec<String> = records.map(|(_, record)| record.full_name()).collect();
        let typedefs = self.names.type_names().filter(|name| self.names.is_own(name));
        own.extend(typedefs.map(String::from));
        own
    }

    fn size_of(&mut self, operand: &Tree, span: Span) -> Resolved {
        if let TreeKind::Text(bytes) = &operand.kind {
            return Ok(self.size_constant(bytes.len() as u64 + 1, span));
        }
        let term = match (self.resolve(operand), &operand.kind) {
            (Err(_), TreeKind::Name(None, name)) if !self.is_open && self.record_called(name).is_some() => {
                let ty = self.record_called(name).expect("it was found");
                return self.size(ty, span);
            }
            (term, _) => term?,
        };
        match term.width {
            Some(_) => Err(ExpressionError::new(
                span,
                format!("{} is a bit-field and has no size in bytes", self.quote(term.span)),
            )),
            None => self.size(term.ty, span),
        }
    }

    /// `sizeof(node)`, of a struct that has no other name, looks like the size of a variable.
    fn record_called(&self, name: &str) -> Option<TypeId> {
        let (id, _) = self.types.records().find(|(_, record)| record.name == name)?;
        self.types.find(&Type::Record(id))
    }

    fn size(&mut self, ty: TypeId, span: Span) -> Resolved {
        let size = match self.types.get(ty) {
            Type::Void | Type::Function(_) => 1,
            _ => self.types.size_of(ty),
        };
        let is_known = size > 0 || self.types.as_record(ty).is_some_and(|record| record.complete);
        match is_known {
            true => Ok(self.size_constant(size, span)),
            false => {
                Err(ExpressionError::new(span, format!("the size of `{}` is not known here", self.types.name(ty))))
            }
        }
    }

    fn size_constant(&mut self, size: u64, span: Span) -> Term {
        self.constant(Value::Int(size.into()), Type::Int { bytes: 8, signed: false }, span)
    }
}

/// Enum constants are `int`s, unless they do not fit.
fn constant_type(value: i128) -> Type {
    let (bytes, signed) = match value {
        _ if i32::try_from(value).is_ok() => (4, true),
        _ if u32::try_from(value).is_ok() => (4, false),
        _ => (8, i64::try_from(value).is_ok()),
    };
    Type::Int { bytes, signed }
}
