//! Gives globals other numbers, everywhere they are mentioned.

use memory::Visible;

use crate::program::*;

/// `renamed[old]` is the new number of each global.
pub(crate) fn rename_globals(
    globals: &mut [Global],
    functions: &mut [Function],
    steps: &mut [Step],
    renamed: &[GlobalId],
) {
    for relocation in globals.iter_mut().flat_map(|global| &mut global.relocations) {
        if let StaticTarget::Global(id) = &mut relocation.target {
            *id = renamed[id.index()];
        }
    }
    for visible in steps.iter_mut().flat_map(|step| &mut step.visible) {
        if let Visible::Static(global) = visible {
            *global = renamed[*global].index();
        }
    }
    for function in functions {
        rename_code(&mut function.body, renamed);
    }
}

fn rename_code(code: &mut [Code], renamed: &[GlobalId]) {
    for item in code {
        match item {
            Code::Act(action) => rename_action(&mut action.kind, renamed),
            Code::If { then, otherwise, .. } => {
                rename_code(then, renamed);
                rename_code(otherwise, renamed);
            }
            Code::Loop(looped) => {
                for part in [&mut looped.condition, &mut looped.body, &mut looped.update] {
                    rename_code(part, renamed);
                }
            }
            Code::Switch { body, .. } => rename_code(body, renamed),
            _ => {}
        }
    }
}

fn rename_action(action: &mut ActionKind, renamed: &[GlobalId]) {
    let access = match action {
        ActionKind::Assign { value: Rvalue::Load(access) | Rvalue::AddressOf(access), .. } => access,
        ActionKind::Store { to, .. } | ActionKind::Clear { to } => to,
        _ => return,
    };
    if let AccessRoot::Global(id) = &mut access.root {
        *id = renamed[id.index()];
    }
}
