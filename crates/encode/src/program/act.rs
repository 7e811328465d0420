//! Actions: one thing done to operands.

use c_syntax::Span;
use ir::{Action, ActionKind, Operand, OperandKind, Rvalue};
use solver::{Sort, Term};

use super::arithmetic::Kind;
use super::run::{Engine, cut};
use super::state::State;
use super::value::{Content, Target, Value};
use super::{Definition, TooLarge, ViolationKind};

impl Engine<'_> {
    pub(super) fn act(&mut self, action: &Action, mut state: State) -> Result<Option<State>, TooLarge> {
        match &action.kind {
            ActionKind::Assign { to, value, .. } => {
                let kind = self.kind(self.local_type(to.index()));
                let found = self.rvalue(&mut state, value, kind, action.span);
                let mut value = self.fit(found, kind);
                if self.is_named(to.index()) {
                    value = self.define(value, action.span);
                }
                self.put_local(&mut state, to.index(), Content::Set(value));
            }
            ActionKind::Store { to, value } => {
                let found = self.operand(&mut state, value);
                let kind = self.kind(to.ty);
                let found = self.fit(found, kind);
                let found = self.define(found, action.span);
                self.store(&mut state, to, &found);
            }
            ActionKind::Clear { to } => self.clear(&mut state, to),
            ActionKind::Call { to, callee, arguments, ty, .. } => {
                return self.call(state, *to, callee, arguments, *ty, action.span);
            }
            ActionKind::Concrete { what, .. } => {
                self.not_modelled(&state, action.span, what.clone());
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    fn is_named(&self, local: usize) -> bool {
        let function = self.frames.last().expect("a function is running").function;
        local < self.request.program.function(function).named
    }

    pub(super) fn local_type(&self, local: usize) -> c_types::TypeId {
        let function = self.frames.last().expect("a function is running").function;
        self.request.program.function(function).locals[local].ty
    }

    fn rvalue(&mut self, state: &mut State, value: &Rvalue, into: Kind, span: Span) -> Value {
        match value {
            Rvalue::Use(operand) => self.operand(state, operand),
            Rvalue::Load(access) => {
                if let Some(selector) = self.selector(access) {
                    return selector;
                }
                let (content, kind) = (self.load(state, access), self.kind(access.ty));
                self.read(state, content, kind, access.span)
            }
            Rvalue::AddressOf(access) => match self.address(state, access) {
                Some(parts) => Value::Pointer(parts.into()),
                None => Value::Opaque,
            },
            Rvalue::Unary(op, operand, _) => {
                let value = self.operand(state, operand);
                self.unary(*op, &value)
            }
            Rvalue::Binary(op, left, right, ty) => {
                let kind = self.kind(*ty);
                let (a, b) = (self.operand(state, left), self.operand(state, right));
                let a = self.fit(a, kind);
                let is_shift = matches!(op, ir::BinaryOp::ShiftLeft | ir::BinaryOp::ShiftRight);
                let b = if is_shift { b } else { self.fit(b, kind) };
                self.binary(state, *op, kind, (&a, &b), into, span)
            }
            Rvalue::Convert { value, from, to } => {
                let (from, to) = (self.kind(*from), self.kind(*to));
                let value = self.operand(state, value);
                self.convert(value, from, to)
            }
            Rvalue::Offset { pointer, index, scale, backward } => {
                let signed = self.request.program.types.is_signed(index.ty);
                let (pointer, index) = (self.operand(state, pointer), self.operand(state, index));
                let scale = self.operand(state, scale);
                match (index, scale) {
                    (Value::Int(index), Value::Int(scale)) => self.offset(&pointer, index, signed, scale, *backward),
                    _ => Value::Opaque,
                }
            }
            Rvalue::Distance { left, right, scale } => {
                let (left, right) = (self.operand(state, left), self.operand(state, right));
                match self.operand(state, scale) {
                    Value::Int(scale) => self.distance(state, &left, &right, scale, span),
                    _ => Value::Opaque,
                }
            }
        }
    }

    /// The value of an operand; reading what was never written goes wrong.
    pub(super) fn operand(&mut self, state: &mut State, operand: &Operand) -> Value {
        let content = self.operand_content(state, operand);
        let kind = self.kind(operand.ty);
        let value = self.read(state, content, kind, operand.span);
        self.fit(value, kind)
    }

    /// A truth value that is used as an `int`, or the other way round, is not converted in the IR.
    pub(super) fn fit(&mut self, value: Value, kind: Kind) -> Value {
        match (&value, kind) {
            (Value::Int(term), Kind::Int { width, .. }) if self.terms.width(*term) != width => {
                Value::Int(self.resize(*term, width, false))
            }
            _ => value,
        }
    }

    pub(super) fn operand_content(&mut self, state: &mut State, operand: &Operand) -> Content {
        let kind = self.kind(operand.ty);
        Content::Set(match &operand.kind {
            OperandKind::Local(local) => return self.get_local(state, local.index(), kind, operand.span),
            OperandKind::Int(value) => match kind {
                Kind::Pointer if *value == 0 => Value::null(self.terms),
                Kind::Int { width, .. } => Value::Int(self.terms.bits(cut(*value, width), width)),
                _ => Value::Opaque,
            },
            OperandKind::Float(_) => Value::Opaque,
            OperandKind::Text(text) => {
                let object = self.text_object(state, text.index());
                let start = self.terms.bits(0, 64);
                Value::pointer(self.terms, Target::Object(object, start))
            }
            OperandKind::Function(ir::FunctionRef::Own(id)) => Value::pointer(self.terms, Target::Function(id.index())),
            OperandKind::Function(_) => Value::Opaque,
        })
    }

    /// The value of a content; where it was never written, the run goes wrong.
    pub(super) fn read(&mut self, state: &State, content: Content, kind: Kind, span: Span) -> Value {
        match content {
            Content::Set(value) => value,
            Content::Unset => {
                let always = self.terms.constant(true);
                self.violate(state, always, ViolationKind::Uninitialised, span, String::new());
                self.arbitrary(kind)
            }
            Content::Mixed(value, set) => {
                let unset = self.terms.not(set);
                self.violate(state, unset, ViolationKind::Uninitialised, span, String::new());
                value
            }
        }
    }

    /// Whether an operand is not zero.
    pub(super) fn truth(&mut self, state: &mut State, test: &Operand) -> Term {
        let value = self.operand(state, test);
        match self.not_zero(&value) {
            Some(truth) => truth,
            None => {
                self.not_modelled(
                    state,
                    test.span,
                    "the condition is over a floating number, or another value that is not modelled".into(),
                );
                self.terms.constant(false)
            }
        }
    }

    /// The value under a name of its own, if that was asked for.
    pub(super) fn define(&mut self, value: Value, span: Span) -> Value {
        if !self.request.define || self.step.is_none() {
            return value;
        }
        match value {
            Value::Int(term) => Value::Int(self.name(term, span)),
            Value::Pointer(parts) => {
                let named = parts.iter().map(|(guard, target)| {
                    let target = match target {
                        Target::Object(id, offset) => Target::Object(*id, self.name(*offset, span)),
                        other => other.clone(),
                    };
                    (self.name(*guard, span), target)
                });
                Value::Pointer(named.collect())
            }
            other => other,
        }
    }

    pub(super) fn define_condition(&mut self, condition: Term, span: Span) -> Term {
        if self.request.define && self.step.is_some() { self.name(condition, span) } else { condition }
    }

    fn name(&mut self, value: Term, span: Span) -> Term {
        let Some(step) = self.step else { return value };
        let sort: Sort = self.terms.sort(value);
        let variable = self.terms.fresh("value", sort);
        self.definitions.push(Definition { variable, value, step, span });
        variable
    }
}
