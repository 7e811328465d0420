//! What a state reader must know of a program.

use std::sync::Arc;

use ir::Program;
use memory::{FunctionLayout, Layout, StepLayout, VariableLayout};

/// The layout of `program` for [`memory::read_state`].
pub fn layout_of(program: &Program) -> Layout {
    let types = &program.types;
    let variable = |name: &Arc<str>, ty| VariableLayout { name: name.clone(), ty, type_name: types.name(ty).into() };
    let globals = program.globals.iter().filter(|global| !global.external);
    let owners = globals.clone().map(|global| global.owner.map(|owner| owner.index())).collect();
    let function = |function: &ir::Function| FunctionLayout {
        name: function.name.clone(),
        locals: function.locals[..function.named].iter().map(|local| variable(&local.name, local.ty)).collect(),
    };
    let step = |step: &ir::Step| StepLayout {
        function: step.function.index(),
        visible: step.visible.clone(),
        allocates: step.allocates,
    };
    Layout {
        types: types.clone(),
        globals: globals.map(|global| variable(&global.name, global.ty)).collect(),
        owners,
        functions: program.functions.iter().map(function).collect(),
        steps: program.steps.iter().map(step).collect(),
    }
}
