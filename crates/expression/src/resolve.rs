//! From what was typed to what it means: a [`Tree`] to a [`Term`].
//!
//! Everything that can be wrong without looking at values is found here, so
//! this is also the check of an expression that is to be evaluated later.

mod operator;

use c_syntax::Span;
use c_types::{Field, Record, Type, TypeId};
use memory::{NodeId, Object, Place, Value};

use crate::ExpressionError;
use crate::names::{Meaning, Names, View};
use crate::suggest;
use crate::table::{Table, member_names, node_type};
use crate::term::{Member, Term, TermKind};
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
                let what =
                    format!("{} is a `{}`, neither true nor false", self.quote(term.span), self.types.name(term.ty));
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

    // ----- places -----

    /// `base.name`, `base->name`; a `.` after a pointer follows it.
    fn member(&mut self, base: Term, name: &str, name_span: Span, arrow: bool, span: Span) -> Resolved {
        if arrow && self.types.as_record(base.ty).is_some() {
            let text = self.quote(base.span);
            let what = format!("{text} is a `{}` and no pointer; write `.{name}`", self.types.name(base.ty));
            return Err(ExpressionError::new(span, what));
        }
        let base = if arrow { self.decay(base) } else { base };
        let base = match *self.types.get(base.ty) {
            Type::Pointer(_) => {
                let span = base.span;
                self.deref(base, span)?
            }
            _ => base,
        };
        let ty = base.ty;
        let Some(record) = self.types.as_record(ty) else {
            let what = format!("{} is a `{}`, which has no members", self.quote(base.span), self.types.name(ty));
            return Err(ExpressionError::new(name_span, what));
        };
        let mut steps = Vec::new();
        let Some(field) = find_field(&self.types, record, name, &mut steps) else {
            return Err(self.no_member(record, name, name_span));
        };
        let member = Member { name: name.into(), steps, offset: field.offset };
        let width = field.bits.map(|bits| bits.1);
        Ok(Term { width, ..Term::new(TermKind::Field(base.into(), member), field.ty, span) })
    }

    fn no_member(&self, record: &Record, name: &str, span: Span) -> ExpressionError {
        let mut names = Vec::new();
        member_names(&self.types, record, &mut names);
        let full = record.full_name();
        let message = match names.is_empty() {
            true => format!("the members of `{full}` are not known here"),
            false => {
                let close = suggest::close_to(name, names.iter().copied());
                format!("`{full}` has no member `{name}`{close}; it has {}", suggest::list(&names))
            }
        };
        ExpressionError::new(span, message)
    }

    fn index(&mut self, base: Term, index: Term, span: Span) -> Resolved {
        // `2[a]` is `a[2]`.
        let (base, index) = match self.types.target(base.ty).is_none() && self.types.target(index.ty).is_some() {
            true => (index, base),
            false => (base, index),
        };
        if !self.types.is_integer(index.ty) {
            let what =
                format!("{} is a `{}`, not a number of an element", self.quote(index.span), self.types.name(index.ty));
            return Err(ExpressionError::new(index.span, what));
        }
        match *self.types.get(base.ty) {
            Type::Array(element, _) => Ok(Term::new(TermKind::Element(base.into(), index.into()), element, span)),
            Type::Pointer(_) => {
                let ty = base.ty;
                let kind = TermKind::Offset { pointer: base.into(), index: index.into(), backward: false };
                self.deref(Term::new(kind, ty, span), span)
            }
            _ => {
                let what =
                    format!("{} is a `{}`, which has no elements", self.quote(base.span), self.types.name(base.ty));
                Err(ExpressionError::new(base.span, what))
            }
        }
    }

    fn deref(&mut self, pointer: Term, span: Span) -> Resolved {
        let pointer = self.decay(pointer);
        let Type::Pointer(target) = *self.types.get(pointer.ty) else {
            let what = format!("{} is a `{}` and no pointer", self.quote(pointer.span), self.types.name(pointer.ty));
            return Err(ExpressionError::new(pointer.span, what));
        };
        match self.types.get(target) {
            Type::Void => {
                let text = self.quote(pointer.span);
                let hint = "cast it to what it points to, as in `(int *)p`";
                Err(ExpressionError::new(pointer.span, format!("{text} is a `void *`; {hint}")))
            }
            // `*f` of a function is the function.
            Type::Function(_) => Ok(Term::new(TermKind::Convert(pointer.into()), target, span)),
            _ => Ok(Term::new(TermKind::Deref(pointer.into()), target, span)),
        }
    }

    /// `&*p` is `p`, and `&p[i]` is `p + i`: nothing is followed.
    fn address_of(&mut self, operand: &Tree, span: Span) -> Resolved {
        let term = self.resolve(operand)?;
        if let TermKind::Deref(pointer) = term.kind {
            return Ok(Term { span, ..*pointer });
        }
        if term.width.is_some() {
            return Err(ExpressionError::new(
                span,
                format!("{} is a bit-field and has no address", self.quote(term.span)),
            ));
        }
        let is_function = matches!(self.types.get(term.ty), Type::Function(_));
        if !term.is_place() && !is_function {
            return Err(ExpressionError::new(span, format!("{} has no address", self.quote(term.span))));
        }
        let ty = self.types.pointer_to(term.ty);
        match is_function {
            true => Ok(Term { ty, span, ..term }),
            false => Ok(Term::new(TermKind::AddressOf(term.into()), ty, span)),
        }
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
            let mut known: Vec<String> = self.types.records().map(|(_, record)| record.full_name()).collect();
            known.retain(|name| !name.contains("__") && !name.contains('('));
            known.dedup();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let offer = if known.is_empty() { String::new() } else { format!("; there are {}", suggest::list(&known)) };
            ExpressionError::new(text.span, format!("there is no type {}{offer}", self.quote(text.span)))
        })
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

/// A member by name, also of unnamed records inside, with its offset from the outermost.
fn find_field(types: &Table<'_>, record: &Record, name: &str, steps: &mut Vec<usize>) -> Option<Field> {
    for (i, field) in record.fields.iter().enumerate() {
        steps.push(i);
        if field.name == name {
            return Some(field.clone());
        }
        let inner = types.as_record(field.ty).filter(|_| field.name.is_empty());
        if let Some(found) = inner.and_then(|inner| find_field(types, inner, name, steps)) {
            return Some(Field { offset: field.offset + found.offset, ..found });
        }
        steps.pop();
    }
    None
}
