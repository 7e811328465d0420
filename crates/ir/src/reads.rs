//! Which locals an action reads and which it writes.
//!
//! `a[i] := p` reads all three: an array is still there after one of its
//! elements was written.

use crate::program::*;

impl ActionKind {
    /// Shows every local that is read to `read`, as often as it is read.
    pub fn reads(&self, read: &mut dyn FnMut(LocalId)) {
        match self {
            ActionKind::Assign { value, .. } => value.reads(read),
            ActionKind::Store { to, value } => {
                to.reads(read);
                value.reads(read);
            }
            ActionKind::Clear { to } => to.reads(read),
            ActionKind::Call { callee, arguments, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    pointer.reads(read);
                }
                arguments.iter().for_each(|argument| argument.reads(read));
            }
            ActionKind::Concrete { .. } => {}
        }
    }

    /// The local that is written, or a part of it.
    pub fn writes(&self) -> Option<LocalId> {
        match self {
            ActionKind::Assign { to, .. } => Some(*to),
            ActionKind::Call { to, .. } | ActionKind::Concrete { to, .. } => *to,
            ActionKind::Store { to, .. } | ActionKind::Clear { to } => match to.root {
                AccessRoot::Local(local) => Some(local),
                _ => None,
            },
        }
    }

    /// The local whose address is taken.
    pub fn addressed(&self) -> Option<LocalId> {
        match self {
            ActionKind::Assign { value: Rvalue::AddressOf(Access { root: AccessRoot::Local(local), .. }), .. } => {
                Some(*local)
            }
            _ => None,
        }
    }
}

impl Rvalue {
    fn reads(&self, read: &mut dyn FnMut(LocalId)) {
        match self {
            Rvalue::Use(a) | Rvalue::Unary(_, a, _) | Rvalue::Convert { value: a, .. } => a.reads(read),
            Rvalue::Binary(_, a, b, _) => [a, b].into_iter().for_each(|operand| operand.reads(read)),
            Rvalue::Offset { pointer: a, index: b, scale: c, .. }
            | Rvalue::Distance { left: a, right: b, scale: c } => {
                [a, b, c].into_iter().for_each(|operand| operand.reads(read));
            }
            Rvalue::Load(place) | Rvalue::AddressOf(place) => place.reads(read),
        }
    }
}

impl Access {
    fn reads(&self, read: &mut dyn FnMut(LocalId)) {
        match &self.root {
            AccessRoot::Local(local) => read(*local),
            AccessRoot::Deref(pointer) => pointer.reads(read),
            AccessRoot::Global(_) | AccessRoot::Text(_) => {}
        }
        for projection in &self.path {
            if let Projection::Index { index, scale, .. } = projection {
                index.reads(read);
                scale.reads(read);
            }
        }
    }
}

impl Operand {
    /// Shows the local that the operand is to `read`.
    pub fn reads(&self, read: &mut dyn FnMut(LocalId)) {
        if let OperandKind::Local(local) = self.kind {
            read(local);
        }
    }
}
