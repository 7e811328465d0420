//! Operands and the addresses of places.

use c_syntax::Span;
use ir::{Access, AccessRoot, LocalId, Operand, OperandKind, Projection};

use super::super::code::*;
use super::{Compiler, Writer};

impl Compiler<'_> {
    pub(super) fn constant(&mut self, value: u64) -> Src {
        let next = self.image.constants.len() as u32;
        let number = *self.known.entry(value).or_insert(next);
        if number == next {
            self.image.constants.push(value);
        }
        Src(number | Src::CONSTANT)
    }

    pub(super) fn src(&mut self, writer: &mut Writer<'_>, operand: &Operand) -> Src {
        match &operand.kind {
            OperandKind::Local(local) => {
                self.check_written(writer, *local, operand.span);
                Src(local.0)
            }
            OperandKind::Int(n) if self.types.is_float(operand.ty) => self.constant((*n as f64).to_bits()),
            OperandKind::Int(n) => self.constant(*n as u64),
            OperandKind::Float(x) => {
                let single = self.types.size_of(operand.ty) == 4;
                self.constant(if single { f64::from(*x as f32) } else { *x }.to_bits())
            }
            OperandKind::Text(id) => {
                let address = self.linker.text(self.program, *id);
                self.constant(address)
            }
            OperandKind::Function(function) => {
                let address = self.linker.function(function);
                self.constant(address)
            }
        }
    }

    /// Reads of a variable that may have no value yet are checked.
    pub(super) fn check_written(&mut self, writer: &mut Writer<'_>, local: LocalId, span: Span) {
        let index = local.index();
        let named = index < writer.function.named && index >= writer.function.parameters;
        if named && !writer.function.locals[index].in_memory && !writer.assigned.contains(index) {
            let outer = std::mem::replace(&mut writer.origin, Origin { span, subject: span });
            writer.emit(Op::CheckWritten { s: local.0 });
            writer.origin = outer;
            writer.assigned.insert(index);
        }
    }

    /// The address of an access as a base and a constant offset.
    pub(super) fn address(&mut self, writer: &mut Writer<'_>, access: &Access) -> (Src, i64) {
        let mut base = match &access.root {
            AccessRoot::Local(local) => Src(local.0),
            AccessRoot::Global(id) => {
                let address = self.linker.global(self.program, *id);
                self.constant(address)
            }
            AccessRoot::Text(id) => {
                let address = self.linker.text(self.program, *id);
                self.constant(address)
            }
            AccessRoot::Deref(pointer) => self.src(writer, pointer),
        };
        let mut offset = 0;
        for projection in &access.path {
            match projection {
                Projection::Field { offset: field, .. } => offset += *field as i64,
                Projection::Index { index, scale, length } => {
                    (base, offset) = self.element(writer, base, offset, index, scale, *length);
                }
            }
        }
        (base, offset)
    }

    pub(super) fn element(
        &mut self,
        writer: &mut Writer<'_>,
        base: Src,
        offset: i64,
        index: &Operand,
        scale: &Operand,
        length: Option<u64>,
    ) -> (Src, i64) {
        if let (OperandKind::Int(i), OperandKind::Int(scale)) = (&index.kind, &scale.kind)
            && length.is_none_or(|length| length <= 1 || (0..i128::from(length)).contains(i))
        {
            return (base, offset + (i * scale) as i64);
        }
        let outer = writer.origin;
        writer.origin.subject = index.span;
        let i = self.src(writer, index);
        // `char text[1]` at the end of a struct is an old way to write `char text[]`.
        if let Some(length) = length.filter(|&length| length > 1) {
            writer.emit(Op::CheckIndex { i, length: length as u32 });
        }
        writer.origin = outer;
        let scale = self.src(writer, scale);
        let d = writer.scratch();
        writer.emit(Op::Element { d, p: base, i, scale });
        (Src(d), offset)
    }

    /// The address in one register.
    pub(super) fn whole_address(&mut self, writer: &mut Writer<'_>, access: &Access) -> Src {
        match self.address(writer, access) {
            (base, 0) => base,
            (base, offset) => {
                let d = writer.scratch();
                writer.emit(Op::Advance { d, p: base, offset });
                Src(d)
            }
        }
    }
}

/// The pointer that an access goes through, or the whole access.
pub(super) fn pointer_span(access: &Access) -> Span {
    match &access.root {
        AccessRoot::Deref(pointer) => pointer.span,
        _ => access.span,
    }
}
