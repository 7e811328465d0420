//! Actions: assignments, stores, calls.

use c_types::{Type, TypeId};
use ir::{
    Access, AccessRoot, Action, ActionKind, BinaryOp, Callee, FunctionRef, LocalId, Operand, Rvalue, StepId, UnaryOp,
};

use super::super::code::*;
use super::place::pointer_span;
use super::{Compiler, Writer, scalar_of};

impl Compiler<'_> {
    pub(super) fn action(&mut self, writer: &mut Writer<'_>, action: &Action) {
        writer.origin = Origin { span: action.span, subject: action.span };
        match &action.kind {
            ActionKind::Assign { to, value, .. } => {
                self.assign(writer, *to, value);
                writer.assigned.insert(to.index());
            }
            ActionKind::Store { to, value } => self.store(writer, to, value),
            ActionKind::Clear { to } => {
                let p = self.whole_address(writer, to);
                writer.emit(Op::Clear { p, size: self.types.size_of(to.ty) as u32 });
            }
            ActionKind::Call { to, callee, arguments, step, ty } => {
                self.call(writer, *to, callee, arguments, *step, *ty);
                if let Some(to) = to {
                    writer.assigned.insert(to.index());
                }
            }
            ActionKind::Concrete { what, .. } => {
                self.image.messages.push(what.clone());
                writer.emit(Op::Refuse(self.image.messages.len() as u32 - 1));
            }
        }
    }

    pub(super) fn assign(&mut self, writer: &mut Writer<'_>, to: LocalId, value: &Rvalue) {
        let d = to.0;
        let local = &writer.function.locals[to.index()];
        if local.in_memory {
            return self.assign_memory(writer, to, value);
        }
        match value {
            Rvalue::Use(operand) => {
                let s = self.src(writer, operand);
                writer.emit(Op::Move { d, s });
            }
            Rvalue::Unary(op, operand, ty) => {
                let s = self.src(writer, operand);
                let kind = self.kind(*ty);
                match op {
                    UnaryOp::Negate => writer.emit(Op::Negate { kind, d, s }),
                    UnaryOp::Complement => writer.emit(Op::Complement { kind, d, s }),
                    UnaryOp::Not => {
                        let b = self.constant(0);
                        writer.emit(Op::Binary { op: BinaryOp::Equal, kind, d, a: s, b });
                    }
                }
            }
            Rvalue::Binary(op, left, right, ty) => {
                let (a, b) = (self.src(writer, left), self.src(writer, right));
                let kind = self.kind(*ty);
                writer.origin.subject = right.span;
                writer.emit(match (op, kind) {
                    (BinaryOp::Add, Scalar::I32) => Op::AddInt { d, a, b },
                    _ => Op::Binary { op: *op, kind, d, a, b },
                });
            }
            Rvalue::Convert { value, from, to } => {
                let s = self.src(writer, value);
                let (from, to) = (self.kind(*from), self.kind(*to));
                writer.emit(Op::Convert { from, to, d, s });
            }
            Rvalue::Offset { pointer, index, scale, backward } => {
                let (p, i) = (self.src(writer, pointer), self.src(writer, index));
                let scale = self.src(writer, scale);
                writer.emit(match backward {
                    true => Op::ElementBack { d, p, i, scale },
                    false => Op::Element { d, p, i, scale },
                });
            }
            Rvalue::Distance { left, right, scale } => {
                let (a, b) = (self.src(writer, left), self.src(writer, right));
                let scale = self.src(writer, scale);
                writer.emit(Op::Distance { d, a, b, scale });
            }
            Rvalue::Load(access) => self.load(writer, d, access),
            Rvalue::AddressOf(access) => {
                let (p, offset) = self.address(writer, access);
                writer.emit(Op::Advance { d, p, offset });
            }
        }
    }

    pub(super) fn kind(&self, ty: TypeId) -> Scalar {
        scalar_of(self.types, ty).unwrap_or(Scalar::U64)
    }

    /// A struct, or a scalar whose address is taken.
    pub(super) fn assign_memory(&mut self, writer: &mut Writer<'_>, to: LocalId, value: &Rvalue) {
        let ty = writer.function.locals[to.index()].ty;
        let to = Access { root: AccessRoot::Local(to), path: Vec::new(), ty, bits: None, span: writer.origin.span };
        match value {
            Rvalue::Use(operand) => self.store(writer, &to, operand),
            Rvalue::Load(access) if self.types.is_aggregate(ty) => {
                let from = self.whole_address(writer, access);
                let to = self.whole_address(writer, &to);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::Copy { to, from, size: self.types.size_of(ty) as u32 });
            }
            _ => writer.emit(Op::Refuse(self.refusal("this assignment to a variable in memory"))),
        }
    }

    pub(super) fn refusal(&mut self, what: &str) -> u32 {
        self.image.messages.push(what.to_string());
        self.image.messages.len() as u32 - 1
    }

    pub(super) fn load(&mut self, writer: &mut Writer<'_>, d: Slot, access: &Access) {
        let kind = self.kind(access.ty);
        match access.bits {
            Some((start, width)) => {
                let p = self.whole_address(writer, access);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::LoadBits { kind, d, p, start, width });
            }
            None => {
                let (p, offset) = self.near_address(writer, access);
                writer.origin.subject = pointer_span(access);
                writer.emit(Op::Load { kind, d, p, offset });
            }
        }
    }

    pub(super) fn near_address(&mut self, writer: &mut Writer<'_>, access: &Access) -> (Src, i32) {
        match self.address(writer, access) {
            (base, offset) if i32::try_from(offset).is_ok() => (base, offset as i32),
            (base, offset) => {
                let d = writer.scratch();
                writer.emit(Op::Advance { d, p: base, offset });
                (Src(d), 0)
            }
        }
    }

    pub(super) fn store(&mut self, writer: &mut Writer<'_>, to: &Access, value: &Operand) {
        if self.types.is_aggregate(to.ty) {
            let address = self.whole_address(writer, to);
            let from = self.src(writer, value);
            writer.origin.subject = pointer_span(to);
            return writer.emit(Op::Copy { to: address, from, size: self.types.size_of(to.ty) as u32 });
        }
        match to.bits {
            Some((start, width)) => {
                let p = self.whole_address(writer, to);
                let s = self.src(writer, value);
                writer.origin.subject = pointer_span(to);
                writer.emit(Op::StoreBits { p, s, start, width });
            }
            None => {
                let (p, offset) = self.near_address(writer, to);
                let s = self.src(writer, value);
                writer.origin.subject = pointer_span(to);
                writer.emit(Op::Store { kind: self.kind(to.ty), p, offset, s });
            }
        }
    }

    pub(super) fn call(
        &mut self,
        writer: &mut Writer<'_>,
        to: Option<LocalId>,
        callee: &Callee,
        arguments: &[Operand],
        step: StepId,
        ty: TypeId,
    ) {
        let target = match callee {
            Callee::Direct(FunctionRef::Own(id)) => Target::Own(id.0),
            Callee::Direct(FunctionRef::Library(name)) => Target::Library(self.linker.library(name)),
            Callee::Pointer(pointer) => {
                writer.origin.subject = pointer.span;
                Target::Pointer(self.src(writer, pointer))
            }
        };
        let size = |ty| self.types.is_aggregate(ty).then(|| self.types.size_of(ty) as u32);
        let sizes: Vec<_> = arguments.iter().map(|argument| size(argument.ty)).collect();
        let arguments =
            arguments.iter().zip(sizes).map(|(argument, size)| (self.src(writer, argument), size)).collect();
        let result = match self.types.get(ty) {
            Type::Function(signature) => signature.result,
            _ => ty,
        };
        let struct_result = self.types.is_aggregate(result).then(|| self.types.size_of(result) as u32);
        let step = (step.0 != u32::MAX).then_some(step.0);
        let kind = scalar_of(self.types, result);
        let in_memory = to.is_some_and(|to| writer.function.locals[to.index()].in_memory);
        // A scalar whose address is taken gets the result by a store of its own.
        let through = (in_memory && struct_result.is_none()).then(|| writer.scratch());
        let slot = through.or(to.map(|to| to.0));
        self.image.calls.push(Call { target, arguments, to: slot, struct_result, step, kind });
        writer.emit(Op::Call(self.image.calls.len() as u32 - 1));
        if let (Some(from), Some(to)) = (through, to) {
            let kind = self.kind(writer.function.locals[to.index()].ty);
            writer.emit(Op::Store { kind, p: Src(to.0), offset: 0, s: Src(from) });
        }
    }
}
