//! What a name means at a place of the program.

use std::sync::Arc;

use c_syntax::Span;
use c_types::TypeId;
use ir::{Program, StepId};
use memory::{Frame, NodeId, Object, Root, State, Visible};

use crate::ExpressionError;
use crate::expand::library_macro;
use crate::suggest::{self, Sentence};
use crate::token::is_name;
use crate::tree::Call;

/// Where names are looked up.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// In a call of a state.
    Call(&'a State, usize),
    /// At a statement that may be reached later: what is on the heap then is not known.
    Step(StepId),
}

pub(crate) struct Names<'a> {
    pub program: &'a Program,
    pub view: View<'a>,
}

/// What a name means.
pub(crate) enum Meaning {
    Variable {
        root: Root,
        object: Object,
        ty: TypeId,
    },
    Function(Arc<str>, TypeId),
    /// A node of the state.
    Node(NodeId),
    Null,
    /// An enum constant, and what C's headers call by a name.
    Constant(i128),
    /// Only a state can tell.
    Later,
}

/// A local variable as its function declares it.
struct Declared {
    ty: TypeId,
    is_static: bool,
}

impl<'a> Names<'a> {
    /// The meaning of `name`, from the inside out.
    pub fn find(&self, name: &str, span: Span) -> Result<Meaning, ExpressionError> {
        self.meaning(name).or_else(|| library_constant(name)).ok_or_else(|| self.unknown(name, span))
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        let local = match self.view {
            View::Call(state, frame) => state.frames.get(frame).and_then(|it| self.in_frame(frame, it, name)),
            View::Step(step) => self.at_step(step, name),
        };
        local
            .or_else(|| self.global(name))
            .or_else(|| self.function(name))
            .or_else(|| self.node(name))
            .or_else(|| self.program.names.constants.find(self.inside(), name).map(Meaning::Constant))
    }

    /// Whether a name has a meaning that comes before macros and types of the same name.
    pub fn is_taken(&self, name: &str) -> bool {
        self.meaning(name).is_some()
    }

    /// The body of the macro called `name`.
    pub fn macro_body(&self, name: &str) -> Option<&'a str> {
        self.program.names.macros.get(name).map(String::as_str).or_else(|| library_macro(name))
    }

    /// Whether the program calls a type by this name.
    pub fn is_type(&self, name: &str) -> bool {
        self.type_called(name).is_some()
    }

    /// The type of a typedef, or of `enum color`.
    pub fn type_called(&self, name: &str) -> Option<TypeId> {
        self.program.names.types.find(self.inside(), name)
    }

    /// The names of types that have a meaning here.
    pub fn type_names(&self) -> impl Iterator<Item = &'a str> {
        self.program.names.types.names(self.inside())
    }

    /// Whether a struct or union has a member of this name.
    pub fn is_member(&self, name: &str) -> bool {
        self.program.types.records().any(|(_, record)| record.field_named(name).is_some())
    }

    /// The function whose names are meant; empty if there is none.
    fn inside(&self) -> &'a str {
        match self.view {
            View::Call(state, frame) => state.frames.get(frame).map_or("", |frame| &frame.function),
            View::Step(step) => {
                let step = self.program.steps.get(step.index());
                step.map_or("", |step| &self.program.function(step.function).name)
            }
        }
    }

    /// A variable of the call that `call` names.
    pub fn find_in(&self, call: &Call, name: &str, span: Span) -> Result<Meaning, ExpressionError> {
        let View::Call(state, _) = self.view else { return self.find_later(call, name, span) };
        let frame = match call {
            Call::Number(number, at) => {
                let frame = state.frames.len().checked_sub(1).and_then(|last| last.checked_sub(*number));
                frame.ok_or_else(|| ExpressionError::new(*at, no_call(*number, state)))?
            }
            Call::Of(function, at) => {
                let frame = state.frames.iter().rposition(|frame| *frame.function == **function);
                frame.ok_or_else(|| ExpressionError::new(*at, self.not_active(function, state)))?
            }
        };
        let it = &state.frames[frame];
        let found = self.in_frame(frame, it, name);
        found.ok_or_else(|| {
            let names: Vec<&str> = it.variables.iter().map(|variable| &*variable.name).collect();
            let sentence = Sentence::new(format!("{} has no variable `{name}` here", it.function));
            let sentence = sentence.close_to(name, names.iter().copied()).has(&it.function, &names);
            ExpressionError::new(span, sentence.end())
        })
    }

    /// Before the program runs, any variable of the function may come to be in scope.
    fn find_later(&self, call: &Call, name: &str, span: Span) -> Result<Meaning, ExpressionError> {
        let Call::Of(function, at) = call else { return Ok(Meaning::Later) };
        let Some(id) = self.program.function_named(function) else {
            return Err(ExpressionError::new(*at, self.no_function(function)));
        };
        let found = self.declared(function, name).into_iter().next();
        let declared = found.ok_or_else(|| {
            let function = self.program.function(id);
            let names: Vec<&str> = function.locals[..function.named].iter().map(|local| &*local.name).collect();
            let sentence = Sentence::new(format!("{} has no variable `{name}`", function.name));
            let sentence = sentence.close_to(name, names.iter().copied()).has(&function.name, &names);
            ExpressionError::new(span, sentence.end())
        })?;
        Ok(local(0, &self.program.function(id).name, &name.into(), &declared))
    }

    /// The variable that an object is, if the state shows it.
    pub fn variable_of(&self, object: &Object) -> Option<Meaning> {
        let View::Call(state, _) = self.view else { return None };
        match object {
            Object::Global(name) => self.global(name),
            Object::Local { frame: Some(frame), name, .. } => self.in_frame(*frame, state.frames.get(*frame)?, name),
            Object::Local { frame: None, function, name } => {
                // A static variable is shown in each call of its function.
                let mut calls = state.frames.iter().enumerate().filter(|(_, frame)| frame.function == *function);
                calls.find_map(|(i, frame)| {
                    let found = self.in_frame(i, frame, name)?;
                    matches!(found, Meaning::Variable { object: Object::Local { frame: None, .. }, .. })
                        .then_some(found)
                })
            }
            _ => None,
        }
    }

    fn in_frame(&self, number: usize, frame: &Frame, name: &str) -> Option<Meaning> {
        let variable = frame.variables.iter().rev().find(|variable| *variable.name == *name)?;
        let mut declared = self.declared(&frame.function, name);
        // Several of one name are in scopes of their own; those of one type need not be told apart.
        let is_it = |it: &Declared| self.program.types.name(it.ty) == *variable.type_name;
        let index = if declared.len() > 1 { declared.iter().position(is_it)? } else { 0 };
        let declared = (index < declared.len()).then(|| declared.swap_remove(index))?;
        Some(local(number, &frame.function, &variable.name, &declared))
    }

    /// All local variables of a function that have this name.
    fn declared(&self, function: &str, name: &str) -> Vec<Declared> {
        let Some(id) = self.program.function_named(function) else { return Vec::new() };
        let owner = self.program.function(id);
        let locals = owner.locals[..owner.named].iter().filter(|local| *local.name == *name);
        let statics = self.program.globals.iter().filter(|it| it.owner == Some(id) && *it.name == *name);
        let locals = locals.map(|local| Declared { ty: local.ty, is_static: false });
        locals.chain(statics.map(|global| Declared { ty: global.ty, is_static: true })).collect()
    }

    fn at_step(&self, step: StepId, name: &str) -> Option<Meaning> {
        let step = self.program.steps.get(step.index())?;
        let function = self.program.function(step.function);
        let found = step.visible.iter().rev().find(|visible| self.visible_name(function, visible) == name)?;
        let declared = match *found {
            Visible::Local(i) => Declared { ty: function.locals[i].ty, is_static: false },
            Visible::Static(i) => Declared { ty: self.program.globals[i].ty, is_static: true },
        };
        Some(local(0, &function.name, &name.into(), &declared))
    }

    fn visible_name(&self, function: &'a ir::Function, visible: &Visible) -> &'a str {
        match *visible {
            Visible::Local(i) => &function.locals[i].name,
            Visible::Static(i) => &self.program.globals[i].name,
        }
    }

    fn global(&self, name: &str) -> Option<Meaning> {
        let is_it = |it: &&ir::Global| it.owner.is_none() && !it.external && *it.name == *name;
        let global = self.program.globals.iter().find(is_it)?;
        let (root, object) = (Root::Global(global.name.clone()), Object::Global(global.name.clone()));
        Some(Meaning::Variable { root, object, ty: global.ty })
    }

    fn function(&self, name: &str) -> Option<Meaning> {
        let function = self.program.function(self.program.function_named(name)?);
        Some(Meaning::Function(function.name.clone(), function.ty))
    }

    fn node(&self, name: &str) -> Option<Meaning> {
        let id = node_id(name)?;
        match self.view {
            View::Step(_) => Some(Meaning::Later),
            View::Call(state, _) => state.node(id).map(|_| Meaning::Node(id)),
        }
    }

    // ----- what there is instead -----

    fn unknown(&self, name: &str, span: Span) -> ExpressionError {
        if let (Some(id), View::Call(state, _)) = (node_id(name), self.view) {
            return ExpressionError::new(span, format!("there is no node {id}; {}", state.name_nodes()));
        }
        if self.program.globals.iter().any(|global| global.external && *global.name == *name) {
            return ExpressionError::new(span, format!("`{name}` is a variable of the library, which is not shown"));
        }
        if self.macro_body(name).is_some() {
            return ExpressionError::new(span, format!("the macro `{name}` stands for itself, which has no value"));
        }
        if let Some(ty) = self.type_called(name) {
            let ty = self.program.types.name(ty);
            return ExpressionError::new(span, format!("`{name}` is a type (`{ty}`) and has no value"));
        }
        let locals = self.local_names();
        let globals = self.program.globals.iter().filter(|global| global.owner.is_none() && !global.external);
        let globals: Vec<&str> = globals.map(|global| &*global.name).collect();
        let constants = self.own_constants();
        let macros = self.program.names.macros.keys().map(|name| &**name);
        let known = locals.iter().chain(&globals).chain(&constants).copied().chain(macros);
        let sentence = Sentence::new(format!("there is no `{name}` here")).close_to(name, known);
        let sentence = sentence.has(self.inside(), &locals).list("globals are", &globals);
        ExpressionError::new(span, sentence.list("constants are", &constants).end())
    }

    /// The enum constants that the user's file names, and not only a header, in the order of their values.
    fn own_constants(&self) -> Vec<&'a str> {
        let constants = &self.program.names.constants;
        let mut own: Vec<&str> = constants.names(self.inside()).filter(|name| self.is_own(name)).collect();
        own.sort_by_key(|name| constants.find(self.inside(), name));
        own.dedup();
        own
    }

    /// Whether the user's file has this word, and not only a header.
    pub fn is_own(&self, word: &str) -> bool {
        let source = String::from_utf8_lossy(&self.program.source.bytes);
        let is_alone = |at: usize| {
            !source[..at].ends_with(is_name) && !source[at + word.len()..].starts_with(is_name) && !word.is_empty()
        };
        source.match_indices(word).any(|(at, _)| is_alone(at))
    }

    fn local_names(&self) -> Vec<&'a str> {
        match self.view {
            View::Call(state, frame) => {
                let frame = state.frames.get(frame);
                frame.map_or(Vec::new(), |frame| frame.variables.iter().map(|variable| &*variable.name).collect())
            }
            View::Step(step) => self.program.steps.get(step.index()).map_or(Vec::new(), |step| {
                let function = self.program.function(step.function);
                step.visible.iter().map(|visible| self.visible_name(function, visible)).collect()
            }),
        }
    }

    fn not_active(&self, function: &str, state: &State) -> String {
        match self.program.function_named(function) {
            Some(_) => format!("{function} is not being called now; {}", calls(state)),
            None => self.no_function(function),
        }
    }

    fn no_function(&self, name: &str) -> String {
        // Those of headers have no place in the user's file.
        let own = self.program.functions.iter().filter(|function| !function.span.is_empty());
        let names: Vec<&str> = own.map(|function| &*function.name).collect();
        let sentence = Sentence::new(format!("there is no function `{name}`"));
        sentence.close_to(name, names.iter().copied()).list("functions are", &names).end()
    }
}

fn local(frame: usize, function: &Arc<str>, name: &Arc<str>, declared: &Declared) -> Meaning {
    let (function, name) = (function.clone(), name.clone());
    let root = Root::Local { frame, function: function.clone(), name: name.clone() };
    let object = Object::Local { frame: (!declared.is_static).then_some(frame), function, name };
    Meaning::Variable { root, object, ty: declared.ty }
}

/// Names that C gives a meaning only through headers.
fn library_constant(name: &str) -> Option<Meaning> {
    match name {
        "NULL" | "null" | "nullptr" => Some(Meaning::Null),
        "true" | "false" => Some(Meaning::Constant((name == "true").into())),
        _ => None,
    }
}

/// `n4` names a node.
fn node_id(name: &str) -> Option<NodeId> {
    let digits = name.strip_prefix('n')?;
    let is_number = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok().map(NodeId))?
}

/// `#0 reverse, #1 main`
fn calls(state: &State) -> String {
    let calls = state.frames.iter().rev().enumerate();
    let calls: Vec<String> = calls.map(|(i, frame)| format!("#{i} {}", frame.function)).collect();
    let names: Vec<&str> = calls.iter().map(String::as_str).collect();
    if names.is_empty() { "there are no calls".into() } else { format!("calls are {}", suggest::list(&names)) }
}

fn no_call(number: usize, state: &State) -> String {
    format!("there is no call #{number}; {}", calls(state))
}
