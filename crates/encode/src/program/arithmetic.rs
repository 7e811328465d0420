//! Exact C arithmetic on bit-vectors as wide as their types.

use c_syntax::Span;
use c_types::{Type, TypeId};
use ir::{BinaryOp, UnaryOp};
use solver::Term;

use super::ViolationKind;
use super::run::Engine;
use super::state::State;
use super::value::{Target, Value, add_part};

/// What the model knows of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An integer.
    Int {
        /// Its bits.
        width: u32,
        /// Whether it is signed.
        signed: bool,
        /// Whether it is `_Bool`.
        is_bool: bool,
    },
    /// A pointer.
    Pointer,
    /// A struct or union of so many bytes.
    Record(u64),
    /// Anything else.
    Other,
}

impl Engine<'_> {
    pub(super) fn kind(&self, ty: TypeId) -> Kind {
        let types = &self.request.program.types;
        match types.get(ty) {
            Type::Bool => Kind::Int { width: 8, signed: false, is_bool: true },
            Type::Char { signed } => Kind::Int { width: 8, signed: *signed, is_bool: false },
            Type::Int { bytes, signed } if *bytes <= 8 => {
                Kind::Int { width: u32::from(*bytes) * 8, signed: *signed, is_bool: false }
            }
            Type::Pointer(_) | Type::Function(_) => Kind::Pointer,
            Type::Record(_) => Kind::Record(types.size_of(ty)),
            _ => Kind::Other,
        }
    }

    /// Any value of a type, where a run has gone wrong.
    pub(super) fn arbitrary(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Int { width, .. } => Value::Int(self.terms.bits(0, width)),
            Kind::Pointer => Value::null(self.terms),
            Kind::Record(_) => Value::Record([].into()),
            Kind::Other => Value::Opaque,
        }
    }

    pub(super) fn resize(&mut self, term: Term, width: u32, signed: bool) -> Term {
        let from = self.terms.width(term);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.terms.extract(term, width - 1, 0),
            std::cmp::Ordering::Less if signed => self.terms.sign_extend(term, width),
            std::cmp::Ordering::Less => self.terms.zero_extend(term, width),
        }
    }

    /// Whether a value is not zero; `None` for what is not modelled.
    pub(super) fn not_zero(&mut self, value: &Value) -> Option<Term> {
        match value {
            Value::Int(term) => {
                let zero = self.terms.bits(0, self.terms.width(*term));
                Some(self.terms.ne(*term, zero))
            }
            Value::Pointer(parts) => {
                let null: Vec<Term> = parts.iter().filter(|part| part.1 == Target::Null).map(|part| part.0).collect();
                let null = self.terms.any(&null);
                Some(self.terms.not(null))
            }
            _ => None,
        }
    }

    pub(super) fn convert(&mut self, value: Value, from: Kind, to: Kind) -> Value {
        match (value, from, to) {
            (Value::Int(term), _, Kind::Int { is_bool: true, .. }) => {
                let zero = self.terms.bits(0, self.terms.width(term));
                let truth = self.terms.ne(term, zero);
                Value::Int(self.terms.bits_of_bool(truth, 8))
            }
            (Value::Int(term), Kind::Int { signed, .. }, Kind::Int { width, .. }) => {
                Value::Int(self.resize(term, width, signed))
            }
            (value @ Value::Pointer(_), _, Kind::Pointer) => value,
            (value @ Value::Pointer(_), _, Kind::Int { is_bool: true, .. }) => {
                let truth = self.not_zero(&value).expect("a pointer is null or not");
                Value::Int(self.terms.bits_of_bool(truth, 8))
            }
            (Value::Int(term), _, Kind::Pointer) if self.terms.value(term) == Some(0) => Value::null(self.terms),
            (value @ Value::Record(_), _, Kind::Record(_)) => value,
            _ => Value::Opaque,
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: &Value) -> Value {
        let Value::Int(term) = *value else { return Value::Opaque };
        Value::Int(match op {
            UnaryOp::Negate => self.terms.neg(term),
            UnaryOp::Complement => self.terms.bit_not(term),
            UnaryOp::Not => {
                let (width, zero) = (self.terms.width(term), self.terms.bits(0, self.terms.width(term)));
                let is_zero = self.terms.eq(term, zero);
                self.terms.bits_of_bool(is_zero, width)
            }
        })
    }

    /// `a op b` of two values of the type `kind`; a comparison has the result `into`.
    pub(super) fn binary(
        &mut self,
        state: &State,
        op: BinaryOp,
        kind: Kind,
        (a, b): (&Value, &Value),
        into: Kind,
        span: Span,
    ) -> Value {
        if let Some(truth) = self.comparison(op, kind, a, b) {
            let width = if let Kind::Int { width, .. } = into { width } else { 32 };
            return Value::Int(self.terms.bits_of_bool(truth, width));
        }
        let (Value::Int(a), Value::Int(b), Kind::Int { width, signed, .. }) = (a, b, kind) else {
            return Value::Opaque;
        };
        let (a, b) = (*a, *b);
        let term = match op {
            BinaryOp::Add => self.terms.add(a, b),
            BinaryOp::Subtract => self.terms.sub(a, b),
            BinaryOp::Multiply => self.terms.mul(a, b),
            BinaryOp::And => self.terms.bit_and(a, b),
            BinaryOp::Or => self.terms.bit_or(a, b),
            BinaryOp::Xor => self.terms.bit_xor(a, b),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(state, op, width, signed, (a, b), span),
            BinaryOp::Divide | BinaryOp::Remainder => self.divide(state, op, width, signed, (a, b), span),
            _ => return Value::Opaque,
        };
        // `++` and `--` of a `_Bool` count in its own type.
        if let Kind::Int { is_bool: true, .. } = kind {
            return self.convert(Value::Int(term), kind, kind);
        }
        Value::Int(term)
    }

    fn comparison(&mut self, op: BinaryOp, kind: Kind, a: &Value, b: &Value) -> Option<Term> {
        use BinaryOp::*;
        if matches!(op, BoolAnd | BoolOr) {
            let (x, y) = (self.not_zero(a)?, self.not_zero(b)?);
            return Some(if op == BoolAnd { self.terms.and(x, y) } else { self.terms.or(x, y) });
        }
        let is_comparison = matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual);
        if !is_comparison {
            return None;
        }
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => {
                let (a, b) = (*a, *b);
                let signed = matches!(kind, Kind::Int { signed: true, .. });
                let less = |terms: &mut solver::Terms, a, b| if signed { terms.slt(a, b) } else { terms.ult(a, b) };
                Some(match op {
                    Equal => self.terms.eq(a, b),
                    NotEqual => self.terms.ne(a, b),
                    Less => less(self.terms, a, b),
                    Greater => less(self.terms, b, a),
                    LessEqual => {
                        let more = less(self.terms, b, a);
                        self.terms.not(more)
                    }
                    _ => {
                        let less = less(self.terms, a, b);
                        self.terms.not(less)
                    }
                })
            }
            (Value::Pointer(a), Value::Pointer(b)) => self.compare_pointers(op, a, b),
            _ => None,
        }
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: &[(Term, Target)], b: &[(Term, Target)]) -> Option<Term> {
        let mut found = vec![];
        for (g, left) in a {
            for (h, right) in b {
                let both = self.terms.and(*g, *h);
                let holds = match (left, right) {
                    (Target::Object(i, x), Target::Object(j, y)) if i == j => match op {
                        BinaryOp::Equal | BinaryOp::NotEqual => self.terms.eq(*x, *y),
                        BinaryOp::Less => self.terms.slt(*x, *y),
                        BinaryOp::LessEqual => self.terms.sle(*x, *y),
                        BinaryOp::Greater => self.terms.slt(*y, *x),
                        _ => self.terms.sle(*y, *x),
                    },
                    _ if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) => return None,
                    (left, right) => self.terms.constant(left == right),
                };
                found.push(self.terms.and(both, holds));
            }
        }
        let holds = self.terms.any(&found);
        Some(if op == BinaryOp::NotEqual { self.terms.not(holds) } else { holds })
    }

    fn shift(
        &mut self,
        state: &State,
        op: BinaryOp,
        width: u32,
        signed: bool,
        (a, b): (Term, Term),
        span: Span,
    ) -> Term {
        // The count has a type of its own; a negative one is large as an unsigned number.
        let count_width = self.terms.width(b);
        let most = self.terms.bits(u64::from(width), count_width);
        let fits = self.terms.ult(b, most);
        let bad = self.terms.not(fits);
        self.violate(state, bad, ViolationKind::Shift, span, String::new());
        let mask = self.terms.bits(if width == 64 { 63 } else { 31 }, count_width);
        let low = self.terms.bit_and(b, mask);
        let count = self.resize(low, width, false);
        match op {
            BinaryOp::ShiftLeft => self.terms.shl(a, count),
            _ if signed => self.terms.ashr(a, count),
            _ => self.terms.lshr(a, count),
        }
    }

    fn divide(
        &mut self,
        state: &State,
        op: BinaryOp,
        width: u32,
        signed: bool,
        (a, b): (Term, Term),
        span: Span,
    ) -> Term {
        let zero = self.terms.bits(0, width);
        let mut bad = self.terms.eq(b, zero);
        if signed {
            let (smallest, minus_one) = (self.terms.bits(1 << (width - 1), width), self.terms.bits(mask(width), width));
            let (x, y) = (self.terms.eq(a, smallest), self.terms.eq(b, minus_one));
            let overflow = self.terms.and(x, y);
            bad = self.terms.or(bad, overflow);
        }
        self.violate(state, bad, ViolationKind::Division, span, String::new());
        match (op, signed) {
            (BinaryOp::Divide, true) => self.terms.sdiv(a, b),
            (BinaryOp::Divide, false) => self.terms.udiv(a, b),
            (_, true) => self.terms.srem(a, b),
            _ => self.terms.urem(a, b),
        }
    }

    /// `pointer + index * scale`, in bytes.
    pub(super) fn offset(&mut self, pointer: &Value, index: Term, signed: bool, scale: Term, backward: bool) -> Value {
        let Value::Pointer(parts) = pointer else { return Value::Opaque };
        let index = self.resize(index, 64, signed);
        let bytes = self.terms.mul(index, scale);
        let mut moved = vec![];
        for (guard, target) in parts.iter() {
            let target = match target {
                Target::Object(id, offset) => {
                    let to = if backward { self.terms.sub(*offset, bytes) } else { self.terms.add(*offset, bytes) };
                    Target::Object(*id, to)
                }
                Target::Null if self.terms.value(bytes) == Some(0) => Target::Null,
                _ => return Value::Opaque,
            };
            add_part(self.terms, &mut moved, *guard, target);
        }
        Value::Pointer(moved.into())
    }

    /// `p - q`, in elements.
    pub(super) fn distance(&mut self, state: &State, left: &Value, right: &Value, scale: Term, span: Span) -> Value {
        let (Value::Pointer(a), Value::Pointer(b)) = (left, right) else { return Value::Opaque };
        let mut result: Option<Term> = None;
        for (g, x) in a.iter() {
            for (h, y) in b.iter() {
                let both = self.terms.and(*g, *h);
                let bytes = match (x, y) {
                    (Target::Object(i, x), Target::Object(j, y)) if i == j => self.terms.sub(*x, *y),
                    (Target::Null, Target::Null) => self.terms.bits(0, 64),
                    _ => {
                        let mut here = state.clone();
                        here.path = self.terms.and(state.path, both);
                        self.not_modelled(&here, span, "the distance between different objects".into());
                        continue;
                    }
                };
                let elements = self.terms.sdiv(bytes, scale);
                result = Some(match result {
                    Some(rest) => self.terms.ite(both, elements, rest),
                    None => elements,
                });
            }
        }
        result.map_or(Value::Opaque, Value::Int)
    }
}

pub(super) fn mask(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}
