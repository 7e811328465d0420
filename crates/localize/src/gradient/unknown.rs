//! Values that may be anything, where a run needs to know them.
//!
//! `if (p != NULL)` splits the run in two when `p` may be anything, `p->next`
//! splits it into one run for each object that `p` could point to: those where
//! the same cells are as in what `p` points to by its type. Null and dangling
//! pointers crash there, which no repair does.

use c_types::TypeId;
use encode::layout::Cells;
use encode::library::{Library, library};
use encode::machine::{Object, ObjectKind};
use encode::{Address, Cell, Instruction, Machine, Scalar};
use ir::{Access, AccessRoot, ActionKind, Callee, FunctionRef, Operand, OperandKind, Projection, Rvalue};

use super::explore::{Explorer, Path, Turn};

impl Explorer<'_> {
    /// A cell may be anything from here on.
    pub fn set_any(&self, path: &mut Path, at: u32, ty: Option<TypeId>) -> Turn {
        let values = ty.filter(|_| self.exact).and_then(|ty| self.values(&path.machine, ty));
        let Some(values) = values else {
            path.machine.cells[at as usize] = Cell::Unknown;
            return Turn::On;
        };
        let split = |value: Cell| {
            let mut path = path.clone();
            path.machine.cells[at as usize] = value;
            path
        };
        // A guard may leave it as it is.
        let kept = path.machine.cells[at as usize];
        let kept = (!values.contains(&kept)).then_some(kept);
        Turn::Split(values.into_iter().chain(kept).map(split).collect())
    }

    /// Every value that a pointer of type `ty` can have: null, what fits, nodes
    /// that are gone, and what such pointers hold now; `None` if these are many.
    fn values(&self, machine: &Machine, ty: TypeId) -> Option<Vec<Cell>> {
        let types = &self.model.program.types;
        if !types.is_pointer(ty) {
            return None;
        }
        let is_gone = |object: &Object| !object.live && matches!(object.kind, ObjectKind::Node(_));
        let gone = machine.objects.iter().enumerate().filter(|(_, object)| is_gone(object));
        let gone = gone.map(|(object, _)| Address { object: object as u32, offset: 0 });
        let mut values: Vec<Cell> = self.addresses(machine, ty)?.into_iter().chain(gone).map(Cell::Pointer).collect();
        values.push(Cell::Int(0));
        let leaves = machine.objects.iter().flat_map(|object| {
            object
                .cells
                .leaves
                .iter()
                .enumerate()
                .filter(|(_, leaf)| leaf.ty == ty)
                .map(|(i, _)| object.base as usize + i)
        });
        let frames = machine.frames.iter().flat_map(|frame| {
            let locals = &self.model.program.functions[frame.function as usize].locals;
            let fits = locals.iter().enumerate().filter(|(_, local)| local.ty == ty && !local.in_memory);
            fits.map(|(i, _)| frame.base as usize + i)
        });
        for at in leaves.chain(frames) {
            match machine.cells[at] {
                Cell::Unset => {}
                Cell::Unknown => return None,
                value if values.contains(&value) => {}
                value => values.push(value),
            }
        }
        (values.len() <= 40).then_some(values)
    }

    /// Goes on where the machine could not, because something may be anything.
    pub fn unstick(&self, path: &mut Path) -> Turn {
        let frame = path.machine.frame();
        let pc = frame.pc;
        let code = &self.model.code.functions[frame.function as usize].code;
        match &code[pc as usize] {
            Instruction::Branch { otherwise, .. } => Turn::Split(vec![path.at(pc + 1), path.at(*otherwise)]),
            Instruction::Switch { arms, default, .. } => {
                let ways = arms.iter().map(|arm| arm.2).chain(std::iter::once(*default));
                Turn::Split(ways.map(|pc| path.at(pc)).collect())
            }
            Instruction::Act(action) => match &action.kind {
                ActionKind::Assign { to, value: Rvalue::Load(access) | Rvalue::AddressOf(access), .. } => {
                    if path.machine.address(access).is_ok() || has_unknown_index(&path.machine, access) {
                        // An element that is not known, or a value of a shape that is not modelled.
                        let at = path.machine.local(*to) as usize;
                        path.machine.cells[at] = Cell::Unknown;
                        path.machine.set_pc(pc + 1);
                        return Turn::On;
                    }
                    self.each_pointer(path, access)
                }
                ActionKind::Store { to, .. } if !has_unknown_index(&path.machine, to) => self.each_pointer(path, to),
                ActionKind::Call { callee: Callee::Direct(FunctionRef::Library(name)), .. }
                    if library(name) == Library::Free =>
                {
                    // To free nothing leaves every fact as it is and makes no later access crash.
                    path.machine.set_pc(pc + 1);
                    Turn::On
                }
                _ => Turn::GiveUp,
            },
            _ => Turn::GiveUp,
        }
    }

    /// The pointer of an access is each address that fits.
    fn each_pointer(&self, path: &Path, access: &Access) -> Turn {
        match &access.root {
            AccessRoot::Deref(Operand { kind: OperandKind::Local(local), ty, .. }) => {
                let at = path.machine.local(*local);
                match path.machine.cells[at as usize] {
                    Cell::Unknown => self.each_address(path, at, *ty),
                    _ => Turn::GiveUp,
                }
            }
            _ => Turn::GiveUp,
        }
    }

    /// A cell that may be anything is each address that a pointer of type `ty` can have.
    pub fn each_address(&self, path: &Path, at: u32, ty: TypeId) -> Turn {
        let Some(addresses) = self.addresses(&path.machine, ty) else { return Turn::GiveUp };
        let split = |address: Address| {
            let mut path = path.clone();
            path.machine.cells[at as usize] = Cell::Pointer(address);
            path
        };
        Turn::Split(addresses.into_iter().map(split).collect())
    }

    /// Where something of the type that `pointer` leads to can be: wherever the same cells are.
    fn addresses(&self, machine: &Machine, pointer: TypeId) -> Option<Vec<Address>> {
        let types = &self.model.program.types;
        let wanted = Cells::of(types, types.target(pointer)?, 1).filter(|cells| !cells.leaves.is_empty())?;
        let mut found = Vec::new();
        for (object, entry) in machine.objects.iter().enumerate().filter(|(_, entry)| entry.live) {
            for start in entry.cells.leaves.iter().map(|leaf| leaf.offset as i32) {
                let fits = wanted.leaves.iter().all(|leaf| {
                    let index = entry.cells.find(start + leaf.offset as i32, leaf.scalar.size());
                    index.is_some_and(|index| {
                        let there = &entry.cells.leaves[index as usize];
                        there.scalar == leaf.scalar && (there.ty == leaf.ty || leaf.scalar != Scalar::Pointer)
                    })
                });
                if fits {
                    found.push(Address { object: object as u32, offset: start });
                }
            }
        }
        Some(found)
    }

    /// The cells that an access behind a pointer that may be anything can be.
    pub fn cells_behind(&self, machine: &Machine, access: &Access) -> Option<Vec<u32>> {
        let AccessRoot::Deref(pointer) = &access.root else { return None };
        let size = Scalar::of(&self.model.program.types, access.ty)?.size();
        let mut offset = 0;
        for projection in &access.path {
            let Projection::Field { offset: more, .. } = projection else { return None };
            offset += *more as i32;
        }
        let addresses = self.addresses(machine, pointer.ty)?;
        let cell =
            |address: Address| machine.cell_at(Address { offset: address.offset + offset, ..address }, size).ok();
        Some(addresses.into_iter().filter_map(cell).collect())
    }
}

fn has_unknown_index(machine: &Machine, access: &Access) -> bool {
    access.path.iter().any(|projection| match projection {
        Projection::Index { index, .. } => machine.value(index) == Cell::Unknown,
        Projection::Field { .. } => false,
    })
}
