//! From what was typed to what it means: a [`Tree`] to a [`Term`].
//!
//! Everything that can be wrong without looking at values is found here, so
//! this is also the check of an expression that is to be evaluated later.

mod operator;
mod place;

use c_syntax::Span;
use c_types::{Type, TypeId};
use memory::{NodeId, Object, Place, Value};

use crate::ExpressionError;
use crate::names::{Meaning, Names, View};
use crate::suggest;
use crate::table::{Table, node_type};
use crate::term::{Term, TermKind};
use crate::tree::{Tree, TreeKind, TypeText, Unary};

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
                    None => self.names.find(name, span)?,
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
            Meaning::Truth(truth) => {
                self.constant(Value::Int(truth.into()), Type::Int { bytes: 4, signed: true }, span)
            }
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
        self.types.named(text).ok_or_else(|| {
            let known = self.own_records();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let quoted = self.quote(text.span);
            let close = suggest::close_to(quoted.trim_matches(['`', '*', ' ']), known.iter().copied());
            let offer = if known.is_empty() { String::new() } else { format!("; there are {}", suggest::list(&known)) };
            ExpressionError::new(text.span, format!("there is no type {quoted}{close}{offer}"))
        })
    }

    /// The records that the user's file names, and not only a header.
    fn own_records(&self) -> Vec<String> {
        let source = String::from_utf8_lossy(&self.names.program.source.bytes);
        let own = self.types.records().filter(|(_, record)| source.contains(&record.name));
        own.map(|(_, record)| record.full_name()).collect()
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

    /// `sizeof(node_t)` looks like the size of a variable.
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
