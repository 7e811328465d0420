//! From clang's tree to ours.
//!
//! `types.rs` reads declarations of types, `stmt.rs` statements, `expr.rs`
//! expressions; this file walks the declarations of the file in order, as
//! names must be known before they are used.

mod expr;
mod stmt;
mod types;

use std::collections::HashMap;
use std::sync::Arc;

use c_types::{RecordId, Type, TypeId, Types};
use clang_ast::Id;

use crate::ast::*;
use crate::clang::{ClangType, Node};
use crate::place::Places;
use crate::type_name::{Lengths, Scopes, parse_type};
use crate::vla;
use crate::{Diagnostic, NameTable, Source, Span, macros};

/// Makes a [`Unit`] of clang's tree.
pub(crate) fn convert(source: Arc<Source>, main_file: &str, root: Node, warnings: Vec<Diagnostic>) -> Unit {
    let read = Read::of(&Declared::nothing(), &source, main_file, &root);
    read.into_unit(source, warnings)
}

/// What the tree of a text declares that has nothing but headers.
pub(crate) fn declarations(source: &Source, main_file: &str, root: &Node) -> Declared {
    Read::of(&Declared::nothing(), source, main_file, root).declared
}

/// Makes a [`Unit`] of the tree of a text without its headers; `None` if it
/// needs more of them than is kept.
pub(crate) fn convert_after(
    headers: &Declared,
    source: Arc<Source>,
    main_file: &str,
    root: Node,
    warnings: Vec<Diagnostic>,
) -> Option<Unit> {
    let read = Read::of(headers, &source, main_file, &root);
    (!read.missed).then(|| read.into_unit(source, warnings))
}

/// What is known at the end of a tree, by name: clang's ids are of one run only.
#[derive(Clone)]
pub(crate) struct Declared {
    types: Types,
    scopes: Scopes,
    name_table: NameTable,
    names: HashMap<Arc<str>, VariableId>,
    variables: Vec<Variable>,
    globals: Vec<VariableId>,
    functions: Vec<Function>,
    function_types: HashMap<Arc<str>, TypeId>,
}

impl Declared {
    /// What is known before the first declaration.
    fn nothing() -> Declared {
        let (mut types, mut scopes) = (Types::new(), Scopes::new());
        types::declare_builtins(&mut types, &mut scopes);
        Declared {
            types,
            scopes,
            name_table: NameTable::default(),
            names: HashMap::new(),
            variables: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            function_types: HashMap::new(),
        }
    }
}

/// What was made of a tree.
struct Read {
    declared: Declared,
    macro_uses: Vec<Span>,
    /// Whether something was used that no declaration in the tree declares.
    missed: bool,
}

impl Read {
    /// Reads a tree, after what is known before it.
    fn of(before: &Declared, source: &Source, main_file: &str, root: &Node) -> Read {
        let places = Places::new(source, main_file);
        let mut converter = Converter::new(&places, before.clone());
        converter.name_table.macros = macros::object_like(&source.bytes);
        for node in &root.inner {
            converter.top_level(node);
        }
        let (declared, missed) = converter.finish();
        Read { declared, missed, macro_uses: places.into_macro_uses() }
    }

    fn into_unit(self, source: Arc<Source>, warnings: Vec<Diagnostic>) -> Unit {
        let Declared { types, variables, globals, functions, name_table: names, .. } = self.declared;
        let macro_uses = self.macro_uses;
        Unit { source, types, variables, globals, functions, names, macro_uses, warnings, selectors: 0 }
    }
}

struct Converter<'a> {
    places: &'a Places<'a>,
    types: Types,
    scopes: Scopes,
    /// Members by clang's id.
    fields: HashMap<Id, (RecordId, u32)>,
    /// Enum constants by clang's id.
    constants: HashMap<Id, i128>,
    /// What is known by name to those who use the program.
    name_table: NameTable,
    /// Records and enumerations without a tag by clang's id.
    unnamed: HashMap<Id, TypeId>,
    /// Variables by clang's id; redeclarations map to the first.
    ids: HashMap<Id, VariableId>,
    /// Variables by name, innermost scope last: lengths of arrays are only known as text.
    names: Vec<HashMap<Arc<str>, VariableId>>,
    variables: Vec<Variable>,
    globals: Vec<VariableId>,
    functions: Vec<Function>,
    /// The types of all declared functions.
    function_types: HashMap<Arc<str>, TypeId>,
    /// The name of the function that is being read.
    function: Arc<str>,
    /// Whether something was used that no declaration in the tree declares.
    missed: bool,
}

impl<'a> Converter<'a> {
    fn new(places: &'a Places<'a>, before: Declared) -> Self {
        let Declared { types, scopes, name_table, names, variables, globals, functions, function_types } = before;
        Converter {
            places,
            types,
            scopes,
            fields: HashMap::new(),
            constants: HashMap::new(),
            name_table,
            unnamed: HashMap::new(),
            ids: HashMap::new(),
            names: vec![names],
            variables,
            globals,
            functions,
            function_types,
            function: "".into(),
            missed: false,
        }
    }

    /// What is known at the end, and whether something was missed.
    fn finish(mut self) -> (Declared, bool) {
        let names = self.names.swap_remove(0);
        let Converter { types, scopes, name_table, variables, globals, functions, function_types, missed, .. } = self;
        (Declared { types, scopes, name_table, names, variables, globals, functions, function_types }, missed)
    }

    fn top_level(&mut self, node: &Node) {
        match node.kind.kind.as_str() {
            "RecordDecl" | "EnumDecl" | "TypedefDecl" => self.type_declaration(node),
            "VarDecl" => self.global(node),
            "FunctionDecl" => self.function(node),
            _ => {}
        }
    }

    fn global(&mut self, node: &Node) {
        let name: Arc<str> = node.kind.name.as_deref().unwrap_or_default().into();
        let is_extern = node.kind.storage_class.as_deref() == Some("extern");
        let has_init = node.inner.iter().any(|n| {
            n.kind.kind.ends_with("Expr") || n.kind.kind.ends_with("Literal") || n.kind.kind.ends_with("Operator")
        });
        let (ty, _) = self.variable_type(node);
        let span = self.places.token(&node.kind.loc);
        let known = self.names[0].get(&name).copied();
        let id = known.unwrap_or_else(|| {
            let variable =
                Variable { name: name.clone(), ty, span, storage: Storage::Extern, init: None, lengths: Vec::new() };
            let id = self.add_variable(variable);
            self.globals.push(id);
            self.names[0].insert(name, id);
            id
        });
        self.ids.insert(node.id, id);
        let variable = &mut self.variables[id.0 as usize];
        if !is_extern || has_init {
            (variable.storage, variable.span) = (Storage::Global, span);
        }
        // `int a[];` may be completed by a later `int a[3];`.
        if self.types.size_of(ty) > 0 {
            variable.ty = ty;
        }
        if has_init {
            let init = self.initialiser(node);
            self.variables[id.0 as usize].init = init;
        }
    }

    fn add_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(variable);
        id
    }

    /// The type of a declared variable, and the lengths of a variable length array.
    fn variable_type(&mut self, node: &Node) -> (TypeId, Vec<Expr>) {
        let mut texts = Vec::new();
        let Some(ty) = &node.kind.ty else { return (self.types.void(), Vec::new()) };
        let id = self.named_type(ty, &mut texts);
        if texts.is_empty() {
            return (id, Vec::new());
        }
        let whole = self.places.span(&node.kind.range);
        let written = self.places.lengths(self.places.token(&node.kind.loc), &texts);
        let lengths = texts.iter().zip(written).map(|(text, place)| {
            if place.is_none() {
                self.places.note_macro_use(whole);
            }
            // What is written has the places; clang's own spacing differs.
            let text = place.map_or(text.clone(), |place| self.places.text(place));
            let known = vla::Known { names: &self.names, variables: &self.variables, functions: &self.function_types };
            vla::parse_length(&mut self.types, known, &text, place, whole)
        });
        (id, lengths.collect())
    }

    /// The type that clang names. What was written is tried first, as clang's
    /// other form may name a typedef by itself; that one is for `typeof`.
    fn named_type(&mut self, ty: &ClangType, lengths: &mut Lengths) -> TypeId {
        if let Some(id) = parse_type(&mut self.types, &mut self.scopes, &ty.qual_type, lengths) {
            return id;
        }
        lengths.clear();
        let desugared = ty.desugared_qual_type.as_deref().unwrap_or_default();
        parse_type(&mut self.types, &mut self.scopes, desugared, lengths).unwrap_or_else(|| self.types.void())
    }

    /// The type of an expression; `None` if it is beyond us, as `_Complex double` is.
    fn known_type(&mut self, node: &Node) -> Option<TypeId> {
        let ty = self.type_of(node);
        let is_complex = |ty: &ClangType| ty.qual_type.contains("_Complex") || ty.qual_type.contains("_Imaginary");
        (!node.kind.ty.as_ref().is_some_and(is_complex)).then_some(ty)
    }

    /// A type as clang names it, with typedefs resolved.
    fn ty(&mut self, ty: Option<&ClangType>) -> TypeId {
        match ty {
            Some(ty) => self.named_type(ty, &mut Vec::new()),
            None => self.types.void(),
        }
    }

    fn type_of(&mut self, node: &Node) -> TypeId {
        self.ty(node.kind.ty.as_ref())
    }

    fn function(&mut self, node: &Node) {
        let ty = self.type_of(node);
        self.function_types.insert(node.kind.name.as_deref().unwrap_or_default().into(), ty);
        let Some(body) = node.inner.iter().find(|n| n.kind.kind == "CompoundStmt") else { return };
        let name: Arc<str> = node.kind.name.as_deref().unwrap_or_default().into();
        self.function = name.clone();
        self.enter_scope();
        let parameters: Vec<VariableId> = node
            .inner
            .iter()
            .filter(|n| n.kind.kind == "ParmVarDecl")
            .map(|parameter| self.local(parameter, Storage::Parameter))
            .collect();
        let ty = self.function_type(node, &parameters);
        let span = self.places.expansion(&node.kind.range);
        let statements = self.block(body);
        self.leave_scope();
        let end = Span { start: span.end.saturating_sub(1), end: span.end };
        let own = !span.is_empty();
        self.functions.push(Function { name, ty, parameters, body: statements, span, end, own });
    }

    /// The type of a function; that of a K&R definition lacks the parameters.
    fn function_type(&mut self, node: &Node, parameters: &[VariableId]) -> TypeId {
        let ty = self.type_of(node);
        match self.types.get(ty).clone() {
            Type::Function(mut signature) if signature.parameters.len() != parameters.len() => {
                signature.parameters = parameters.iter().map(|p| self.variables[p.0 as usize].ty).collect();
                self.types.intern(Type::Function(signature))
            }
            _ => ty,
        }
    }

    fn local(&mut self, node: &Node, storage: Storage) -> VariableId {
        let name: Arc<str> = node.kind.name.as_deref().unwrap_or_default().into();
        let (ty, lengths) = self.variable_type(node);
        // An array parameter is a pointer, whatever its type is written as.
        let ty = match (storage, self.types.get(ty).clone()) {
            (Storage::Parameter, Type::Array(element, _)) => self.types.pointer_to(element),
            (Storage::Parameter, Type::Function(_)) => self.types.pointer_to(ty),
            _ => ty,
        };
        let span = self.places.token(&node.kind.loc);
        let id = self.add_variable(Variable { name: name.clone(), ty, span, storage, init: None, lengths });
        self.ids.insert(node.id, id);
        // The name is in scope in its own initialiser.
        self.names.last_mut().expect("the file scope stays").insert(name, id);
        if storage != Storage::Parameter {
            let init = self.initialiser(node);
            self.variables[id.0 as usize].init = init;
        }
        id
    }

    fn initialiser(&mut self, node: &Node) -> Option<Expr> {
        node.kind.name.as_ref()?;
        let init = node.inner.iter().rfind(|n| !n.kind.kind.ends_with("Attr") && !n.kind.kind.ends_with("Comment"))?;
        Some(self.expr(init))
    }

    /// The function whose body is being read.
    fn inside(&self) -> Option<Arc<str>> {
        (self.names.len() > 1).then(|| self.function.clone())
    }

    fn enter_scope(&mut self) {
        self.scopes.enter();
        self.names.push(HashMap::new());
    }

    fn leave_scope(&mut self) {
        self.scopes.leave();
        self.names.pop();
    }
}
