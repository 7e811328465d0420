//! Calls: own functions are run in place, library functions are modelled.

use c_syntax::Span;
use c_types::TypeId;
use ir::{Callee, FunctionId, FunctionRef, LocalId, Operand};

use super::TooLarge;
use super::arithmetic::Kind;
use super::run::Engine;
use super::state::State;
use super::value::{Content, Target, Value};

impl Engine<'_> {
    pub(super) fn call(
        &mut self,
        mut state: State,
        to: Option<LocalId>,
        callee: &Callee,
        arguments: &[Operand],
        ty: TypeId,
        span: Span,
    ) -> Result<Option<State>, TooLarge> {
        let target = match callee {
            Callee::Direct(FunctionRef::Own(id)) => *id,
            Callee::Direct(FunctionRef::Library(name)) => {
                let values = self.arguments(&mut state, arguments);
                return self.library(state, to, name, &values, arguments, ty, span);
            }
            Callee::Pointer(pointer) => match self.operand(&mut state, pointer) {
                Value::Pointer(parts) if parts.len() == 1 => match parts[0].1 {
                    Target::Function(id) => FunctionId(id as u32),
                    _ => return self.unknown_callee(&state, span),
                },
                _ => return self.unknown_callee(&state, span),
            },
        };
        let values = self.arguments(&mut state, arguments);
        let program = self.request.program;
        let function = program.function(target);
        let mut contents = vec![];
        for (index, value) in values.into_iter().enumerate() {
            let value = self.define(value, arguments[index].span);
            contents.push(Content::Set(self.as_parameter(value, function, index, arguments[index].ty)));
        }
        let Some(mut state) = self.inline(target, contents, state)? else { return Ok(None) };
        if let Some(to) = to {
            let kind = self.kind(self.local_type(to.index()));
            let content = std::mem::replace(&mut state.result, Content::Unset);
            let value = self.read(&state, content, kind, span);
            self.put_local(&mut state, to.index(), Content::Set(value));
        }
        state.result = Content::Unset;
        Ok(Some(state))
    }

    /// An argument in the type of its parameter, which may differ where there is no prototype.
    fn as_parameter(&mut self, value: Value, function: &ir::Function, index: usize, from: TypeId) -> Value {
        match function.locals.get(index).filter(|_| index < function.parameters) {
            Some(local) if local.ty != from => {
                let (from, to) = (self.kind(from), self.kind(local.ty));
                self.convert(value, from, to)
            }
            _ => value,
        }
    }

    fn arguments(&mut self, state: &mut State, arguments: &[Operand]) -> Vec<Value> {
        arguments.iter().map(|argument| self.operand(state, argument)).collect()
    }

    fn unknown_callee(&mut self, state: &State, span: Span) -> Result<Option<State>, TooLarge> {
        self.not_modelled(state, span, "the function that is called depends on the input".into());
        Ok(None)
    }

    /// The arguments of the entry function: none, or those of `main`.
    pub(super) fn entry_arguments(&mut self, state: &mut State) -> Vec<Content> {
        let program = self.request.program;
        let function = program.function(self.request.entry);
        let count = self.request.arguments;
        let mut contents = vec![];
        for local in &function.locals[..function.parameters] {
            contents.push(match self.kind(local.ty) {
                Kind::Int { width, .. } => Content::Set(Value::Int(self.terms.bits(u64::from(count), width))),
                Kind::Pointer => {
                    let size = self.terms.bits(u64::from(count + 1) * 8, 64);
                    let object = self.new_object(state, "argv", size, true, false);
                    for number in 0..count {
                        let value = Value::pointer(self.terms, Target::Argument(number));
                        self.put_at(state, object, u64::from(number) * 8, 8, &Content::Set(value));
                    }
                    let start = self.terms.bits(0, 64);
                    Content::Set(Value::pointer(self.terms, Target::Object(object, start)))
                }
                _ => Content::Unset,
            });
        }
        contents
    }
}
