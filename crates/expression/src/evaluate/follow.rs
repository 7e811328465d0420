//! Following pointers.

use std::borrow::Cow;

use c_types::TypeId;
use memory::{Object, Place, Value};

use super::{Evaluated, Evaluator};
use crate::ExpressionError;
use crate::place::{Located, Missing, Whole};
use crate::term::{Term, TermKind};

impl<'a> Evaluator<'a> {
    /// `*pointer`, and `p[i]`, where `p` is to blame if it leads nowhere.
    pub(super) fn deref(&self, pointer: &Term, ty: TypeId) -> Evaluated<Located<'a>> {
        if let TermKind::Offset { pointer: base, .. } = &pointer.kind {
            let value = self.value(base)?;
            if !matches!(value, Value::Pointer(_) | Value::Text(_)) {
                return Err(self.leads_nowhere(base, &value, "so it has no elements"));
            }
        }
        self.follow(pointer, ty, "so there is nothing to see there")
    }

    /// What of type `ty` a pointer points to. `so` ends the sentence if there is nothing.
    pub(super) fn follow(&self, pointer: &Term, ty: TypeId, so: &str) -> Evaluated<Located<'a>> {
        match self.value(pointer)? {
            Value::Pointer(place) => self.at(pointer, &place, ty),
            Value::Text(text) => self.first_of_text(pointer, &text, ty),
            value => Err(self.leads_nowhere(pointer, &value, so)),
        }
    }

    fn at(&self, pointer: &Term, place: &Place, ty: TypeId) -> Evaluated<Located<'a>> {
        let whole = self.whole(pointer, &place.object)?;
        if !whole.holds(place.offset, self.types.size_of(ty)) {
            return Err(self.outside(pointer, &whole));
        }
        let offset = place.offset as u64;
        match whole.find(self.types, offset, ty) {
            Ok(Some(located)) => Ok(located),
            Ok(None) => self.reinterpret(pointer, &whole, offset, ty),
            Err(Missing::Beyond(_)) => Err(self.outside(pointer, &whole)),
            Err(Missing::Cut(shown)) => {
                let what = format!("only the first {shown} elements of {} are kept in a state", whole.object);
                Err(ExpressionError::new(pointer.span, what))
            }
        }
    }

    /// The object a pointer points to.
    fn whole(&self, pointer: &Term, object: &Object) -> Evaluated<Whole<'a>> {
        let whole = Whole::of(self.types, self.names, self.state, object);
        whole.ok_or_else(|| {
            let text = self.quote(pointer);
            let message = match object {
                Object::Node(id) => format!("{text} points to {id}, and what type {id} has is not known"),
                Object::Arguments => format!("{text} points to the program's arguments, which a state does not hold"),
                Object::Local { name, function, .. } => {
                    format!("{text} points to `{name}` of {function}, which is not in scope there now")
                }
                _ => format!("{text} points to {object}, which a state does not hold"),
            };
            ExpressionError::new(pointer.span, message)
        })
    }

    fn outside(&self, pointer: &Term, whole: &Whole<'_>) -> ExpressionError {
        let size = whole.size.map_or(String::new(), |size| match size {
            1 => ", which has 1 byte".into(),
            _ => format!(", which has {size} bytes"),
        });
        let message = format!("{} points outside of {}{size}", self.quote(pointer), whole.object);
        ExpressionError::new(pointer.span, message)
    }

    fn first_of_text(&self, pointer: &Term, text: &[u8], ty: TypeId) -> Evaluated<Located<'a>> {
        if !self.types.is_char(ty) {
            let message =
                format!("{} points to text, not to a value of type `{}`", self.quote(pointer), self.types.name(ty));
            return Err(ExpressionError::new(pointer.span, message));
        }
        // The text ends with a NUL that is not part of the value.
        let byte = text.first().copied().unwrap_or(0);
        let value = if self.types.is_signed(ty) { i128::from(byte as i8) } else { byte.into() };
        Ok(Located { home: None, path: String::new(), offset: 0, ty, value: Cow::Owned(Value::Int(value)) })
    }

    /// ``current` is null, so it has no `next``
    fn leads_nowhere(&self, pointer: &Term, value: &Value, so: &str) -> ExpressionError {
        if let (TermKind::Node(id, _), Value::Dangling(_)) = (&pointer.kind, value) {
            return ExpressionError::new(pointer.span, format!("{id} was freed, {so}"));
        }
        let what = match value {
            Value::Null => format!("is null, {so}"),
            Value::Uninitialised => format!("has no value yet, {so}"),
            Value::Dangling(Place { object: Object::Node(id), .. }) => format!("points to {id}, which was freed, {so}"),
            Value::Dangling(_) => format!("points to a local variable of a call that is over, {so}"),
            Value::Address(address) => format!("is {address:#x}, where the program has nothing, {so}"),
            Value::Outside => format!("points outside of what a state holds, {so}"),
            Value::Function(name) => format!("points to the function {name}, {so}"),
            _ => format!("is not known, {so}"),
        };
        ExpressionError::new(pointer.span, format!("{} {what}", self.quote(pointer)))
    }
}
