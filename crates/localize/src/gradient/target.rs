//! What an assignment at a place could write to.
//!
//! Where a place is come to once, one write can go to any cell at all. Where it
//! is come to in several rounds, all rounds write by the same text, such as
//! `current->next`: then the texts up to two members deep are tried, and the
//! cells that are the same in every round.

use c_types::TypeId;
use encode::machine::ObjectKind;
use encode::{Cell, Machine, Member, Model, Scalar, Stuck, Term, TypedTerm, Variable, last_action, result_of_call};
use ir::{AccessRoot, ActionKind, GlobalId, LocalId, Operand, Projection, StepId};
use memory::Visible;

/// Something that could be written to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// This cell, the only time that control comes there.
    Once(u32),
    /// This cell, every time.
    Always(u32),
    /// What this text stands for.
    Term(TypedTerm),
    /// The member at this offset, of this size, of what a pointer leads to.
    Through(TypedTerm, i32, u8),
}

/// A target with the type of what it holds, where that is known.
pub(crate) type Typed = (Target, Option<TypeId>);

impl Target {
    /// The cell that it is now.
    pub fn cell(&self, model: &Model, machine: &Machine) -> Result<u32, Stuck> {
        match self {
            Target::Once(cell) | Target::Always(cell) => Ok(*cell),
            Target::Term(term) => machine.term_cell(model, term),
            Target::Through(term, offset, size) => match machine.term_value(model, term)? {
                Cell::Pointer(address) => {
                    machine.cell_at(encode::Address { offset: address.offset + offset, ..address }, *size)
                }
                Cell::Unknown => Err(Stuck::Unmodelled),
                _ => Err(Stuck::Fault),
            },
        }
    }
}

/// Every cell that a statement of the innermost call could write.
pub(crate) fn all_cells(model: &Model, machine: &Machine, visible: &[Visible]) -> Vec<(u32, TypeId)> {
    let frame = machine.frame();
    let function = &model.program.functions[frame.function as usize];
    let locals = visible.iter().filter_map(|visible| match *visible {
        Visible::Local(local) if !function.locals[local].in_memory => {
            Some((frame.base + local as u32, function.locals[local].ty))
        }
        _ => None,
    });
    let objects = machine.objects.iter().filter(|object| object.live && object.kind != ObjectKind::Text);
    let members = objects
        .flat_map(|object| object.cells.leaves.iter().enumerate().map(|(i, leaf)| (object.base + i as u32, leaf.ty)));
    locals.chain(members).collect()
}

/// The targets of a place that is come to once.
pub(crate) fn once(model: &Model, machine: &Machine, visible: &[Visible]) -> Vec<Typed> {
    let cells = all_cells(model, machine, visible).into_iter();
    cells.map(|(cell, ty)| (Target::Once(cell), Some(ty))).collect()
}

/// The targets of a place that is come to again and again.
pub(crate) fn repeated(model: &Model, machine: &Machine, step: Option<StepId>, visible: &[Visible]) -> Vec<Typed> {
    let terms = terms(model, machine.frame().function, visible);
    let mut targets: Vec<Typed> =
        terms.iter().filter(|term| term.is_place()).map(|term| (Target::Term(*term), Some(term.ty))).collect();
    let depth = machine.frames.len() as u32 - 1;
    for object in machine.objects.iter().filter(|object| object.live && object.cells.leaves.len() > 1) {
        let fixed = match object.kind {
            ObjectKind::Global(_) => true,
            ObjectKind::Local { frame, .. } => frame == depth,
            _ => false,
        };
        let leaves = object.cells.leaves.iter().enumerate().filter(|_| fixed);
        targets.extend(leaves.map(|(i, leaf)| (Target::Always(object.base + i as u32), Some(leaf.ty))));
    }
    if let Some((pointer, offset, size)) = step.and_then(|step| stored_through(model, step)) {
        let fits = terms.iter().filter(|term| term.ty == pointer);
        targets.extend(fits.map(|term| (Target::Through(*term, offset, size), None)));
    }
    targets
}

/// What the result of the call in a statement could be assigned to instead.
pub(crate) fn redirections(model: &Model, step: StepId, visible: &[Visible]) -> Vec<TypedTerm> {
    let Some(ty) = result_of_call(model, step) else { return Vec::new() };
    let all = terms(model, model.code.steps[step.index()].function, visible);
    all.into_iter().filter(|term| term.ty == ty && term.is_place()).collect()
}

/// The type of the pointer, the offset and the size of what `x->f = y` writes.
fn stored_through(model: &Model, step: StepId) -> Option<(TypeId, i32, u8)> {
    let ActionKind::Store { to, .. } = &last_action(model, step)?.kind else { return None };
    let AccessRoot::Deref(Operand { ty, .. }) = &to.root else { return None };
    let mut sum = 0;
    for projection in &to.path {
        let Projection::Field { offset, .. } = projection else { return None };
        sum += *offset as i32;
    }
    Some((*ty, sum, Scalar::of(&model.program.types, to.ty)?.size()))
}

/// The simple texts over the variables that are visible: `x`, `x->f`, `x->f->g`, `*x`.
fn terms(model: &Model, function: u32, visible: &[Visible]) -> Vec<TypedTerm> {
    let program = &model.program;
    let locals = &program.functions[function as usize].locals;
    let globals = program.globals.iter().enumerate().filter(|(_, global)| global.owner.is_none() && !global.external);
    let globals = globals.map(|(i, global)| (Variable::Global(GlobalId(i as u32)), global.ty));
    let own = visible.iter().map(|visible| match *visible {
        Visible::Local(local) => (Variable::Local(LocalId(local as u32)), locals[local].ty),
        Visible::Static(global) => (Variable::Global(GlobalId(global as u32)), program.globals[global].ty),
    });
    let mut terms = Vec::new();
    for (variable, ty) in own.chain(globals) {
        let mut add = |term: Term, ty: TypeId| {
            terms.extend(Scalar::of(&program.types, ty).map(|scalar| TypedTerm { term, ty, scalar }));
        };
        add(Term::Variable(variable), ty);
        for member in members(model, ty) {
            add(Term::Field(variable, member), member.ty);
            members(model, member.ty)
                .into_iter()
                .for_each(|second| add(Term::Chain(variable, member, second), second.ty));
        }
        if let Some(target) = program.types.target(ty) {
            add(Term::Deref(variable), target);
        }
    }
    terms
}

/// The members of what a pointer of this type leads to.
fn members(model: &Model, ty: TypeId) -> Vec<Member> {
    let types = &model.program.types;
    let Some(record) = types.target(ty).filter(|_| types.is_pointer(ty)).and_then(|target| types.as_record(target))
    else {
        return Vec::new();
    };
    let member = |(index, field): (usize, &c_types::Field)| {
        let scalar = Scalar::of(types, field.ty)?;
        Some(Member { offset: field.offset as u32, ty: field.ty, size: scalar.size(), index: index as u32 })
    };
    record.fields.iter().enumerate().filter_map(member).collect()
}
