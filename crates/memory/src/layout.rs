//! What a reader of raw memory must know of the program.

use std::sync::Arc;

use c_types::{TypeId, Types};

/// Variables, types and scopes of one program.
#[derive(Clone, Debug)]
pub struct Layout {
    /// All types.
    pub types: Arc<Types>,
    /// Global variables and, after them or between them, static locals.
    pub globals: Vec<VariableLayout>,
    /// For each global: the function it is local to, for static locals.
    pub owners: Vec<Option<usize>>,
    /// The functions with a body.
    pub functions: Vec<FunctionLayout>,
    /// The source statements, by step number.
    pub steps: Vec<StepLayout>,
}

/// A variable as the program declares it.
#[derive(Clone, Debug)]
pub struct VariableLayout {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
    /// Its type as C text.
    pub type_name: Arc<str>,
}

/// A function with its named locals, parameters first.
#[derive(Clone, Debug)]
pub struct FunctionLayout {
    /// Its name.
    pub name: Arc<str>,
    /// Parameters and locals; temporaries of the compiler are not among them.
    pub locals: Vec<VariableLayout>,
}

/// What holds while a source statement is about to run or running.
#[derive(Clone, Debug)]
pub struct StepLayout {
    /// The function it belongs to.
    pub function: usize,
    /// The variables in scope, hidden ones left out.
    pub visible: Vec<Visible>,
    /// The type of what the statement allocates, where its text tells.
    pub allocates: Option<TypeId>,
}

/// A variable in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// A local, by its number in [`FunctionLayout::locals`].
    Local(usize),
    /// A static local, by its number in [`Layout::globals`].
    Static(usize),
}
